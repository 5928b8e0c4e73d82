// SPDX-License-Identifier: GPL-2.0
/*
 * Two devices with one difference: the driver of one calls the pre-MAC filter
 *
 * Both copy the frame into a new skb, as a driver with a receive FIFO does, and
 * deliver it by netif_receive_skb().
 */
#include "nic.h"
#include "frame.h"

#include <linux/err.h>
#include <linux/etherdevice.h>

/**
 * fmpbench_alloc_skb() - allocate an skb with a frame
 * @dev: the receiving device
 * @frame: the frame
 *
 * Context: bottom halves off.
 * Return: the skb, or NULL.
 */
static __always_inline struct sk_buff *fmpbench_alloc_skb(struct net_device *dev, const u8 *frame)
{
	struct sk_buff *skb = netdev_alloc_skb_ip_align(dev, FMPBENCH_FRAME_LEN);

	if (likely(skb))
		skb_put_data(skb, frame, FMPBENCH_FRAME_LEN);
	return skb;
}

/**
 * fmpbench_nic_receive() - receive frames with a driver that does not call the filter
 * @nic: the device
 * @src: generator of the frames
 * @n: number of frames
 *
 * Context: bottom halves off.
 */
void fmpbench_nic_receive(struct fmpbench_nic *nic, struct fmpbench_source *src, unsigned int n)
{
	struct net_device *dev = nic->dev;

	while (n--) {
		struct sk_buff *skb;

		fmpbench_source_next(src);
		skb = fmpbench_alloc_skb(dev, src->frame);
		if (!skb)
			return;
		nic->taken++;
		skb->protocol = eth_type_trans(skb, dev);
		netif_receive_skb(skb);
	}
}

/**
 * fmpbench_nic_filter_receive() - receive frames with a driver that calls the filter
 * @nic: the device, created with a filter
 * @src: generator of the frames
 * @n: number of frames
 *
 * Context: bottom halves off.
 */
void fmpbench_nic_filter_receive(struct fmpbench_nic *nic, struct fmpbench_source *src,
				 unsigned int n)
{
	struct net_device *dev = nic->dev;
	/* Outside the loop: a kernel that zeroes stack variables would zero it for each frame. */
	struct fmp_rx rx;

	while (n--) {
		enum fmp_rx_action action;
		u32 avail = FMPBENCH_FIRST_LEN;
		struct sk_buff *skb;

		fmpbench_source_next(src);
		fmp_rx_begin(&rx, src->frame, FMPBENCH_FRAME_LEN);
		while ((action = fmp_rx_header(nic->port, &rx, avail)) == FMP_RX_MORE)
			avail = rx.want;
		if (action == FMP_RX_STOP) {
			nic->stopped[rx.reason]++;
			continue;
		}
		skb = fmpbench_alloc_skb(dev, src->frame);
		if (!skb)
			return;
		nic->taken++;
		fmp_rx_deliver(nic->port, &rx, skb);
		netif_receive_skb(skb);
	}
}

/**
 * fmpbench_start_xmit() - ndo_start_xmit: discard the frame
 * @skb: the frame
 * @dev: the device
 *
 * Context: bottom halves off.
 * Return: NETDEV_TX_OK.
 */
static netdev_tx_t fmpbench_start_xmit(struct sk_buff *skb, struct net_device *dev)
{
	dev_consume_skb_any(skb);
	return NETDEV_TX_OK;
}

static const struct fmp_rx_ops fmpbench_rx_ops = {};

/**
 * fmpbench_filter_init() - ndo_init of the device with the filter
 * @dev: the device
 *
 * Context: process, RTNL held.
 * Return: 0 or a negative error.
 */
static int fmpbench_filter_init(struct net_device *dev)
{
	struct fmpbench_nic *nic = netdev_priv(dev);

	nic->port = fmp_rx_register(dev, &fmpbench_rx_ops);
	return PTR_ERR_OR_ZERO(nic->port);
}

/**
 * fmpbench_filter_uninit() - ndo_uninit of the device with the filter
 * @dev: the device
 *
 * Context: process, RTNL held.
 */
static void fmpbench_filter_uninit(struct net_device *dev)
{
	struct fmpbench_nic *nic = netdev_priv(dev);

	fmp_rx_unregister(nic->port);
}

static const struct net_device_ops fmpbench_ops = {
	.ndo_start_xmit = fmpbench_start_xmit,
	.ndo_set_mac_address = eth_mac_addr,
	.ndo_validate_addr = eth_validate_addr,
};

static const struct net_device_ops fmpbench_filter_ops = {
	.ndo_init = fmpbench_filter_init,
	.ndo_uninit = fmpbench_filter_uninit,
	.ndo_start_xmit = fmpbench_start_xmit,
	.ndo_set_mac_address = eth_mac_addr,
	.ndo_validate_addr = eth_validate_addr,
};

/**
 * fmpbench_nic_create() - create a device
 * @name: its name
 * @with_filter: its driver calls the pre-MAC filter
 *
 * Context: process.
 * Return: the device, or an ERR_PTR.
 */
struct fmpbench_nic *fmpbench_nic_create(const char *name, bool with_filter)
{
	struct fmpbench_nic *nic;
	struct net_device *dev;
	int err;

	dev = alloc_netdev(sizeof(struct fmpbench_nic), name, NET_NAME_ENUM, ether_setup);
	if (!dev)
		return ERR_PTR(-ENOMEM);
	nic = netdev_priv(dev);
	nic->dev = dev;
	dev->netdev_ops = with_filter ? &fmpbench_filter_ops : &fmpbench_ops;
	eth_hw_addr_random(dev);
	err = register_netdev(dev);
	if (err) {
		free_netdev(dev);
		return ERR_PTR(err);
	}
	return nic;
}

/**
 * fmpbench_nic_destroy() - remove a device
 * @nic: the device
 *
 * Context: process, may sleep.
 */
void fmpbench_nic_destroy(struct fmpbench_nic *nic)
{
	struct net_device *dev = nic->dev;

	unregister_netdev(dev);
	free_netdev(dev);
}
