// SPDX-License-Identifier: GPL-2.0
#include "date_time.h"

#include <string.h>

#define DAY	    86400
#define ZONE_MAX    (14 * 3600)
/* Digits of a year; more would overflow seconds in 64 bits. */
#define YEAR_DIGITS 12

struct cursor {
	const char *p, *end;
	bool good;
};

static bool skip_char(struct cursor *c, char want)
{
	bool is = c->p < c->end && *c->p == want;

	c->p += is;
	return is;
}

static void expect_text(struct cursor *c, const char *want)
{
	for (; *want; want++)
		c->good = skip_char(c, *want) && c->good;
}

static size_t count_digits(const struct cursor *c)
{
	const char *p = c->p;

	while (p < c->end && *p >= '0' && *p <= '9')
		p++;
	return (size_t)(p - c->p);
}

static int64_t read_digits(struct cursor *c, size_t n)
{
	int64_t x = 0;

	c->good = c->good && count_digits(c) >= n;
	for (; c->good && n; n--)
		x = 10 * x + (*c->p++ - '0');
	return x;
}

static int64_t read_two_digits(struct cursor *c, int64_t least, int64_t most)
{
	int64_t x = read_digits(c, 2);

	c->good = c->good && x >= least && x <= most;
	return x;
}

/* There is no year 0 (XSD 1.0 part 2, 3.2.7.1): the year before 1 is -1. */
static int64_t read_year(struct cursor *c)
{
	bool is_negative = skip_char(c, '-');
	size_t n = count_digits(c);
	int64_t year;

	c->good = c->good && n >= 4 && n <= YEAR_DIGITS && (n == 4 || *c->p != '0');
	year = read_digits(c, n);
	c->good = c->good && year;
	return is_negative ? 1 - year : year;
}

static bool is_leap(int64_t year)
{
	return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

static int64_t days_in_month(int64_t year, int64_t month)
{
	static const int days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };

	return days[month - 1] + (month == 2 && is_leap(year));
}

/*
 * Days since 1 March of the year 0. Months are counted from March, so that a leap day ends the
 * year.
 */
static int64_t to_days(int64_t year, int64_t month, int64_t day)
{
	int64_t y = month < 3 ? year - 1 : year, m = (month + 9) % 12;
	int64_t era = (y >= 0 ? y : y - 399) / 400, in_era = y - 400 * era;

	return 146097 * era + 365 * in_era + in_era / 4 - in_era / 100 + (153 * m + 2) / 5 + day -
	       1;
}

static int64_t read_time(struct cursor *c, struct fmpi_date_time *out)
{
	int64_t h = read_two_digits(c, 0, 24), m, s;

	expect_text(c, ":");
	m = read_two_digits(c, 0, 59);
	expect_text(c, ":");
	s = read_two_digits(c, 0, 59);
	if (skip_char(c, '.')) {
		out->fraction = c->p;
		out->n_fraction = count_digits(c);
		c->good = c->good && out->n_fraction;
		c->p += out->n_fraction;
		while (out->n_fraction && out->fraction[out->n_fraction - 1] == '0')
			out->n_fraction--;
	}
	c->good = c->good && (h < 24 || (!m && !s && !out->n_fraction));
	return 3600 * h + 60 * m + s;
}

/* Return: seconds east of UTC. */
static int64_t read_zone(struct cursor *c, bool *has_zone)
{
	bool is_west = c->p < c->end && *c->p == '-';
	int64_t h, m;

	*has_zone = c->p < c->end;
	if (!*has_zone || skip_char(c, 'Z'))
		return 0;
	if (!skip_char(c, '-'))
		expect_text(c, "+");
	h = read_two_digits(c, 0, 14);
	expect_text(c, ":");
	m = read_two_digits(c, 0, h == 14 ? 0 : 59);
	return (is_west ? -1 : 1) * (3600 * h + 60 * m);
}

/*
 * The format of each type: 'y', 'm', 'd' and 't' (a time) are read as fields, any other character
 * literally.
 */
static const struct {
	const char *name, *format;
} types[] = {
	{ "dateTime", "y-m-dTt" }, { "date", "y-m-d" },	    { "time", "t" },
	{ "gYear", "y" },	   { "gYearMonth", "y-m" }, { "gMonth", "--m" },
	{ "gMonthDay", "--m-d" },  { "gDay", "---d" },
};

static const char *find_format(const char *type)
{
	for (unsigned i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (strcmp(types[i].name, type) == 0)
			return types[i].format;
	return NULL;
}

bool fmpi_date_time_is_type(const char *type)
{
	return find_format(type) != NULL;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

bool fmpi_date_time_read(const char *type, const char *text, size_t len, struct fmpi_date_time *out)
{
	struct cursor c = { text, text + len, true };
	/* The default year is a leap year: --02-29 is valid. */
	int64_t year = 1972, month = 1, day = 1, seconds = 0;
	const char *format = find_format(type);

	*out = (struct fmpi_date_time){ .fraction = "" };
	while (c.p < c.end && is_blank(*c.p))
		c.p++;
	while (c.end > c.p && is_blank(c.end[-1]))
		c.end--;
	for (; format && *format && c.good; format++) {
		if (*format == 'y')
			year = read_year(&c);
		else if (*format == 'm')
			month = read_two_digits(&c, 1, 12);
		else if (*format == 'd')
			day = read_two_digits(&c, 1, 31);
		else if (*format == 't')
			seconds = read_time(&c, out);
		else
			c.good = skip_char(&c, *format);
	}
	seconds -= read_zone(&c, &out->has_zone);
	if (!format || !c.good || c.p != c.end || day > days_in_month(year, month))
		return false;
	out->seconds = to_days(year, month, day) * DAY + seconds;
	return true;
}

static int compare_fractions(const struct fmpi_date_time *x, const struct fmpi_date_time *y)
{
	size_t n = x->n_fraction < y->n_fraction ? x->n_fraction : y->n_fraction;
	int order = memcmp(x->fraction, y->fraction, n);

	return order ? order : (x->n_fraction > y->n_fraction) - (x->n_fraction < y->n_fraction);
}

/* @shift: seconds added to y */
static int compare_shifted(const struct fmpi_date_time *x, const struct fmpi_date_time *y,
			   int64_t shift)
{
	int64_t a = x->seconds, b = y->seconds + shift;

	return a != b ? (a > b) - (a < b) : compare_fractions(x, y);
}

static enum fmpi_order to_order(int order)
{
	return order < 0 ? FMPI_BEFORE : order > 0 ? FMPI_AFTER : FMPI_SAME;
}

/*
 * @local: has no time zone, so it may lie anywhere between +14:00 and -14:00 (XSD 1.0 part 2,
 * 3.2.7.4)
 */
static enum fmpi_order compare_local(const struct fmpi_date_time *x,
				     const struct fmpi_date_time *local)
{
	if (compare_shifted(x, local, -ZONE_MAX) < 0)
		return FMPI_BEFORE;
	return compare_shifted(x, local, ZONE_MAX) > 0 ? FMPI_AFTER : FMPI_UNORDERED;
}

enum fmpi_order fmpi_date_time_compare(const struct fmpi_date_time *x,
				       const struct fmpi_date_time *y)
{
	enum fmpi_order order;

	if (x->has_zone == y->has_zone)
		return to_order(compare_shifted(x, y, 0));
	if (x->has_zone)
		return compare_local(x, y);
	order = compare_local(y, x);
	return order == FMPI_UNORDERED ? order : to_order(-(int)order);
}
