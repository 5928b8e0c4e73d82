/* SPDX-License-Identifier: GPL-2.0 */
/* Bytes to UTF-8: the one encoding that everything behind this works on. */
#ifndef FMPI_XML_ENCODING_H
#define FMPI_XML_ENCODING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * fmpi_encoding_is_plain() - is it one of one byte a character, ASCII below?
 *
 * Nothing hides in it that is not there in UTF-8, too: who sends it is an old client.
 */
bool fmpi_encoding_is_plain(const char *name, size_t len);

/** fmpi_utf16_bom() - do the bytes start with a UTF-16 byte order mark? */
bool fmpi_utf16_bom(const uint8_t *p, size_t len);

/** Most bytes of UTF-8 that len bytes of UTF-16 become. */
#define FMPI_UTF16_MAX(len) ((len) / 2 * 3)

/**
 * fmpi_utf16_decode() - UTF-16 with its mark to UTF-8 without
 * @out: FMPI_UTF16_MAX(len) bytes
 * @out_len: bytes written; on failure those before the bad unit
 *
 * Return: 0, FMP_ERR_SYNTAX for half a unit or a lone surrogate.
 */
int fmpi_utf16_decode(const uint8_t *p, size_t len, uint8_t *out, size_t *out_len);

/** fmpi_utf8_put() - Return: bytes written, 1 to 4. */
size_t fmpi_utf8_put(uint32_t c, uint8_t *out);

/** fmpi_utf8_length() - bytes of the XML character that starts at p (lead byte >= 0x80), 0 if none. */
unsigned fmpi_utf8_length(const uint8_t *p, const uint8_t *end);

#endif
