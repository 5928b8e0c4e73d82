// SPDX-License-Identifier: GPL-2.0
/*
 * Rules: batches, protection, expiry, walks
 */
#include "suites.h"
#include "world.h"

#include <linux/slab.h>

#define BLOCK	FMP_VERDICT_BLOCK
#define PROTECT FMP_VERDICT_PROTECT

/**
 * fmp_test_walk() - walk over all rules
 * @test: the case
 * @sum: set to the sum of their ids
 *
 * Return: the number of rules.
 */
static unsigned int fmp_test_walk(struct kunit *test, u64 *sum)
{
	struct fmp_world *w = test->priv;
	struct fmp_table_pos pos = {};
	struct fmp_rule *rule;
	unsigned int n = 0;

	*sum = 0;
	mutex_lock(&w->ts.lock);
	while ((rule = fmp_tables_next_rule(&w->ts, &pos))) {
		*sum += rule->id;
		n++;
		pos.skip++;
	}
	mutex_unlock(&w->ts.lock);
	return n;
}

/**
 * fmp_test_refused() - check that a batch is refused and changes nothing
 * @test: the case
 * @specs: the batch
 * @n: its length
 * @excl: as for fmp_tables_add()
 * @want: the reason that is wanted
 * @at: the rule that is to be named
 */
static void fmp_test_refused(struct kunit *test, const struct fmp_rule_spec *specs, unsigned int n,
			     bool excl, enum fmp_rule_err want, unsigned int at)
{
	struct fmp_world *w = test->priv;
	u32 generation = w->ts.generation;
	u32 rules = fmp_world_count(test);
	unsigned int bad = n;

	KUNIT_EXPECT_EQ(test, fmp_tables_add(&w->ts, specs, n, excl, &bad), want);
	KUNIT_EXPECT_EQ(test, bad, at);
	KUNIT_EXPECT_EQ(test, w->ts.generation, generation);
	KUNIT_EXPECT_EQ(test, fmp_world_count(test), rules);
}

static void a_batch_is_all_or_nothing(struct kunit *test)
{
	struct fmp_rule_spec b[4] = {
		fmp_ip4(FMP_TEST_IP4(2), 32, BLOCK),
		fmp_ip6(FMP_TEST_IP6_HI, 2, 64, BLOCK),
		fmp_mac(2, BLOCK),
		fmp_ip4(FMP_TEST_IP4(2), 32, BLOCK),
	};
	struct fmp_world *w = test->priv;
	unsigned int bad;

	/* The same address twice. */
	fmp_test_refused(test, b, 4, false, FMP_RULE_ERR_DUPLICATE, 3);
	/* A block of an address that the batch protects, in either order. */
	b[3] = fmp_ip4(FMP_TEST_IP4(0), 24, PROTECT);
	fmp_test_refused(test, b, 4, false, FMP_RULE_ERR_PROTECTED, 0);
	swap(b[0], b[3]);
	fmp_test_refused(test, b, 4, false, FMP_RULE_ERR_PROTECTED, 3);
	/* An address that has a rule already. */
	KUNIT_ASSERT_EQ(test, FMP_RULE_ERR_NONE, fmp_world_add(test, b[2]));
	fmp_test_refused(test, b, 3, true, FMP_RULE_ERR_EXISTS, 2);
	b[2].id = 9;
	KUNIT_EXPECT_EQ(test, fmp_tables_add(&w->ts, b, 3, false, &bad), FMP_RULE_ERR_NONE);
	KUNIT_EXPECT_EQ(test, fmp_world_count(test), 3);
	KUNIT_EXPECT_EQ(test, fmp_world_find(test, &b[2])->id, 9);
}

static void a_deletion_is_all_or_nothing(struct kunit *test)
{
	struct fmp_rule_spec b[2] = { fmp_mac(1, BLOCK), fmp_mac(2, BLOCK) };
	struct fmp_world *w = test->priv;
	u32 generation;
	unsigned int bad;

	KUNIT_ASSERT_EQ(test, FMP_RULE_ERR_NONE, fmp_world_add(test, b[0]));
	generation = w->ts.generation;
	KUNIT_EXPECT_EQ(test, fmp_tables_del(&w->ts, b, 2, &bad), FMP_RULE_ERR_MISSING);
	KUNIT_EXPECT_EQ(test, bad, 1);
	b[1] = b[0];
	KUNIT_EXPECT_EQ(test, fmp_tables_del(&w->ts, b, 2, &bad), FMP_RULE_ERR_DUPLICATE);
	KUNIT_EXPECT_EQ(test, w->ts.generation, generation);
	KUNIT_EXPECT_EQ(test, fmp_tables_del(&w->ts, b, 1, &bad), FMP_RULE_ERR_NONE);
	KUNIT_EXPECT_NE(test, w->ts.generation, generation);
	KUNIT_EXPECT_EQ(test, fmp_world_count(test), 0);
}

static void inv1_a_protected_address_cannot_be_blocked(struct kunit *test)
{
	struct fmp_rule_spec net = fmp_ip4(FMP_TEST_IP4(0), 24, PROTECT);
	struct fmp_rule_spec inside = fmp_ip4(FMP_TEST_IP4(7), 32, BLOCK);

	KUNIT_ASSERT_EQ(test, FMP_RULE_ERR_NONE, fmp_world_add(test, net));
	fmp_test_refused(test, &inside, 1, false, FMP_RULE_ERR_PROTECTED, 0);
	inside.plen = 24;
	inside.key = net.key;
	fmp_test_refused(test, &inside, 1, false, FMP_RULE_ERR_PROTECTED, 0);
	/* A shorter prefix and a neighbor are not covered. */
	KUNIT_EXPECT_EQ(test, FMP_RULE_ERR_NONE,
			fmp_world_add(test, fmp_ip4(FMP_TEST_IP4(0), 23, BLOCK)));
	KUNIT_EXPECT_EQ(test, FMP_RULE_ERR_NONE,
			fmp_world_add(test, fmp_ip4(FMP_TEST_IP4(256), 32, BLOCK)));
	/* Without the protect rule the address can be blocked. */
	KUNIT_ASSERT_EQ(test, FMP_RULE_ERR_NONE, fmp_world_del(test, net));
	KUNIT_EXPECT_EQ(test, FMP_RULE_ERR_NONE,
			fmp_world_add(test, fmp_ip4(FMP_TEST_IP4(7), 32, BLOCK)));
}

static void protection_ends_at_expiry(struct kunit *test)
{
	struct fmp_rule_spec protect = fmp_mac(9, PROTECT);
	struct fmp_rule_spec block = fmp_mac(9, BLOCK);
	enum fmp_rule_err want;
	int i;

	protect.timeout_ms = 100;
	KUNIT_ASSERT_EQ(test, FMP_RULE_ERR_NONE, fmp_world_add(test, protect));
	fmp_test_refused(test, &block, 1, false, FMP_RULE_ERR_PROTECTED, 0);
	for (i = 0; i < 1000; i++) {
		msleep(20);
		want = fmp_world_add(test, block);
		if (want == FMP_RULE_ERR_NONE)
			break;
	}
	KUNIT_EXPECT_EQ(test, want, FMP_RULE_ERR_NONE);
}

static void walk_visits_each_rule_once(struct kunit *test)
{
	u64 sum, want = 0;
	unsigned int i;

	KUNIT_EXPECT_EQ(test, fmp_test_walk(test, &sum), 0);
	for (i = 0; i < 1000; i++) {
		struct fmp_rule_spec rule = i % 2 ? fmp_ip4(i * 2654435761U, 32, BLOCK)
						  : fmp_ip6(FMP_TEST_IP6_HI, i, 128, PROTECT);

		rule.id = 1ULL << (i % 40);
		want += rule.id;
		KUNIT_ASSERT_EQ(test, FMP_RULE_ERR_NONE, fmp_world_add(test, rule));
	}
	KUNIT_EXPECT_EQ(test, fmp_test_walk(test, &sum), 1000);
	KUNIT_EXPECT_EQ(test, sum, want);
}

static void flush_by_verdict(struct kunit *test)
{
	struct fmp_world *w = test->priv;
	u32 generation;
	u8 i;

	for (i = 0; i < 10; i++) {
		KUNIT_ASSERT_EQ(test, FMP_RULE_ERR_NONE,
				fmp_world_add(test, fmp_mac(i, i < 4 ? PROTECT : BLOCK)));
		KUNIT_ASSERT_EQ(test, FMP_RULE_ERR_NONE,
				fmp_world_add(test, fmp_ip4(FMP_TEST_IP4(i), 32, BLOCK)));
	}
	generation = w->ts.generation;
	KUNIT_EXPECT_EQ(test, fmp_tables_flush(&w->ts, BLOCK), 16);
	KUNIT_EXPECT_NE(test, w->ts.generation, generation);
	KUNIT_EXPECT_EQ(test, fmp_world_count(test), 4);
	KUNIT_EXPECT_EQ(test, fmp_tables_flush(&w->ts, FMP_VERDICT_UNSPEC), 4);
	generation = w->ts.generation;
	KUNIT_EXPECT_EQ(test, fmp_tables_flush(&w->ts, FMP_VERDICT_UNSPEC), 0);
	KUNIT_EXPECT_EQ(test, w->ts.generation, generation);
}

static void generations_are_unique_across_namespaces(struct kunit *test)
{
	struct fmp_rule_spec rule = fmp_mac(1, BLOCK);
	struct fmp_world *w = test->priv;
	struct fmp_tables *tables[2] = { &w->ts }, *other;
	unsigned int n, i, bad;
	u32 seen[20];

	other = kzalloc(sizeof(*other), GFP_KERNEL);
	KUNIT_ASSERT_PTR_NE(test, other, (struct fmp_tables *)NULL);
	fmp_tables_init(other, w->ts.ops);
	tables[1] = other;
	for (n = 0; n < ARRAY_SIZE(seen); n++) {
		struct fmp_tables *ts = tables[n % 3 == 1];

		KUNIT_EXPECT_EQ(test, fmp_tables_add(ts, &rule, 1, false, &bad), FMP_RULE_ERR_NONE);
		seen[n] = ts->generation;
		for (i = 0; i < n; i++)
			KUNIT_EXPECT_NE(test, seen[n], seen[i]);
	}
	fmp_tables_stop(other);
	fmp_tables_exit(other);
	kfree(other);
}

static void reaper_removes_expired_rules(struct kunit *test)
{
	struct fmp_world *w = test->priv;
	struct fmp_rule_spec rule;
	int i;

	/* The rule added last expires first; one is renewed, one has no timeout. */
	for (i = 0; i < 50; i++) {
		rule = fmp_ip4(FMP_TEST_IP4(i), 32, BLOCK);
		rule.timeout_ms = 150 - i;
		KUNIT_ASSERT_EQ(test, FMP_RULE_ERR_NONE, fmp_world_add(test, rule));
	}
	rule.timeout_ms = 3600 * 1000;
	KUNIT_ASSERT_EQ(test, FMP_RULE_ERR_NONE, fmp_world_add(test, rule));
	KUNIT_ASSERT_EQ(test, FMP_RULE_ERR_NONE, fmp_world_add(test, fmp_mac(1, BLOCK)));
	for (i = 0; i < 1000 && atomic_read(&w->expired) < 49; i++)
		msleep(20);
	KUNIT_EXPECT_EQ(test, atomic_read(&w->expired), 49);
	KUNIT_EXPECT_EQ(test, fmp_world_count(test), 2);
}

static void expired_rule_stays_expired(struct kunit *test)
{
	struct fmp_rule_spec spec = fmp_mac(1, BLOCK);
	struct fmp_world *w = test->priv;
	struct fmp_rule *rule;
	bool before, after;

	/* A frame that looked the rule up before its removal may see it like this. */
	spec.timeout_ms = 50;
	fmp_tables_stop(&w->ts);
	KUNIT_ASSERT_EQ(test, FMP_RULE_ERR_NONE, fmp_world_add(test, spec));
	msleep(100);
	rule = fmp_world_find(test, &spec);
	KUNIT_ASSERT_PTR_NE(test, rule, (struct fmp_rule *)NULL);
	mutex_lock(&w->ts.lock);
	rcu_read_lock();
	before = fmp_rule_expired(rule);
	fmp_tables_remove_rule(&w->ts, rule);
	after = fmp_rule_expired(rule);
	rcu_read_unlock();
	fmp_tables_changed(&w->ts);
	mutex_unlock(&w->ts.lock);
	KUNIT_EXPECT_EQ(test, before, true);
	KUNIT_EXPECT_EQ(test, after, true);
}

static void longest_timeout_fits_timer(struct kunit *test)
{
	struct fmp_rule_spec spec = fmp_mac(1, BLOCK);
	struct fmp_world *w = test->priv;

	/* The reaper is scheduled for its expiry: kworld.c asserts the limit of a timer. */
	spec.timeout_ms = FMP_TIMEOUT_MAX_MS;
	KUNIT_ASSERT_EQ(test, FMP_RULE_ERR_NONE, fmp_world_add(test, spec));
	msleep(20);
	KUNIT_EXPECT_EQ(test, atomic_read(&w->expired), 0);
	KUNIT_EXPECT_EQ(test, fmp_world_count(test), 1);
}

static void full_table_evicts_next_to_expire(struct kunit *test)
{
	struct fmp_world *w = test->priv;
	struct fmp_rule_spec rule, soon = {};
	u32 i, evicted = 0;

	/* Timeouts in random order; the protect rule and the one without a timeout stay. */
	KUNIT_ASSERT_EQ(test, FMP_RULE_ERR_NONE, fmp_world_add(test, fmp_mac(0xfe, PROTECT)));
	KUNIT_ASSERT_EQ(test, FMP_RULE_ERR_NONE, fmp_world_add(test, fmp_mac(0xff, BLOCK)));
	for (i = 0; i < fmp_max_rules; i++) {
		rule = fmp_mac(0, BLOCK);
		rule.key.word[0] |= cpu_to_be64((u64)(i + 1) << 24);
		rule.timeout_ms = 3600 * 1000 + (i * 7919 % 65521) * 1000;
		KUNIT_ASSERT_EQ(test, FMP_RULE_ERR_NONE, fmp_world_add(test, rule));
		if (!soon.timeout_ms || rule.timeout_ms < soon.timeout_ms)
			soon = rule;
		if (atomic_read(&w->evicted) == evicted)
			continue;
		evicted = atomic_read(&w->evicted);
		KUNIT_EXPECT_PTR_EQ(test, fmp_world_find(test, &soon), (struct fmp_rule *)NULL);
	}
	KUNIT_EXPECT_EQ(test, evicted, 2);
	KUNIT_EXPECT_EQ(test, w->ts.evicted, 2);
	KUNIT_EXPECT_EQ(test, fmp_world_count(test), fmp_max_rules);
	rule = fmp_mac(0xfe, PROTECT);
	KUNIT_EXPECT_PTR_NE(test, fmp_world_find(test, &rule), (struct fmp_rule *)NULL);
	rule = fmp_mac(0xff, BLOCK);
	KUNIT_EXPECT_PTR_NE(test, fmp_world_find(test, &rule), (struct fmp_rule *)NULL);
}

static struct kunit_case fmp_rules_cases[] = {
	KUNIT_CASE(a_batch_is_all_or_nothing),
	KUNIT_CASE(a_deletion_is_all_or_nothing),
	KUNIT_CASE(inv1_a_protected_address_cannot_be_blocked),
	KUNIT_CASE(protection_ends_at_expiry),
	KUNIT_CASE(walk_visits_each_rule_once),
	KUNIT_CASE(flush_by_verdict),
	KUNIT_CASE(generations_are_unique_across_namespaces),
	KUNIT_CASE(full_table_evicts_next_to_expire),
	KUNIT_CASE(reaper_removes_expired_rules),
	KUNIT_CASE(expired_rule_stays_expired),
	KUNIT_CASE(longest_timeout_fits_timer),
	{},
};

struct kunit_suite fmp_rules_suite = {
	.name = "fmp-rules",
	.init = fmp_world_init,
	.exit = fmp_world_exit,
	.test_cases = fmp_rules_cases,
};
