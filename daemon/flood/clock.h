/* SPDX-License-Identifier: GPL-2.0 */
/* CLOCK_BOOTTIME, the clock of fmpd's events, so that times can be compared. */
#ifndef FLOOD_CLOCK_H
#define FLOOD_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline uint64_t flood_now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_BOOTTIME, &ts);
	return (uint64_t)ts.tv_sec * 1000000000ull + (uint64_t)ts.tv_nsec;
}

#endif
