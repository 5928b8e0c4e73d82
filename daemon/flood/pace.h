/* SPDX-License-Identifier: GPL-2.0 */
/* When the next messages are due. Pure: times are passed in, in ns of one clock. */
#ifndef FLOOD_PACE_H
#define FLOOD_PACE_H

#include <stdint.h>

#define FLOOD_TICK_NS 5000000ull /* waking up more often costs more than it smoothes */

/* Requests: rate a second, limit in all (0: none). */
struct flood_pace {
	double rate;
	uint64_t limit;
	uint64_t start_ns;
	uint64_t due; /* that have come due since start, skipped ones included */
	uint64_t skipped; /* came due while nobody asked, more than burst at once */
	uint64_t granted;
	uint32_t burst;
};

void flood_pace_init(struct flood_pace *p, double rate, uint64_t limit, uint64_t now_ns);
/* How many requests to send now. A late caller gets at most the burst of 100 ms; the rest is skipped. */
uint32_t flood_pace_due(struct flood_pace *p, uint64_t now_ns);
/* n of those granted were not sent after all: they no longer count towards the limit. */
void flood_pace_give_back(struct flood_pace *p, uint32_t n);
/* ns from now to the next request, at least FLOOD_TICK_NS; UINT64_MAX when the limit is reached. */
uint64_t flood_pace_wait(const struct flood_pace *p, uint64_t now_ns);

/*
 * Frames: keeps a device at a number of frames a second without ever being
 * above it. Frames missed are made up for, at most those of the last 200 ms.
 */
struct flood_frame_pace {
	double rate;
	uint64_t start_ns, last_ns;
	uint64_t start_frames;
	double forgiven; /* older ones that nobody sent */
};

void flood_frame_pace_init(struct flood_frame_pace *l, double rate, uint64_t now_ns,
			   uint64_t frames);
/* Frames that may be sent now, given the device's count; 0 if it is at the target. */
uint64_t flood_frame_pace_allowed(struct flood_frame_pace *l, uint64_t now_ns, uint64_t frames);

#endif
