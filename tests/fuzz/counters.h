/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the filter and the radio counted
 */
#ifndef FUZZ_COUNTERS_H
#define FUZZ_COUNTERS_H

#include "channel.h"

#include <stdint.h>

enum counter {
	FILTER_FRAMES,
	FILTER_BYTES,
	FILTER_PASSED,
	FILTER_STOPPED_MAC,
	FILTER_STOPPED_IP,
	FILTER_STOPPED_FOREIGN,
	FILTER_STOPPED_BYTES,
	FILTER_LATE,
	FILTER_OBSERVED,
	RADIO_FRAMES,
	RADIO_DELIVERED,
	RADIO_OVERRUNS,
	COUNTERS,
};

extern const char *const counter_name[COUNTERS];

/* Reads all counters of a device. */
void counters_read(struct channel *ch, const char *dev, uint64_t n[COUNTERS]);

/* Frames that the radio is through with, received or not; quicker than all. */
uint64_t counters_radio_done(const char *dev);

#endif /* FUZZ_COUNTERS_H */
