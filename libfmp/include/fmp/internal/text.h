/* SPDX-License-Identifier: GPL-2.0 */
/* Text that came from outside, made fit to be shown on a terminal and put into JSON. */
#ifndef FMP_TEXT_H
#define FMP_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <fmp/error.h>

/**
 * fmp_text_next() - the character at the start of s
 * @c: its number, or 0xfffd if no well-formed UTF-8 (RFC 3629) begins there
 *
 * Return: its bytes, at least 1 before the end of s.
 */
size_t fmp_text_next(const char *s, uint32_t *c);

/**
 * fmp_text_is_control() - would a terminal do something else than show it?
 *
 * C0, DEL and C1 start or are control sequences; the bidirectional controls of Unicode (UAX 9) reorder what
 * stands around them; U+2028 and U+2029 end a line.
 */
bool fmp_text_is_control(uint32_t c);

/** fmp_text_clean() - control characters and bytes that are not UTF-8 become '?', in place. */
void fmp_text_clean(char *s);

/** fmp_text_print() - fprintf() of one line, cleaned; a line end at the end of fmt stays. */
void fmp_text_print(FILE *f, const char *fmt, ...) FMP_PRINTF(2, 3);

#endif
