// SPDX-License-Identifier: GPL-2.0
/* The KUnit suites of table, rules and filter, in userspace under ASan and UBSan. */
#include <check.h>
#include <stdlib.h>

#include "rules.h"
#include "tests/suites.h"

static struct kunit_suite *const suites[] = { &fmp_table_suite, &fmp_rules_suite,
					      &fmp_filter_suite };
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

int main(void)
{
	int failed = 0;
	size_t i;

	/* As the module's init does it. */
	fmp_max_rules_total = 2 * fmp_max_rules;
	for (i = 0; i < sizeof(suites) / sizeof(suites[0]); i++) {
		Suite *s = suite_create(suites[i]->name);
		TCase *tc = tcase_create(suites[i]->name);
		SRunner *r;
		int n = 0;

		suite = suites[i];
		while (suite->test_cases[n].run_case)
			n++;
		tcase_set_timeout(tc, 60);
		tcase_add_loop_test(tc, run_case, 0, n);
		suite_add_tcase(s, tc);
		r = srunner_create(s);
		srunner_run_all(r, CK_ENV);
		failed += srunner_ntests_failed(r);
		srunner_free(r);
	}
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
