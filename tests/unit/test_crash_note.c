// SPDX-License-Identifier: GPL-2.0
/* What a gateway was busy with when it died, as fmpd reads it. */
#include <check.h>

#include <fmp/internal/crash_note.h>

#include "addr.h"
#include "run.h"

static const char *const sources[] = { "192.0.2.7", "2001:db8::7", "::1" };

START_TEST(says_whose_it_is)
{
	struct fmp_addr want = addr(sources[_i]), got = { 0 };
	struct fmp_crash_note n = { 0 };
	uint16_t from = 9, to = 9;

	ck_assert(!fmp_crash_note_read(&n, &got, &from, &to));
	fmp_crash_note_begin(&n, &want, 40000, 443);
	ck_assert(fmp_crash_note_read(&n, &got, &from, &to));
	ck_assert(fmp_addr_equal(&got, &want));
	ck_assert_uint_eq(from, 40000);
	ck_assert_uint_eq(to, 443);
	fmp_crash_note_end(&n);
	ck_assert(!fmp_crash_note_read(&n, &got, &from, &to));
}
END_TEST

START_TEST(the_last_one_counts)
{
	struct fmp_addr one = addr("2001:db8::7"), two = addr("192.0.2.7"), got;
	struct fmp_crash_note n = { 0 };
	uint16_t from, to;

	fmp_crash_note_begin(&n, &one, 1, 80);
	fmp_crash_note_begin(&n, &two, 0, 80);
	ck_assert(fmp_crash_note_read(&n, &got, &from, &to));
	ck_assert(fmp_addr_equal(&got, &two));
	ck_assert_uint_eq(from, 0);
	/* Nobody wants to know. */
	fmp_crash_note_begin(NULL, &one, 1, 80);
	fmp_crash_note_end(NULL);
}
END_TEST

/* A gateway that was taken over may have written anything. */
static const struct fmp_crash_note wrong[] = {
	{ .busy = 2, .family = FMP_FAMILY_IPV4, .bytes = { 192, 0, 2, 7 } },
	{ .busy = 1, .bytes = { 192, 0, 2, 7 } },
	{ .busy = 1, .family = FMP_FAMILY_MAC, .bytes = { 2, 0, 0, 0, 0, 1 } },
	{ .busy = 1, .family = 255, .bytes = { 192, 0, 2, 7 } },
	{ .busy = 1, .family = FMP_FAMILY_IPV4, .bytes = { 192, 0, 2, 7, 1 } },
	{ .busy = 1, .family = FMP_FAMILY_IPV4, .bytes = { [0] = 192, [15] = 1 } },
	/* An IPv4 address under its other name. */
	{ .busy = 1,
	  .family = FMP_FAMILY_IPV6,
	  .bytes = { [10] = 0xff, [11] = 0xff, [12] = 192, [14] = 2, [15] = 7 } },
};

START_TEST(what_is_no_note)
{
	struct fmp_addr got;
	uint16_t from, to;

	ck_assert(!fmp_crash_note_read(&wrong[_i], &got, &from, &to));
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("note");

	tcase_add_loop_test(t, says_whose_it_is, 0, sizeof(sources) / sizeof(sources[0]));
	tcase_add_test(t, the_last_one_counts);
	tcase_add_loop_test(t, what_is_no_note, 0, sizeof(wrong) / sizeof(wrong[0]));
	return run_tcase("note", t);
}
