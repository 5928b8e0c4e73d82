// SPDX-License-Identifier: GPL-2.0
#include "pace.h"

#include <string.h>

#define NS	   1e9
#define CARRY_S	   0.2
#define BURST_S	   0.1
#define ROUNDING_S 1e-9 /* rounding error of the products of doubles */

void flood_pace_init(struct flood_pace *p, double rate, uint64_t limit, uint64_t now_ns)
{
	memset(p, 0, sizeof(*p));
	p->rate = rate;
	p->limit = limit;
	p->start_ns = now_ns;
	p->burst = (uint32_t)(rate * BURST_S) + 1;
}

/* The first request is due at once. */
static uint64_t due_until(const struct flood_pace *p, uint64_t now_ns)
{
	if (now_ns < p->start_ns)
		return 0;
	return (uint64_t)(p->rate * ((double)(now_ns - p->start_ns) / NS + ROUNDING_S)) + 1;
}

uint32_t flood_pace_due(struct flood_pace *p, uint64_t now_ns)
{
	uint64_t due = due_until(p, now_ns);
	uint64_t n;

	if (due <= p->due)
		return 0;
	n = due - p->due;
	p->due = due;
	if (n > p->burst) {
		p->skipped += n - p->burst;
		n = p->burst;
	}
	if (p->limit && n > p->limit - p->granted)
		n = p->limit - p->granted;
	p->granted += n;
	return (uint32_t)n;
}

void flood_pace_give_back(struct flood_pace *p, uint32_t n)
{
	p->granted -= n;
}

uint64_t flood_pace_wait(const struct flood_pace *p, uint64_t now_ns)
{
	uint64_t next;

	if (p->limit && p->granted >= p->limit)
		return UINT64_MAX;
	/* Request number k (from 0) is due k / rate after the start. */
	next = p->start_ns + (uint64_t)((double)p->due / p->rate * NS);
	if (next < now_ns + FLOOD_TICK_NS)
		return FLOOD_TICK_NS;
	return next - now_ns;
}

void flood_frame_pace_init(struct flood_frame_pace *l, double rate, uint64_t now_ns,
			   uint64_t frames)
{
	memset(l, 0, sizeof(*l));
	l->rate = rate;
	l->start_ns = now_ns;
	l->last_ns = now_ns;
	l->start_frames = frames;
}

uint64_t flood_frame_pace_allowed(struct flood_frame_pace *l, uint64_t now_ns, uint64_t frames)
{
	double target, sent, room;

	if (now_ns < l->last_ns)
		now_ns = l->last_ns;
	l->last_ns = now_ns;
	target = l->rate * (double)(now_ns - l->start_ns) / NS - l->forgiven;
	sent = frames > l->start_frames ? (double)(frames - l->start_frames) : 0;
	room = target - sent;
	if (room > l->rate * CARRY_S) {
		l->forgiven += room - l->rate * CARRY_S;
		room = l->rate * CARRY_S;
	}
	return room < 1 ? 0 : (uint64_t)room;
}
