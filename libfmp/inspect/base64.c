// SPDX-License-Identifier: GPL-2.0
#include "inspect/base64.h"

#include <fmp/error.h>

static int value_of(unsigned char c)
{
	if (c >= 'A' && c <= 'Z')
		return c - 'A';
	if (c >= 'a' && c <= 'z')
		return c - 'a' + 26;
	if (c >= '0' && c <= '9')
		return c - '0' + 52;
	return c == '+' ? 62 : c == '/' ? 63 : -1;
}

int fmpi_base64_decode(const char *text, size_t len, uint8_t *out, size_t *out_len)
{
	uint32_t group = 0;
	unsigned chars = 0, pads = 0;
	size_t n = 0;

	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)text[i];
		int bits;

		if (c == ' ' || c == '\t' || c == '\n' || c == '\r')
			continue;
		if (c == '=') {
			/* One group may end in one or two, and it is the last. */
			if (chars < 2 || chars + ++pads > 4)
				return FMP_ERR_SYNTAX;
			continue;
		}
		bits = value_of(c);
		if (bits < 0 || pads)
			return FMP_ERR_SYNTAX;
		group = group << 6 | (uint32_t)bits;
		if (++chars < 4)
			continue;
		out[n++] = (uint8_t)(group >> 16);
		out[n++] = (uint8_t)(group >> 8);
		out[n++] = (uint8_t)group;
		chars = 0;
		group = 0;
	}
	if (chars && chars + pads != 4)
		return FMP_ERR_SYNTAX;
	/* The bits behind the last byte must be zero: one text for one value. */
	if (chars == 2) {
		if (group & 0xf)
			return FMP_ERR_SYNTAX;
		out[n++] = (uint8_t)(group >> 4);
	} else if (chars == 3) {
		if (group & 0x3)
			return FMP_ERR_SYNTAX;
		out[n++] = (uint8_t)(group >> 10);
		out[n++] = (uint8_t)(group >> 2);
	}
	*out_len = n;
	return 0;
}
