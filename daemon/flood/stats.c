// SPDX-License-Identifier: GPL-2.0
#include "stats.h"

#include <stddef.h>

#define SUB_BITS 4
#define SUB	 (1u << SUB_BITS)

const char *flood_outcome_name(unsigned o)
{
	static const char *const names[FLOOD_OUTCOMES] = {
		[FLOOD_RESPONSE_GOOD] = "good",
		[FLOOD_RESPONSE_FAULT] = "faults",
		[FLOOD_RESPONSE_HTTP] = "http_errors",
		[FLOOD_REFUSED] = "refused",
		[FLOOD_TIMEOUT_CONNECT] = "connect_timeouts",
		[FLOOD_TIMEOUT_RESPONSE] = "answer_timeouts",
		[FLOOD_RESET] = "resets",
		[FLOOD_LOCAL] = "local_errors",
	};

	return o < FLOOD_OUTCOMES ? names[o] : NULL;
}

/* Exact below SUB; above, by the highest bit and the SUB_BITS after it. */
static unsigned bucket_of(uint64_t us)
{
	unsigned shift, at;

	if (us < SUB)
		return (unsigned)us;
	shift = 63 - (unsigned)__builtin_clzll(us) - SUB_BITS;
	at = (shift + 1) * SUB + (unsigned)((us >> shift) - SUB);
	return at < FLOOD_LATENCY_BUCKETS ? at : FLOOD_LATENCY_BUCKETS - 1;
}

/* Return: the largest value of a bucket. */
static uint64_t bucket_top(unsigned at)
{
	unsigned shift;

	if (at < SUB)
		return at;
	shift = at / SUB - 1;
	return ((uint64_t)(SUB + at % SUB + 1) << shift) - 1;
}

void flood_latency_add(struct flood_latency *l, uint64_t us)
{
	l->count++;
	l->sum_us += us;
	if (us > l->max_us)
		l->max_us = us;
	l->bucket[bucket_of(us)]++;
}

uint64_t flood_latency_at(const struct flood_latency *l, unsigned permille)
{
	uint64_t want = (l->count * permille + 999) / 1000;
	uint64_t seen = 0;
	unsigned i;

	for (i = 0; i < FLOOD_LATENCY_BUCKETS; i++) {
		seen += l->bucket[i];
		if (seen && seen >= want) {
			uint64_t top = bucket_top(i);

			return top < l->max_us ? top : l->max_us;
		}
	}
	return 0;
}

void flood_stats_end(struct flood_stats *s, enum flood_kind kind, enum flood_outcome o,
		     uint64_t sent_ns, uint64_t now_ns)
{
	s->outcome[o]++;
	if (sent_ns)
		s->kind_outcome[kind][o]++;
	if (flood_outcome_is_response(o) && sent_ns && now_ns >= sent_ns)
		flood_latency_add(&s->latency, (now_ns - sent_ns) / 1000);
}

void flood_block_end(struct flood_block *b, enum flood_outcome o, uint64_t began_ns)
{
	if (o == FLOOD_LOCAL)
		return;
	if (flood_outcome_is_response(o)) {
		b->answered++;
		b->unanswered_in_row = 0;
		if (began_ns > b->last_answered_ns)
			b->last_answered_ns = began_ns;
		if (b->first_unanswered_ns <= b->last_answered_ns)
			b->first_unanswered_ns = 0;
		return;
	}
	b->unanswered++;
	b->unanswered_in_row++;
	if (began_ns > b->last_answered_ns &&
	    (!b->first_unanswered_ns || began_ns < b->first_unanswered_ns))
		b->first_unanswered_ns = began_ns;
}
