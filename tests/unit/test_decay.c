// SPDX-License-Identifier: GPL-2.0
/* libfmp/suspicion/decay: points that halve, in integers. */
#include <check.h>
#include <inttypes.h>
#include <math.h>

#include <suspicion/decay.h>

#include "run.h"

START_TEST(decay_follows_the_exponential)
{
	const uint64_t half_lives[] = { 1, 7, 1000, 60000, 3600000, 315360000000u };
	const uint64_t ranks[] = { 1, 999, 30000, 100000, 123456789, FMPI_RANK_MAX };

	for (size_t h = 0; h < 6; h++)
		for (size_t r = 0; r < 6; r++)
			for (int i = 0; i < 400; i++) {
				uint64_t dt = half_lives[h] * (uint64_t)i / 16;
				uint64_t got = fmpi_decay(ranks[r], dt, half_lives[h]);
				double want = (double)ranks[r] *
					      exp2(-(double)dt / (double)half_lives[h]);

				ck_assert_msg(fabs((double)got - want) <= want * 3e-5 + 1.0,
					      "%" PRIu64 " after %" PRIu64 " of %" PRIu64
					      ": %" PRIu64 ", not %f",
					      ranks[r], dt, half_lives[h], got, want);
			}
	ck_assert_uint_eq(fmpi_decay(5, UINT64_MAX, 1), 0);
	ck_assert_uint_eq(fmpi_decay(5, UINT64_MAX, 0), 5);
}
END_TEST

START_TEST(decay_never_rises)
{
	uint64_t last = FMPI_RANK_MAX;

	for (uint64_t dt = 0; dt < 200000; dt++) {
		uint64_t now = fmpi_decay(FMPI_RANK_MAX, dt, 6007);

		ck_assert_uint_le(now, last);
		last = now;
	}
	ck_assert_uint_eq(last, 0);
}
END_TEST

START_TEST(decay_time_is_when_it_is_gone)
{
	uint64_t last = 0;

	ck_assert_uint_eq(fmpi_decay_time(0, 60000), 0);
	ck_assert_uint_eq(fmpi_decay_time(1, 60000), 0);
	ck_assert_uint_eq(fmpi_decay_time(1024, 60000), 600000);
	for (uint64_t rank = 1; rank <= FMPI_RANK_MAX; rank += rank / 50 + 1) {
		uint64_t t = fmpi_decay_time(rank, 60000);
		double want = 60000 * log2((double)rank);

		ck_assert_msg(fabs((double)t - want) <= 3.0, "%" PRIu64 ": %" PRIu64 ", not %f",
			      rank, t, want);
		ck_assert_uint_ge(t, last);
		last = t;
	}
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("decay");

	tcase_add_test(t, decay_follows_the_exponential);
	tcase_add_test(t, decay_never_rises);
	tcase_add_test(t, decay_time_is_when_it_is_gone);
	return run_tcase("decay", t);
}
