/* SPDX-License-Identifier: GPL-2.0 */
/* Computes when the next requests and frames are due. Pure: times are arguments, in ns of one clock. */
#ifndef FLOOD_PACE_H
#define FLOOD_PACE_H

#include <stdint.h>

#define FLOOD_TICK_NS 5000000ull /* shortest wait: more wakeups cost more than they smooth */

/* Requests: rate per second; limit in total (0: none). */
struct flood_pace {
	double rate;
	uint64_t limit;
	uint64_t start_ns;
	uint64_t due; /* since the start, including skipped ones */
	uint64_t skipped; /* due, but beyond the burst */
	uint64_t granted;
	uint32_t burst;
};

void flood_pace_init(struct flood_pace *p, double rate, uint64_t limit, uint64_t now_ns);
/* Return: number of requests to send now: at most the burst of 100 ms; the rest is skipped. */
uint32_t flood_pace_due(struct flood_pace *p, uint64_t now_ns);
/* Returns n granted requests that were not sent: they no longer count towards the limit. */
void flood_pace_give_back(struct flood_pace *p, uint32_t n);
/* Return: ns until the next request, at least FLOOD_TICK_NS; UINT64_MAX: the limit is reached. */
uint64_t flood_pace_wait(const struct flood_pace *p, uint64_t now_ns);

/* Frames: keeps a device at a rate without exceeding it. Missing frames of the last 200 ms are made up for. */
struct flood_frame_pace {
	double rate;
	uint64_t start_ns, last_ns;
	uint64_t start_frames;
	double forgiven; /* missing frames older than that */
};

void flood_frame_pace_init(struct flood_frame_pace *l, double rate, uint64_t now_ns,
			   uint64_t frames);
/* Return: frames to send now. @frames: the device's count */
uint64_t flood_frame_pace_allowed(struct flood_frame_pace *l, uint64_t now_ns, uint64_t frames);

#endif
