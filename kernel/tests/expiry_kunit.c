// SPDX-License-Identifier: GPL-2.0
/*
 * Expiry of rules: its time, and the tables afterwards
 */
#include "suites.h"
#include "world.h"

#include <linux/ktime.h>

#define BLOCK	FMP_VERDICT_BLOCK
#define PROTECT FMP_VERDICT_PROTECT
#define OBSERVE FMP_VERDICT_OBSERVE

/* A timeout that expires while the case waits, and one that does not, in ms. */
#define SHORT 30
#define LONG  3600000

/**
 * fmp_set_timeout() - set the timeout of a rule
 * @spec: the rule
 * @ms: the timeout
 *
 * Return: the rule.
 */
static struct fmp_rule_spec fmp_set_timeout(struct fmp_rule_spec spec, u64 ms)
{
	spec.timeout_ms = ms;
	return spec;
}

/**
 * fmp_rule_of_family() - make a rule of any family
 * @family: enum fmp_family
 * @x: last byte of its addresses
 * @verdict: enum fmp_verdict
 *
 * Return: the rule.
 */
static struct fmp_rule_spec fmp_rule_of_family(enum fmp_family family, u8 x, u8 verdict)
{
	const struct fmp_rule_spec ip4 = fmp_ip4(FMP_TEST_IP4(x), 32, verdict);
	const struct fmp_rule_spec ip6 = fmp_ip6(FMP_TEST_IP6_HI, x, 128, verdict);

	switch (family) {
	case FMP_FAMILY_IPV4:
		return ip4;
	case FMP_FAMILY_IPV6:
		return ip6;
	case FMP_FAMILY_PAIR4:
		return fmp_pair(ip4, x);
	case FMP_FAMILY_PAIR6:
		return fmp_pair(ip6, x);
	default:
		return fmp_mac(x, verdict);
	}
}

/**
 * fmp_test_wait_expired() - wait until rules have expired
 * @test: the case
 * @n: number of rules
 */
static void fmp_test_wait_expired(struct kunit *test, int n)
{
	struct fmp_world *w = test->priv;
	int i;

	for (i = 0; i < 1000 && atomic_read(&w->expired) < n; i++)
		msleep(20);
	KUNIT_EXPECT_EQ(test, atomic_read(&w->expired), n);
}

static void rules_of_each_kind_expire(struct kunit *test)
{
	struct fmp_world *w = test->priv;
	u32 generation;
	int f, n = 0;
	u8 verdict;

	for (f = 0; f < FMP_FAMILIES; f++) {
		for (verdict = BLOCK; verdict <= FMP_VERDICT_MAX; verdict++, n++)
			KUNIT_ASSERT_EQ(test, FMP_RULE_ERR_NONE,
					fmp_world_add(test,
						      fmp_set_timeout(fmp_rule_of_family(f, verdict,
											 verdict),
								      SHORT)));
	}
	generation = w->ts.generation;
	fmp_test_wait_expired(test, n);
	KUNIT_EXPECT_EQ(test, fmp_world_count(test), 0);
	/* Frames need no lookup any more, and earlier header records are stale. */
	KUNIT_EXPECT_EQ(test, w->ts.lookup_mask, 0);
	KUNIT_EXPECT_NE(test, w->ts.generation, generation);
}

static void expiry_time_is_as_requested(struct kunit *test)
{
	struct fmp_rule_spec spec = fmp_set_timeout(fmp_mac(1, BLOCK), LONG);
	u64 before = ktime_get_boottime_ns(), end;

	KUNIT_ASSERT_EQ(test, fmp_world_add(test, spec), FMP_RULE_ERR_NONE);
	end = fmp_world_find(test, &spec)->expires.ns;
	KUNIT_EXPECT_LE(test, before + LONG * NSEC_PER_MSEC, end);
	KUNIT_EXPECT_LE(test, end, ktime_get_boottime_ns() + LONG * NSEC_PER_MSEC);
}

static void last_timeout_counts(struct kunit *test)
{
	struct fmp_rule_spec later = fmp_mac(1, BLOCK), never = fmp_mac(2, BLOCK),
			     now = fmp_mac(3, BLOCK), soon = fmp_mac(4, BLOCK);

	KUNIT_ASSERT_EQ(test, fmp_world_add(test, fmp_set_timeout(later, SHORT)),
			FMP_RULE_ERR_NONE);
	KUNIT_ASSERT_EQ(test, fmp_world_add(test, fmp_set_timeout(never, SHORT)),
			FMP_RULE_ERR_NONE);
	KUNIT_ASSERT_EQ(test, fmp_world_add(test, now), FMP_RULE_ERR_NONE);
	KUNIT_ASSERT_EQ(test, fmp_world_add(test, fmp_set_timeout(soon, LONG)), FMP_RULE_ERR_NONE);
	KUNIT_ASSERT_EQ(test, fmp_world_add(test, fmp_set_timeout(later, LONG)), FMP_RULE_ERR_NONE);
	KUNIT_ASSERT_EQ(test, fmp_world_add(test, never), FMP_RULE_ERR_NONE);
	KUNIT_ASSERT_EQ(test, fmp_world_add(test, fmp_set_timeout(now, SHORT)), FMP_RULE_ERR_NONE);
	KUNIT_ASSERT_EQ(test, fmp_world_add(test, fmp_set_timeout(soon, SHORT)), FMP_RULE_ERR_NONE);
	fmp_test_wait_expired(test, 2);
	KUNIT_EXPECT_PTR_NE(test, fmp_world_find(test, &later), (struct fmp_rule *)NULL);
	KUNIT_ASSERT_PTR_NE(test, fmp_world_find(test, &never), (struct fmp_rule *)NULL);
	KUNIT_EXPECT_EQ(test, fmp_world_find(test, &never)->expires.ns, 0);
	KUNIT_EXPECT_EQ(test, fmp_world_count(test), 2);
}

static void verdict_change_keeps_expiry(struct kunit *test)
{
	static const u8 verdicts[] = { BLOCK, OBSERVE, BLOCK, PROTECT };
	struct fmp_rule_spec spec;
	int round, i;

	/* Protect rules have their own tree: in the last round all rules move to it. */
	for (round = 0; round < ARRAY_SIZE(verdicts); round++) {
		for (i = 0; i < 20; i++) {
			spec = fmp_set_timeout(fmp_mac(i, verdicts[round]), LONG + i * 7 % 20);
			KUNIT_ASSERT_EQ(test, fmp_world_add(test, spec), FMP_RULE_ERR_NONE);
		}
	}
	for (i = 0; i < 20; i++) {
		spec = fmp_set_timeout(fmp_mac(i, PROTECT), SHORT);
		KUNIT_ASSERT_EQ(test, fmp_world_add(test, spec), FMP_RULE_ERR_NONE);
	}
	fmp_test_wait_expired(test, 20);
	KUNIT_EXPECT_EQ(test, fmp_world_count(test), 0);
}

static void changes_do_not_see_expired_rules(struct kunit *test)
{
	struct fmp_rule_spec rule = fmp_set_timeout(fmp_mac(1, BLOCK), SHORT);
	struct fmp_world *w = test->priv;
	unsigned int bad;

	/* The reaper is stopped. */
	fmp_tables_stop(&w->ts);
	KUNIT_ASSERT_EQ(test, fmp_world_add(test, rule), FMP_RULE_ERR_NONE);
	KUNIT_EXPECT_EQ(test, fmp_tables_add(&w->ts, &rule, 1, true, &bad), FMP_RULE_ERR_EXISTS);
	msleep(2 * SHORT);
	KUNIT_EXPECT_EQ(test, fmp_world_count(test), 1);
	KUNIT_EXPECT_EQ(test, fmp_tables_add(&w->ts, &rule, 1, true, &bad), FMP_RULE_ERR_NONE);
	msleep(2 * SHORT);
	KUNIT_EXPECT_EQ(test, fmp_world_del(test, rule), FMP_RULE_ERR_MISSING);
	KUNIT_EXPECT_EQ(test, atomic_read(&w->expired), 2);
}

static struct kunit_case fmp_expiry_cases[] = {
	KUNIT_CASE(rules_of_each_kind_expire),
	KUNIT_CASE(expiry_time_is_as_requested),
	KUNIT_CASE(last_timeout_counts),
	KUNIT_CASE(verdict_change_keeps_expiry),
	KUNIT_CASE(changes_do_not_see_expired_rules),
	{},
};

struct kunit_suite fmp_expiry_suite = {
	.name = "fmp-expiry",
	.init = fmp_world_init,
	.exit = fmp_world_exit,
	.test_cases = fmp_expiry_cases,
};
