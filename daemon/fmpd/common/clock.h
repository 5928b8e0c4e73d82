/* SPDX-License-Identifier: GPL-2.0 */
/* The one clock of fmpd: CLOCK_BOOTTIME, which goes on while the handheld sleeps; and the CPU time of work. */
#ifndef FMPD_CLOCK_H
#define FMPD_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline uint64_t fmpd_now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_BOOTTIME, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

static inline uint64_t fmpd_now_ms(void)
{
	return fmpd_now_ns() / 1000000u;
}

static inline uint64_t fmpd_since(uint64_t now_ms, uint64_t then_ms)
{
	return now_ms > then_ms ? now_ms - then_ms : 0;
}

/** fmpd_cpu_ns() - CPU time of this thread so far. */
static inline uint64_t fmpd_cpu_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

#endif
