// SPDX-License-Identifier: GPL-2.0
#include <fmp/internal/text.h>

#include <stdarg.h>
#include <string.h>

#define LINE_MAX_BYTES 4096

size_t fmp_text_next(const char *text, uint32_t *out)
{
	const unsigned char *s = (const unsigned char *)text;
	uint32_t c, least;
	size_t n;

	*out = 0xfffd;
	if (s[0] < 0x80) {
		*out = s[0];
		return 1;
	}
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
		return 1;
	}
	for (size_t i = 1; i < n; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 1;
		c = c << 6 | (s[i] & 0x3f);
	}
	if (c < least || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
		return 1;
	*out = c;
	return n;
}

bool fmp_text_is_control(uint32_t c)
{
	return c < 0x20 || (c >= 0x7f && c <= 0x9f) || c == 0x61c || c == 0x200e || c == 0x200f ||
	       (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

/* Printable ASCII: nearly all input. */
static bool is_plain(char c)
{
	return c >= 0x20 && c < 0x7f;
}

void fmp_text_clean(char *s)
{
	uint32_t c;
	size_t n;

	for (; *s; s += n) {
		n = 1;
		if (is_plain(*s))
			continue;
		n = fmp_text_next(s, &c);
		if (fmp_text_is_control(c) || (n == 1 && c == 0xfffd))
			memset(s, '?', n);
	}
}

void fmp_text_print(FILE *f, const char *fmt, ...)
{
	char line[LINE_MAX_BYTES];
	size_t n = strlen(fmt);
	bool ends = n && fmt[n - 1] == '\n';
	va_list ap;

	va_start(ap, fmt);
	if (vsnprintf(line, sizeof(line), fmt, ap) < 0)
		line[0] = '\0';
	va_end(ap);
	n = strlen(line);
	if (ends && n && line[n - 1] == '\n')
		line[n - 1] = '\0';
	fmp_text_clean(line);
	fprintf(f, "%s%s", line, ends ? "\n" : "");
}
