// SPDX-License-Identifier: GPL-2.0
/* fmpd: the sets that hold an address which somebody else blocks. */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "addr.h"
#include "run.h"
#include "../../daemon/fmpd/table/set_members.h"

#define MAX 1000u

static struct fmpd_holders *h;

static void setup(void)
{
	h = fmpd_holders_new(7);
	ck_assert_ptr_nonnull(h);
}

static void teardown(void)
{
	fmpd_holders_free(h);
}

static void note(const char *text, const char *set, uint64_t end_ms)
{
	struct fmp_addr a = addr(text);

	fmpd_holders_note(h, &a, set, end_ms, 0, MAX);
}

/* The set that takes an address over at a time; "": none. */
static const char *taken(const char *text, uint64_t now_ms)
{
	static char set[FMP_SET_NAME_MAX];
	struct fmp_addr a = addr(text);
	uint64_t end_ms;

	if (!fmpd_holders_take(h, &a, now_ms, set, &end_ms))
		return "";
	ck_assert_uint_gt(end_ms, now_ms);
	return set;
}

START_TEST(longest_first)
{
	note("192.0.2.1", "a", 100);
	note("192.0.2.1", "b", UINT64_MAX);
	note("192.0.2.1", "c", 300);
	note("192.0.2.2", "d", 400);
	ck_assert_str_eq(taken("192.0.2.1", 50), "b");
	ck_assert_str_eq(taken("192.0.2.1", 150), "c");
	ck_assert_str_eq(taken("192.0.2.1", 150), ""); /* a is over */
	ck_assert_str_eq(taken("192.0.2.0/31", 50), "");
	ck_assert_str_eq(taken("192.0.2.2", 399), "d");
}
END_TEST

START_TEST(noted_anew)
{
	note("192.0.2.1", "a", 1000);
	note("192.0.2.1", "a", 100);
	ck_assert_uint_eq(fmpd_holders_count(h), 1);
	ck_assert_str_eq(taken("192.0.2.1", 100), "");
}
END_TEST

START_TEST(replaced_list)
{
	struct fmp_addr kept = addr("192.0.2.1"), gone = addr("192.0.2.2");

	note("192.0.2.1", "a", 100);
	note("192.0.2.2", "a", 100);
	note("192.0.2.2", "b", 90);
	fmpd_holders_keep(h, "a", &gone); /* of an earlier list */
	fmpd_holders_keep(h, "a", NULL);
	fmpd_holders_keep(h, "a", &kept);
	fmpd_holders_drop(h, "a", true);
	ck_assert_str_eq(taken("192.0.2.1", 50), "a");
	ck_assert_str_eq(taken("192.0.2.2", 50), "b");
	ck_assert_uint_eq(fmpd_holders_count(h), 0);
}
END_TEST

START_TEST(forgotten)
{
	struct fmp_addr one = addr("192.0.2.1");

	note("192.0.2.1", "a", 100);
	note("192.0.2.1", "b", 90);
	fmpd_holders_forget(h, &one, "a");
	ck_assert_str_eq(taken("192.0.2.1", 50), "b");
	note("192.0.2.1", "a", 100);
	note("192.0.2.1", "b", 90);
	fmpd_holders_forget(h, &one, NULL);
	ck_assert_uint_eq(fmpd_holders_count(h), 0);
	note("192.0.2.1", "a", 100);
	note("192.0.2.1", "b", 90);
	fmpd_holders_drop(h, "", false);
	ck_assert_uint_eq(fmpd_holders_count(h), 0);
}
END_TEST

/* Never more than the limit; what is over makes room, what is not stays. */
START_TEST(bounded)
{
	char text[FMP_ADDR_STRLEN];
	struct fmp_addr a;

	for (unsigned i = 0; i < 2 * MAX; i++) {
		snprintf(text, sizeof(text), "10.0.%u.%u", i >> 8, i & 255);
		note(text, "a", 100);
	}
	ck_assert_uint_eq(fmpd_holders_count(h), MAX);
	ck_assert_str_eq(taken("10.0.0.0", 50), "a");
	ck_assert_str_eq(taken("10.0.7.0", 50), ""); /* came later */
	note("192.0.2.1", "b", 500);
	a = addr("192.0.2.2");
	fmpd_holders_note(h, &a, "b", 500, 100, MAX);
	ck_assert_uint_eq(fmpd_holders_count(h), 2);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("holders");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, longest_first);
	tcase_add_test(tc, noted_anew);
	tcase_add_test(tc, replaced_list);
	tcase_add_test(tc, forgotten);
	tcase_add_test(tc, bounded);
	return run_tcase("holders", tc);
}
