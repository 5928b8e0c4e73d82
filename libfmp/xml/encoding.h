/* SPDX-License-Identifier: GPL-2.0 */
/* Character encodings: everything behind this file works on UTF-8. */
#ifndef FMPI_XML_ENCODING_H
#define FMPI_XML_ENCODING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * fmpi_encoding_is_plain() - is it a single-byte superset of ASCII?
 *
 * Such an encoding can hide nothing that UTF-8 could not hide too: its sender is an old client, not
 * an attacker.
 */
bool fmpi_encoding_is_plain(const char *name, size_t len);
/**
 * fmpi_encoding_hides_ascii() - may bytes of ASCII stand for others? A receiver that obeys such a
 * name, as of UTF-7, reads other markup than is here.
 */
bool fmpi_encoding_hides_ascii(const char *name, size_t len);

/** fmpi_utf16_bom() - do the bytes start with a UTF-16 byte order mark? */
bool fmpi_utf16_bom(const uint8_t *p, size_t len);

/** Maximum bytes of UTF-8 that len bytes of UTF-16 become. */
#define FMPI_UTF16_MAX(len) ((len) / 2 * 3)

/**
 * fmpi_utf16_decode() - convert UTF-16 with a byte order mark to UTF-8 without one
 * @out: FMPI_UTF16_MAX(len) bytes
 * @out_len: bytes written; on failure those before the bad unit
 *
 * Return: 0; FMP_ERR_SYNTAX: half a unit or a lone surrogate.
 */
int fmpi_utf16_decode(const uint8_t *p, size_t len, uint8_t *out, size_t *out_len);

/** fmpi_utf8_put() - encode a character. Return: bytes written, 1 to 4. */
size_t fmpi_utf8_put(uint32_t c, uint8_t *out);

/**
 * fmpi_utf8_length() - length of the XML character at p (lead byte >= 0x80). Return: 0: not valid.
 */
unsigned fmpi_utf8_length(const uint8_t *p, const uint8_t *end);

#endif
