// SPDX-License-Identifier: GPL-2.0
/*
 * Room: who goes when tables are full
 */
#include "suites.h"
#include "world.h"

#define BLOCK	FMP_VERDICT_BLOCK
#define PROTECT FMP_VERDICT_PROTECT

/* What a table and all tables together hold here. */
#define FMP_TEST_ROOM	    4
#define FMP_TEST_ROOM_TOTAL 6

/* No rule of these suites ends by itself: what goes is evicted. */
#define FMP_TEST_HOUR 3600000

/* The module's limits, while others are in force. */
static unsigned int fmp_test_max, fmp_test_max_total;

/**
 * fmp_test_init() - small tables for a case: kunit_suite.init
 * @test: the case
 *
 * Return: 0 or -ENOMEM.
 */
static int fmp_test_init(struct kunit *test)
{
	fmp_test_max = fmp_max_rules;
	fmp_test_max_total = fmp_max_rules_total;
	fmp_max_rules = FMP_TEST_ROOM;
	fmp_max_rules_total = FMP_TEST_ROOM_TOTAL;
	return fmp_world_init(test);
}

/**
 * fmp_test_exit() - undo fmp_test_init(): kunit_suite.exit
 * @test: the case
 */
static void fmp_test_exit(struct kunit *test)
{
	fmp_world_exit(test);
	fmp_max_rules = fmp_test_max;
	fmp_max_rules_total = fmp_test_max_total;
}

/**
 * fmp_for() - give a rule an end
 * @spec: the rule
 * @hours: when, 0 for never
 *
 * Return: the rule.
 */
static struct fmp_rule_spec fmp_for(struct fmp_rule_spec spec, u64 hours)
{
	spec.timeout_ms = hours * FMP_TEST_HOUR;
	return spec;
}

/**
 * fmp_host() - a block of an IPv4 address
 * @x: last byte of 10.9.0.x
 * @hours: its end
 *
 * Return: the rule.
 */
static struct fmp_rule_spec fmp_host(u8 x, u64 hours)
{
	return fmp_for(fmp_ip4(FMP_TEST_IP4(x), 32, BLOCK), hours);
}

/**
 * fmp_test_there() - which IPv4 addresses 10.9.0.x have a rule
 * @test: the case
 *
 * Return: a bit for each x.
 */
static u32 fmp_test_there(struct kunit *test)
{
	u32 bits = 0;
	u8 x;

	for (x = 0; x < 32; x++) {
		struct fmp_rule_spec spec = fmp_host(x, 0);

		if (fmp_world_find(test, &spec))
			bits |= 1U << x;
	}
	return bits;
}

/**
 * fmp_test_batch() - add several rules at once
 * @test: the case
 * @specs: the rules
 * @n: how many
 * @want: what is to be said of them
 * @at: the rule that is to be named, if they are refused
 */
static void fmp_test_batch(struct kunit *test, const struct fmp_rule_spec *specs, unsigned int n,
			   enum fmp_fault want, unsigned int at)
{
	struct fmp_world *w = test->priv;
	unsigned int bad = n;

	KUNIT_EXPECT_EQ(test, fmp_tables_add(&w->ts, specs, n, false, &bad), want);
	if (want)
		KUNIT_EXPECT_EQ(test, bad, at);
}

static void tables_hold_what_they_are_to_hold(struct kunit *test)
{
	struct fmp_rule_spec five[5];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(five); i++)
		five[i] = fmp_host(i, 0);
	fmp_test_batch(test, five, 5, FMP_FAULT_TABLE_FULL, 4);
	KUNIT_EXPECT_EQ(test, fmp_world_count(test), 0);
	fmp_test_batch(test, five, 4, FMP_FAULT_NONE, 0);
	fmp_test_batch(test, &five[4], 1, FMP_FAULT_TABLE_FULL, 0);
	/* Another one has its own room, of what all have. */
	KUNIT_EXPECT_EQ(test, fmp_world_add(test, fmp_mac(1, BLOCK)), FMP_FAULT_NONE);
	KUNIT_EXPECT_EQ(test, fmp_world_add(test, fmp_mac(2, BLOCK)), FMP_FAULT_NONE);
	KUNIT_EXPECT_EQ(test, fmp_world_add(test, fmp_mac(3, BLOCK)), FMP_FAULT_TOTAL_FULL);
	/* What goes leaves room. */
	KUNIT_EXPECT_EQ(test, fmp_world_del(test, five[0]), FMP_FAULT_NONE);
	KUNIT_EXPECT_EQ(test, fmp_world_add(test, fmp_mac(3, BLOCK)), FMP_FAULT_NONE);
	KUNIT_EXPECT_EQ(test, fmp_world_count(test), FMP_TEST_ROOM_TOTAL);
}

static void the_least_time_left_goes(struct kunit *test)
{
	struct fmp_world *w = test->priv;
	struct fmp_rule_spec guard = fmp_for(fmp_ip4(FMP_TEST_IP4(4), 32, PROTECT), 1);
	const struct fmp_rule_spec specs[] = { fmp_host(1, 4), fmp_host(2, 2), fmp_host(3, 3),
					       guard };

	fmp_test_batch(test, specs, 4, FMP_FAULT_NONE, 0);
	KUNIT_EXPECT_EQ(test, fmp_world_add(test, fmp_host(5, 9)), FMP_FAULT_NONE);
	KUNIT_EXPECT_EQ(test, fmp_test_there(test), 1 << 1 | 1 << 3 | 1 << 4 | 1 << 5);
	KUNIT_EXPECT_EQ(test, fmp_world_add(test, fmp_host(6, 0)), FMP_FAULT_NONE);
	KUNIT_EXPECT_EQ(test, fmp_world_add(test, fmp_host(7, 0)), FMP_FAULT_NONE);
	KUNIT_EXPECT_EQ(test, fmp_world_add(test, fmp_host(8, 0)), FMP_FAULT_NONE);
	/* Nobody is left but who has no end, and who protects. */
	KUNIT_EXPECT_EQ(test, fmp_test_there(test), 1 << 4 | 1 << 6 | 1 << 7 | 1 << 8);
	KUNIT_EXPECT_EQ(test, fmp_world_add(test, fmp_host(9, 1)), FMP_FAULT_TABLE_FULL);
	KUNIT_EXPECT_EQ(test, w->ts.evicted, 4);
	KUNIT_EXPECT_EQ(test, atomic_read(&w->evicted), 4);
}

static void the_least_time_left_of_any_table_goes(struct kunit *test)
{
	struct fmp_world *w = test->priv;
	struct fmp_rule_spec soon = fmp_for(fmp_pair(fmp_host(1, 0), 1), 4);
	const struct fmp_rule_spec specs[] = {
		fmp_host(1, 6),
		fmp_host(2, 0),
		fmp_for(fmp_mac(1, BLOCK), 5),
		soon,
		fmp_for(fmp_ip6(FMP_TEST_IP6_HI, 1, 64, PROTECT), 1),
		fmp_for(fmp_ip6(FMP_TEST_IP6_HI + 1, 1, 64, BLOCK), 7),
	};

	fmp_test_batch(test, specs, 6, FMP_FAULT_NONE, 0);
	KUNIT_EXPECT_EQ(test, fmp_world_add(test, fmp_host(3, 0)), FMP_FAULT_NONE);
	KUNIT_EXPECT_PTR_EQ(test, fmp_world_find(test, &soon), (struct fmp_rule *)NULL);
	KUNIT_EXPECT_EQ(test, w->ts.evicted, 1);
	KUNIT_EXPECT_EQ(test, fmp_world_count(test), FMP_TEST_ROOM_TOTAL);
}

static void a_batch_evicts_none_of_its_own(struct kunit *test)
{
	const struct fmp_rule_spec specs[] = { fmp_host(1, 1), fmp_host(2, 2), fmp_host(3, 0),
					       fmp_host(4, 0) };
	const struct fmp_rule_spec renew[] = { fmp_host(5, 0), fmp_host(1, 1) };

	fmp_test_batch(test, specs, 4, FMP_FAULT_NONE, 0);
	fmp_test_batch(test, renew, 2, FMP_FAULT_NONE, 0);
	KUNIT_EXPECT_EQ(test, fmp_test_there(test), 1 << 1 | 1 << 3 | 1 << 4 | 1 << 5);
	/* It is no better off than others afterwards. */
	KUNIT_EXPECT_EQ(test, fmp_world_add(test, fmp_host(6, 0)), FMP_FAULT_NONE);
	KUNIT_EXPECT_EQ(test, fmp_test_there(test), 1 << 3 | 1 << 4 | 1 << 5 | 1 << 6);
}

static void a_refused_batch_evicts_nothing(struct kunit *test)
{
	struct fmp_world *w = test->priv;
	const struct fmp_rule_spec specs[] = { fmp_host(1, 1), fmp_host(2, 2), fmp_host(3, 0),
					       fmp_host(4, 0) };
	const struct fmp_rule_spec more[] = { fmp_host(5, 0), fmp_host(6, 0), fmp_host(7, 0) };

	fmp_test_batch(test, specs, 4, FMP_FAULT_NONE, 0);
	/* Two may go and three want to come. */
	fmp_test_batch(test, more, 3, FMP_FAULT_TABLE_FULL, 2);
	KUNIT_EXPECT_EQ(test, fmp_test_there(test), 1 << 1 | 1 << 2 | 1 << 3 | 1 << 4);
	KUNIT_EXPECT_EQ(test, w->ts.evicted, 0);
	fmp_test_batch(test, more, 2, FMP_FAULT_NONE, 0);
	KUNIT_EXPECT_EQ(test, fmp_test_there(test), 1 << 3 | 1 << 4 | 1 << 5 | 1 << 6);
	KUNIT_EXPECT_EQ(test, w->ts.evicted, 2);
}

static void who_goes_makes_room_for_the_rest_of_the_batch(struct kunit *test)
{
	struct fmp_world *w = test->priv;
	const struct fmp_rule_spec specs[] = { fmp_host(1, 1), fmp_host(2, 0), fmp_host(3, 0),
					       fmp_host(4, 0) };
	const struct fmp_rule_spec in_table[] = { fmp_host(5, 0), fmp_mac(1, BLOCK),
						  fmp_mac(2, BLOCK) };
	const struct fmp_rule_spec in_all[] = { fmp_for(fmp_mac(3, BLOCK), 0), fmp_host(6, 0) };

	/* The place of the one in a full table is all that is taken of what all have. */
	fmp_test_batch(test, specs, 4, FMP_FAULT_NONE, 0);
	fmp_test_batch(test, in_table, 3, FMP_FAULT_NONE, 0);
	KUNIT_EXPECT_EQ(test, w->ts.evicted, 1);
	KUNIT_EXPECT_EQ(test, fmp_world_count(test), FMP_TEST_ROOM_TOTAL);

	/* A full table has room as soon as one of its rules goes for that of another. */
	KUNIT_ASSERT_EQ(test, fmp_world_add(test, fmp_host(2, 1)), FMP_FAULT_NONE);
	KUNIT_ASSERT_EQ(test, fmp_world_add(test, fmp_for(fmp_mac(1, BLOCK), 2)), FMP_FAULT_NONE);
	fmp_test_batch(test, in_all, 2, FMP_FAULT_NONE, 0);
	KUNIT_EXPECT_EQ(test, fmp_test_there(test), 1 << 3 | 1 << 4 | 1 << 5 | 1 << 6);
	KUNIT_EXPECT_EQ(test, w->ts.evicted, 3);
	KUNIT_EXPECT_EQ(test, fmp_world_count(test), FMP_TEST_ROOM_TOTAL);
}

static void what_is_over_takes_no_room(struct kunit *test)
{
	struct fmp_world *w = test->priv;
	struct fmp_rule_spec brief = fmp_host(1, 0);
	const struct fmp_rule_spec specs[] = { fmp_host(2, 1), fmp_host(3, 2), fmp_host(4, 3) };

	/* Nobody takes it away before the next rule comes. */
	fmp_tables_stop(&w->ts);
	brief.timeout_ms = 20;
	KUNIT_ASSERT_EQ(test, fmp_world_add(test, brief), FMP_FAULT_NONE);
	fmp_test_batch(test, specs, 3, FMP_FAULT_NONE, 0);
	msleep(40);
	KUNIT_EXPECT_EQ(test, fmp_world_add(test, fmp_host(5, 0)), FMP_FAULT_NONE);
	KUNIT_EXPECT_EQ(test, fmp_test_there(test), 1 << 2 | 1 << 3 | 1 << 4 | 1 << 5);
	KUNIT_EXPECT_EQ(test, w->ts.evicted, 0);
	KUNIT_EXPECT_EQ(test, atomic_read(&w->expired), 1);
}

static struct kunit_case fmp_room_cases[] = {
	KUNIT_CASE(tables_hold_what_they_are_to_hold),
	KUNIT_CASE(the_least_time_left_goes),
	KUNIT_CASE(the_least_time_left_of_any_table_goes),
	KUNIT_CASE(a_batch_evicts_none_of_its_own),
	KUNIT_CASE(a_refused_batch_evicts_nothing),
	KUNIT_CASE(who_goes_makes_room_for_the_rest_of_the_batch),
	KUNIT_CASE(what_is_over_takes_no_room),
	{},
};

struct kunit_suite fmp_room_suite = {
	.name = "fmp-room",
	.init = fmp_test_init,
	.exit = fmp_test_exit,
	.test_cases = fmp_room_cases,
};
