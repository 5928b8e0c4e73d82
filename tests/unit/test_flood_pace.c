// SPDX-License-Identifier: GPL-2.0
/* fmp-flood: pace of requests and frames, mix of kinds, latencies, time to block. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "../../daemon/flood/pace.h"
#include "../../daemon/flood/scenario.h"
#include "../../daemon/flood/stats.h"

#define MS 1000000ull
#define S  1000000000ull

/* ---- pace ---- */

START_TEST(the_rate_is_kept_over_ticks_of_any_length)
{
	struct flood_pace p;
	uint64_t now = 7 * S, sent = 0;
	unsigned i;

	flood_pace_init(&p, 333, 0, now);
	for (i = 0; i < 2000; i++) {
		sent += flood_pace_due(&p, now);
		now += (1 + i % 9) * MS;
	}
	/* 333 per second, and the first one, which is due at once. */
	ck_assert_uint_ge(sent, (uint64_t)(333.0 * (double)(now - 9 * MS - 7 * S) / 1e9));
	ck_assert_uint_le(sent, (uint64_t)(333.0 * (double)(now - 7 * S) / 1e9) + 1);
	ck_assert_uint_eq(p.skipped, 0);
}
END_TEST

START_TEST(a_slow_rate_waits_for_the_very_moment)
{
	struct flood_pace p;

	flood_pace_init(&p, 2, 0, S);
	ck_assert_uint_eq(flood_pace_due(&p, S), 1);
	ck_assert_uint_eq(flood_pace_wait(&p, S), S / 2);
	ck_assert_uint_eq(flood_pace_due(&p, S + 499 * MS), 0);
	ck_assert_uint_eq(flood_pace_due(&p, S + 500 * MS), 1);
}
END_TEST

START_TEST(a_fast_rate_does_not_tick_below_5_ms)
{
	struct flood_pace p;

	flood_pace_init(&p, 10000, 0, 0);
	ck_assert_uint_eq(flood_pace_due(&p, 0), 1);
	ck_assert_uint_eq(flood_pace_wait(&p, 0), FLOOD_TICK_NS);
	ck_assert_uint_eq(flood_pace_due(&p, FLOOD_TICK_NS), 50);
}
END_TEST

START_TEST(who_was_asleep_gets_a_bounded_burst)
{
	struct flood_pace p;

	flood_pace_init(&p, 100, 0, 0);
	ck_assert_uint_eq(flood_pace_due(&p, 10 * S), 11);
	ck_assert_uint_eq(p.skipped, 1001 - 11);
	ck_assert_uint_eq(flood_pace_due(&p, 10 * S), 0);
}
END_TEST

START_TEST(a_limit_is_met_exactly)
{
	struct flood_pace p;
	uint64_t now, sent = 0;

	flood_pace_init(&p, 1000, 37, 0);
	for (now = 0; flood_pace_wait(&p, now) != UINT64_MAX; now += flood_pace_wait(&p, now))
		sent += flood_pace_due(&p, now);
	ck_assert_uint_eq(sent, 37);
	flood_pace_give_back(&p, 2);
	sent -= 2;
	for (; flood_pace_wait(&p, now) != UINT64_MAX; now += flood_pace_wait(&p, now))
		sent += flood_pace_due(&p, now);
	ck_assert_uint_eq(sent, 37);
}
END_TEST

START_TEST(a_clock_that_steps_back_sends_nothing)
{
	struct flood_pace p;

	flood_pace_init(&p, 1000, 0, 5 * S);
	ck_assert_uint_eq(flood_pace_due(&p, 4 * S), 0);
	ck_assert_uint_eq(p.due, 0);
}
END_TEST

/* ---- pace of frames ---- */

START_TEST(frames_never_go_above_the_target)
{
	struct flood_frame_pace l;
	uint64_t now = S, frames = 1000;
	unsigned i;

	flood_frame_pace_init(&l, 1200, now, frames);
	for (i = 1; i <= 500; i++) {
		now += 20 * MS;
		frames += flood_frame_pace_allowed(&l, now, frames);
		ck_assert_uint_le(frames - 1000, 24ull * i);
	}
	ck_assert_uint_eq(frames - 1000, 12000);
	/* Frames of other programs on the device count. */
	frames += 100;
	ck_assert_uint_eq(flood_frame_pace_allowed(&l, now + 20 * MS, frames), 0);
}
END_TEST

START_TEST(missed_frames_are_made_up_for_but_not_for_ever)
{
	struct flood_frame_pace l;

	flood_frame_pace_init(&l, 1000, 0, 0);
	ck_assert_uint_eq(flood_frame_pace_allowed(&l, 150 * MS, 0), 150);
	ck_assert_uint_eq(flood_frame_pace_allowed(&l, 60 * S, 0), 200);
	/* Forgiven frames are never sent. */
	ck_assert_uint_eq(flood_frame_pace_allowed(&l, 60 * S, 200), 0);
	ck_assert_uint_eq(flood_frame_pace_allowed(&l, 60 * S + 100 * MS, 200), 100);
}
END_TEST

/* ---- scenario ---- */

START_TEST(every_prefix_of_a_run_has_the_mix)
{
	struct flood_scenario s;
	unsigned n[FLOOD_KINDS] = { 0 };
	unsigned i;

	ck_assert_int_eq(flood_scenario_parse(&s, "good=50,schema=25,signature=25", NULL), 0);
	for (i = 1; i <= 1000; i++) {
		n[flood_scenario_next(&s)]++;
		ck_assert_int_le(abs((int)(n[FLOOD_GOOD] * 2) - (int)i), 2);
		ck_assert_int_le(abs((int)(n[FLOOD_SCHEMA] * 4) - (int)i), 4);
	}
	ck_assert_uint_eq(n[FLOOD_GOOD], 500);
	ck_assert_uint_eq(n[FLOOD_SCHEMA], 250);
	ck_assert_uint_eq(n[FLOOD_SIGNATURE], 250);
}
END_TEST

START_TEST(a_mix_of_all_kinds_by_name)
{
	struct flood_scenario s;
	char mix[200] = "";
	unsigned k, seen = 0;

	for (k = 0; k < FLOOD_KINDS; k++) {
		strcat(mix, k ? "," : "");
		strcat(mix, flood_kind_name(k));
	}
	ck_assert_ptr_null(flood_kind_name(FLOOD_KINDS));
	ck_assert_int_eq(flood_scenario_parse(&s, mix, NULL), 0);
	for (k = 0; k < FLOOD_KINDS; k++)
		seen |= 1u << flood_scenario_next(&s);
	ck_assert_uint_eq(seen, (1u << FLOOD_KINDS) - 1);
}
END_TEST

START_TEST(a_bad_mix_is_refused)
{
	static const char *const bad[] = {
		"",
		"good=0",
		"evil",
		"good=",
		"good=-1",
		"good=1x",
		"good=1,good=2",
		"good=1,,bad",
		"good=999999999999",
		"=5",
	};
	struct flood_scenario s;
	struct fmp_error err;
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		memset(&err, 0, sizeof(err));
		ck_assert_msg(flood_scenario_parse(&s, bad[i], &err) == FMP_ERR_SYNTAX, "\"%s\"",
			      bad[i]);
		ck_assert_str_ne(err.message, "");
	}
}
END_TEST

/* ---- latency ---- */

START_TEST(percentiles_are_within_7_percent)
{
	static struct flood_latency l;
	uint64_t us;

	for (us = 1; us <= 100000; us++)
		flood_latency_add(&l, us);
	ck_assert_uint_ge(flood_latency_at(&l, 500), 50000);
	ck_assert_uint_le(flood_latency_at(&l, 500), 53500);
	ck_assert_uint_ge(flood_latency_at(&l, 990), 99000);
	ck_assert_uint_le(flood_latency_at(&l, 990), 100000);
	ck_assert_uint_eq(flood_latency_at(&l, 1000), 100000);
	ck_assert_uint_eq(l.max_us, 100000);
	flood_latency_add(&l, UINT64_MAX);
	ck_assert_uint_eq(flood_latency_at(&l, 1), 103);
}
END_TEST

START_TEST(no_latencies_no_percentile)
{
	static const struct flood_latency l;

	ck_assert_uint_eq(flood_latency_at(&l, 500), 0);
}
END_TEST

/* ---- time to block ---- */

START_TEST(a_block_is_between_the_last_answer_and_the_first_silence)
{
	struct flood_block b = { 0 };

	flood_block_end(&b, FLOOD_RESPONSE_GOOD, 10 * MS);
	flood_block_end(&b, FLOOD_RESPONSE_FAULT, 30 * MS);
	/* Timeouts are seen later than responses, in any order. */
	flood_block_end(&b, FLOOD_TIMEOUT_CONNECT, 60 * MS);
	flood_block_end(&b, FLOOD_TIMEOUT_RESPONSE, 45 * MS);
	ck_assert(!flood_block_is_blocked(&b));
	flood_block_end(&b, FLOOD_RESET, 50 * MS);
	ck_assert(flood_block_is_blocked(&b));
	ck_assert_uint_eq(b.last_answered_ns, 30 * MS);
	ck_assert_uint_eq(b.first_unanswered_ns, 45 * MS);
}
END_TEST

START_TEST(an_answer_ends_a_block)
{
	struct flood_block b = { 0 };
	unsigned i;

	flood_block_end(&b, FLOOD_RESPONSE_FAULT, 1 * MS);
	for (i = 0; i < 5; i++)
		flood_block_end(&b, FLOOD_TIMEOUT_CONNECT, (10 + i) * MS);
	ck_assert(flood_block_is_blocked(&b));
	flood_block_end(&b, FLOOD_RESPONSE_GOOD, 90 * MS);
	ck_assert(!flood_block_is_blocked(&b));
	ck_assert_uint_eq(b.first_unanswered_ns, 0);
	ck_assert_uint_eq(b.last_answered_ns, 90 * MS);
}
END_TEST

START_TEST(a_shortage_of_our_own_is_no_block)
{
	struct flood_block b = { 0 };
	unsigned i;

	for (i = 0; i < 10; i++)
		flood_block_end(&b, FLOOD_LOCAL, i);
	ck_assert(!flood_block_is_blocked(&b));
	ck_assert_uint_eq(b.unanswered, 0);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("flood_pace");
	TCase *t = tcase_create("all");
	SRunner *r;
	int failed;

	tcase_add_test(t, the_rate_is_kept_over_ticks_of_any_length);
	tcase_add_test(t, a_slow_rate_waits_for_the_very_moment);
	tcase_add_test(t, a_fast_rate_does_not_tick_below_5_ms);
	tcase_add_test(t, who_was_asleep_gets_a_bounded_burst);
	tcase_add_test(t, a_limit_is_met_exactly);
	tcase_add_test(t, a_clock_that_steps_back_sends_nothing);
	tcase_add_test(t, frames_never_go_above_the_target);
	tcase_add_test(t, missed_frames_are_made_up_for_but_not_for_ever);
	tcase_add_test(t, every_prefix_of_a_run_has_the_mix);
	tcase_add_test(t, a_mix_of_all_kinds_by_name);
	tcase_add_test(t, a_bad_mix_is_refused);
	tcase_add_test(t, percentiles_are_within_7_percent);
	tcase_add_test(t, no_latencies_no_percentile);
	tcase_add_test(t, a_block_is_between_the_last_answer_and_the_first_silence);
	tcase_add_test(t, an_answer_ends_a_block);
	tcase_add_test(t, a_shortage_of_our_own_is_no_block);
	suite_add_tcase(s, t);
	r = srunner_create(s);
	srunner_run_all(r, CK_ENV);
	failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
