// SPDX-License-Identifier: GPL-2.0
/* The KUnit suites of tables, rules and filter, in userspace under ASan and UBSan. */
#include <check.h>
#include <stdlib.h>

#include "rules.h"
#include "run.h"
#include "tests/suites.h"
#include "tests/world.h"

static struct kunit_suite *const suites[] = {
	&fmp_table_suite,  &fmp_rules_suite, &fmp_clash_suite,	&fmp_room_suite,
	&fmp_expiry_suite, &fmp_hits_suite,  &fmp_filter_suite,
};
static const struct kunit_suite *suite;
static void *case_memory;

void *kshim_case_alloc(size_t n)
{
	ck_assert_ptr_null(case_memory);
	case_memory = calloc(1, n);
	return case_memory;
}

/* Prepared as the module does it, and taken down: what is lost then LeakSanitizer sees. */
START_TEST(run_case)
{
	struct kunit test = { NULL };

	ck_assert_int_eq(fmp_rule_init(), 0);
	ck_assert_int_eq(suite->init(&test), 0);
	suite->test_cases[_i].run_case(&test);
	suite->exit(&test);
	fmp_rule_exit();
	free(case_memory);
	ck_assert_int_eq(kshim_readers, 0);
}
END_TEST

/* In the kernel this is a matter of luck: here ASan sees who was freed too early. */
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
	ck_assert_int_eq(fmp_world_add(&test, spec), FMP_FAULT_NONE);
	rule = fmp_world_find(&test, &spec);
	rcu_read_lock();
	ck_assert_int_eq(fmp_world_del(&test, spec), FMP_FAULT_NONE);
	ck_assert(fmp_rule_hit(rule, 60));
	rcu_read_unlock();
	fmp_world_exit(&test);
	fmp_rule_exit();
	free(w);
}
END_TEST

static int run_suite(struct kunit_suite *of)
{
	TCase *tc = tcase_create(of->name);
	int n = 0;

	suite = of;
	while (suite->test_cases[n].run_case)
		n++;
	tcase_set_timeout(tc, 60);
	tcase_add_loop_test(tc, run_case, 0, n);
	return run_tcase(of->name, tc);
}

int main(void)
{
	TCase *readers = tcase_create("readers");
	int failed;
	size_t i;

	/* As the module's init does it. */
	fmp_max_rules_total = 2 * fmp_max_rules;
	tcase_add_test(readers, a_lookup_outlives_its_rule);
	failed = run_tcase("readers", readers);
	for (i = 0; i < sizeof(suites) / sizeof(suites[0]); i++)
		failed |= run_suite(suites[i]);
	return failed;
}
