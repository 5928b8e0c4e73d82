// SPDX-License-Identifier: GPL-2.0
/*
 * A driver that asks for frames with 802.11 headers, byte by byte
 */
#include "radio.h"
#include "suites.h"

#include <linux/completion.h>
#include <linux/hrtimer.h>
#include <linux/in.h>
#include <linux/rtnetlink.h>
#include <linux/slab.h>

#define BLOCK FMP_VERDICT_BLOCK
#define SRC   FMP_TEST_SRC

/* Bytes of a frame's headers: three addresses; with LLC, SNAP and IPv4. */
#define HEAD_MAC 24
#define HEAD_IP4 (HEAD_MAC + 8 + 20)

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

static struct kunit_case fmp_premac_80211_cases[] = {
	KUNIT_CASE(a_frame_is_stopped_at_its_earliest_byte),
	KUNIT_CASE(a_hit_is_counted_once_a_frame),
	KUNIT_CASE(what_ingress_evaluates_is_not_counted),
	KUNIT_CASE(other_frames_pass),
	KUNIT_CASE(a_restart_keeps_the_port),
	KUNIT_CASE(a_late_frame_finds_a_port_without_its_driver),
	KUNIT_CASE(a_converted_frame_to_a_station_passes),
	KUNIT_CASE(a_driver_may_hold_a_lock_of_its_interrupt),
	{},
};

struct kunit_suite fmp_premac_80211_suite = {
	.name = "fmp-premac-80211",
	.init = fmp_radio_init,
	.exit = fmp_radio_exit,
	.test_cases = fmp_premac_80211_cases,
};
