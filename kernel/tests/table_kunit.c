// SPDX-License-Identifier: GPL-2.0
/*
 * Tables: lookups for all prefix lengths and many addresses
 */
#include "frames.h"
#include "suites.h"
#include "world.h"

#include "../path/dissect.h"
#include "../path/filter.h"

#include <linux/in.h>

#define BLOCK	FMP_VERDICT_BLOCK
#define PROTECT FMP_VERDICT_PROTECT

#define PASS FMP_DECISION_PASS
#define STOP FMP_DECISION_BLOCK_IP

/* Number of addresses in the case that fills a table. */
#define FMP_TEST_MANY 20000

/**
 * fmp_test_filter() - evaluate a frame from an address
 * @test: the case
 * @source: family and address
 *
 * Return: the decision.
 */
static enum fmp_decision fmp_test_filter(struct kunit *test, const struct fmp_rule_spec *source)
{
	struct fmp_world *w = test->priv;
	enum fmp_decision decision;
	struct fmp_frame f;
	struct fmp_rx rx;

	switch (source->family) {
	case FMP_FAMILY_IPV4:
		fmp_frame_mac(&f, FMP_TEST_SRC, ETH_P_IP);
		fmp_frame_ipv4(&f, 0, 0, 0, IPPROTO_UDP);
		memcpy(f.data + 26, &source->key.word[0], 4);
		break;
	case FMP_FAMILY_IPV6:
		fmp_frame_mac(&f, FMP_TEST_SRC, ETH_P_IPV6);
		fmp_frame_ipv6(&f, 0, IPPROTO_UDP);
		memcpy(f.data + 22, &source->key.word[0], 8);
		memcpy(f.data + 30, &source->key.word[1], 8);
		break;
	default:
		fmp_frame_mac(&f, FMP_TEST_SRC, ETH_P_LLDP);
		memcpy(f.data + 6, &source->key.word[0], ETH_ALEN);
	}
	fmp_rx_begin(&rx, f.data, f.len);
	fmp_dissect_mac(&rx.hdr, f.data, f.len);
	rx.stage = FMP_STAGE_MAC_READ;
	rcu_read_lock_bh();
	decision = fmp_filter_frame(&w->ts, &rx, f.len);
	rcu_read_unlock_bh();
	return decision;
}

/**
 * fmp_flip_bit() - change one bit of an address
 * @key: the address
 * @bit: number of the bit, 0 is the first
 *
 * Return: the other address.
 */
static struct fmp_key fmp_flip_bit(struct fmp_key key, unsigned int bit)
{
	key.word[bit / 64] ^= cpu_to_be64(1ULL << (63 - bit % 64));
	return key;
}

/**
 * fmp_test_plen() - check that a prefix matches its addresses and no others
 * @test: the case
 * @rule: the prefix
 * @width: bits of an address of its family
 */
static void fmp_test_plen(struct kunit *test, struct fmp_rule_spec rule, unsigned int width)
{
	struct fmp_rule_spec probe = rule;

	KUNIT_ASSERT_EQ(test, fmp_world_add(test, rule), FMP_RULE_ERR_NONE);
	KUNIT_EXPECT_NE_MSG(test, fmp_test_filter(test, &probe), PASS, "length %u", rule.plen);
	if (rule.plen < width) {
		/* The first and the last bit after the prefix do not matter. */
		probe.key = fmp_flip_bit(rule.key, rule.plen);
		KUNIT_EXPECT_NE_MSG(test, fmp_test_filter(test, &probe), PASS, "length %u",
				    rule.plen);
		probe.key = fmp_flip_bit(rule.key, width - 1);
		KUNIT_EXPECT_NE_MSG(test, fmp_test_filter(test, &probe), PASS, "length %u",
				    rule.plen);
	}
	probe.key = fmp_flip_bit(rule.key, rule.plen - 1);
	KUNIT_EXPECT_EQ_MSG(test, fmp_test_filter(test, &probe), PASS, "length %u", rule.plen);
	probe.key = fmp_flip_bit(rule.key, 0);
	KUNIT_EXPECT_EQ_MSG(test, fmp_test_filter(test, &probe), PASS, "length %u", rule.plen);
	KUNIT_ASSERT_EQ(test, fmp_world_del(test, rule), FMP_RULE_ERR_NONE);
	KUNIT_EXPECT_EQ_MSG(test, fmp_test_filter(test, &rule), PASS, "length %u", rule.plen);
}

static void every_ipv4_prefix_length(struct kunit *test)
{
	unsigned int plen;

	for (plen = 1; plen <= 32; plen++)
		fmp_test_plen(test, fmp_ip4(0x40a81b5d, plen, BLOCK), 32);
}

static void every_ipv6_prefix_length(struct kunit *test)
{
	const u64 hi = 0x20010db8a5a5c3c3ULL, lo = 0x9e3779b97f4a7c15ULL;
	unsigned int plen;

	for (plen = 1; plen <= 128; plen++)
		fmp_test_plen(test, fmp_ip6(hi, lo, plen, BLOCK), 128);
}

static void every_prefix_length_at_once(struct kunit *test)
{
	const u64 hi = 0x20010db8a5a5c3c3ULL, lo = 0x9e3779b97f4a7c15ULL;
	struct fmp_rule_spec host = fmp_ip6(hi, lo, 128, BLOCK);
	struct fmp_rule_spec rule, probe;
	unsigned int plen;

	/* Each prefix is the longest match of addresses that differ in the bit after it. */
	for (plen = 1; plen <= 128; plen++)
		KUNIT_ASSERT_EQ(test, fmp_world_add(test, fmp_ip6(hi, lo, plen, BLOCK)),
				FMP_RULE_ERR_NONE);
	for (plen = 1; plen <= 128; plen++) {
		probe = host;
		if (plen < 128)
			probe.key = fmp_flip_bit(host.key, plen);
		KUNIT_EXPECT_EQ(test, fmp_test_filter(test, &probe), STOP);
	}
	/* So each was hit once: only the longest match counts. */
	for (plen = 1; plen <= 128; plen++) {
		rule = fmp_ip6(hi, lo, plen, BLOCK);
		KUNIT_EXPECT_EQ_MSG(test, fmp_counter_read(&fmp_world_find(test, &rule)->hits), 1,
				    "length %u", plen);
	}
}

static void number_of_lengths_in_use(struct kunit *test)
{
	struct fmp_rule_spec rule, host = fmp_ip4(FMP_TEST_IP4(1), 32, BLOCK);
	struct fmp_world *w = test->priv;
	unsigned int n, i;

	/* Address i has only bit i set: no other prefix covers it. */
	for (n = 0; n < 12; n++) {
		KUNIT_ASSERT_EQ(test, fmp_world_add(test, fmp_ip4(1U << (31 - n), n + 1, BLOCK)),
				FMP_RULE_ERR_NONE);
		for (i = 0; i < 12; i++) {
			rule = fmp_ip4(1U << (31 - i), 32, BLOCK);
			KUNIT_EXPECT_EQ_MSG(test, fmp_test_filter(test, &rule),
					    i <= n ? STOP : PASS, "%u of %u lengths", i, n);
		}
	}
	KUNIT_ASSERT_EQ(test, fmp_world_add(test, host), FMP_RULE_ERR_NONE);
	for (n = 0; n < 12; n++)
		KUNIT_ASSERT_EQ(test, fmp_world_del(test, fmp_ip4(1U << (31 - n), n + 1, BLOCK)),
				FMP_RULE_ERR_NONE);
	KUNIT_EXPECT_EQ(test, fmp_test_filter(test, &host), STOP);
	/* Lookups do not try lengths that are no longer in use. */
	KUNIT_EXPECT_EQ(test, w->ts.family[FMP_FAMILY_IPV4].lens, 32);
	KUNIT_EXPECT_NE(test, w->ts.lookup_mask & FMP_LOOKUP_HOSTS4, 0);
}

static void mac_addresses_are_whole(struct kunit *test)
{
	fmp_test_plen(test, fmp_mac(0x17, BLOCK), 48);
}

static void empty_tables_match_nothing(struct kunit *test)
{
	struct fmp_rule_spec probes[] = { fmp_ip4(FMP_TEST_IP4(1), 32, BLOCK),
					  fmp_ip6(FMP_TEST_IP6_HI, 1, 128, BLOCK),
					  fmp_mac(1, BLOCK) };
	int i, round;

	/* Never used in the first round, used and empty again in the second. */
	for (round = 0; round < 2; round++) {
		for (i = 0; i < ARRAY_SIZE(probes); i++) {
			KUNIT_EXPECT_EQ(test, fmp_test_filter(test, &probes[i]), PASS);
			KUNIT_ASSERT_EQ(test, fmp_world_add(test, probes[i]), FMP_RULE_ERR_NONE);
			KUNIT_ASSERT_EQ(test, fmp_world_del(test, probes[i]), FMP_RULE_ERR_NONE);
		}
	}
}

static void a_protect_saves_at_any_length(struct kunit *test)
{
	struct fmp_rule_spec probe = fmp_ip4(FMP_TEST_IP4(2), 32, BLOCK);
	u32 addr = be64_to_cpu(probe.key.word[0]) >> 32;
	unsigned int plen;

	for (plen = 1; plen < 32; plen++) {
		/* The block has the longer prefix and is added first. */
		KUNIT_ASSERT_EQ(test, fmp_world_add(test, probe), FMP_RULE_ERR_NONE);
		KUNIT_EXPECT_EQ(test, fmp_test_filter(test, &probe), STOP);
		KUNIT_ASSERT_EQ(test, fmp_world_add(test, fmp_ip4(addr, plen, PROTECT)),
				FMP_RULE_ERR_NONE);
		KUNIT_EXPECT_EQ_MSG(test, fmp_test_filter(test, &probe), PASS, "length %u", plen);
		KUNIT_ASSERT_EQ(test, fmp_world_del(test, fmp_ip4(addr, plen, PROTECT)),
				FMP_RULE_ERR_NONE);
	}
}

static void verdict_changes_in_place(struct kunit *test)
{
	struct fmp_rule_spec rule = fmp_ip6(FMP_TEST_IP6_HI, 2, 128, BLOCK);
	struct fmp_rule *old;

	KUNIT_ASSERT_EQ(test, fmp_world_add(test, rule), FMP_RULE_ERR_NONE);
	KUNIT_EXPECT_EQ(test, fmp_test_filter(test, &rule), STOP);
	old = fmp_world_find(test, &rule);
	rule.verdict = FMP_VERDICT_OBSERVE;
	KUNIT_ASSERT_EQ(test, fmp_world_add(test, rule), FMP_RULE_ERR_NONE);
	KUNIT_EXPECT_EQ(test, fmp_test_filter(test, &rule), FMP_DECISION_OBSERVE);
	rule.verdict = PROTECT;
	KUNIT_ASSERT_EQ(test, fmp_world_add(test, rule), FMP_RULE_ERR_NONE);
	KUNIT_EXPECT_EQ(test, fmp_test_filter(test, &rule), PASS);
	KUNIT_EXPECT_PTR_EQ(test, fmp_world_find(test, &rule), old);
}

/**
 * fmp_nth_rule() - make a block of address number @i of a full table
 * @i: its number
 *
 * Multiplication by an odd number: no two addresses are the same.
 *
 * Return: the rule.
 */
static struct fmp_rule_spec fmp_nth_rule(u32 i)
{
	return fmp_ip4((i + 1) * 2654435761U, 32, BLOCK);
}

static void all_of_many_addresses(struct kunit *test)
{
	struct fmp_rule_spec rule;
	u32 found = 0, wrong = 0, i;

	for (i = 0; i < FMP_TEST_MANY; i++)
		KUNIT_ASSERT_EQ(test, fmp_world_add(test, fmp_nth_rule(i)), FMP_RULE_ERR_NONE);
	KUNIT_EXPECT_EQ(test, fmp_world_count(test), FMP_TEST_MANY);
	for (i = 0; i < FMP_TEST_MANY; i += 2)
		KUNIT_ASSERT_EQ(test, fmp_world_del(test, fmp_nth_rule(i)), FMP_RULE_ERR_NONE);

	for (i = 0; i < 2 * FMP_TEST_MANY; i++) {
		rule = fmp_nth_rule(i);
		if (fmp_test_filter(test, &rule) == PASS)
			continue;
		if (i % 2 && i < FMP_TEST_MANY)
			found++;
		else
			wrong++;
	}
	KUNIT_EXPECT_EQ(test, found, FMP_TEST_MANY / 2);
	KUNIT_EXPECT_EQ(test, wrong, 0);
	KUNIT_EXPECT_EQ(test, fmp_world_count(test), FMP_TEST_MANY / 2);
}

static void expired_rule_matches_nothing(struct kunit *test)
{
	struct fmp_rule_spec rule = fmp_ip4(FMP_TEST_IP4(3), 32, BLOCK);
	struct fmp_world *w = test->priv;
	int i;

	/* The reaper is stopped: the lookup itself must check the expiry time. */
	fmp_tables_stop(&w->ts);
	rule.timeout_ms = 3600 * 1000;
	KUNIT_ASSERT_EQ(test, fmp_world_add(test, rule), FMP_RULE_ERR_NONE);
	KUNIT_EXPECT_EQ(test, fmp_test_filter(test, &rule), STOP);
	rule.timeout_ms = 20;
	KUNIT_ASSERT_EQ(test, fmp_world_add(test, rule), FMP_RULE_ERR_NONE);
	for (i = 0; i < 1000 && fmp_test_filter(test, &rule) != PASS; i++)
		msleep(20);
	KUNIT_EXPECT_EQ(test, fmp_test_filter(test, &rule), PASS);
	KUNIT_EXPECT_EQ(test, fmp_world_count(test), 1);
}

static struct kunit_case fmp_table_cases[] = {
	KUNIT_CASE(every_ipv4_prefix_length),
	KUNIT_CASE(every_ipv6_prefix_length),
	KUNIT_CASE(every_prefix_length_at_once),
	KUNIT_CASE(number_of_lengths_in_use),
	KUNIT_CASE(mac_addresses_are_whole),
	KUNIT_CASE(empty_tables_match_nothing),
	KUNIT_CASE(a_protect_saves_at_any_length),
	KUNIT_CASE(verdict_changes_in_place),
	KUNIT_CASE(all_of_many_addresses),
	KUNIT_CASE(expired_rule_matches_nothing),
	{},
};

struct kunit_suite fmp_table_suite = {
	.name = "fmp-table",
	.init = fmp_world_init,
	.exit = fmp_world_exit,
	.test_cases = fmp_table_cases,
};
