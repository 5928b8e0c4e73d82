// SPDX-License-Identifier: GPL-2.0
#include "timestamp.h"

#include <string.h>

#include <fmp/internal/calendar_time.h>
#include "xml/names.h"

/* Far beyond the year 99999, far from an overflow. */
#define MS_MAX (INT64_MAX / 8)

static bool read_digits(const char **p, unsigned n, unsigned *out)
{
	*out = 0;
	for (; n; n--, (*p)++) {
		if (**p < '0' || **p > '9')
			return false;
		*out = *out * 10 + (unsigned)(**p - '0');
	}
	return true;
}

static bool read_char(const char **p, char c)
{
	return *(*p)++ == c;
}

static bool valid_day(unsigned y, unsigned m, unsigned d)
{
	static const uint8_t length[12] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
	bool leap = (y % 4 == 0 && y % 100 != 0) || y % 400 == 0;

	return y >= 1 && m >= 1 && m <= 12 && d >= 1 &&
	       d <= length[m - 1] + (unsigned)(leap && m == 2);
}

/* Four digits, or five that don't start with 0. */
static bool read_year(const char **p, unsigned *y)
{
	unsigned more;

	if (!read_digits(p, 4, y))
		return false;
	if (**p == '-')
		return true;
	if (*y < 1000 || !read_digits(p, 1, &more))
		return false;
	*y = *y * 10 + more;
	return true;
}

/* "2026-11-21T" */
static bool read_date(const char **p, struct tm *tm)
{
	unsigned y, mon, d;

	/* The first mismatch ends the chain, so *p never passes the NUL. */
	if (!read_year(p, &y) || !read_char(p, '-') || !read_digits(p, 2, &mon) ||
	    !read_char(p, '-') || !read_digits(p, 2, &d) || !read_char(p, 'T') ||
	    !valid_day(y, mon, d))
		return false;
	tm->tm_year = (int)y - 1900;
	tm->tm_mon = (int)mon - 1;
	tm->tm_mday = (int)d;
	return true;
}

/* ".952", or nothing; cut to milliseconds. */
static bool read_fraction(const char **p, unsigned *ms)
{
	unsigned digit, n = 0;

	*ms = 0;
	if (**p != '.')
		return true;
	++*p;
	while (read_digits(p, 1, &digit))
		if (n++ < 3)
			*ms = *ms * 10 + digit;
	for (unsigned i = n; i < 3; i++)
		*ms *= 10;
	return n > 0;
}

/* "01:56:47.952"; 24:00:00 is the first moment of the next day. */
static bool read_clock(const char **p, struct tm *tm, unsigned *ms)
{
	unsigned h, min, sec;

	if (!read_digits(p, 2, &h) || !read_char(p, ':') || !read_digits(p, 2, &min) ||
	    !read_char(p, ':') || !read_digits(p, 2, &sec) || !read_fraction(p, ms))
		return false;
	tm->tm_hour = (int)h;
	tm->tm_min = (int)min;
	tm->tm_sec = (int)sec;
	return (h < 24 && min < 60 && sec < 60) || (h == 24 && !min && !sec && !*ms);
}

/* "Z", "+02:00", or nothing: seconds that the clock is ahead of UTC. */
static bool read_offset(const char **p, int *ahead_s)
{
	unsigned h, min;
	char c = **p;

	*ahead_s = 0;
	if (c == 'Z')
		++*p;
	if (c != '+' && c != '-')
		return true;
	++*p;
	if (!read_digits(p, 2, &h) || !read_char(p, ':') || !read_digits(p, 2, &min) || min > 59 ||
	    h * 60 + min > 14 * 60)
		return false;
	*ahead_s = (int)(h * 60 + min) * (c == '-' ? -60 : 60);
	return true;
}

int fmpi_time_parse(const char *p, int64_t *ms)
{
	struct tm tm = { 0 };
	unsigned fraction;
	int ahead_s;

	if (strnlen(p, FMPI_MAX_TIME + 1) > FMPI_MAX_TIME)
		return FMP_ERR_SYNTAX;
	p += strspn(p, " \t\r\n");
	if (!read_date(&p, &tm) || !read_clock(&p, &tm, &fraction) || !read_offset(&p, &ahead_s) ||
	    p[strspn(p, " \t\r\n")] != '\0')
		return FMP_ERR_SYNTAX;
	*ms = (fmp_calendar_seconds(&tm) - ahead_s) * 1000 + fraction;
	return 0;
}

#define refuse(v, node, ...) \
	fmpi_refuse(v, FMP_STEP_TIMESTAMP, FMP_EVENT_TIMESTAMP, fmpi_line(node), __VA_ARGS__)

static int64_t bound_ms(uint64_t ms)
{
	return ms > (uint64_t)MS_MAX ? MS_MAX : (int64_t)ms;
}

static int read_time(const xmlNode *node, bool *seen, int64_t *ms, struct fmp_inspection *v)
{
	const char *text = fmpi_text(node);

	if (*seen)
		return refuse(v, node, "two %s in the Timestamp", (const char *)node->name);
	*seen = true;
	if (!text || fmpi_time_parse(text, ms) != 0)
		return refuse(v, node,
			      "%s is not a time of xs:dateTime, such as 2026-11-21T01:56:47Z",
			      (const char *)node->name);
	return 0;
}

/* Read from a message, in ms since 1970. */
struct times {
	bool has_created, has_expires;
	int64_t created, expires;
};

static int check_times(const xmlNode *ts, const struct times *t, int64_t now_s, uint64_t skew_ms,
		       uint64_t max_age_ms, struct fmpi_lifetime *out, struct fmp_inspection *v)
{
	int64_t skew = bound_ms(skew_ms), max_age = bound_ms(max_age_ms), now;

	if (now_s > MS_MAX / 1000 || now_s < 0)
		return fmpi_not_yet(v, refuse(v, ts, "the clock is out of range"));
	now = now_s * 1000;
	if (!t->has_expires && !max_age)
		return refuse(
			v, ts,
			"the Timestamp has no Expires, and no max-age of the policy stands in");
	if (t->has_expires && t->expires <= t->created)
		return refuse(v, ts, "the Timestamp expires before it is created");
	if (t->created > now + skew)
		return fmpi_not_yet(v, refuse(v, ts, "the Timestamp is from the future"));
	if (t->has_expires && t->expires + skew <= now)
		return refuse(v, ts, "the Timestamp has expired");
	if (max_age && now - t->created > max_age + skew)
		return refuse(v, ts, "the Timestamp is too old");
	out->created_ms = t->created;
	out->until_ms = t->has_expires ? t->expires + skew : INT64_MAX;
	/* An age is refused above the limit, an Expires at it: hence + 1. */
	if (max_age && t->created + max_age + skew < out->until_ms)
		out->until_ms = t->created + max_age + skew + 1;
	return 0;
}

int fmpi_timestamp_check(const xmlNode *ts, int64_t now_s, uint64_t skew_ms, uint64_t max_age_ms,
			 struct fmpi_lifetime *out, struct fmp_inspection *v)
{
	struct times t = { 0 };
	int ret = 0;

	if (!fmpi_has_only_elements(ts))
		return refuse(v, ts, "text inside the Timestamp");
	for (xmlNode *n = fmpi_first(ts); n && !ret; n = fmpi_next(n)) {
		if (fmpi_is(n, NS_WSU, "Created") && !t.has_expires)
			ret = read_time(n, &t.has_created, &t.created, v);
		else if (fmpi_is(n, NS_WSU, "Expires"))
			ret = read_time(n, &t.has_expires, &t.expires, v);
		else if (fmpi_is_in_namespace(n, NS_WSU))
			ret = refuse(v, n, "unexpected %s in the Timestamp", (const char *)n->name);
		/* WS-Security 1.1.1, 10, allows extensions of other namespaces. */
	}
	if (ret)
		return ret;
	if (!t.has_created)
		return refuse(v, ts, "the Timestamp has no Created");
	return check_times(ts, &t, now_s, skew_ms, max_age_ms, out, v);
}

int fmpi_timestamp_check_time(const xmlNode *created, int64_t now_s, uint64_t skew_ms,
			      uint64_t max_age_ms, struct fmpi_lifetime *out,
			      struct fmp_inspection *v)
{
	struct times t = { 0 };
	int ret = read_time(created, &t.has_created, &t.created, v);

	return ret ? ret : check_times(created, &t, now_s, skew_ms, max_age_ms, out, v);
}
