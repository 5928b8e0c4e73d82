/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The counters of the filter and of the radio
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

/**
 * struct receiver - a station that receives
 * @dev: its name
 * @mac: its address
 * @ch: channel to the module in its network namespace
 * @sock: a socket in that namespace, for ethtool
 */
struct receiver {
	char dev[16];
	uint8_t mac[6];
	struct channel ch;
	int sock;
};

/* Opens a station in the network namespace of the caller. */
void receiver_open(struct receiver *rx, const char *dev);

/* Reads all counters. */
void counters_read(struct receiver *rx, uint64_t n[COUNTERS]);

/* Frames that the radio has processed, received or not; faster than counters_read(). */
uint64_t counters_radio_done(const struct receiver *rx);

#endif /* FUZZ_COUNTERS_H */
