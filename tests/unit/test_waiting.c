// SPDX-License-Identifier: GPL-2.0
/* libfmp/suspicion: a source that found no room for its block is blocked at its turn by what made it malicious. */
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

/* Blocks have one place, and 203.0.113.1 has it. */
static void begin_engine(const char *text)
{
	struct fmp_addr first = addr("203.0.113.1");
	struct fmp_decision d;

	policy = must_load_text(text);
	policy->enforce.max_blocks = 1;
	ck_assert_int_eq(fmp_engine_new(policy, 42, 1, &engine, NULL), 0);
	ck_assert_int_eq(fmp_engine_block(engine, &first, 1, 0, "", START, &d), 0);
}

static void end_engine(void)
{
	fmp_engine_free(engine);
	fmp_policy_free(policy);
}

static void report_bad_message(const char *source, enum fmp_event_kind kind, uint16_t port,
			       uint64_t now)
{
	struct fmp_event ev = {
		.kind = kind, .proven = true, .source = addr(source), .dest_port = port
	};
	struct fmp_decision d;

	ck_assert_int_eq(fmp_engine_event(engine, &ev, now, &d), 0);
}

static enum fmp_source_state state_of(const char *source, uint64_t now)
{
	struct fmp_addr a = addr(source);
	struct fmp_source_info info;

	ck_assert_int_eq(fmp_engine_get(engine, &a, now, &info), 0);
	return info.state;
}

static void make_room(uint64_t now)
{
	struct fmp_addr first = addr("203.0.113.1");
	struct fmp_decision d;

	ck_assert_int_eq(fmp_engine_unblock(engine, &first, "", now, &d), 0);
}

static void is_blocked(const char *source, uint64_t now, const char *reason)
{
	struct fmp_addr a = addr(source);
	struct fmp_decision d;

	make_room(now);
	ck_assert_int_eq(fmp_engine_expire(engine, now, &d), 1);
	ck_assert_int_eq(d.action, FMP_ACTION_BLOCK);
	ck_assert(fmp_addr_equal(&d.source, &a));
	ck_assert_str_eq(d.reason, reason);
}

static void is_let_go(const char *source, uint64_t now)
{
	struct fmp_decision d;

	make_room(now);
	ck_assert_int_eq(fmp_engine_expire(engine, now, &d), 0);
	ck_assert_int_eq(state_of(source, now), FMP_STATE_CLEAN);
}

#define COUNTS                                                                                        \
	ROOT "<suspicion malicious='100'><event kind='signature' rank='1' count='3' within='10min'/>" \
	     "<event kind='schema' rank='1'/></suspicion></policy>"

static void waits_by_count(void)
{
	begin_engine(COUNTS);
	for (unsigned i = 0; i < 3; i++)
		report_bad_message("192.0.2.1", FMP_EVENT_SIGNATURE, 80, START);
	ck_assert_int_eq(state_of("192.0.2.1", START), FMP_STATE_WAITING);
	report_bad_message("192.0.2.1", FMP_EVENT_SCHEMA, 80, START + MINUTE);
	ck_assert_int_eq(state_of("192.0.2.1", START + MINUTE), FMP_STATE_WAITING);
}

START_TEST(by_count_of_another_kind_than_the_newest)
{
	waits_by_count();
	is_blocked("192.0.2.1", START + MINUTE,
		   "3 of 3 signature events in 10min, rank 2 of 100, newest: schema");
}
END_TEST

/* Not for ever: what counted is over. */
START_TEST(by_count_until_its_window_is_over)
{
	waits_by_count();
	is_let_go("192.0.2.1", START + 11 * MINUTE);
}
END_TEST

/* The thresholds of what it sent last are higher. */
START_TEST(by_an_override_of_another_port_than_the_newest)
{
	begin_engine(
		ROOT
		"<suspicion malicious='100' half-life='10min'><event kind='schema' rank='30'/><event kind='unsigned' rank='5'/></suspicion>"
		"<overrides><override port='22' malicious='50'/></overrides></policy>");
	for (unsigned i = 0; i < 2; i++)
		report_bad_message("192.0.2.1", FMP_EVENT_SCHEMA, 22, START);
	ck_assert_int_eq(state_of("192.0.2.1", START), FMP_STATE_WAITING);
	report_bad_message("192.0.2.1", FMP_EVENT_UNSIGNED, 80, START + 1);
	is_blocked("192.0.2.1", START + 1, "rank 65 of 50 (override of port 22), newest: unsigned");
}
END_TEST

START_TEST(by_count_of_a_pool_apart)
{
	begin_engine(
		ROOT
		"<overrides><override port='22' pool='no'><event kind='login' rank='1' count='2' "
		"within='10min'/></override></overrides></policy>");
	for (unsigned i = 0; i < 2; i++)
		report_bad_message("192.0.2.1", FMP_EVENT_LOGIN, 22, START);
	ck_assert_int_eq(state_of("192.0.2.1", START), FMP_STATE_WAITING);
	report_bad_message("192.0.2.1", FMP_EVENT_SCHEMA, 80, START);
	is_blocked(
		"192.0.2.1", START,
		"2 of 2 login events in 10min, rank 2 of 100 (override of port 22), newest: schema");
}
END_TEST

/* ---- by its MAC ---- */

static bool is_guarded(const struct fmp_addr *a, void *ctx)
{
	struct fmp_addr own = addr("fd07::1");

	return fmp_addr_overlaps(a, &own);
}

static bool find_siblings(const struct fmp_addr *a, const struct fmp_event *by,
			  struct fmp_addr *mac, void *ctx)
{
	*mac = addr("02:00:5e:00:53:01");
	return true;
}

#define SUMS \
	ROOT "<suspicion malicious='50' half-life='10min'><event kind='schema' rank='17'/></suspicion></policy>"
#define BY_SUM "rank 51 of 50 by the addresses of MAC 02:00:5e:00:53:01, newest: schema"

static void with_siblings(void)
{
	fmp_engine_set_protect_check(engine, is_guarded, NULL);
	fmp_engine_set_mac_siblings(engine, find_siblings, NULL);
}

static void waits_by_sum(void)
{
	begin_engine(SUMS);
	with_siblings();
	report_bad_message("fd07::2:1", FMP_EVENT_SCHEMA, 80, START);
	report_bad_message("fd07::2:2", FMP_EVENT_SCHEMA, 80, START);
	report_bad_message("fd07::2:3", FMP_EVENT_SCHEMA, 80, START);
	ck_assert_int_eq(state_of("fd07::2:3", START), FMP_STATE_WAITING);
}

START_TEST(by_the_sum_of_its_mac)
{
	waits_by_sum();
	is_blocked("fd07::2:3", START, BY_SUM);
}
END_TEST

START_TEST(by_a_sum_until_it_has_decayed)
{
	waits_by_sum();
	is_let_go("fd07::2:3", START + 5 * MINUTE);
}
END_TEST

/* ---- over a restart ---- */

static int take_up(const struct fmp_saved_source *row, void *ctx)
{
	return row->blocked ? 0 : fmp_engine_restore(ctx, row, 0, START + 1);
}

static void restart_engine(void)
{
	struct fmp_engine *before = engine;
	struct fmp_addr first = addr("203.0.113.1");
	struct fmp_decision d;

	ck_assert_int_eq(fmp_engine_new(policy, 43, 100, &engine, NULL), 0);
	ck_assert_int_eq(fmp_engine_block(engine, &first, 1, 0, "", START, &d), 0);
	ck_assert_int_eq(fmp_engine_save(before, START + 1, take_up, engine), 0);
	fmp_engine_free(before);
}

START_TEST(a_restored_one_waits_by_its_sum)
{
	waits_by_sum();
	restart_engine();
	is_blocked("fd07::2:3", START + 1, BY_SUM);
}
END_TEST

START_TEST(a_restored_one_waits_by_its_count)
{
	waits_by_count();
	restart_engine();
	is_blocked("192.0.2.1", START + MINUTE,
		   "3 of 3 signature events in 10min, rank 1 of 100, newest: schema");
}
END_TEST

/* What its newest message came to holds for it, and what it waits by. */
START_TEST(a_restored_one_has_its_overrides)
{
	struct fmp_addr a = addr("192.0.2.1");
	struct fmp_source_info info;

	begin_engine(
		ROOT
		"<suspicion malicious='100' half-life='10min'><event kind='schema' rank='30'/><event kind='unsigned' rank='5'/></suspicion>"
		"<overrides><override port='22' malicious='50'/><override port='23' malicious='90'/>"
		"</overrides></policy>");
	for (unsigned i = 0; i < 2; i++)
		report_bad_message("192.0.2.1", FMP_EVENT_SCHEMA, 22, START);
	report_bad_message("192.0.2.1", FMP_EVENT_UNSIGNED, 23, START);
	restart_engine();
	ck_assert_int_eq(fmp_engine_get(engine, &a, START + 1, &info), 0);
	ck_assert_int_eq(info.state, FMP_STATE_WAITING);
	ck_assert_str_eq(info.rule, "override of port 23");
	ck_assert_uint_eq(info.malicious, 90);
	is_blocked("192.0.2.1", START + 1, "rank 65 of 50 (override of port 22), newest: unsigned");
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("waiting");

	tcase_add_checked_fixture(tc, NULL, end_engine);
	tcase_add_test(tc, by_count_of_another_kind_than_the_newest);
	tcase_add_test(tc, by_count_until_its_window_is_over);
	tcase_add_test(tc, by_an_override_of_another_port_than_the_newest);
	tcase_add_test(tc, by_count_of_a_pool_apart);
	tcase_add_test(tc, by_the_sum_of_its_mac);
	tcase_add_test(tc, by_a_sum_until_it_has_decayed);
	tcase_add_test(tc, a_restored_one_waits_by_its_sum);
	tcase_add_test(tc, a_restored_one_waits_by_its_count);
	tcase_add_test(tc, a_restored_one_has_its_overrides);
	return run_tcase("waiting", tc);
}
