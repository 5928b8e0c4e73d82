/* SPDX-License-Identifier: GPL-2.0 */
/*
 * enc28j60 and the pre-MAC filter: what enc28j60.cocci includes into enc28j60.c
 *
 * In that file and in front of enc28j60_hw_rx(), whose registers and structures it uses.
 */

/* The MAC header and the fixed part of an IPv4 header come in the first transfer. */
#define ENC28J60_FMP_FIRST (ETH_HLEN + 20)

/* The return value of fmp_rx_header() says all. */
static const struct fmp_rx_ops enc28j60_fmp_ops = {};

/**
 * enc28j60_fmp_check() - read the header of a frame and ask the filter
 * @priv: the device; its next_pk_ptr is the frame
 * @rx: the frame's state
 * @len: bytes of the frame, with its checksum
 *
 * Context: process; the thread that receives.
 * Return: number of bytes in enc28j60_net.fmp_head, or -1 if the frame was stopped.
 */
static int enc28j60_fmp_check(struct enc28j60_net *priv, struct fmp_rx *rx, int len)
{
	int want = min(len, ENC28J60_FMP_FIRST);
	enum fmp_rx_action action;
	struct fmp_rx_port *port;
	int have = 0;

	fmp_rx_begin(rx, priv->fmp_head, max(len - ETH_FCS_LEN, 0));
	do {
		enc28j60_mem_read(priv, rx_packet_start(priv->next_pk_ptr + have), want - have,
				  priv->fmp_head + have);
		fmp_rx_bus_count_read(&priv->fmp_bus, want - have);
		have = want;
		local_bh_disable();
		port = READ_ONCE(priv->fmp_port);
		action = FMP_RX_PASS;
		if (port)
			action = fmp_rx_header(port, rx, min_t(u32, have, rx->frame_len));
		local_bh_enable();
		want = rx->want;
	} while (action == FMP_RX_MORE);
	if (action == FMP_RX_PASS)
		return have;
	fmp_rx_bus_count_stop(&priv->fmp_bus, 0, len - have);
	return -1;
}

/**
 * enc28j60_fmp_release() - give the chip the memory of a frame back
 * @priv: the device
 * @next_packet: where the next frame begins
 *
 * As enc28j60_hw_rx() ends.
 *
 * Context: process; the thread that receives.
 */
static void enc28j60_fmp_release(struct enc28j60_net *priv, u16 next_packet)
{
	u16 erxrdpt = erxrdpt_workaround(next_packet, RXSTART_INIT, RXEND_INIT);

	mutex_lock(&priv->lock);
	nolock_regw_write(priv, ERXRDPTL, erxrdpt);
	priv->next_pk_ptr = next_packet;
	nolock_reg_bfset(priv, ECON2, ECON2_PKTDEC);
	mutex_unlock(&priv->lock);
}

/**
 * enc28j60_fmp_read_rest() - read the rest of a frame that passed
 * @priv: the device; its next_pk_ptr is the frame
 * @data: buffer for the whole frame
 * @have: bytes of it in enc28j60_net.fmp_head
 * @len: bytes of it in all
 *
 * Context: process; the thread that receives.
 */
static void enc28j60_fmp_read_rest(struct enc28j60_net *priv, u8 *data, int have, int len)
{
	memcpy(data, priv->fmp_head, have);
	if (len == have)
		return;
	enc28j60_mem_read(priv, rx_packet_start(priv->next_pk_ptr + have), len - have, data + have);
	fmp_rx_bus_count_read(&priv->fmp_bus, len - have);
}

/**
 * enc28j60_fmp_deliver() - finish a frame that passed
 * @priv: the device
 * @rx: the frame's state
 * @skb: the whole frame
 *
 * Context: process; the thread that receives.
 */
static void enc28j60_fmp_deliver(struct enc28j60_net *priv, struct fmp_rx *rx, struct sk_buff *skb)
{
	struct fmp_rx_port *port;

	local_bh_disable();
	port = READ_ONCE(priv->fmp_port);
	if (port)
		fmp_rx_deliver(port, rx, skb);
	else
		skb->protocol = eth_type_trans(skb, priv->netdev);
	local_bh_enable();
}

/**
 * enc28j60_fmp_init() - ndo_init
 * @dev: the device
 *
 * Context: process, RTNL held.
 * Return: 0 or a negative error.
 */
static int enc28j60_fmp_init(struct net_device *dev)
{
	struct fmp_rx_port *port = fmp_rx_register(dev, &enc28j60_fmp_ops);
	struct enc28j60_net *priv = netdev_priv(dev);

	if (IS_ERR(port))
		return PTR_ERR(port);
	WRITE_ONCE(priv->fmp_port, port);
	return 0;
}

/**
 * enc28j60_fmp_uninit() - ndo_uninit
 * @dev: the device
 *
 * The thread may still read frames that the chip had before ndo_stop, which does not wait for
 * it: it asks with bottom halves off.
 *
 * Context: process, RTNL held.
 */
static void enc28j60_fmp_uninit(struct net_device *dev)
{
	struct enc28j60_net *priv = netdev_priv(dev);
	struct fmp_rx_port *port = priv->fmp_port;

	WRITE_ONCE(priv->fmp_port, NULL);
	synchronize_net();
	fmp_rx_unregister(port);
}

/**
 * enc28j60_fmp_get_stats() - ethtool_ops.get_ethtool_stats
 * @dev: the device
 * @stats: unused
 * @data: the values
 *
 * Context: process, RTNL held.
 */
static void enc28j60_fmp_get_stats(struct net_device *dev, struct ethtool_stats *stats, u64 *data)
{
	struct enc28j60_net *priv = netdev_priv(dev);

	fmp_rx_bus_get_stats(&priv->fmp_bus, data);
}
