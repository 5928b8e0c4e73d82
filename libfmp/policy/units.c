// SPDX-License-Identifier: GPL-2.0
/* Parsing and formatting of durations, sizes, factors and rates. */
#include <fmp/policy.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <fmp/internal/policy_settings.h>

static const struct unit {
	const char *name;
	uint64_t factor;
} durations[] = {
	/* Largest first: fmp_duration_format() relies on the order. */
	{ "d", 86400000 }, { "h", 3600000 }, { "min", 60000 }, { "s", 1000 }, { "ms", 1 },
}, sizes[] = {
	{ "GiB", 1u << 30 }, { "MiB", 1u << 20 }, { "KiB", 1u << 10 }, { "B", 1 },
};

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* Parse the number at the start of *text and advance. Return: 0, FMP_ERR_SYNTAX. */
static int parse_number(const char **text, uint64_t *out)
{
	const char *s = *text;
	uint64_t v = 0;

	if (*s < '0' || *s > '9')
		return FMP_ERR_SYNTAX;
	for (; *s >= '0' && *s <= '9'; s++)
		if (__builtin_mul_overflow(v, 10, &v) ||
		    __builtin_add_overflow(v, (unsigned)(*s - '0'), &v))
			return FMP_ERR_SYNTAX;
	*text = s;
	*out = v;
	return 0;
}

/* Parse the unit at the start of *text and advance. Return: its row; NULL. */
static const struct unit *parse_unit(const char **text, const struct unit *units, size_t n)
{
	size_t len = strspn(*text, "abcdefghijklmnopqrstuvwxyzBGKM");

	for (size_t i = 0; i < n; i++)
		if (strlen(units[i].name) == len && !memcmp(*text, units[i].name, len)) {
			*text += len;
			return &units[i];
		}
	return NULL;
}

int fmpi_decimal_parse(const char *text, uint64_t *out)
{
	uint64_t v;

	if (parse_number(&text, &v) || *text)
		return FMP_ERR_SYNTAX;
	*out = v;
	return 0;
}

int fmp_duration_parse(const char *text, uint64_t *ms)
{
	const struct unit *after = durations, *u;
	uint64_t sum = 0, v;

	if (!strcmp(text, "0")) {
		*ms = 0;
		return 0;
	}
	do {
		if (parse_number(&text, &v))
			return FMP_ERR_SYNTAX;
		/* "1h30min", but neither "30min1h" nor "1h1h". */
		u = parse_unit(&text, after, (size_t)(durations + COUNT(durations) - after));
		if (!u || __builtin_mul_overflow(v, u->factor, &v) ||
		    __builtin_add_overflow(sum, v, &sum))
			return FMP_ERR_SYNTAX;
		after = u + 1;
	} while (*text);
	*ms = sum;
	return 0;
}

const char *fmp_duration_format(uint64_t ms, char *buf, size_t size)
{
	size_t i = 0;
	uint64_t first, second = 0;

	if (!size)
		return "";
	while (i < COUNT(durations) - 1 && ms < durations[i].factor)
		i++;
	first = ms / durations[i].factor;
	if (i + 1 < COUNT(durations))
		second = ms % durations[i].factor / durations[i + 1].factor;
	if (!ms)
		snprintf(buf, size, "0");
	else if (second)
		snprintf(buf, size, "%" PRIu64 "%s%" PRIu64 "%s", first, durations[i].name, second,
			 durations[i + 1].name);
	else
		snprintf(buf, size, "%" PRIu64 "%s", first, durations[i].name);
	return buf;
}

const char *fmpi_duration_format(uint64_t ms, char *buf, size_t size)
{
	size_t len = 0;

	snprintf(buf, size, "0");
	for (size_t i = 0; i < COUNT(durations); i++) {
		uint64_t n = ms / durations[i].factor;

		ms %= durations[i].factor;
		if (n && len < size)
			len += (size_t)snprintf(buf + len, size - len, "%" PRIu64 "%s", n,
						durations[i].name);
	}
	return buf;
}

int fmp_size_parse(const char *text, uint64_t *bytes)
{
	const struct unit *u;
	uint64_t v;

	if (parse_number(&text, &v))
		return FMP_ERR_SYNTAX;
	if (*text) {
		u = parse_unit(&text, sizes, COUNT(sizes));
		if (!u || *text || __builtin_mul_overflow(v, u->factor, &v))
			return FMP_ERR_SYNTAX;
	}
	*bytes = v;
	return 0;
}

const char *fmpi_size_format(uint64_t bytes, char *buf, size_t size)
{
	size_t i = 0;

	while (i < COUNT(sizes) - 1 && (bytes < sizes[i].factor || bytes % sizes[i].factor))
		i++;
	snprintf(buf, size, "%" PRIu64 "%s", bytes / sizes[i].factor, sizes[i].name);
	return buf;
}

int fmpi_percent_parse(const char *text, uint64_t *out)
{
	return parse_number(&text, out) || strcmp(text, "%") ? FMP_ERR_SYNTAX : 0;
}

int fmpi_factor_parse(const char *text, uint64_t *pct)
{
	uint64_t whole, part = 0;
	size_t digits = 0;

	if (parse_number(&text, &whole) || whole > 1000000)
		return FMP_ERR_SYNTAX;
	if (*text == '.') {
		digits = strspn(++text, "0123456789");
		if (!digits || digits > 2 || parse_number(&text, &part))
			return FMP_ERR_SYNTAX;
		if (digits == 1)
			part *= 10;
	}
	if (*text)
		return FMP_ERR_SYNTAX;
	*pct = whole * 100 + part;
	return 0;
}

int fmpi_rate_parse(const char *text, uint64_t *per_second)
{
	uint64_t v;

	if (parse_number(&text, &v) || strcmp(text, "/s"))
		return FMP_ERR_SYNTAX;
	*per_second = v;
	return 0;
}
