/* SPDX-License-Identifier: GPL-2.0 */
/* One frame of fmpctl top: rates from two samples of the same requests. */
#ifndef FMPCTL_TOP_FRAME_H
#define FMPCTL_TOP_FRAME_H

#include "record.h"

/** struct top_sample - the replies of fmpd at one time */
struct top_sample {
	uint64_t taken_ms; /**< CLOCK_MONOTONIC */
	struct records status, sources;
};
void top_sample_free(struct top_sample *s);

/** top_rate() - increase of a counter per second; 0 if it was reset in between. */
double top_rate(const struct top_sample *before, const struct top_sample *now,
		const struct record *r, uint16_t id);
/** top_frame_print() - @rows: at most so many sources. */
void top_frame_print(const struct top_sample *before, const struct top_sample *now, size_t rows);

#endif
