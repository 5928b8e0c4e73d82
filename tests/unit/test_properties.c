// SPDX-License-Identifier: GPL-2.0
/*
 * What holds for the suspicion engine whatever happens: random events, commands, reloads, restarts
 * and leaps of the clock, with every measure of the policy in use. The test stands for the
 * management plane and for a kernel that does what it is told. FMP_PROPERTY_STEPS=N takes
 * other than 20000 steps, FMP_PROPERTY_SEED=N another seed.
 */
#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fmp/suspicion.h>

#include "policy_text.h"
#include "../lib/random.h"
#include "run.h"

#define MAX_SOURCES 200u
#define MAX_BLOCKS  40u
#define RULES	    128u
#define PROTECTED   12u
#define COUNT(a)    (sizeof(a) / sizeof((a)[0]))

#define SMALL                                                                    \
	"<suspicion max-sources='200'><credit points='1' max='20'/></suspicion>" \
	"<enforce max-blocks='40'/>"
static const char *const policies[] = {
	ROOT SMALL "<suspicious action='limit' duration='20s'/>"
		   "<block duration='1min' max='1h' jitter='20%'><shared narrow='port'/>"
		   "<rollup sources='4' ipv6-prefix='48' veto='200ms'/></block>"
		   "<overrides><override port='22' suspicious='20' malicious='50' max='1h'/>"
		   "</overrides></policy>",
	ROOT SMALL "<block duration='1min' max='1h' forget='10min'><shared narrow='limit'/>"
		   "<rollup sources='3' ipv4-prefix='16' veto='0'/></block></policy>",
	ROOT "<suspicion max-sources='100' half-life='0' ipv6-prefix='56'/>"
	     "<enforce max-blocks='40'/><block duration='1min' max='1h'/></policy>",
};

struct rule {
	struct fmp_addr source;
	enum fmp_action_kind action_kind;
	uint32_t rate;
	uint16_t port;
	bool paired; /* in frames of one MAC alone */
	uint64_t until_ms;
};

struct world {
	struct fmp_policy *policies[COUNT(policies)];
	const struct fmp_policy *policy;
	struct fmp_engine *engine;
	struct test_random random;
	uint64_t seed, now_ms, last_id, hash;
	struct rule rules[RULES]; /* of the kernel */
	unsigned n_rules;
	struct fmp_addr protected[PROTECTED];
	unsigned n_protected;
	/* what it came to: a run that never got there proves nothing */
	unsigned decisions, limits, narrowed, rollups, exempted, restarts, unblocks, alone, pairs,
		again;
};

static uint64_t random_number(struct world *w, uint32_t below)
{
	return random_below(&w->random, below);
}

static bool is_protected(const struct fmp_addr *a, void *ctx)
{
	const struct world *w = ctx;

	for (unsigned i = 0; i < w->n_protected; i++)
		if (fmp_addr_overlaps(&w->protected[i], a))
			return true;
	return false;
}

static struct rule *find_rule(struct world *w, const struct fmp_addr *a)
{
	for (unsigned i = 0; i < w->n_rules; i++)
		if (fmp_addr_equal(&w->rules[i].source, a))
			return &w->rules[i];
	return NULL;
}

static void hash_bytes(struct world *w, const void *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		w->hash = (w->hash ^ ((const uint8_t *)bytes)[i]) * 0x100000001b3u;
}

/* A decision as a number, so that two runs can be compared. */
static void hash_decision(struct world *w, const struct fmp_decision *d)
{
	ck_assert_uint_gt(d->id, w->last_id);
	w->last_id = d->id;
	hash_bytes(w, &d->id, sizeof(d->id));
	hash_bytes(w, &d->action, sizeof(d->action));
	hash_bytes(w, d->source.bytes, sizeof(d->source.bytes));
	hash_bytes(w, &d->source.prefix_len, 1);
	hash_bytes(w, &d->time_ms, sizeof(d->time_ms));
	hash_bytes(w, &d->duration_ms, sizeof(d->duration_ms));
	hash_bytes(w, &d->action_kind, sizeof(d->action_kind));
	hash_bytes(w, d->reason, strlen(d->reason));
}

static void put_rule(struct world *w, const struct fmp_decision *d)
{
	struct rule *r = find_rule(w, &d->source);

	ck_assert(!is_protected(&d->source, w));
	if (!r) {
		ck_assert_uint_lt(w->n_rules, RULES);
		r = &w->rules[w->n_rules++];
	}
	*r = (struct rule){ .source = d->source,
			    .action_kind = d->action_kind,
			    .rate = d->rate,
			    .port = d->dest_port,
			    .until_ms = d->duration_ms ? d->time_ms + d->duration_ms : UINT64_MAX };
}

static void check_decision(struct world *w, const struct fmp_decision *d)
{
	if (d->action == FMP_ACTION_UNBLOCK || d->manual)
		return;
	ck_assert_uint_gt(d->duration_ms, 0);
	ck_assert_uint_le(d->duration_ms, w->policy->block.max_ms);
	ck_assert(fmp_addr_is_ip(&d->source));
	ck_assert_int_eq(d->action_kind == FMP_ACTION_KIND_LIMIT, d->rate != 0);
	ck_assert(d->reason[0]);
	/* Of IPv6 a single address only where its prefix could not be. */
	if (d->source.family == FMP_FAMILY_IPV6 && d->source.prefix_len == 128) {
		struct fmp_addr key = fmp_addr_mask(d->source, w->policy->suspicion.ipv6_prefix);

		ck_assert(is_protected(&key, w));
		w->alone++;
	}
}

/*
 * Once in a while a host is blocked in frames of its MAC alone. Another decision on it is of the address
 * by itself, whole, and another offence.
 */
static void check_pair(struct world *w, const struct fmp_decision *d, bool was)
{
	uint8_t max = d->source.family == 4 ? 32 : 128;
	struct fmp_source_info row;
	struct rule *r;

	if (was && !d->manual) {
		ck_assert(!fmp_decision_narrowed(d));
		ck_assert_int_eq(fmp_engine_get(w->engine, &d->source, w->now_ms, &row), 0);
		ck_assert_uint_ge(row.offences, 2);
		w->again++;
		return;
	}
	if (d->manual || fmp_decision_narrowed(d) || d->source.prefix_len < max ||
	    random_number(w, 2))
		return;
	fmp_engine_pair(w->engine, &d->source, true, w->now_ms);
	r = find_rule(w, &d->source);
	r->paired = true;
	w->pairs++;
}

static void take_decision(struct world *w, const struct fmp_decision *d)
{
	bool was;
	struct rule *r;

	hash_decision(w, d);
	check_decision(w, d);
	if (d->action == FMP_ACTION_UNBLOCK) {
		r = find_rule(w, &d->source);
		ck_assert_msg(r != NULL, "the end of what never began");
		*r = w->rules[--w->n_rules];
		w->unblocks++;
		return;
	}
	w->decisions++;
	if (is_protected(&d->source, w)) {
		fmp_engine_cancel(w->engine, &d->source, w->now_ms);
		w->exempted++;
		return;
	}
	w->limits += d->action_kind == FMP_ACTION_KIND_LIMIT;
	w->narrowed += d->dest_port != 0;
	w->rollups += !d->manual && d->source.prefix_len < (d->source.family == 4 ? 32 : 56);
	r = find_rule(w, &d->source);
	was = r && r->paired;
	put_rule(w, d);
	check_pair(w, d, was);
}

static void expire_rules(struct world *w)
{
	struct fmp_decision d;

	while (fmp_engine_expire(w->engine, w->now_ms, &d))
		take_decision(w, &d);
	ck_assert_uint_gt(fmp_engine_next_ms(w->engine), w->now_ms);
}

/* ---- what happens ---- */

static struct fmp_addr any_address(struct world *w)
{
	uint8_t v4[4] = { 10, (uint8_t)random_number(w, 2), (uint8_t)random_number(w, 3),
			  (uint8_t)random_number(w, 24) };
	uint8_t v6[16] = {
		0x20, 1, 0xd, 0xb8, 0, (uint8_t)random_number(w, 2), 0, (uint8_t)random_number(w, 8)
	};

	v6[15] = (uint8_t)random_number(w, 3);
	return random_number(w, 4) ? fmp_addr_ipv4(v4) : fmp_addr_ipv6(v6);
}

static struct fmp_addr any_key(struct world *w)
{
	struct fmp_addr a = any_address(w);

	if (!random_number(w, 4))
		return fmp_addr_mask(a, (uint8_t)(a.family == 4 ? 24 : 48));
	return a;
}

static void do_event(struct world *w)
{
	static const uint16_t ports[] = { 0, 22, 80, 8080 };
	struct fmp_event ev = { .kind = (enum fmp_event_kind)random_number(w, FMP_EVENT_KINDS),
				.proven = random_number(w, 8) != 0,
				.source = any_address(w),
				.dest_port = ports[random_number(w, 4)] };
	unsigned times = random_number(w, 3) ? 1 : 1 + (unsigned)random_number(w, 12);
	struct fmp_decision d;

	if (!random_number(w, 4))
		ev.kind = FMP_EVENT_GOOD;
	if (!random_number(w, 500))
		ev.cpu_ns = UINT64_MAX;
	while (times--) {
		int rc = fmp_engine_event(w->engine, &ev, w->now_ms, &d);

		ck_assert_int_ge(rc, 0);
		if (rc)
			take_decision(w, &d);
		ck_assert_msg(!rc || ev.proven, "invariant 2");
	}
}

/* Neighbours that are at it together, from behind good ones or not. */
static void do_attack(struct world *w)
{
	struct fmp_event ev = { .proven = true, .source = any_address(w), .dest_port = 80 };
	unsigned good = random_number(w, 2) ? 15 : 0,
		 neighbours = 1 + (unsigned)random_number(w, 6);
	struct fmp_decision d;

	for (unsigned i = 0; i < neighbours; i++) {
		ev.source.bytes[ev.source.family == 4 ? 3 : 7]++;
		for (unsigned n = 0; n < good + 4; n++) {
			ev.kind = n < good ? FMP_EVENT_GOOD : FMP_EVENT_WRAPPING;
			if (fmp_engine_event(w->engine, &ev, w->now_ms, &d) == 1)
				take_decision(w, &d);
		}
	}
}

static void do_command(struct world *w)
{
	struct fmp_addr a = any_key(w);
	struct fmp_decision d;

	if (random_number(w, 2)) {
		if (!fmp_engine_unblock(w->engine, &a, "by hand", w->now_ms, &d))
			take_decision(w, &d);
	} else if (!is_protected(&a, w)) {
		if (!fmp_engine_block(w->engine, &a, FMP_LAYERS_ALL,
				      random_number(w, 50) ? 1000 + random_number(w, 100000) : 0,
				      "by hand", w->now_ms, &d))
			take_decision(w, &d);
	}
}

static void do_adopt(struct world *w)
{
	struct fmp_decision d = { .action = FMP_ACTION_BLOCK,
				  .source = any_address(w),
				  .layers = 1,
				  .time_ms = w->now_ms,
				  .duration_ms = 1 + random_number(w, 60000),
				  .action_kind = (enum fmp_action_kind)random_number(w, 2) };

	d.rate = d.action_kind == FMP_ACTION_KIND_LIMIT ? 9 : 0;
	if (!is_protected(&d.source, w) && !fmp_engine_adopt(w->engine, &d, w->now_ms)) {
		put_rule(w, &d);
		w->last_id++; /* it got one of its own */
	}
}

static void do_protect(struct world *w)
{
	struct fmp_decision d;

	if (w->n_protected == PROTECTED)
		w->n_protected = 2;
	w->protected[w->n_protected++] = any_key(w);
	for (unsigned i = 0; i < w->n_rules;) {
		if (!is_protected(&w->rules[i].source, w)) {
			i++;
			continue;
		}
		ck_assert_int_eq(fmp_engine_unblock(w->engine, &w->rules[i].source, "protected",
						    w->now_ms, &d),
				 0);
		take_decision(w, &d);
	}
}

static void do_reload(struct world *w)
{
	w->policy = w->policies[random_number(w, COUNT(policies))];
	fmp_engine_set_policy(w->engine, w->policy, w->now_ms);
}

struct saved {
	struct fmp_saved_source rows[MAX_SOURCES + MAX_BLOCKS];
	unsigned n;
};

static int keep_row(const struct fmp_saved_source *row, void *ctx)
{
	struct saved *s = ctx;

	ck_assert_uint_lt(s->n, COUNT(s->rows));
	s->rows[s->n++] = *row;
	return 0;
}

static int by_source(const void *a, const void *b)
{
	return fmp_addr_compare(&((const struct fmp_saved_source *)a)->source,
				&((const struct fmp_saved_source *)b)->source);
}

static void new_engine(struct world *w, uint64_t first_id)
{
	fmp_engine_free(w->engine);
	ck_assert_int_eq(fmp_engine_new(w->policy, w->seed, first_id, &w->engine, NULL), 0);
	fmp_engine_set_jitter(w->engine, 77);
	fmp_engine_set_protect_check(w->engine, is_protected, w);
}

/* The kernel forgets by itself what ends while nobody looks. */
static void do_restart(struct world *w)
{
	uint64_t age = random_number(w, 2) ? random_number(w, 5000) : random_number(w, 3600000);
	static struct saved s;

	expire_rules(w);
	s.n = 0;
	ck_assert_int_eq(fmp_engine_save(w->engine, w->now_ms, keep_row, &s), 0);
	qsort(s.rows, s.n, sizeof(s.rows[0]), by_source);
	w->now_ms += age;
	new_engine(w, w->last_id + 1);
	for (unsigned i = 0; i < s.n; i++) {
		int rc = fmp_engine_restore(w->engine, &s.rows[i], age, w->now_ms);

		ck_assert(!rc || (rc == FMP_ERR_LIMIT && !s.rows[i].blocked));
	}
	for (unsigned i = 0; i < w->n_rules;)
		if (w->rules[i].until_ms <= w->now_ms)
			w->rules[i] = w->rules[--w->n_rules];
		else
			i++;
	w->restarts++;
}

/* ---- what holds ---- */

static int check_row(const struct fmp_saved_source *row, void *ctx)
{
	struct world *w = ctx;
	const struct rule *r;

	ck_assert_uint_le(row->rank, 4000000000u);
	ck_assert_uint_le(row->credit, 20000);
	if (!row->blocked)
		return 0;
	r = find_rule(w, &row->source);
	ck_assert_msg(r != NULL, "the table has a block that the kernel lacks");
	ck_assert_int_eq(r->action_kind, row->action_kind);
	ck_assert_uint_eq(r->port, row->block_port);
	ck_assert_int_eq(r->paired, row->paired);
	ck_assert_uint_eq(r->rate, row->rate);
	ck_assert_uint_eq(r->until_ms, row->left_ms ? w->now_ms + row->left_ms : UINT64_MAX);
	ck_assert(!is_protected(&row->source, w));
	return 0;
}

static void check_world(struct world *w)
{
	struct fmp_engine_stats st;

	expire_rules(w);
	ck_assert_int_eq(fmp_engine_save(w->engine, w->now_ms, check_row, w), 0);
	fmp_engine_get_stats(w->engine, w->now_ms, &st);
	ck_assert_uint_eq(st.blocked, w->n_rules);
	ck_assert_uint_le(st.sources, MAX_SOURCES);
	ck_assert_uint_le(st.blocked, MAX_BLOCKS);
	ck_assert_uint_le(st.limited, st.blocked);
	hash_bytes(w, &st.suspicious, sizeof(st.suspicious));
	hash_bytes(w, &st.evicted, sizeof(st.evicted));
}

static void pass_time(struct world *w)
{
	uint64_t what = random_number(w, 1000);

	if (what < 700)
		w->now_ms += random_number(w, 300);
	else if (what < 710)
		w->now_ms += random_number(w, 3600000);
	else if (what == 710)
		w->now_ms += 3 * 86400000ull;
	expire_rules(w);
}

static void do_step(struct world *w)
{
	uint64_t what = random_number(w, 1000);

	pass_time(w);
	if (what < 920)
		do_event(w);
	else if (what < 930)
		do_attack(w);
	else if (what < 980)
		do_command(w);
	else if (what < 990)
		do_adopt(w);
	else if (what < 994)
		do_protect(w);
	else if (what < 998)
		do_reload(w);
	else
		do_restart(w);
}

static uint64_t read_setting(const char *name, uint64_t otherwise)
{
	const char *text = getenv(name);

	return text && *text ? strtoull(text, NULL, 10) : otherwise;
}

static void run_world(struct world *w, uint64_t seed, uint64_t hash_seed, uint64_t steps)
{
	*w = (struct world){ .random = { seed }, .seed = hash_seed, .hash = 0xcbf29ce484222325u };
	for (unsigned i = 0; i < COUNT(policies); i++) {
		struct fmp_error err;

		ck_assert_msg(!load_text(policies[i], &w->policies[i], &err), "%s", err.message);
	}
	w->policy = w->policies[0];
	ck_assert_int_eq(fmp_addr_parse("10.0.0.7", &w->protected[0], NULL), 0);
	ck_assert_int_eq(fmp_addr_parse("2001:db8:0:3::/64", &w->protected[1], NULL), 0);
	w->n_protected = 2;
	new_engine(w, 1);
	for (uint64_t n = 0; n < steps; n++) {
		do_step(w);
		if (!(n % 64))
			check_world(w);
	}
	check_world(w);
}

static void end_world(struct world *w)
{
	fmp_engine_free(w->engine);
	for (unsigned i = 0; i < COUNT(policies); i++)
		fmp_policy_free(w->policies[i]);
}

/* Invariants 1, 2, 6 and 7: twice, with two keys of the hash. */
START_TEST(whatever_happens)
{
	uint64_t seed = read_setting("FMP_PROPERTY_SEED", 4711);
	uint64_t steps = read_setting("FMP_PROPERTY_STEPS", 20000);
	static struct world one, other;

	printf("seed %" PRIu64 ", %" PRIu64 " steps\n", seed, steps);
	run_world(&one, seed, 0, steps);
	run_world(&other, seed, 0x9e3779b97f4a7c15u, steps);
	ck_assert_uint_eq(one.hash, other.hash);
	ck_assert_uint_eq(one.last_id, other.last_id);
	printf("%u decisions: %u limits, %u of a port, %u of a prefix, %u exempted, %u pairs, %u of "
	       "them once more; %u ends, %u restarts\n",
	       one.decisions, one.limits, one.narrowed, one.rollups, one.exempted, one.pairs,
	       one.again, one.unblocks, one.restarts);
	if (steps >= 20000) {
		ck_assert_uint_gt(one.limits, 20);
		ck_assert_uint_gt(one.narrowed, 3);
		ck_assert_uint_gt(one.rollups, 3);
		ck_assert_uint_gt(one.exempted, 20);
		ck_assert_uint_gt(one.alone, 20);
		ck_assert_uint_gt(one.pairs, 20);
		ck_assert_uint_gt(one.again, 3);
		ck_assert_uint_gt(one.restarts, 20);
	}
	end_world(&one);
	end_world(&other);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("properties");

	tcase_set_timeout(t, 1800);
	tcase_add_test(t, whatever_happens);
	return run_tcase("properties", t);
}
