// SPDX-License-Identifier: GPL-2.0
#include "inspect/timestamp.h"

#include <string.h>

#include "base/civil.h"
#include "inspect/names.h"

/* Far beyond the year 9999, far from an overflow. */
#define MS_MAX (INT64_MAX / 8)

static bool digits(const char **p, unsigned n, unsigned *out)
{
	*out = 0;
	for (; n; n--, (*p)++) {
		if (**p < '0' || **p > '9')
			return false;
		*out = *out * 10 + (unsigned)(**p - '0');
	}
	return true;
}

static bool sign(const char **p, char c)
{
	return *(*p)++ == c;
}

static bool valid_day(unsigned y, unsigned m, unsigned d)
{
	static const uint8_t length[12] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
	bool leap = (y % 4 == 0 && y % 100 != 0) || y % 400 == 0;

	return y >= 1970 && m >= 1 && m <= 12 && d >= 1 &&
	       d <= length[m - 1] + (unsigned)(leap && m == 2);
}

int fmpi_time_parse(const char *p, int64_t *ms)
{
	unsigned y, mon, d, h, min, sec, fraction = 0, digit, n = 0;
	struct tm tm;

	/* The first mismatch ends the chain, so p never passes the NUL. */
	if (!digits(&p, 4, &y) || !sign(&p, '-') || !digits(&p, 2, &mon) || !sign(&p, '-') ||
	    !digits(&p, 2, &d) || !sign(&p, 'T') || !digits(&p, 2, &h) || !sign(&p, ':') ||
	    !digits(&p, 2, &min) || !sign(&p, ':') || !digits(&p, 2, &sec))
		return FMP_ERR_SYNTAX;
	if (*p == '.') {
		p++;
		for (; digits(&p, 1, &digit); n++)
			if (n < 3)
				fraction = fraction * 10 + digit;
		if (n == 0 || n > 9)
			return FMP_ERR_SYNTAX;
		for (; n < 3; n++)
			fraction *= 10;
	}
	/* zeep writes the latter. */
	if ((strcmp(p, "Z") != 0 && strcmp(p, "+00:00") != 0) || !valid_day(y, mon, d) || h > 23 ||
	    min > 59 || sec > 59)
		return FMP_ERR_SYNTAX;
	tm = (struct tm){ .tm_year = (int)y - 1900,
			  .tm_mon = (int)mon - 1,
			  .tm_mday = (int)d,
			  .tm_hour = (int)h,
			  .tm_min = (int)min,
			  .tm_sec = (int)sec };
	*ms = fmpi_civil_seconds(&tm) * 1000 + fraction;
	return 0;
}

#define refuse(v, node, ...) \
	fmpi_refuse(v, FMP_STEP_TIMESTAMP, FMP_EVENT_TIMESTAMP, fmpi_line(node), __VA_ARGS__)

static int64_t bounded(uint64_t ms)
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
		return refuse(v, node, "%s is not a UTC time", (const char *)node->name);
	return 0;
}

int fmpi_timestamp_check(const xmlNode *ts, int64_t now_s, uint64_t skew_ms, uint64_t max_age_ms,
			 struct fmpi_lifetime *out, struct fmp_inspection *v)
{
	int64_t skew = bounded(skew_ms), max_age = bounded(max_age_ms), created, expires, now;
	bool has_created = false, has_expires = false;
	int ret = 0;

	if (now_s > MS_MAX / 1000 || now_s < 0)
		return fmpi_not_yet(v, refuse(v, ts, "the clock is out of range"));
	now = now_s * 1000;
	if (!fmpi_blank(ts))
		return refuse(v, ts, "text inside the Timestamp");
	for (xmlNode *n = fmpi_first(ts); n && !ret; n = fmpi_next(n)) {
		if (fmpi_is(n, NS_WSU, "Created") && !has_expires)
			ret = read_time(n, &has_created, &created, v);
		else if (fmpi_is(n, NS_WSU, "Expires"))
			ret = read_time(n, &has_expires, &expires, v);
		else
			ret = refuse(v, n, "unexpected %s in the Timestamp", (const char *)n->name);
	}
	if (ret)
		return ret;
	if (!has_created)
		return refuse(v, ts, "the Timestamp has no Created");
	if (!has_expires && !max_age)
		return refuse(v, ts, "the Timestamp has no Expires");
	if (has_expires && expires <= created)
		return refuse(v, ts, "the Timestamp expires before it is created");
	if (created > now + skew)
		return fmpi_not_yet(v, refuse(v, ts, "the Timestamp is from the future"));
	if (has_expires && expires + skew <= now)
		return refuse(v, ts, "the Timestamp has expired");
	if (max_age && now - created > max_age + skew)
		return refuse(v, ts, "the Timestamp is too old");
	out->created_ms = created;
	out->until_ms = has_expires ? expires + skew : INT64_MAX;
	/* The age is refused above its end, an Expires at it. */
	if (max_age && created + max_age + skew < out->until_ms)
		out->until_ms = created + max_age + skew + 1;
	return 0;
}
