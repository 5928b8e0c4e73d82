/* SPDX-License-Identifier: GPL-2.0 */
#ifndef FMPI_XML_BASE64_H
#define FMPI_XML_BASE64_H

#include <stddef.h>
#include <stdint.h>

/** Maximum bytes that len characters decode to. */
#define FMPI_BASE64_MAX(len) ((len) / 4 * 3 + 3)

/**
 * fmpi_base64_decode() - decode strictly (RFC 4648 4), but skip white space, which XML writers
 * insert
 * @out: FMPI_BASE64_MAX(len) bytes
 *
 * Return: 0, FMP_ERR_SYNTAX.
 */
int fmpi_base64_decode(const char *text, size_t len, uint8_t *out, size_t *out_len);

#endif
