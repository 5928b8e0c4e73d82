/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Detects an unset clock. A handheld without a battery for its clock starts in a past year, and
 * until something sets the time every good message lies in the future.
 */
#ifndef GW_CLOCK_H
#define GW_CLOCK_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/** For so long after boot, a clock that the kernel calls unsynchronised may still be set. */
#define GW_CLOCK_WAIT_S 600

enum gw_clock_state {
	GW_CLOCK_SET,
	GW_CLOCK_BEHIND, /**< shows a time that has certainly passed */
	GW_CLOCK_PENDING, /**< booted recently, and not set since */
};

struct gw_clock_facts {
	int64_t now_s; /**< seconds since 1970 */
	int64_t floor_s; /**< a time that has certainly passed */
	uint64_t up_s; /**< since boot */
	bool unsynchronised; /**< according to the kernel */
};

/**
 * gw_clock_evaluate() - pure
 *
 * Without NTP the kernel reports an unsynchronised clock for ever. If that alone were enough,
 * any host could send messages from the future and never be charged.
 */
enum gw_clock_state gw_clock_evaluate(const struct gw_clock_facts *f);

/** struct gw_clock - latest state; starts as all 0 except for the first three members */
struct gw_clock {
	int64_t floor_s;
	void (*changed)(void *ctx, bool unset); /**< NULL: none */
	void *ctx;
	enum gw_clock_state state;
	uint64_t checked_ns; /* 0: never */
};

/** gw_clock_floor() - the later of the program's build time and the file's modification time. */
int64_t gw_clock_floor(const char *file);

/**
 * gw_clock_is_unset() - checks at most once a second; logs a change of the state and calls
 * changed().
 */
bool gw_clock_is_unset(struct gw_clock *c);

static inline uint64_t gw_clock_ns(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/**
 * gw_warning_is_due() - for warnings that repeat: true at once, then at most once a minute
 * @last_ns: when it was last true; starts as 0
 */
static inline bool gw_warning_is_due(uint64_t *last_ns)
{
	uint64_t now_ns = gw_clock_ns(CLOCK_BOOTTIME);

	if (*last_ns && now_ns - *last_ns < 60000000000u)
		return false;
	*last_ns = now_ns;
	return true;
}

#endif
