// SPDX-License-Identifier: GPL-2.0
#include "text.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

void flood_text_clear(struct flood_text *t)
{
	t->len = 0;
	t->failed = false;
}

void flood_text_free(struct flood_text *t)
{
	free(t->data);
	*t = (struct flood_text){ 0 };
}

static bool reserve_space(struct flood_text *t, size_t n)
{
	size_t cap = t->cap ? t->cap : 2048;
	char *data;

	if (t->failed)
		return false;
	if (t->cap - t->len >= n)
		return true;
	while (cap - t->len < n)
		cap *= 2;
	data = realloc(t->data, cap);
	if (!data) {
		t->failed = true;
		return false;
	}
	t->data = data;
	t->cap = cap;
	return true;
}

void flood_text_add(struct flood_text *t, const void *bytes, size_t n)
{
	if (!n || !reserve_space(t, n))
		return;
	memcpy(t->data + t->len, bytes, n);
	t->len += n;
}

void flood_text_str(struct flood_text *t, const char *s)
{
	flood_text_add(t, s, strlen(s));
}

void flood_text_uint(struct flood_text *t, uint64_t v, unsigned width)
{
	char digits[24];
	size_t at = sizeof(digits);

	do {
		digits[--at] = (char)('0' + v % 10);
		v /= 10;
	} while (v && at);
	while (sizeof(digits) - at < width && at)
		digits[--at] = '0';
	flood_text_add(t, digits + at, sizeof(digits) - at);
}

void flood_text_base64(struct flood_text *t, const void *bytes, size_t n)
{
	static const char alphabet[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const unsigned char *p = bytes;
	size_t i;

	for (i = 0; i < n; i += 3) {
		unsigned v = (unsigned)p[i] << 16;
		char four[4];

		if (i + 1 < n)
			v |= (unsigned)p[i + 1] << 8;
		if (i + 2 < n)
			v |= p[i + 2];
		four[0] = alphabet[v >> 18];
		four[1] = alphabet[(v >> 12) & 63];
		four[2] = i + 1 < n ? alphabet[(v >> 6) & 63] : '=';
		four[3] = i + 2 < n ? alphabet[v & 63] : '=';
		flood_text_add(t, four, sizeof(four));
	}
}

void flood_text_time(struct flood_text *t, int64_t seconds)
{
	time_t when = (time_t)seconds;
	struct tm tm;
	char text[32];

	if (!gmtime_r(&when, &tm) || !strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &tm)) {
		t->failed = true;
		return;
	}
	flood_text_str(t, text);
}
