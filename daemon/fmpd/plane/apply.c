// SPDX-License-Identifier: GPL-2.0
/* Apply decisions to the layers in batches, keep the results, and retry where a layer failed. */
#include "plane_private.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/clock.h"
#include "../table/covering_block.h"
#include "../common/log.h"

#define PENDING_FIRST  64u
#define RETRY_FIRST_MS 1000u
#define RETRY_MAX_MS   60000u
#define UNBLOCK_TRIES  6u

static void schedule_retry(struct fmpd_plane *p, struct fmpd_record *r)
{
	struct fmpd_failure *by = r->failure;
	uint64_t wait;

	if (!by)
		return;
	/* Give up on an unblock that is always refused: the rule expires, or reconcile deletes it. */
	if (!fmpd_record_failed_layers(r) || (!r->in_force && by->tries == UNBLOCK_TRIES)) {
		by->retry_ms = 0;
		return;
	}
	wait = by->tries < 6 ? RETRY_FIRST_MS << by->tries : RETRY_MAX_MS;
	by->tries++;
	by->retry_ms = fmpd_now_ms() + (wait > RETRY_MAX_MS ? RETRY_MAX_MS : wait);
	if (by->retry_ms < p->retry_due_ms)
		p->retry_due_ms = by->retry_ms;
}

/* Apply to the kernel; when the policy only observes, make up the results. */
static void apply_to_layers(struct fmpd_plane *p, const struct fmp_decision *d, size_t n,
			    struct fmp_layer_result *results)
{
	struct fmp_error err;
	int rc;

	memset(results, 0, n * FMP_LAYERS * sizeof(*results));
	if (p->policy->block.observe) {
		for (size_t i = 0; i < n * FMP_LAYERS; i++)
			if (d[i / FMP_LAYERS].layers & FMP_LAYER_BIT(i % FMP_LAYERS))
				results[i].state = FMP_LAYER_RESULT_OBSERVED;
		return;
	}
	rc = fmp_enforcer_apply(p->enforcer, d, n, results, &err);
	if (rc >= 0)
		return;
	fmpd_log_error(FMPD_ERROR, "enforce", "decisions were not pushed down", &err);
	for (size_t i = 0; i < n * FMP_LAYERS; i++) {
		if (!(d[i / FMP_LAYERS].layers & fmp_enforcer_layers(p->enforcer) &
		      FMP_LAYER_BIT(i % FMP_LAYERS)))
			continue;
		results[i].state = FMP_LAYER_RESULT_FAILED;
		results[i].sys_errno = err.sys_errno ? err.sys_errno : EIO;
		snprintf(results[i].text, sizeof(results[i].text), "%.90s", err.message);
	}
}

/* If the MAC itself is blocked for longer, leave it out here: the kernel has one rule for a MAC, which must not
 * end with this decision. */
static void keep_longer_mac(const struct fmpd_plane *p, struct fmp_decision *d)
{
	const struct fmpd_record *own = d->action == FMP_ACTION_BLOCK && d->mac.family
						? fmpd_table_lookup_exact(p->table, &d->mac)
						: NULL;
	uint64_t ms = d->duration_ms, left;

	if (!own || !own->in_force || fmpd_record_failed_layers(own) ||
	    (d->layers & ~own->d.layers & ~FMP_LAYER_BIT(FMP_LAYER_IP)))
		return;
	if (d->mac_ms && (!ms || d->mac_ms < ms))
		ms = d->mac_ms;
	left = fmpd_record_left_ms(own, fmpd_now_ms());
	if (!left || (ms && ms <= left))
		d->mac = (struct fmp_addr){ 0 };
}

/* Store a decision and its results in the table. Return: NULL for an unblock of an unknown source. */
static struct fmpd_record *store_decision(struct fmpd_plane *p, const struct fmp_decision *d,
					  uint64_t threshold_ns,
					  const struct fmp_layer_result *results)
{
	struct fmpd_record *r;

	if (d->action == FMP_ACTION_BLOCK) {
		r = fmpd_table_put(p->table, d);
	} else {
		r = fmpd_table_lookup_exact(p->table, &d->source);
		if (r) {
			fmpd_table_end(p->table, r);
			r->d.action = FMP_ACTION_UNBLOCK;
			r->d.manual = d->manual;
			r->d.time_ms = d->time_ms;
			fmpd_table_set_reason(p->table, r, d->reason);
			fmpd_record_clear_retry(r);
		}
	}
	if (!r)
		return NULL;
	r->threshold_ns = threshold_ns;
	r->results_ns = fmpd_now_ns();
	for (unsigned l = 0; l < FMP_LAYERS; l++)
		fmpd_table_set_result(p->table, r, l, &results[l]);
	schedule_retry(p, r);
	return r;
}

/* ---- the batch ---- */

/* One call of the enforcer, and the place of each decision in it. */
struct batch {
	struct fmp_decision *d;
	struct fmp_layer_result *results;
	size_t *at; /* index of each pending decision */
	size_t n;
};

static void free_batch(struct batch *b)
{
	free(b->d);
	free(b->results);
	free(b->at);
}

/* The block in force that a decision replaces. Return: NULL if there is none. */
static struct fmpd_record *find_replaced(const struct fmpd_plane *p, const struct fmp_decision *d)
{
	struct fmpd_record *old = d->action == FMP_ACTION_BLOCK
					  ? fmpd_table_lookup_exact(p->table, &d->source)
					  : NULL;

	return old && old->in_force ? old : NULL;
}

/* Would a rule of the old decision stay behind that the new decision does not overwrite? */
static bool leaves_remainder(const struct fmpd_packed_decision *old, const struct fmp_decision *d)
{
	struct fmp_addr pair = fmpd_packed_pair_mac(old);

	return fmp_addr_is_ip(&old->source) &&
	       (old->action_kind != d->action_kind || old->dest_port != d->dest_port ||
		(old->layers & ~d->layers) || !fmp_addr_equal(&pair, &d->pair_mac));
}

/* Delete the address rule that a decision replaces in the same transaction, in front of it. Its MAC rule may be
 * shared by other blocks: see delete_unused_macs(). */
static int make_batch(const struct fmpd_plane *p, struct batch *b)
{
	size_t n = p->n_pending;

	*b = (struct batch){ .d = calloc(2 * n, sizeof(*b->d)),
			     .results = calloc(2 * n * FMP_LAYERS, sizeof(*b->results)),
			     .at = calloc(n, sizeof(*b->at)) };
	if (!b->d || !b->results || !b->at) {
		free_batch(b);
		return FMP_ERR_NOMEM;
	}
	for (size_t i = 0; i < n; i++) {
		const struct fmp_decision *d = &p->pending[i].d;
		const struct fmpd_record *old = find_replaced(p, d);
		bool rest = old && leaves_remainder(&old->d, d);

		if (rest) {
			b->d[b->n] = fmpd_record_decision(old);
			b->d[b->n].mac = (struct fmp_addr){ 0 };
			b->d[b->n++].action = FMP_ACTION_UNBLOCK;
		}
		b->at[i] = b->n;
		b->d[b->n] = *d;
		b->d[b->n].renews = old && !rest;
		keep_longer_mac(p, &b->d[b->n++]);
	}
	return 0;
}

/* An unblock of the MAC rule of a block, and of nothing else. */
static struct fmp_decision make_mac_unblock(const struct fmpd_packed_decision *of,
					    const struct fmp_addr *mac)
{
	return (struct fmp_decision){ .id = of->id,
				      .action = FMP_ACTION_UNBLOCK,
				      .source = *mac,
				      .layers = of->layers,
				      .time_ms = fmpd_now_ms(),
				      .reason = "the MAC is no longer blocked" };
}

/* Collect the MAC of the block that a decision replaces. */
static void add_replaced_mac(const struct fmpd_plane *p, const struct fmp_decision *d,
			     struct batch *b)
{
	const struct fmpd_record *old = find_replaced(p, d);
	struct fmp_addr mac;

	if (!old)
		return;
	mac = old->d.source.family == FMP_FAMILY_MAC ? old->d.source : fmpd_packed_mac(&old->d);
	if (mac.family)
		b->d[b->n++] = make_mac_unblock(&old->d, &mac);
}

/* Delete the rules of the collected MACs that no active block uses any more. The kernel holds one rule per MAC,
 * shared by all blocks. */
static void delete_unused_macs(struct fmpd_plane *p, struct batch *b)
{
	size_t n = 0;

	for (size_t i = 0; i < b->n; i++) {
		struct fmp_decision d = b->d[i];

		d.layers &= ~FMP_LAYER_BIT(FMP_LAYER_IP);
		for (unsigned l = 0; l < FMP_LAYERS; l++)
			if (fmpd_table_has_mac(p->table, &d.source, l))
				d.layers &= ~FMP_LAYER_BIT(l);
		if (d.layers)
			b->d[n++] = d;
	}
	if (!n)
		return;
	apply_to_layers(p, b->d, n, b->results);
	for (size_t i = 0; i < n * FMP_LAYERS; i++)
		if (b->results[i].state == FMP_LAYER_RESULT_FAILED)
			p->reconcile_due_ms = fmpd_now_ms();
}

/* How long a block needs its MAC rule; UINT64_MAX: without end. */
static uint64_t get_mac_life_ms(const struct fmpd_record *r, uint64_t now_ms)
{
	uint64_t ms = fmpd_record_mac_left_ms(r, now_ms);

	if (!ms)
		ms = fmpd_record_left_ms(r, now_ms);
	return ms ? ms : UINT64_MAX;
}

/*
 * A block of a MAC has ended, and with it the kernel's one rule, which other blocks may need: put it back for the
 * block that needs it longest. The next comparison would do so too, but would log it as a repair.
 */
static void restore_shared_mac(struct fmpd_plane *p, const struct fmpd_record *r)
{
	const struct fmp_addr none = { 0 }, *mac = &r->d.source;
	struct fmpd_record *c = NULL, *longest = NULL;
	uint64_t now = fmpd_now_ms(), life = 0;
	struct fmp_layer_result results[FMP_LAYERS];
	struct fmp_decision d;
	unsigned layers = 0;

	if (r->in_force || mac->family != FMP_FAMILY_MAC || !p->options.layers)
		return;
	while ((c = fmpd_covering_block_next(p->table, c, mac, &none, r->d.time_ms)) != NULL) {
		layers |= c->d.layers & ~FMP_LAYER_BIT(FMP_LAYER_IP);
		if (get_mac_life_ms(c, now) <= life)
			continue;
		longest = c;
		life = get_mac_life_ms(c, now);
	}
	if (!longest)
		return;
	d = (struct fmp_decision){ .id = longest->d.id,
				   .action = FMP_ACTION_BLOCK,
				   .source = *mac,
				   .layers = longest->d.layers & ~FMP_LAYER_BIT(FMP_LAYER_IP),
				   .time_ms = now,
				   .duration_ms = life == UINT64_MAX ? 0 : life,
				   .reason = "another block wants the MAC still" };
	apply_to_layers(p, &d, 1, results);
	for (unsigned l = 0; l < FMP_LAYERS; l++)
		if (results[l].state == FMP_LAYER_RESULT_FAILED || (layers & ~d.layers))
			p->reconcile_due_ms = now;
}

bool fmpd_plane_is_blocking(const struct fmpd_plane *p, const struct fmpd_record *r)
{
	return r->d.action == FMP_ACTION_BLOCK && r->d.action_kind == FMP_ACTION_KIND_BLOCK &&
	       !p->policy->block.observe &&
	       (fmpd_record_capable_layers(r) & fmp_enforcer_layers(p->enforcer));
}

static void notify_decision(struct fmpd_plane *p, const struct fmpd_record *r)
{
	bool blocked = fmpd_plane_is_blocking(p, r);

	plane_log_decision(p, r);
	if (p->hooks.on_decision)
		p->hooks.on_decision(p->hooks.ctx, r);
	if (blocked) {
		plane_kill_connections_later(p, r);
		plane_flush_flows_later(p);
	}
	if (p->hooks.on_blocked && fmp_addr_is_ip(&r->d.source))
		p->hooks.on_blocked(p->hooks.ctx, r, blocked);
}

/* Without memory for a batch, apply each decision by itself. */
static void flush_one_by_one(struct fmpd_plane *p, size_t n)
{
	struct fmp_layer_result results[FMP_LAYERS];

	for (size_t i = 0; i < n; i++) {
		struct fmpd_record *r;

		apply_to_layers(p, &p->pending[i].d, 1, results);
		r = store_decision(p, &p->pending[i].d, p->pending[i].threshold_ns, results);
		if (!r)
			continue;
		restore_shared_mac(p, r);
		notify_decision(p, r);
	}
}

int plane_pending_init(struct fmpd_plane *p, struct fmp_error *err)
{
	p->pending = calloc(PENDING_FIRST, sizeof(*p->pending));
	if (!p->pending)
		return fmp_error_set(err, FMP_ERR_NOMEM, "no memory");
	p->cap_pending = PENDING_FIRST;
	return 0;
}

/* Make room for one more decision. Return: 0, FMP_ERR_NOMEM. */
static int grow_pending(struct fmpd_plane *p)
{
	size_t cap = 2 * p->cap_pending;
	struct plane_pending *more;

	if (p->n_pending < p->cap_pending)
		return 0;
	more = reallocarray(p->pending, cap, sizeof(*more));
	if (!more)
		return FMP_ERR_NOMEM;
	p->pending = more;
	p->cap_pending = cap;
	return 0;
}

/* Give back the memory of a large batch. */
static void shrink_pending(struct fmpd_plane *p)
{
	struct plane_pending *less;

	if (p->n_pending || p->cap_pending == PENDING_FIRST)
		return;
	less = reallocarray(p->pending, PENDING_FIRST, sizeof(*less));
	if (!less)
		return;
	p->pending = less;
	p->cap_pending = PENDING_FIRST;
}

void fmpd_plane_flush(struct fmpd_plane *p)
{
	size_t n = p->n_pending;
	struct batch b;

	if (!n)
		return;
	if (make_batch(p, &b)) {
		p->n_pending = 0;
		flush_one_by_one(p, n);
	} else {
		p->n_pending = 0;
		apply_to_layers(p, b.d, b.n, b.results);
		b.n = 0;
		fmpd_log_hold();
		for (size_t i = 0; i < n; i++) {
			const struct plane_pending *one = &p->pending[i];
			struct fmpd_record *r;

			add_replaced_mac(p, &one->d, &b);
			r = store_decision(p, &one->d, one->threshold_ns,
					   &b.results[b.at[i] * FMP_LAYERS]);
			if (!r)
				continue;
			restore_shared_mac(p, r);
			notify_decision(p, r);
		}
		fmpd_log_release();
		delete_unused_macs(p, &b);
		free_batch(&b);
	}
	shrink_pending(p);
	plane_rearm_timer(p);
}

static void on_flush_turn(evutil_socket_t fd, short what, void *ctx)
{
	fmpd_plane_flush(ctx);
}

void fmpd_plane_flush_soon(struct fmpd_plane *p)
{
	if (!p->n_pending)
		return;
	if (!p->flush_turn && p->base)
		p->flush_turn = event_new(p->base, -1, 0, on_flush_turn, p);
	if (p->flush_turn)
		event_active(p->flush_turn, EV_TIMEOUT, 1);
	else
		fmpd_plane_flush(p);
}

/* A narrowed decision replaces rules of its source one by one: the table must have the earlier ones by then. */
static bool must_flush_first(const struct fmpd_plane *p, const struct fmp_decision *d)
{
	if (!p->n_pending)
		return false;
	return p->n_pending == PENDING_MAX || fmp_decision_narrowed(d) ||
	       fmp_decision_narrowed(&p->pending[p->n_pending - 1].d);
}

void plane_queue_decision(struct fmpd_plane *p, const struct fmp_decision *d, uint64_t threshold_ns)
{
	if (must_flush_first(p, d) || grow_pending(p))
		fmpd_plane_flush(p);
	if (d->id > p->newest_id)
		p->newest_id = d->id;
	p->pending[p->n_pending++] = (struct plane_pending){ *d, threshold_ns };
}

/* Delete the MAC rule of a decision; its other rules stay. */
static void delete_mac_rule(struct fmpd_plane *p, const struct fmpd_packed_decision *of)
{
	struct fmp_addr mac = fmpd_packed_mac(of);
	struct fmp_decision d = make_mac_unblock(of, &mac);
	struct fmp_layer_result results[FMP_LAYERS];

	apply_to_layers(p, &d, 1, results);
}

/* Block the address of a pair by itself, in one transaction with the end of the pair. */
static void end_pair(struct fmpd_plane *p, struct fmpd_record *r, enum fmp_mac_veto veto)
{
	struct fmp_layer_result results[2 * FMP_LAYERS];
	struct fmp_decision d[2];

	d[0] = fmpd_record_decision(r);
	d[0].action = FMP_ACTION_UNBLOCK;
	fmpd_table_drop_pair(p->table, r, veto);
	fmp_engine_pair(p->engine, &r->d.source, false, fmpd_now_ms());
	d[1] = fmpd_record_decision(r);
	d[1].duration_ms = fmpd_record_left_ms(r, fmpd_now_ms());
	apply_to_layers(p, d, 2, results);
	for (unsigned l = 0; l < FMP_LAYERS; l++)
		fmpd_table_set_result(p->table, r, l, &results[FMP_LAYERS + l]);
	schedule_retry(p, r);
}

void plane_drop_mac(struct fmpd_plane *p, struct fmpd_record *r, enum fmp_mac_veto veto)
{
	struct fmp_addr was = r->d.has_pair ? fmpd_packed_pair_mac(&r->d) : fmpd_packed_mac(&r->d);
	char mac[FMP_ADDR_STRLEN];

	fmpd_log(FMPD_NOTICE, "mac", "MAC %s of decision %llu is no longer blocked: %s",
		 fmp_addr_format(&was, mac, sizeof(mac)), (unsigned long long)r->d.id,
		 fmp_mac_veto_text(veto));
	if (r->d.has_pair) {
		end_pair(p, r, veto);
		return;
	}
	delete_mac_rule(p, &r->d);
	fmpd_table_drop_mac(p->table, r, veto);
}

void plane_queue_unblock(struct fmpd_plane *p, struct fmp_decision *d)
{
	struct fmpd_record *r = fmpd_table_lookup_exact(p->table, &d->source), *other;

	if (r && r->in_force) {
		d->mac = fmpd_packed_mac(&r->d);
		d->pair_mac = fmpd_packed_pair_mac(&r->d);
		d->layers = r->d.layers;
		d->action_kind = r->d.action_kind;
		d->rate = r->d.rate;
		d->dest_port = r->d.dest_port;
	}
	/* The MAC itself is blocked, too: that block stays. */
	other = d->mac.family ? fmpd_table_lookup_exact(p->table, &d->mac) : NULL;
	if (other && other->in_force) {
		d->mac = (struct fmp_addr){ 0 };
		/* On layers that block does not use, nothing needs the MAC rules any more: let reconcile delete them. */
		if (d->layers & ~other->d.layers)
			p->reconcile_due_ms = fmpd_now_ms();
		plane_rearm_timer(p);
	}
	plane_queue_decision(p, d, fmpd_now_ns());
	if (!d->mac.family)
		return;
	/* The source is innocent now: unblock its MAC for all sources that share it (invariant 3). */
	for (other = fmpd_table_first(p->table); other; other = fmpd_table_next(other)) {
		struct fmp_addr mac = fmpd_packed_mac(&other->d);

		if (other == r || !fmp_addr_equal(&mac, &d->mac))
			continue;
		fmpd_table_drop_mac(p->table, other, FMP_MAC_SHARED);
	}
}

/* Apply a record again to the layers that failed; the results of the others stand. */
static void retry_record(struct fmpd_plane *p, struct fmpd_record *r, uint64_t now_ms)
{
	struct fmp_layer_result results[FMP_LAYERS];
	struct fmp_decision d;

	if (fmpd_record_mac_expired(r, now_ms))
		fmpd_table_drop_mac(p->table, r, FMP_MAC_RANDOM);
	d = fmpd_record_decision(r);
	d.layers = fmpd_record_failed_layers(r);
	if (d.action == FMP_ACTION_BLOCK) {
		d.duration_ms = fmpd_record_left_ms(r, now_ms);
		d.mac_ms = fmpd_record_mac_left_ms(r, now_ms);
		keep_longer_mac(p, &d);
	}
	apply_to_layers(p, &d, 1, results);
	for (unsigned l = 0; l < FMP_LAYERS; l++)
		if (d.layers & FMP_LAYER_BIT(l))
			fmpd_table_set_result(p->table, r, l, &results[l]);
	r->results_ns = fmpd_now_ns();
	schedule_retry(p, r);
	if (!fmpd_record_failed_layers(r)) {
		plane_log_decision(p, r);
		if (p->hooks.on_decision)
			p->hooks.on_decision(p->hooks.ctx, r);
	}
}

static void retry_records(struct fmpd_plane *p, struct fmpd_record *r, uint64_t now_ms)
{
	for (; r; r = fmpd_table_next(r)) {
		uint64_t retry_ms = r->failure ? r->failure->retry_ms : 0;

		if (!retry_ms)
			continue;
		if (retry_ms <= now_ms)
			retry_record(p, r, now_ms);
		else if (retry_ms < p->retry_due_ms)
			p->retry_due_ms = retry_ms;
	}
}

void plane_retry_failed(struct fmpd_plane *p, uint64_t now_ms)
{
	if (now_ms < p->retry_due_ms)
		return;
	p->retry_due_ms = UINT64_MAX;
	retry_records(p, fmpd_table_first(p->table), now_ms);
	retry_records(p, fmpd_table_first_ended(p->table), now_ms);
}
