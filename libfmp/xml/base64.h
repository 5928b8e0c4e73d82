/* SPDX-License-Identifier: GPL-2.0 */
#ifndef FMPI_XML_BASE64_H
#define FMPI_XML_BASE64_H

#include <stddef.h>
#include <stdint.h>

/** Most bytes that len characters can become. */
#define FMPI_BASE64_MAX(len) ((len) / 4 * 3 + 3)

/**
 * fmpi_base64_decode() - strict but for white space, which XML writers put in
 * @out: FMPI_BASE64_MAX(len) bytes
 *
 * Return: 0, FMP_ERR_SYNTAX.
 */
int fmpi_base64_decode(const char *text, size_t len, uint8_t *out, size_t *out_len);

#endif
