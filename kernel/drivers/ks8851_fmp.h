/* SPDX-License-Identifier: GPL-2.0 */
/*
 * ks8851 and the pre-MAC filter: what ks8851.cocci includes into ks8851_common.c
 *
 * In that file and in front of ks8851_rx_pkts(), whose registers and structures it uses.
 */

/* The MAC header and the fixed part of an IPv4 header come in the first transfer. */
#define KS8851_FMP_FIRST (ETH_HLEN + 20)

/* The filter runs with bottom halves off. ks8851_lock() is a mutex on SPI, and a spinlock that
 * turns them off on the parallel bus. In older kernels it has a second argument, for a spinlock
 * that turns interrupts off, under which bottom halves can't be turned off and on again.
 */
static_assert(__same_type(ks8851_lock, void(struct ks8851_net *)));

/* The return value of fmp_rx_header() says all. */
static const struct fmp_rx_ops ks8851_fmp_ops = {};

/**
 * ks8851_fmp_start_read() - start reading the frame at the head of the receive queue
 * @ks: the device
 *
 * Context: the interrupt thread, ks8851_lock() held.
 */
static void ks8851_fmp_start_read(struct ks8851_net *ks)
{
	ks8851_wrreg16(ks, KS_RXFDPR, RXFDPR_RXFPAI | 0x00);
	ks8851_wrreg16(ks, KS_RXQCR, ks->rc_rxqcr | RXQCR_SDA);
}

/**
 * ks8851_fmp_check() - read the header of a frame and ask the filter
 * @ks: the device, reading of the frame started
 * @rx: the frame's state
 * @len: bytes of the frame, without its checksum
 *
 * Each transfer begins at the frame's first byte, also that of the whole frame once it has
 * passed: whether the chip goes on where a transfer ended was not tried. A frame that is
 * stopped is released by the caller, as any other.
 *
 * Context: the interrupt thread, ks8851_lock() held.
 * Return: true if the frame passed, and reading of it is started anew.
 */
static bool ks8851_fmp_check(struct ks8851_net *ks, struct fmp_rx *rx, unsigned int len)
{
	unsigned int want = min_t(unsigned int, len, KS8851_FMP_FIRST);
	enum fmp_rx_action action;

	fmp_rx_begin(rx, ks->fmp_head + 8, len);
	for (;;) {
		/* As ks8851_rx_pkts(): 8 bytes of status and garbage in front. */
		ks->rdfifo(ks, ks->fmp_head, ALIGN(want, 4) + 8);
		fmp_rx_bus_count_read(&ks->fmp_bus, ALIGN(want, 4));
		local_bh_disable();
		action = fmp_rx_header(ks->fmp_port, rx, want);
		local_bh_enable();
		if (action == FMP_RX_STOP)
			break;
		ks8851_wrreg16(ks, KS_RXQCR, ks->rc_rxqcr);
		ks8851_fmp_start_read(ks);
		if (action == FMP_RX_PASS) {
			fmp_rx_bus_count_read(&ks->fmp_bus, ALIGN(len, 4));
			return true;
		}
		want = rx->want;
	}
	fmp_rx_bus_count_stop(&ks->fmp_bus, 0, ALIGN(len, 4) - ALIGN(want, 4));
	return false;
}

/**
 * ks8851_fmp_init() - ndo_init
 * @dev: the device
 *
 * Context: process, RTNL held.
 * Return: 0 or a negative error.
 */
static int ks8851_fmp_init(struct net_device *dev)
{
	struct ks8851_net *ks = netdev_priv(dev);

	ks->fmp_port = fmp_rx_register(dev, &ks8851_fmp_ops);
	return PTR_ERR_OR_ZERO(ks->fmp_port);
}

/**
 * ks8851_fmp_uninit() - ndo_uninit
 * @dev: the device
 *
 * Context: process, RTNL held.
 */
static void ks8851_fmp_uninit(struct net_device *dev)
{
	struct ks8851_net *ks = netdev_priv(dev);

	fmp_rx_unregister(ks->fmp_port);
}

/**
 * ks8851_fmp_get_stats() - ethtool_ops.get_ethtool_stats
 * @dev: the device
 * @stats: unused
 * @data: the values
 *
 * Context: process, RTNL held.
 */
static void ks8851_fmp_get_stats(struct net_device *dev, struct ethtool_stats *stats, u64 *data)
{
	struct ks8851_net *ks = netdev_priv(dev);

	fmp_rx_bus_get_stats(&ks->fmp_bus, data);
}
