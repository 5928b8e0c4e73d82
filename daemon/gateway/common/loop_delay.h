/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Time that the event loop lost. A client's deadline counts only time in which the loop was
 * running: a client that waited for us (the loop served another one, the machine was busy, the
 * process was stopped) is not charged for that time.
 */
#ifndef GW_LOOP_DELAY_H
#define GW_LOOP_DELAY_H

#include <stdbool.h>
#include <stdint.h>

/** Interval of checks while a deadline is set that a source can be charged for, in ms. */
#define GW_LOOP_DELAY_PERIOD_MS 250
/** A check may be late by so much, in ms; less is normal scheduling. */
#define GW_LOOP_DELAY_SLACK_MS	50

/** struct gw_loop_delay - starts as all 0 */
struct gw_loop_delay {
	uint64_t due_ns; /**< next check, CLOCK_MONOTONIC as for libevent's timers; 0: no deadline is set */
	uint64_t lost_ns; /**< sum of all late checks since the start */
};

/** gw_loop_delay_check() - a check runs now; add what it is late by. */
void gw_loop_delay_check(struct gw_loop_delay *d, uint64_t now_ns);
/** gw_loop_delay_stop() - no deadline is set: time that passes now is not lost. */
void gw_loop_delay_stop(struct gw_loop_delay *d);

/**
 * gw_loop_delay_extension_ms() - how long to extend a deadline that has expired
 * @since_ns: lost_ns when the deadline was set or last extended; updated
 *
 * Return: 0: the deadline holds.
 */
uint64_t gw_loop_delay_extension_ms(const struct gw_loop_delay *d, uint64_t *since_ns);

#endif
