// SPDX-License-Identifier: GPL-2.0
/*
 * First hits: each is reported once, or counted as lost
 */
#include "suites.h"
#include "world.h"

#define BLOCK FMP_VERDICT_BLOCK

/**
 * fmp_test_match() - count a frame for a rule
 * @test: the case
 * @spec: the rule
 */
static void fmp_test_match(struct kunit *test, struct fmp_rule_spec spec)
{
	struct fmp_rule *rule = fmp_world_find(test, &spec);
	struct fmp_world *w = test->priv;

	KUNIT_ASSERT_PTR_NE(test, rule, (struct fmp_rule *)NULL);
	rcu_read_lock_bh();
	if (fmp_rule_count_hit(rule, 60))
		fmp_hits_push(&w->ts.hits, rule);
	rcu_read_unlock_bh();
}

/**
 * fmp_test_replace() - delete a rule and add it again
 * @test: the case
 * @spec: the rule
 */
static void fmp_test_replace(struct kunit *test, struct fmp_rule_spec spec)
{
	KUNIT_ASSERT_EQ(test, fmp_world_del(test, spec), FMP_RULE_ERR_NONE);
	KUNIT_ASSERT_EQ(test, fmp_world_add(test, spec), FMP_RULE_ERR_NONE);
}

/**
 * fmp_test_reported() - wait until first hits are reported
 * @test: the case
 * @n: expected number
 */
static void fmp_test_reported(struct kunit *test, int n)
{
	struct fmp_world *w = test->priv;
	int i;

	for (i = 0; i < 1000 && atomic_read(&w->first_hits) < n; i++)
		msleep(20);
	/* No more are reported. */
	msleep(40);
	KUNIT_EXPECT_EQ(test, atomic_read(&w->first_hits), n);
}

static void first_hit_is_reported_once(struct kunit *test)
{
	struct fmp_world *w = test->priv;
	int i, n;

	for (n = 0; n < 3; n++)
		KUNIT_ASSERT_EQ(test, fmp_world_add(test, fmp_mac(n, BLOCK)), FMP_RULE_ERR_NONE);
	for (i = 0; i < 5; i++) {
		for (n = 0; n < 3; n++)
			fmp_test_match(test, fmp_mac(n, BLOCK));
	}
	fmp_test_reported(test, 3);
	KUNIT_EXPECT_EQ(test, atomic_read(&w->hits_lost), 0);
}

static void readded_rule_is_reported_anew(struct kunit *test)
{
	struct fmp_rule_spec back = fmp_mac(1, BLOCK), other = fmp_mac(2, BLOCK);
	struct fmp_world *w = test->priv;

	KUNIT_ASSERT_EQ(test, fmp_world_add(test, back), FMP_RULE_ERR_NONE);
	KUNIT_ASSERT_EQ(test, fmp_world_add(test, other), FMP_RULE_ERR_NONE);
	/* Hit, deleted and added again before the work item runs. */
	fmp_hits_stop(&w->ts.hits);
	fmp_test_match(test, back);
	fmp_test_replace(test, back);
	fmp_hits_start(&w->ts.hits);
	fmp_test_match(test, other);
	fmp_test_reported(test, 1);
	fmp_test_match(test, back);
	fmp_test_reported(test, 2);

	/* Hit again after that: the queue has two references to it. */
	fmp_test_replace(test, back);
	fmp_test_replace(test, other);
	fmp_hits_stop(&w->ts.hits);
	fmp_test_match(test, back);
	fmp_test_replace(test, back);
	fmp_test_match(test, back);
	fmp_hits_start(&w->ts.hits);
	fmp_test_match(test, other);
	fmp_test_reported(test, 4);

	/* Hit and deleted. */
	fmp_test_replace(test, other);
	fmp_test_replace(test, back);
	fmp_hits_stop(&w->ts.hits);
	fmp_test_match(test, back);
	KUNIT_ASSERT_EQ(test, fmp_world_del(test, back), FMP_RULE_ERR_NONE);
	fmp_hits_start(&w->ts.hits);
	fmp_test_match(test, other);
	fmp_test_reported(test, 5);
}

static void overflow_is_counted_as_lost(struct kunit *test)
{
	struct fmp_world *w = test->priv;
	int n;

	fmp_hits_stop(&w->ts.hits);
	for (n = 0; n <= 2 * FMP_HITS_MAX; n++) {
		KUNIT_ASSERT_EQ(test, fmp_world_add(test, fmp_mac(n, BLOCK)), FMP_RULE_ERR_NONE);
		if (n == 2 * FMP_HITS_MAX)
			fmp_hits_start(&w->ts.hits);
		fmp_test_match(test, fmp_mac(n, BLOCK));
	}
	fmp_test_reported(test, FMP_HITS_MAX);
	KUNIT_EXPECT_EQ(test, atomic_read(&w->hits_lost), FMP_HITS_MAX + 1);
}

static void no_report_after_stop(struct kunit *test)
{
	struct fmp_world *w = test->priv;

	KUNIT_ASSERT_EQ(test, fmp_world_add(test, fmp_mac(1, BLOCK)), FMP_RULE_ERR_NONE);
	fmp_hits_stop(&w->ts.hits);
	fmp_test_match(test, fmp_mac(1, BLOCK));
	fmp_test_reported(test, 0);
}

static struct kunit_case fmp_hits_cases[] = {
	KUNIT_CASE(first_hit_is_reported_once),
	KUNIT_CASE(readded_rule_is_reported_anew),
	KUNIT_CASE(overflow_is_counted_as_lost),
	KUNIT_CASE(no_report_after_stop),
	{},
};

struct kunit_suite fmp_hits_suite = {
	.name = "fmp-hits",
	.init = fmp_world_init,
	.exit = fmp_world_exit,
	.test_cases = fmp_hits_cases,
};
