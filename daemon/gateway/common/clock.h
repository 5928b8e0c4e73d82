/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Can the clock of this device be right? A handheld without a battery for its clock starts in
 * another year, and until somebody has told it the time every good message is of the future.
 */
#ifndef GW_CLOCK_H
#define GW_CLOCK_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/** So long after the start of the system one that nobody has set yet may still be waited for. */
#define GW_CLOCK_WAIT_S 600

enum gw_clock_state {
	GW_CLOCK_SET,
	GW_CLOCK_BEHIND, /**< of a moment that is certainly over */
	GW_CLOCK_WAITS, /**< the system has just started, and nobody has set it yet */
};

struct gw_clock_facts {
	int64_t now_s; /**< seconds since 1970 */
	int64_t floor_s; /**< over for sure */
	uint64_t up_s; /**< since the system was started */
	bool unsynchronised; /**< so says the kernel */
};

/**
 * gw_clock_evaluate() - pure
 *
 * Where there is no NTP the kernel says for ever that nobody has set the clock. Were that
 * enough, everybody could send messages of the future there and never be charged for one.
 */
enum gw_clock_state gw_clock_evaluate(const struct gw_clock_facts *f);

/** struct gw_clock - as it was last looked at; starts as all 0 but for its floor and whom it tells */
struct gw_clock {
	int64_t floor_s;
	void (*changed)(void *ctx, bool unset); /**< NULL: nobody asks */
	void *ctx;
	enum gw_clock_state state;
	uint64_t looked_ns; /* 0: never */
};

/** gw_clock_floor() - the later of when the program was made and when a file was written. */
int64_t gw_clock_floor(const char *file);

/** gw_clock_is_unset() - looks once a second at most; when it has become another state it says so. */
bool gw_clock_is_unset(struct gw_clock *c);

static inline uint64_t gw_clock_ns(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

#endif
