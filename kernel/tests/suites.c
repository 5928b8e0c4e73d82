// SPDX-License-Identifier: GPL-2.0
/*
 * The KUnit suites, run by a word to the loaded module
 *
 * KUnit's own section would have them run before the module's init, where nothing of
 * what they try is prepared. So: echo 1 >/sys/module/fmp/parameters/kunit
 */
#include "suites.h"

#include <linux/module.h>

static struct kunit_suite *fmp_suites[] = {
	&fmp_dissect_suite, &fmp_table_suite, &fmp_rules_suite,	 &fmp_clash_suite,  &fmp_room_suite,
	&fmp_expiry_suite,  &fmp_hits_suite,  &fmp_filter_suite, &fmp_record_suite,
};

/**
 * fmp_suites_run() - run all suites; what they say goes to the kernel's log
 * @val: not used
 * @kp: not used
 *
 * Context: process, may sleep.
 * Return: 0, or what KUnit says when it can't begin.
 */
static int fmp_suites_run(const char *val, const struct kernel_param *kp)
{
	int err = __kunit_test_suites_init(fmp_suites, ARRAY_SIZE(fmp_suites));

	if (!err)
		__kunit_test_suites_exit(fmp_suites, ARRAY_SIZE(fmp_suites));
	return err;
}

static const struct kernel_param_ops fmp_suites_ops = {
	.set = fmp_suites_run,
};

module_param_cb(kunit, &fmp_suites_ops, NULL, 0200);
MODULE_PARM_DESC(kunit, "write: run the KUnit suites");
