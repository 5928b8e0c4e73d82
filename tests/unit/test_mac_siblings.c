// SPDX-License-Identifier: GPL-2.0
/* libfmp/suspicion: addresses of the own prefix that have one MAC are judged together. */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include <fmp/suspicion.h>

#include "addr.h"
#include "run.h"

#define MALICIOUS 50
#define RANK	  17 /* of one message: three are too many */

static struct fmp_policy *policy;
static struct fmp_engine *engine;
static unsigned asked;

/* Of this machine's link: fd07::1 is its own. */
static bool is_guarded(const struct fmp_addr *a, void *ctx)
{
	struct fmp_addr own = addr("fd07::1");

	return fmp_addr_overlaps(a, &own);
}

/* fd07::<host>:<n> is the n-th address of a host; host 9's MAC is not known. */
static bool find_siblings(const struct fmp_addr *a, const struct fmp_event *by,
			  struct fmp_addr *mac, void *ctx)
{
	const uint8_t bytes[6] = { 2, 0, 0, 0, 0, a->bytes[13] };

	asked++;
	*mac = fmp_addr_mac(bytes);
	return a->bytes[13] != 9;
}

static void setup(void)
{
	policy = fmp_policy_default();
	policy->suspicion.malicious = MALICIOUS;
	policy->suspicion.rank[FMP_EVENT_SCHEMA] = RANK;
	policy->suspicion.half_life_ms = 3600000;
	ck_assert_int_eq(fmp_engine_new(policy, 42, 1, &engine, NULL), 0);
	fmp_engine_set_protect_check(engine, is_guarded, NULL);
	fmp_engine_set_mac_siblings(engine, find_siblings, NULL);
	asked = 0;
}

static void teardown(void)
{
	fmp_engine_free(engine);
	fmp_policy_free(policy);
}

static int report_event(const char *source, enum fmp_event_kind kind, struct fmp_decision *d)
{
	struct fmp_event ev = { .kind = kind, .proven = true, .source = addr(source) };

	return fmp_engine_event(engine, &ev, 1000, d);
}

static int report_bad_message(const char *source)
{
	struct fmp_decision d;

	return report_event(source, FMP_EVENT_SCHEMA, &d);
}

static int report_good_message(const char *source)
{
	struct fmp_decision d;

	return report_event(source, FMP_EVENT_GOOD, &d);
}

static uint32_t rank_of(const char *source)
{
	struct fmp_addr a = addr(source);
	struct fmp_source_info row;

	return fmp_engine_get(engine, &a, 1000, &row) ? 0 : row.rank;
}

/* Who changes his address behind each message is found as if he did not; each further one at once. */
START_TEST(rotating)
{
	struct fmp_addr third = addr("fd07::2:3");
	struct fmp_decision d;

	ck_assert_int_eq(report_bad_message("fd07::2:1"), 0);
	ck_assert_int_eq(report_bad_message("fd07::2:2"), 0);
	ck_assert_int_eq(report_event("fd07::2:3", FMP_EVENT_SCHEMA, &d), 1);
	ck_assert_int_eq(d.action, FMP_ACTION_BLOCK);
	ck_assert(fmp_addr_equal(&d.source, &third));
	ck_assert_str_eq(d.reason,
			 "rank 51 of 50 by the addresses of MAC 02:00:00:00:00:02, newest: schema");
	ck_assert_int_eq(report_bad_message("fd07::2:4"), 1);
	ck_assert_uint_eq(rank_of("fd07::2:4"), RANK);
	ck_assert_uint_eq(rank_of("02:00:00:00:00:02"), 4 * RANK);
}
END_TEST

/* The first that sends no more is left alone, and so is everybody with another MAC, or none. */
START_TEST(inv3_nobody_else)
{
	struct fmp_source_info row;
	struct fmp_addr first = addr("fd07::2:1");

	ck_assert_int_eq(report_bad_message("fd07::2:1"), 0);
	ck_assert_int_eq(report_bad_message("fd07::2:2"), 0);
	ck_assert_int_eq(report_bad_message("fd07::3:1"), 0);
	ck_assert_int_eq(report_bad_message("fd07::9:1"), 0);
	ck_assert_int_eq(report_bad_message("fd07::9:2"), 0);
	ck_assert_int_eq(report_bad_message("fd07::9:3"), 0);
	ck_assert_int_eq(report_bad_message("fd07::2:3"), 1);
	ck_assert_int_eq(report_bad_message("fd07::3:2"), 0);
	ck_assert_int_eq(report_bad_message("fd07::9:4"), 0);
	ck_assert_int_eq(fmp_engine_get(engine, &first, 1000, &row), 0);
	ck_assert_int_ne(row.state, FMP_STATE_MALICIOUS);
}
END_TEST

/* Behind a MAC that several share: who is good far more often than bad does not pay for others. */
START_TEST(inv3_good_one_behind_the_mac)
{
	for (unsigned i = 0; i < 8; i++)
		ck_assert_int_eq(report_good_message("fd07::2:1"), 0);
	ck_assert_int_eq(report_bad_message("fd07::2:1"), 0);
	ck_assert_int_eq(report_bad_message("fd07::2:2"), 0);
	ck_assert_int_eq(report_bad_message("fd07::2:3"), 1);
	ck_assert_int_eq(report_bad_message("fd07::2:1"), 0);
	/* A good message before each bad one helps nobody, nor do they count less. */
	ck_assert_int_eq(report_good_message("fd07::2:5"), 0);
	ck_assert_int_eq(report_bad_message("fd07::2:5"), 1);
	/* By his own rank like anybody. */
	ck_assert_int_eq(report_bad_message("fd07::2:1"), 1);
}
END_TEST

START_TEST(nothing_is_added_up_that_never_decays)
{
	policy->suspicion.half_life_ms = 0;
	for (unsigned i = 1; i < 9; i++) {
		char text[32];

		snprintf(text, sizeof(text), "fd07::2:%u", i);
		ck_assert_int_eq(report_bad_message(text), 0);
	}
	ck_assert_int_eq(asked, 0);
}
END_TEST

/* Invariant 2: what is not proven adds nothing, wherever. */
START_TEST(inv2_unproven)
{
	struct fmp_event ev = { .kind = FMP_EVENT_SCHEMA, .source = addr("fd07::2:1") };
	struct fmp_decision d;

	for (unsigned i = 0; i < 5; i++)
		ck_assert_int_eq(fmp_engine_event(engine, &ev, 1000, &d), 0);
	ck_assert_uint_eq(asked, 0);
	ck_assert_uint_eq(rank_of("02:00:00:00:00:02"), 0);
}
END_TEST

/* Where the prefix can be blocked, it is the source; an IPv4 address is one by itself. */
START_TEST(others_are_not_asked_for)
{
	struct fmp_decision d;

	ck_assert_int_eq(report_bad_message("2001:db8::2:1"), 0);
	ck_assert_int_eq(report_bad_message("192.0.2.1"), 0);
	ck_assert_int_eq(report_bad_message("192.0.2.2"), 0);
	ck_assert_int_eq(report_bad_message("192.0.2.3"), 0);
	ck_assert_uint_eq(asked, 0);
	/* One address alone is judged by itself, in its own words. */
	ck_assert_int_eq(report_bad_message("fd07::2:1"), 0);
	ck_assert_int_eq(report_bad_message("fd07::2:1"), 0);
	ck_assert_int_eq(report_event("fd07::2:1", FMP_EVENT_SCHEMA, &d), 1);
	ck_assert_str_eq(d.reason, "rank 51 of 50, newest: schema");
	/* By the policy each address is a source. */
	policy->suspicion.ipv6_prefix = 128;
	asked = 0;
	ck_assert_int_eq(report_bad_message("fd07::3:1"), 0);
	ck_assert_uint_eq(asked, 0);
}
END_TEST

/* Who is let go by hand begins anew. */
START_TEST(pardoned)
{
	struct fmp_addr a = addr("fd07::2:3");
	struct fmp_decision d;

	report_bad_message("fd07::2:1");
	report_bad_message("fd07::2:2");
	ck_assert_int_eq(report_bad_message("fd07::2:3"), 1);
	ck_assert_int_eq(fmp_engine_unblock(engine, &a, "", 1000, &d), 0);
	ck_assert_uint_eq(rank_of("02:00:00:00:00:02"), 0);
	ck_assert_int_eq(report_bad_message("fd07::2:3"), 0);
	ck_assert_int_eq(report_bad_message("fd07::2:4"), 0);
	ck_assert_int_eq(report_bad_message("fd07::2:5"), 1);
}
END_TEST

/* The row of the MAC never pushes out the one that it is made for. */
START_TEST(inv6_full_table)
{
	policy->suspicion.max_sources = 1;
	fmp_engine_free(engine);
	ck_assert_int_eq(fmp_engine_new(policy, 42, 1, &engine, NULL), 0);
	fmp_engine_set_protect_check(engine, is_guarded, NULL);
	fmp_engine_set_mac_siblings(engine, find_siblings, NULL);
	ck_assert_int_eq(report_bad_message("fd07::2:1"), 0);
	ck_assert_uint_eq(rank_of("fd07::2:1"), RANK);
	ck_assert_int_eq(report_bad_message("fd07::2:2"), 0);
	ck_assert_uint_eq(rank_of("fd07::2:2"), RANK);
}
END_TEST

/* The lookup restores what was known of the MAC before a restart. */
static bool restore_and_find_siblings(const struct fmp_addr *a, const struct fmp_event *by,
				      struct fmp_addr *mac, void *ctx)
{
	struct fmp_saved_source row = { .rank = 40000,
					.ended_age_ms = FMP_AGE_NEVER,
					.last_good_age_ms = FMP_AGE_NEVER };

	find_siblings(a, by, mac, ctx);
	row.source = *mac;
	(void)!fmp_engine_restore(engine, &row, 0, 1000);
	return true;
}

START_TEST(restored)
{
	fmp_engine_set_mac_siblings(engine, restore_and_find_siblings, NULL);
	ck_assert_int_eq(report_bad_message("fd07::2:1"), 1);
}
END_TEST

static int take_up(const struct fmp_saved_source *row, void *ctx)
{
	return fmp_engine_restore(ctx, row, 0, 1000);
}

/* The sum is a row like others in the state file. */
START_TEST(saved)
{
	struct fmp_engine *before = engine;

	ck_assert_int_eq(report_bad_message("fd07::2:1"), 0);
	ck_assert_int_eq(report_bad_message("fd07::2:2"), 0);
	ck_assert_int_eq(fmp_engine_new(policy, 43, 1, &engine, NULL), 0);
	fmp_engine_set_protect_check(engine, is_guarded, NULL);
	fmp_engine_set_mac_siblings(engine, find_siblings, NULL);
	ck_assert_int_eq(fmp_engine_save(before, 1000, take_up, engine), 0);
	fmp_engine_free(before);
	ck_assert_uint_eq(rank_of("02:00:00:00:00:02"), 2 * RANK);
	ck_assert_int_eq(report_bad_message("fd07::2:3"), 1);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("mac_siblings");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, rotating);
	tcase_add_test(tc, inv3_nobody_else);
	tcase_add_test(tc, inv3_good_one_behind_the_mac);
	tcase_add_test(tc, nothing_is_added_up_that_never_decays);
	tcase_add_test(tc, inv2_unproven);
	tcase_add_test(tc, others_are_not_asked_for);
	tcase_add_test(tc, pardoned);
	tcase_add_test(tc, inv6_full_table);
	tcase_add_test(tc, restored);
	tcase_add_test(tc, saved);
	return run_tcase("mac_siblings", tc);
}
