// SPDX-License-Identifier: GPL-2.0
/*
 * Frames through a pair of veth devices: the only available driver with native XDP
 *
 * Frames are sent at one end and received at the other in a separate softirq. Both are
 * timed; a run without XDP gives the cost to subtract.
 */
#include "veth.h"
#include "frame.h"
#include "nic.h"

#include <linux/delay.h>
#include <linux/etherdevice.h>
#include <linux/interrupt.h>
#include <net/net_namespace.h>

#define FMPBENCH_VETH_FROM "veth1"
#define FMPBENCH_VETH_TO   "veth0"

static struct fmpbench_nic fmpbench_veth;
/* The sending end. */
static struct net_device *fmpbench_veth_from;

/**
 * fmpbench_veth_get() - find the pair
 *
 * Context: process, one at a time.
 * Return: the receiving end, to be released by fmpbench_veth_put(); NULL if there
 * is no pair.
 */
struct fmpbench_nic *fmpbench_veth_get(void)
{
	struct net_device *from = dev_get_by_name(&init_net, FMPBENCH_VETH_FROM);
	struct net_device *to = dev_get_by_name(&init_net, FMPBENCH_VETH_TO);

	if (!from || !to) {
		dev_put(from);
		dev_put(to);
		return NULL;
	}
	fmpbench_veth_from = from;
	fmpbench_veth.dev = to;
	return &fmpbench_veth;
}

/**
 * fmpbench_veth_put() - release the pair
 * @nic: the receiving end
 *
 * Context: process.
 */
void fmpbench_veth_put(struct fmpbench_nic *nic)
{
	dev_put(fmpbench_veth_from);
	dev_put(nic->dev);
}

/**
 * fmpbench_veth_receive() - receive frames through the pair
 * @nic: the receiving end
 * @src: generator of the frames
 * @n: number of frames
 *
 * Context: process, bottom halves off; it enables them to run the softirq.
 */
void fmpbench_veth_receive(struct fmpbench_nic *nic, struct fmpbench_source *src, unsigned int n)
{
	while (n--) {
		struct sk_buff *skb;

		fmpbench_source_next(src);
		skb = netdev_alloc_skb_ip_align(fmpbench_veth_from, FMPBENCH_FRAME_LEN);
		if (!skb)
			break;
		skb_put_data(skb, src->frame, FMPBENCH_FRAME_LEN);
		skb_reset_mac_header(skb);
		skb_set_network_header(skb, ETH_HLEN);
		skb->protocol = eth_hdr(skb)->h_proto;
		nic->taken++;
		dev_queue_xmit(skb);
	}
	/*
	 * Wait for the softirq thread of this processor: its queue must have room for the next
	 * batch.
	 */
	migrate_disable();
	local_bh_enable();
	while (local_softirq_pending())
		usleep_range(50, 100);
	local_bh_disable();
	migrate_enable();
}
