// SPDX-License-Identifier: GPL-2.0
/* fmpd: members of sets whose address another block holds. */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "addr.h"
#include "run.h"
#include "../../daemon/fmpd/table/set_members.h"

#define MAX 1000u

static struct fmpd_set_members *members;

static void setup(void)
{
	members = fmpd_set_members_new(7);
	ck_assert_ptr_nonnull(members);
}

static void teardown(void)
{
	fmpd_set_members_free(members);
}

static void add_member(const char *text, const char *set, uint64_t end_ms)
{
	struct fmp_addr a = addr(text);

	fmpd_set_members_add(members, &a, set, end_ms, 0, MAX);
}

/* Take the set that blocks the address next; "": none. */
static const char *take_set(const char *text, uint64_t now_ms)
{
	static char set[FMP_SET_NAME_MAX];
	struct fmp_addr a = addr(text);
	uint64_t end_ms;

	if (!fmpd_set_members_take(members, &a, now_ms, set, &end_ms))
		return "";
	ck_assert_uint_gt(end_ms, now_ms);
	return set;
}

START_TEST(longest_first)
{
	add_member("192.0.2.1", "a", 100);
	add_member("192.0.2.1", "b", UINT64_MAX);
	add_member("192.0.2.1", "c", 300);
	add_member("192.0.2.2", "d", 400);
	ck_assert_str_eq(take_set("192.0.2.1", 50), "b");
	ck_assert_str_eq(take_set("192.0.2.1", 150), "c");
	ck_assert_str_eq(take_set("192.0.2.1", 150), ""); /* a has expired */
	ck_assert_str_eq(take_set("192.0.2.0/31", 50), "");
	ck_assert_str_eq(take_set("192.0.2.2", 399), "d");
}
END_TEST

/* Sets without end are taken in one order, however many members came in between. */
START_TEST(newest_of_equal_ends_first)
{
	char text[FMP_ADDR_STRLEN];

	add_member("192.0.2.1", "a", UINT64_MAX);
	add_member("192.0.2.1", "b", UINT64_MAX);
	for (unsigned i = 0; i < MAX - 3; i++) {
		snprintf(text, sizeof(text), "10.0.%u.%u", i / 256, i % 256);
		add_member(text, "many", UINT64_MAX);
		if (i % 100 == 0) {
			add_member("192.0.2.1", "c", UINT64_MAX);
			ck_assert_str_eq(take_set("192.0.2.1", 50), "c");
		}
	}
	ck_assert_str_eq(take_set("192.0.2.1", 50), "b");
	ck_assert_str_eq(take_set("192.0.2.1", 50), "a");
}
END_TEST

START_TEST(noted_anew)
{
	add_member("192.0.2.1", "a", 1000);
	add_member("192.0.2.1", "a", 100);
	ck_assert_uint_eq(fmpd_set_members_count(members), 1);
	ck_assert_str_eq(take_set("192.0.2.1", 100), "");
}
END_TEST

START_TEST(replaced_list)
{
	struct fmp_addr kept = addr("192.0.2.1"), gone = addr("192.0.2.2");

	add_member("192.0.2.1", "a", 100);
	add_member("192.0.2.2", "a", 100);
	add_member("192.0.2.2", "b", 90);
	fmpd_set_members_keep(members, "a", &gone); /* marked for an earlier list */
	fmpd_set_members_keep(members, "a", NULL);
	fmpd_set_members_keep(members, "a", &kept);
	fmpd_set_members_remove_set(members, "a", true);
	ck_assert_str_eq(take_set("192.0.2.1", 50), "a");
	ck_assert_str_eq(take_set("192.0.2.2", 50), "b");
	ck_assert_uint_eq(fmpd_set_members_count(members), 0);
}
END_TEST

START_TEST(forgotten)
{
	struct fmp_addr one = addr("192.0.2.1");

	add_member("192.0.2.1", "a", 100);
	add_member("192.0.2.1", "b", 90);
	fmpd_set_members_remove(members, &one, "a");
	ck_assert_str_eq(take_set("192.0.2.1", 50), "b");
	add_member("192.0.2.1", "a", 100);
	add_member("192.0.2.1", "b", 90);
	fmpd_set_members_remove(members, &one, NULL);
	ck_assert_uint_eq(fmpd_set_members_count(members), 0);
	add_member("192.0.2.1", "a", 100);
	add_member("192.0.2.1", "b", 90);
	fmpd_set_members_remove_set(members, "", false);
	ck_assert_uint_eq(fmpd_set_members_count(members), 0);
}
END_TEST

/* Never more members than the limit; expired ones make room, others stay. */
START_TEST(bounded)
{
	char text[FMP_ADDR_STRLEN];
	struct fmp_addr a;

	for (unsigned i = 0; i < 2 * MAX; i++) {
		snprintf(text, sizeof(text), "10.0.%u.%u", i >> 8, i & 255);
		add_member(text, "a", 100);
	}
	ck_assert_uint_eq(fmpd_set_members_count(members), MAX);
	ck_assert_str_eq(take_set("10.0.0.0", 50), "a");
	ck_assert_str_eq(take_set("10.0.7.0", 50), ""); /* added after the limit was reached */
	add_member("192.0.2.1", "b", 500);
	a = addr("192.0.2.2");
	fmpd_set_members_add(members, &a, "b", 500, 100, MAX);
	ck_assert_uint_eq(fmpd_set_members_count(members), 2);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("set_members");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, longest_first);
	tcase_add_test(tc, newest_of_equal_ends_first);
	tcase_add_test(tc, noted_anew);
	tcase_add_test(tc, replaced_list);
	tcase_add_test(tc, forgotten);
	tcase_add_test(tc, bounded);
	return run_tcase("set_members", tc);
}
