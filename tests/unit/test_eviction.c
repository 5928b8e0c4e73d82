// SPDX-License-Identifier: GPL-2.0
/* libfmp/suspicion: a row stays in a full table for what makes it dangerous, not for its shared points alone. */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include <fmp/suspicion.h>

#include "addr.h"
#include "policy_text.h"
#include "run.h"

#define MINUTE 60000ull
#define START  (60 * MINUTE)
#define ROWS   4

#define ONE "192.0.2.1"
/* A login at port 22 counts apart from all else. */
#define APART                                                                                  \
	ROOT "<suspicion malicious='100' suspicious='20' half-life='10min'>"                   \
	     "<event kind='schema' rank='10'/></suspicion><suspicious action='limit' "         \
	     "duration='1min'/><block forget='30d'/><overrides><override port='22' pool='no'>" \
	     "<event kind='login' rank='40'/></override></overrides></policy>"

static struct fmp_policy *policy;
static struct fmp_engine *engine;

static void begin_engine(const char *text)
{
	policy = must_load_text(text);
	policy->suspicion.max_sources = ROWS;
	ck_assert_int_eq(fmp_engine_new(policy, 42, 1, &engine, NULL), 0);
}

static void end_engine(void)
{
	fmp_engine_free(engine);
	fmp_policy_free(policy);
}

static int report_bad_message(const char *source, enum fmp_event_kind kind, uint16_t port,
			      uint64_t now)
{
	struct fmp_event ev = {
		.kind = kind, .proven = true, .source = addr(source), .dest_port = port
	};
	struct fmp_decision d;

	return fmp_engine_event(engine, &ev, now, &d);
}

/* As many sources as the table has rows, each with 10 points. Return: is the one still known? */
static bool outlasts_others(uint64_t now)
{
	struct fmp_addr one = addr(ONE);
	struct fmp_source_info info;
	char source[32];

	for (unsigned i = 0; i < ROWS; i++) {
		snprintf(source, sizeof(source), "198.51.100.%u", i);
		ck_assert_int_eq(report_bad_message(source, FMP_EVENT_SCHEMA, 80, now), 0);
	}
	return !fmp_engine_get(engine, &one, now, &info);
}

static int take_up(const struct fmp_saved_source *row, void *ctx)
{
	return fmp_engine_restore(ctx, row, 0, START);
}

static void restart_engine(void)
{
	struct fmp_engine *before = engine;

	ck_assert_int_eq(fmp_engine_new(policy, 43, 100, &engine, NULL), 0);
	ck_assert_int_eq(fmp_engine_save(before, START, take_up, engine), 0);
	fmp_engine_free(before);
}

START_TEST(a_restored_row_stays_for_its_pool)
{
	begin_engine(APART);
	policy->suspicious.limit = false;
	ck_assert_int_eq(report_bad_message(ONE, FMP_EVENT_LOGIN, 22, START), 0);
	restart_engine();
	ck_assert(outlasts_others(START));
}
END_TEST

/* Its limit is over, its points are not. */
START_TEST(a_row_that_was_limited_stays_for_its_pool)
{
	struct fmp_decision d;

	begin_engine(APART);
	ck_assert_int_eq(report_bad_message(ONE, FMP_EVENT_LOGIN, 22, START), 1);
	ck_assert_int_eq(fmp_engine_expire(engine, START + MINUTE, &d), 1);
	ck_assert_int_eq(d.action, FMP_ACTION_UNBLOCK);
	ck_assert(outlasts_others(START + MINUTE));
}
END_TEST

/* One more message, small, must not wash its offences away. */
START_TEST(a_row_with_offences_stays_after_a_slip)
{
	struct fmp_decision d;
	uint64_t now = START;

	begin_engine(APART);
	policy->suspicious.limit = false;
	while (!report_bad_message(ONE, FMP_EVENT_CRASH, 80, now))
		;
	now += policy->block.max_ms;
	ck_assert_int_eq(fmp_engine_expire(engine, now, &d), 1);
	ck_assert_int_eq(report_bad_message(ONE, FMP_EVENT_SCHEMA, 80, now), 0);
	ck_assert(outlasts_others(now + MINUTE));
}
END_TEST

/* One that is to be blocked stays until it is, with few points too; so after a restart. */
START_TEST(a_row_that_waits_stays)
{
	const struct fmp_addr first = addr("203.0.113.1");
	struct fmp_decision d;

	begin_engine(
		ROOT
		"<suspicion malicious='100' half-life='10min'><event kind='schema' rank='10'/>"
		"<event kind='signature' rank='1' count='2' within='10min'/></suspicion></policy>");
	policy->enforce.max_blocks = 1;
	ck_assert_int_eq(fmp_engine_block(engine, &first, 1, 0, "", START, &d), 0);
	ck_assert_int_eq(report_bad_message(ONE, FMP_EVENT_SIGNATURE, 80, START), 0);
	ck_assert_int_eq(report_bad_message(ONE, FMP_EVENT_SIGNATURE, 80, START), 0);
	ck_assert_uint_eq(fmp_engine_waiting(engine), 1);
	ck_assert(outlasts_others(START));
	restart_engine();
	ck_assert(outlasts_others(START));
	ck_assert_int_eq(fmp_engine_unblock(engine, &first, "", START, &d), 0);
	ck_assert_int_eq(fmp_engine_expire(engine, START, &d), 1);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("eviction");

	tcase_add_checked_fixture(tc, NULL, end_engine);
	tcase_add_test(tc, a_restored_row_stays_for_its_pool);
	tcase_add_test(tc, a_row_that_was_limited_stays_for_its_pool);
	tcase_add_test(tc, a_row_with_offences_stays_after_a_slip);
	tcase_add_test(tc, a_row_that_waits_stays);
	return run_tcase("eviction", tc);
}
