/* SPDX-License-Identifier: GPL-2.0 */
/* Addresses as tests write them. */
#ifndef FMP_TESTS_ADDR_H
#define FMP_TESTS_ADDR_H

#include <check.h>

#include <fmp/source.h>

static inline struct fmp_addr addr(const char *text)
{
	struct fmp_error err = { 0 };
	struct fmp_addr a;

	ck_assert_msg(!fmp_addr_parse(text, &a, &err), "%s: %s", text, err.message);
	return a;
}

#endif
