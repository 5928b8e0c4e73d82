// SPDX-License-Identifier: GPL-2.0
/*
 * Text folding, apart from the content rules that use it. Databases and frameworks behind the
 * gateway map characters to the nearest one of their code page ("best fit") and decode escapes.
 */
#include "text_fold.h"

#include <stdint.h>

#include <fmp/error.h>

#include "base/hex.h"

#define MAX_DECODINGS 3 /* "%252527" is a quote after three rounds */
#define DROPPED	      0u

static bool is_between(uint32_t c, uint32_t first, uint32_t last)
{
	return c - first <= last - first;
}

static bool is_space(uint32_t c)
{
	return c == 0x00a0 || c == 0x1680 || is_between(c, 0x2000, 0x200a) || c == 0x2028 ||
	       c == 0x2029 || c == 0x202f || c == 0x205f || c == 0x3000;
}

/* Unicode's Default_Ignorable_Code_Point, as far as it occurs in running text. */
static bool is_invisible(uint32_t c)
{
	return c == 0x00ad || c == 0x034f || c == 0x061c || c == 0x180e || c == 0xfeff ||
	       is_between(c, 0x200b, 0x200f) || is_between(c, 0x202a, 0x202e) ||
	       is_between(c, 0x2060, 0x206f) || is_between(c, 0xfe00, 0xfe0f);
}

/* Return: ASCII, DROPPED, or c itself if it has no ASCII look-alike. */
static uint32_t fold_character(uint32_t c)
{
	if (is_between(c, 0xff01, 0xff5e))
		return c - 0xfee0;
	if (is_space(c))
		return ' ';
	if (is_invisible(c))
		return DROPPED;
	switch (c) {
	case 0x02b9:
	case 0x02bc:
	case 0x02c8:
	case 0x2018:
	case 0x2019:
	case 0x201b:
	case 0x2032:
		return '\'';
	case 0x201c:
	case 0x201d:
	case 0x2033:
		return '"';
	default:
		return c;
	}
}

/* Decode a character of well-formed UTF-8. Return: its length. */
static size_t read_character(const unsigned char *p, uint32_t *c)
{
	if (p[0] < 0xe0) {
		*c = (p[0] & 0x1fu) << 6 | (p[1] & 0x3fu);
		return 2;
	}
	if (p[0] < 0xf0) {
		*c = (p[0] & 0x0fu) << 12 | (p[1] & 0x3fu) << 6 | (p[2] & 0x3fu);
		return 3;
	}
	*c = 0x10000; /* none of these is folded */
	return 4;
}

/* Return: value of the n hexadecimal digits at p; -1: they are not there. */
static long hex_number(const unsigned char *p, size_t left, unsigned n)
{
	long value = 0;

	if (left < n)
		return -1;
	for (unsigned i = 0; i < n; i++) {
		int digit = fmpi_hex_digit((char)p[i]);

		if (digit < 0)
			return -1;
		value = value << 4 | digit;
	}
	return value;
}

/*
 * Decode "%27" and, as IIS does, "%u0027". Return: length of the escape, with its character in *c;
 * 0: not an escape.
 */
static size_t read_escape(const unsigned char *p, size_t left, uint32_t *c)
{
	bool is_wide = left > 1 && (p[1] | 0x20) == 'u';
	long value = is_wide ? hex_number(p + 2, left - 2, 4) : hex_number(p + 1, left - 1, 2);

	if (value < 0)
		return 0;
	*c = is_wide ? fold_character((uint32_t)value) : (uint32_t)value;
	if (*c == 0 || *c > 0x7f)
		*c = ' ';
	return is_wide ? 6 : 3;
}

static bool has_escape(const unsigned char *p, size_t len)
{
	const unsigned char *end = p + len;
	uint32_t c;

	while ((p = memchr(p, '%', (size_t)(end - p))) != NULL) {
		if (read_escape(p, (size_t)(end - p), &c))
			return true;
		p++;
	}
	return false;
}

/*
 * Fold once. Writes no more bytes than it reads, so in and out may be the same. Return: bytes
 * written.
 */
static size_t fold_once(const unsigned char *in, size_t len, bool decode, unsigned char *out)
{
	size_t n = 0;

	for (size_t i = 0; i < len;) {
		uint32_t c = in[i];
		size_t size = 1;

		if (c >= 0x80) {
			size = read_character(in + i, &c);
			c = fold_character(c);
			if (c >= 0x80) {
				memmove(out + n, in + i, size);
				n += size;
				i += size;
				continue;
			}
		} else if (decode && c == '+') {
			c = ' ';
		} else if (decode && c == '%') {
			size_t escape = read_escape(in + i, len - i, &c);

			size = escape ? escape : 1;
		}
		if (c != DROPPED)
			out[n++] = (unsigned char)c;
		i += size;
	}
	return n;
}

static bool is_folded(const unsigned char *p, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (p[i] >= 0x80)
			return false;
	return !has_escape(p, len);
}

int fmpi_text_fold(const char *text, size_t len, struct fmpi_buffer *out)
{
	const unsigned char *in = (const unsigned char *)text;
	unsigned char *to;

	out->len = 0;
	if (is_folded(in, len))
		return 0;
	if (!fmpi_buffer_reserve(out, len))
		return FMP_ERR_NOMEM;
	to = (unsigned char *)out->p;
	out->len = fold_once(in, len, has_escape(in, len), to);
	for (int n = 1; n < MAX_DECODINGS && has_escape(to, out->len); n++)
		out->len = fold_once(to, out->len, true, to);
	return 0;
}
