// SPDX-License-Identifier: GPL-2.0
/* libfmp/suspicion: table, engine; properties that hold for any events. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fmp/suspicion.h>

#include <suspicion/table.h>

#include "../lib/random.h"
#include "addr.h"
#include "run.h"

static struct fmp_policy *policy;
static struct fmp_engine *engine;

static void setup(void)
{
	struct fmp_error err;

	policy = fmp_policy_default();
	ck_assert_int_eq(fmp_engine_new(policy, 42, 1, &engine, &err), 0);
}

static void teardown(void)
{
	fmp_engine_free(engine);
	fmp_policy_free(policy);
}

static void renew_engine(void)
{
	struct fmp_error err;

	fmp_engine_free(engine);
	ck_assert_int_eq(fmp_engine_new(policy, 42, 1, &engine, &err), 0);
}

static struct fmp_addr make_ipv4(uint32_t n)
{
	uint8_t b[4] = { (uint8_t)(n >> 24), (uint8_t)(n >> 16), (uint8_t)(n >> 8), (uint8_t)n };

	return fmp_addr_ipv4(b);
}

static int report_event(struct fmp_addr source, enum fmp_event_kind kind, uint64_t now,
			struct fmp_decision *d)
{
	struct fmp_event ev = { .kind = kind, .proven = true, .source = source };

	return fmp_engine_event(engine, &ev, now, d);
}

static struct test_random dice;
static uint64_t random_number(uint32_t below)
{
	return random_below(&dice, below);
}

/* ---- engine ---- */

START_TEST(event_refuses_what_is_no_source)
{
	struct fmp_event ev = { .kind = FMP_EVENT_SCHEMA, .proven = true };
	struct fmp_engine_stats st;
	struct fmp_decision d;

	ck_assert_int_eq(fmp_engine_event(engine, &ev, 0, &d), FMP_ERR_INVALID);
	ev.source = addr("02:00:5e:00:53:01");
	ck_assert_int_eq(fmp_engine_event(engine, &ev, 0, &d), FMP_ERR_INVALID);
	ev.source = addr("192.0.2.0/24");
	ck_assert_int_eq(fmp_engine_event(engine, &ev, 0, &d), FMP_ERR_INVALID);
	/* Mapped: under a /64 all of IPv4 would be this one source. */
	ev.source = fmp_addr_ipv6("\0\0\0\0\0\0\0\0\0\0\xff\xff\xc0\0\2\1");
	ck_assert_int_eq(fmp_engine_event(engine, &ev, 0, &d), FMP_ERR_INVALID);
	ev.source = addr("192.0.2.1");
	ev.kind = FMP_EVENT_KINDS;
	ck_assert_int_eq(fmp_engine_event(engine, &ev, 0, &d), FMP_ERR_INVALID);
	fmp_engine_get_stats(engine, 0, &st);
	ck_assert_uint_eq(st.sources, 0);
	ck_assert_uint_eq(st.events, 0);
}
END_TEST

START_TEST(history_keeps_the_newest)
{
	struct fmp_event ev = { .kind = FMP_EVENT_HTTP, .proven = true, .source = make_ipv4(1) };
	struct fmp_source_info info;
	struct fmp_decision d;

	policy->suspicion.malicious = 1000000;
	for (unsigned i = 0; i < 21; i++) {
		snprintf(ev.detail, sizeof(ev.detail), "number %u", i);
		ev.dest_port = (uint16_t)i;
		ck_assert_int_eq(fmp_engine_event(engine, &ev, i, &d), 0);
		ck_assert_int_eq(fmp_engine_get(engine, &ev.source, i, &info), 0);
		ck_assert_uint_eq(info.n_history, i < FMP_HISTORY ? i + 1 : FMP_HISTORY);
		ck_assert_str_eq(info.history[info.n_history - 1].detail, ev.detail);
		ck_assert_uint_eq(info.history[0].dest_port,
				  i < FMP_HISTORY ? 0 : i - FMP_HISTORY + 1);
		ck_assert_uint_eq(info.history[0].rank, 10);
	}
	ck_assert_uint_eq(info.dest_port, 20);
	ck_assert_uint_eq(info.first_ms, 0);
	ck_assert_uint_eq(info.last_ms, 20);
	/* All that an event can say is remembered. */
	memset(ev.detail, 'x', sizeof(ev.detail) - 1);
	ck_assert_int_eq(fmp_engine_event(engine, &ev, 30, &d), 0);
	ck_assert_int_eq(fmp_engine_get(engine, &ev.source, 30, &info), 0);
	ck_assert_str_eq(info.history[FMP_HISTORY - 1].detail, ev.detail);
}
END_TEST

static void check_history(const char *want)
{
	struct fmp_addr one = make_ipv4(1);
	struct fmp_source_info info;
	char is[FMP_HISTORY + 1] = "";

	ck_assert_int_eq(fmp_engine_get(engine, &one, 0, &info), 0);
	for (unsigned i = 0; i < info.n_history; i++)
		is[i] = info.history[i].detail[0];
	ck_assert_str_eq(is, want);
}

static void report_all(const char *all)
{
	struct fmp_event ev = { .proven = true, .source = make_ipv4(1) };
	struct fmp_decision d;

	/* Capitals have points, small letters have none, and digits are counted. */
	for (; *all; all++) {
		ev.kind = *all <= '9'	? FMP_EVENT_LOGIN
			  : *all <= 'Z' ? FMP_EVENT_SCHEMA
					: FMP_EVENT_HTTP;
		ev.detail[0] = *all;
		ck_assert_int_eq(fmp_engine_event(engine, &ev, 0, &d), 0);
	}
}

/* Whoever sends much that has no points can't hide by it what has. */
START_TEST(history_keeps_what_has_points)
{
	struct fmp_addr one = make_ipv4(1);
	struct fmp_source_info info;

	policy->suspicion.malicious = 1000000;
	policy->suspicion.rank[FMP_EVENT_SCHEMA] = 5;
	policy->suspicion.rank[FMP_EVENT_HTTP] = policy->suspicion.rank[FMP_EVENT_LOGIN] = 0;
	policy->suspicion.count[FMP_EVENT_LOGIN] = (struct fmp_policy_count){ 100, 60000 };
	fmp_engine_set_policy(engine, policy, 0);
	report_all("AabcB");
	check_history("AabcB");
	report_all("defghij");
	check_history("ABefghij"); /* two of them, and the newest six without */
	report_all("C1");
	check_history("ABghijC1");
	report_all("klDEFG");
	check_history("ABC1DEFG");
	report_all("mnopqrstuvw");
	check_history("ABC1DEFG");
	report_all("HIx2");
	check_history("1DEFGHI2");
	ck_assert_int_eq(fmp_engine_get(engine, &one, 0, &info), 0);
	ck_assert_uint_eq(info.events, 35);
}
END_TEST

/* A reason has less room than an event: that it is cut is said, between characters and never inside of one. */
START_TEST(reason_says_that_it_is_cut)
{
	struct fmp_event ev = { .kind = FMP_EVENT_HTTP, .proven = true, .source = make_ipv4(1) };
	struct fmp_decision d;
	size_t len;

	policy->suspicion.malicious = 5;
	memset(ev.detail, 'x', sizeof(ev.detail) - 1);
	for (size_t at = 30; at + 3 < sizeof(ev.detail); at += 3)
		memcpy(ev.detail + at, "\xe2\x82\xac", 3);
	ck_assert_int_eq(fmp_engine_event(engine, &ev, 0, &d), 1);
	len = strlen(d.reason);
	ck_assert_uint_lt(len, sizeof(d.reason));
	ck_assert_uint_gt(len, sizeof(d.reason) - 5);
	ck_assert_str_eq(d.reason + len - 6, "\xe2\x82\xac...");
	ck_assert_int_eq(fmp_engine_unblock(engine, &ev.source, "", 0, &d), 0);
	memset(ev.detail, 0, sizeof(ev.detail));
	memset(ev.detail, 'x', 20);
	ck_assert_int_eq(fmp_engine_event(engine, &ev, 0, &d), 1);
	ck_assert_ptr_ne(strstr(d.reason, ev.detail), NULL);
	ck_assert_ptr_eq(strstr(d.reason, "..."), NULL);
}
END_TEST

START_TEST(decision_is_whole)
{
	struct fmp_event ev = { .kind = FMP_EVENT_CRASH, .proven = true };
	struct fmp_addr want = addr("2001:db8::/64");
	struct fmp_source_info info;
	struct fmp_decision d;

	ev.source = addr("2001:db8::1:2:3:4");
	memset(ev.detail, 'y', sizeof(ev.detail) - 1);
	ck_assert_int_eq(fmp_engine_event(engine, &ev, 5000, &d), 0);
	ck_assert_int_eq(fmp_engine_event(engine, &ev, 5000, &d), 1);
	ck_assert_uint_eq(d.id, 1);
	ck_assert_int_eq(d.action, FMP_ACTION_BLOCK);
	ck_assert(fmp_addr_equal(&d.source, &want));
	ck_assert_int_eq(d.mac.family, FMP_FAMILY_NONE);
	ck_assert_uint_eq(d.layers, FMP_LAYERS_ALL);
	ck_assert_uint_eq(d.time_ms, 5000);
	ck_assert_uint_eq(d.duration_ms, 600000);
	ck_assert(!d.manual);
	ck_assert_uint_eq(strlen(d.reason), sizeof(d.reason) - 1);
	ck_assert_int_eq(fmp_engine_get(engine, &ev.source, 5000, &info), 0);
	ck_assert_int_eq(info.state, FMP_STATE_MALICIOUS);
	ck_assert_uint_eq(info.blocked_until_ms, 605000);
	ck_assert_uint_eq(fmp_engine_next_ms(engine), 605000);
	ck_assert_int_eq(fmp_engine_expire(engine, 604999, &d), 0);
	ck_assert_int_eq(fmp_engine_expire(engine, 605000, &d), 1);
	ck_assert_int_eq(d.action, FMP_ACTION_UNBLOCK);
	ck_assert_uint_eq(d.id, 2);
	ck_assert_int_eq(fmp_engine_expire(engine, 605000, &d), 0);
	ck_assert_uint_eq(fmp_engine_next_ms(engine), UINT64_MAX);
}
END_TEST

static bool is_next(uint32_t n, uint64_t now)
{
	struct fmp_decision d;
	struct fmp_addr want = make_ipv4(n);

	return fmp_engine_next_ms(engine) <= now && fmp_engine_expire(engine, now, &d) == 1 &&
	       d.action == FMP_ACTION_BLOCK && !d.manual && fmp_addr_equal(&d.source, &want);
}

static enum fmp_source_state state_at(uint32_t n, uint64_t now)
{
	struct fmp_source_info info;
	struct fmp_addr a = make_ipv4(n);

	ck_assert_int_eq(fmp_engine_get(engine, &a, now, &info), 0);
	return info.state;
}

/* Blocked as soon as there is room: the most dangerous first, and none that has become harmless. */
START_TEST(a_full_table_makes_sources_wait)
{
	struct fmp_engine_stats st;
	struct fmp_decision d;

	policy->enforce.max_blocks = 2;
	for (uint32_t n = 1; n <= 5; n++)
		for (uint32_t i = 0; i < (n == 4 ? 5 : n == 5 ? 2 : 3); i++)
			(void)!report_event(make_ipv4(n), FMP_EVENT_CRASH, n, &d);
	fmp_engine_get_stats(engine, 10, &st);
	ck_assert_uint_eq(st.blocked, 2);
	ck_assert_uint_eq(st.waiting, 3);
	ck_assert_uint_eq(st.refused, 3);
	ck_assert_int_eq(state_at(3, 10), FMP_STATE_WAITING);
	ck_assert_int_eq(fmp_engine_expire(engine, 10, &d), 0);
	/* Room by an end, by a person, by a policy. */
	ck_assert_int_eq(
		fmp_engine_unblock(engine, (struct fmp_addr[]){ make_ipv4(1) }, "", 10, &d), 0);
	ck_assert(is_next(4, 10));
	ck_assert_int_eq(state_at(4, 10), FMP_STATE_MALICIOUS);
	ck_assert_int_eq(fmp_engine_expire(engine, 10, &d), 0);
	policy->enforce.max_blocks = 3;
	fmp_engine_set_policy(engine, policy, 10);
	ck_assert(is_next(3, 10));
	fmp_engine_get_stats(engine, 10, &st);
	ck_assert_uint_eq(st.waiting, 1);
	/* Its points have halved often enough by the time that a block ends. */
	ck_assert_int_eq(fmp_engine_expire(engine, 3600000, &d), 1);
	ck_assert_int_eq(d.action, FMP_ACTION_UNBLOCK);
	while (fmp_engine_expire(engine, 3600000, &d))
		ck_assert_int_eq(d.action, FMP_ACTION_UNBLOCK);
	fmp_engine_get_stats(engine, 3600000, &st);
	ck_assert_uint_eq(st.waiting, 0);
	ck_assert_uint_eq(fmp_engine_next_ms(engine), UINT64_MAX);
}
END_TEST

START_TEST(a_share_is_kept_for_automatic_blocks)
{
	struct fmp_decision d;

	policy->enforce.max_blocks = 10;
	policy->enforce.automatic_pct = 25;
	for (uint32_t n = 100; n < 107; n++)
		ck_assert_int_eq(fmp_engine_block(engine, (struct fmp_addr[]){ make_ipv4(n) }, 1, 0,
						  "", 0, &d),
				 0);
	ck_assert_int_eq(fmp_engine_block(engine, (struct fmp_addr[]){ make_ipv4(107) }, 1, 0, "",
					  0, &d),
			 FMP_ERR_LIMIT);
	/* One that is in force is renewed, and what the engine decides takes all there is. */
	ck_assert_int_eq(fmp_engine_block(engine, (struct fmp_addr[]){ make_ipv4(106) }, 1, 0, "",
					  0, &d),
			 0);
	for (uint32_t n = 1; n <= 3; n++) {
		(void)!report_event(make_ipv4(n), FMP_EVENT_CRASH, 0, &d);
		ck_assert_int_eq(report_event(make_ipv4(n), FMP_EVENT_CRASH, 0, &d), 1);
	}
	/* None of these is taken over by hand: people would have more than their share. */
	ck_assert_int_eq(fmp_engine_block(engine, (struct fmp_addr[]){ make_ipv4(3) }, 1, 0, "", 0,
					  &d),
			 FMP_ERR_LIMIT);
	ck_assert_int_eq(state_at(3, 0), FMP_STATE_MALICIOUS);
	ck_assert_int_eq(
		fmp_engine_unblock(engine, (struct fmp_addr[]){ make_ipv4(100) }, "", 0, &d), 0);
	ck_assert_int_eq(
		fmp_engine_block(engine, (struct fmp_addr[]){ make_ipv4(3) }, 1, 0, "", 0, &d), 0);
	ck_assert_int_eq(fmp_engine_block(engine, (struct fmp_addr[]){ make_ipv4(107) }, 1, 0, "",
					  0, &d),
			 FMP_ERR_LIMIT);
	/* By its end it makes room for one by hand again. */
	ck_assert_int_eq(fmp_engine_unblock(engine, (struct fmp_addr[]){ make_ipv4(3) }, "", 0, &d),
			 0);
	ck_assert_int_eq(fmp_engine_block(engine, (struct fmp_addr[]){ make_ipv4(107) }, 1, 0, "",
					  0, &d),
			 0);
}
END_TEST

START_TEST(time_never_goes_back)
{
	struct fmp_addr one = make_ipv4(1);
	struct fmp_source_info info;
	struct fmp_decision d;

	ck_assert_int_eq(report_event(make_ipv4(1), FMP_EVENT_CRASH, 100000, &d), 0);
	/* 100 s ago, as it says: taken as now, so that it neither decays nor un-decays. */
	ck_assert_int_eq(report_event(make_ipv4(1), FMP_EVENT_SCHEMA, 0, &d), 0);
	ck_assert_int_eq(fmp_engine_get(engine, &one, 0, &info), 0);
	ck_assert_uint_eq(info.rank, 70);
	ck_assert_uint_eq(info.last_ms, 100000);
}
END_TEST

START_TEST(expiry_comes_in_order)
{
	struct fmp_decision d;
	uint64_t last = 0;
	unsigned n = 0;

	dice.state = 88172645463325252u;
	for (uint32_t i = 0; i < 2000; i++) {
		struct fmp_addr a = make_ipv4(i);

		ck_assert_int_eq(
			fmp_engine_block(engine, &a, 1, random_number(5000) + 1, "", 0, &d), 0);
		if (i % 3 == 0)
			ck_assert_int_eq(fmp_engine_unblock(engine, &a, "", 0, &d), 0);
		else if (i % 3 == 1)
			ck_assert_int_eq(fmp_engine_block(engine, &a, 1, random_number(5000) + 1,
							  "", 0, &d),
					 0);
	}
	for (uint64_t now; (now = fmp_engine_next_ms(engine)) != UINT64_MAX; n++) {
		ck_assert_uint_ge(now, last);
		if (now > last)
			ck_assert_int_eq(fmp_engine_expire(engine, now - 1, &d), 0);
		ck_assert_int_eq(fmp_engine_expire(engine, now, &d), 1);
		last = now;
	}
	ck_assert_uint_eq(n, 2000 - 667);
}
END_TEST

START_TEST(manual_refuses)
{
	struct fmp_addr a = addr("192.0.2.1"), none = { 0 }, loose = a;
	struct fmp_decision d;

	loose.prefix_len = 24; /* bits behind the prefix */
	ck_assert_int_eq(fmp_engine_block(engine, &none, 1, 0, "", 0, &d), FMP_ERR_INVALID);
	ck_assert_int_eq(fmp_engine_block(engine, &loose, 1, 0, "", 0, &d), FMP_ERR_INVALID);
	ck_assert_int_eq(fmp_engine_block(engine, &a, 8, 0, "", 0, &d), FMP_ERR_INVALID);
	ck_assert_int_eq(fmp_engine_unblock(engine, &a, "", 0, &d), FMP_ERR_NOTFOUND);
	ck_assert_int_eq(fmp_engine_block(engine, &a, 1, UINT64_MAX, NULL, 1, &d), 0);
	ck_assert_uint_eq(fmp_engine_next_ms(engine), UINT64_MAX);
	fmp_engine_cancel(engine, &none, 0);
}
END_TEST

START_TEST(policy_reload_keeps_ranks_and_blocks)
{
	struct fmp_policy *other = fmp_policy_default();
	struct fmp_addr a = make_ipv4(1), b = make_ipv4(2), v6 = addr("2001:db8::1");
	struct fmp_source_info info;
	struct fmp_decision d;

	ck_assert_int_eq(report_event(a, FMP_EVENT_CRASH, 0, &d), 0);
	ck_assert_int_eq(report_event(b, FMP_EVENT_CRASH, 0, &d), 0);
	ck_assert_int_eq(report_event(b, FMP_EVENT_CRASH, 0, &d), 1);
	ck_assert_int_eq(report_event(v6, FMP_EVENT_CRASH, 0, &d), 0);
	ck_assert_int_eq(report_event(make_ipv4(3), FMP_EVENT_GOOD, 60000, &d), 0);
	other->suspicion.half_life_ms = 1000;
	other->suspicion.ipv6_prefix = 56;
	other->block.duration_ms = 1000;
	other->suspicion.max_sources = 100000;
	fmp_engine_set_policy(engine, other, 0);
	fmp_policy_free(policy);
	policy = other;
	/* A minute by the old half-life, a second by the new one. */
	ck_assert_int_eq(fmp_engine_get(engine, &a, 61000, &info), 0);
	ck_assert_uint_eq(info.rank, 15);
	ck_assert_int_eq(fmp_engine_get(engine, &b, 61000, &info), 0);
	ck_assert_uint_eq(info.blocked_until_ms, 600000);
	ck_assert_int_eq(fmp_engine_get(engine, &v6, 61000, &info), FMP_ERR_NOTFOUND);
}
END_TEST

START_TEST(policy_reload_shrinks_the_table)
{
	struct fmp_policy *other = fmp_policy_default();
	struct fmp_addr third = make_ipv4(3);
	struct fmp_engine_stats st;
	struct fmp_source_info info;
	struct fmp_decision d;

	for (uint32_t i = 0; i < 1000; i++) {
		int blocks = i < 20;

		(void)!report_event(make_ipv4(i), FMP_EVENT_CRASH, i, &d);
		if (blocks)
			ck_assert_int_eq(report_event(make_ipv4(i), FMP_EVENT_CRASH, i, &d), 1);
	}
	other->suspicion.max_sources = 16;
	other->enforce.max_blocks = 8;
	fmp_engine_set_policy(engine, other, 0);
	fmp_policy_free(policy);
	policy = other;
	fmp_engine_get_stats(engine, 1000, &st);
	/* What is blocked stays, all the rest had to go. */
	ck_assert_uint_eq(st.sources, 20);
	ck_assert_uint_eq(st.blocked, 20);
	ck_assert_int_eq(fmp_engine_get(engine, &third, 0, &info), 0);
	ck_assert_int_eq(report_event(make_ipv4(5000), FMP_EVENT_CRASH, 1000, &d), 0);
	fmp_engine_get_stats(engine, 1000, &st);
	ck_assert_uint_eq(st.untracked, 1);
}
END_TEST

/* ---- the order of eviction ---- */

/* Whatever has happened, the row that goes has no more rank than any that stays. */
START_TEST(eviction_takes_the_lowest)
{
	struct fmp_engine_stats st;
	struct fmp_decision d;
	uint64_t now = 0, gone = 0;

	policy->suspicion.max_sources = 64;
	policy->enforce.max_blocks = 10;
	policy->suspicion.half_life_ms = _i ? 60000 : 0;
	policy->suspicion.malicious = 1000000;
	renew_engine();
	dice.state = 1234567 + (uint64_t)_i;
	for (int n = 0; n < 4000; n++) {
		uint32_t least = UINT32_MAX, before[150], who = (uint32_t)random_number(150);
		struct fmp_source_info info;
		unsigned vanished = 0;

		now += random_number(400);
		for (uint32_t i = 0; i < 150; i++) {
			struct fmp_addr a = make_ipv4(i);

			before[i] = fmp_engine_get(engine, &a, now, &info) ? UINT32_MAX : info.rank;
		}
		ck_assert_int_eq(report_event(make_ipv4(who),
					      1 + (enum fmp_event_kind)random_number(22), now, &d),
				 0);
		fmp_engine_get_stats(engine, now, &st);
		if (st.evicted == gone)
			continue;
		gone = st.evicted;
		for (uint32_t i = 0; i < 150; i++) {
			struct fmp_addr a = make_ipv4(i);

			if (i == who || before[i] == UINT32_MAX)
				continue;
			if (fmp_engine_get(engine, &a, now, &info)) {
				vanished++;
				who = i;
			} else if (info.rank < least) {
				least = info.rank;
			}
		}
		ck_assert_uint_eq(vanished, 1);
		/* One point: the order is exact to 3 ms of decay. */
		ck_assert_msg(before[who] <= least + 1, "rank %u went, %u stayed", before[who],
			      least);
	}
	ck_assert_uint_gt(gone, 500);
}
END_TEST

/* ---- properties, for any events ---- */

struct shadow {
	uint64_t last_id;
	uint32_t blocked;
	bool is_blocked[512];
};

static void note_decision(struct shadow *s, const struct fmp_decision *d)
{
	uint32_t who = d->source.bytes[2] * 256u + d->source.bytes[3];

	ck_assert_uint_gt(d->id, s->last_id);
	s->last_id = d->id;
	ck_assert_uint_lt(who, 512);
	if (d->action == FMP_ACTION_BLOCK) {
		ck_assert_msg(d->manual || !s->is_blocked[who], "blocked twice");
		s->blocked += !s->is_blocked[who];
		s->is_blocked[who] = true;
	} else {
		ck_assert_msg(s->is_blocked[who], "unblocked what is not blocked");
		s->blocked--;
		s->is_blocked[who] = false;
	}
}

/* Addresses 0..255 are proven now and then, 256..511 never. */
static void do_step(struct shadow *s, uint64_t *now)
{
	struct fmp_event ev = { .kind = (enum fmp_event_kind)random_number(FMP_EVENT_KINDS),
				.cpu_ns = random_number(3000000) };
	uint32_t who = (uint32_t)random_number(512);
	struct fmp_decision d;
	int rc;

	*now += random_number(200) ? random_number(50) : random_number(60000);
	while (fmp_engine_expire(engine, *now, &d))
		note_decision(s, &d);
	ev.source = make_ipv4(who);
	ev.proven = who < 256 && random_number(3);
	if (!random_number(50)) {
		rc = fmp_engine_unblock(engine, &ev.source, "", *now, &d);
		ck_assert_int_eq(rc, s->is_blocked[who] ? 0 : FMP_ERR_NOTFOUND);
	} else if (who < 256 && !random_number(100)) {
		rc = fmp_engine_block(engine, &ev.source, 1, random_number(100000), "", *now, &d);
		ck_assert(!rc || rc == FMP_ERR_LIMIT);
	} else {
		rc = fmp_engine_event(engine, &ev, *now, &d);
		ck_assert_msg(rc == 0 || ev.proven, "a decision on a source not proven");
		if (rc == 1 && !random_number(4)) {
			ck_assert_uint_gt(d.id, s->last_id);
			s->last_id = d.id;
			fmp_engine_cancel(engine, &ev.source, *now);
			return;
		}
		rc = rc != 1;
	}
	if (!rc)
		note_decision(s, &d);
}

START_TEST(invariants_2_and_6_any_events)
{
	struct shadow s = { 0 };
	struct fmp_engine_stats st;
	struct fmp_source_info info;
	uint64_t now = 0;

	policy->suspicion.max_sources = _i & 1 ? 40 : 1000;
	policy->enforce.max_blocks = 8;
	policy->suspicion.half_life_ms = _i & 2 ? 0 : 60000;
	policy->suspicion.rank_per_cpu_ms = _i & 4 ? 1 : 0;
	policy->block.forget_ms = 600000;
	renew_engine();
	dice.state = 0x123456789abcdefu + (uint64_t)_i * 77;
	for (int n = 0; n < 15000; n++) {
		do_step(&s, &now);
		if (n % 8)
			continue;
		fmp_engine_get_stats(engine, now, &st);
		ck_assert_uint_le(st.sources, policy->suspicion.max_sources);
		ck_assert_uint_le(st.blocked, policy->enforce.max_blocks);
		ck_assert_uint_eq(st.blocked, s.blocked);
	}
	ck_assert_uint_gt(st.decisions, 30);
	ck_assert_uint_gt(st.refused, 0);
	if (_i & 1)
		ck_assert_uint_gt(st.evicted, 100);
	for (uint32_t i = 256; i < 512; i++) {
		struct fmp_addr a = make_ipv4(i);

		if (!fmp_engine_get(engine, &a, now, &info)) {
			ck_assert_uint_eq(info.rank, 0);
			ck_assert_uint_eq(info.events, 0);
			ck_assert_int_eq(info.state, FMP_STATE_CLEAN);
		}
	}
}
END_TEST

/* Tens of thousands of rows: each is small, and what they have in common is there once. */
START_TEST(invariant_6_rows_are_small)
{
	static const struct fmp_history event = { .kind = FMP_EVENT_DTD, .detail = "a DOCTYPE" };
	struct fmp_intern texts = { .n = 0 };
	struct fmpi_history *h[100] = { 0 };
	struct fmp_history out[FMP_HISTORY];

	ck_assert_uint_le(sizeof(struct fmpi_row), 176);
	ck_assert_uint_le(sizeof(struct fmpi_history_entry), 16);
	for (unsigned i = 0; i < 100; i++)
		for (unsigned n = 0; n < 2 * FMP_HISTORY; n++)
			fmpi_history_add(&h[i], &texts, &event, false);
	ck_assert_uint_eq(texts.n, 1);
	ck_assert_uint_eq(fmpi_history_copy(h[7], &texts, out), FMP_HISTORY);
	ck_assert_str_eq(out[FMP_HISTORY - 1].detail, event.detail);
	for (unsigned i = 0; i < 100; i++)
		fmpi_history_free(h[i], &texts);
	fmp_intern_exit(&texts);
	ck_assert_uint_eq(texts.n, 0);
}
END_TEST

/* Whoever comes finds room without all others being moved; with every number of buckets each is found. */
START_TEST(table_grows_by_steps)
{
	enum {
		MANY = 1200
	};
	struct fmpi_row *row[MANY], *next[MANY];
	struct fmpi_table t;

	ck_assert_int_eq(fmpi_table_init(&t, MANY, 1), 0);
	for (unsigned i = 0; i < MANY; i++) {
		struct fmp_addr key = addr("10.0.0.0");
		unsigned moved = 0;

		key.bytes[2] = (uint8_t)(i >> 8);
		key.bytes[3] = (uint8_t)i;
		ck_assert_ptr_null(fmpi_table_find(&t, &key));
		row[i] = fmpi_table_add(&t, &key, 0, false);
		for (unsigned k = 0; k < i; k++) {
			moved += row[k]->link.next != next[k];
			ck_assert_ptr_eq(fmpi_table_find(&t, &row[k]->key), row[k]);
		}
		ck_assert_msg(moved <= 16, "%u of %u moved", moved, i);
		for (unsigned k = 0; k <= i; k++)
			next[k] = row[k]->link.next;
	}
	ck_assert_uint_eq(t.rows.n, MANY);
	fmpi_table_exit(&t);
}
END_TEST

/* A reload of the same policy keeps the groups, and what evicted rows told of them, however the table has grown. */
START_TEST(reload_keeps_groups)
{
	const struct fmp_policy_rollup rollup = { .sources = 2, .ipv4_prefix = 24 };
	const struct fmp_addr prefix = addr("192.0.2.0/24"), good = addr("192.0.2.1"),
			      other = addr("192.0.2.2");
	const struct fmp_translators nat64 = { 0 };
	struct fmpi_table t;
	struct fmpi_row *row;

	ck_assert_int_eq(fmpi_table_init(&t, 2000, 1), 0);
	fmpi_prefix_groups_set(&t, &rollup, &nat64);
	row = fmpi_table_add(&t, &good, 0, false);
	ck_assert_ptr_nonnull(fmpi_table_add(&t, &other, 0, false));
	fmpi_prefix_group_good(row, 77);
	fmpi_table_remove(&t, row);
	for (unsigned i = 0; i < 1500; i++) {
		struct fmp_addr key = make_ipv4((10u << 24) + (i << 8));

		ck_assert_ptr_nonnull(fmpi_table_add(&t, &key, 0, false));
	}
	fmpi_prefix_groups_set(&t, &rollup, &nat64);
	ck_assert_uint_eq(fmpi_prefix_group_find(&t, &prefix)->good_ms, 77);
	ck_assert_uint_eq(t.groups.all.n, 1501);
	fmpi_table_exit(&t);
}
END_TEST

/* One without end, adopted, and a person who blocks the prefix without end before its members end. */
START_TEST(endless_block_ends_in_its_prefix)
{
	struct fmp_decision d = { .source = addr("192.0.2.1"), .layers = FMP_LAYERS_ALL };
	const struct fmp_addr prefix = addr("192.0.2.0/24");

	policy->block.rollup.sources = 2;
	renew_engine();
	ck_assert_int_eq(fmp_engine_adopt(engine, &d, 1000), 0);
	ck_assert_int_eq(report_event(addr("192.0.2.2"), FMP_EVENT_CRASH, 1000, &d), 0);
	ck_assert_int_eq(report_event(addr("192.0.2.2"), FMP_EVENT_CRASH, 1000, &d), 1);
	ck_assert(fmp_addr_equal(&d.source, &prefix));
	ck_assert_int_eq(fmp_engine_block(engine, &prefix, FMP_LAYERS_ALL, 0, "", 1000, &d), 0);
	ck_assert_int_eq(fmp_engine_expire(engine, 1000, &d), 1);
	ck_assert(fmp_addr_contains(&prefix, &d.source) && d.source.bytes[3] == 1);
	ck_assert_int_eq(fmp_engine_expire(engine, UINT64_MAX - 1, &d), 0);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("engine");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_set_timeout(t, 120);
	tcase_add_test(t, event_refuses_what_is_no_source);
	tcase_add_test(t, history_keeps_the_newest);
	tcase_add_test(t, history_keeps_what_has_points);
	tcase_add_test(t, reason_says_that_it_is_cut);
	tcase_add_test(t, invariant_6_rows_are_small);
	tcase_add_test(t, decision_is_whole);
	tcase_add_test(t, a_full_table_makes_sources_wait);
	tcase_add_test(t, a_share_is_kept_for_automatic_blocks);
	tcase_add_test(t, time_never_goes_back);
	tcase_add_test(t, expiry_comes_in_order);
	tcase_add_test(t, manual_refuses);
	tcase_add_test(t, table_grows_by_steps);
	tcase_add_test(t, reload_keeps_groups);
	tcase_add_test(t, endless_block_ends_in_its_prefix);
	tcase_add_test(t, policy_reload_keeps_ranks_and_blocks);
	tcase_add_test(t, policy_reload_shrinks_the_table);
	tcase_add_loop_test(t, eviction_takes_the_lowest, 0, 2);
	tcase_add_loop_test(t, invariants_2_and_6_any_events, 0, 8);
	return run_tcase("suspicion", t);
}
