/* SPDX-License-Identifier: GPL-2.0 */
/* Counters, latencies and times of blocks. Pure. */
#ifndef FLOOD_STATS_H
#define FLOOD_STATS_H

#include <stdint.h>

#include "scenario.h"

/* The outcome of a request. */
enum flood_outcome {
	FLOOD_RESPONSE_GOOD = 0, /* 2xx without a Fault */
	FLOOD_RESPONSE_FAULT, /* a SOAP Fault */
	FLOOD_RESPONSE_HTTP, /* any other HTTP response */
	FLOOD_REFUSED, /* the connection was refused (RST or ICMP) */
	FLOOD_TIMEOUT_CONNECT, /* no reply to the SYN */
	FLOOD_TIMEOUT_RESPONSE, /* connected, no response to the request */
	FLOOD_RESET, /* connection reset, or a response that is not HTTP */
	FLOOD_LOCAL, /* not sent: out of ports, descriptors or memory */
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
/* Return: the latency that permille of all do not exceed; 0 if there are none. */
uint64_t flood_latency_at(const struct flood_latency *l, unsigned permille);

#define FLOOD_SECONDS_MAX 86400u /* longest run */

struct flood_stats {
	uint64_t sent; /* requests whose first byte went out */
	uint64_t outcome[FLOOD_OUTCOMES];
	uint64_t kind_sent[FLOOD_KINDS];
	uint64_t kind_outcome[FLOOD_KINDS][FLOOD_OUTCOMES];
	uint64_t tried; /* requests started */
	uint64_t connects; /* connects tried */
	uint64_t held_back; /* due, but all connections were busy */
	uint64_t bytes_out, bytes_in;
	struct flood_latency latency;
	uint64_t window_good, window_ns; /* good responses after the warm-up, and its duration */
};

/* Called after a request. sent_ns: its first byte was sent; 0: never */
void flood_stats_end(struct flood_stats *s, enum flood_kind kind, enum flood_outcome o,
		     uint64_t sent_ns, uint64_t now_ns);

/*
 * When a source was blocked: between sending the last answered request and the first unanswered one after it.
 */
struct flood_block {
	uint64_t last_answered_ns; /* time of sending; 0: none was answered */
	uint64_t first_unanswered_ns; /* time of sending; 0: all were answered */
	uint32_t unanswered_in_row;
	uint64_t answered, unanswered;
};

/* began_ns: start of the request. */
void flood_block_end(struct flood_block *b, enum flood_outcome o, uint64_t began_ns);
/* Three unanswered requests in a row count as a block. */
static inline bool flood_block_is_blocked(const struct flood_block *b)
{
	return b->unanswered_in_row >= 3;
}

#endif
