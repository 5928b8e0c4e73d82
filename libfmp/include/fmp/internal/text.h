/* SPDX-License-Identifier: GPL-2.0 */
/* Untrusted text, made safe to print on a terminal and to put into JSON. */
#ifndef FMP_TEXT_H
#define FMP_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <fmp/error.h>

/**
 * fmp_text_next() - decode the character at the start of s
 * @c: its code point, or 0xfffd if no well-formed UTF-8 (RFC 3629) starts there
 *
 * Return: bytes consumed, at least 1 before the end of s.
 */
size_t fmp_text_next(const char *s, uint32_t *c);

/**
 * fmp_text_is_control() - would a terminal do anything but display it?
 *
 * C0, DEL and C1 start or are control sequences; the bidirectional controls of Unicode (UAX 9)
 * reorder the text around them; U+2028 and U+2029 end a line.
 */
bool fmp_text_is_control(uint32_t c);

/** fmp_text_clean() - replace control characters and invalid UTF-8 by '?', in place. */
void fmp_text_clean(char *s);

/** fmp_text_print() - fprintf() one line, cleaned; a newline at the end of fmt is kept. */
void fmp_text_print(FILE *f, const char *fmt, ...) FMP_PRINTF(2, 3);

#endif
