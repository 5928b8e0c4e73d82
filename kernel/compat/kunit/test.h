/* SPDX-License-Identifier: GPL-2.0 */
/*
 * <kunit/test.h>: before 6.0 an array of suites had no length but ended in NULL
 */
#ifndef _FMP_COMPAT_KUNIT_TEST_H
#define _FMP_COMPAT_KUNIT_TEST_H

#include <linux/version.h>
#include_next <kunit/test.h>

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 0, 0)
#define __kunit_test_suites_init(suites, num) __kunit_test_suites_init(suites)
#define __kunit_test_suites_exit(suites, num) __kunit_test_suites_exit(suites)
#endif

#endif /* _FMP_COMPAT_KUNIT_TEST_H */
