// SPDX-License-Identifier: GPL-2.0
#include "text.h"

#include <stdint.h>
#include <stddef.h>

/* Bytes of the well-formed UTF-8 sequence at s (RFC 3629), 0 if there is none. */
static size_t utf8_length(const unsigned char *s)
{
	uint32_t c, least;
	size_t n, i;

	if (s[0] < 0x80)
		return 1;
	if (s[0] >= 0xc2 && s[0] <= 0xdf) {
		n = 2;
		c = s[0] & 0x1f;
		least = 0x80;
	} else if ((s[0] & 0xf0) == 0xe0) {
		n = 3;
		c = s[0] & 0x0f;
		least = 0x800;
	} else if (s[0] >= 0xf0 && s[0] <= 0xf4) {
		n = 4;
		c = s[0] & 0x07;
		least = 0x10000;
	} else {
		return 0;
	}
	for (i = 1; i < n; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (s[i] & 0x3f);
	}
	if (c < least || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
		return 0;
	/* C1 controls start escape sequences on some terminals as ESC does. */
	if (c >= 0x80 && c <= 0x9f)
		return 0;
	return n;
}

void fmpi_text_clean(char *text)
{
	unsigned char *s = (unsigned char *)text;

	while (*s) {
		size_t n = utf8_length(s);

		if (!n || *s < 0x20 || *s == 0x7f) {
			*s++ = '?';
			continue;
		}
		s += n;
	}
}
