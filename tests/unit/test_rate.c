// SPDX-License-Identifier: GPL-2.0
/* The module's rationing of events: so many in a second, and so many at once. */
#include <check.h>

#include "core/rate.h"
#include "run.h"

#define SECOND 1000000000ULL

/* What the module asks for: a hundred in a second, two hundred at once. */
#define RATE  100
#define BURST 200

/* How many of n there are at one moment. */
static unsigned int take(struct fmp_rate *rate, u64 now, unsigned int n)
{
	unsigned int got = 0;

	while (n--)
		got += fmp_rate_take(rate, now, RATE, BURST);
	return got;
}

START_TEST(a_burst_and_no_more)
{
	/* The clock may stand at its start. */
	static const u64 start[] = { 0, 1, 5 * SECOND, UINT64_MAX - SECOND };
	/* Its first ns may be lost. */
	u64 later = start[_i] + !start[_i];
	struct fmp_rate rate = { 0 };

	ck_assert_uint_eq(take(&rate, start[_i], 10 * BURST), BURST);
	ck_assert_uint_eq(take(&rate, start[_i], 1), 0);
	/* What is short of the price of one is saved, not lost. */
	ck_assert_uint_eq(take(&rate, later + SECOND / RATE - 1, 1), 0);
	ck_assert_uint_eq(take(&rate, later + SECOND / RATE, 2), 1);
}
END_TEST

START_TEST(so_many_in_a_second)
{
	struct fmp_rate rate = { 0 };
	u64 now = 7 * SECOND, end = now + 10 * SECOND;
	unsigned int got = 0;

	ck_assert_uint_eq(take(&rate, now, BURST), BURST);
	/* Asked far too often, at times that do not divide the price. */
	for (; now < end; now += 333333)
		got += take(&rate, now, 3);
	ck_assert_uint_ge(got, 10 * RATE - 1);
	ck_assert_uint_le(got, 10 * RATE);
}
END_TEST

START_TEST(silence_saves_a_burst_at_most)
{
	struct fmp_rate rate = { 0 };
	u64 now = SECOND;

	take(&rate, now, BURST);
	ck_assert_uint_eq(take(&rate, now + SECOND, 10 * BURST), RATE);
	now += 2 * SECOND;
	ck_assert_uint_eq(take(&rate, now, 10 * BURST), RATE);
	ck_assert_uint_eq(take(&rate, now + 2 * SECOND, 10 * BURST), BURST);
	now += 1000000 * SECOND;
	ck_assert_uint_eq(take(&rate, now, 10 * BURST), BURST);
	/* Nor is more saved if some of it was left. */
	now += 3 * SECOND;
	ck_assert_uint_eq(take(&rate, now, 1), 1);
	ck_assert_uint_eq(take(&rate, now + 2 * SECOND - 1, 10 * BURST), BURST);
}
END_TEST

START_TEST(one_at_a_time)
{
	struct fmp_rate rate = { 0 };

	ck_assert(fmp_rate_take(&rate, SECOND, 1, 1));
	ck_assert(!fmp_rate_take(&rate, 2 * SECOND - 1, 1, 1));
	ck_assert(fmp_rate_take(&rate, 2 * SECOND, 1, 1));
	ck_assert(!fmp_rate_take(&rate, 2 * SECOND, 1, 1));
}
END_TEST

START_TEST(numbers_of_any_size)
{
	struct fmp_rate rate = { 0 };
	u32 n;

	/* A burst of more than 2^32 ns. */
	ck_assert(fmp_rate_take(&rate, SECOND, 1, UINT32_MAX));
	ck_assert_uint_eq(rate.credit_ns, (UINT32_MAX - 1) * SECOND);
	for (n = 0; n < 1000; n++)
		ck_assert(fmp_rate_take(&rate, SECOND, 1, UINT32_MAX));
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("rate");

	tcase_add_loop_test(tc, a_burst_and_no_more, 0, 4);
	tcase_add_test(tc, so_many_in_a_second);
	tcase_add_test(tc, silence_saves_a_burst_at_most);
	tcase_add_test(tc, one_at_a_time);
	tcase_add_test(tc, numbers_of_any_size);
	return run_tcase("rate", tc);
}
