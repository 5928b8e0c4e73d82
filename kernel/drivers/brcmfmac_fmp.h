/* SPDX-License-Identifier: GPL-2.0 */
/*
 * brcmfmac and the pre-MAC filter: what brcmfmac.cocci includes into core.c
 *
 * In that file and in front of brcmf_netif_rx(). A frame may be stopped twice: in the middle,
 * by its first bytes over SDIO, and else in brcmf_netif_rx(), where all ways of reception
 * meet: what is left there are the layers above.
 */

/* The return value of fmp_rx_header() says all. */
static const struct fmp_rx_ops brcmf_fmp_ops = {};

/**
 * brcmf_fmp_check_first() - ask the filter about a frame of which the rest is not read yet
 * @drvr: the device
 * @ifidx: number of its interface
 * @buf: first bytes of the frame
 * @avail: their number
 * @len: length of the frame
 *
 * The next frame that brcmf_netif_rx() gets must be this one, if it was not stopped; otherwise
 * see brcmf_fmp_forget().
 *
 * Context: process; the worker that receives.
 * Return: true if it is stopped.
 */
bool brcmf_fmp_check_first(struct brcmf_pub *drvr, int ifidx, const u8 *buf, u32 avail, u32 len)
{
	struct brcmf_if *ifp = brcmf_get_ifp(drvr, ifidx);
	struct fmp_rx_port *port;

	if (!ifp)
		return false;
	local_bh_disable();
	port = READ_ONCE(ifp->fmp_port);
	if (port) {
		fmp_rx_begin(&drvr->fmp_rx, buf, len);
		drvr->fmp_action = fmp_rx_header(port, &drvr->fmp_rx, min(avail, len));
		drvr->fmp_begun = drvr->fmp_action != FMP_RX_STOP;
	}
	local_bh_enable();
	return port && drvr->fmp_action == FMP_RX_STOP;
}

/**
 * brcmf_fmp_forget() - forget a frame that was asked about and is not received
 * @drvr: the device; NULL before brcmf_alloc() and behind brcmf_free(), while the worker may run
 *
 * Context: process; the worker that receives.
 */
void brcmf_fmp_forget(struct brcmf_pub *drvr)
{
	if (drvr)
		drvr->fmp_begun = false;
}

/**
 * brcmf_fmp_receive() - ask the filter about a whole frame
 * @ifp: its interface
 * @skb: the frame, behind eth_type_trans()
 *
 * Context: any but hard interrupt.
 * Return: true if it passed; false if it was stopped, and freed.
 */
static bool brcmf_fmp_receive(struct brcmf_if *ifp, struct sk_buff *skb)
{
	enum fmp_rx_action action = FMP_RX_MORE;
	struct brcmf_pub *drvr = ifp->drvr;
	struct fmp_rx_port *port;
	struct fmp_rx whole;
	struct fmp_rx *rx = &whole;

	local_bh_disable();
	port = READ_ONCE(ifp->fmp_port);
	if (!port) {
		local_bh_enable();
		return true;
	}
	skb_push(skb, ETH_HLEN);
	if (drvr->fmp_begun) {
		drvr->fmp_begun = false;
		action = drvr->fmp_action;
		rx = &drvr->fmp_rx;
		rx->buf = skb->data;
	} else {
		fmp_rx_begin(rx, skb->data, skb->len);
	}
	if (action == FMP_RX_MORE)
		action = fmp_rx_header(port, rx, min(skb->len, rx->frame_len));
	if (action == FMP_RX_STOP)
		brcmu_pkt_buf_free_skb(skb);
	else
		fmp_rx_deliver(port, rx, skb);
	local_bh_enable();
	return action != FMP_RX_STOP;
}

/**
 * brcmf_fmp_init() - ndo_init
 * @dev: the device
 *
 * A USB host may deliver frames in hard interrupt context, where the filter may not be called:
 * the hook for such a device is the one at netdev ingress.
 *
 * Context: process, RTNL held.
 * Return: 0 or a negative error.
 */
static int brcmf_fmp_init(struct net_device *dev)
{
	struct brcmf_if *ifp = netdev_priv(dev);
	struct fmp_rx_port *port;

	if (!strcmp(dev_bus_name(ifp->drvr->bus_if->dev), "usb"))
		return 0;
	port = fmp_rx_register(dev, &brcmf_fmp_ops);
	if (IS_ERR(port))
		return PTR_ERR(port);
	WRITE_ONCE(ifp->fmp_port, port);
	return 0;
}

/**
 * brcmf_fmp_uninit() - ndo_uninit
 * @dev: the device
 *
 * The worker may still have a frame of the device: it asks with bottom halves off.
 *
 * Context: process, RTNL held.
 */
static void brcmf_fmp_uninit(struct net_device *dev)
{
	struct brcmf_if *ifp = netdev_priv(dev);
	struct fmp_rx_port *port = ifp->fmp_port;

	if (!port)
		return;
	WRITE_ONCE(ifp->fmp_port, NULL);
	synchronize_net();
	fmp_rx_unregister(port);
}

/**
 * brcmf_fmp_get_stats() - ethtool_ops.get_ethtool_stats
 * @dev: the device
 * @stats: unused
 * @data: the values
 *
 * Context: process, RTNL held.
 */
static void brcmf_fmp_get_stats(struct net_device *dev, struct ethtool_stats *stats, u64 *data)
{
	struct brcmf_if *ifp = netdev_priv(dev);

	fmp_rx_bus_get_stats(&ifp->drvr->fmp_bus, data);
}
