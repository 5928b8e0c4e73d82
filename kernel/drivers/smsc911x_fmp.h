/* SPDX-License-Identifier: GPL-2.0 */
/*
 * smsc911x and the pre-MAC filter: what smsc911x.cocci includes into smsc911x.c
 *
 * In that file and behind smsc911x_rx_fastforward(), whose registers and structures it
 * uses.
 */

static bool fmp_drain;
module_param(fmp_drain, bool, 0644);
MODULE_PARM_DESC(fmp_drain, "read the rest of a stopped frame instead of skipping it");

/* The return value of fmp_rx_header() says all. */
static const struct fmp_rx_ops smsc911x_fmp_ops = {};

/**
 * smsc911x_fmp_wait() - wait until the chip has skipped the rest of a frame
 * @pdata: the device
 *
 * Context: NAPI poll.
 */
static noinline void smsc911x_fmp_wait(struct smsc911x_data *pdata)
{
	unsigned int tries = 500;

	do {
		udelay(1);
		if (!(smsc911x_reg_read(pdata, RX_DP_CTRL) & RX_DP_CTRL_RX_FFWD_))
			return;
	} while (--tries);
	SMSC_WARN(pdata, hw, "RX FFWD does not finish");
}

/**
 * smsc911x_fmp_get_rxstatus() - get the status of the next frame
 * @pdata: the device
 *
 * As smsc911x_rx_get_rxstatus(), but under one lock. The chip may still be skipping the frame
 * before; it has finished once this returns, as then the RX data FIFO is read. The reads of the
 * status are longer than the 45 ns that RX_DP_CTRL wants between a write and a read.
 *
 * Context: NAPI poll.
 * Return: the status, 0 if there is no frame.
 */
static unsigned int smsc911x_fmp_get_rxstatus(struct smsc911x_data *pdata)
{
	unsigned int rxstat, busy = 0;
	unsigned long flags;

	spin_lock_irqsave(&pdata->dev_lock, flags);
	rxstat = pdata->ops->reg_read(pdata, RX_FIFO_INF) & RX_FIFO_INF_RXSUSED_;
	if (rxstat)
		rxstat = pdata->ops->reg_read(pdata, RX_STATUS_FIFO);
	if (pdata->fmp_skipping)
		busy = pdata->ops->reg_read(pdata, RX_DP_CTRL) & RX_DP_CTRL_RX_FFWD_;
	spin_unlock_irqrestore(&pdata->dev_lock, flags);

	if (unlikely(busy))
		smsc911x_fmp_wait(pdata);
	pdata->fmp_skipping = false;
	return rxstat;
}

/**
 * smsc911x_fmp_skip_rest() - end the reception of a frame
 * @pdata: the device
 * @words: words that it has left in the RX data FIFO
 *
 * The chip skips four words or more, and smsc911x_fmp_get_rxstatus() waits for it; fewer are
 * read.
 *
 * Context: NAPI poll.
 */
static void smsc911x_fmp_skip_rest(struct smsc911x_data *pdata, unsigned int words)
{
	bool drain = fmp_drain || words < 4;

	fmp_rx_bus_count_stop(&pdata->fmp_bus, drain ? words : 0, drain ? 0 : words);
	if (!drain) {
		pdata->fmp_skipping = true;
		smsc911x_reg_write(pdata, RX_DP_CTRL, RX_DP_CTRL_RX_FFWD_);
		return;
	}
	while (words--)
		smsc911x_reg_read(pdata, RX_DATA_FIFO);
}

/**
 * smsc911x_fmp_check() - read the header of a frame and ask the filter
 * @pdata: the device
 * @pktlength: bytes of the frame, with its checksum
 * @pktwords: words of it in the RX data FIFO
 *
 * The frame's state is in the private structure: on the stack many kernels would clear it first.
 *
 * Context: NAPI poll.
 * Return: number of words in smsc911x_data.fmp_head, 0 if the frame was stopped.
 */
static unsigned int smsc911x_fmp_check(struct smsc911x_data *pdata, unsigned int pktlength,
				       unsigned int pktwords)
{
	unsigned int want = min(pktwords, pdata->fmp_want);
	struct fmp_rx *rx = &pdata->fmp_rx;
	unsigned int have = 0;

	fmp_rx_begin(rx, (u8 *)pdata->fmp_head + NET_IP_ALIGN, pktlength - ETH_FCS_LEN);
	for (;;) {
		pdata->ops->rx_readfifo(pdata, pdata->fmp_head + have, want - have);
		have = want;
		switch (fmp_rx_header(pdata->fmp_port, rx,
				      min_t(u32, have * 4 - NET_IP_ALIGN, rx->frame_len))) {
		case FMP_RX_MORE:
			want = DIV_ROUND_UP(NET_IP_ALIGN + rx->want, 4);
			break;
		case FMP_RX_STOP:
			fmp_rx_bus_count_read(&pdata->fmp_bus, have);
			smsc911x_fmp_skip_rest(pdata, pktwords - have);
			return 0;
		case FMP_RX_PASS:
			return have;
		}
	}
}

/**
 * smsc911x_fmp_read_rest() - read the rest of a frame that passed
 * @pdata: the device
 * @buf: buffer for the whole frame
 * @have: words of it in smsc911x_data.fmp_head
 * @pktwords: words of it in all
 *
 * Context: NAPI poll.
 */
static void smsc911x_fmp_read_rest(struct smsc911x_data *pdata, unsigned int *buf,
				   unsigned int have, unsigned int pktwords)
{
	fmp_rx_bus_copy_head(buf, pdata->fmp_head, have * sizeof(*buf),
			     round_up(NET_IP_ALIGN + FMP_RX_BUS_PLAIN_IPV4, 4));
	pdata->ops->rx_readfifo(pdata, buf + have, pktwords - have);
	fmp_rx_bus_count_read(&pdata->fmp_bus, pktwords);
}

/**
 * smsc911x_fmp_init() - ndo_init
 * @dev: the device
 *
 * Context: process, RTNL held.
 * Return: 0 or a negative error.
 */
static int smsc911x_fmp_init(struct net_device *dev)
{
	struct smsc911x_data *pdata = netdev_priv(dev);

	pdata->fmp_port = fmp_rx_register(dev, &smsc911x_fmp_ops);
	return PTR_ERR_OR_ZERO(pdata->fmp_port);
}

/**
 * smsc911x_fmp_uninit() - ndo_uninit
 * @dev: the device
 *
 * Context: process, RTNL held.
 */
static void smsc911x_fmp_uninit(struct net_device *dev)
{
	struct smsc911x_data *pdata = netdev_priv(dev);

	fmp_rx_unregister(pdata->fmp_port);
}

/**
 * smsc911x_fmp_get_stats() - ethtool_ops.get_ethtool_stats
 * @dev: the device
 * @stats: unused
 * @data: the values
 *
 * Context: process, RTNL held.
 */
static void smsc911x_fmp_get_stats(struct net_device *dev, struct ethtool_stats *stats, u64 *data)
{
	struct smsc911x_data *pdata = netdev_priv(dev);

	fmp_rx_bus_get_stats(&pdata->fmp_bus, data);
}
