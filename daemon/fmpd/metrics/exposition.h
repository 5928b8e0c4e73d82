/* SPDX-License-Identifier: GPL-2.0 */
/* Write the counters in Prometheus' text format, version 0.0.4. */
#ifndef FMPD_EXPOSITION_H
#define FMPD_EXPOSITION_H

#include "../control/show.h"
#include "../plane/state_writer.h"

/** FMPD_LATENCY_BUCKETS - buckets of the time from a message to its block. */
#define FMPD_LATENCY_BUCKETS 12u

/** struct fmpd_latency - time of decisions, from the message to the layers' results. */
struct fmpd_latency {
	uint64_t buckets[FMPD_LATENCY_BUCKETS +
			 1]; /**< not cumulative; the last one has no upper end */
	uint64_t count, sum_ns;
};
void fmpd_latency_add(struct fmpd_latency *l, uint64_t ns);

/** fmpd_exposition() - the text of now. @state: may be NULL. */
void fmpd_exposition(struct evbuffer *out, const struct fmpd_show *show,
		     const struct fmpd_state_writer *state, const struct fmpd_latency *latency);

#endif
