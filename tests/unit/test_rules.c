// SPDX-License-Identifier: GPL-2.0
/* Runs the KUnit suites of tables, rules and filter in userspace under ASan and UBSan. */
#include <check.h>
#include <stdlib.h>

#include "core/tables.h"
#include "run.h"
#include "tests/suites.h"
#include "tests/world.h"

static struct kunit_suite *const suites[] = {
	&fmp_counter_suite,  &fmp_table_suite,	  &fmp_rules_suite,
	&fmp_conflict_suite, &fmp_capacity_suite, &fmp_expiry_suite,
	&fmp_hits_suite,     &fmp_filter_suite,	  &fmp_filter_80211_suite,
};
static const struct kunit_suite *suite;
static void *case_memory;

void *kshim_case_alloc(size_t n)
{
	ck_assert_ptr_null(case_memory);
	case_memory = calloc(1, n);
	return case_memory;
}

/* Initializes and frees all as the module does, so that LeakSanitizer reports leaks. */
START_TEST(run_case)
{
	struct kunit test = { NULL };

	ck_assert_int_eq(fmp_rule_init(), 0);
	if (suite->init)
		ck_assert_int_eq(suite->init(&test), 0);
	suite->test_cases[_i].run_case(&test);
	if (suite->exit)
		suite->exit(&test);
	fmp_rule_exit();
	free(case_memory);
	ck_assert_int_eq(kshim_readers, 0);
}
END_TEST

/* In the kernel a rule freed too early is rarely noticed; here ASan reports it. */
START_TEST(a_lookup_outlives_its_rule)
{
	struct kunit test = { NULL };
	struct fmp_rule_spec spec = fmp_mac(1, FMP_VERDICT_BLOCK);
	struct fmp_rule *rule;
	struct fmp_world *w;

	ck_assert_int_eq(fmp_rule_init(), 0);
	ck_assert_int_eq(fmp_world_init(&test), 0);
	w = test.priv;
	spec.timeout_ms = 1000;
	ck_assert_int_eq(fmp_world_add(&test, spec), FMP_RULE_ERR_NONE);
	rule = fmp_world_find(&test, &spec);
	rcu_read_lock();
	ck_assert_int_eq(fmp_world_del(&test, spec), FMP_RULE_ERR_NONE);
	ck_assert(fmp_rule_count_hit(rule, 60));
	rcu_read_unlock();
	fmp_world_exit(&test);
	fmp_rule_exit();
	free(w);
}
END_TEST

/* A block of an address and a protect rule for its MAC, checked in the grace period. */
static struct kunit halfway_test;
static struct fmp_rule_spec halfway[2];
static unsigned int grace_periods;

static void check_halfway(void)
{
	struct fmp_world *w = halfway_test.priv;

	/* The batch waits for the grace period with the lock held. */
	grace_periods++;
	ck_assert_ptr_null(
		fmp_table_find_rule(&w->ts.family[FMP_FAMILY_IPV4], &halfway[0].key, 32));
	ck_assert_ptr_nonnull(
		fmp_table_find_rule(&w->ts.family[FMP_FAMILY_MAC], &halfway[1].key, FMP_PLEN_MAC));
	ck_assert(w->ts.lookup_mask & BIT(FMP_FAMILY_MAC));
}

/* Invariant 1: no frame is dropped by a block that is added or deleted with its protection. */
START_TEST(protection_comes_first_and_goes_last)
{
	struct fmp_world *w;
	unsigned int bad, gone;

	halfway[0] = fmp_ip4(FMP_TEST_IP4(1), 32, FMP_VERDICT_BLOCK);
	halfway[1] = fmp_mac(1, FMP_VERDICT_PROTECT);
	ck_assert_int_eq(fmp_rule_init(), 0);
	ck_assert_int_eq(fmp_world_init(&halfway_test), 0);
	w = halfway_test.priv;
	kshim_grace_period = check_halfway;
	ck_assert_int_eq(fmp_tables_add(&w->ts, halfway, 2, false, &bad), FMP_RULE_ERR_NONE);
	ck_assert_int_eq(grace_periods, 1);
	ck_assert_int_eq(fmp_tables_del(&w->ts, halfway, 2, &bad), FMP_RULE_ERR_NONE);
	ck_assert_int_eq(grace_periods, 2);
	ck_assert_int_eq(fmp_world_count(&halfway_test), 0);
	ck_assert_int_eq(fmp_tables_add(&w->ts, halfway, 2, false, &bad), FMP_RULE_ERR_NONE);
	gone = fmp_tables_flush(&w->ts, FMP_VERDICT_UNSPEC);
	ck_assert_uint_eq(gone, 2);
	ck_assert_int_eq(grace_periods, 4);
	/* With only one of the two kinds there is no grace period. */
	ck_assert_int_eq(fmp_tables_add(&w->ts, halfway, 1, false, &bad), FMP_RULE_ERR_NONE);
	ck_assert_int_eq(fmp_tables_add(&w->ts, halfway + 1, 1, false, &bad), FMP_RULE_ERR_NONE);
	ck_assert_uint_eq(fmp_tables_flush(&w->ts, FMP_VERDICT_BLOCK), 1);
	ck_assert_uint_eq(fmp_tables_flush(&w->ts, FMP_VERDICT_UNSPEC), 1);
	ck_assert_int_eq(grace_periods, 4);
	kshim_grace_period = NULL;
	fmp_world_exit(&halfway_test);
	fmp_rule_exit();
	free(w);
}
END_TEST

static int run_kunit_suite(struct kunit_suite *s)
{
	TCase *tc = tcase_create(s->name);
	int n = 0;

	suite = s;
	while (suite->test_cases[n].run_case)
		n++;
	tcase_set_timeout(tc, 60);
	tcase_add_loop_test(tc, run_case, 0, n);
	return run_tcase(s->name, tc);
}

int main(void)
{
	TCase *readers = tcase_create("readers");
	int failed;
	size_t i;

	/* As the module's init does. */
	fmp_max_rules_total = 2 * fmp_max_rules;
	tcase_add_test(readers, a_lookup_outlives_its_rule);
	tcase_add_test(readers, protection_comes_first_and_goes_last);
	failed = run_tcase("readers", readers);
	for (i = 0; i < sizeof(suites) / sizeof(suites[0]); i++)
		failed |= run_kunit_suite(suites[i]);
	return failed;
}
