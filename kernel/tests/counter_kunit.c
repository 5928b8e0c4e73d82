// SPDX-License-Identifier: GPL-2.0
/*
 * Counters and expiry times of machines of 32 bits, which all machines can try
 */
#include "suites.h"

#include "../core/counter.h"
#include "../core/deadline.h"

#include <linux/bits.h>

#define TICK BIT_ULL(FMP_TICK_SHIFT)

static void halves_make_64_bits(struct kunit *test)
{
	/* Through each change of bit 31, and over it in one step. */
	static const u32 step[] = { 0x7fffffff, 1, 1, 0x7ffffffe, 1, 0x7fffffff, 0x7fffffff, 3 };
	struct fmp_halves h = {};
	u64 sum = 0;
	int i, n;

	for (n = 0; n < 5; n++) {
		for (i = 0; i < ARRAY_SIZE(step); i++) {
			sum += step[i];
			KUNIT_EXPECT_EQ(test, fmp_halves_add(&h, step[i]), (u32)sum);
			KUNIT_ASSERT_EQ(test, fmp_halves_read(&h), sum);
		}
	}
}

static void a_reader_completes_a_carry(struct kunit *test)
{
	struct fmp_halves h = {};
	u64 sum = 0;
	int i;

	/* Another processor is between the two words: the lower one has changed. */
	for (i = 0; i < 6; i++) {
		sum += 1U << 31;
		atomic_set(&h.low, (int)(u32)sum);
		KUNIT_EXPECT_EQ(test, fmp_halves_read(&h), sum);
		atomic_inc(&h.high);
		KUNIT_EXPECT_EQ(test, fmp_halves_read(&h), sum);
	}
}

static void the_first_is_reported_once(struct kunit *test)
{
	struct fmp_counter c = {};

	KUNIT_EXPECT_TRUE(test, fmp_counter_inc_is_first(&c));
	KUNIT_EXPECT_FALSE(test, fmp_counter_inc_is_first(&c));
	fmp_counter_add(&c, 0x7fffffff);
	fmp_counter_add(&c, 0x7fffffff);
	KUNIT_EXPECT_EQ(test, fmp_counter_read(&c), 1ULL << 32);
	/* Its lower word is 1 once more. */
	KUNIT_EXPECT_FALSE(test, fmp_counter_inc_is_first(&c));
	fmp_counter_inc(&c);
	KUNIT_EXPECT_EQ(test, fmp_counter_read(&c), (1ULL << 32) + 2);
}

static void ticks_are_never_early(struct kunit *test)
{
	static const u64 now[] = { 1, TICK - 1, TICK, 1000 * TICK + 5, (1ULL << 32) * TICK - 3 };
	static const u64 wait[] = { 1,	      TICK - 1,	   TICK,
				    TICK + 1, 1000 * TICK, (u64)S32_MAX * TICK - 1 };
	int i, j;

	for (i = 0; i < ARRAY_SIZE(now); i++) {
		for (j = 0; j < ARRAY_SIZE(wait); j++) {
			u64 end = now[i] + wait[j];
			u32 ticks = fmp_ticks_until(end, now[i]);

			KUNIT_EXPECT_NE(test, ticks, 0);
			KUNIT_EXPECT_FALSE(test, fmp_ticks_passed(ticks, now[i]));
			KUNIT_EXPECT_FALSE(test, fmp_ticks_passed(ticks, end - 1));
			/* A wrap to 0, which means never, is put off by a tick. */
			KUNIT_EXPECT_TRUE(test, fmp_ticks_passed(ticks, end + 2 * TICK));
			KUNIT_EXPECT_TRUE(test, fmp_ticks_passed(ticks, end + 1000000 * TICK));
		}
	}
}

static void what_is_too_far_away_is_left_to_the_reaper(struct kunit *test)
{
	u64 now = 5 * TICK, end = now + (u64)S32_MAX * TICK;

	KUNIT_EXPECT_EQ(test, fmp_ticks_until(0, now), 0);
	KUNIT_EXPECT_EQ(test, fmp_ticks_until(end, now), 0);
	KUNIT_EXPECT_EQ(test, fmp_ticks_until(U64_MAX, now), 0);
	KUNIT_EXPECT_FALSE(test, fmp_ticks_passed(0, end + TICK));
	/* Of the past. */
	KUNIT_EXPECT_TRUE(test, fmp_ticks_passed(fmp_ticks_until(TICK, now), now));
}

static void a_deadline_passes(struct kunit *test)
{
	u64 now = 1000 * TICK, end = now + 10 * TICK;
	struct fmp_deadline d = {};

	KUNIT_EXPECT_FALSE(test, fmp_deadline_is_set(&d));
	KUNIT_EXPECT_FALSE(test, fmp_deadline_passed(&d, now));
	fmp_deadline_set(&d, end, now);
	KUNIT_EXPECT_TRUE(test, fmp_deadline_is_set(&d));
	KUNIT_EXPECT_FALSE(test, fmp_deadline_passed(&d, end - 1));
	KUNIT_EXPECT_TRUE(test, fmp_deadline_passed(&d, end + TICK));
	fmp_deadline_set(&d, 0, now);
	KUNIT_EXPECT_FALSE(test, fmp_deadline_is_set(&d));
}

static struct kunit_case fmp_counter_cases[] = {
	KUNIT_CASE(halves_make_64_bits),
	KUNIT_CASE(a_reader_completes_a_carry),
	KUNIT_CASE(the_first_is_reported_once),
	KUNIT_CASE(ticks_are_never_early),
	KUNIT_CASE(what_is_too_far_away_is_left_to_the_reaper),
	KUNIT_CASE(a_deadline_passes),
	{},
};

struct kunit_suite fmp_counter_suite = {
	.name = "fmp-counter",
	.test_cases = fmp_counter_cases,
};
