// SPDX-License-Identifier: GPL-2.0
/*
 * Conflicts of a rule: the same address twice, and protect rules that cover it
 */
#include "suites.h"
#include "world.h"

#include "../core/conflict.h"

#define BLOCK	FMP_VERDICT_BLOCK
#define PROTECT FMP_VERDICT_PROTECT

/* The longest batch, and the number of times that it is indexed, with different seeds. */
#define FMP_TEST_BATCH	512
#define FMP_TEST_ROUNDS 100

/* Last byte of the protected addresses. */
#define PROTECTED 7

/**
 * fmp_test_no_duplicate() - check that no rule of a batch is taken for another one
 * @test: the case
 * @specs: the batch
 *
 * The collisions in the index depend on the random seed: repeat it.
 */
static void fmp_test_no_duplicate(struct kunit *test, const struct fmp_rule_spec *specs)
{
	struct fmp_conflict_index index;
	unsigned int bad;
	int i;

	for (i = 0; i < FMP_TEST_ROUNDS; i++) {
		KUNIT_EXPECT_EQ(test, fmp_conflict_init(&index, specs, FMP_TEST_BATCH, &bad),
				FMP_RULE_ERR_NONE);
		fmp_conflict_exit(&index);
	}
}

static void similar_addresses_are_not_duplicates(struct kunit *test)
{
	static struct fmp_rule_spec specs[FMP_TEST_BATCH];
	unsigned int i;

	/* Equal except for the family (a.b.c.d/32 and aabb:ccdd::/32) or the length. */
	for (i = 0; i < FMP_TEST_BATCH; i++) {
		if (i < 64)
			specs[i] = fmp_ip6(0x0a09000000000000ULL, 0, 16 + i, BLOCK);
		else if (i % 2)
			specs[i] = fmp_ip4(FMP_TEST_IP4(i / 2), 32, BLOCK);
		else
			specs[i] = fmp_ip6((u64)FMP_TEST_IP4(i / 2) << 32, 0, 32, BLOCK);
	}
	fmp_test_no_duplicate(test, specs);

	/* Equal except for the last word of the longest key. */
	for (i = 0; i < FMP_TEST_BATCH; i++)
		specs[i] = fmp_pair(fmp_ip6(FMP_TEST_IP6_HI, i, 128, BLOCK), 1);
	fmp_test_no_duplicate(test, specs);
}

static void second_duplicate_is_reported(struct kunit *test)
{
	struct fmp_rule_spec b[] = {
		fmp_mac(1, BLOCK),
		fmp_ip4(FMP_TEST_IP4(1), 32, BLOCK),
		fmp_pair(fmp_ip6(FMP_TEST_IP6_HI, 1, 128, BLOCK), 1),
		fmp_ip6(FMP_TEST_IP6_HI, 1, 128, BLOCK),
		fmp_mac(9, PROTECT),
	};
	struct fmp_world *w = test->priv;
	unsigned int i, bad;

	for (i = 0; i < 4; i++) {
		b[4] = b[i];
		/* The duplicate is reported before any other error. */
		b[4].verdict = PROTECT;
		KUNIT_EXPECT_EQ(test, fmp_tables_add(&w->ts, b, 5, false, &bad),
				FMP_RULE_ERR_DUPLICATE);
		KUNIT_EXPECT_EQ(test, bad, 4);
	}
	KUNIT_EXPECT_EQ(test, fmp_tables_add(&w->ts, b, 4, false, &bad), FMP_RULE_ERR_NONE);
}

/**
 * fmp_test_protects() - check that a protect rule makes another rule be refused
 * @test: the case
 * @protect: the protect rule
 * @rule: the rule to be refused
 * @verdict: its verdict
 */
static void fmp_test_protects(struct kunit *test, struct fmp_rule_spec protect,
			      struct fmp_rule_spec rule, u8 verdict)
{
	struct fmp_world *w = test->priv;
	struct fmp_rule_spec both[] = { rule, protect };
	unsigned int bad;

	both[0].verdict = verdict;
	both[1].verdict = PROTECT;
	/* First in the same batch, unless the address is the same; then in force. */
	if (rule.family != protect.family || rule.plen != protect.plen) {
		KUNIT_EXPECT_EQ(test, fmp_tables_add(&w->ts, both, 2, false, &bad),
				FMP_RULE_ERR_PROTECTED);
		KUNIT_EXPECT_EQ(test, bad, 0);
	}
	KUNIT_ASSERT_EQ(test, fmp_world_add(test, both[1]), FMP_RULE_ERR_NONE);
	KUNIT_EXPECT_EQ(test, fmp_world_add(test, both[0]), FMP_RULE_ERR_PROTECTED);
	KUNIT_EXPECT_EQ(test, fmp_world_count(test), 1);
	KUNIT_ASSERT_EQ(test, fmp_world_del(test, both[1]), FMP_RULE_ERR_NONE);
	KUNIT_EXPECT_EQ(test, fmp_world_add(test, both[0]), FMP_RULE_ERR_NONE);
	KUNIT_ASSERT_EQ(test, fmp_world_del(test, both[0]), FMP_RULE_ERR_NONE);
}

static void inv1_protect_rules_cover_addresses(struct kunit *test)
{
	const struct fmp_rule_spec mac = fmp_mac(PROTECTED, BLOCK);
	const struct fmp_rule_spec ip4 = fmp_ip4(FMP_TEST_IP4(PROTECTED), 32, BLOCK);
	const struct fmp_rule_spec net4 = fmp_ip4(FMP_TEST_IP4(0), 24, BLOCK);
	const struct fmp_rule_spec ip6 = fmp_ip6(FMP_TEST_IP6_HI, PROTECTED, 128, BLOCK);
	const struct fmp_rule_spec net6 = fmp_ip6(FMP_TEST_IP6_HI, 0, 64, BLOCK);
	const struct fmp_rule_spec pair4 = fmp_pair(ip4, PROTECTED),
				   pair6 = fmp_pair(ip6, PROTECTED);
	const struct fmp_rule_spec *cases[][2] = {
		{ &mac, &mac },	  { &ip4, &ip4 },    { &net4, &ip4 },	 { &net4, &net4 },
		{ &ip6, &ip6 },	  { &net6, &ip6 },   { &net6, &net6 },	 { &mac, &pair4 },
		{ &ip4, &pair4 }, { &net4, &pair4 }, { &pair4, &pair4 }, { &mac, &pair6 },
		{ &ip6, &pair6 }, { &net6, &pair6 }, { &pair6, &pair6 },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		fmp_test_protects(test, *cases[i][0], *cases[i][1], BLOCK);
		fmp_test_protects(test, *cases[i][0], *cases[i][1], FMP_VERDICT_OBSERVE);
	}
}

static void protect_rules_cover_nothing_else(struct kunit *test)
{
	const struct fmp_rule_spec ip4 = fmp_ip4(FMP_TEST_IP4(PROTECTED), 32, PROTECT);
	const struct fmp_rule_spec ip6 = fmp_ip6(FMP_TEST_IP6_HI, PROTECTED, 128, PROTECT);
	const struct fmp_rule_spec rules[] = {
		/* Prefixes shorter than the protected ones. */
		fmp_ip4(FMP_TEST_IP4(PROTECTED), 31, BLOCK),
		fmp_ip6(FMP_TEST_IP6_HI, PROTECTED, 127, BLOCK),
		/* The addresses of a protected pair, and other pairs with them. */
		fmp_mac(PROTECTED, BLOCK),
		fmp_pair(fmp_ip4(FMP_TEST_IP4(1), 32, BLOCK), PROTECTED),
		fmp_pair(fmp_ip6(FMP_TEST_IP6_HI, 1, 128, BLOCK), PROTECTED),
		/* The same bits in another family. */
		fmp_ip6((u64)FMP_TEST_IP4(PROTECTED) << 32, 0, 32, BLOCK),
	};
	unsigned int i;

	KUNIT_ASSERT_EQ(test, fmp_world_add(test, ip4), FMP_RULE_ERR_NONE);
	KUNIT_ASSERT_EQ(test, fmp_world_add(test, ip6), FMP_RULE_ERR_NONE);
	KUNIT_ASSERT_EQ(test, fmp_world_add(test, fmp_pair(ip4, PROTECTED)), FMP_RULE_ERR_NONE);
	KUNIT_ASSERT_EQ(test, fmp_world_add(test, fmp_pair(ip6, PROTECTED)), FMP_RULE_ERR_NONE);
	for (i = 0; i < ARRAY_SIZE(rules); i++)
		KUNIT_EXPECT_EQ(test, fmp_world_add(test, rules[i]), FMP_RULE_ERR_NONE);
}

static struct kunit_case fmp_conflict_cases[] = {
	KUNIT_CASE(similar_addresses_are_not_duplicates),
	KUNIT_CASE(second_duplicate_is_reported),
	KUNIT_CASE(inv1_protect_rules_cover_addresses),
	KUNIT_CASE(protect_rules_cover_nothing_else),
	{},
};

struct kunit_suite fmp_conflict_suite = {
	.name = "fmp-conflict",
	.init = fmp_world_init,
	.exit = fmp_world_exit,
	.test_cases = fmp_conflict_cases,
};
