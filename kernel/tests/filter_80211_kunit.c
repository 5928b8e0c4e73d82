// SPDX-License-Identifier: GPL-2.0
/*
 * The filter for 802.11 frames: what is decided before the MAC layer, and what is not
 */
#include "frames.h"
#include "suites.h"
#include "world.h"

#include "../path/dissect.h"
#include "../path/filter_80211.h"

#include <linux/in.h>

#define BLOCK	FMP_VERDICT_BLOCK
#define PROTECT FMP_VERDICT_PROTECT

#define NONE	0
#define ALL	FMP_80211_ALL
#define BLOCKED FMP_80211_BLOCKED

/* Last bytes of the addresses: who sends, who relays, and the cell. */
#define SRC   FMP_TEST_SRC
#define RELAY 0x06
#define CELL  0x07

/**
 * struct fmp_seen - result of the filter for a frame
 * @evaluated: rules apply to it
 * @scope: what is decided before the MAC layer
 * @decision: the decision, if that is evaluated
 */
struct fmp_seen {
	bool evaluated;
	u8 scope;
	enum fmp_decision decision;
};

/**
 * fmp_test_see() - evaluate a whole frame
 * @test: the case
 * @f: the frame
 * @reorders: the device puts frames in order
 *
 * Return: the result.
 */
static struct fmp_seen fmp_test_see(struct kunit *test, const struct fmp_frame *f, bool reorders)
{
	struct fmp_world *w = test->priv;
	struct fmp_seen seen = {};
	struct fmp_80211 wifi;
	struct fmp_rx rx;

	fmp_rx_begin(&rx, f->data, f->len);
	KUNIT_EXPECT_EQ(test, fmp_dissect_80211(&rx.hdr, &wifi, f->data, f->len, f->len), 0);
	seen.evaluated = fmp_80211_is_evaluated(&wifi);
	if (!seen.evaluated)
		return seen;
	rcu_read_lock_bh();
	seen.scope = fmp_filter_80211_scope(&w->ts, &rx, &wifi, reorders);
	rx.stage = FMP_STAGE_MAC_READ;
	seen.decision = fmp_filter_frame(&w->ts, &rx, f->len);
	rcu_read_unlock_bh();
	return seen;
}

/**
 * fmp_test_data() - make a data frame with an IPv4 packet of the sender
 * @f: filled
 * @fc0: first byte of the frame control field
 * @fc1: its second byte
 * @number: sequence number
 *
 * From an access point it is relayed.
 */
static void fmp_test_data(struct fmp_frame *f, u8 fc0, u8 fc1, u16 number)
{
	bool relayed = fc1 & FMP_FC_FROM_DS;

	fmp_frame_80211(f, fc0, fc1, relayed ? RELAY : SRC, relayed ? SRC : CELL, number, ETH_P_IP);
	fmp_frame_ipv4(f, SRC, 0, 0, IPPROTO_UDP);
}

/**
 * fmp_test_rules() - replace all rules
 * @test: the case
 * @a: a rule
 * @b: another rule, or one without a verdict
 */
static void fmp_test_rules(struct kunit *test, struct fmp_rule_spec a, struct fmp_rule_spec b)
{
	struct fmp_world *w = test->priv;

	fmp_tables_flush(&w->ts, FMP_VERDICT_UNSPEC);
	KUNIT_ASSERT_EQ(test, FMP_RULE_ERR_NONE, fmp_world_add(test, a));
	if (b.verdict)
		KUNIT_ASSERT_EQ(test, FMP_RULE_ERR_NONE, fmp_world_add(test, b));
}

static const struct fmp_rule_spec fmp_no_rule;

/* By the flags of the DS, the rule that decides: the source's, the relay's, or IP's. */
static void source_and_transmitter_decide(struct kunit *test)
{
	static const u8 flags[] = { 0, FMP_FC_TO_DS, FMP_FC_FROM_DS };
	struct fmp_seen seen;
	struct fmp_frame f;
	int i;

	for (i = 0; i < ARRAY_SIZE(flags); i++) {
		bool relayed = flags[i] == FMP_FC_FROM_DS;

		fmp_test_data(&f, FMP_FC_DATA, flags[i], 1);
		fmp_test_rules(test, fmp_mac(SRC + 9, BLOCK), fmp_no_rule);
		seen = fmp_test_see(test, &f, false);
		KUNIT_EXPECT_EQ(test, seen.scope, ALL);
		KUNIT_EXPECT_EQ(test, seen.decision, FMP_DECISION_PASS);
		fmp_test_rules(test, fmp_mac(SRC, BLOCK), fmp_no_rule);
		/* To DS the third address is the destination: SRC is the transmitter. */
		seen = fmp_test_see(test, &f, false);
		KUNIT_EXPECT_EQ(test, seen.scope, ALL | BLOCKED);
		KUNIT_EXPECT_EQ(test, seen.decision, FMP_DECISION_BLOCK_MAC);
		fmp_test_rules(test, fmp_mac(RELAY, BLOCK), fmp_no_rule);
		seen = fmp_test_see(test, &f, false);
		KUNIT_EXPECT_EQ(test, seen.scope, relayed ? ALL | BLOCKED : ALL);
		fmp_test_rules(test, fmp_ip4(FMP_TEST_IP4(SRC), 32, BLOCK), fmp_no_rule);
		seen = fmp_test_see(test, &f, false);
		KUNIT_EXPECT_EQ(test, seen.scope, ALL);
		KUNIT_EXPECT_EQ(test, seen.decision, FMP_DECISION_BLOCK_IP);
	}
}

static void protection_of_a_source_comes_first(struct kunit *test)
{
	struct fmp_seen seen;
	struct fmp_frame f;

	fmp_test_data(&f, FMP_FC_DATA, FMP_FC_FROM_DS, 1);
	fmp_test_rules(test, fmp_mac(RELAY, BLOCK), fmp_mac(SRC, PROTECT));
	seen = fmp_test_see(test, &f, false);
	KUNIT_EXPECT_EQ(test, seen.scope, ALL);
	KUNIT_EXPECT_EQ(test, seen.decision, FMP_DECISION_PASS);
	/* What protects the relay does not protect what it relays. */
	fmp_test_rules(test, fmp_mac(SRC, BLOCK), fmp_mac(RELAY, PROTECT));
	seen = fmp_test_see(test, &f, false);
	KUNIT_EXPECT_EQ(test, seen.scope, ALL | BLOCKED);
	KUNIT_EXPECT_EQ(test, seen.decision, FMP_DECISION_BLOCK_MAC);
	/* A protected IP address may be behind it: not final. */
	fmp_test_rules(test, fmp_mac(SRC, BLOCK), fmp_ip4(FMP_TEST_IP4(SRC), 32, PROTECT));
	seen = fmp_test_see(test, &f, false);
	KUNIT_EXPECT_EQ(test, seen.scope, ALL);
	KUNIT_EXPECT_EQ(test, seen.decision, FMP_DECISION_PASS);
}

static void hidden_headers_are_left_to_ingress(struct kunit *test)
{
	struct fmp_frame f[4];
	int i;

	fmp_test_data(&f[0], FMP_FC_DATA, FMP_FC_PROTECTED, 1);
	fmp_test_data(&f[1], FMP_FC_DATA, FMP_FC_MORE_FRAG, 1);
	fmp_test_data(&f[2], FMP_FC_DATA, 0, 1);
	f[2].data[22] |= 1;
	fmp_test_data(&f[3], FMP_FC_QOS, 0, 1);
	f[3].data[24] = 0x80;
	for (i = 0; i < ARRAY_SIZE(f); i++) {
		fmp_test_rules(test, fmp_ip4(FMP_TEST_IP4(SRC), 32, BLOCK), fmp_no_rule);
		KUNIT_EXPECT_EQ_MSG(test, fmp_test_see(test, &f[i], false).scope, NONE, "frame %d",
				    i);
		KUNIT_EXPECT_EQ_MSG(test, fmp_test_see(test, &f[i], true).scope, NONE, "frame %d",
				    i);
		fmp_test_rules(test, fmp_mac(SRC, BLOCK), fmp_no_rule);
		KUNIT_EXPECT_EQ_MSG(test, fmp_test_see(test, &f[i], false).scope, BLOCKED,
				    "frame %d", i);
	}
}

/* Block acknowledgment: at a gap mac80211 holds back what follows in the sequence. */
static void a_gap_delays_nobody_else(struct kunit *test)
{
	static const u8 flags[] = { 0, FMP_FC_TO_DS, FMP_FC_FROM_DS };
	struct fmp_frame f;
	int i;

	for (i = 0; i < ARRAY_SIZE(flags); i++) {
		fmp_test_data(&f, FMP_FC_QOS, flags[i], 1);
		/* The transmitter may have other IP addresses that nobody blocks. */
		fmp_test_rules(test, fmp_ip4(FMP_TEST_IP4(SRC), 32, BLOCK), fmp_no_rule);
		KUNIT_EXPECT_EQ(test, fmp_test_see(test, &f, false).scope, NONE);
		KUNIT_EXPECT_EQ(test, fmp_test_see(test, &f, true).scope, ALL);
		/* A relay has other sources; a transmitter that is blocked has nothing else. */
		fmp_test_rules(test, fmp_mac(SRC, BLOCK), fmp_no_rule);
		KUNIT_EXPECT_EQ(test, fmp_test_see(test, &f, false).scope,
				flags[i] == FMP_FC_FROM_DS ? NONE : BLOCKED);
		fmp_test_rules(test, fmp_mac(RELAY, BLOCK), fmp_no_rule);
		KUNIT_EXPECT_EQ(test, fmp_test_see(test, &f, false).scope,
				flags[i] == FMP_FC_FROM_DS ? BLOCKED : NONE);
		/* A group has no block acknowledgment. */
		f.data[4] |= 1;
		fmp_test_rules(test, fmp_mac(SRC, BLOCK), fmp_no_rule);
		KUNIT_EXPECT_EQ(test, fmp_test_see(test, &f, false).scope, ALL | BLOCKED);
	}
}

/* Half of the 4096 numbers ahead is the past for mac80211: its window must follow. */
static void the_window_follows_a_blocked_transmitter(struct kunit *test)
{
	unsigned int number, last = 0, step = 0;
	struct fmp_frame f;

	fmp_test_rules(test, fmp_mac(SRC, BLOCK), fmp_mac(RELAY, BLOCK));
	for (number = 1; number < 3 * 4096; number++) {
		fmp_test_data(&f, FMP_FC_QOS, FMP_FC_TO_DS, number % 4096);
		if (fmp_test_see(test, &f, false).scope & BLOCKED)
			continue;
		step = max(step, number - last);
		last = number;
	}
	KUNIT_EXPECT_GT(test, step, 500);
	KUNIT_EXPECT_LT(test, step, 2000);
	KUNIT_EXPECT_LT(test, number - last, 2000);
	/* Ingress would not see that the relay is blocked. */
	for (number = 0; number < 4096; number++) {
		fmp_test_data(&f, FMP_FC_QOS, FMP_FC_FROM_DS, number);
		KUNIT_EXPECT_TRUE(test, fmp_test_see(test, &f, false).scope & BLOCKED);
	}
}

static void only_data_is_evaluated(struct kunit *test)
{
	/* Beacon, deauthentication, action, null, QoS null. */
	static const u8 fc[] = { 0x80, 0xc0, 0xd0, 0x48, 0xc8 };
	struct fmp_frame f;
	int i;

	fmp_test_rules(test, fmp_mac(SRC, BLOCK), fmp_no_rule);
	for (i = 0; i < ARRAY_SIZE(fc); i++) {
		fmp_test_data(&f, fc[i], 0, 1);
		KUNIT_EXPECT_FALSE(test, fmp_test_see(test, &f, false).evaluated);
	}
}

static struct kunit_case fmp_filter_80211_cases[] = {
	KUNIT_CASE(source_and_transmitter_decide),
	KUNIT_CASE(protection_of_a_source_comes_first),
	KUNIT_CASE(hidden_headers_are_left_to_ingress),
	KUNIT_CASE(a_gap_delays_nobody_else),
	KUNIT_CASE(the_window_follows_a_blocked_transmitter),
	KUNIT_CASE(only_data_is_evaluated),
	{},
};

struct kunit_suite fmp_filter_80211_suite = {
	.name = "fmp-filter-80211",
	.init = fmp_world_init,
	.exit = fmp_world_exit,
	.test_cases = fmp_filter_80211_cases,
};
