// SPDX-License-Identifier: GPL-2.0
/*
 * A device whose driver asks for frames with 802.11 headers, for the suites
 */
#include "radio.h"

#include <linux/etherdevice.h>
#include <linux/in.h>
#include <linux/rtnetlink.h>

struct net_device *fmp_radio_dev;
struct fmp_rx_port *fmp_radio_port;
u32 fmp_radio_taken;

/**
 * fmp_radio_stop() - fmp_rx_ops.stop
 * @dev: not used
 * @rx: not used
 * @taken: bytes received
 */
static void fmp_radio_stop(struct net_device *dev, const struct fmp_rx *rx, u32 taken)
{
	fmp_radio_taken = taken;
}

const struct fmp_rx_ops fmp_radio_ops = {
	.stop = fmp_radio_stop,
	.flags = FMP_RX_F_80211,
};

/**
 * fmp_radio_init() - make rules and a device that uses them
 * @test: the case
 *
 * Return: 0 or a negative error.
 */
int fmp_radio_init(struct kunit *test)
{
	static const u8 addr[ETH_ALEN] = { 0x02, 0, 0, 0, 0, FMP_TEST_DST };
	struct fmp_world *w;
	int err;

	err = fmp_world_init(test);
	if (err)
		return err;
	w = test->priv;
	fmp_radio_taken = 0;
	fmp_radio_dev = alloc_etherdev(0);
	if (!fmp_radio_dev)
		return -ENOMEM;
	eth_hw_addr_set(fmp_radio_dev, addr);
	rtnl_lock();
	fmp_radio_port = fmp_rx_register(fmp_radio_dev, &fmp_radio_ops);
	rtnl_unlock();
	if (IS_ERR(fmp_radio_port)) {
		free_netdev(fmp_radio_dev);
		fmp_radio_dev = NULL;
		return PTR_ERR(fmp_radio_port);
	}
	rcu_assign_pointer(fmp_radio_port->tables, &w->ts);
	return 0;
}

/**
 * fmp_radio_exit() - undo fmp_radio_init()
 * @test: the case
 */
void fmp_radio_exit(struct kunit *test)
{
	if (fmp_radio_dev) {
		rtnl_lock();
		fmp_rx_unregister(fmp_radio_port);
		rtnl_unlock();
		free_netdev(fmp_radio_dev);
		fmp_radio_dev = NULL;
	}
	fmp_world_exit(test);
}

/**
 * fmp_radio_frame() - make a data frame with an IPv4 packet of the sender, and payload
 * @f: filled
 * @fc0: first byte of the frame control field
 * @fc1: its second byte
 */
void fmp_radio_frame(struct fmp_frame *f, u8 fc0, u8 fc1)
{
	fmp_frame_80211(f, fc0, fc1, FMP_TEST_SRC, FMP_RADIO_CELL, 1, ETH_P_IP);
	fmp_frame_ipv4(f, FMP_TEST_SRC, 0, 0, IPPROTO_UDP);
	f->len += FMP_RADIO_PAYLOAD;
}
