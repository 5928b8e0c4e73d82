// SPDX-License-Identifier: GPL-2.0
/* Saves the rows of the table, and restores them in another process. */
#include <suspicion/engine.h>

#include <string.h>

#include <suspicion/decay.h>
#include <suspicion/macs.h>

/* Far above any real id, and far from an overflow. */
#define ID_MAX (1ull << 62)

/* ---- save ---- */

/* 0 means never. */
static uint64_t to_age(uint64_t then_ms, uint64_t now_ms)
{
	if (!then_ms)
		return FMP_AGE_NEVER;
	return now_ms > then_ms ? now_ms - then_ms : 0;
}

static void save_block(const struct fmp_engine *e, const struct fmpi_row *row, uint64_t now_ms,
		       struct fmp_saved_source *out)
{
	uint64_t until_ms = fmpi_table_block_end(&e->table, row);

	out->blocked = true;
	out->is_offence = row->is_offence;
	out->paired = row->paired;
	out->layers = row->layers;
	out->mac = fmpi_row_mac(row);
	out->action_kind = row->action_kind;
	out->rate = row->rate;
	out->block_port = row->block_port;
	if (until_ms != UINT64_MAX)
		out->left_ms = until_ms > now_ms ? until_ms - now_ms : 1;
}

static void save_history(const struct fmp_engine *e, const struct fmpi_row *row, uint64_t now_ms,
			 struct fmp_saved_source *out)
{
	out->n_history = fmpi_history_copy(row->history, &e->table.texts, out->history);
	for (unsigned i = 0; i < out->n_history; i++)
		out->history[i].time_ms = now_ms - out->history[i].time_ms;
}

static void save_counts(const struct fmpi_ledger *l, unsigned pool, uint64_t now_ms,
			struct fmp_saved_source *out)
{
	for (const struct fmpi_tally *t = l->tallies; t; t = t->next)
		for (unsigned i = 0; i < t->n && out->n_counted < FMP_COUNTED_MAX; i++) {
			uint64_t age_ms = now_ms - t->time_ms[i];

			/* No policy counts over such a time. */
			if (age_ms > UINT32_MAX)
				continue;
			out->counted[out->n_counted++] = (struct fmp_saved_count){
				.age_ms = (uint32_t)age_ms, .kind = t->kind, .pool = (uint16_t)pool
			};
		}
}

static void save_ledgers(const struct fmp_engine *e, const struct fmpi_row *row, uint64_t now_ms,
			 struct fmp_saved_source *out)
{
	for (const struct fmpi_ledger *l = row->ledger; l; l = l->next) {
		struct fmp_saved_pool *pool = &out->pools[out->n_pools];

		if (!fmpi_ledger_is_separate(l)) {
			save_counts(l, 0, now_ms, out);
			continue;
		}
		if (out->n_pools == FMP_POOLS_MAX)
			continue;
		memcpy(pool->service, l->service, sizeof(pool->service));
		pool->port = l->port;
		pool->rank = (uint32_t)fmpi_engine_pool(e, l, now_ms);
		save_counts(l, ++out->n_pools, now_ms, out);
	}
}

static void save_override(const struct fmp_engine *e, unsigned number,
			  struct fmp_saved_override *out)
{
	const struct fmp_policy_override *o = number ? &e->policy->overrides[number - 1] : NULL;

	if (!o)
		return;
	memcpy(out->service, o->service, sizeof(out->service));
	out->port = o->port;
}

static void save_wait(const struct fmp_engine *e, const struct fmpi_row *row,
		      struct fmp_saved_source *out)
{
	out->waiting = true;
	out->mac = fmpi_row_mac(row);
	out->waiting_kinds = row->waiting_kinds;
	save_override(e, row->waiting_override, &out->waiting_override);
}

static void save_source(const struct fmp_engine *e, const struct fmpi_row *row, uint64_t now_ms,
			struct fmp_saved_source *out)
{
	*out = (struct fmp_saved_source){
		.source = row->key,
		.rank = fmpi_engine_rank(e, row, now_ms),
		.credit = fmpi_engine_credit(e, row, now_ms),
		.first_age_ms = to_age(row->first_ms, now_ms),
		.last_age_ms = to_age(row->last_ms, now_ms),
		.last_bad_age_ms = to_age(row->last_bad_ms, now_ms),
		.last_good_age_ms = to_age(row->good ? row->good->last_ms : 0, now_ms),
		.ended_age_ms = to_age(row->ended_ms, now_ms),
		.quiet_left_ms = row->quiet_ms > now_ms ? row->quiet_ms - now_ms : 0,
		.events = row->events,
		.good = row->good ? row->good->n : 0,
		.good_mac = fmpi_macs_get(row),
		.unproven = row->unproven,
		.cpu_ns = row->cpu_ns,
		.dest_port = row->dest_port,
		.offences = fmpi_engine_offences(e, row, now_ms),
		.decision_id = row->decision_id,
	};
	save_override(e, row->override, &out->override);
	if (row->blocked)
		save_block(e, row, now_ms, out);
	else if (row->waiting)
		save_wait(e, row, out);
	save_history(e, row, now_ms, out);
	save_ledgers(e, row, now_ms, out);
}

int fmp_engine_save(const struct fmp_engine *e, uint64_t now_ms,
		    int (*cb)(const struct fmp_saved_source *row, void *ctx), void *ctx)
{
	uint64_t now = now_ms > e->now_ms ? now_ms : e->now_ms;
	struct fmp_hmap_cursor at = { 0 };
	struct fmp_saved_source saved;
	const struct fmpi_row *row;
	int rc = 0;

	while (!rc && (row = fmp_hmap_next(&e->table.rows, &at))) {
		save_source(e, row, now, &saved);
		rc = cb(&saved, ctx);
	}
	return rc;
}

/* ---- restore ---- */

static bool is_valid(const struct fmp_saved_source *s)
{
	if (!fmpi_engine_valid(&s->source) || s->n_history > FMP_HISTORY ||
	    s->n_counted > FMP_COUNTED_MAX || s->n_pools > FMP_POOLS_MAX || s->decision_id > ID_MAX)
		return false;
	for (unsigned i = 0; i < s->n_counted; i++)
		if (s->counted[i].kind >= FMP_EVENT_KINDS || s->counted[i].pool > s->n_pools)
			return false;
	for (unsigned i = 0; i < s->n_history; i++)
		if (s->history[i].kind >= FMP_EVENT_KINDS)
			return false;
	if (s->mac.family && (s->mac.family != FMP_FAMILY_MAC || !fmpi_engine_valid(&s->mac)))
		return false;
	return !s->blocked ||
	       (!(s->layers & ~FMP_LAYERS_ALL) && s->action_kind < FMP_ACTION_KINDS &&
		(s->action_kind != FMP_ACTION_KIND_LIMIT || s->rate));
}

/* The time of an age; a time before the boot is the boot. */
static uint64_t from_age(uint64_t age_ms, uint64_t more_ms, uint64_t now_ms)
{
	uint64_t age;

	if (age_ms == FMP_AGE_NEVER)
		return 0;
	if (__builtin_add_overflow(age_ms, more_ms, &age) || age >= now_ms)
		return 1;
	return now_ms - age;
}

static uint64_t add_saturating(uint64_t a, uint64_t b)
{
	return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static void restore_history(struct fmp_engine *e, struct fmpi_row *row,
			    const struct fmp_saved_source *s, uint64_t age_ms, uint64_t now_ms)
{
	for (unsigned i = 0; i < s->n_history; i++) {
		const struct fmp_history *from = &s->history[i];
		struct fmp_history h = *from;
		char detail[sizeof(from->detail) + 1] = "";

		memcpy(detail, from->detail, sizeof(from->detail));
		h.time_ms = from_age(from->time_ms, age_ms, now_ms);
		fmpi_copy_text(h.detail, sizeof(h.detail), detail);
		fmpi_history_add(&row->history, &e->table.texts, &h,
				 !h.rank && !e->counted[h.kind]);
	}
}

static uint32_t clamp_u32(uint64_t n)
{
	return n < UINT32_MAX ? (uint32_t)n : UINT32_MAX;
}

static void restore_good(struct fmp_engine *e, struct fmpi_row *row,
			 const struct fmp_saved_source *s, uint64_t age_ms, uint64_t now_ms)
{
	uint64_t credit = s->credit < FMPI_RANK_MAX ? s->credit : FMPI_RANK_MAX;

	if ((!s->good && !credit && s->last_good_age_ms == FMP_AGE_NEVER) || !fmpi_row_good(row))
		return;
	*row->good = (struct fmpi_good){
		.n = s->good,
		.last_ms = from_age(s->last_good_age_ms, age_ms, now_ms),
		.credit = (uint32_t)fmpi_decay(credit, age_ms,
					       e->policy->suspicion.credit.half_life_ms),
		.credit_ms = now_ms,
	};
	fmpi_macs_remember(&e->table, row, &s->good_mac);
}

/* Points of a pool that the policy no longer has go to the common pool. @out: the ledger; NULL:
 * none */
static void restore_pool(struct fmp_engine *e, struct fmpi_row *row, const struct fmp_saved_pool *p,
			 uint64_t age_ms, uint64_t now_ms, struct fmpi_ledger **out)
{
	uint64_t rank = fmpi_decay(p->rank, age_ms, e->policy->suspicion.half_life_ms);
	struct fmpi_ledger key = { .port = p->port };
	const struct fmp_policy_override *o;

	memcpy(key.service, p->service, sizeof(key.service) - 1);
	o = fmpi_ledger_override(&key, e->policy);
	*out = o ? fmpi_ledger_get(&row->ledger, o) : NULL;
	if (*out) {
		(*out)->rank = (uint32_t)(rank < FMPI_RANK_MAX ? rank : FMPI_RANK_MAX);
		(*out)->rank_ms = now_ms;
		return;
	}
	rank += row->rank;
	row->rank = (uint32_t)(rank < FMPI_RANK_MAX ? rank : FMPI_RANK_MAX);
}

static void extend_window(uint64_t *longest, const struct fmp_policy_suspicion *s, unsigned kind)
{
	if (s->count[kind].count && s->count[kind].within_ms > *longest)
		*longest = s->count[kind].within_ms;
}

static uint64_t longest_window(const struct fmp_policy *p, unsigned kind)
{
	uint64_t longest = 0;

	extend_window(&longest, &p->suspicion, kind);
	for (size_t i = 0; i < p->n_overrides; i++)
		extend_window(&longest, &p->overrides[i].suspicion, kind);
	for (size_t i = 0; i < p->n_groups; i++)
		extend_window(&longest, &p->groups[i].suspicion, kind);
	return longest;
}

static void restore_ledgers(struct fmp_engine *e, struct fmpi_row *row,
			    const struct fmp_saved_source *s, uint64_t age_ms, uint64_t now_ms)
{
	struct fmpi_ledger *pools[FMP_POOLS_MAX];

	for (unsigned i = 0; i < s->n_pools; i++)
		restore_pool(e, row, &s->pools[i], age_ms, now_ms, &pools[i]);
	for (unsigned i = 0; i < s->n_counted; i++) {
		const struct fmp_saved_count *c = &s->counted[i];
		struct fmpi_ledger *l = c->pool ? pools[c->pool - 1] : NULL;

		/* Ages before the boot are clamped, so an event that is too old to count would
		 * look recent. */
		if (add_saturating(c->age_ms, age_ms) > longest_window(e->policy, c->kind))
			continue;
		if (!c->pool && e->counted[c->kind])
			l = fmpi_ledger_get(&row->ledger, NULL);
		if (l)
			fmpi_ledger_add(l, c->kind, e->counted[c->kind],
					from_age(c->age_ms, age_ms, now_ms));
	}
}

/* Return: the number of the override in the policy; 0: it has none. */
static uint8_t find_override(const struct fmp_engine *e, const struct fmp_saved_override *o)
{
	char service[sizeof(o->service) + 1] = "";

	memcpy(service, o->service, sizeof(o->service));
	return fmpi_override_number(e->policy, service, o->port);
}

static void restore_wait(struct fmp_engine *e, struct fmpi_row *row,
			 const struct fmp_saved_source *s, uint64_t now_ms)
{
	if (!fmpi_table_start_waiting(&e->table, row))
		return;
	fmpi_row_set_mac(row, &s->mac);
	row->waiting_kinds = s->waiting_kinds;
	row->waiting_override = find_override(e, &s->waiting_override);
	fmpi_table_set_eviction_key(&e->table, row, fmpi_row_eviction_key(e, row, now_ms));
}

/* Restore everything but the block. */
static void restore_row(struct fmp_engine *e, struct fmpi_row *row,
			const struct fmp_saved_source *s, uint64_t age_ms, uint64_t now_ms)
{
	uint64_t rank = s->rank < FMPI_RANK_MAX ? s->rank : FMPI_RANK_MAX;

	row->rank = (uint32_t)fmpi_decay(rank, age_ms, e->policy->suspicion.half_life_ms);
	row->rank_ms = now_ms;
	row->first_ms = from_age(s->first_age_ms, age_ms, now_ms);
	row->last_ms = from_age(s->last_age_ms, age_ms, now_ms);
	row->last_bad_ms = from_age(s->last_bad_age_ms, age_ms, now_ms);
	row->ended_ms = from_age(s->ended_age_ms, age_ms, now_ms);
	if (s->quiet_left_ms > age_ms)
		row->quiet_ms = add_saturating(now_ms, s->quiet_left_ms - age_ms);
	restore_good(e, row, s, age_ms, now_ms);
	row->events = clamp_u32(s->events);
	row->unproven = clamp_u32(s->unproven);
	row->cpu_ns = s->cpu_ns;
	row->dest_port = s->dest_port;
	row->offences = s->offences;
	row->override = find_override(e, &s->override);
	row->decision_id = s->decision_id;
	if (s->decision_id >= e->next_id)
		e->next_id = s->decision_id + 1;
	restore_history(e, row, s, age_ms, now_ms);
	restore_ledgers(e, row, s, age_ms, now_ms);
}

static uint64_t longest_block(const struct fmp_policy *p)
{
	uint64_t ms = p->block.max_ms;

	for (size_t i = 0; i < p->n_overrides; i++)
		if (p->overrides[i].block.max_ms > ms)
			ms = p->overrides[i].block.max_ms;
	for (size_t i = 0; i < p->n_groups; i++)
		if (p->groups[i].block.max_ms > ms)
			ms = p->groups[i].block.max_ms;
	return ms;
}

/* An automatic block lasts no longer than the policy's maximum. */
static uint64_t compute_end(const struct fmp_engine *e, const struct fmp_saved_source *s,
			    uint64_t age_ms, uint64_t now_ms)
{
	uint64_t left = s->left_ms - age_ms, max_ms = longest_block(e->policy);

	if (s->is_offence && (!s->left_ms || left > max_ms))
		left = max_ms;
	else if (!s->left_ms)
		return UINT64_MAX;
	return add_saturating(now_ms, left);
}

static void restore_block(struct fmp_engine *e, struct fmpi_row *row,
			  const struct fmp_saved_source *s, uint64_t age_ms, uint64_t now_ms)
{
	row->is_offence = s->is_offence;
	row->paired = s->paired;
	row->layers = s->layers;
	fmpi_row_set_mac(row, &s->mac);
	row->action_kind = s->action_kind;
	row->suspicion_limit = s->action_kind == FMP_ACTION_KIND_LIMIT && !s->is_offence;
	row->rate = s->rate;
	row->block_port = s->block_port;
	fmpi_table_block(&e->table, row, compute_end(e, s, age_ms, now_ms));
}

int fmp_engine_restore(struct fmp_engine *e, const struct fmp_saved_source *s, uint64_t age_ms,
		       uint64_t now_ms)
{
	uint64_t now = fmpi_engine_now(e, now_ms);
	bool ended, blocked;
	struct fmpi_row *row;

	if (!is_valid(s))
		return FMP_ERR_INVALID;
	ended = s->blocked && s->left_ms && s->left_ms <= age_ms;
	blocked = s->blocked && !ended;
	if (fmpi_table_find(&e->table, &s->source))
		return FMP_ERR_EXISTS;
	row = fmpi_table_add(&e->table, &s->source, 0, blocked);
	if (!row)
		return FMP_ERR_LIMIT;
	restore_row(e, row, s, age_ms, now);
	if (ended && (s->is_offence || s->action_kind != FMP_ACTION_KIND_LIMIT)) {
		fmpi_row_reset_rank(row, now);
		row->ended_ms = from_age(age_ms - s->left_ms, 0, now);
	}
	/* A blocked source earns nothing by its silence. */
	if (!blocked)
		row->offences = fmpi_engine_offences(e, row, now);
	fmpi_table_set_eviction_key(&e->table, row, fmpi_row_eviction_key(e, row, now));
	if (blocked)
		restore_block(e, row, s, age_ms, now);
	else if (s->waiting)
		restore_wait(e, row, s, now);
	if (row->good)
		fmpi_prefix_group_good(row, row->good->last_ms);
	return 0;
}
