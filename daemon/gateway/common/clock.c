// SPDX-License-Identifier: GPL-2.0
#include "clock.h"

#include <stdio.h>
#include <sys/stat.h>
#include <sys/timex.h>
#include <time.h>

#define CHECK_NS 1000000000u

enum gw_clock_state gw_clock_evaluate(const struct gw_clock_facts *f)
{
	if (f->now_s < f->floor_s)
		return GW_CLOCK_BEHIND;
	return f->unsynchronised && f->up_s < GW_CLOCK_WAIT_S ? GW_CLOCK_PENDING : GW_CLOCK_SET;
}

int64_t gw_clock_floor(const char *file)
{
	struct stat st;

	return !file || stat(file, &st) || st.st_mtime < FMP_MADE ? FMP_MADE : st.st_mtime;
}

/* If the kernel gives no answer, assume a synchronised clock. */
static bool is_unsynchronised(void)
{
	struct timex t = { .modes = 0 };

	return adjtimex(&t) >= 0 && t.status & STA_UNSYNC;
}

static const char *format_time(int64_t s, char buf[32])
{
	time_t t = (time_t)s;
	struct tm tm;

	return gmtime_r(&t, &tm) && strftime(buf, 32, "%FT%TZ", &tm) ? buf : "a year beyond all";
}

static void log_state(const struct gw_clock *c, const struct gw_clock_facts *f)
{
	char now[32], then[32];

	if (c->state == GW_CLOCK_SET) {
		fprintf(stderr, "fmp-gateway: the clock of this device is %s\n",
			f->unsynchronised ? "assumed to be right now, although it was not set"
					  : "set now");
		return;
	}
	fprintf(stderr, "fmp-gateway: the clock of this device is not set: it says %s, ",
		format_time(f->now_s, now));
	if (c->state == GW_CLOCK_BEHIND)
		fprintf(stderr, "and %s is over", format_time(f->floor_s, then));
	else
		fputs("and it was not set since the start", stderr);
	fputs("; messages from its future are refused, and not charged\n", stderr);
}

bool gw_clock_is_unset(struct gw_clock *c)
{
	uint64_t up_ns = gw_clock_ns(CLOCK_BOOTTIME);
	struct gw_clock_facts f;
	enum gw_clock_state state;

	if (c->checked_ns && up_ns - c->checked_ns < CHECK_NS)
		return c->state != GW_CLOCK_SET;
	c->checked_ns = up_ns;
	f = (struct gw_clock_facts){ .now_s = time(NULL),
				     .floor_s = c->floor_s,
				     .up_s = up_ns / 1000000000u,
				     .unsynchronised = is_unsynchronised() };
	state = gw_clock_evaluate(&f);
	if (state != c->state) {
		bool flips = (state == GW_CLOCK_SET) != (c->state == GW_CLOCK_SET);

		c->state = state;
		log_state(c, &f);
		if (flips && c->changed)
			c->changed(c->ctx, state != GW_CLOCK_SET);
	}
	return state != GW_CLOCK_SET;
}
