// SPDX-License-Identifier: GPL-2.0
/*
 * The filter: frames that arrive byte by byte, evaluated by rules
 */
#include "frames.h"
#include "suites.h"
#include "world.h"

#include "../path/dissect.h"
#include "../path/filter.h"

#include <linux/if_vlan.h>
#include <linux/in.h>
#include <linux/slab.h>

#define NONE	FMP_VERDICT_UNSPEC
#define BLOCK	FMP_VERDICT_BLOCK
#define PROTECT FMP_VERDICT_PROTECT

#define PASS	 FMP_DECISION_PASS
#define STOP_MAC FMP_DECISION_BLOCK_MAC
#define STOP_IP	 FMP_DECISION_BLOCK_IP

/* Last byte of all the sender's addresses. */
#define SRC FMP_TEST_SRC

/**
 * struct fmp_filtered - result of evaluating a frame
 * @decision: the decision
 * @at: bytes received when it was made
 */
struct fmp_filtered {
	enum fmp_decision decision;
	u32 at;
};

/**
 * fmp_test_filter() - call the filter as a driver does
 * @w: the rules
 * @rx: the frame
 * @avail: bytes received
 *
 * Return: the decision.
 */
static enum fmp_decision fmp_test_filter(struct fmp_world *w, struct fmp_rx *rx, u32 avail)
{
	enum fmp_decision decision;

	if (rx->stage == FMP_STAGE_BEGIN) {
		rx->want = fmp_dissect_mac(&rx->hdr, rx->buf, avail);
		if (rx->want)
			return FMP_DECISION_MORE;
		rx->stage = FMP_STAGE_MAC_READ;
	}
	rcu_read_lock_bh();
	decision = fmp_filter_frame(&w->ts, rx, avail);
	rcu_read_unlock_bh();
	return decision;
}

/**
 * fmp_test_receive() - receive a frame, with no more bytes than the filter wants
 * @test: the case
 * @f: the frame
 * @grain: minimum number of bytes received at a time
 *
 * The buffer ends with the last byte, so that KASAN reports a read beyond it.
 *
 * Return: the decision and the bytes that it needed.
 */
static struct fmp_filtered fmp_test_receive(struct kunit *test, const struct fmp_frame *f,
					    u32 grain)
{
	struct fmp_filtered j = { FMP_DECISION_MORE, min(grain, f->len) };
	struct fmp_rx rx;

	fmp_rx_begin(&rx, NULL, f->len);
	while (j.decision == FMP_DECISION_MORE) {
		u8 *buf = kmemdup(f->data, j.at, GFP_KERNEL);

		KUNIT_ASSERT_PTR_NE(test, buf, (u8 *)NULL);
		rx.buf = buf;
		j.decision = fmp_test_filter(test->priv, &rx, j.at);
		kfree(buf);
		if (j.decision != FMP_DECISION_MORE)
			break;
		/* Each step makes progress, and the loop ends. */
		KUNIT_ASSERT_GT(test, rx.want, j.at);
		KUNIT_ASSERT_LE(test, rx.want, f->len);
		j.at = min(roundup(rx.want, grain), f->len);
	}
	return j;
}

/**
 * fmp_test_decision() - get a frame's decision, and check it for all grains
 * @test: the case
 * @f: the frame
 *
 * Return: the decision.
 */
static enum fmp_decision fmp_test_decision(struct kunit *test, const struct fmp_frame *f)
{
	struct fmp_filtered whole = fmp_test_receive(test, f, f->len);
	u32 grain;

	for (grain = 1; grain < f->len; grain = grain < 24 ? grain + 1 : grain * 2)
		KUNIT_EXPECT_EQ(test, fmp_test_receive(test, f, grain).decision, whole.decision);
	return whole.decision;
}

/* The kinds of frames that carry the sender's IP address. */
enum fmp_kind {
	KIND_IPV4,
	KIND_IPV6,
	KIND_ARP,
	KIND_TAGGED,
	KIND_OPTIONS,
	KINDS
};

/**
 * fmp_test_frame() - make a frame from the sender
 * @f: filled
 * @kind: its content
 */
static void fmp_test_frame(struct fmp_frame *f, enum fmp_kind kind)
{
	switch (kind) {
	case KIND_IPV4:
	case KIND_OPTIONS:
		fmp_frame_mac(f, SRC, ETH_P_IP);
		fmp_frame_ipv4(f, SRC, kind == KIND_OPTIONS ? 10 : 0, 0, IPPROTO_UDP);
		break;
	case KIND_IPV6:
		fmp_frame_mac(f, SRC, ETH_P_IPV6);
		fmp_frame_ipv6(f, SRC, IPPROTO_TCP);
		break;
	case KIND_ARP:
		fmp_frame_mac(f, SRC, ETH_P_ARP);
		fmp_frame_arp(f, SRC);
		break;
	case KIND_TAGGED:
		fmp_frame_mac(f, SRC, ETH_P_8021AD);
		FMP_PUT(f, 0, 5, 0x81, 0, 0, 6, 8, 0);
		fmp_frame_ipv4(f, SRC, 0, 0, IPPROTO_UDP);
		break;
	case KINDS:
		break;
	}
	/* Payload, so that a stop saves bytes. */
	f->len += 40;
}

/**
 * fmp_test_ip() - make a rule for the sender's IP address
 * @kind: the kind of its frames
 * @verdict: enum fmp_verdict
 *
 * Return: the rule.
 */
static struct fmp_rule_spec fmp_test_ip(enum fmp_kind kind, u8 verdict)
{
	return kind == KIND_IPV6 ? fmp_ip6(FMP_TEST_IP6_HI, SRC, 128, verdict)
				 : fmp_ip4(FMP_TEST_IP4(SRC), 32, verdict);
}

/* Invariant 1: a protect rule for any address of a frame wins over each block. */
static const struct {
	u8 mac, ip;
	enum fmp_decision want;
} fmp_matrix[] = {
	{ NONE, NONE, PASS },	   { NONE, BLOCK, STOP_IP },   { NONE, PROTECT, PASS },
	{ BLOCK, NONE, STOP_MAC }, { BLOCK, BLOCK, STOP_MAC }, { BLOCK, PROTECT, PASS },
	{ PROTECT, NONE, PASS },   { PROTECT, BLOCK, PASS },   { PROTECT, PROTECT, PASS },
};

static void inv1_protect_comes_before_block(struct kunit *test)
{
	struct fmp_world *w = test->priv;
	struct fmp_frame f;
	enum fmp_kind kind;
	int i;

	for (kind = 0; kind < KINDS; kind++) {
		fmp_test_frame(&f, kind);
		for (i = 0; i < ARRAY_SIZE(fmp_matrix); i++) {
			fmp_tables_flush(&w->ts, NONE);
			if (fmp_matrix[i].mac)
				KUNIT_ASSERT_EQ(test, FMP_RULE_ERR_NONE,
						fmp_world_add(test,
							      fmp_mac(SRC, fmp_matrix[i].mac)));
			if (fmp_matrix[i].ip)
				KUNIT_ASSERT_EQ(test, FMP_RULE_ERR_NONE,
						fmp_world_add(test,
							      fmp_test_ip(kind, fmp_matrix[i].ip)));
			KUNIT_EXPECT_EQ_MSG(test, fmp_test_decision(test, &f), fmp_matrix[i].want,
					    "frame %d, rules %d", kind, i);
		}
	}
}

static void inv1_a_protected_host_in_a_blocked_network(struct kunit *test)
{
	struct fmp_frame f;

	fmp_test_frame(&f, KIND_IPV4);
	KUNIT_ASSERT_EQ(test, FMP_RULE_ERR_NONE,
			fmp_world_add(test, fmp_ip4(FMP_TEST_IP4(0), 24, BLOCK)));
	KUNIT_EXPECT_EQ(test, fmp_test_decision(test, &f), STOP_IP);
	KUNIT_ASSERT_EQ(test, FMP_RULE_ERR_NONE,
			fmp_world_add(test, fmp_ip4(FMP_TEST_IP4(SRC), 32, PROTECT)));
	KUNIT_EXPECT_EQ(test, fmp_test_decision(test, &f), PASS);

	fmp_test_frame(&f, KIND_IPV6);
	KUNIT_ASSERT_EQ(test, FMP_RULE_ERR_NONE,
			fmp_world_add(test, fmp_ip6(FMP_TEST_IP6_HI, 0, 64, BLOCK)));
	KUNIT_EXPECT_EQ(test, fmp_test_decision(test, &f), STOP_IP);
	KUNIT_ASSERT_EQ(test, FMP_RULE_ERR_NONE,
			fmp_world_add(test, fmp_ip6(FMP_TEST_IP6_HI, SRC, 128, PROTECT)));
	KUNIT_EXPECT_EQ(test, fmp_test_decision(test, &f), PASS);
}

static void other_sources_pass(struct kunit *test)
{
	struct fmp_frame f;
	enum fmp_kind kind;

	KUNIT_ASSERT_EQ(test, FMP_RULE_ERR_NONE, fmp_world_add(test, fmp_mac(SRC + 1, BLOCK)));
	for (kind = 0; kind < KINDS; kind++) {
		struct fmp_rule_spec other = fmp_test_ip(kind, BLOCK);

		if (kind == KIND_IPV6)
			other.key.word[1] ^= cpu_to_be64(1);
		else
			other.key.word[0] ^= cpu_to_be64(1ULL << 32);
		KUNIT_ASSERT_EQ(test, FMP_RULE_ERR_NONE, fmp_world_add(test, other));
		fmp_test_frame(&f, kind);
		KUNIT_EXPECT_EQ(test, fmp_test_decision(test, &f), PASS);
	}
}

static void decision_at_earliest_byte(struct kunit *test)
{
	struct fmp_frame f;

	fmp_test_frame(&f, KIND_IPV4);
	/* Without rules, or with MAC rules only, the MAC header is enough. */
	KUNIT_EXPECT_EQ(test, fmp_test_receive(test, &f, 1).at, ETH_HLEN);
	KUNIT_ASSERT_EQ(test, FMP_RULE_ERR_NONE, fmp_world_add(test, fmp_mac(SRC, BLOCK)));
	KUNIT_EXPECT_EQ(test, fmp_test_receive(test, &f, 1).at, ETH_HLEN);
	/* It is enough too if IP rules only block. */
	KUNIT_ASSERT_EQ(test, FMP_RULE_ERR_NONE,
			fmp_world_add(test, fmp_ip4(FMP_TEST_IP4(SRC), 32, BLOCK)));
	KUNIT_EXPECT_EQ(test, fmp_test_receive(test, &f, 1).at, ETH_HLEN);
	/* A protected IP address could save the frame: the IP header is needed. */
	KUNIT_ASSERT_EQ(test, FMP_RULE_ERR_NONE,
			fmp_world_add(test, fmp_ip4(FMP_TEST_IP4(99), 32, PROTECT)));
	KUNIT_EXPECT_EQ(test, fmp_test_receive(test, &f, 1).at, ETH_HLEN + 20);
	KUNIT_EXPECT_EQ(test, fmp_test_receive(test, &f, 1).decision, STOP_MAC);
	/* The IP header's fixed part is enough, options or not. */
	KUNIT_ASSERT_EQ(test, FMP_RULE_ERR_NONE, fmp_world_del(test, fmp_mac(SRC, BLOCK)));
	KUNIT_EXPECT_EQ(test, fmp_test_receive(test, &f, 1).at, ETH_HLEN + 20);
	fmp_test_frame(&f, KIND_OPTIONS);
	KUNIT_EXPECT_EQ(test, fmp_test_receive(test, &f, 1).at, ETH_HLEN + 20);
	fmp_test_frame(&f, KIND_TAGGED);
	KUNIT_EXPECT_EQ(test, fmp_test_receive(test, &f, 1).at, ETH_HLEN + 8 + 20);
	fmp_test_frame(&f, KIND_IPV6);
	KUNIT_EXPECT_EQ(test, fmp_test_receive(test, &f, 1).at, ETH_HLEN + 40);
}

static void hits_are_counted_once_a_frame(struct kunit *test)
{
	struct fmp_rule_spec rule = fmp_ip4(FMP_TEST_IP4(SRC), 32, BLOCK);
	struct fmp_world *w = test->priv;
	struct fmp_rule *got;
	struct fmp_frame f;
	int i;

	fmp_test_frame(&f, KIND_IPV4);
	KUNIT_ASSERT_EQ(test, FMP_RULE_ERR_NONE, fmp_world_add(test, rule));
	for (i = 0; i < 5; i++)
		fmp_test_receive(test, &f, 1);
	got = fmp_world_find(test, &rule);
	KUNIT_ASSERT_PTR_NE(test, got, (struct fmp_rule *)NULL);
	KUNIT_EXPECT_EQ(test, fmp_counter_read(&got->hits), 5);
	KUNIT_EXPECT_EQ(test, fmp_counter_read(&got->bytes), 5 * f.len);
	KUNIT_EXPECT_GT(test, fmp_rule_first_hit(got), 0);
	for (i = 0; i < 1000 && !atomic_read(&w->first_hits); i++)
		msleep(20);
	KUNIT_EXPECT_EQ(test, atomic_read(&w->first_hits), 1);
}

static void protected_hits_are_counted(struct kunit *test)
{
	struct fmp_world *w = test->priv;
	struct fmp_frame f;

	fmp_test_frame(&f, KIND_ARP);
	KUNIT_ASSERT_EQ(test, FMP_RULE_ERR_NONE, fmp_world_add(test, fmp_mac(SRC, BLOCK)));
	KUNIT_ASSERT_EQ(test, FMP_RULE_ERR_NONE,
			fmp_world_add(test, fmp_ip4(FMP_TEST_IP4(SRC), 32, PROTECT)));
	fmp_test_receive(test, &f, 1);
	fmp_test_receive(test, &f, f.len);
	KUNIT_EXPECT_EQ(test, fmp_counter_read(&w->ts.protected_hits), 2);
	/* Saved by its MAC address: the IP header is evaluated to count that. */
	fmp_tables_flush(&w->ts, NONE);
	KUNIT_ASSERT_EQ(test, FMP_RULE_ERR_NONE, fmp_world_add(test, fmp_mac(SRC, PROTECT)));
	KUNIT_ASSERT_EQ(test, FMP_RULE_ERR_NONE,
			fmp_world_add(test, fmp_ip4(FMP_TEST_IP4(SRC), 32, BLOCK)));
	fmp_test_receive(test, &f, 1);
	KUNIT_EXPECT_EQ(test, fmp_counter_read(&w->ts.protected_hits), 3);
}

static void truncated_frames_pass(struct kunit *test)
{
	struct fmp_frame f;
	u32 len;

	/* Without a complete address there is no decision: the stack drops these frames. */
	KUNIT_ASSERT_EQ(test, FMP_RULE_ERR_NONE,
			fmp_world_add(test, fmp_ip4(FMP_TEST_IP4(SRC), 32, BLOCK)));
	fmp_test_frame(&f, KIND_IPV4);
	for (len = ETH_HLEN; len < ETH_HLEN + 20; len++) {
		f.len = len;
		KUNIT_EXPECT_EQ(test, fmp_test_decision(test, &f), PASS);
	}
	f.len = ETH_HLEN + 20;
	KUNIT_EXPECT_EQ(test, fmp_test_decision(test, &f), STOP_IP);
}

static void a_pair_needs_both_addresses(struct kunit *test)
{
	struct fmp_world *w = test->priv;
	struct fmp_frame f, other;
	enum fmp_kind kind;

	for (kind = 0; kind < KINDS; kind++) {
		fmp_tables_flush(&w->ts, NONE);
		KUNIT_ASSERT_EQ(test, FMP_RULE_ERR_NONE,
				fmp_world_add(test, fmp_pair(fmp_test_ip(kind, BLOCK), SRC)));
		fmp_test_frame(&f, kind);
		KUNIT_EXPECT_EQ_MSG(test, fmp_test_decision(test, &f), STOP_IP, "frame %d", kind);
		other = f;
		other.data[11]++;
		KUNIT_EXPECT_EQ_MSG(test, fmp_test_decision(test, &other), PASS, "frame %d", kind);
		/* A protect rule for the MAC address alone saves the pair. */
		KUNIT_ASSERT_EQ(test, FMP_RULE_ERR_NONE,
				fmp_world_add(test, fmp_mac(SRC, PROTECT)));
		KUNIT_EXPECT_EQ_MSG(test, fmp_test_decision(test, &f), PASS, "frame %d", kind);
	}
}

static void observe_counts_and_passes(struct kunit *test)
{
	struct fmp_rule_spec rule = fmp_ip4(FMP_TEST_IP4(SRC), 32, FMP_VERDICT_OBSERVE);
	struct fmp_frame f;

	fmp_test_frame(&f, KIND_IPV4);
	KUNIT_ASSERT_EQ(test, FMP_RULE_ERR_NONE, fmp_world_add(test, rule));
	KUNIT_EXPECT_EQ(test, fmp_test_receive(test, &f, 1).decision, FMP_DECISION_OBSERVE);
	KUNIT_EXPECT_EQ(test, fmp_counter_read(&fmp_world_find(test, &rule)->hits), 1);
	/* A block of the MAC address blocks the frame. */
	KUNIT_ASSERT_EQ(test, FMP_RULE_ERR_NONE, fmp_world_add(test, fmp_mac(SRC, BLOCK)));
	KUNIT_EXPECT_EQ(test, fmp_test_decision(test, &f), STOP_MAC);
	/* So does a block of the IP address. */
	rule.verdict = BLOCK;
	KUNIT_ASSERT_EQ(test, FMP_RULE_ERR_NONE, fmp_world_add(test, rule));
	KUNIT_ASSERT_EQ(test, FMP_RULE_ERR_NONE,
			fmp_world_add(test, fmp_mac(SRC, FMP_VERDICT_OBSERVE)));
	KUNIT_EXPECT_EQ(test, fmp_test_decision(test, &f), STOP_IP);
}

/**
 * fmp_test_peek() - look up the sender's MAC address without counting
 * @test: the case
 *
 * Return: enum fmp_verdict of the sender's address.
 */
static u8 fmp_test_peek(struct kunit *test)
{
	static const u8 mac[] = { 0x02, 0, 0, 0, 0, SRC };
	struct fmp_world *w = test->priv;
	u8 verdict;

	rcu_read_lock_bh();
	verdict = fmp_filter_peek_mac(&w->ts, mac);
	rcu_read_unlock_bh();
	return verdict;
}

static void peek_does_not_count(struct kunit *test)
{
	struct fmp_rule_spec rule = fmp_mac(SRC, BLOCK);
	struct fmp_world *w = test->priv;
	int i;

	/* An expired rule does not match, though the stopped reaper did not remove it. */
	fmp_tables_stop(&w->ts);
	KUNIT_EXPECT_EQ(test, fmp_test_peek(test), NONE);
	KUNIT_ASSERT_EQ(test, FMP_RULE_ERR_NONE, fmp_world_add(test, fmp_mac(SRC + 1, PROTECT)));
	KUNIT_EXPECT_EQ(test, fmp_test_peek(test), NONE);
	KUNIT_ASSERT_EQ(test, FMP_RULE_ERR_NONE, fmp_world_add(test, rule));
	KUNIT_EXPECT_EQ(test, fmp_test_peek(test), BLOCK);
	KUNIT_EXPECT_EQ(test, fmp_counter_read(&fmp_world_find(test, &rule)->hits), 0);
	rule.timeout_ms = 20;
	KUNIT_ASSERT_EQ(test, FMP_RULE_ERR_NONE, fmp_world_add(test, rule));
	for (i = 0; i < 1000 && fmp_test_peek(test) != NONE; i++)
		msleep(20);
	KUNIT_EXPECT_EQ(test, fmp_test_peek(test), NONE);
	KUNIT_EXPECT_EQ(test, fmp_world_count(test), 2);
}

static struct kunit_case fmp_filter_cases[] = {
	KUNIT_CASE(inv1_protect_comes_before_block),
	KUNIT_CASE(inv1_a_protected_host_in_a_blocked_network),
	KUNIT_CASE(other_sources_pass),
	KUNIT_CASE(decision_at_earliest_byte),
	KUNIT_CASE(hits_are_counted_once_a_frame),
	KUNIT_CASE(protected_hits_are_counted),
	KUNIT_CASE(a_pair_needs_both_addresses),
	KUNIT_CASE(observe_counts_and_passes),
	KUNIT_CASE(peek_does_not_count),
	KUNIT_CASE(truncated_frames_pass),
	{},
};

struct kunit_suite fmp_filter_suite = {
	.name = "fmp-filter",
	.init = fmp_world_init,
	.exit = fmp_world_exit,
	.test_cases = fmp_filter_cases,
};
