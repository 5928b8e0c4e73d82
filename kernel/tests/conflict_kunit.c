// SPDX-License-Identifier: GPL-2.0
/*
 * What speaks against a rule: the same address twice, and whoever protects it
 */
#include "suites.h"
#include "world.h"

#include "../core/conflict.h"

#define BLOCK	FMP_VERDICT_BLOCK
#define PROTECT FMP_VERDICT_PROTECT

/* The longest batch, and how often it is indexed, each time by another seed. */
#define FMP_TEST_BATCH	512
#define FMP_TEST_ROUNDS 100

/* Last byte of the addresses that are protected. */
#define FRIEND 7

/**
 * fmp_test_unlike() - no rule of a batch is taken for another one
 * @test: the case
 * @specs: the batch
 *
 * By which others a rule is found in the index is a matter of chance.
 */
static void fmp_test_unlike(struct kunit *test, const struct fmp_rule_spec *specs)
{
	struct fmp_clash clash;
	unsigned int bad;
	int i;

	for (i = 0; i < FMP_TEST_ROUNDS; i++) {
		KUNIT_EXPECT_EQ(test, fmp_clash_init(&clash, specs, FMP_TEST_BATCH, &bad),
				FMP_FAULT_NONE);
		fmp_clash_exit(&clash);
	}
}

static void what_looks_alike_is_not_the_same(struct kunit *test)
{
	static struct fmp_rule_spec specs[FMP_TEST_BATCH];
	unsigned int i;

	/* Equal but for the family, a.b.c.d/32 and aabb:ccdd::/32, or for the length. */
	for (i = 0; i < FMP_TEST_BATCH; i++) {
		if (i < 64)
			specs[i] = fmp_ip6(0x0a09000000000000ULL, 0, 16 + i, BLOCK);
		else if (i % 2)
			specs[i] = fmp_ip4(FMP_TEST_IP4(i / 2), 32, BLOCK);
		else
			specs[i] = fmp_ip6((u64)FMP_TEST_IP4(i / 2) << 32, 0, 32, BLOCK);
	}
	fmp_test_unlike(test, specs);

	/* But for the last word of the longest key. */
	for (i = 0; i < FMP_TEST_BATCH; i++)
		specs[i] = fmp_pair(fmp_ip6(FMP_TEST_IP6_HI, i, 128, BLOCK), 1);
	fmp_test_unlike(test, specs);
}

static void the_second_of_two_is_named(struct kunit *test)
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
		/* Whatever else is to be said of them. */
		b[4].verdict = PROTECT;
		KUNIT_EXPECT_EQ(test, fmp_tables_add(&w->ts, b, 5, false, &bad), FMP_FAULT_TWICE);
		KUNIT_EXPECT_EQ(test, bad, 4);
	}
	KUNIT_EXPECT_EQ(test, fmp_tables_add(&w->ts, b, 4, false, &bad), FMP_FAULT_NONE);
}

/**
 * fmp_test_guard() - a rule that protects keeps another one away
 * @test: the case
 * @guard: what protects
 * @rule: what is to be refused for it
 * @verdict: to do what
 */
static void fmp_test_guard(struct kunit *test, struct fmp_rule_spec guard,
			   struct fmp_rule_spec rule, u8 verdict)
{
	struct fmp_world *w = test->priv;
	struct fmp_rule_spec both[] = { rule, guard };
	unsigned int bad;

	both[0].verdict = verdict;
	both[1].verdict = PROTECT;
	/* In the same batch, unless it is that very address, and then in force. */
	if (rule.family != guard.family || rule.plen != guard.plen) {
		KUNIT_EXPECT_EQ(test, fmp_tables_add(&w->ts, both, 2, false, &bad),
				FMP_FAULT_PROTECTED);
		KUNIT_EXPECT_EQ(test, bad, 0);
	}
	KUNIT_ASSERT_EQ(test, fmp_world_add(test, both[1]), FMP_FAULT_NONE);
	KUNIT_EXPECT_EQ(test, fmp_world_add(test, both[0]), FMP_FAULT_PROTECTED);
	KUNIT_EXPECT_EQ(test, fmp_world_count(test), 1);
	KUNIT_ASSERT_EQ(test, fmp_world_del(test, both[1]), FMP_FAULT_NONE);
	KUNIT_EXPECT_EQ(test, fmp_world_add(test, both[0]), FMP_FAULT_NONE);
	KUNIT_ASSERT_EQ(test, fmp_world_del(test, both[0]), FMP_FAULT_NONE);
}

static void inv1_who_protects_whom(struct kunit *test)
{
	const struct fmp_rule_spec mac = fmp_mac(FRIEND, BLOCK);
	const struct fmp_rule_spec ip4 = fmp_ip4(FMP_TEST_IP4(FRIEND), 32, BLOCK);
	const struct fmp_rule_spec net4 = fmp_ip4(FMP_TEST_IP4(0), 24, BLOCK);
	const struct fmp_rule_spec ip6 = fmp_ip6(FMP_TEST_IP6_HI, FRIEND, 128, BLOCK);
	const struct fmp_rule_spec net6 = fmp_ip6(FMP_TEST_IP6_HI, 0, 64, BLOCK);
	const struct fmp_rule_spec pair4 = fmp_pair(ip4, FRIEND), pair6 = fmp_pair(ip6, FRIEND);
	const struct fmp_rule_spec *guarded[][2] = {
		{ &mac, &mac },	  { &ip4, &ip4 },    { &net4, &ip4 },	 { &net4, &net4 },
		{ &ip6, &ip6 },	  { &net6, &ip6 },   { &net6, &net6 },	 { &mac, &pair4 },
		{ &ip4, &pair4 }, { &net4, &pair4 }, { &pair4, &pair4 }, { &mac, &pair6 },
		{ &ip6, &pair6 }, { &net6, &pair6 }, { &pair6, &pair6 },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(guarded); i++) {
		fmp_test_guard(test, *guarded[i][0], *guarded[i][1], BLOCK);
		fmp_test_guard(test, *guarded[i][0], *guarded[i][1], FMP_VERDICT_OBSERVE);
	}
}

static void who_protects_nobody_else(struct kunit *test)
{
	const struct fmp_rule_spec ip4 = fmp_ip4(FMP_TEST_IP4(FRIEND), 32, PROTECT);
	const struct fmp_rule_spec ip6 = fmp_ip6(FMP_TEST_IP6_HI, FRIEND, 128, PROTECT);
	const struct fmp_rule_spec rules[] = {
		/* What is wider than what is protected. */
		fmp_ip4(FMP_TEST_IP4(FRIEND), 31, BLOCK),
		fmp_ip6(FMP_TEST_IP6_HI, FRIEND, 127, BLOCK),
		/* The addresses of a protected pair, and other pairs of them. */
		fmp_mac(FRIEND, BLOCK),
		fmp_pair(fmp_ip4(FMP_TEST_IP4(1), 32, BLOCK), FRIEND),
		fmp_pair(fmp_ip6(FMP_TEST_IP6_HI, 1, 128, BLOCK), FRIEND),
		/* Families have bits in common. */
		fmp_ip6((u64)FMP_TEST_IP4(FRIEND) << 32, 0, 32, BLOCK),
	};
	unsigned int i;

	KUNIT_ASSERT_EQ(test, fmp_world_add(test, ip4), FMP_FAULT_NONE);
	KUNIT_ASSERT_EQ(test, fmp_world_add(test, ip6), FMP_FAULT_NONE);
	KUNIT_ASSERT_EQ(test, fmp_world_add(test, fmp_pair(ip4, FRIEND)), FMP_FAULT_NONE);
	KUNIT_ASSERT_EQ(test, fmp_world_add(test, fmp_pair(ip6, FRIEND)), FMP_FAULT_NONE);
	for (i = 0; i < ARRAY_SIZE(rules); i++)
		KUNIT_EXPECT_EQ(test, fmp_world_add(test, rules[i]), FMP_FAULT_NONE);
}

static struct kunit_case fmp_clash_cases[] = {
	KUNIT_CASE(what_looks_alike_is_not_the_same),
	KUNIT_CASE(the_second_of_two_is_named),
	KUNIT_CASE(inv1_who_protects_whom),
	KUNIT_CASE(who_protects_nobody_else),
	{},
};

struct kunit_suite fmp_clash_suite = {
	.name = "fmp-clash",
	.init = fmp_world_init,
	.exit = fmp_world_exit,
	.test_cases = fmp_clash_cases,
};
