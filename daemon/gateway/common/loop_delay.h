/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The time that the loop lost: a deadline of a client counts only time in which the loop looked. A client that waited
 * for us (another one was worked on, the machine was busy, the process was stopped) is not charged for that.
 */
#ifndef GW_LOOP_DELAY_H
#define GW_LOOP_DELAY_H

#include <stdbool.h>
#include <stdint.h>

/** The loop looks so often while a deadline runs that somebody can be charged for, in ms. */
#define GW_LOOP_DELAY_PERIOD_MS 250
/** What it may be late by, in ms: less is the kernel's business, and not worth counting. */
#define GW_LOOP_DELAY_SLACK_MS	50

/** struct gw_loop_delay - starts as all 0 */
struct gw_loop_delay {
	uint64_t due_ns; /**< the loop looks again, CLOCK_MONOTONIC as the timers have it; 0: nobody waits */
	uint64_t lost_ns; /**< by all looks that were late, since the start */
};

/** gw_loop_delay_check() - the loop looks now; what it is late by is lost. */
void gw_loop_delay_check(struct gw_loop_delay *d, uint64_t now_ns);
/** gw_loop_delay_stop() - no deadline runs: time that passes now is nobody's. */
void gw_loop_delay_stop(struct gw_loop_delay *d);

/**
 * gw_loop_delay_extension_ms() - what a deadline that has come is to be put off by
 * @since_ns: lost_ns when the deadline was set, or when this was asked last; brought up to date
 *
 * Return: 0: the deadline holds.
 */
uint64_t gw_loop_delay_extension_ms(const struct gw_loop_delay *d, uint64_t *since_ns);

#endif
