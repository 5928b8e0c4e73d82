/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _FMP_TESTS_SUITES_H
#define _FMP_TESTS_SUITES_H

#include <kunit/test.h>

extern struct kunit_suite fmp_counter_suite;
extern struct kunit_suite fmp_dissect_suite;
extern struct kunit_suite fmp_table_suite;
extern struct kunit_suite fmp_rules_suite;
extern struct kunit_suite fmp_conflict_suite;
extern struct kunit_suite fmp_capacity_suite;
extern struct kunit_suite fmp_expiry_suite;
extern struct kunit_suite fmp_hits_suite;
extern struct kunit_suite fmp_filter_suite;
extern struct kunit_suite fmp_filter_80211_suite;
extern struct kunit_suite fmp_premac_80211_suite;
extern struct kunit_suite fmp_radio_80211_suite;
extern struct kunit_suite fmp_record_suite;

#endif /* _FMP_TESTS_SUITES_H */
