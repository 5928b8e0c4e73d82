// SPDX-License-Identifier: GPL-2.0
/* The module's token bucket for events: a rate per second, and a burst. */
#include <check.h>

#include "core/rate.h"
#include "run.h"

#define SECOND 1000000000ULL

/* The module's values: a hundred per second, a burst of two hundred. */
#define RATE  100
#define BURST 200

/* Takes up to n tokens at one moment. Return: their number. */
static unsigned int take_tokens(struct fmp_rate *rate, u64 now, unsigned int n)
{
	unsigned int got = 0;

	while (n--)
		got += fmp_rate_take(rate, now, RATE, BURST);
	return got;
}

START_TEST(a_burst_and_no_more)
{
	/* The clock may be at 0. */
	static const u64 start[] = { 0, 1, 5 * SECOND, UINT64_MAX - SECOND };
	/* At 0 the bucket counts from 1 ns on. */
	u64 later = start[_i] + !start[_i];
	struct fmp_rate rate = { 0 };

	ck_assert_uint_eq(take_tokens(&rate, start[_i], 10 * BURST), BURST);
	ck_assert_uint_eq(take_tokens(&rate, start[_i], 1), 0);
	/* Credit for less than one token is saved, not lost. */
	ck_assert_uint_eq(take_tokens(&rate, later + SECOND / RATE - 1, 1), 0);
	ck_assert_uint_eq(take_tokens(&rate, later + SECOND / RATE, 2), 1);
}
END_TEST

START_TEST(so_many_in_a_second)
{
	struct fmp_rate rate = { 0 };
	u64 now = 7 * SECOND, end = now + 10 * SECOND;
	unsigned int got = 0;

	ck_assert_uint_eq(take_tokens(&rate, now, BURST), BURST);
	/* Try far too often, at intervals that do not divide the cost of a token. */
	for (; now < end; now += 333333)
		got += take_tokens(&rate, now, 3);
	ck_assert_uint_ge(got, 10 * RATE - 1);
	ck_assert_uint_le(got, 10 * RATE);
}
END_TEST

START_TEST(silence_saves_a_burst_at_most)
{
	struct fmp_rate rate = { 0 };
	u64 now = SECOND;

	take_tokens(&rate, now, BURST);
	ck_assert_uint_eq(take_tokens(&rate, now + SECOND, 10 * BURST), RATE);
	now += 2 * SECOND;
	ck_assert_uint_eq(take_tokens(&rate, now, 10 * BURST), RATE);
	ck_assert_uint_eq(take_tokens(&rate, now + 2 * SECOND, 10 * BURST), BURST);
	now += 1000000 * SECOND;
	ck_assert_uint_eq(take_tokens(&rate, now, 10 * BURST), BURST);
	/* No more than a burst is saved if some tokens were left. */
	now += 3 * SECOND;
	ck_assert_uint_eq(take_tokens(&rate, now, 1), 1);
	ck_assert_uint_eq(take_tokens(&rate, now + 2 * SECOND - 1, 10 * BURST), BURST);
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
