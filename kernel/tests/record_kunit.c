// SPDX-License-Identifier: GPL-2.0
/*
 * The header record: its content for later layers, and when it is stale
 */
#include "frames.h"
#include "suites.h"

#include "../path/dissect.h"
#include "../path/filter.h"
#include "../path/port.h"
#include "../path/record.h"

#include <kunit/test.h>
#include <linux/if_vlan.h>
#include <linux/in.h>
#include <linux/rtnetlink.h>
#include <linux/skbuff.h>

/* Generation of the rules in this suite. */
#define FMP_TEST_GENERATION 7

/* Headroom in front of the MAC header, as drivers reserve it. */
#define FMP_TEST_HEADROOM 64

/* Kinds of frames: the content after the MAC header, and the path of evaluation. */
enum fmp_kind {
	KIND_IPV4,
	KIND_IPV6,
	KIND_ARP,
	KIND_TAGGED,
	KIND_OTHER,
	KIND_PLAIN4,
	KIND_PLAIN6,
	KIND_PLAIN_MAC,
	KINDS
};

/* Stages of the fast paths of fmp_rx_header(); 0 for the slow path. */
static const enum fmp_stage fmp_plain[KINDS] = {
	[KIND_PLAIN4] = FMP_STAGE_PLAIN_IPV4,
	[KIND_PLAIN6] = FMP_STAGE_PLAIN_IPV6,
	[KIND_PLAIN_MAC] = FMP_STAGE_PLAIN_MAC,
};

/**
 * fmp_test_frame() - make a frame
 * @f: filled
 * @kind: its kind
 */
static void fmp_test_frame(struct fmp_frame *f, enum fmp_kind kind)
{
	static const u16 types[] = {
		[KIND_IPV4] = ETH_P_IP,	     [KIND_IPV6] = ETH_P_IPV6,	  [KIND_ARP] = ETH_P_ARP,
		[KIND_TAGGED] = ETH_P_8021Q, [KIND_OTHER] = ETH_P_LLDP,	  [KIND_PLAIN4] = ETH_P_IP,
		[KIND_PLAIN6] = ETH_P_IPV6,  [KIND_PLAIN_MAC] = ETH_P_IP,
	};

	fmp_frame_mac(f, FMP_TEST_SRC, types[kind]);
	if (kind == KIND_TAGGED)
		FMP_PUT(f, 0, 5, 8, 0);
	if (kind == KIND_IPV6 || kind == KIND_PLAIN6)
		fmp_frame_ipv6(f, FMP_TEST_SRC, IPPROTO_TCP);
	else if (kind == KIND_ARP)
		fmp_frame_arp(f, FMP_TEST_SRC);
	else
		fmp_frame_ipv4(f, FMP_TEST_SRC, 0, 0, IPPROTO_UDP);
	f->len += 40;
}

/**
 * fmp_test_skb() - make an skb with a frame, starting at its MAC header
 * @test: the case
 * @f: the frame
 * @headroom: bytes in front of it
 *
 * Return: the skb.
 */
static struct sk_buff *fmp_test_skb(struct kunit *test, const struct fmp_frame *f, u32 headroom)
{
	struct sk_buff *skb = alloc_skb(headroom + f->len, GFP_KERNEL);

	KUNIT_ASSERT_PTR_NE(test, skb, (struct sk_buff *)NULL);
	skb_reserve(skb, headroom);
	skb_put_data(skb, f->data, f->len);
	skb_reset_mac_header(skb);
	return skb;
}

/**
 * fmp_test_rx() - fill the state of a frame that the rules passed
 * @rx: filled
 * @f: the frame
 * @kind: kind of the frame
 */
static void fmp_test_rx(struct fmp_rx *rx, const struct fmp_frame *f, enum fmp_kind kind)
{
	fmp_rx_begin(rx, f->data, f->len);
	fmp_dissect_mac(&rx->hdr, f->data, f->len);
	/* Without a rule for an IP address the network header is not read. */
	if (kind != KIND_PLAIN_MAC)
		fmp_dissect_l3(&rx->hdr, f->data, f->len, f->len);
	fmp_dissect_l4(&rx->hdr, f->data, f->len);
	rx->stage = fmp_plain[kind] ?: rx->hdr.l3 ? FMP_STAGE_MAC_DONE : FMP_STAGE_MAC_READ;
	rx->hdr.verdict = FMP_RECORD_PASS;
	rx->generation = FMP_TEST_GENERATION;
}

/**
 * fmp_test_deliver_skb() - deliver a frame, which writes its record
 * @rx: the frame
 * @skb: the frame; afterwards it starts at its MAC header again
 */
static void fmp_test_deliver_skb(struct fmp_rx *rx, struct sk_buff *skb)
{
	static struct fmp_rx_port port;

	port.dev = init_net.loopback_dev;
	fmp_rx_deliver(&port, rx, skb);
	__skb_push(skb, ETH_HLEN);
}

/**
 * fmp_test_skb_with_record() - make an skb with a header record
 * @test: the case
 * @kind: kind of the frame
 *
 * Return: the skb.
 */
static struct sk_buff *fmp_test_skb_with_record(struct kunit *test, enum fmp_kind kind)
{
	struct fmp_frame f;
	struct sk_buff *skb;
	struct fmp_rx rx;

	fmp_test_frame(&f, kind);
	fmp_test_rx(&rx, &f, kind);
	skb = fmp_test_skb(test, &f, FMP_TEST_HEADROOM);
	fmp_test_deliver_skb(&rx, skb);
	return skb;
}

/**
 * fmp_test_state() - get the validity of a frame's record
 * @skb: the frame
 *
 * Return: enum fmp_record_state.
 */
static enum fmp_record_state fmp_test_state(const struct sk_buff *skb)
{
	struct fmp_record rec;

	return fmp_record_get(skb, FMP_TEST_GENERATION, &rec);
}

static void record_is_read_as_written(struct kunit *test)
{
	static const struct {
		u8 l3, l3_off, l4_off;
	} want[] = {
		[KIND_IPV4] = { FMP_L3_IPV4, 14, 34 },	 [KIND_IPV6] = { FMP_L3_IPV6, 14, 54 },
		[KIND_ARP] = { FMP_L3_ARP, 14, 0 },	 [KIND_TAGGED] = { FMP_L3_IPV4, 18, 38 },
		[KIND_OTHER] = { FMP_L3_NONE, 0, 0 },	 [KIND_PLAIN4] = { FMP_L3_IPV4, 14, 34 },
		[KIND_PLAIN6] = { FMP_L3_IPV6, 14, 54 }, [KIND_PLAIN_MAC] = { FMP_L3_NONE, 0, 0 },
	};
	struct fmp_record rec;
	enum fmp_kind kind;

	for (kind = 0; kind < KINDS; kind++) {
		struct sk_buff *skb = fmp_test_skb_with_record(test, kind);

		KUNIT_EXPECT_EQ(test, fmp_record_get(skb, FMP_TEST_GENERATION, &rec),
				FMP_RECORD_CURRENT);
		KUNIT_EXPECT_EQ(test, rec.l3, want[kind].l3);
		KUNIT_EXPECT_EQ(test, rec.l3_off, want[kind].l3_off);
		KUNIT_EXPECT_EQ(test, rec.l4_off, want[kind].l4_off);
		KUNIT_EXPECT_EQ(test, rec.verdict, FMP_RECORD_PASS);
		KUNIT_EXPECT_EQ(test, fmp_record_get(skb, FMP_TEST_GENERATION + 1, &rec),
				FMP_RECORD_STALE);
		kfree_skb(skb);
	}
}

static void changed_source_is_stale(struct kunit *test)
{
	/* First byte of the IP source address, and the first byte after it. */
	static const u8 at[][2] = {
		[KIND_IPV4] = { 26, 30 },   [KIND_IPV6] = { 22, 38 },	 [KIND_ARP] = { 28, 32 },
		[KIND_TAGGED] = { 30, 34 }, [KIND_OTHER] = { 0, 0 },	 [KIND_PLAIN4] = { 26, 30 },
		[KIND_PLAIN6] = { 22, 38 }, [KIND_PLAIN_MAC] = { 0, 0 },
	};
	enum fmp_kind kind;
	u32 i;

	for (kind = 0; kind < KINDS; kind++) {
		struct sk_buff *skb = fmp_test_skb_with_record(test, kind);

		for (i = ETH_ALEN; i < at[kind][1]; i++) {
			if (i >= 2 * ETH_ALEN && i < at[kind][0])
				continue;
			skb->data[i] ^= 0x10;
			KUNIT_EXPECT_EQ_MSG(test, fmp_test_state(skb), FMP_RECORD_STALE,
					    "frame %d, byte %u", kind, i);
			skb->data[i] ^= 0x10;
		}
		KUNIT_EXPECT_EQ(test, fmp_test_state(skb), FMP_RECORD_CURRENT);
		kfree_skb(skb);
	}
}

static void changed_record_is_not_current(struct kunit *test)
{
	enum fmp_kind kind;
	u32 bit;

	for (kind = 0; kind < KINDS; kind++) {
		struct sk_buff *skb = fmp_test_skb_with_record(test, kind);
		u8 *rec = skb_mac_header(skb) - sizeof(struct fmp_record);

		for (bit = 0; bit < 8 * sizeof(struct fmp_record); bit++) {
			rec[bit / 8] ^= BIT(bit % 8);
			KUNIT_EXPECT_NE_MSG(test, fmp_test_state(skb), FMP_RECORD_CURRENT,
					    "frame %d, bit %u", kind, bit);
			rec[bit / 8] ^= BIT(bit % 8);
		}
		kfree_skb(skb);
	}
}

static void foreign_metadata_is_kept(struct kunit *test)
{
	struct fmp_frame f;
	struct sk_buff *skb;
	struct fmp_rx rx;
	u32 len;

	fmp_test_frame(&f, KIND_IPV4);
	fmp_test_rx(&rx, &f, KIND_IPV4);
	for (len = 4; len <= 32; len += 4) {
		skb = fmp_test_skb(test, &f, FMP_TEST_HEADROOM);
		memset(skb->data - len, 0x5a, len);
		skb_metadata_set(skb, len);
		KUNIT_EXPECT_EQ(test, fmp_test_state(skb), FMP_RECORD_NONE);
		fmp_test_deliver_skb(&rx, skb);
		KUNIT_EXPECT_EQ(test, skb_metadata_len(skb), len);
		KUNIT_EXPECT_EQ(test, fmp_test_state(skb), FMP_RECORD_NONE);
		KUNIT_EXPECT_EQ(test, *(skb->data - 1), 0x5a);
		kfree_skb(skb);
	}
}

static void no_record_without_headroom_or_verdict(struct kunit *test)
{
	struct fmp_frame f;
	struct sk_buff *skb;
	struct fmp_rx rx;

	fmp_test_frame(&f, KIND_IPV4);
	fmp_test_rx(&rx, &f, KIND_IPV4);
	/* One byte too few: KASAN reports a write. */
	skb = fmp_test_skb(test, &f, sizeof(struct fmp_record) - 1);
	fmp_test_deliver_skb(&rx, skb);
	KUNIT_EXPECT_EQ(test, skb_metadata_len(skb), 0);
	KUNIT_EXPECT_EQ(test, fmp_test_state(skb), FMP_RECORD_NONE);
	kfree_skb(skb);

	rx.hdr.verdict = FMP_RECORD_UNSPEC;
	skb = fmp_test_skb(test, &f, FMP_TEST_HEADROOM);
	fmp_test_deliver_skb(&rx, skb);
	KUNIT_EXPECT_EQ(test, fmp_test_state(skb), FMP_RECORD_NONE);
	kfree_skb(skb);
}

static void vlan_tag_may_be_removed(struct kunit *test)
{
	struct sk_buff *skb = fmp_test_skb_with_record(test, KIND_TAGGED);
	struct fmp_record rec;

	/* As the receive path does it, with the MAC header pulled. */
	skb->protocol = htons(ETH_P_8021Q);
	__skb_pull(skb, ETH_HLEN);
	skb_reset_network_header(skb);
	skb = skb_vlan_untag(skb);
	KUNIT_ASSERT_PTR_NE(test, skb, (struct sk_buff *)NULL);
	KUNIT_EXPECT_EQ(test, ntohs(skb->protocol), ETH_P_IP);
	KUNIT_EXPECT_EQ(test, fmp_record_get(skb, FMP_TEST_GENERATION, &rec), FMP_RECORD_CURRENT);
	KUNIT_EXPECT_EQ(test, rec.l3_off, 14);
	KUNIT_EXPECT_EQ(test, rec.l4_off, 34);
	kfree_skb(skb);
}

static void clones_keep_valid_records(struct kunit *test)
{
	struct sk_buff *skb = fmp_test_skb_with_record(test, KIND_IPV6);
	struct sk_buff *clone = skb_clone(skb, GFP_KERNEL);

	KUNIT_ASSERT_PTR_NE(test, clone, (struct sk_buff *)NULL);
	KUNIT_EXPECT_EQ(test, fmp_test_state(clone), FMP_RECORD_CURRENT);
	KUNIT_ASSERT_EQ(test, pskb_expand_head(clone, 128, 0, GFP_KERNEL), 0);
	/* The kernel may keep or drop the metadata; if it keeps it, it must be right. */
	if (fmp_test_state(clone) == FMP_RECORD_CURRENT) {
		skb_mac_header(clone)[ETH_ALEN] ^= 1;
		KUNIT_EXPECT_EQ(test, fmp_test_state(clone), FMP_RECORD_STALE);
	}
	KUNIT_EXPECT_EQ(test, fmp_test_state(skb), FMP_RECORD_CURRENT);
	kfree_skb(clone);
	kfree_skb(skb);
}

/**
 * fmp_test_device() - make a device with a port
 * @test: the case
 * @port: set to its port
 *
 * Return: the device, in promiscuous mode.
 */
static struct net_device *fmp_test_device(struct kunit *test, struct fmp_rx_port **port)
{
	static const u8 addr[ETH_ALEN] = { 0x02, 0, 0, 0, 0, FMP_TEST_DST };
	static const struct fmp_rx_ops ops = {};
	struct net_device *dev = alloc_etherdev(0);

	KUNIT_ASSERT_PTR_NE(test, dev, (struct net_device *)NULL);
	eth_hw_addr_set(dev, addr);
	dev->flags |= IFF_PROMISC;
	rtnl_lock();
	*port = fmp_rx_register(dev, &ops);
	rtnl_unlock();
	KUNIT_ASSERT_FALSE(test, IS_ERR(*port));
	return dev;
}

/**
 * fmp_test_deliver() - compare fmp_rx_deliver() with eth_type_trans()
 * @test: the case
 * @port: port of the receiving device
 * @f: the frame
 * @kind: kind of the frame
 */
static void fmp_test_deliver(struct kunit *test, struct fmp_rx_port *port,
			     const struct fmp_frame *f, enum fmp_kind kind)
{
	struct sk_buff *ours = fmp_test_skb(test, f, FMP_TEST_HEADROOM);
	struct sk_buff *stack = fmp_test_skb(test, f, FMP_TEST_HEADROOM);
	enum fmp_rx_action action;
	struct fmp_rx rx;

	fmp_rx_begin(&rx, f->data, f->len);
	local_bh_disable();
	action = fmp_rx_header(port, &rx, f->len);
	local_bh_enable();
	KUNIT_EXPECT_EQ(test, action, FMP_RX_PASS);
	/* As if there were rules, but none for this frame. */
	if (fmp_plain[kind] && rx.hdr.pkt_type == PACKET_HOST)
		fmp_test_rx(&rx, f, kind);
	fmp_rx_deliver(port, &rx, ours);
	stack->protocol = eth_type_trans(stack, port->dev);

	KUNIT_EXPECT_EQ(test, ours->protocol, stack->protocol);
	KUNIT_EXPECT_TRUE(test, ours->pkt_type == stack->pkt_type);
	KUNIT_EXPECT_EQ(test, ours->len, stack->len);
	KUNIT_EXPECT_EQ(test, skb_headroom(ours), skb_headroom(stack));
	KUNIT_EXPECT_EQ(test, ours->mac_header, stack->mac_header);
	KUNIT_EXPECT_PTR_EQ(test, ours->dev, stack->dev);
	kfree_skb(ours);
	kfree_skb(stack);
}

static void deliver_matches_eth_type_trans(struct kunit *test)
{
	/* First and last byte of the destination: us, broadcast, multicast, another host. */
	static const u8 to[][2] = {
		{ 0x02, FMP_TEST_DST },
		{ 0xff, 0xff },
		{ 0x01, 0x5e },
		{ 0x02, 0x77 },
	};
	struct fmp_rx_port *port;
	struct net_device *dev = fmp_test_device(test, &port);
	struct fmp_frame f;
	enum fmp_kind kind;
	int i;

	for (i = 0; i < ARRAY_SIZE(to); i++) {
		for (kind = 0; kind < KINDS; kind++) {
			fmp_test_frame(&f, kind);
			memset(f.data, i == 1 ? 0xff : 0, ETH_ALEN);
			f.data[0] = to[i][0];
			f.data[5] = to[i][1];
			fmp_test_deliver(test, port, &f, kind);
		}
		/* With a length instead of a type: LLC, and raw 802.3 of Novell. */
		f.data[12] = 0;
		f.data[13] = 60;
		fmp_test_deliver(test, port, &f, KIND_OTHER);
		f.data[14] = 0xff;
		f.data[15] = 0xff;
		fmp_test_deliver(test, port, &f, KIND_OTHER);
	}
	rtnl_lock();
	fmp_rx_unregister(port);
	rtnl_unlock();
	free_netdev(dev);
}

static struct kunit_case fmp_record_cases[] = {
	KUNIT_CASE(record_is_read_as_written),
	KUNIT_CASE(changed_source_is_stale),
	KUNIT_CASE(changed_record_is_not_current),
	KUNIT_CASE(foreign_metadata_is_kept),
	KUNIT_CASE(no_record_without_headroom_or_verdict),
	KUNIT_CASE(vlan_tag_may_be_removed),
	KUNIT_CASE(clones_keep_valid_records),
	KUNIT_CASE(deliver_matches_eth_type_trans),
	{},
};

struct kunit_suite fmp_record_suite = {
	.name = "fmp-record",
	.test_cases = fmp_record_cases,
};
