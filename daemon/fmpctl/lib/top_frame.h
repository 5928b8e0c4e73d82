/* SPDX-License-Identifier: GPL-2.0 */
/* One picture of top: what two answers to the same question say together. */
#ifndef FMPCTL_TOP_FRAME_H
#define FMPCTL_TOP_FRAME_H

#include "record.h"

/** struct top_sample - what fmpd said at one time */
struct top_sample {
	uint64_t taken_ms; /**< CLOCK_MONOTONIC */
	struct records status, sources;
};
void top_sample_free(struct top_sample *s);

/** top_rate() - of a counter of a record, a second; 0 if it began anew in between. */
double top_rate(const struct top_sample *before, const struct top_sample *now,
		const struct record *r, uint16_t id);
/** top_frame_print() - @rows: of sources, at most. */
void top_frame_print(const struct top_sample *before, const struct top_sample *now, size_t rows);

#endif
