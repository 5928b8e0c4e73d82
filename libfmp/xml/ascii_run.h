/* SPDX-License-Identifier: GPL-2.0 */
/* ASCII run scan: skip runs of plain bytes in a document a machine word at a time. */
#ifndef FMPI_XML_ASCII_RUN_H
#define FMPI_XML_ASCII_RUN_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "swar.h"

/* Classes of bytes: those that end a run in text, an attribute value or a name. */
enum {
	IN_TEXT = 1,
	IN_VALUE = 2,
	IN_NAME = 4,
	BAD = 8,
	HIGH = 16,
	SPACE = 32
};

static const uint8_t class[256] = {
	[0 ... 8] = BAD | 7,
	[0x09] = SPACE | IN_NAME,
	[0x0a] = SPACE | IN_NAME,
	[0x0b ... 0x0c] = BAD | 7,
	[0x0d] = SPACE | IN_NAME,
	[0x0e ... 0x1f] = BAD | 7,
	[0x20] = SPACE | IN_NAME,
	['"'] = IN_VALUE | IN_NAME,
	['\''] = IN_VALUE | IN_NAME,
	['<'] = IN_TEXT | IN_VALUE | IN_NAME,
	['>'] = IN_NAME,
	['/'] = IN_NAME,
	['='] = IN_NAME,
	['&'] = IN_TEXT | IN_VALUE | IN_NAME,
	[0x80 ... 0xff] = HIGH | 7,
};

/*
 * Skip words in which no byte can end a text or a value. White space other than the blank stops the
 * scan as well, so that one comparison finds all control characters.
 */
static inline const uint8_t *skip_words(const uint8_t *p, const uint8_t *end, unsigned stop)
{
	size_t w, hit;

	for (; (size_t)(end - p) >= sizeof(w); p += sizeof(w)) {
		memcpy(&w, p, sizeof(w));
		hit = w | fmpi_match_control(w) | fmpi_match_byte(w, '<') | fmpi_match_byte(w, '&');
		if (stop == IN_VALUE)
			hit |= fmpi_match_byte(w, '"') | fmpi_match_byte(w, '\'');
		if (hit & fmpi_repeat_byte(0x80))
			break;
	}
	return p;
}

/* Names are too short for the word scan to pay. */
static inline const uint8_t *skip_plain(const uint8_t *p, const uint8_t *end, unsigned stop)
{
	for (;;) {
		const uint8_t *until = end;

		if (stop != IN_NAME) {
			p = skip_words(p, end, stop);
			if ((size_t)(end - p) > sizeof(size_t))
				until = p + sizeof(size_t);
		}
		while (p < until && !(class[*p] & stop))
			p++;
		if (p < until || p == end)
			return p;
	}
}

#endif
