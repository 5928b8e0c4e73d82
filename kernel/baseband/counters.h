/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _FMPBB_COUNTERS_H
#define _FMPBB_COUNTERS_H

#include <linux/ethtool.h>
#include <linux/u64_stats_sync.h>

struct net_device;
struct rtnl_link_stats64;

/**
 * enum fmpbb_counter - counters of a station's receiver
 * @FMPBB_COUNT_FRAMES: frames whose reception began
 * @FMPBB_COUNT_TAKEN_BYTES: bytes received from the medium
 * @FMPBB_COUNT_DELIVERED: frames given to the stack
 * @FMPBB_COUNT_DELIVERED_BYTES: their bytes
 * @FMPBB_COUNT_ABORTED_BYTES: bytes not received after a stop
 * @FMPBB_COUNT_ABORTED_MAC: frames aborted, source MAC blocked
 * @FMPBB_COUNT_ABORTED_IP: frames aborted, source IP blocked
 * @FMPBB_COUNT_ABORTED_FOREIGN: frames aborted, for another station
 * @FMPBB_COUNT_LATE: frames dropped that were complete at the stop
 * @FMPBB_COUNT_OVERRUNS: frames lost because the receiver was too slow
 * @FMPBB_COUNT_NO_MEMORY: frames lost because there was no memory
 * @FMPBB_COUNTS: number of counters
 */
enum fmpbb_counter {
	FMPBB_COUNT_FRAMES,
	FMPBB_COUNT_TAKEN_BYTES,
	FMPBB_COUNT_DELIVERED,
	FMPBB_COUNT_DELIVERED_BYTES,
	FMPBB_COUNT_ABORTED_BYTES,
	FMPBB_COUNT_ABORTED_MAC,
	FMPBB_COUNT_ABORTED_IP,
	FMPBB_COUNT_ABORTED_FOREIGN,
	FMPBB_COUNT_LATE,
	FMPBB_COUNT_OVERRUNS,
	FMPBB_COUNT_NO_MEMORY,
	FMPBB_COUNTS,
};

/**
 * struct fmpbb_rx_counters - counters, written by the one receiver of a station
 * @n: by enum fmpbb_counter
 * @sync: keeps 32-bit machines from reading half of an update
 */
struct fmpbb_rx_counters {
	u64_stats_t n[FMPBB_COUNTS];
	struct u64_stats_sync sync;
};

/**
 * struct fmpbb_tx_counters - counters, written under the transmit lock of a station
 * @frames: frames sent
 * @bytes: their bytes
 * @refused: frames too short or too long for the medium
 * @sync: keeps 32-bit machines from reading half of an update
 */
struct fmpbb_tx_counters {
	u64_stats_t frames;
	u64_stats_t bytes;
	u64_stats_t refused;
	struct u64_stats_sync sync;
};

extern const struct ethtool_ops fmpbb_ethtool_ops;

void fmpbb_counters_stats64(struct net_device *dev, struct rtnl_link_stats64 *stats);

#endif /* _FMPBB_COUNTERS_H */
