// SPDX-License-Identifier: GPL-2.0
/*
 * A radio with several devices: for which of them a frame is, before mac80211 and at ingress
 */
#include "radio.h"
#include "suites.h"

#include "../hook/mac80211.h"
#include "../path/dissect.h"

#include <linux/if_ether.h>
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

static const u8 fmp_radio_group[ETH_ALEN] = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff };

#if IS_ENABLED(CONFIG_CFG80211)
/* The radio of a case, its device, and another one that is not there until fmp_radio_join(). */
static struct wiphy *fmp_radio_wiphy;
static struct wireless_dev *fmp_radio_own;
static struct wireless_dev *fmp_radio_other;
static bool fmp_radio_was_running;

/**
 * fmp_radio_init_wiphy() - kunit_suite.init: make the device one of a radio
 * @test: the case
 *
 * Return: 0 or a negative error.
 */
static int fmp_radio_init_wiphy(struct kunit *test)
{
	int err = fmp_radio_init(test);

	if (err)
		return err;
	fmp_radio_wiphy = kunit_kzalloc(test, sizeof(*fmp_radio_wiphy), GFP_KERNEL);
	fmp_radio_own = kunit_kzalloc(test, sizeof(*fmp_radio_own), GFP_KERNEL);
	fmp_radio_other = kunit_kzalloc(test, sizeof(*fmp_radio_other), GFP_KERNEL);
	if (!fmp_radio_wiphy || !fmp_radio_own || !fmp_radio_other)
		return -ENOMEM;
	INIT_LIST_HEAD(&fmp_radio_wiphy->wdev_list);
	fmp_radio_own->wiphy = fmp_radio_wiphy;
	fmp_radio_own->netdev = fmp_radio_dev;
	fmp_radio_own->iftype = NL80211_IFTYPE_STATION;
	list_add_rcu(&fmp_radio_own->list, &fmp_radio_wiphy->wdev_list);
	fmp_radio_other->wiphy = fmp_radio_wiphy;
	fmp_radio_other->netdev = fmp_radio_dev;
	fmp_radio_other->iftype = NL80211_IFTYPE_STATION;
	fmp_radio_dev->ieee80211_ptr = fmp_radio_own;
	fmp_radio_was_running = netif_running(fmp_radio_dev);
	set_bit(__LINK_STATE_START, &fmp_radio_dev->state);
	return 0;
}

/**
 * fmp_radio_exit_wiphy() - kunit_suite.exit: undo fmp_radio_init_wiphy()
 * @test: the case
 */
static void fmp_radio_exit_wiphy(struct kunit *test)
{
	if (fmp_radio_dev) {
		if (!fmp_radio_was_running)
			clear_bit(__LINK_STATE_START, &fmp_radio_dev->state);
		fmp_radio_dev->ieee80211_ptr = NULL;
	}
	fmp_radio_exit(test);
}

/**
 * fmp_radio_join() - add the other device to the radio
 */
static void fmp_radio_join(void)
{
	list_add_rcu(&fmp_radio_other->list, &fmp_radio_wiphy->wdev_list);
}

#endif

/**
 * fmp_radio_shares() - ask for a frame before its MAC layer
 * @group: its receiver is a group
 *
 * Return: the result.
 */
static bool fmp_radio_shares(bool group)
{
	bool shares;

	rcu_read_lock();
	shares = fmp_port_shares_80211(fmp_radio_dev, group);
	rcu_read_unlock();
	return shares;
}

/**
 * fmp_radio_shares_late() - ask for a frame at ingress
 * @dst: its destination
 *
 * Return: the result.
 */
static bool fmp_radio_shares_late(const u8 *dst)
{
	bool shares;

	rcu_read_lock();
	shares = fmp_port_shares_80211_late(fmp_radio_dev, dst);
	rcu_read_unlock();
	return shares;
}

static void a_device_that_is_alone_shares_nothing(struct kunit *test)
{
	KUNIT_EXPECT_FALSE(test, fmp_radio_shares(false));
	KUNIT_EXPECT_FALSE(test, fmp_radio_shares(true));
	KUNIT_EXPECT_FALSE(test, fmp_radio_shares_late(fmp_radio_group));
}

#if IS_ENABLED(CONFIG_CFG80211)
static void ingress_evaluates_what_a_port_can_not(struct kunit *test)
{
	KUNIT_EXPECT_FALSE(test, fmp_radio_shares(false));
	fmp_radio_own->iftype = NL80211_IFTYPE_MESH_POINT;
	KUNIT_EXPECT_TRUE(test, fmp_radio_shares(false));
	fmp_radio_own->iftype = NL80211_IFTYPE_STATION;
	fmp_radio_wiphy->flags |= WIPHY_FLAG_SUPPORTS_MLO;
	/* The flag is 0 where the kernel knows no links of several bands. */
	KUNIT_EXPECT_EQ(test, fmp_radio_shares(false), WIPHY_FLAG_SUPPORTS_MLO != 0);
}

/* A frame of four addresses may have a group as its receiver, and no group as its destination. */
static void a_station_of_four_addresses_shares_each_frame(struct kunit *test)
{
	fmp_radio_own->use_4addr = true;
	KUNIT_EXPECT_FALSE(test, fmp_radio_shares(false));
	fmp_radio_join();
	KUNIT_EXPECT_TRUE(test, fmp_radio_shares(false));
	KUNIT_EXPECT_TRUE(test, fmp_radio_shares_late(fmp_radio_dev->dev_addr));
	fmp_radio_own->use_4addr = false;
	KUNIT_EXPECT_FALSE(test, fmp_radio_shares(false));
}

/* Its stations send to its own address what is for a group. */
static void an_access_point_shares_no_group_at_ingress(struct kunit *test)
{
	fmp_radio_join();
	KUNIT_EXPECT_TRUE(test, fmp_radio_shares_late(fmp_radio_group));
	fmp_radio_own->iftype = NL80211_IFTYPE_AP;
	KUNIT_EXPECT_TRUE(test, fmp_radio_shares(true));
	KUNIT_EXPECT_FALSE(test, fmp_radio_shares(false));
	KUNIT_EXPECT_FALSE(test, fmp_radio_shares_late(fmp_radio_group));
	fmp_radio_own->iftype = NL80211_IFTYPE_P2P_GO;
	KUNIT_EXPECT_FALSE(test, fmp_radio_shares_late(fmp_radio_group));
	fmp_radio_other->iftype = NL80211_IFTYPE_AP_VLAN;
	KUNIT_EXPECT_TRUE(test, fmp_radio_shares_late(fmp_radio_group));
}

/* mac80211 takes a frame for an access point whose receiver is a group, too. */
static void a_driver_leaves_a_group_of_an_access_point_to_ingress(struct kunit *test)
{
	enum fmp_rx_action action;
	struct fmp_frame f;
	struct fmp_rx rx;

	KUNIT_ASSERT_EQ(test, FMP_RULE_ERR_NONE, fmp_world_add(test, fmp_mac(SRC, BLOCK)));
	fmp_radio_own->iftype = NL80211_IFTYPE_AP;
	fmp_radio_join();
	WRITE_ONCE(fmp_radio_port->cover, FMP_COVER_ALL);
	fmp_radio_frame(&f, FMP_FC_DATA, FMP_FC_TO_DS);
	memcpy(f.data + FMP_80211_RA_OFF, fmp_radio_group, ETH_ALEN);
	fmp_rx_begin(&rx, f.data, f.len);
	local_bh_disable();
	action = fmp_rx_header_80211(fmp_radio_port, &rx, f.len);
	local_bh_enable();
	KUNIT_EXPECT_EQ(test, action, FMP_RX_PASS);
	KUNIT_EXPECT_EQ(test, READ_ONCE(fmp_radio_port->cover), FMP_COVER_PART);
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
	hw->wiphy = fmp_radio_wiphy;
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
	struct fmp_frame to_us, to_other, to_all;

	KUNIT_ASSERT_EQ(test, FMP_RULE_ERR_NONE, fmp_world_add(test, fmp_mac(SRC, BLOCK)));
	fmp_radio_own->iftype = NL80211_IFTYPE_AP;
	fmp_frame_mac(&to_us, SRC, ETH_P_IP);
	fmp_frame_ipv4(&to_us, SRC, 0, 0, IPPROTO_UDP);
	to_other = to_us;
	to_other.data[ETH_ALEN - 1] = FMP_RADIO_CELL;
	to_all = to_us;
	memcpy(to_all.data, fmp_radio_group, ETH_ALEN);
	fmp_radio_hook(fmp_radio_port);

	KUNIT_EXPECT_TRUE(test, fmp_radio_blocks(test, &to_us, true));
	KUNIT_EXPECT_EQ(test, READ_ONCE(fmp_radio_port->cover), FMP_COVER_ALL);
	KUNIT_EXPECT_TRUE(test, fmp_radio_blocks(test, &to_other, true));
	/* Two devices: which one is the receiver only ingress can tell. */
	fmp_radio_join();
	KUNIT_EXPECT_FALSE(test, fmp_radio_blocks(test, &to_all, true));
	KUNIT_EXPECT_EQ(test, READ_ONCE(fmp_radio_port->cover), FMP_COVER_PART);
	WRITE_ONCE(fmp_radio_port->cover, FMP_COVER_ALL);
	KUNIT_EXPECT_FALSE(test, fmp_radio_blocks(test, &to_other, true));
	KUNIT_EXPECT_EQ(test, READ_ONCE(fmp_radio_port->cover), FMP_COVER_PART);

	fmp_radio_unhook(fmp_radio_port);
}

static void a_group_of_an_access_point_is_left_to_ingress(struct kunit *test)
{
	struct fmp_frame f;

	KUNIT_ASSERT_EQ(test, FMP_RULE_ERR_NONE, fmp_world_add(test, fmp_mac(SRC, BLOCK)));
	fmp_radio_own->iftype = NL80211_IFTYPE_AP;
	fmp_radio_frame(&f, FMP_FC_DATA, FMP_FC_TO_DS);
	memcpy(f.data + FMP_80211_RA_OFF, fmp_radio_group, ETH_ALEN);
	fmp_radio_hook(fmp_radio_port);

	KUNIT_EXPECT_TRUE(test, fmp_radio_blocks(test, &f, false));
	fmp_radio_join();
	KUNIT_EXPECT_EQ(test, READ_ONCE(fmp_radio_port->cover), FMP_COVER_ALL);
	KUNIT_EXPECT_FALSE(test, fmp_radio_blocks(test, &f, false));
	KUNIT_EXPECT_EQ(test, READ_ONCE(fmp_radio_port->cover), FMP_COVER_PART);

	fmp_radio_unhook(fmp_radio_port);
}

static void a_device_that_is_down_hides_no_other(struct kunit *test)
{
	struct net_device *down = kunit_kzalloc(test, sizeof(*down), GFP_KERNEL);
	struct fmp_rx_port *port = kunit_kzalloc(test, sizeof(*port), GFP_KERNEL);
	struct fmp_frame f;

	KUNIT_ASSERT_TRUE(test, down && port);
	KUNIT_ASSERT_EQ(test, FMP_RULE_ERR_NONE, fmp_world_add(test, fmp_mac(SRC, BLOCK)));
	fmp_radio_other->netdev = down;
	fmp_radio_join();
	down->ieee80211_ptr = fmp_radio_other;
	port->dev = down;
	fmp_radio_frame(&f, FMP_FC_DATA, FMP_FC_FROM_DS);
	f.data[FMP_80211_RA_OFF] |= 1;
	fmp_radio_hook(port);
	fmp_radio_hook(fmp_radio_port);

	KUNIT_EXPECT_TRUE(test, fmp_radio_blocks(test, &f, false));

	fmp_radio_unhook(fmp_radio_port);
	fmp_radio_unhook(port);
}
#endif

static struct kunit_case fmp_radio_80211_cases[] = {
	KUNIT_CASE(a_device_that_is_alone_shares_nothing),
#if IS_ENABLED(CONFIG_CFG80211)
	KUNIT_CASE(ingress_evaluates_what_a_port_can_not),
	KUNIT_CASE(a_station_of_four_addresses_shares_each_frame),
	KUNIT_CASE(an_access_point_shares_no_group_at_ingress),
	KUNIT_CASE(a_driver_leaves_a_group_of_an_access_point_to_ingress),
#endif
#ifdef FMP_HAVE_MAC80211
	KUNIT_CASE(what_is_converted_is_evaluated_for_any_destination),
	KUNIT_CASE(a_group_of_an_access_point_is_left_to_ingress),
	KUNIT_CASE(a_device_that_is_down_hides_no_other),
#endif
	{},
};

struct kunit_suite fmp_radio_80211_suite = {
	.name = "fmp-radio-80211",
#if IS_ENABLED(CONFIG_CFG80211)
	.init = fmp_radio_init_wiphy,
	.exit = fmp_radio_exit_wiphy,
#else
	.init = fmp_radio_init,
	.exit = fmp_radio_exit,
#endif
	.test_cases = fmp_radio_80211_cases,
};
