/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Timers of libevent, armed in milliseconds. All of it is inline: the library itself has no event loop and is not
 * linked with libevent.
 */
#ifndef FMP_EVTIMER_H
#define FMP_EVTIMER_H

#include <stdint.h>
#include <sys/time.h>

#include <event2/event.h>

/** fmp_timeval_of_ms() - for the calls of libevent that take no event. */
static inline struct timeval fmp_timeval_of_ms(uint64_t ms)
{
	return (struct timeval){ .tv_sec = (time_t)(ms / 1000),
				 .tv_usec = (suseconds_t)(ms % 1000 * 1000) };
}

/**
 * fmp_evtimer_arm() - let an event time out @ms from now; 0: in the next turn of the loop. An armed timer starts
 * anew. Return: 0; -1: no memory.
 */
static inline int fmp_evtimer_arm(struct event *timer, uint64_t ms)
{
	const struct timeval tv = fmp_timeval_of_ms(ms);

	return event_add(timer, &tv);
}

#endif
