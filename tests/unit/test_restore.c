// SPDX-License-Identifier: GPL-2.0
/* libfmp/suspicion: rows saved, and taken into another engine's table. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include <fmp/suspicion.h>

#include "addr.h"
#include "run.h"

#define MINUTE 60000ull
#define HOUR   (60 * MINUTE)

static struct fmp_policy *policy;
static struct fmp_engine *old, *fresh;

static void setup(void)
{
	policy = fmp_policy_default();
	ck_assert_int_eq(fmp_engine_new(policy, 42, 1, &old, NULL), 0);
	ck_assert_int_eq(fmp_engine_new(policy, 43, 1, &fresh, NULL), 0);
}

static void teardown(void)
{
	fmp_engine_free(old);
	fmp_engine_free(fresh);
	fmp_policy_free(policy);
}

static int report_bad_messages(struct fmp_engine *e, const char *source, unsigned times,
			       uint64_t now, struct fmp_decision *d)
{
	struct fmp_event ev = { .kind = FMP_EVENT_CRASH,
				.proven = true,
				.source = addr(source),
				.dest_port = 8080,
				.detail = "worker 1 died" };
	int rc = 0;

	while (times-- && !rc)
		rc = fmp_engine_event(e, &ev, now, d);
	return rc;
}

static struct fmp_saved_source saved[16];
static unsigned n_saved;

static int keep_row(const struct fmp_saved_source *row, void *ctx)
{
	ck_assert_uint_lt(n_saved, 16);
	saved[n_saved++] = *row;
	return 0;
}

static void save_engine(uint64_t now)
{
	n_saved = 0;
	ck_assert_int_eq(fmp_engine_save(old, now, keep_row, NULL), 0);
}

static void restore_all(uint64_t age, uint64_t now)
{
	for (unsigned i = 0; i < n_saved; i++)
		ck_assert_int_eq(fmp_engine_restore(fresh, &saved[i], age, now), 0);
}

static struct fmp_source_info get_info(struct fmp_engine *e, const char *source, uint64_t now)
{
	struct fmp_source_info info;
	struct fmp_addr a = addr(source);

	ck_assert_int_eq(fmp_engine_get(e, &a, now, &info), 0);
	return info;
}

/* One half-life of downtime and a new boot: half the rank, the rest of the block, the next id. */
START_TEST(rows_come_back)
{
	const uint64_t boot = 5 * HOUR, up = MINUTE; /* the clock began anew */
	struct fmp_source_info a, b;
	struct fmp_decision d, end;

	ck_assert_int_eq(report_bad_messages(old, "192.0.2.1", 2, boot, &d), 1);
	ck_assert_int_eq(report_bad_messages(old, "2001:db8::1", 1, boot, &d), 0);
	save_engine(boot + MINUTE);
	ck_assert_uint_eq(n_saved, 2);
	restore_all(MINUTE, up);

	a = get_info(fresh, "192.0.2.1", up);
	ck_assert_int_eq(a.state, FMP_STATE_MALICIOUS);
	ck_assert_uint_eq(a.blocked_until_ms, up + 8 * MINUTE);
	ck_assert_uint_eq(a.offences, 1);
	ck_assert_uint_eq(a.decision_id, 1);
	ck_assert_uint_eq(a.events, 2);
	ck_assert_uint_eq(a.n_history, 2);
	ck_assert_str_eq(a.history[1].detail, "worker 1 died");
	b = get_info(fresh, "2001:db8::7", up);
	ck_assert_uint_eq(b.rank, 15);
	ck_assert_uint_eq(b.dest_port, 8080);
	ck_assert_uint_eq(b.first_ms, 1);

	ck_assert_uint_eq(fmp_engine_next_ms(fresh), up + 8 * MINUTE);
	ck_assert_int_eq(fmp_engine_expire(fresh, up + 8 * MINUTE, &end), 1);
	ck_assert_uint_eq(end.id, 2);
	ck_assert_uint_eq(end.layers, FMP_LAYERS_ALL);
	/* Its second block, not its first. */
	ck_assert_int_eq(report_bad_messages(fresh, "192.0.2.1", 2, up + 8 * MINUTE, &d), 1);
	ck_assert_uint_eq(d.duration_ms, 20 * MINUTE);
}
END_TEST

START_TEST(block_that_ended_meanwhile)
{
	struct fmp_source_info a;
	struct fmp_decision d;

	ck_assert_int_eq(report_bad_messages(old, "192.0.2.1", 2, HOUR, &d), 1);
	save_engine(HOUR);
	restore_all(11 * MINUTE, 2 * HOUR);
	a = get_info(fresh, "192.0.2.1", 2 * HOUR);
	ck_assert_int_eq(a.state, FMP_STATE_CLEAN);
	ck_assert_uint_eq(a.rank, 0);
	ck_assert_uint_eq(a.offences, 1);
	ck_assert_uint_eq(fmp_engine_next_ms(fresh), UINT64_MAX);
	/* It ended a minute ago: forgotten a day later, and not before. */
	ck_assert_uint_eq(get_info(fresh, "192.0.2.1", 26 * HOUR - MINUTE - 1).offences, 1);
	ck_assert_uint_eq(get_info(fresh, "192.0.2.1", 26 * HOUR - MINUTE).offences, 0);
}
END_TEST

/* Blocked for longer than the policy takes to forget: a blocked source earns nothing by its silence. */
START_TEST(a_long_block_keeps_its_offences)
{
	struct fmp_decision d;

	policy->block.duration_ms = policy->block.max_ms = 7 * 24 * HOUR;
	ck_assert_int_eq(report_bad_messages(old, "192.0.2.1", 2, HOUR, &d), 1);
	ck_assert_uint_eq(d.duration_ms, 7 * 24 * HOUR);
	save_engine(49 * HOUR);
	restore_all(MINUTE, 50 * HOUR);
	ck_assert_int_eq(get_info(fresh, "192.0.2.1", 50 * HOUR).state, FMP_STATE_MALICIOUS);
	ck_assert_uint_eq(get_info(fresh, "192.0.2.1", 50 * HOUR).offences, 1);
}
END_TEST

START_TEST(by_hand_without_end)
{
	struct fmp_addr net = addr("198.51.100.0/24"), mac = addr("02:00:5e:00:53:01");
	struct fmp_source_info a;
	struct fmp_decision d;

	ck_assert_int_eq(fmp_engine_block(old, &net, 1, 0, "", 5, &d), 0);
	ck_assert_int_eq(fmp_engine_block(old, &mac, 2, 100 * HOUR, "", 5, &d), 0);
	save_engine(5);
	restore_all(HOUR, 9);
	a = get_info(fresh, "198.51.100.7", 9);
	ck_assert_uint_eq(a.blocked_until_ms, UINT64_MAX);
	/* A person may block for longer than the policy does. */
	a = get_info(fresh, "02:00:5e:00:53:01", 9);
	ck_assert_uint_eq(a.blocked_until_ms, 9 + 99 * HOUR);
	ck_assert_int_eq(fmp_engine_restore(fresh, &saved[0], 0, 9), FMP_ERR_EXISTS);
}
END_TEST

/* The file is not trusted. */
START_TEST(what_no_engine_wrote)
{
	struct fmp_saved_source s, good;
	struct fmp_source_info a;
	struct fmp_decision d;

	ck_assert_int_eq(report_bad_messages(old, "192.0.2.1", 2, HOUR, &d), 1);
	save_engine(HOUR);
	good = saved[0];
#define REFUSED(change)                                                                    \
	do {                                                                               \
		s = good;                                                                  \
		change;                                                                    \
		ck_assert_int_eq(fmp_engine_restore(fresh, &s, 0, HOUR), FMP_ERR_INVALID); \
	} while (0)
	REFUSED(s.source.family = 7);
	REFUSED(s.source.prefix_len = 24);
	REFUSED(s.source.prefix_len = 33);
	REFUSED(s.n_history = FMP_HISTORY + 1);
	REFUSED(s.n_counted = FMP_COUNTED_MAX + 1);
	REFUSED(s.n_pools = FMP_POOLS_MAX + 1);
	REFUSED(s.n_counted = 1; s.counted[0].pool = 1);
	REFUSED(s.n_counted = 1; s.counted[0].kind = FMP_EVENT_KINDS);
	REFUSED(s.history[1].kind = FMP_EVENT_KINDS);
	REFUSED(s.layers = 1u << FMP_LAYERS);
	REFUSED(s.action_kind = FMP_ACTION_KINDS);
	REFUSED(s.action_kind = FMP_ACTION_KIND_LIMIT; s.rate = 0);
	REFUSED(s.mac = addr("192.0.2.7"));
	REFUSED(s.decision_id = UINT64_MAX);
#undef REFUSED
	/* Cut to what can be: rank, the longest block, a detail without an end. */
	s = good;
	s.rank = UINT64_MAX;
	s.left_ms = 0;
	memset(s.history[0].detail, 'x', sizeof(s.history[0].detail));
	ck_assert_int_eq(fmp_engine_restore(fresh, &s, 0, HOUR), 0);
	a = get_info(fresh, "192.0.2.1", HOUR);
	ck_assert_uint_eq(a.rank, 4000000);
	ck_assert_uint_eq(a.blocked_until_ms, 25 * HOUR);
	ck_assert_uint_eq(strlen(a.history[0].detail), sizeof(a.history[0].detail) - 1);
}
END_TEST

START_TEST(bounds_hold)
{
	struct fmp_saved_source s = { .source = addr("192.0.2.1"),
				      .rank = 5000,
				      .last_age_ms = FMP_AGE_NEVER };
	struct fmp_engine_stats st;
	struct fmp_decision d;
	unsigned taken = 0;

	policy->suspicion.max_sources = 16;
	policy->enforce.max_blocks = 4;
	fmp_engine_set_policy(fresh, policy, HOUR);
	for (unsigned i = 0; i < 40; i++) {
		s.source.bytes[3] = (uint8_t)i;
		taken += !fmp_engine_restore(fresh, &s, 0, HOUR);
	}
	ck_assert_uint_eq(taken, 16);
	s.blocked = true;
	s.left_ms = 1000;
	s.layers = 1;
	for (unsigned i = 100; i < 140; i++) {
		s.source.bytes[3] = (uint8_t)i;
		taken += !fmp_engine_restore(fresh, &s, 0, HOUR);
	}
	/* A block pushes a row without one out, as long as there is one. */
	ck_assert_uint_eq(taken, 32);
	fmp_engine_get_stats(fresh, HOUR, &st);
	ck_assert_uint_eq(st.sources, 16);
	ck_assert_uint_eq(st.blocked, 16);
	/* Those beyond the bound of blocks end before anything else. */
	ck_assert_uint_eq(fmp_engine_trim(fresh, HOUR), 12);
	while (fmp_engine_expire(fresh, HOUR, &d))
		ck_assert_int_eq(d.action, FMP_ACTION_UNBLOCK);
	fmp_engine_get_stats(fresh, HOUR, &st);
	ck_assert_uint_eq(st.blocked, 4);
	ck_assert_uint_eq(fmp_engine_trim(fresh, HOUR), 0);
}
END_TEST

/* Counters that are full stay full; the good messages are counted on. */
START_TEST(counters_end)
{
	struct fmp_saved_source s = { .source = addr("192.0.2.1"),
				      .events = UINT32_MAX - 1ull,
				      .unproven = UINT64_MAX,
				      .good = UINT32_MAX,
				      .last_good_age_ms = HOUR,
				      .credit = 3000 };
	struct fmp_event ev = { .source = s.source, .kind = FMP_EVENT_SOAP };
	struct fmp_source_info a;
	struct fmp_decision d;

	ck_assert_int_eq(fmp_engine_restore(fresh, &s, 0, 2 * HOUR), 0);
	ck_assert_int_eq(fmp_engine_event(fresh, &ev, 2 * HOUR, &d), 0);
	ev.proven = true;
	for (unsigned i = 0; i < 2; i++)
		ck_assert_int_eq(fmp_engine_event(fresh, &ev, 2 * HOUR, &d), 0);
	ev.kind = FMP_EVENT_GOOD;
	ck_assert_int_eq(fmp_engine_event(fresh, &ev, 2 * HOUR, &d), 0);
	a = get_info(fresh, "192.0.2.1", 2 * HOUR);
	ck_assert_uint_eq(a.events, UINT32_MAX);
	ck_assert_uint_eq(a.unproven, UINT32_MAX);
	ck_assert_uint_eq(a.good, UINT32_MAX + 1ull);
}
END_TEST

static int report_login(struct fmp_engine *e, uint64_t now)
{
	struct fmp_event ev = { .kind = FMP_EVENT_LOGIN,
				.proven = true,
				.source = addr("192.0.2.1") };
	struct fmp_decision d;

	return fmp_engine_event(e, &ev, now, &d);
}

/* A clock that began anew makes no event younger: three logins within ten minutes are three within ten minutes. */
START_TEST(counted_events_age_over_a_reboot)
{
	const uint64_t up = MINUTE; /* the boot is less than a window ago */

	policy->suspicion.rank[FMP_EVENT_LOGIN] = 1;
	policy->suspicion.count[FMP_EVENT_LOGIN] = (struct fmp_policy_count){ 3, 10 * MINUTE };
	fmp_engine_set_policy(old, policy, HOUR);
	fmp_engine_set_policy(fresh, policy, up);
	ck_assert_int_eq(report_login(old, HOUR), 0);
	ck_assert_int_eq(report_login(old, HOUR + MINUTE), 0);
	/* The first is ten minutes old and counts; one millisecond more, and it does not. */
	save_engine(HOUR + MINUTE);
	restore_all(9 * MINUTE, up);
	ck_assert_int_eq(report_login(fresh, up), 1);
	fmp_engine_free(fresh);
	ck_assert_int_eq(fmp_engine_new(policy, 43, 1, &fresh, NULL), 0);
	restore_all(9 * MINUTE + 1, up);
	ck_assert_int_eq(report_login(fresh, up), 0);
	/* The second still does. */
	ck_assert_int_eq(report_login(fresh, up), 1);
}
END_TEST

static void report_good_message(const char *source, const char *mac, unsigned times, uint64_t now)
{
	struct fmp_event ev = {
		.kind = FMP_EVENT_GOOD, .proven = true, .source = addr(source), .mac = addr(mac)
	};
	struct fmp_decision d;

	while (times--)
		ck_assert_int_eq(fmp_engine_event(old, &ev, now, &d), 0);
}

static bool is_vouched(const struct fmp_engine *e, const char *mac, const char *but, uint64_t now)
{
	struct fmp_addr m = addr(mac), b = addr(but);

	return fmp_engine_vouches(e, &m, &b, now);
}

/* The MAC of good messages is remembered with their source, over a restart too, until it behaves badly or for long not at all. */
START_TEST(macs_of_the_good)
{
	static const char first[] = "00:00:5e:00:53:01", second[] = "00:00:5e:00:53:02";
	struct fmp_decision d;

	report_good_message("192.0.2.1", first, 4, HOUR);
	report_good_message("2001:db8:0:1::1", second, 1, HOUR);
	ck_assert(is_vouched(old, first, "192.0.2.9", HOUR));
	ck_assert(!is_vouched(old, first, "192.0.2.1", HOUR));
	ck_assert(is_vouched(old, second, "192.0.2.9", HOUR));
	ck_assert(!is_vouched(old, second, "2001:db8:0:1::2", HOUR));
	save_engine(HOUR);
	for (unsigned i = 0; i < n_saved; i++)
		ck_assert_int_eq(fmp_engine_restore(fresh, &saved[i], 0, HOUR), 0);
	ck_assert(is_vouched(fresh, first, "192.0.2.9", HOUR));
	ck_assert(is_vouched(fresh, second, "192.0.2.9", HOUR));
	/* The newest counts, and only of whom behaves. */
	report_good_message("192.0.2.1", second, 1, HOUR);
	ck_assert(!is_vouched(old, first, "192.0.2.9", HOUR));
	ck_assert(is_vouched(old, second, "2001:db8:0:1::1", HOUR));
	ck_assert_int_eq(report_bad_messages(old, "192.0.2.1", 2, HOUR, &d), 1);
	ck_assert(!is_vouched(old, second, "2001:db8:0:1::1", HOUR));
	ck_assert(is_vouched(fresh, first, "192.0.2.9", HOUR + policy->block.forget_ms - 1));
	ck_assert(!is_vouched(fresh, first, "192.0.2.9", HOUR + policy->block.forget_ms));
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("restore");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, rows_come_back);
	tcase_add_test(t, block_that_ended_meanwhile);
	tcase_add_test(t, a_long_block_keeps_its_offences);
	tcase_add_test(t, by_hand_without_end);
	tcase_add_test(t, what_no_engine_wrote);
	tcase_add_test(t, bounds_hold);
	tcase_add_test(t, macs_of_the_good);
	tcase_add_test(t, counters_end);
	tcase_add_test(t, counted_events_age_over_a_reboot);
	return run_tcase("restore", t);
}
