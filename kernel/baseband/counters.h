/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _FMPBB_COUNTERS_H
#define _FMPBB_COUNTERS_H

#include <linux/ethtool.h>
#include <linux/u64_stats_sync.h>

struct net_device;
struct rtnl_link_stats64;

/**
 * enum fmpbb_count - what a station's receiver counts
 * @FMPBB_COUNT_FRAMES: frames that began to be received
 * @FMPBB_COUNT_TAKEN_BYTES: bytes taken from the medium
 * @FMPBB_COUNT_DELIVERED: frames given to the stack
 * @FMPBB_COUNT_DELIVERED_BYTES: their bytes
 * @FMPBB_COUNT_ABORTED_BYTES: bytes left in the air after a stop
 * @FMPBB_COUNT_ABORTED_MAC: frames aborted, source MAC blocked
 * @FMPBB_COUNT_ABORTED_IP: frames aborted, source IP blocked
 * @FMPBB_COUNT_ABORTED_FOREIGN: frames aborted, for another station
 * @FMPBB_COUNT_LATE: frames dropped that were complete at the stop
 * @FMPBB_COUNT_OVERRUNS: frames that went by unheard
 * @FMPBB_COUNT_NO_MEMORY: frames lost for want of memory
 * @FMPBB_COUNTS: how many there are
 */
enum fmpbb_count {
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
 * struct fmpbb_rx_counters - counted by the one receiver of a station
 * @n: by enum fmpbb_count
 * @sync: lets 32-bit machines read them whole
 */
struct fmpbb_rx_counters {
	u64_stats_t n[FMPBB_COUNTS];
	struct u64_stats_sync sync;
};

/**
 * struct fmpbb_tx_counters - counted under the transmit lock of a station
 * @frames: frames sent
 * @bytes: their bytes
 * @refused: frames of a length that the medium does not take
 * @sync: lets 32-bit machines read them whole
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
