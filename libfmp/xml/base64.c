// SPDX-License-Identifier: GPL-2.0
#include "base64.h"

#include <fmp/error.h>

/* Class of a character: DIGIT + its value, SPACE, PAD; 0: not allowed. */
enum {
	DIGIT = 64,
	SPACE = 128,
	PAD = 129
};

static const uint8_t kind[256] = {
	['\t'] = SPACE, ['\n'] = SPACE, ['\r'] = SPACE, [' '] = SPACE, ['='] = PAD, ['A'] = 64,
	['B'] = 65,	['C'] = 66,	['D'] = 67,	['E'] = 68,    ['F'] = 69,  ['G'] = 70,
	['H'] = 71,	['I'] = 72,	['J'] = 73,	['K'] = 74,    ['L'] = 75,  ['M'] = 76,
	['N'] = 77,	['O'] = 78,	['P'] = 79,	['Q'] = 80,    ['R'] = 81,  ['S'] = 82,
	['T'] = 83,	['U'] = 84,	['V'] = 85,	['W'] = 86,    ['X'] = 87,  ['Y'] = 88,
	['Z'] = 89,	['a'] = 90,	['b'] = 91,	['c'] = 92,    ['d'] = 93,  ['e'] = 94,
	['f'] = 95,	['g'] = 96,	['h'] = 97,	['i'] = 98,    ['j'] = 99,  ['k'] = 100,
	['l'] = 101,	['m'] = 102,	['n'] = 103,	['o'] = 104,   ['p'] = 105, ['q'] = 106,
	['r'] = 107,	['s'] = 108,	['t'] = 109,	['u'] = 110,   ['v'] = 111, ['w'] = 112,
	['x'] = 113,	['y'] = 114,	['z'] = 115,	['0'] = 116,   ['1'] = 117, ['2'] = 118,
	['3'] = 119,	['4'] = 120,	['5'] = 121,	['6'] = 122,   ['7'] = 123, ['8'] = 124,
	['9'] = 125,	['+'] = 126,	['/'] = 127,
};

static void put_group(uint8_t *out, uint32_t group)
{
	out[0] = (uint8_t)(group >> 16);
	out[1] = (uint8_t)(group >> 8);
	out[2] = (uint8_t)group;
}

/*
 * Decode whole groups up to the first white space: most texts have none. Return: characters read.
 */
static size_t decode_groups(const uint8_t *p, size_t len, uint8_t *out, size_t *n)
{
	size_t i = 0;

	for (; len - i >= 4; i += 4, *n += 3) {
		uint32_t a = kind[p[i]], b = kind[p[i + 1]], c = kind[p[i + 2]], d = kind[p[i + 3]];

		if (!(a & b & c & d & DIGIT))
			break;
		put_group(out + *n, (a & 63) << 18 | (b & 63) << 12 | (c & 63) << 6 | (d & 63));
	}
	return i;
}

int fmpi_base64_decode(const char *text, size_t len, uint8_t *out, size_t *out_len)
{
	uint32_t group = 0;
	unsigned chars = 0, pads = 0;
	size_t n = 0;

	for (size_t i = 0; i < len; i++) {
		uint8_t k;

		if (chars == 0 && !pads) {
			i += decode_groups((const uint8_t *)text + i, len - i, out, &n);
			if (i == len)
				break;
		}
		k = kind[(uint8_t)text[i]];
		if (k == SPACE)
			continue;
		if (k == PAD) {
			/* Only the last group may end in padding, one or two characters. */
			if (chars < 2 || chars + ++pads > 4)
				return FMP_ERR_SYNTAX;
			continue;
		}
		if (!k || pads)
			return FMP_ERR_SYNTAX;
		group = group << 6 | (k & 63);
		if (++chars < 4)
			continue;
		put_group(out + n, group);
		n += 3;
		chars = 0;
		group = 0;
	}
	if (chars && chars + pads != 4)
		return FMP_ERR_SYNTAX;
	/* Unused bits must be zero (RFC 4648 3.5), so that a value has one encoding. */
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
