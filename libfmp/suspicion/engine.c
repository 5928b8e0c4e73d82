// SPDX-License-Identifier: GPL-2.0
/* Events in, decisions out; the end of blocks. Pure: no I/O, no clock. */
#include <suspicion/engine.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <suspicion/decay.h>
#include <suspicion/macs.h>

static void lower_to(uint32_t *least, uint32_t points)
{
	if (points < *least)
		*least = points;
}

static void apply_policy(struct fmp_engine *e, const struct fmp_policy *policy)
{
	e->policy = policy;
	e->least_suspicious = policy->suspicion.suspicious;
	for (size_t i = 0; i < policy->n_overrides; i++)
		lower_to(&e->least_suspicious, policy->overrides[i].suspicion.suspicious);
	for (size_t i = 0; i < policy->n_groups; i++)
		lower_to(&e->least_suspicious, policy->groups[i].suspicion.suspicious);
	for (unsigned k = 0; k < FMP_EVENT_KINDS; k++)
		e->counted[k] = fmp_policy_count_limit(policy, k);
}

int fmp_engine_new(const struct fmp_policy *policy, uint64_t seed, uint64_t first_id,
		   struct fmp_engine **out, struct fmp_error *err)
{
	struct fmp_engine *e = calloc(1, sizeof(*e));

	if (!e || fmpi_table_init(&e->table, policy->suspicion.max_sources, seed)) {
		free(e);
		return fmp_error_set(err, FMP_ERR_NOMEM, "no memory for %u sources",
				     policy->suspicion.max_sources);
	}
	apply_policy(e, policy);
	e->next_id = first_id ? first_id : 1;
	fmpi_prefix_groups_set(&e->table, &policy->block.rollup, &policy->nat64);
	*out = e;
	return 0;
}

void fmp_engine_free(struct fmp_engine *e)
{
	if (!e)
		return;
	fmpi_table_exit(&e->table);
	fmpi_surplus_free(e);
	free(e);
}

/* Map the number of an override to that of the override for the same messages in another policy. */
static uint8_t map_override(const struct fmp_policy *old, const struct fmp_policy *policy,
			    unsigned number)
{
	const struct fmp_policy_override *of = number ? &old->overrides[number - 1] : NULL;

	return of ? fmpi_override_number(policy, of->service, of->port) : 0;
}

/* Map the row's pools to the new policy. Points of a pool that no longer exists go to the common
 * pool. */
static void settle_ledgers(struct fmp_engine *e, struct fmpi_row *row,
			   const struct fmp_policy *policy)
{
	for (struct fmpi_ledger **at = &row->ledger; *at;) {
		struct fmpi_ledger *l = *at;
		uint64_t rank = fmpi_engine_pool(e, l, e->now_ms);

		l->rank = (uint32_t)rank;
		l->rank_ms = e->now_ms;
		if (!fmpi_ledger_is_separate(l) || fmpi_ledger_override(l, policy)) {
			at = &l->next;
			continue;
		}
		rank += row->rank;
		row->rank = (uint32_t)(rank < FMPI_RANK_MAX ? rank : FMPI_RANK_MAX);
		fmpi_ledger_remove(at);
	}
}

/* Compute ranks as of now with the old half-life; drop rows whose key the new policy no longer
 * uses. */
static void settle_rows(struct fmp_engine *e, const struct fmp_policy *policy, bool other_prefix)
{
	struct fmp_hmap_cursor at = { 0 };
	struct fmpi_row *row;

	while ((row = fmp_hmap_next(&e->table.rows, &at))) {
		row->rank = (uint32_t)fmpi_engine_rank(e, row, e->now_ms);
		row->rank_ms = e->now_ms;
		settle_ledgers(e, row, policy);
		row->override = map_override(e->policy, policy, row->override);
		if (row->waiting)
			row->waiting_override =
				map_override(e->policy, policy, row->waiting_override);
		if (row->good) {
			row->good->credit = (uint32_t)fmpi_engine_credit(e, row, e->now_ms);
			row->good->credit_ms = e->now_ms;
		}
		/* A blocked row stays until its block ends. */
		if (other_prefix && !row->blocked && row->key.family == FMP_FAMILY_IPV6)
			fmpi_table_remove(&e->table, row);
	}
}

/* Recompute the eviction order, which depends on the half-life. */
static void reorder_rows(struct fmp_engine *e)
{
	struct fmp_hmap_cursor at = { 0 };
	struct fmpi_row *row;

	while ((row = fmp_hmap_next(&e->table.rows, &at)))
		fmpi_table_set_eviction_key(&e->table, row,
					    fmpi_row_eviction_key(e, row, e->now_ms));
}

void fmp_engine_set_policy(struct fmp_engine *e, const struct fmp_policy *policy, uint64_t now_ms)
{
	const struct fmp_policy_suspicion *old = &e->policy->suspicion, *s = &policy->suspicion;
	bool other_half_life = s->half_life_ms != old->half_life_ms;

	(void)fmpi_engine_now(e, now_ms);
	fmpi_prefix_aggregate_finish(e);
	settle_rows(e, policy,
		    s->ipv6_prefix != old->ipv6_prefix ||
			    memcmp(&policy->nat64, &e->policy->nat64, sizeof(policy->nat64)) != 0);
	apply_policy(e, policy);
	if (other_half_life)
		reorder_rows(e);
	fmpi_table_resize(&e->table, s->max_sources);
	fmpi_prefix_groups_set(&e->table, &policy->block.rollup, &policy->nat64);
}

void fmp_engine_set_jitter(struct fmp_engine *e, uint64_t key)
{
	e->jitter = key;
}

/*
 * Rows and groups stay: an attacker who announces and withdraws a prefix must neither clean its own
 * rank nor erase others' good messages. Blocks in force stay until their end.
 */
void fmp_engine_set_translators(struct fmp_engine *e, const struct fmp_translators *found)
{
	e->found = *found;
	e->table.groups.found = *found;
}

void fmp_engine_set_protect_check(struct fmp_engine *e,
				  bool (*is_protected)(const struct fmp_addr *, void *), void *ctx)
{
	e->is_protected = is_protected;
	e->protect_ctx = ctx;
}

void fmp_engine_set_mac_siblings(struct fmp_engine *e,
				 bool (*siblings)(const struct fmp_addr *, const struct fmp_event *,
						  struct fmp_addr *, void *),
				 void *ctx)
{
	e->siblings = siblings;
	e->siblings_ctx = ctx;
}

/* The points of a bad message, in thousandths. */
static uint64_t compute_rank(const struct fmp_policy_suspicion *s, const struct fmp_event *ev)
{
	uint64_t cpu_ms = ev->cpu_ns / 1000000 + (ev->cpu_ns % 1000000 != 0), points;

	/* For a kind without rank CPU time is not charged either. */
	if (!s->rank[ev->kind])
		return 0;
	if (__builtin_mul_overflow(cpu_ms, s->rank_per_cpu_ms, &points) ||
	    __builtin_add_overflow(points, s->rank[ev->kind], &points) ||
	    points > FMPI_RANK_MAX / 1000)
		return FMPI_RANK_MAX;
	return points * 1000;
}

static void add_history(struct fmp_engine *e, struct fmpi_row *row, const struct fmp_event *ev,
			uint64_t add, uint64_t now_ms)
{
	struct fmp_history h = { .time_ms = now_ms,
				 .kind = ev->kind,
				 .rank = (uint32_t)(add / 1000),
				 .dest_port = ev->dest_port };

	fmpi_copy_text(h.detail, sizeof(h.detail), ev->detail);
	fmpi_history_add(&row->history, &e->table.texts, &h, !add && !e->counted[ev->kind]);
}

/* @o: the override whose pool receives the points */
static void add_rank(struct fmp_engine *e, struct fmpi_row *row,
		     const struct fmp_policy_override *o, uint64_t add, uint64_t now_ms)
{
	uint64_t cap = FMPI_RANK_MAX, rank;
	struct fmpi_ledger *l = o && !o->pool ? fmpi_ledger_get(&row->ledger, o) : NULL;

	if (now_ms < row->quiet_ms)
		cap = row->paired ? 0 : (uint64_t)e->policy->suspicion.malicious * 1000 - 1;
	rank = (l ? fmpi_engine_pool(e, l, now_ms) : fmpi_engine_rank(e, row, now_ms)) + add;
	if (rank > cap)
		rank = cap;
	if (l) {
		l->rank = (uint32_t)rank;
		l->rank_ms = now_ms;
	} else if (!o || o->pool) {
		row->rank = (uint32_t)rank;
		row->rank_ms = now_ms;
	}
}

static void count_event(struct fmp_engine *e, struct fmpi_row *row,
			const struct fmp_policy_override *o, unsigned kind, uint64_t now_ms)
{
	struct fmpi_ledger *l;

	if (!e->counted[kind] || now_ms < row->quiet_ms)
		return;
	l = fmpi_ledger_get(&row->ledger, o);
	if (l)
		fmpi_ledger_add(l, kind, e->counted[kind], now_ms);
}

static void record_event(struct fmp_engine *e, struct fmpi_row *row, const struct fmp_event *ev,
			 const struct fmp_policy_override *o, uint64_t add, uint64_t now_ms)
{
	row->offences = fmpi_engine_offences(e, row, now_ms);
	row->events += row->events < UINT32_MAX;
	row->last_bad_ms = now_ms;
	if (__builtin_add_overflow(row->cpu_ns, ev->cpu_ns, &row->cpu_ns))
		row->cpu_ns = UINT64_MAX;
	add_history(e, row, ev, add, now_ms);
	count_event(e, row, o, ev->kind, now_ms);
	/* Adding 0 must not update rank_ms: many such events would stop the decay by rounding. */
	if (!add)
		return;
	add_rank(e, row, o, add, now_ms);
	fmpi_table_set_eviction_key(&e->table, row, fmpi_row_eviction_key(e, row, now_ms));
}

/* A bad message of a proven source. @mac: NULL, or the MAC under which it is added up. Return: 1
 * a decision, 0 none. */
static int process_bad_event(struct fmp_engine *e, struct fmpi_row *row, const struct fmp_addr *mac,
			     const struct fmp_event *ev, uint64_t now_ms, struct fmp_decision *out)
{
	const struct fmp_policy *p = e->policy;
	const struct fmp_policy_override *o =
		p->n_overrides ? fmp_policy_override(p, ev->service, ev->dest_port) : NULL;
	struct fmp_policy_rules rules;
	struct fmpi_row *siblings = NULL;
	uint64_t add;

	fmp_policy_rules(p, &row->key, o, &rules);
	add = compute_rank(rules.suspicion, ev);
	row->override = o ? (uint8_t)(o - p->overrides + 1) : 0;
	record_event(e, row, ev, o, add, now_ms);
	if (!add && !e->counted[ev->kind])
		return 0;
	if (mac)
		siblings = fmpi_mac_siblings_row(e, row, mac, now_ms);
	if (siblings)
		record_event(e, siblings, ev, o, add, now_ms);
	return fmpi_decide(e, row, siblings, ev, ev->kind, &rules, now_ms, out);
}

static void process_good_event(struct fmp_engine *e, struct fmpi_row *row,
			       const struct fmp_event *ev, uint64_t now_ms)
{
	const struct fmp_policy_credit *c = &e->policy->suspicion.credit;
	uint64_t max = (uint64_t)c->max * 1000, credit;
	struct fmpi_good *g = fmpi_row_good(row);

	fmpi_prefix_group_good(row, now_ms ? now_ms : 1);
	if (!g)
		return;
	g->n++;
	g->last_ms = now_ms;
	fmpi_macs_remember(&e->table, row, &ev->mac);
	if (!c->points)
		return;
	credit = fmpi_engine_credit(e, row, now_ms) + (uint64_t)c->points * 1000;
	g->credit = (uint32_t)(credit < max ? credit : max);
	g->credit_ms = now_ms;
}

static void count_bad_event(struct fmp_engine *e, enum fmp_event_kind kind)
{
	e->stats.events++;
	e->stats.kinds[kind]++;
}

/*
 * An unproven source address may be forged: its event creates a row only while there is room, such
 * a row is evicted first, and it gathers nothing (invariant 2).
 */
int fmp_engine_event(struct fmp_engine *e, const struct fmp_event *ev, uint64_t now_ms,
		     struct fmp_decision *out)
{
	uint64_t now = fmpi_engine_now(e, now_ms);
	struct fmp_addr key, mac;
	struct fmpi_row *row;
	uint64_t fresh;
	bool added_up;

	if (ev->kind >= FMP_EVENT_KINDS || !fmp_addr_is_ip(&ev->source) ||
	    !fmpi_engine_valid(&ev->source) ||
	    ev->source.prefix_len != fmp_addr_max_prefix(ev->source.family))
		return FMP_ERR_INVALID;

	fmpi_prefix_aggregate_finish(e);
	added_up = ev->proven && ev->kind != FMP_EVENT_GOOD &&
		   fmpi_mac_siblings_find(e, &ev->source, ev, &mac);
	if (!ev->proven)
		e->stats.unproven++;
	else if (ev->kind == FMP_EVENT_GOOD)
		e->stats.good++;
	else
		count_bad_event(e, ev->kind);

	key = fmpi_engine_key(e, &ev->source);
	row = fmpi_table_find(&e->table, &key);
	if (!row) {
		row = fmpi_table_add(&e->table, &key,
				     ev->proven ? fmpi_engine_eviction_key(e, 0, now) : 0,
				     ev->proven);
		if (!row) {
			e->stats.untracked++;
			return 0;
		}
		row->first_ms = now;
		row->rank_ms = now;
	}
	row->last_ms = now;
	row->dest_port = ev->dest_port;
	if (!ev->proven) {
		row->unproven += row->unproven < UINT32_MAX;
		return 0;
	}
	fresh = fmpi_engine_eviction_key(e, 0, now);
	if (fresh > row->eviction_key)
		fmpi_table_set_eviction_key(&e->table, row, fresh);
	if (ev->kind != FMP_EVENT_GOOD)
		return process_bad_event(e, row, added_up ? &mac : NULL, ev, now, out);
	process_good_event(e, row, ev, now);
	return 0;
}

int fmp_engine_expire(struct fmp_engine *e, uint64_t now_ms, struct fmp_decision *out)
{
	uint64_t now = fmpi_engine_now(e, now_ms);
	struct fmpi_row *row;

	fmpi_prefix_aggregate_finish(e);
	if (!e->table.ends.n || e->table.ends.v[0].key > now)
		return fmpi_surplus_end(e, now, out) || fmpi_decide_waiting(e, now, out);
	row = e->table.ends.v[0].row;
	fmpi_engine_end_block(e, row,
			      row->aggregated ? "its prefix is blocked" : "its time is over", false,
			      now, out);
	return 1;
}

uint64_t fmp_engine_next_ms(const struct fmp_engine *e)
{
	if (e->aggregated_prefix.family || e->n_surplus || fmpi_has_room_for_waiting(e))
		return e->now_ms;
	return e->table.ends.n ? e->table.ends.v[0].key : UINT64_MAX;
}
