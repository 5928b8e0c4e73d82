// SPDX-License-Identifier: GPL-2.0
/* Events -> ranks -> decisions, and the end of blocks. Pure: no I/O, no clock. */
#include <suspicion/engine.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <suspicion/decay.h>
#include <suspicion/macs.h>

uint64_t fmpi_engine_now(struct fmp_engine *e, uint64_t now_ms)
{
	if (now_ms > e->now_ms)
		e->now_ms = now_ms;
	return e->now_ms;
}

struct fmp_addr fmpi_engine_key(const struct fmp_engine *e, const struct fmp_addr *source)
{
	const struct fmp_key_rule rule = { e->policy->suspicion.ipv6_prefix,
					   &e->policy->nat64,
					   &e->found,
					   e->guard,
					   e->guard_ctx,
					   false };

	return fmp_addr_key(source, &rule);
}

bool fmpi_engine_valid(const struct fmp_addr *addr)
{
	static const uint8_t mapped[12] = { [10] = 0xff, [11] = 0xff };
	struct fmp_addr cut = fmp_addr_mask(*addr, addr->prefix_len);
	uint8_t max = fmp_addr_max_prefix(addr->family);

	if (!max || addr->prefix_len > max || !fmp_addr_equal(addr, &cut))
		return false;
	if (addr->family == FMP_FAMILY_MAC)
		return addr->prefix_len == max;
	/* Cut to the policy's prefix it would be one key for all of IPv4. */
	return addr->family != FMP_FAMILY_IPV6 || memcmp(addr->bytes, mapped, sizeof(mapped));
}

uint64_t fmpi_engine_rank(const struct fmp_engine *e, const struct fmpi_row *row, uint64_t now_ms)
{
	uint64_t dt = now_ms > row->rank_ms ? now_ms - row->rank_ms : 0;

	return fmpi_decay(row->rank, dt, e->policy->suspicion.half_life_ms);
}

uint64_t fmpi_engine_credit(const struct fmp_engine *e, const struct fmpi_row *row, uint64_t now_ms)
{
	const struct fmp_policy_credit *c = &e->policy->suspicion.credit;
	const struct fmpi_good *g = row->good;
	uint64_t dt, max, left;

	if (!c->points || !g)
		return 0;
	dt = now_ms > g->credit_ms ? now_ms - g->credit_ms : 0;
	max = (uint64_t)c->max * 1000;
	left = fmpi_decay(g->credit, dt, c->half_life_ms);
	return left < max ? left : max;
}

uint64_t fmpi_engine_weight(const struct fmp_engine *e, const struct fmpi_row *row, uint64_t now_ms)
{
	uint64_t rank = fmpi_engine_rank(e, row, now_ms);
	uint64_t credit = fmpi_engine_credit(e, row, now_ms);

	return rank > credit ? rank - credit : 0;
}

uint64_t fmpi_engine_pool(const struct fmp_engine *e, const struct fmpi_ledger *l, uint64_t now_ms)
{
	uint64_t dt = now_ms > l->rank_ms ? now_ms - l->rank_ms : 0;

	return fmpi_decay(l->rank, dt, e->policy->suspicion.half_life_ms);
}

uint64_t fmpi_engine_weight_of(const struct fmp_engine *e, const struct fmpi_row *row,
			       const struct fmp_policy_override *o, uint64_t now_ms)
{
	const struct fmpi_ledger *l;
	uint64_t rank, credit;

	if (!o || o->pool)
		return fmpi_engine_weight(e, row, now_ms);
	l = fmpi_ledger_find(row->ledger, o);
	rank = l ? fmpi_engine_pool(e, l, now_ms) : 0;
	credit = fmpi_engine_credit(e, row, now_ms);
	return rank > credit ? rank - credit : 0;
}

uint32_t fmpi_engine_offences(const struct fmp_engine *e, const struct fmpi_row *row,
			      uint64_t now_ms)
{
	/* A blocked source is silent because it must be: that earns nothing. */
	uint64_t since = row->last_bad_ms > row->ended_ms ? row->last_bad_ms : row->ended_ms;

	if (row->blocked || now_ms < since || now_ms - since < e->policy->block.forget_ms)
		return row->strikes;
	return 0;
}

uint64_t fmpi_engine_rules(const struct fmp_engine *e, const struct fmpi_row *row, uint64_t now_ms,
			   struct fmp_policy_rules *out)
{
	const struct fmp_policy_override *o =
		row->override ? &e->policy->overrides[row->override - 1] : NULL;
	/* The newest may have come to another pool. */
	const struct fmp_policy_override *best = o && o->pool ? o : NULL;
	uint64_t weight = fmpi_engine_weight(e, row, now_ms), other;

	fmp_policy_rules(e->policy, &row->key, best, out);
	for (const struct fmpi_ledger *l = row->ledger; l; l = l->next) {
		uint64_t malicious = out->suspicion->malicious;

		o = fmpi_ledger_is_apart(l) ? fmpi_ledger_override(l, e->policy) : NULL;
		other = o ? fmpi_engine_weight_of(e, row, o, now_ms) : 0;
		if (!other)
			continue;
		fmp_policy_rules(e->policy, &row->key, o, out);
		if (other * malicious > weight * out->suspicion->malicious) {
			weight = other;
			best = o;
		} else {
			fmp_policy_rules(e->policy, &row->key, best, out);
		}
	}
	return weight;
}

void fmpi_engine_pardon(struct fmpi_row *row, uint64_t now_ms)
{
	row->rank = 0;
	row->rank_ms = now_ms;
	fmpi_ledger_free(&row->ledger);
}

uint64_t fmpi_engine_place(const struct fmp_engine *e, uint64_t rank, uint64_t now_ms)
{
	uint64_t half_life = e->policy->suspicion.half_life_ms;

	if (half_life)
		return now_ms + fmpi_decay_time(rank, half_life);
	/* Ranks that never decay: by rank, then by age in seconds. */
	return rank << 32 | (now_ms / 1000 & UINT32_MAX);
}

void fmpi_copy_text(char *dst, size_t size, const char *src)
{
	size_t len = strnlen(src, size);

	if (len == size)
		for (len--; len && ((unsigned char)src[len] & 0xc0) == 0x80; len--)
			;
	memmove(dst, src, len);
	dst[len] = '\0';
}

static void lower(uint32_t *least, uint32_t points)
{
	if (points < *least)
		*least = points;
}

static void use_policy(struct fmp_engine *e, const struct fmp_policy *policy)
{
	e->policy = policy;
	e->least_suspicious = policy->suspicion.suspicious;
	for (size_t i = 0; i < policy->n_overrides; i++)
		lower(&e->least_suspicious, policy->overrides[i].suspicion.suspicious);
	for (size_t i = 0; i < policy->n_groups; i++)
		lower(&e->least_suspicious, policy->groups[i].suspicion.suspicious);
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
	use_policy(e, policy);
	e->next_id = first_id ? first_id : 1;
	fmpi_groups_set(&e->table, &policy->block.rollup, &policy->nat64);
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

uint8_t fmpi_override_number(const struct fmp_policy *p, const char *service, uint16_t port)
{
	for (size_t i = 0; i < p->n_overrides; i++)
		if (p->overrides[i].port == port && !strcmp(p->overrides[i].service, service))
			return (uint8_t)(i + 1);
	return 0;
}

/* The override of another policy that is for the same messages. Both are their numbers. */
static uint8_t override_of(const struct fmp_policy *old, const struct fmp_policy *policy,
			   unsigned number)
{
	const struct fmp_policy_override *of = number ? &old->overrides[number - 1] : NULL;

	return of ? fmpi_override_number(policy, of->service, of->port) : 0;
}

/* The same of points that are kept apart. Those that no override keeps apart any more go to all others. */
static void settle_pools(struct fmp_engine *e, struct fmpi_row *row,
			 const struct fmp_policy *policy)
{
	for (struct fmpi_ledger **at = &row->ledger; *at;) {
		struct fmpi_ledger *l = *at;
		uint64_t rank = fmpi_engine_pool(e, l, e->now_ms);

		l->rank = (uint32_t)rank;
		l->rank_ms = e->now_ms;
		if (!fmpi_ledger_is_apart(l) || fmpi_ledger_override(l, policy)) {
			at = &l->next;
			continue;
		}
		rank += row->rank;
		row->rank = (uint32_t)(rank < FMPI_RANK_MAX ? rank : FMPI_RANK_MAX);
		fmpi_ledger_drop(at);
	}
}

/* Ranks as of now by the old half-life; rows that the new policy no longer speaks of go. */
static void settle_rows(struct fmp_engine *e, const struct fmp_policy *policy, bool other_prefix)
{
	for (uint64_t i = 0; i < e->table.n_buckets; i++) {
		struct fmpi_row *row = e->table.buckets[i], *next;

		for (; row; row = next) {
			next = row->next;
			row->rank = (uint32_t)fmpi_engine_rank(e, row, e->now_ms);
			row->rank_ms = e->now_ms;
			settle_pools(e, row, policy);
			row->override = override_of(e->policy, policy, row->override);
			if (row->waiting)
				row->waits_override =
					override_of(e->policy, policy, row->waits_override);
			if (row->good) {
				row->good->credit = (uint32_t)fmpi_engine_credit(e, row, e->now_ms);
				row->good->credit_ms = e->now_ms;
			}
			/* A block in force keeps its row until its end. */
			if (other_prefix && !row->blocked && row->key.family == FMP_FAMILY_IPV6)
				fmpi_table_remove(&e->table, row);
		}
	}
}

/* The highest rank of all its pools: by it the row stands in the order of eviction. */
static uint64_t top_rank(const struct fmp_engine *e, const struct fmpi_row *row, uint64_t now_ms)
{
	uint64_t top = fmpi_engine_rank(e, row, now_ms);

	for (const struct fmpi_ledger *l = row->ledger; l; l = l->next) {
		uint64_t rank = fmpi_engine_pool(e, l, now_ms);

		if (rank > top)
			top = rank;
	}
	return top;
}

uint64_t fmpi_engine_keep(const struct fmp_engine *e, const struct fmpi_row *row, uint64_t now_ms)
{
	uint64_t threshold = (uint64_t)e->policy->suspicion.malicious * 1000;
	uint64_t rank = top_rank(e, row, now_ms);

	if ((row->strikes || row->waiting) && rank < threshold)
		rank = threshold;
	return fmpi_engine_place(e, rank, now_ms);
}

/* The order of eviction, made anew: it is in the half-life's measure. */
static void reorder_rows(struct fmp_engine *e)
{
	for (uint64_t i = 0; i < e->table.n_buckets; i++)
		for (struct fmpi_row *row = e->table.buckets[i]; row; row = row->next)
			fmpi_table_keep(&e->table, row, fmpi_engine_keep(e, row, e->now_ms));
}

void fmp_engine_set_policy(struct fmp_engine *e, const struct fmp_policy *policy, uint64_t now_ms)
{
	const struct fmp_policy_suspicion *old = &e->policy->suspicion, *s = &policy->suspicion;
	bool other_half_life = s->half_life_ms != old->half_life_ms;

	(void)fmpi_engine_now(e, now_ms);
	fmpi_prefix_aggregate_settle(e);
	settle_rows(e, policy,
		    s->ipv6_prefix != old->ipv6_prefix ||
			    memcmp(&policy->nat64, &e->policy->nat64, sizeof(policy->nat64)) != 0);
	use_policy(e, policy);
	if (other_half_life)
		reorder_rows(e);
	fmpi_table_resize(&e->table, s->max_sources);
	fmpi_groups_set(&e->table, &policy->block.rollup, &policy->nat64);
}

void fmp_engine_set_jitter(struct fmp_engine *e, uint64_t key)
{
	e->jitter = key;
}

/*
 * No row goes and no group is made anew: a prefix that comes and goes, whoever is behind it, washes nobody clean
 * and makes nobody's good messages forgotten. What is in force stays until its end.
 */
void fmp_engine_set_translators(struct fmp_engine *e, const struct fmp_translators *found)
{
	e->found = *found;
	e->table.groups.found = *found;
}

void fmp_engine_set_protect_check(struct fmp_engine *e,
				  bool (*guard)(const struct fmp_addr *, void *), void *ctx)
{
	e->guard = guard;
	e->guard_ctx = ctx;
}

void fmp_engine_set_mac_siblings(struct fmp_engine *e,
				 bool (*kin)(const struct fmp_addr *, const struct fmp_event *,
					     struct fmp_addr *, void *),
				 void *ctx)
{
	e->kin = kin;
	e->kin_ctx = ctx;
}

/* Points of one bad message, in thousandths. */
static uint64_t rank_of(const struct fmp_policy_suspicion *s, const struct fmp_event *ev)
{
	uint64_t cpu_ms = ev->cpu_ns / 1000000 + (ev->cpu_ns % 1000000 != 0), points;

	/* The policy charges nothing for this kind; its CPU time is not charged either. */
	if (!s->rank[ev->kind])
		return 0;
	if (__builtin_mul_overflow(cpu_ms, s->rank_per_cpu_ms, &points) ||
	    __builtin_add_overflow(points, s->rank[ev->kind], &points) ||
	    points > FMPI_RANK_MAX / 1000)
		return FMPI_RANK_MAX;
	return points * 1000;
}

static void remember(struct fmp_engine *e, struct fmpi_row *row, const struct fmp_event *ev,
		     uint64_t add, uint64_t now_ms)
{
	struct fmp_history h = { .time_ms = now_ms,
				 .kind = ev->kind,
				 .rank = (uint32_t)(add / 1000),
				 .dest_port = ev->dest_port };

	fmpi_copy_text(h.detail, sizeof(h.detail), ev->detail);
	fmpi_history_add(&row->history, &e->table.texts, &h, !add && !e->counted[ev->kind]);
}

/* @o: whose pool it goes to. */
static void add_rank(struct fmp_engine *e, struct fmpi_row *row,
		     const struct fmp_policy_override *o, uint64_t add, uint64_t now_ms)
{
	uint64_t cap = FMPI_RANK_MAX, rank;
	struct fmpi_ledger *l = o && !o->pool ? fmpi_ledger_make(&row->ledger, o) : NULL;

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
	l = fmpi_ledger_make(&row->ledger, o);
	if (l)
		fmpi_ledger_add(l, kind, e->counted[kind], now_ms);
}

static void gather(struct fmp_engine *e, struct fmpi_row *row, const struct fmp_event *ev,
		   const struct fmp_policy_override *o, uint64_t add, uint64_t now_ms)
{
	row->strikes = fmpi_engine_offences(e, row, now_ms);
	row->events += row->events < UINT32_MAX;
	row->last_bad_ms = now_ms;
	if (__builtin_add_overflow(row->cpu_ns, ev->cpu_ns, &row->cpu_ns))
		row->cpu_ns = UINT64_MAX;
	remember(e, row, ev, add, now_ms);
	count_event(e, row, o, ev->kind, now_ms);
	/* A rank of 0 must not move rank_ms: many would wear the decay away by rounding. */
	if (!add)
		return;
	add_rank(e, row, o, add, now_ms);
	fmpi_table_keep(&e->table, row, fmpi_engine_keep(e, row, now_ms));
}

/* A bad message of a proven source. @mac: NULL, or what it is added up under. Return: 1 a decision, 0 none. */
static int bad_event(struct fmp_engine *e, struct fmpi_row *row, const struct fmp_addr *mac,
		     const struct fmp_event *ev, uint64_t now_ms, struct fmp_decision *out)
{
	const struct fmp_policy *p = e->policy;
	const struct fmp_policy_override *o =
		p->n_overrides ? fmp_policy_override(p, ev->service, ev->dest_port) : NULL;
	struct fmp_policy_rules rules;
	struct fmpi_row *kin = NULL;
	uint64_t add;

	fmp_policy_rules(p, &row->key, o, &rules);
	add = rank_of(rules.suspicion, ev);
	row->override = o ? (uint8_t)(o - p->overrides + 1) : 0;
	gather(e, row, ev, o, add, now_ms);
	if (!add && !e->counted[ev->kind])
		return 0;
	if (mac)
		kin = fmpi_mac_siblings_row(e, row, mac, now_ms);
	if (kin)
		gather(e, kin, ev, o, add, now_ms);
	return fmpi_decide(e, row, kin, ev, ev->kind, &rules, now_ms, out);
}

static void good_event(struct fmp_engine *e, struct fmpi_row *row, const struct fmp_event *ev,
		       uint64_t now_ms)
{
	const struct fmp_policy_credit *c = &e->policy->suspicion.credit;
	uint64_t max = (uint64_t)c->max * 1000, credit;
	struct fmpi_good *g = fmpi_row_good(row);

	fmpi_group_good(row, now_ms ? now_ms : 1);
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

static void count_bad(struct fmp_engine *e, enum fmp_event_kind kind)
{
	e->stats.events++;
	e->stats.kinds[kind]++;
}

/*
 * An event whose source is not proven may be anybody's: it makes a row only while there
 * is room, such a row is the first to go, and it gathers nothing (invariant 2).
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

	fmpi_prefix_aggregate_settle(e);
	added_up = ev->proven && ev->kind != FMP_EVENT_GOOD &&
		   fmpi_mac_siblings_of(e, &ev->source, ev, &mac);
	if (!ev->proven)
		e->stats.unproven++;
	else if (ev->kind == FMP_EVENT_GOOD)
		e->stats.good++;
	else
		count_bad(e, ev->kind);

	key = fmpi_engine_key(e, &ev->source);
	row = fmpi_table_find(&e->table, &key);
	if (!row) {
		row = fmpi_table_add(&e->table, &key, ev->proven ? fmpi_engine_place(e, 0, now) : 0,
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
	fresh = fmpi_engine_place(e, 0, now);
	if (fresh > row->keep)
		fmpi_table_keep(&e->table, row, fresh);
	if (ev->kind != FMP_EVENT_GOOD)
		return bad_event(e, row, added_up ? &mac : NULL, ev, now, out);
	good_event(e, row, ev, now);
	return 0;
}

static void put_end(struct fmp_engine *e, const struct fmpi_row *row, const char *reason,
		    uint64_t now_ms, struct fmp_decision *out)
{
	*out = (struct fmp_decision){
		.id = e->next_id++,
		.action = FMP_ACTION_UNBLOCK,
		.source = row->key,
		.mac = fmpi_row_mac(row),
		.layers = row->layers,
		.time_ms = now_ms,
		.measure = row->measure,
		.rate = row->rate,
		.dest_port = row->block_port,
	};
	fmpi_copy_text(out->reason, sizeof(out->reason), reason);
	e->stats.unblocks++;
}

void fmpi_engine_release(struct fmp_engine *e, struct fmpi_row *row, const char *reason,
			 uint64_t now_ms, struct fmp_decision *out)
{
	put_end(e, row, reason, now_ms, out);
	if (!row->watched)
		row->ended_ms = now_ms;
	fmpi_table_unblock(&e->table, row, fmpi_engine_keep(e, row, now_ms));
}

void fmpi_engine_end(struct fmp_engine *e, struct fmpi_row *row, const char *reason, bool pardon,
		     uint64_t now_ms, struct fmp_decision *out)
{
	uint64_t threshold = (uint64_t)e->policy->suspicion.malicious * 1000;
	bool watched = row->watched, rolled = row->rolled;
	const struct fmpi_row *cover;

	put_end(e, row, reason, now_ms, out);
	if (!watched || pardon)
		fmpi_engine_pardon(row, now_ms);
	if (!watched)
		row->ended_ms = now_ms;
	/* Its strikes are worth as much as a source at the threshold. */
	fmpi_table_unblock(&e->table, row,
			   watched ? fmpi_engine_keep(e, row, now_ms)
				   : fmpi_engine_place(e, threshold, now_ms));
	/* It is blocked still, by another row: forgetting begins when that one ends. */
	cover = rolled ? fmpi_table_cover(&e->table, &row->key) : NULL;
	if (cover)
		row->ended_ms = fmpi_table_until(&e->table, cover);
}

int fmp_engine_expire(struct fmp_engine *e, uint64_t now_ms, struct fmp_decision *out)
{
	uint64_t now = fmpi_engine_now(e, now_ms);
	struct fmpi_row *row;

	fmpi_prefix_aggregate_settle(e);
	if (!e->table.ends.n || e->table.ends.v[0].key > now)
		return fmpi_surplus_end(e, now, out) || fmpi_decide_waiting(e, now, out);
	row = e->table.ends.v[0].row;
	fmpi_engine_end(e, row, row->rolled ? "its prefix is blocked" : "its time is over", false,
			now, out);
	return 1;
}

uint64_t fmp_engine_next_ms(const struct fmp_engine *e)
{
	if (e->rolled.family || e->n_surplus || fmpi_has_turn(e))
		return e->now_ms;
	return e->table.ends.n ? e->table.ends.v[0].key : UINT64_MAX;
}
