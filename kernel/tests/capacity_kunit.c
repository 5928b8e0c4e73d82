// SPDX-License-Identifier: GPL-2.0
/*
 * Capacity: the rules that are evicted when tables are full
 */
#include "suites.h"
#include "world.h"

#define BLOCK	FMP_VERDICT_BLOCK
#define PROTECT FMP_VERDICT_PROTECT

/* Limits of a table and of all tables together in this suite. */
#define FMP_TEST_MAX_RULES 4
#define FMP_TEST_MAX_TOTAL 6

/* Timeouts are whole hours: no rule of this suite expires, it is only evicted. */
#define FMP_TEST_HOUR 3600000

/* The module's limits, saved during a case. */
static unsigned int fmp_test_max, fmp_test_max_total;

/**
 * fmp_test_init() - kunit_suite.init: set small limits
 * @test: the case
 *
 * Return: 0 or -ENOMEM.
 */
static int fmp_test_init(struct kunit *test)
{
	fmp_test_max = fmp_max_rules;
	fmp_test_max_total = fmp_max_rules_total;
	fmp_max_rules = FMP_TEST_MAX_RULES;
	fmp_max_rules_total = FMP_TEST_MAX_TOTAL;
	return fmp_world_init(test);
}

/**
 * fmp_test_exit() - kunit_suite.exit: undo fmp_test_init()
 * @test: the case
 */
static void fmp_test_exit(struct kunit *test)
{
	fmp_world_exit(test);
	fmp_max_rules = fmp_test_max;
	fmp_max_rules_total = fmp_test_max_total;
}

/**
 * fmp_set_timeout() - set the timeout of a rule
 * @spec: the rule
 * @hours: the timeout, 0 for none
 *
 * Return: the rule.
 */
static struct fmp_rule_spec fmp_set_timeout(struct fmp_rule_spec spec, u64 hours)
{
	spec.timeout_ms = hours * FMP_TEST_HOUR;
	return spec;
}

/**
 * fmp_block_host() - make a block of an IPv4 address
 * @x: last byte of 10.9.0.x
 * @hours: its timeout
 *
 * Return: the rule.
 */
static struct fmp_rule_spec fmp_block_host(u8 x, u64 hours)
{
	return fmp_set_timeout(fmp_ip4(FMP_TEST_IP4(x), 32, BLOCK), hours);
}

/**
 * fmp_test_present() - get the IPv4 addresses 10.9.0.x that have a rule
 * @test: the case
 *
 * Return: a bit for each x.
 */
static u32 fmp_test_present(struct kunit *test)
{
	u32 bits = 0;
	u8 x;

	for (x = 0; x < 32; x++) {
		struct fmp_rule_spec spec = fmp_block_host(x, 0);

		if (fmp_world_find(test, &spec))
			bits |= 1U << x;
	}
	return bits;
}

/**
 * fmp_test_batch() - add several rules at once
 * @test: the case
 * @specs: the rules
 * @n: number of rules
 * @want: expected result
 * @at: expected number of the rule at fault, on error
 */
static void fmp_test_batch(struct kunit *test, const struct fmp_rule_spec *specs, unsigned int n,
			   enum fmp_rule_err want, unsigned int at)
{
	struct fmp_world *w = test->priv;
	unsigned int bad = n;

	KUNIT_EXPECT_EQ(test, fmp_tables_add(&w->ts, specs, n, false, &bad), want);
	if (want)
		KUNIT_EXPECT_EQ(test, bad, at);
}

static void limits_are_enforced(struct kunit *test)
{
	struct fmp_rule_spec five[5];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(five); i++)
		five[i] = fmp_block_host(i, 0);
	fmp_test_batch(test, five, 5, FMP_RULE_ERR_TABLE_FULL, 4);
	KUNIT_EXPECT_EQ(test, fmp_world_count(test), 0);
	fmp_test_batch(test, five, 4, FMP_RULE_ERR_NONE, 0);
	fmp_test_batch(test, &five[4], 1, FMP_RULE_ERR_TABLE_FULL, 0);
	/* Another table has its own limit, and both share the total. */
	KUNIT_EXPECT_EQ(test, fmp_world_add(test, fmp_mac(1, BLOCK)), FMP_RULE_ERR_NONE);
	KUNIT_EXPECT_EQ(test, fmp_world_add(test, fmp_mac(2, BLOCK)), FMP_RULE_ERR_NONE);
	KUNIT_EXPECT_EQ(test, fmp_world_add(test, fmp_mac(3, BLOCK)), FMP_RULE_ERR_TOTAL_FULL);
	/* A deleted rule makes room. */
	KUNIT_EXPECT_EQ(test, fmp_world_del(test, five[0]), FMP_RULE_ERR_NONE);
	KUNIT_EXPECT_EQ(test, fmp_world_add(test, fmp_mac(3, BLOCK)), FMP_RULE_ERR_NONE);
	KUNIT_EXPECT_EQ(test, fmp_world_count(test), FMP_TEST_MAX_TOTAL);
}

static void least_time_left_is_evicted(struct kunit *test)
{
	struct fmp_world *w = test->priv;
	struct fmp_rule_spec protect = fmp_set_timeout(fmp_ip4(FMP_TEST_IP4(4), 32, PROTECT), 1);
	const struct fmp_rule_spec specs[] = { fmp_block_host(1, 4), fmp_block_host(2, 2),
					       fmp_block_host(3, 3), protect };

	fmp_test_batch(test, specs, 4, FMP_RULE_ERR_NONE, 0);
	KUNIT_EXPECT_EQ(test, fmp_world_add(test, fmp_block_host(5, 9)), FMP_RULE_ERR_NONE);
	KUNIT_EXPECT_EQ(test, fmp_test_present(test), 1 << 1 | 1 << 3 | 1 << 4 | 1 << 5);
	KUNIT_EXPECT_EQ(test, fmp_world_add(test, fmp_block_host(6, 0)), FMP_RULE_ERR_NONE);
	KUNIT_EXPECT_EQ(test, fmp_world_add(test, fmp_block_host(7, 0)), FMP_RULE_ERR_NONE);
	KUNIT_EXPECT_EQ(test, fmp_world_add(test, fmp_block_host(8, 0)), FMP_RULE_ERR_NONE);
	/* All that are left have no timeout or protect. */
	KUNIT_EXPECT_EQ(test, fmp_test_present(test), 1 << 4 | 1 << 6 | 1 << 7 | 1 << 8);
	KUNIT_EXPECT_EQ(test, fmp_world_add(test, fmp_block_host(9, 1)), FMP_RULE_ERR_TABLE_FULL);
	KUNIT_EXPECT_EQ(test, w->ts.evicted, 4);
	KUNIT_EXPECT_EQ(test, atomic_read(&w->evicted), 4);
}

static void least_time_left_of_any_table_is_evicted(struct kunit *test)
{
	struct fmp_world *w = test->priv;
	struct fmp_rule_spec soon = fmp_set_timeout(fmp_pair(fmp_block_host(1, 0), 1), 4);
	const struct fmp_rule_spec specs[] = {
		fmp_block_host(1, 6),
		fmp_block_host(2, 0),
		fmp_set_timeout(fmp_mac(1, BLOCK), 5),
		soon,
		fmp_set_timeout(fmp_ip6(FMP_TEST_IP6_HI, 1, 64, PROTECT), 1),
		fmp_set_timeout(fmp_ip6(FMP_TEST_IP6_HI + 1, 1, 64, BLOCK), 7),
	};

	fmp_test_batch(test, specs, 6, FMP_RULE_ERR_NONE, 0);
	KUNIT_EXPECT_EQ(test, fmp_world_add(test, fmp_block_host(3, 0)), FMP_RULE_ERR_NONE);
	KUNIT_EXPECT_PTR_EQ(test, fmp_world_find(test, &soon), (struct fmp_rule *)NULL);
	KUNIT_EXPECT_EQ(test, w->ts.evicted, 1);
	KUNIT_EXPECT_EQ(test, fmp_world_count(test), FMP_TEST_MAX_TOTAL);
}

static void batch_does_not_evict_its_own_rules(struct kunit *test)
{
	const struct fmp_rule_spec specs[] = { fmp_block_host(1, 1), fmp_block_host(2, 2),
					       fmp_block_host(3, 0), fmp_block_host(4, 0) };
	const struct fmp_rule_spec renew[] = { fmp_block_host(5, 0), fmp_block_host(1, 1) };

	fmp_test_batch(test, specs, 4, FMP_RULE_ERR_NONE, 0);
	fmp_test_batch(test, renew, 2, FMP_RULE_ERR_NONE, 0);
	KUNIT_EXPECT_EQ(test, fmp_test_present(test), 1 << 1 | 1 << 3 | 1 << 4 | 1 << 5);
	/* After the batch it is evicted like others. */
	KUNIT_EXPECT_EQ(test, fmp_world_add(test, fmp_block_host(6, 0)), FMP_RULE_ERR_NONE);
	KUNIT_EXPECT_EQ(test, fmp_test_present(test), 1 << 3 | 1 << 4 | 1 << 5 | 1 << 6);
}

static void refused_batch_evicts_nothing(struct kunit *test)
{
	struct fmp_world *w = test->priv;
	const struct fmp_rule_spec specs[] = { fmp_block_host(1, 1), fmp_block_host(2, 2),
					       fmp_block_host(3, 0), fmp_block_host(4, 0) };
	const struct fmp_rule_spec more[] = { fmp_block_host(5, 0), fmp_block_host(6, 0),
					      fmp_block_host(7, 0) };

	fmp_test_batch(test, specs, 4, FMP_RULE_ERR_NONE, 0);
	/* Two can be evicted and three are added. */
	fmp_test_batch(test, more, 3, FMP_RULE_ERR_TABLE_FULL, 2);
	KUNIT_EXPECT_EQ(test, fmp_test_present(test), 1 << 1 | 1 << 2 | 1 << 3 | 1 << 4);
	KUNIT_EXPECT_EQ(test, w->ts.evicted, 0);
	fmp_test_batch(test, more, 2, FMP_RULE_ERR_NONE, 0);
	KUNIT_EXPECT_EQ(test, fmp_test_present(test), 1 << 3 | 1 << 4 | 1 << 5 | 1 << 6);
	KUNIT_EXPECT_EQ(test, w->ts.evicted, 2);
}

static void eviction_makes_room_for_rest_of_batch(struct kunit *test)
{
	struct fmp_world *w = test->priv;
	const struct fmp_rule_spec specs[] = { fmp_block_host(1, 1), fmp_block_host(2, 0),
					       fmp_block_host(3, 0), fmp_block_host(4, 0) };
	const struct fmp_rule_spec in_table[] = { fmp_block_host(5, 0), fmp_mac(1, BLOCK),
						  fmp_mac(2, BLOCK) };
	const struct fmp_rule_spec in_all[] = { fmp_set_timeout(fmp_mac(3, BLOCK), 0),
						fmp_block_host(6, 0) };

	/* One eviction from the full table is enough for the total too. */
	fmp_test_batch(test, specs, 4, FMP_RULE_ERR_NONE, 0);
	fmp_test_batch(test, in_table, 3, FMP_RULE_ERR_NONE, 0);
	KUNIT_EXPECT_EQ(test, w->ts.evicted, 1);
	KUNIT_EXPECT_EQ(test, fmp_world_count(test), FMP_TEST_MAX_TOTAL);

	/* A full table has room again once one of its rules is evicted for another table. */
	KUNIT_ASSERT_EQ(test, fmp_world_add(test, fmp_block_host(2, 1)), FMP_RULE_ERR_NONE);
	KUNIT_ASSERT_EQ(test, fmp_world_add(test, fmp_set_timeout(fmp_mac(1, BLOCK), 2)),
			FMP_RULE_ERR_NONE);
	fmp_test_batch(test, in_all, 2, FMP_RULE_ERR_NONE, 0);
	KUNIT_EXPECT_EQ(test, fmp_test_present(test), 1 << 3 | 1 << 4 | 1 << 5 | 1 << 6);
	KUNIT_EXPECT_EQ(test, w->ts.evicted, 3);
	KUNIT_EXPECT_EQ(test, fmp_world_count(test), FMP_TEST_MAX_TOTAL);
}

static void expired_rules_take_no_room(struct kunit *test)
{
	struct fmp_world *w = test->priv;
	struct fmp_rule_spec brief = fmp_block_host(1, 0);
	const struct fmp_rule_spec specs[] = { fmp_block_host(2, 1), fmp_block_host(3, 2),
					       fmp_block_host(4, 3) };

	/* The reaper is stopped: the expired rule is there when the next one is added. */
	fmp_tables_stop(&w->ts);
	brief.timeout_ms = 20;
	KUNIT_ASSERT_EQ(test, fmp_world_add(test, brief), FMP_RULE_ERR_NONE);
	fmp_test_batch(test, specs, 3, FMP_RULE_ERR_NONE, 0);
	msleep(40);
	KUNIT_EXPECT_EQ(test, fmp_world_add(test, fmp_block_host(5, 0)), FMP_RULE_ERR_NONE);
	KUNIT_EXPECT_EQ(test, fmp_test_present(test), 1 << 2 | 1 << 3 | 1 << 4 | 1 << 5);
	KUNIT_EXPECT_EQ(test, w->ts.evicted, 0);
	KUNIT_EXPECT_EQ(test, atomic_read(&w->expired), 1);
}

static struct kunit_case fmp_capacity_cases[] = {
	KUNIT_CASE(limits_are_enforced),
	KUNIT_CASE(least_time_left_is_evicted),
	KUNIT_CASE(least_time_left_of_any_table_is_evicted),
	KUNIT_CASE(batch_does_not_evict_its_own_rules),
	KUNIT_CASE(refused_batch_evicts_nothing),
	KUNIT_CASE(eviction_makes_room_for_rest_of_batch),
	KUNIT_CASE(expired_rules_take_no_room),
	{},
};

struct kunit_suite fmp_capacity_suite = {
	.name = "fmp-capacity",
	.init = fmp_test_init,
	.exit = fmp_test_exit,
	.test_cases = fmp_capacity_cases,
};
