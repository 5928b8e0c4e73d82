// SPDX-License-Identifier: GPL-2.0
/* libfmp/suspicion: more blocks in force than a new policy allows. Which end, and what becomes of their sources. */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include <fmp/suspicion.h>

#include "addr.h"
#include "policy_text.h"
#include "run.h"

#define MINUTE 60000ull
#define START  (60 * MINUTE)

static struct fmp_policy *policy;
static struct fmp_engine *engine;

static void setup(void)
{
	policy = must_load_text(
		ROOT
		"<suspicion suspicious='40' malicious='100' half-life='1h'><event kind='schema' "
		"rank='50'/></suspicion><suspicious action='limit' duration='1h'/>"
		"<enforce automatic-share='50%'/></policy>");
	ck_assert_int_eq(fmp_engine_new(policy, 42, 1, &engine, NULL), 0);
}

static void teardown(void)
{
	fmp_engine_free(engine);
	fmp_policy_free(policy);
}

static void report_bad_messages(const char *source, unsigned times)
{
	struct fmp_event ev = { .kind = FMP_EVENT_SCHEMA, .proven = true, .source = addr(source) };
	struct fmp_decision d;

	while (times--)
		(void)!fmp_engine_event(engine, &ev, START, &d);
}

static void by_hand(const char *source, uint64_t duration_ms)
{
	struct fmp_addr a = addr(source);
	struct fmp_decision d;

	ck_assert_int_eq(fmp_engine_block(engine, &a, 1, duration_ms, "", START, &d), 0);
}

/* One is limited, three are blocked, and three are blocked by hand. */
static void make_seven_rules(void)
{
	report_bad_messages("192.0.2.10", 1);
	by_hand("192.0.2.20", 0);
	by_hand("192.0.2.21", 30 * MINUTE);
	by_hand("192.0.2.22", 20 * MINUTE);
	report_bad_messages("192.0.2.30", 3);
	report_bad_messages("192.0.2.31", 2);
	report_bad_messages("192.0.2.32", 4);
}

static enum fmp_source_state state_of(const char *source)
{
	struct fmp_addr a = addr(source);
	struct fmp_source_info info;

	ck_assert_int_eq(fmp_engine_get(engine, &a, START, &info), 0);
	return info.state;
}

static void expect_unblock(const char *source)
{
	struct fmp_addr a = addr(source);
	struct fmp_decision d;
	char text[FMP_ADDR_STRLEN];

	ck_assert_uint_eq(fmp_engine_next_ms(engine), START);
	ck_assert_int_eq(fmp_engine_expire(engine, START, &d), 1);
	ck_assert_int_eq(d.action, FMP_ACTION_UNBLOCK);
	ck_assert_msg(fmp_addr_equal(&d.source, &a), "%s, not %s",
		      fmp_addr_format(&d.source, text, sizeof(text)), source);
	ck_assert_str_eq(d.reason, "no room: the policy has a lower max-blocks");
}

static void no_more_end(void)
{
	struct fmp_decision d;

	ck_assert_int_eq(fmp_engine_expire(engine, START, &d), 0);
	ck_assert_uint_gt(fmp_engine_next_ms(engine), START);
}

/* People may have three of six. */
START_TEST(limits_give_way_first)
{
	make_seven_rules();
	policy->enforce.max_blocks = 6;
	ck_assert_uint_eq(fmp_engine_trim(engine, START), 1);
	expect_unblock("192.0.2.10");
	no_more_end();
	ck_assert_int_eq(state_of("192.0.2.10"), FMP_STATE_SUSPICIOUS);
}
END_TEST

/* Two of four: the one by hand that would end soonest. Then the engine's own with the least points. */
START_TEST(the_least_dangerous_give_way)
{
	make_seven_rules();
	policy->enforce.max_blocks = 4;
	ck_assert_uint_eq(fmp_engine_trim(engine, START), 3);
	expect_unblock("192.0.2.10");
	expect_unblock("192.0.2.22");
	expect_unblock("192.0.2.31");
	no_more_end();
	ck_assert_int_eq(state_of("192.0.2.20"), FMP_STATE_MALICIOUS);
	ck_assert_int_eq(state_of("192.0.2.22"), FMP_STATE_CLEAN);
}
END_TEST

/* It is malicious still, and blocked again as soon as there is room, not as for another offence. */
START_TEST(who_gave_way_waits)
{
	struct fmp_addr hand = addr("192.0.2.20"), a = addr("192.0.2.31");
	struct fmp_source_info info;
	struct fmp_decision d;

	make_seven_rules();
	policy->enforce.max_blocks = 4;
	ck_assert_uint_eq(fmp_engine_trim(engine, START), 3);
	while (fmp_engine_expire(engine, START, &d))
		;
	ck_assert_int_eq(state_of("192.0.2.31"), FMP_STATE_WAITING);
	ck_assert_int_eq(fmp_engine_unblock(engine, &hand, "", START, &d), 0);
	ck_assert_int_eq(fmp_engine_expire(engine, START, &d), 1);
	ck_assert_int_eq(d.action, FMP_ACTION_BLOCK);
	ck_assert(fmp_addr_equal(&d.source, &a));
	ck_assert_int_eq(fmp_engine_get(engine, &a, START, &info), 0);
	ck_assert_uint_eq(info.offences, 1);
}
END_TEST

/* What ended by itself, or was ended, before its turn makes room as well. */
START_TEST(none_ends_without_need)
{
	struct fmp_addr a = addr("192.0.2.30");
	struct fmp_decision d;

	make_seven_rules();
	policy->enforce.max_blocks = 6;
	ck_assert_uint_eq(fmp_engine_trim(engine, START), 1);
	ck_assert_int_eq(fmp_engine_unblock(engine, &a, "", START, &d), 0);
	no_more_end();
	ck_assert_uint_eq(fmp_engine_trim(engine, START), 0);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("surplus");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, limits_give_way_first);
	tcase_add_test(tc, the_least_dangerous_give_way);
	tcase_add_test(tc, who_gave_way_waits);
	tcase_add_test(tc, none_ends_without_need);
	return run_tcase("surplus", tc);
}
