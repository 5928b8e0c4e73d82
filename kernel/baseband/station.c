// SPDX-License-Identifier: GPL-2.0
/*
 * A station: a network device that receives frames header first
 *
 * The receiver is a NAPI instance in a thread of its own, "napi/DEVICE-ID", so
 * that its processor time can be told from that of the senders. It takes the
 * MAC header, asks the filter, takes as many bytes more as the filter wants,
 * and only then makes an skb and takes the payload in bursts.
 */
#include "station.h"
#include "param.h"

#include <linux/etherdevice.h>
#include <linux/ethtool.h>
#include <net/fmp_rx.h>

/**
 * fmpbb_count() - count one thing
 * @st: the station
 * @what: enum fmpbb_count
 * @n: how much
 *
 * Context: the station's receiver.
 */
static void fmpbb_count(struct fmpbb_station *st, enum fmpbb_count what, u64 n)
{
	u64_stats_update_begin(&st->rx.sync);
	u64_stats_add(&st->rx.n[what], n);
	u64_stats_update_end(&st->rx.sync);
}

/**
 * fmpbb_end_frame() - count a frame whose reception ends
 * @st: the station
 * @taken: bytes of it that were taken
 * @what: how it ended
 * @bytes: the counter of bytes that belongs to that
 * @n: bytes for it
 *
 * Context: the station's receiver.
 */
static void fmpbb_end_frame(struct fmpbb_station *st, u32 taken, enum fmpbb_count what,
			    enum fmpbb_count bytes, u32 n)
{
	u64_stats_update_begin(&st->rx.sync);
	u64_stats_inc(&st->rx.n[FMPBB_COUNT_FRAMES]);
	u64_stats_add(&st->rx.n[FMPBB_COUNT_TAKEN_BYTES], taken);
	u64_stats_inc(&st->rx.n[what]);
	u64_stats_add(&st->rx.n[bytes], n);
	u64_stats_update_end(&st->rx.sync);
}

/**
 * fmpbb_abort() - the filter's STOP: leave the rest of a frame in the air
 * @dev: the station's device
 * @rx: the frame
 * @taken: bytes of it that were taken
 *
 * Context: the station's receiver, from within fmp_rx_header().
 */
static void fmpbb_abort(struct net_device *dev, const struct fmp_rx *rx, u32 taken)
{
	static const u8 count[] = {
		[FMP_RX_REASON_MAC] = FMPBB_COUNT_ABORTED_MAC,
		[FMP_RX_REASON_IP] = FMPBB_COUNT_ABORTED_IP,
		[FMP_RX_REASON_FOREIGN] = FMPBB_COUNT_ABORTED_FOREIGN,
	};

	fmpbb_end_frame(netdev_priv(dev), taken, count[rx->reason], FMPBB_COUNT_ABORTED_BYTES,
			rx->frame_len - taken);
}

static const struct fmp_rx_ops fmpbb_rx_ops = {
	.stop = fmpbb_abort,
};

/**
 * fmpbb_take_payload() - receive what is left of a frame, in bursts
 * @st: the station
 * @slot: the frame
 * @rx: the frame, its first bytes in the staging buffer
 * @taken: how many these are
 *
 * Context: the station's receiver.
 */
static void fmpbb_take_payload(struct fmpbb_station *st, const struct fmpbb_slot *slot,
			       struct fmp_rx *rx, u32 taken)
{
	u32 burst = fmpbb_param_get(&fmpbb_burst_bytes);
	struct sk_buff *skb;

	skb = napi_alloc_skb(&st->napi, rx->frame_len);
	if (!skb) {
		fmpbb_end_frame(st, taken, FMPBB_COUNT_NO_MEMORY, FMPBB_COUNT_TAKEN_BYTES, 0);
		return;
	}
	skb_put_data(skb, st->staging, taken);
	while (skb->len < rx->frame_len)
		skb_put_data(skb, slot->data + skb->len, min(burst, rx->frame_len - skb->len));

	if (!fmpbb_slot_intact(slot, st->cursor)) {
		kfree_skb(skb);
		fmpbb_count(st, FMPBB_COUNT_OVERRUNS, 1);
		return;
	}
	fmpbb_end_frame(st, rx->frame_len, FMPBB_COUNT_DELIVERED, FMPBB_COUNT_DELIVERED_BYTES,
			rx->frame_len);
	fmp_rx_deliver(st->port, rx, skb);
	napi_gro_receive(&st->napi, skb);
}

/**
 * fmpbb_receive() - receive a frame, as far as the filter lets it
 * @st: the station
 * @slot: the frame, number @st->cursor
 *
 * Context: the station's receiver.
 */
static void fmpbb_receive(struct fmpbb_station *st, const struct fmpbb_slot *slot)
{
	enum fmp_rx_action action;
	u32 taken = ETH_HLEN;
	struct fmp_rx rx;

	fmp_rx_begin(&rx, st->staging, READ_ONCE(slot->len));
	memcpy(st->staging, slot->data, ETH_HLEN);
	for (;;) {
		if (unlikely(!fmpbb_slot_intact(slot, st->cursor))) {
			fmpbb_count(st, FMPBB_COUNT_OVERRUNS, 1);
			return;
		}
		action = fmp_rx_header(st->port, &rx, taken);
		if (action != FMP_RX_MORE)
			break;
		memcpy(st->staging + taken, slot->data + taken, rx.want - taken);
		taken = rx.want;
	}

	if (action == FMP_RX_PASS)
		fmpbb_take_payload(st, slot, &rx, taken);
	else if (rx.late)
		fmpbb_end_frame(st, taken, FMPBB_COUNT_LATE, FMPBB_COUNT_ABORTED_BYTES, 0);
}

/**
 * fmpbb_poll() - the receiver
 * @napi: the station's
 * @budget: most frames to receive
 *
 * Context: the NAPI thread, bottom halves off.
 * Return: frames received, stopped ones among them.
 */
static int fmpbb_poll(struct napi_struct *napi, int budget)
{
	struct fmpbb_station *st = container_of(napi, struct fmpbb_station, napi);
	const struct fmpbb_slot *slot;
	unsigned long lost;
	int work = 0;

	while (work < budget) {
		enum fmpbb_sight sight = fmpbb_medium_look(&st->cursor, &lost, &slot);

		if (sight == FMPBB_SIGHT_NONE)
			break;
		work++;
		if (sight == FMPBB_SIGHT_OVERRUN) {
			fmpbb_count(st, FMPBB_COUNT_OVERRUNS, lost);
			continue;
		}
		if (READ_ONCE(slot->from) != st)
			fmpbb_receive(st, slot);
		st->cursor++;
	}
	if (work < budget)
		napi_complete_done(napi, work);
	return work;
}

/**
 * fmpbb_xmit() - ndo_start_xmit
 * @skb: the frame
 * @dev: the station's device
 *
 * Context: bottom halves off, transmit lock held.
 * Return: NETDEV_TX_OK, or NETDEV_TX_BUSY when somebody else's frame is in the
 * air.
 */
static netdev_tx_t fmpbb_xmit(struct sk_buff *skb, struct net_device *dev)
{
	struct fmpbb_station *st = netdev_priv(dev);
	bool fits = skb->len >= ETH_HLEN && skb->len <= FMPBB_FRAME_MAX;

	if (fits && !fmpbb_medium_send(st, skb))
		return NETDEV_TX_BUSY;

	u64_stats_update_begin(&st->tx.sync);
	if (fits) {
		u64_stats_inc(&st->tx.frames);
		u64_stats_add(&st->tx.bytes, skb->len);
	} else {
		u64_stats_inc(&st->tx.refused);
	}
	u64_stats_update_end(&st->tx.sync);

	if (!fits) {
		dev_kfree_skb_any(skb);
		return NETDEV_TX_OK;
	}
	skb_tx_timestamp(skb);
	dev_consume_skb_any(skb);
	return NETDEV_TX_OK;
}

/**
 * fmpbb_open() - ndo_open
 * @dev: the station's device
 *
 * Context: process, RTNL held.
 * Return: 0.
 */
static int fmpbb_open(struct net_device *dev)
{
	struct fmpbb_station *st = netdev_priv(dev);

	napi_enable(&st->napi);
	st->cursor = fmpbb_medium_join(st);
	netif_start_queue(dev);
	return 0;
}

/**
 * fmpbb_stop() - ndo_stop
 * @dev: the station's device
 *
 * Context: process, RTNL held.
 * Return: 0.
 */
static int fmpbb_stop(struct net_device *dev)
{
	struct fmpbb_station *st = netdev_priv(dev);

	netif_stop_queue(dev);
	fmpbb_medium_leave(st);
	napi_disable(&st->napi);
	return 0;
}

/**
 * fmpbb_init() - ndo_init
 * @dev: the station's device
 *
 * Context: process, RTNL held.
 * Return: 0 or a negative error.
 */
static int fmpbb_init(struct net_device *dev)
{
	struct fmpbb_station *st = netdev_priv(dev);
	int err;

	st->dev = dev;
	u64_stats_init(&st->rx.sync);
	u64_stats_init(&st->tx.sync);
	st->port = fmp_rx_register(dev, &fmpbb_rx_ops);
	if (IS_ERR(st->port))
		return PTR_ERR(st->port);

	/* Here, where the device has its name: the thread is called by it. */
	netif_napi_add(dev, &st->napi, fmpbb_poll);
	err = dev_set_threaded(dev, true);
	if (err)
		goto err_napi;
	return 0;

err_napi:
	netif_napi_del(&st->napi);
	fmp_rx_unregister(st->port);
	return err;
}

/**
 * fmpbb_uninit() - ndo_uninit
 * @dev: the station's device
 *
 * Context: process, RTNL held.
 */
static void fmpbb_uninit(struct net_device *dev)
{
	struct fmpbb_station *st = netdev_priv(dev);

	netif_napi_del(&st->napi);
	fmp_rx_unregister(st->port);
}

static const struct net_device_ops fmpbb_ops = {
	.ndo_init = fmpbb_init,
	.ndo_uninit = fmpbb_uninit,
	.ndo_open = fmpbb_open,
	.ndo_stop = fmpbb_stop,
	.ndo_start_xmit = fmpbb_xmit,
	.ndo_get_stats64 = fmpbb_counters_stats64,
	.ndo_set_mac_address = eth_mac_addr,
	.ndo_validate_addr = eth_validate_addr,
};

/**
 * fmpbb_setup() - make a device a station
 * @dev: the device
 *
 * Context: process.
 */
static void fmpbb_setup(struct net_device *dev)
{
	ether_setup(dev);
	dev->netdev_ops = &fmpbb_ops;
	dev->ethtool_ops = &fmpbb_ethtool_ops;
	dev->needs_free_netdev = true;
	dev->priv_flags |= IFF_LIVE_ADDR_CHANGE;
	dev->max_mtu = ETH_DATA_LEN;
	eth_hw_addr_random(dev);
}

/**
 * fmpbb_validate() - check the address of "ip link add ... type fmpbb"
 * @tb: attributes of the link
 * @data: none
 * @extack: says what is wrong
 *
 * Context: process, RTNL held.
 * Return: 0 or -EADDRNOTAVAIL.
 */
static int fmpbb_validate(struct nlattr *tb[], struct nlattr *data[],
			  struct netlink_ext_ack *extack)
{
	struct nlattr *mac = tb[IFLA_ADDRESS];

	if (mac && (nla_len(mac) != ETH_ALEN || !is_valid_ether_addr(nla_data(mac)))) {
		NL_SET_ERR_MSG_ATTR(extack, mac, "not a unicast MAC address");
		return -EADDRNOTAVAIL;
	}
	return 0;
}

struct rtnl_link_ops fmpbb_link_ops = {
	.kind = "fmpbb",
	.priv_size = sizeof(struct fmpbb_station),
	.setup = fmpbb_setup,
	.validate = fmpbb_validate,
	/* A radio outlives the network namespace it was lent to. */
	.netns_refund = true,
};

/**
 * fmpbb_station_make() - make station bbN
 * @number: N; also the last byte of its MAC address
 *
 * Context: process.
 * Return: 0 or a negative error.
 */
int __init fmpbb_station_make(unsigned int number)
{
	const u8 mac[ETH_ALEN] = { 0x02, 'f', 'm', 'p', 0, number };
	struct net_device *dev;
	int err;

	dev = alloc_netdev(sizeof(struct fmpbb_station), "bb%d", NET_NAME_ENUM, fmpbb_setup);
	if (!dev)
		return -ENOMEM;
	eth_hw_addr_set(dev, mac);
	dev->rtnl_link_ops = &fmpbb_link_ops;
	err = register_netdev(dev);
	if (err)
		free_netdev(dev);
	return err;
}
