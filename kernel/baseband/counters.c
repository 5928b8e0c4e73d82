// SPDX-License-Identifier: GPL-2.0
/*
 * The counters of a station, for ip -s link and ethtool -S
 */
#include "counters.h"
#include "station.h"

#include <linux/ethtool.h>
#include <linux/netdevice.h>

static const char fmpbb_counter_names[FMPBB_COUNTS][ETH_GSTRING_LEN] = {
	[FMPBB_COUNT_FRAMES] = "rx_frames",
	[FMPBB_COUNT_TAKEN_BYTES] = "rx_taken_bytes",
	[FMPBB_COUNT_DELIVERED] = "rx_delivered",
	[FMPBB_COUNT_DELIVERED_BYTES] = "rx_delivered_bytes",
	[FMPBB_COUNT_ABORTED_BYTES] = "rx_aborted_bytes",
	[FMPBB_COUNT_ABORTED_MAC] = "rx_aborted_mac",
	[FMPBB_COUNT_ABORTED_IP] = "rx_aborted_ip",
	[FMPBB_COUNT_ABORTED_FOREIGN] = "rx_aborted_foreign",
	[FMPBB_COUNT_LATE] = "rx_late",
	[FMPBB_COUNT_OVERRUNS] = "rx_overruns",
	[FMPBB_COUNT_NO_MEMORY] = "rx_no_memory",
};

/**
 * fmpbb_counters_read() - read the receiver's counters
 * @st: the station
 * @n: filled
 *
 * Context: any.
 */
static void fmpbb_counters_read(const struct fmpbb_station *st, u64 n[FMPBB_COUNTS])
{
	unsigned int start;
	int i;

	do {
		start = u64_stats_fetch_begin(&st->rx.sync);
		for (i = 0; i < FMPBB_COUNTS; i++)
			n[i] = u64_stats_read(&st->rx.n[i]);
	} while (u64_stats_fetch_retry(&st->rx.sync, start));
}

/**
 * fmpbb_counters_stats64() - ndo_get_stats64
 * @dev: the station's device
 * @stats: filled
 *
 * Context: any.
 */
void fmpbb_counters_stats64(struct net_device *dev, struct rtnl_link_stats64 *stats)
{
	const struct fmpbb_station *st = netdev_priv(dev);
	unsigned int start;
	u64 n[FMPBB_COUNTS];

	fmpbb_counters_read(st, n);
	stats->rx_packets = n[FMPBB_COUNT_DELIVERED];
	stats->rx_bytes = n[FMPBB_COUNT_DELIVERED_BYTES];
	stats->rx_dropped = n[FMPBB_COUNT_ABORTED_MAC] + n[FMPBB_COUNT_ABORTED_IP] +
			    n[FMPBB_COUNT_LATE] + n[FMPBB_COUNT_NO_MEMORY];
	stats->rx_over_errors = n[FMPBB_COUNT_OVERRUNS];
	stats->rx_errors = n[FMPBB_COUNT_OVERRUNS];

	do {
		start = u64_stats_fetch_begin(&st->tx.sync);
		stats->tx_packets = u64_stats_read(&st->tx.frames);
		stats->tx_bytes = u64_stats_read(&st->tx.bytes);
		stats->tx_errors = u64_stats_read(&st->tx.refused);
	} while (u64_stats_fetch_retry(&st->tx.sync, start));
}

/**
 * fmpbb_get_sset_count() - get the number of counters for ethtool -S
 * @dev: the station's device
 * @set: ETH_SS_STATS
 *
 * Context: process.
 * Return: the number, or -EOPNOTSUPP.
 */
static int fmpbb_get_sset_count(struct net_device *dev, int set)
{
	return set == ETH_SS_STATS ? FMPBB_COUNTS : -EOPNOTSUPP;
}

/**
 * fmpbb_get_strings() - get the names of the counters
 * @dev: the station's device
 * @set: ETH_SS_STATS
 * @data: filled
 *
 * Context: process.
 */
static void fmpbb_get_strings(struct net_device *dev, u32 set, u8 *data)
{
	if (set == ETH_SS_STATS)
		memcpy(data, fmpbb_counter_names, sizeof(fmpbb_counter_names));
}

/**
 * fmpbb_get_stats() - get the values of the counters
 * @dev: the station's device
 * @stats: not used
 * @data: filled
 *
 * Context: process.
 */
static void fmpbb_get_stats(struct net_device *dev, struct ethtool_stats *stats, u64 *data)
{
	fmpbb_counters_read(netdev_priv(dev), data);
}

/**
 * fmpbb_get_drvinfo() - get the name of the driver
 * @dev: the station's device
 * @info: filled
 *
 * Context: process.
 */
static void fmpbb_get_drvinfo(struct net_device *dev, struct ethtool_drvinfo *info)
{
	strscpy(info->driver, KBUILD_MODNAME, sizeof(info->driver));
}

const struct ethtool_ops fmpbb_ethtool_ops = {
	.get_drvinfo = fmpbb_get_drvinfo,
	.get_link = ethtool_op_get_link,
	.get_sset_count = fmpbb_get_sset_count,
	.get_strings = fmpbb_get_strings,
	.get_ethtool_stats = fmpbb_get_stats,
};
