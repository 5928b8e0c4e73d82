// SPDX-License-Identifier: GPL-2.0
/*
 * A driver that asks for frames with 802.11 headers, byte by byte, and its port
 */
#include "frames.h"
#include "suites.h"
#include "world.h"

#include "../hook/mac80211.h"
#include "../path/dissect.h"
#include "../path/port.h"

#include <linux/completion.h>
#include <linux/etherdevice.h>
#include <linux/hrtimer.h>
#include <linux/in.h>
#include <linux/rtnetlink.h>
#include <linux/slab.h>
#if IS_ENABLED(CONFIG_CFG80211)
#include <net/cfg80211.h>
#endif
#ifdef FMP_HAVE_MAC80211
#include <net/mac80211.h>
#endif

#define BLOCK FMP_VERDICT_BLOCK
#define SRC   FMP_TEST_SRC
#define CELL  0x07

/* Bytes of a frame's headers: three addresses; with LLC, SNAP and IPv4; payload. */
#define HEAD_MAC 24
#define HEAD_IP4 (HEAD_MAC + 8 + 20)
#define PAYLOAD	 40

/* The device of a case, its port, and what fmp_rx_ops.stop was told last. */
static struct net_device *fmp_radio_dev;
static struct fmp_rx_port *fmp_radio_port;
static u32 fmp_radio_taken;

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

static const struct fmp_rx_ops fmp_radio_ops = {
	.stop = fmp_radio_stop,
	.flags = FMP_RX_F_80211,
};

/**
 * fmp_radio_init() - kunit_suite.init: make rules and a device that uses them
 * @test: the case
 *
 * Return: 0 or a negative error.
 */
static int fmp_radio_init(struct kunit *test)
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
 * fmp_radio_exit() - kunit_suite.exit: undo fmp_radio_init()
 * @test: the case
 */
static void fmp_radio_exit(struct kunit *test)
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
 * fmp_radio_count() - read a counter of the device
 * @stat: the counter
 *
 * Return: its value.
 */
static u64 fmp_radio_count(enum fmp_stat stat)
{
	u64 n[FMP_STATS];

	fmp_stats_sum(fmp_radio_port->stats, n);
	return n[stat];
}

/**
 * fmp_radio_frame() - make a data frame with an IPv4 packet of the sender, and payload
 * @f: filled
 * @fc0: first byte of the frame control field
 * @fc1: its second byte
 */
static void fmp_radio_frame(struct fmp_frame *f, u8 fc0, u8 fc1)
{
	fmp_frame_80211(f, fc0, fc1, SRC, CELL, 1, ETH_P_IP);
	fmp_frame_ipv4(f, SRC, 0, 0, IPPROTO_UDP);
	f->len += PAYLOAD;
}

/**
 * fmp_radio_receive() - receive a frame, with no more bytes than the filter wants
 * @test: the case
 * @f: the frame
 * @grain: minimum number of bytes received at a time
 * @at: set to the bytes received at the end
 *
 * The buffer ends with the last byte, so that KASAN reports a read beyond it, and its
 * address is odd.
 *
 * Return: %FMP_RX_PASS or %FMP_RX_STOP.
 */
static enum fmp_rx_action fmp_radio_receive(struct kunit *test, const struct fmp_frame *f,
					    u32 grain, u32 *at)
{
	enum fmp_rx_action action = FMP_RX_MORE;
	struct fmp_rx rx;

	*at = min(grain, f->len);
	fmp_rx_begin(&rx, NULL, f->len);
	while (action == FMP_RX_MORE) {
		u8 *buf = kmalloc(*at + 1, GFP_KERNEL);

		KUNIT_ASSERT_PTR_NE(test, buf, (u8 *)NULL);
		memcpy(buf + 1, f->data, *at);
		rx.buf = buf + 1;
		local_bh_disable();
		action = fmp_rx_header_80211(fmp_radio_port, &rx, *at);
		local_bh_enable();
		kfree(buf);
		if (action != FMP_RX_MORE)
			break;
		KUNIT_ASSERT_GT(test, rx.want, *at);
		KUNIT_ASSERT_LE(test, rx.want, f->len);
		*at = min(roundup(rx.want, grain), f->len);
	}
	return action;
}

static void a_frame_is_stopped_at_its_earliest_byte(struct kunit *test)
{
	struct fmp_frame f;
	u32 grain, at;

	fmp_radio_frame(&f, FMP_FC_DATA, 0);
	KUNIT_EXPECT_EQ(test, fmp_radio_receive(test, &f, 1, &at), FMP_RX_PASS);
	KUNIT_EXPECT_EQ(test, at, HEAD_MAC);
	KUNIT_ASSERT_EQ(test, FMP_RULE_ERR_NONE,
			fmp_world_add(test, fmp_ip4(FMP_TEST_IP4(SRC), 32, BLOCK)));
	KUNIT_EXPECT_EQ(test, fmp_radio_receive(test, &f, 1, &at), FMP_RX_STOP);
	KUNIT_EXPECT_EQ(test, at, HEAD_IP4);
	KUNIT_EXPECT_EQ(test, fmp_radio_taken, HEAD_IP4);
	KUNIT_EXPECT_EQ(test, fmp_radio_count(FMP_STAT_STOPPED_IP), 1);
	KUNIT_EXPECT_EQ(test, fmp_radio_count(FMP_STAT_STOPPED_BYTES), f.len - HEAD_IP4);
	KUNIT_ASSERT_EQ(test, FMP_RULE_ERR_NONE, fmp_world_add(test, fmp_mac(SRC, BLOCK)));
	KUNIT_EXPECT_EQ(test, fmp_radio_receive(test, &f, 1, &at), FMP_RX_STOP);
	KUNIT_EXPECT_EQ(test, at, HEAD_MAC);
	KUNIT_EXPECT_EQ(test, fmp_radio_taken, HEAD_MAC);
	for (grain = 1; grain < f.len; grain++)
		KUNIT_EXPECT_EQ(test, fmp_radio_receive(test, &f, grain, &at), FMP_RX_STOP);
	/* Whole already: the callback is not called. */
	fmp_radio_taken = 0;
	KUNIT_EXPECT_EQ(test, fmp_radio_receive(test, &f, f.len, &at), FMP_RX_STOP);
	KUNIT_EXPECT_EQ(test, fmp_radio_taken, 0);
	KUNIT_EXPECT_EQ(test, fmp_radio_count(FMP_STAT_DROPPED_LATE), 1);
}

static void a_hit_is_counted_once_a_frame(struct kunit *test)
{
	struct fmp_rule_spec mac = fmp_mac(SRC, BLOCK);
	struct fmp_frame f;
	u32 at;

	/* With a protected address the MAC rule is looked up first and does not decide. */
	KUNIT_ASSERT_EQ(test, FMP_RULE_ERR_NONE, fmp_world_add(test, mac));
	KUNIT_ASSERT_EQ(test, FMP_RULE_ERR_NONE,
			fmp_world_add(test, fmp_ip4(FMP_TEST_IP4(99), 32, FMP_VERDICT_PROTECT)));
	fmp_radio_frame(&f, FMP_FC_DATA, 0);
	KUNIT_EXPECT_EQ(test, fmp_radio_receive(test, &f, 1, &at), FMP_RX_STOP);
	KUNIT_EXPECT_EQ(test, at, HEAD_IP4);
	KUNIT_EXPECT_EQ(test, fmp_counter_read(&fmp_world_find(test, &mac)->hits), 1);
}

static void what_ingress_evaluates_is_not_counted(struct kunit *test)
{
	static const u8 fc[][2] = {
		{ FMP_FC_QOS, 0 },
		{ FMP_FC_DATA, FMP_FC_PROTECTED },
		{ FMP_FC_DATA, FMP_FC_MORE_FRAG },
	};
	struct fmp_rule_spec ip = fmp_ip4(FMP_TEST_IP4(SRC), 32, BLOCK);
	struct fmp_frame f;
	u32 at;
	int i;

	KUNIT_ASSERT_EQ(test, FMP_RULE_ERR_NONE, fmp_world_add(test, ip));
	fmp_radio_frame(&f, FMP_FC_DATA, 0);
	KUNIT_EXPECT_EQ(test, fmp_radio_receive(test, &f, 1, &at), FMP_RX_STOP);
	KUNIT_EXPECT_EQ(test, fmp_radio_port->cover, FMP_COVER_ALL);
	for (i = 0; i < ARRAY_SIZE(fc); i++) {
		fmp_radio_port->cover = FMP_COVER_ALL;
		fmp_radio_frame(&f, fc[i][0], fc[i][1]);
		KUNIT_EXPECT_EQ(test, fmp_radio_receive(test, &f, 1, &at), FMP_RX_PASS);
		KUNIT_EXPECT_EQ(test, fmp_radio_port->cover, FMP_COVER_PART);
	}
	KUNIT_EXPECT_EQ(test, fmp_radio_count(FMP_STAT_RX_FRAMES), 1);
	/* From now on ingress evaluates all but blocked transmitters. */
	fmp_radio_frame(&f, FMP_FC_DATA, 0);
	KUNIT_EXPECT_EQ(test, fmp_radio_receive(test, &f, 1, &at), FMP_RX_PASS);
	KUNIT_EXPECT_EQ(test, fmp_radio_count(FMP_STAT_RX_FRAMES), 1);
	KUNIT_ASSERT_EQ(test, FMP_RULE_ERR_NONE, fmp_world_add(test, fmp_mac(SRC, BLOCK)));
	KUNIT_EXPECT_EQ(test, fmp_radio_receive(test, &f, 1, &at), FMP_RX_STOP);
	WRITE_ONCE(fmp_radio_port->flags, FMP_DEV_F_OBSERVE);
	KUNIT_EXPECT_EQ(test, fmp_radio_receive(test, &f, 1, &at), FMP_RX_PASS);
	KUNIT_EXPECT_EQ(test, fmp_radio_count(FMP_STAT_RX_FRAMES), 2);
}

static void other_frames_pass(struct kunit *test)
{
	/* Beacon, action, null; request to send. */
	static const u8 fc[] = { 0x80, 0xd0, 0x48, 0xb4 };
	struct fmp_frame f;
	u32 len, at;
	int i;

	KUNIT_ASSERT_EQ(test, FMP_RULE_ERR_NONE, fmp_world_add(test, fmp_mac(SRC, BLOCK)));
	for (i = 0; i < ARRAY_SIZE(fc); i++) {
		fmp_radio_frame(&f, fc[i], 0);
		KUNIT_EXPECT_EQ(test, fmp_radio_receive(test, &f, 1, &at), FMP_RX_PASS);
	}
	/* To another device of the radio; to a group; cut off within its header. */
	fmp_radio_frame(&f, FMP_FC_DATA, 0);
	f.data[9]++;
	KUNIT_EXPECT_EQ(test, fmp_radio_receive(test, &f, 1, &at), FMP_RX_PASS);
	f.data[4] |= 1;
	KUNIT_EXPECT_EQ(test, fmp_radio_receive(test, &f, 1, &at), FMP_RX_STOP);
	for (len = 0; len < HEAD_MAC; len++) {
		f.len = len;
		KUNIT_EXPECT_EQ(test, fmp_radio_receive(test, &f, 1, &at), FMP_RX_PASS);
	}
	/* Not attached. */
	RCU_INIT_POINTER(fmp_radio_port->tables, NULL);
	fmp_radio_frame(&f, FMP_FC_DATA, 0);
	KUNIT_EXPECT_EQ(test, fmp_radio_receive(test, &f, 1, &at), FMP_RX_PASS);
	KUNIT_EXPECT_EQ(test, at, 1);
	KUNIT_EXPECT_EQ(test, fmp_radio_count(FMP_STAT_RX_FRAMES), 1);
}

static void a_restart_keeps_the_port(struct kunit *test)
{
	static const struct fmp_rx_ops other_ops = { .flags = FMP_RX_F_80211 };
	struct fmp_rx_port *port, *other;

	/* As after an attach, without a hook at ingress. */
	fmp_radio_port->hook = FMP_HOOK_DRIVER;
	rtnl_lock();
	port = fmp_rx_register(fmp_radio_dev, &fmp_radio_ops);
	other = fmp_rx_register(fmp_radio_dev, &other_ops);
	rtnl_unlock();
	KUNIT_EXPECT_PTR_EQ(test, port, fmp_radio_port);
	KUNIT_EXPECT_EQ(test, PTR_ERR_OR_ZERO(other), -EBUSY);
	KUNIT_EXPECT_EQ(test, fmp_radio_port->hook, FMP_HOOK_DRIVER);
	fmp_radio_port->hook = FMP_HOOK_NONE;
}

static void a_late_frame_finds_a_port_without_its_driver(struct kunit *test)
{
	struct fmp_frame f;
	u32 at;

	KUNIT_ASSERT_EQ(test, FMP_RULE_ERR_NONE, fmp_world_add(test, fmp_mac(SRC, BLOCK)));
	/* As after an attach, without a hook at ingress: the port stays. */
	fmp_radio_port->hook = FMP_HOOK_DRIVER;
	rtnl_lock();
	fmp_rx_unregister(fmp_radio_port);
	rtnl_unlock();
	fmp_radio_frame(&f, FMP_FC_DATA, 0);
	KUNIT_EXPECT_EQ(test, fmp_radio_receive(test, &f, 1, &at), FMP_RX_STOP);
	KUNIT_EXPECT_EQ(test, fmp_radio_taken, 0);
}

static void a_converted_frame_to_a_station_passes(struct kunit *test)
{
	struct fmp_frame f = {};
	enum fmp_rx_action action;
	struct fmp_rx rx;

	/* An access point relays it: its destination is not the receiver. */
	fmp_frame_mac(&f, SRC, ETH_P_IP);
	fmp_frame_ipv4(&f, SRC, 0, 0, IPPROTO_UDP);
	f.data[ETH_ALEN - 1] = FMP_TEST_DST + 1;
	fmp_rx_begin(&rx, f.data, f.len);
	local_bh_disable();
	action = fmp_rx_header(fmp_radio_port, &rx, f.len);
	local_bh_enable();
	KUNIT_EXPECT_EQ(test, action, FMP_RX_PASS);
}

/* As of a driver that takes it in its interrupt handler, and holds it while it asks. */
static DEFINE_SPINLOCK(fmp_radio_lock);
static DECLARE_COMPLETION(fmp_radio_interrupted);

/**
 * fmp_radio_interrupt() - hrtimer.function: the interrupt handler
 * @timer: not used
 *
 * Return: %HRTIMER_NORESTART.
 */
static enum hrtimer_restart fmp_radio_interrupt(struct hrtimer *timer)
{
	spin_lock(&fmp_radio_lock);
	spin_unlock(&fmp_radio_lock);
	complete(&fmp_radio_interrupted);
	return HRTIMER_NORESTART;
}

/* Lockdep reports an order of locks that can't be kept: with the queue of first hits. */
static void a_driver_may_hold_a_lock_of_its_interrupt(struct kunit *test)
{
	enum fmp_rx_action action;
	static struct hrtimer timer;
	unsigned long flags;
	struct fmp_frame f;
	struct fmp_rx rx;

	KUNIT_ASSERT_EQ(test, FMP_RULE_ERR_NONE, fmp_world_add(test, fmp_mac(SRC, BLOCK)));
	reinit_completion(&fmp_radio_interrupted);
	hrtimer_setup(&timer, fmp_radio_interrupt, CLOCK_MONOTONIC, HRTIMER_MODE_REL_HARD);
	hrtimer_start(&timer, ms_to_ktime(1), HRTIMER_MODE_REL_HARD);
	wait_for_completion(&fmp_radio_interrupted);
	hrtimer_cancel(&timer);

	fmp_radio_frame(&f, FMP_FC_DATA, 0);
	fmp_rx_begin(&rx, f.data, f.len);
	local_bh_disable();
	spin_lock_irqsave(&fmp_radio_lock, flags);
	action = fmp_rx_header_80211(fmp_radio_port, &rx, f.len);
	spin_unlock_irqrestore(&fmp_radio_lock, flags);
	local_bh_enable();
	KUNIT_EXPECT_EQ(test, action, FMP_RX_STOP);
}

#if IS_ENABLED(CONFIG_CFG80211)
static void ingress_evaluates_what_a_port_can_not(struct kunit *test)
{
	struct wiphy *wiphy = kunit_kzalloc(test, sizeof(*wiphy), GFP_KERNEL);
	struct wireless_dev *wdev = kunit_kzalloc(test, sizeof(*wdev), GFP_KERNEL);

	KUNIT_ASSERT_TRUE(test, wiphy && wdev);
	INIT_LIST_HEAD(&wiphy->wdev_list);
	wdev->wiphy = wiphy;
	fmp_radio_dev->ieee80211_ptr = wdev;
	wdev->iftype = NL80211_IFTYPE_STATION;
	rcu_read_lock();
	KUNIT_EXPECT_FALSE(test, fmp_port_shares_80211(fmp_radio_dev, false));
	wdev->iftype = NL80211_IFTYPE_MESH_POINT;
	KUNIT_EXPECT_TRUE(test, fmp_port_shares_80211(fmp_radio_dev, false));
	wdev->iftype = NL80211_IFTYPE_STATION;
	wiphy->flags |= WIPHY_FLAG_SUPPORTS_MLO;
	KUNIT_EXPECT_TRUE(test, fmp_port_shares_80211(fmp_radio_dev, false));
	rcu_read_unlock();
	fmp_radio_dev->ieee80211_ptr = NULL;
}

/* A frame of four addresses may have a group as its receiver, and no group as its destination. */
static void a_station_of_four_addresses_shares_each_frame(struct kunit *test)
{
	struct wiphy *wiphy = kunit_kzalloc(test, sizeof(*wiphy), GFP_KERNEL);
	struct wireless_dev *wdev = kunit_kzalloc(test, sizeof(*wdev), GFP_KERNEL);
	struct wireless_dev *other = kunit_kzalloc(test, sizeof(*other), GFP_KERNEL);
	bool running = netif_running(fmp_radio_dev);

	KUNIT_ASSERT_TRUE(test, wiphy && wdev && other);
	INIT_LIST_HEAD(&wiphy->wdev_list);
	list_add_rcu(&wdev->list, &wiphy->wdev_list);
	wdev->wiphy = wiphy;
	wdev->iftype = NL80211_IFTYPE_STATION;
	other->iftype = NL80211_IFTYPE_STATION;
	other->netdev = fmp_radio_dev;
	fmp_radio_dev->ieee80211_ptr = wdev;
	set_bit(__LINK_STATE_START, &fmp_radio_dev->state);
	rcu_read_lock();
	wdev->use_4addr = true;
	KUNIT_EXPECT_FALSE(test, fmp_port_shares_80211(fmp_radio_dev, false));
	list_add_rcu(&other->list, &wiphy->wdev_list);
	KUNIT_EXPECT_TRUE(test, fmp_port_shares_80211(fmp_radio_dev, false));
	wdev->use_4addr = false;
	KUNIT_EXPECT_FALSE(test, fmp_port_shares_80211(fmp_radio_dev, false));
	rcu_read_unlock();
	if (!running)
		clear_bit(__LINK_STATE_START, &fmp_radio_dev->state);
	fmp_radio_dev->ieee80211_ptr = NULL;
}
#endif

#ifdef FMP_HAVE_MAC80211
/**
 * fmp_radio_blocks() - deliver a frame from a driver to mac80211
 * @test: the case
 * @f: the frame
 * @eth: the hardware converted it to Ethernet
 *
 * Return: true if it is dropped before mac80211.
 */
static bool fmp_radio_blocks(struct kunit *test, const struct fmp_frame *f, bool eth)
{
	struct ieee80211_hw *hw = kunit_kzalloc(test, sizeof(*hw), GFP_KERNEL);
	struct sk_buff *skb = alloc_skb(f->len, GFP_KERNEL);
	bool blocks;

	KUNIT_ASSERT_TRUE(test, hw && skb);
	hw->wiphy = fmp_radio_dev->ieee80211_ptr->wiphy;
	skb_put_data(skb, f->data, f->len);
	IEEE80211_SKB_RXCB(skb)->flag = eth ? RX_FLAG_8023 : 0;
	local_bh_disable();
	rcu_read_lock();
	blocks = fmp_mac80211_blocks(hw, NULL, skb);
	rcu_read_unlock();
	local_bh_enable();
	kfree_skb(skb);
	return blocks;
}

/**
 * fmp_radio_hook() - hook a device of the radio before mac80211
 * @port: the device
 */
static void fmp_radio_hook(struct fmp_rx_port *port)
{
	rtnl_lock();
	fmp_mac80211_add_port(port, FMP_HOOK_NONE);
	rtnl_unlock();
}

/**
 * fmp_radio_unhook() - undo fmp_radio_hook()
 * @port: the device
 */
static void fmp_radio_unhook(struct fmp_rx_port *port)
{
	rtnl_lock();
	fmp_mac80211_remove_port(port);
	rtnl_unlock();
	synchronize_rcu();
}

/* An access point, its frames converted to Ethernet: they may be for stations behind it. */
static void what_is_converted_is_evaluated_for_any_destination(struct kunit *test)
{
	struct wiphy *wiphy = kunit_kzalloc(test, sizeof(*wiphy), GFP_KERNEL);
	struct wireless_dev *wdev = kunit_kzalloc(test, sizeof(*wdev), GFP_KERNEL);
	struct wireless_dev *other = kunit_kzalloc(test, sizeof(*other), GFP_KERNEL);
	struct fmp_frame to_us, to_other;

	KUNIT_ASSERT_TRUE(test, wiphy && wdev && other);
	KUNIT_ASSERT_EQ(test, FMP_RULE_ERR_NONE, fmp_world_add(test, fmp_mac(SRC, BLOCK)));
	INIT_LIST_HEAD(&wiphy->wdev_list);
	wdev->wiphy = wiphy;
	wdev->iftype = NL80211_IFTYPE_AP;
	other->iftype = NL80211_IFTYPE_STATION;
	other->netdev = fmp_radio_dev;
	fmp_radio_dev->ieee80211_ptr = wdev;
	fmp_frame_mac(&to_us, SRC, ETH_P_IP);
	fmp_frame_ipv4(&to_us, SRC, 0, 0, IPPROTO_UDP);
	to_other = to_us;
	to_other.data[ETH_ALEN - 1] = CELL;
	set_bit(__LINK_STATE_START, &fmp_radio_dev->state);
	fmp_radio_hook(fmp_radio_port);

	KUNIT_EXPECT_TRUE(test, fmp_radio_blocks(test, &to_us, true));
	KUNIT_EXPECT_EQ(test, READ_ONCE(fmp_radio_port->cover), FMP_COVER_ALL);
	KUNIT_EXPECT_TRUE(test, fmp_radio_blocks(test, &to_other, true));
	/* Two devices: which one is the receiver only ingress can tell. */
	list_add_rcu(&other->list, &wiphy->wdev_list);
	KUNIT_EXPECT_FALSE(test, fmp_radio_blocks(test, &to_other, true));
	KUNIT_EXPECT_EQ(test, READ_ONCE(fmp_radio_port->cover), FMP_COVER_PART);

	fmp_radio_unhook(fmp_radio_port);
	clear_bit(__LINK_STATE_START, &fmp_radio_dev->state);
	fmp_radio_dev->ieee80211_ptr = NULL;
}

static void a_device_that_is_down_hides_no_other(struct kunit *test)
{
	struct wiphy *wiphy = kunit_kzalloc(test, sizeof(*wiphy), GFP_KERNEL);
	struct wireless_dev *wdev = kunit_kzalloc(test, sizeof(*wdev), GFP_KERNEL);
	struct net_device *down = kunit_kzalloc(test, sizeof(*down), GFP_KERNEL);
	struct fmp_rx_port *port = kunit_kzalloc(test, sizeof(*port), GFP_KERNEL);
	struct wireless_dev *other = kunit_kzalloc(test, sizeof(*other), GFP_KERNEL);
	struct fmp_frame f;

	KUNIT_ASSERT_TRUE(test, wiphy && wdev && down && port && other);
	KUNIT_ASSERT_EQ(test, FMP_RULE_ERR_NONE, fmp_world_add(test, fmp_mac(SRC, BLOCK)));
	INIT_LIST_HEAD(&wiphy->wdev_list);
	wdev->wiphy = wiphy;
	wdev->netdev = fmp_radio_dev;
	other->wiphy = wiphy;
	other->netdev = down;
	list_add_rcu(&wdev->list, &wiphy->wdev_list);
	list_add_rcu(&other->list, &wiphy->wdev_list);
	fmp_radio_dev->ieee80211_ptr = wdev;
	down->ieee80211_ptr = other;
	port->dev = down;
	fmp_radio_frame(&f, FMP_FC_DATA, FMP_FC_FROM_DS);
	f.data[FMP_80211_RA_OFF] |= 1;
	set_bit(__LINK_STATE_START, &fmp_radio_dev->state);
	fmp_radio_hook(port);
	fmp_radio_hook(fmp_radio_port);

	KUNIT_EXPECT_TRUE(test, fmp_radio_blocks(test, &f, false));

	fmp_radio_unhook(fmp_radio_port);
	fmp_radio_unhook(port);
	clear_bit(__LINK_STATE_START, &fmp_radio_dev->state);
	fmp_radio_dev->ieee80211_ptr = NULL;
}
#endif

static struct kunit_case fmp_premac_80211_cases[] = {
	KUNIT_CASE(a_frame_is_stopped_at_its_earliest_byte),
	KUNIT_CASE(a_hit_is_counted_once_a_frame),
	KUNIT_CASE(what_ingress_evaluates_is_not_counted),
	KUNIT_CASE(other_frames_pass),
	KUNIT_CASE(a_restart_keeps_the_port),
	KUNIT_CASE(a_late_frame_finds_a_port_without_its_driver),
	KUNIT_CASE(a_converted_frame_to_a_station_passes),
	KUNIT_CASE(a_driver_may_hold_a_lock_of_its_interrupt),
#if IS_ENABLED(CONFIG_CFG80211)
	KUNIT_CASE(ingress_evaluates_what_a_port_can_not),
	KUNIT_CASE(a_station_of_four_addresses_shares_each_frame),
#endif
#ifdef FMP_HAVE_MAC80211
	KUNIT_CASE(what_is_converted_is_evaluated_for_any_destination),
	KUNIT_CASE(a_device_that_is_down_hides_no_other),
#endif
	{},
};

struct kunit_suite fmp_premac_80211_suite = {
	.name = "fmp-premac-80211",
	.init = fmp_radio_init,
	.exit = fmp_radio_exit,
	.test_cases = fmp_premac_80211_cases,
};
