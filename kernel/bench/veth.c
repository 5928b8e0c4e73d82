// SPDX-License-Identifier: GPL-2.0
/*
 * Frames by a pair of veth devices: the one driver at hand that runs XDP by itself
 *
 * They are sent at one end and received at the other in a softirq of their own. Both are
 * timed; what that costs without XDP is a row too.
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
/* The end that frames are sent at. */
static struct net_device *fmpbench_veth_from;

/**
 * fmpbench_veth_get() - find the pair
 *
 * Context: process, one at a time.
 * Return: the end where frames come in, to be given back by fmpbench_veth_put();
 * NULL if there is no pair.
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
 * fmpbench_veth_put() - give the pair back
 * @nic: where frames came in
 *
 * Context: process.
 */
void fmpbench_veth_put(struct fmpbench_nic *nic)
{
	dev_put(fmpbench_veth_from);
	dev_put(nic->dev);
}

/**
 * fmpbench_veth_receive() - receive frames by the pair
 * @nic: where they come in
 * @air: where the frames come from
 * @n: how many
 *
 * Context: process, bottom halves off; they run before it returns.
 */
void fmpbench_veth_receive(struct fmpbench_nic *nic, struct fmpbench_air *air, unsigned int n)
{
	while (n--) {
		struct sk_buff *skb;

		fmpbench_air_next(air);
		skb = netdev_alloc_skb_ip_align(fmpbench_veth_from, FMPBENCH_FRAME_LEN);
		if (!skb)
			break;
		skb_put_data(skb, air->frame, FMPBENCH_FRAME_LEN);
		skb_reset_mac_header(skb);
		skb_set_network_header(skb, ETH_HLEN);
		skb->protocol = eth_hdr(skb)->h_proto;
		nic->taken++;
		dev_queue_xmit(skb);
	}
	local_bh_enable();
	/* Left to the softirq thread, whose batch is late; the next one must find room. */
	while (local_softirq_pending())
		usleep_range(50, 100);
	local_bh_disable();
}
