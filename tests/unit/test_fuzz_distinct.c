// SPDX-License-Identifier: GPL-2.0
/* What the fuzzer says of its frames: no two of those counted are the same. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "../fuzz/distinct.h"
#include "run.h"

START_TEST(the_same_counts_once)
{
	uint8_t frame[64] = { 0 };
	struct distinct d;
	size_t len;

	ck_assert(distinct_init(&d, 1000));
	for (len = 0; len <= sizeof(frame); len++) {
		ck_assert(distinct_add(&d, frame, len));
		ck_assert(!distinct_add(&d, frame, len));
	}
	/* Every byte counts, whatever stands behind it. */
	for (len = 0; len < sizeof(frame); len++) {
		frame[len] = 1;
		ck_assert(distinct_add(&d, frame, sizeof(frame)));
		ck_assert(!distinct_add(&d, frame, sizeof(frame)));
	}
	ck_assert_uint_eq(d.seen, 2 * sizeof(frame) + 1);
	free(d.slot);
}
END_TEST

START_TEST(numbers_are_all_new)
{
	enum {
		MANY = 300000
	};
	uint32_t n, again = 0;
	struct distinct d;

	ck_assert(distinct_init(&d, MANY));
	for (n = 0; n < MANY; n++)
		distinct_add(&d, (const uint8_t *)&n, sizeof(n));
	ck_assert_uint_eq(d.seen, MANY);
	for (n = 0; n < MANY; n++)
		again += distinct_add(&d, (const uint8_t *)&n, sizeof(n));
	ck_assert_uint_eq(again, 0);
	ck_assert_uint_eq(d.seen, MANY);
	free(d.slot);
}
END_TEST

/* Beyond what it was made for it may lose count, but never counts too much, nor hangs. */
START_TEST(a_full_set_counts_no_more)
{
	struct distinct d;
	uint32_t n;

	ck_assert(distinct_init(&d, 10));
	for (n = 0; n < 10000; n++)
		distinct_add(&d, (const uint8_t *)&n, sizeof(n));
	ck_assert_uint_ge(d.seen, 10);
	ck_assert_uint_le(d.seen, d.mask);
	free(d.slot);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("fuzz_distinct");

	tcase_add_test(tc, the_same_counts_once);
	tcase_add_test(tc, numbers_are_all_new);
	tcase_add_test(tc, a_full_set_counts_no_more);
	return run_tcase("fuzz_distinct", tc);
}
