// SPDX-License-Identifier: GPL-2.0
/*
 * A station: a network device that receives frames header first
 *
 * The receiver is a NAPI instance in a thread of its own, "napi/DEVICE-ID", so
 * that its processor time is separate from that of the senders. It receives the
 * MAC header, calls the filter, receives as many more bytes as the filter wants,
 * and only then allocates an skb and receives the payload in bursts.
 */
#include "station.h"
#include "param.h"

#include <linux/capability.h>
#include <linux/etherdevice.h>
#include <linux/ethtool.h>
#include <net/fmp_rx.h>

/**
 * fmpbb_add_count() - add to a counter
 * @st: the station
 * @counter: enum fmpbb_counter
 * @n: number to add
 *
 * Context: the station's receiver.
 */
static void fmpbb_add_count(struct fmpbb_station *st, enum fmpbb_counter counter, u64 n)
{
	u64_stats_update_begin(&st->rx.sync);
	u64_stats_add(&st->rx.n[counter], n);
	u64_stats_update_end(&st->rx.sync);
}

/**
 * fmpbb_end_frame() - count a frame whose reception ends
 * @st: the station
 * @taken: bytes of it that were received
 * @counter: counter of its result
 * @bytes: counter of bytes for this result
 * @n: number to add to @bytes
 *
 * Context: the station's receiver.
 */
static void fmpbb_end_frame(struct fmpbb_station *st, u32 taken, enum fmpbb_counter counter,
			    enum fmpbb_counter bytes, u32 n)
{
	u64_stats_update_begin(&st->rx.sync);
	u64_stats_inc(&st->rx.n[FMPBB_COUNT_FRAMES]);
	u64_stats_add(&st->rx.n[FMPBB_COUNT_TAKEN_BYTES], taken);
	u64_stats_inc(&st->rx.n[counter]);
	u64_stats_add(&st->rx.n[bytes], n);
	u64_stats_update_end(&st->rx.sync);
}

/**
 * fmpbb_abort_frame() - fmp_rx_ops.stop: end the reception of a frame
 * @dev: the station's device
 * @rx: the frame
 * @taken: bytes of it that were received
 *
 * Context: the station's receiver, from within fmp_rx_header().
 */
static void fmpbb_abort_frame(struct net_device *dev, const struct fmp_rx *rx, u32 taken)
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
	.stop = fmpbb_abort_frame,
};

/**
 * fmpbb_receive_payload() - receive the rest of a frame in bursts and deliver it
 * @st: the station
 * @slot: the frame
 * @rx: the frame, its first bytes in the staging buffer
 * @taken: number of these bytes
 *
 * Context: the station's receiver.
 */
static void fmpbb_receive_payload(struct fmpbb_station *st, const struct fmpbb_slot *slot,
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

	if (!fmpbb_slot_is_intact(slot, st->cursor)) {
		kfree_skb(skb);
		fmpbb_add_count(st, FMPBB_COUNT_OVERRUNS, 1);
		return;
	}
	fmpbb_end_frame(st, rx->frame_len, FMPBB_COUNT_DELIVERED, FMPBB_COUNT_DELIVERED_BYTES,
			rx->frame_len);
	fmp_rx_deliver(st->port, rx, skb);
	napi_gro_receive(&st->napi, skb);
}

/**
 * fmpbb_receive_frame() - receive a frame until the filter passes or stops it
 * @st: the station
 * @slot: the frame, number @st->cursor
 *
 * Context: the station's receiver.
 */
static void fmpbb_receive_frame(struct fmpbb_station *st, const struct fmpbb_slot *slot)
{
	enum fmp_rx_action action;
	u32 taken = ETH_HLEN;
	struct fmp_rx rx;

	fmp_rx_begin(&rx, st->staging, READ_ONCE(slot->len));
	memcpy(st->staging, slot->data, ETH_HLEN);
	for (;;) {
		if (unlikely(!fmpbb_slot_is_intact(slot, st->cursor))) {
			fmpbb_add_count(st, FMPBB_COUNT_OVERRUNS, 1);
			return;
		}
		action = fmp_rx_header(st->port, &rx, taken);
		if (action != FMP_RX_MORE)
			break;
		memcpy(st->staging + taken, slot->data + taken, rx.want - taken);
		taken = rx.want;
	}

	if (action == FMP_RX_PASS)
		fmpbb_receive_payload(st, slot, &rx, taken);
	else if (rx.late)
		fmpbb_end_frame(st, taken, FMPBB_COUNT_LATE, FMPBB_COUNT_ABORTED_BYTES, 0);
}

/**
 * fmpbb_napi_poll() - napi_struct.poll: the receiver
 * @napi: the station's NAPI instance
 * @budget: maximum number of frames to receive
 *
 * Context: the NAPI thread, bottom halves off.
 * Return: number of frames received, including stopped ones.
 */
static int fmpbb_napi_poll(struct napi_struct *napi, int budget)
{
	struct fmpbb_station *st = container_of(napi, struct fmpbb_station, napi);
	const struct fmpbb_slot *slot;
	unsigned long lost;
	int work = 0;

	while (work < budget) {
		enum fmpbb_rx_state state = fmpbb_medium_next_frame(&st->cursor, &lost, &slot);

		if (state == FMPBB_RX_NONE)
			break;
		work++;
		if (state == FMPBB_RX_OVERRUN) {
			fmpbb_add_count(st, FMPBB_COUNT_OVERRUNS, lost);
			continue;
		}
		if (READ_ONCE(slot->from) != st)
			fmpbb_receive_frame(st, slot);
		st->cursor++;
	}
	if (work < budget)
		napi_complete_done(napi, work);
	return work;
}

/**
 * fmpbb_start_xmit() - ndo_start_xmit
 * @skb: the frame
 * @dev: the station's device
 *
 * Context: bottom halves off, transmit lock held.
 * Return: NETDEV_TX_OK, or NETDEV_TX_BUSY while another frame occupies the medium.
 */
static netdev_tx_t fmpbb_start_xmit(struct sk_buff *skb, struct net_device *dev)
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

	/* Not earlier: the thread is named after the device, which has its name now. */
	netif_napi_add(dev, &st->napi, fmpbb_napi_poll);
	err = dev_set_threaded(dev, NETDEV_NAPI_THREADED_ENABLED);
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
	.ndo_start_xmit = fmpbb_start_xmit,
	.ndo_get_stats64 = fmpbb_counters_stats64,
	.ndo_set_mac_address = eth_mac_addr,
	.ndo_validate_addr = eth_validate_addr,
};

/**
 * fmpbb_setup() - rtnl_link_ops.setup: initialize a device as a station
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
 * fmpbb_validate() - check the caller and the address of "ip link add ... type fmpbb"
 * @tb: attributes of the link
 * @data: none
 * @extack: filled with the reason on error
 *
 * All namespaces share the medium. So a capability of a user namespace, which any user can
 * have, is not enough to make a station.
 *
 * Context: process, RTNL held.
 * Return: 0, -EPERM or -EADDRNOTAVAIL.
 */
static int fmpbb_validate(struct nlattr *tb[], struct nlattr *data[],
			  struct netlink_ext_ack *extack)
{
	struct nlattr *mac = tb[IFLA_ADDRESS];

	if (!capable(CAP_NET_ADMIN)) {
		NL_SET_ERR_MSG(extack, "shared by all namespaces: needs CAP_NET_ADMIN of the host");
		return -EPERM;
	}
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
	/* When its network namespace is destroyed a station returns to the initial one. */
	.netns_refund = true,
};

/**
 * fmpbb_station_create() - create station bbN
 * @number: N; also the last byte of its MAC address
 *
 * Context: process.
 * Return: 0 or a negative error.
 */
int __init fmpbb_station_create(unsigned int number)
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
