// SPDX-License-Identifier: GPL-2.0
/* What the loop lost, and what deadlines are put off by for it. */
#include "../../daemon/gateway/common/loop_delay.h"
#include "run.h"

#define MS 1000000ull

START_TEST(late_looks_are_lost)
{
	struct gw_loop_delay d = { 0 };
	uint64_t now = 5000 * MS, since;

	gw_loop_delay_check(&d, now);
	since = d.lost_ns;
	/* In time, and late by less than counts. */
	gw_loop_delay_check(&d, now += GW_LOOP_DELAY_PERIOD_MS * MS);
	gw_loop_delay_check(&d, now += (GW_LOOP_DELAY_PERIOD_MS + GW_LOOP_DELAY_SLACK_MS) * MS);
	ck_assert_uint_eq(gw_loop_delay_extension_ms(&d, &since), 0);
	gw_loop_delay_check(&d, now += (GW_LOOP_DELAY_PERIOD_MS + 2000) * MS);
	ck_assert_uint_eq(gw_loop_delay_extension_ms(&d, &since), 2000);
	/* Each is owed once. */
	ck_assert_uint_eq(gw_loop_delay_extension_ms(&d, &since), 0);
	/* Looks that come early lose nothing. */
	gw_loop_delay_check(&d, now += 1 * MS);
	gw_loop_delay_check(&d, now += 1 * MS);
	ck_assert_uint_eq(gw_loop_delay_extension_ms(&d, &since), 0);
}
END_TEST

START_TEST(nothing_is_lost_while_nobody_waits)
{
	struct gw_loop_delay d = { 0 };
	uint64_t since = 0;

	gw_loop_delay_check(&d, 5000 * MS);
	gw_loop_delay_stop(&d);
	gw_loop_delay_check(&d, 90000 * MS);
	ck_assert_uint_eq(gw_loop_delay_extension_ms(&d, &since), 0);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("delay");

	tcase_add_test(tc, late_looks_are_lost);
	tcase_add_test(tc, nothing_is_lost_while_nobody_waits);
	return run_tcase("delay", tc);
}
