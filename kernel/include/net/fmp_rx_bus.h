/* SPDX-License-Identifier: GPL-2.0 */
/*
 * fmp receive interface: what a driver read from its bus, as ethtool statistics
 *
 * A driver whose controller keeps frames in a memory of its own and reads them word by
 * word, or over SPI or SDIO, counts here what it read and what it did not have to. The unit
 * is the driver's: words of a FIFO, bytes of a serial bus. Of each frame that
 * fmp_rx_header() was asked about, read + drained + unread is its length.
 */
#ifndef _NET_FMP_RX_BUS_H
#define _NET_FMP_RX_BUS_H

#include <linux/ethtool.h>
#include <linux/if_ether.h>
#include <linux/ip.h>
#include <linux/netdevice.h>
#include <linux/string.h>
#include <linux/types.h>

/* fmp_rx_first_want() with rules for IP addresses: what most frames are asked about. */
#define FMP_RX_BUS_PLAIN_IPV4 (ETH_HLEN + sizeof(struct iphdr))

/**
 * enum fmp_rx_bus_stat - counters of a bus
 * @FMP_RX_BUS_STOPPED: frames stopped
 * @FMP_RX_BUS_READ: units read, of frames passed and stopped
 * @FMP_RX_BUS_DRAINED: units of stopped frames read only to get rid of them
 * @FMP_RX_BUS_UNREAD: units of stopped frames never read
 * @FMP_RX_BUS_STATS: number of counters
 */
enum fmp_rx_bus_stat {
	FMP_RX_BUS_STOPPED,
	FMP_RX_BUS_READ,
	FMP_RX_BUS_DRAINED,
	FMP_RX_BUS_UNREAD,
	FMP_RX_BUS_STATS,
};

/**
 * struct fmp_rx_bus - the counters; written by the device's receiver alone
 * @n: by enum fmp_rx_bus_stat
 */
struct fmp_rx_bus {
	unsigned long n[FMP_RX_BUS_STATS];
};

/**
 * fmp_rx_bus_count_read() - count units that were read of a frame
 * @bus: the counters
 * @units: their number
 *
 * Context: the device's receiver.
 */
static inline void fmp_rx_bus_count_read(struct fmp_rx_bus *bus, u32 units)
{
	bus->n[FMP_RX_BUS_READ] += units;
}

/**
 * fmp_rx_bus_count_stop() - count a stopped frame
 * @bus: the counters
 * @drained: units of it that are read only to get rid of them
 * @unread: units of it that are not read
 *
 * Context: the device's receiver.
 */
static inline void fmp_rx_bus_count_stop(struct fmp_rx_bus *bus, u32 drained, u32 unread)
{
	bus->n[FMP_RX_BUS_STOPPED]++;
	bus->n[FMP_RX_BUS_DRAINED] += drained;
	bus->n[FMP_RX_BUS_UNREAD] += unread;
}

/**
 * fmp_rx_bus_copy_head() - copy the first bytes of a frame that passed to its skb
 * @to: where the frame begins
 * @from: what was read of it
 * @len: bytes
 * @usual: the same of most frames, a constant; copied in line
 *
 * Context: any.
 */
static __always_inline void fmp_rx_bus_copy_head(void *to, const void *from, u32 len, u32 usual)
{
	if (likely(len == usual))
		memcpy(to, from, usual);
	else
		memcpy(to, from, len);
}

/**
 * fmp_rx_bus_receive() - give the frames of a poll to the stack
 * @passed: their skbs; empty afterwards
 *
 * Together they cost less than one by one, and one alone more in a list.
 *
 * Context: softirq.
 */
static inline void fmp_rx_bus_receive(struct list_head *passed)
{
	struct sk_buff *first = list_first_entry_or_null(passed, struct sk_buff, list);

	if (!first || !list_is_singular(passed)) {
		netif_receive_skb_list(passed);
		INIT_LIST_HEAD(passed);
		return;
	}
	skb_list_del_init(first);
	netif_receive_skb(first);
}

/**
 * fmp_rx_bus_get_sset_count() - ethtool_ops.get_sset_count of a driver without other statistics
 * @dev: the device
 * @sset: set of strings
 *
 * Context: process, RTNL held.
 * Return: number of counters, or -EOPNOTSUPP.
 */
static inline int fmp_rx_bus_get_sset_count(struct net_device *dev, int sset)
{
	return sset == ETH_SS_STATS ? FMP_RX_BUS_STATS : -EOPNOTSUPP;
}

/**
 * fmp_rx_bus_get_strings() - ethtool_ops.get_strings of a driver without other statistics
 * @dev: the device
 * @sset: set of strings
 * @data: the names of the counters
 *
 * Context: process, RTNL held.
 */
static inline void fmp_rx_bus_get_strings(struct net_device *dev, u32 sset, u8 *data)
{
	static const char names[FMP_RX_BUS_STATS][ETH_GSTRING_LEN] = {
		[FMP_RX_BUS_STOPPED] = "fmp_stopped",
		[FMP_RX_BUS_READ] = "fmp_read",
		[FMP_RX_BUS_DRAINED] = "fmp_drained",
		[FMP_RX_BUS_UNREAD] = "fmp_unread",
	};

	if (sset == ETH_SS_STATS)
		memcpy(data, names, sizeof(names));
}

/**
 * fmp_rx_bus_get_stats() - read the counters
 * @bus: the counters
 * @data: FMP_RX_BUS_STATS values
 *
 * Context: any.
 */
static inline void fmp_rx_bus_get_stats(const struct fmp_rx_bus *bus, u64 *data)
{
	unsigned int i;

	for (i = 0; i < FMP_RX_BUS_STATS; i++)
		data[i] = READ_ONCE(bus->n[i]);
}

#endif /* _NET_FMP_RX_BUS_H */
