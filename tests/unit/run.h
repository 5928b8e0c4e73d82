/* SPDX-License-Identifier: GPL-2.0 */
/* The end of a test program's main(). */
#ifndef FMP_TESTS_RUN_H
#define FMP_TESTS_RUN_H

#include <check.h>
#include <stdlib.h>

/** run_tcase() - one suite with one case, by the environment's verbosity. Return: for main(). */
static inline int run_tcase(const char *name, TCase *tc)
{
	Suite *suite = suite_create(name);
	SRunner *r;
	int failed;

	suite_add_tcase(suite, tc);
	r = srunner_create(suite);
	srunner_run_all(r, CK_ENV);
	failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#endif
