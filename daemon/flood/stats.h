/* SPDX-License-Identifier: GPL-2.0 */
/* What happened: counters and latencies. Pure. */
#ifndef FLOOD_STATS_H
#define FLOOD_STATS_H

#include <stdint.h>

#include "scenario.h"

/* How a request ended. */
enum flood_outcome {
	FLOOD_RESPONSE_GOOD = 0, /* 2xx without a Fault */
	FLOOD_RESPONSE_FAULT, /* a SOAP Fault */
	FLOOD_RESPONSE_HTTP, /* any other HTTP answer */
	FLOOD_REFUSED, /* the connection was refused (RST or ICMP) */
	FLOOD_TIMEOUT_CONNECT, /* no answer to the connect */
	FLOOD_TIMEOUT_RESPONSE, /* connected, but no answer to the request */
	FLOOD_RESET, /* cut off in the middle, or an answer that is not HTTP */
	FLOOD_LOCAL, /* this machine could not even try: ports, descriptors, memory */
	FLOOD_OUTCOMES
};
const char *flood_outcome_name(unsigned o);

static inline bool flood_outcome_is_response(enum flood_outcome o)
{
	return o <= FLOOD_RESPONSE_HTTP;
}

/* Latencies in us, in buckets of 1/16 of a power of two: percentiles within 7 %. */
#define FLOOD_LATENCY_BUCKETS 512
struct flood_latency {
	uint64_t count, sum_us;
	uint64_t max_us;
	uint32_t bucket[FLOOD_LATENCY_BUCKETS];
};
void flood_latency_add(struct flood_latency *l, uint64_t us);
/* The latency that permille of all are not above; 0 if there are none. */
uint64_t flood_latency_at(const struct flood_latency *l, unsigned permille);

#define FLOOD_SECONDS_MAX 86400u /* longest run */

struct flood_stats {
	uint64_t sent; /* requests whose first byte went out */
	uint64_t outcome[FLOOD_OUTCOMES];
	uint64_t kind_sent[FLOOD_KINDS];
	uint64_t kind_outcome[FLOOD_KINDS][FLOOD_OUTCOMES];
	uint64_t tried; /* requests begun */
	uint64_t connects; /* connects tried */
	uint64_t held_back; /* due, but every connection was busy */
	uint64_t bytes_out, bytes_in;
	struct flood_latency latency;
	uint64_t window_good, window_ns; /* good answers after the warm-up, and how long that was */
};

/* After a request whose sending began at sent_ns (0: it never did). */
void flood_stats_end(struct flood_stats *s, enum flood_kind kind, enum flood_outcome o,
		     uint64_t sent_ns, uint64_t now_ns);

/*
 * When a source was blocked: between the sending of the last request that got
 * an answer and the sending of the first after it that got none.
 */
struct flood_block {
	uint64_t last_answered_ns; /* sent then; 0: none was answered */
	uint64_t first_unanswered_ns; /* sent then; 0: all are answered */
	uint32_t unanswered_in_row;
	uint64_t answered, unanswered;
};

/* began_ns: when the request was begun. */
void flood_block_end(struct flood_block *b, enum flood_outcome o, uint64_t began_ns);
/* So many in a row without an answer are no accident. */
static inline bool flood_block_is_blocked(const struct flood_block *b)
{
	return b->unanswered_in_row >= 3;
}

#endif
