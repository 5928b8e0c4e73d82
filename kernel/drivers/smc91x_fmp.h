/* SPDX-License-Identifier: GPL-2.0 */
/*
 * smc91x and the pre-MAC filter: what smc91x.cocci includes into smc91x.c
 *
 * In that file and in front of smc_rcv(), whose registers and structures it uses.
 */

/* Offset of a frame in smc_local.fmp_head: it is aligned as smc_rcv() aligns an skb's data. */
#define SMC_FMP_ALIGN 2

static struct sk_buff *smc_rcv(struct net_device *dev);

/* The return value of fmp_rx_header() says all. */
static const struct fmp_rx_ops smc_fmp_ops = {};

/**
 * smc_fmp_check() - read the header of a frame and ask the filter
 * @dev: the device, the chip's pointer at the start of the frame's data
 * @status: RS_*
 * @packet_len: bytes that the chip holds of the frame
 *
 * A stopped frame is released from the chip's memory. The frame's state is in the private
 * structure: on the stack many kernels would clear it first.
 *
 * Context: NAPI poll, smc_local.lock held.
 * Return: number of bytes in smc_local.fmp_head, or -1 if the frame was stopped.
 */
static int smc_fmp_check(struct net_device *dev, unsigned int status, unsigned int packet_len)
{
	struct smc_local *lp = netdev_priv(dev);
	bool odd = lp->version == 0x90 || status & RS_ODDFRAME;
	u8 *buf = (u8 *)lp->fmp_head + SMC_FMP_ALIGN;
	void __iomem *ioaddr = lp->base;
	struct fmp_rx *rx = &lp->fmp_rx;
	int total = packet_len - 4;
	int want = fmp_rx_first_want(lp->fmp_port);
	int have = 0;

	fmp_rx_begin(rx, buf, packet_len - (odd ? 5 : 6));
	for (;;) {
		/* A word at a time: each part ends where the next one is aligned. */
		want = min_t(int, ALIGN(want + SMC_FMP_ALIGN, 4) - SMC_FMP_ALIGN, total);
		if (want > have)
			SMC_PULL_DATA(lp, buf + have, want - have);
		have = want;
		switch (fmp_rx_header(lp->fmp_port, rx, min_t(u32, have, rx->frame_len))) {
		case FMP_RX_MORE:
			want = rx->want;
			break;
		case FMP_RX_STOP:
			fmp_rx_bus_count_read(&lp->fmp_bus, have);
			fmp_rx_bus_count_stop(&lp->fmp_bus, 0, total - have);
			SMC_WAIT_MMU_BUSY(lp);
			SMC_SET_MMU_CMD(lp, MC_RELEASE);
			return -1;
		case FMP_RX_PASS:
			return have;
		}
	}
}

/**
 * smc_fmp_read_rest() - read the rest of a frame that passed
 * @dev: the device
 * @buf: buffer for the whole frame, aligned as an skb's data
 * @have: bytes of it in smc_local.fmp_head
 * @total: bytes of it in all, with the control word
 *
 * Context: NAPI poll, smc_local.lock held.
 */
static void smc_fmp_read_rest(struct net_device *dev, u8 *buf, int have, int total)
{
	/* For PXA processors SMC_PULL_DATA() uses @dev, too. */
	struct smc_local *lp = netdev_priv(dev);
	void __iomem *ioaddr = lp->base;

	fmp_rx_bus_copy_head(buf, (u8 *)lp->fmp_head + SMC_FMP_ALIGN, have, FMP_RX_BUS_PLAIN_IPV4);
	if (total > have)
		SMC_PULL_DATA(lp, buf + have, total - have);
	fmp_rx_bus_count_read(&lp->fmp_bus, total);
}

/**
 * smc_fmp_poll() - napi_struct.poll: receive frames
 * @napi: the device's NAPI instance
 * @budget: maximum number of frames to receive
 *
 * The filter runs in softirq context; the interrupt handler only masks IM_RCV_INT. That
 * stays set while the chip has a frame, so none is missed when it is unmasked. Between
 * smc_reset() or smc_shutdown() and smc_enable(), which select other banks of registers without
 * the lock, the chip is left alone. The chip's pointer need not be kept, as the interrupt handler
 * keeps it: who moves data by it has bottom halves off, and the lock on SMP. The frames of a poll
 * go to the stack together, not through GRO, as before.
 *
 * Context: softirq.
 * Return: number of frames received, including stopped ones.
 */
static int smc_fmp_poll(struct napi_struct *napi, int budget)
{
	struct smc_local *lp = container_of(napi, struct smc_local, napi);
	void __iomem *ioaddr = lp->base;
	unsigned long flags;
	LIST_HEAD(passed);
	int work = 0;

	while (work < budget) {
		struct sk_buff *skb;

		spin_lock_irqsave(&lp->lock, flags);
		if (lp->fmp_off || !(SMC_GET_INT(lp) & IM_RCV_INT)) {
			spin_unlock_irqrestore(&lp->lock, flags);
			break;
		}
		skb = smc_rcv(lp->dev);
		spin_unlock_irqrestore(&lp->lock, flags);
		work++;
		if (skb)
			list_add_tail(&skb->list, &passed);
	}
	fmp_rx_bus_receive(&passed);
	if (work < budget && napi_complete_done(napi, work)) {
		spin_lock_irqsave(&lp->lock, flags);
		/* smc_enable() unmasks what smc_reset() masked. */
		if (!lp->fmp_off)
			SMC_SET_INT_MASK(lp, SMC_GET_INT_MASK(lp) | IM_RCV_INT);
		spin_unlock_irqrestore(&lp->lock, flags);
	}
	return work;
}

/**
 * smc_fmp_init() - ndo_init
 * @dev: the device
 *
 * Context: process, RTNL held.
 * Return: 0 or a negative error.
 */
static int smc_fmp_init(struct net_device *dev)
{
	struct smc_local *lp = netdev_priv(dev);

	lp->fmp_port = fmp_rx_register(dev, &smc_fmp_ops);
	if (IS_ERR(lp->fmp_port))
		return PTR_ERR(lp->fmp_port);
	netif_napi_add(dev, &lp->napi, smc_fmp_poll);
	return 0;
}

/**
 * smc_fmp_uninit() - ndo_uninit
 * @dev: the device
 *
 * Context: process, RTNL held.
 */
static void smc_fmp_uninit(struct net_device *dev)
{
	struct smc_local *lp = netdev_priv(dev);

	netif_napi_del(&lp->napi);
	fmp_rx_unregister(lp->fmp_port);
}

/**
 * smc_fmp_get_stats() - ethtool_ops.get_ethtool_stats
 * @dev: the device
 * @stats: unused
 * @data: the values
 *
 * Context: process, RTNL held.
 */
static void smc_fmp_get_stats(struct net_device *dev, struct ethtool_stats *stats, u64 *data)
{
	struct smc_local *lp = netdev_priv(dev);

	fmp_rx_bus_get_stats(&lp->fmp_bus, data);
}
