// SPDX-License-Identifier: GPL-2.0
#include "encoding.h"

#include <string.h>
#include <strings.h>

#include <fmp/error.h>

bool fmpi_encoding_is_plain(const char *name, size_t len)
{
	static const char *const begins[] = { "ISO-8859-", "windows-125", "US-ASCII", "ASCII",
					      "latin1" };

	for (size_t i = 0; i < sizeof(begins) / sizeof(begins[0]); i++)
		if (len >= strlen(begins[i]) &&
		    strncasecmp(name, begins[i], strlen(begins[i])) == 0)
			return true;
	return false;
}

bool fmpi_encoding_hides_ascii(const char *name, size_t len)
{
	static const char *const begins[] = { "UTF-7",
					      "UTF7",
					      "unicode-1-1-utf-7",
					      "unicode-2-0-utf-7",
					      "x-unicode-2-0-utf-7",
					      "x-utf-7",
					      "csUnicode11UTF7",
					      "65000",
					      "cp65000",
					      "HZ-GB-",
					      "HZ",
					      "ISO-2022-",
					      "csISO2022",
					      "x-cp5022" };

	for (size_t i = 0; i < sizeof(begins) / sizeof(begins[0]); i++)
		if (len >= strlen(begins[i]) &&
		    strncasecmp(name, begins[i], strlen(begins[i])) == 0)
			return true;
	return false;
}

bool fmpi_utf16_bom(const uint8_t *p, size_t len)
{
	return len >= 2 && ((p[0] == 0xfe && p[1] == 0xff) || (p[0] == 0xff && p[1] == 0xfe));
}

size_t fmpi_utf8_put(uint32_t c, uint8_t *out)
{
	if (c < 0x80) {
		out[0] = (uint8_t)c;
		return 1;
	}
	if (c < 0x800) {
		out[0] = (uint8_t)(0xc0 | c >> 6);
		out[1] = (uint8_t)(0x80 | (c & 0x3f));
		return 2;
	}
	if (c < 0x10000) {
		out[0] = (uint8_t)(0xe0 | c >> 12);
		out[1] = (uint8_t)(0x80 | (c >> 6 & 0x3f));
		out[2] = (uint8_t)(0x80 | (c & 0x3f));
		return 3;
	}
	out[0] = (uint8_t)(0xf0 | c >> 18);
	out[1] = (uint8_t)(0x80 | (c >> 12 & 0x3f));
	out[2] = (uint8_t)(0x80 | (c >> 6 & 0x3f));
	out[3] = (uint8_t)(0x80 | (c & 0x3f));
	return 4;
}

int fmpi_utf16_decode(const uint8_t *p, size_t len, uint8_t *out, size_t *out_len)
{
	unsigned high = p[0] == 0xfe ? 0 : 1; /* index of the high byte of a unit */

	*out_len = 0;
	if (len % 2)
		return FMP_ERR_SYNTAX;
	for (size_t i = 2; i < len; i += 2) {
		uint32_t c = (uint32_t)p[i + high] << 8 | p[i + 1 - high];

		if (c >= 0xdc00 && c <= 0xdfff)
			return FMP_ERR_SYNTAX;
		if (c >= 0xd800 && c <= 0xdbff) {
			uint32_t low;

			if (len - i < 4)
				return FMP_ERR_SYNTAX;
			i += 2;
			low = (uint32_t)p[i + high] << 8 | p[i + 1 - high];
			if (low < 0xdc00 || low > 0xdfff)
				return FMP_ERR_SYNTAX;
			c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
		}
		*out_len += fmpi_utf8_put(c, out + *out_len);
	}
	return 0;
}

unsigned fmpi_utf8_length(const uint8_t *p, const uint8_t *end)
{
	uint32_t c;
	unsigned n;

	if (p[0] >= 0xc2 && p[0] <= 0xdf)
		n = 2, c = p[0] & 0x1f;
	else if ((p[0] & 0xf0) == 0xe0)
		n = 3, c = p[0] & 0x0f;
	else if (p[0] >= 0xf0 && p[0] <= 0xf4)
		n = 4, c = p[0] & 0x07;
	else
		return 0;
	if ((size_t)(end - p) < n)
		return 0;
	for (unsigned i = 1; i < n; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (p[i] & 0x3f);
	}
	/*
	 * Refuse overlong forms, surrogates, characters that XML excludes, and anything beyond
	 * Unicode.
	 */
	if ((n == 3 && c < 0x800) || (n == 4 && c < 0x10000) || c > 0x10ffff)
		return 0;
	if ((c >= 0xd800 && c <= 0xdfff) || c == 0xfffe || c == 0xffff)
		return 0;
	return n;
}
