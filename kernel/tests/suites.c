// SPDX-License-Identifier: GPL-2.0
/*
 * The KUnit suites, started by a module parameter
 *
 * KUnit's own section would run them before the module's init, which prepares the slab
 * caches that they need. Instead: echo 1 >/sys/module/fmp/parameters/kunit
 */
#include "suites.h"

#include <linux/module.h>

static struct kunit_suite *fmp_suites[] = {
	&fmp_counter_suite,	 &fmp_dissect_suite,
	&fmp_table_suite,	 &fmp_rules_suite,
	&fmp_conflict_suite,	 &fmp_capacity_suite,
	&fmp_expiry_suite,	 &fmp_hits_suite,
	&fmp_filter_suite,	 &fmp_filter_80211_suite,
	&fmp_premac_80211_suite, &fmp_radio_80211_suite,
	&fmp_record_suite,	 NULL, /* the end, for kernels that take no number */
};

#define FMP_SUITES_NUM (ARRAY_SIZE(fmp_suites) - 1)

/**
 * fmp_suites_run_all() - run all suites; their results go to the kernel's log
 * @val: not used
 * @kp: not used
 *
 * Context: process, may sleep.
 * Return: 0, or the error of KUnit if it can't start.
 */
static int fmp_suites_run_all(const char *val, const struct kernel_param *kp)
{
	int err = __kunit_test_suites_init(fmp_suites, FMP_SUITES_NUM);

	if (!err)
		__kunit_test_suites_exit(fmp_suites, FMP_SUITES_NUM);
	return err;
}

static const struct kernel_param_ops fmp_suites_ops = {
	.set = fmp_suites_run_all,
};

module_param_cb(kunit, &fmp_suites_ops, NULL, 0200);
MODULE_PARM_DESC(kunit, "write: run the KUnit suites");
