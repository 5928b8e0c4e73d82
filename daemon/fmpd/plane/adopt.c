// SPDX-License-Identifier: GPL-2.0
/*
 * Adopt blocks that were in force before fmpd started. Each layer is read once; rules of one address or of one decision
 * become one block again, with the time that is left. Rules that a layer lacks are added by the first reconcile.
 */
#include "plane_private.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "../common/clock.h"
#include "../common/log.h"

static int add_found(struct plane_found *f, const struct fmp_rule *rule, unsigned layer)
{
	struct plane_block *more;

	if (f->n == f->cap) {
		size_t cap = f->cap ? f->cap * 2 : 64;

		more = reallocarray(f->blocks, cap, sizeof(*more));
		if (!more)
			return FMP_ERR_NOMEM;
		f->blocks = more;
		f->cap = cap;
	}
	f->blocks[f->n++] = (struct plane_block){
		.id = rule->id,
		.left_ms = rule->left_ms,
		.source = rule->addr,
		.pair_mac = rule->pair_mac,
		.rate = rule->rate,
		.dest_port = rule->dest_port,
		.layers = FMP_LAYER_BIT(layer),
		.action_kind = rule->rate ? FMP_ACTION_KIND_LIMIT : FMP_ACTION_KIND_BLOCK,
	};
	return 0;
}

static struct fmp_decision make_decision(const struct plane_found *f, const struct plane_block *b)
{
	return (struct fmp_decision){
		.id = b->id,
		.action = FMP_ACTION_BLOCK,
		.source = b->source,
		.mac = b->mac,
		.pair_mac = b->pair_mac,
		.mac_veto = b->mac.family ? FMP_MAC_OK : FMP_MAC_UNKNOWN,
		.layers = b->layers,
		.time_ms = f->as_of_ms,
		.duration_ms = b->left_ms,
		.mac_ms = b->mac_ms,
		.action_kind = b->action_kind,
		.rate = b->rate,
		.dest_port = b->dest_port,
		.reason = "found in force when fmpd started",
	};
}

static bool is_enforced_nowhere(const struct fmpd_record *r)
{
	for (unsigned l = 0; l < FMP_LAYERS; l++)
		if (r->states[l] == FMP_LAYER_RESULT_ENFORCED)
			return false;
	return true;
}

/* Does the table have the block already, from the state file or a decision since? It knows more than the rule does:
 * only the result of the layer is stored. */
static bool match_record(struct fmpd_plane *p, struct plane_found *f, const struct fmp_rule *rule,
			 unsigned layer)
{
	static const struct fmp_layer_result enforced = { .state = FMP_LAYER_RESULT_ENFORCED };
	struct fmp_addr pair;
	struct fmpd_record *r;

	if (rule->addr.family == FMP_FAMILY_MAC && fmpd_table_has_mac(p->table, &rule->addr, layer))
		return true;
	r = fmpd_table_lookup_exact(p->table, &rule->addr);
	if (!r || !r->in_force)
		return false;
	pair = fmpd_packed_pair_mac(&r->d);
	if (r->states[layer] == FMP_LAYER_RESULT_NONE && r->d.dest_port == rule->dest_port &&
	    fmp_addr_equal(&pair, &rule->pair_mac) &&
	    !rule->rate == (r->d.action_kind != FMP_ACTION_KIND_LIMIT)) {
		f->known += is_enforced_nowhere(r);
		fmpd_table_set_result(p->table, r, layer, &enforced);
	}
	return true;
}

/*
 * Was the rule put back by another program, for example one that restores a saved ruleset? That is so if the state file
 * knew the decision and has it no longer, for then fmpd deleted the rule. If the file is of another boot, it is so for
 * every rule except those that an fmpd of this boot added: the file lacks decisions made since.
 */
static bool is_put_back(const struct fmpd_plane *p, const struct fmp_rule *rule)
{
	return (p->previous.other_boot && !rule->is_own) ||
	       (rule->id && rule->id <= p->previous.newest_id);
}

/* Return: 0, FMP_ERR_NOMEM. */
static int add_unknown(const struct fmpd_plane *p, struct plane_found *f,
		       const struct fmp_rule *rule)
{
	if (!is_put_back(p, rule))
		return add_found(f, rule, f->layer);
	f->put_back++;
	return 0;
}

int plane_found_collect(struct fmpd_plane *p, struct plane_found *f, size_t n,
			struct fmp_error *err)
{
	f->as_of_ms = p->snapshot_ms;
	while (f->layer < FMP_LAYERS && n--) {
		const struct fmp_rule *rules;
		size_t all;
		int rc = fmp_snapshot_rules(p->snapshot, f->layer, &rules, &all, err);

		/* If one layer can't be read, still adopt the rules of the others. */
		if (rc && rc != FMP_ERR_UNSUPPORTED)
			fmpd_log_error(FMPD_WARNING, "adopt", fmp_layer_name(f->layer), err);
		if (f->at == all) {
			f->layer++;
			f->at = 0;
			continue;
		}
		if (!match_record(p, f, &rules[f->at], f->layer) &&
		    add_unknown(p, f, &rules[f->at]))
			return fmp_error_set(err, FMP_ERR_NOMEM,
					     "no memory for the rules in force");
		f->at++;
	}
	return f->layer == FMP_LAYERS;
}

/* Rules of one source: the strongest first. A block before a limit, all ports before one port, frames of all MACs
 * before those of one. */
static int compare_sources(const void *a, const void *b)
{
	const struct plane_block *x = a, *y = b;
	int c = fmp_addr_compare(&x->source, &y->source);

	if (!c)
		c = (int)x->dest_port - (int)y->dest_port;
	if (!c)
		c = (int)x->action_kind - (int)y->action_kind;
	return c ? c : fmp_addr_compare(&x->pair_mac, &y->pair_mac);
}

/* By id; for one id IP addresses before the MAC. */
static int compare_ids(const void *a, const void *b)
{
	const struct plane_block *x = a, *y = b;

	if (x->id != y->id)
		return x->id < y->id ? -1 : 1;
	return (int)fmp_addr_is_ip(&y->source) - (int)fmp_addr_is_ip(&x->source);
}

/* The later of two ends; 0 is without end. */
static uint64_t later_end(uint64_t a, uint64_t b)
{
	if (!a || !b)
		return 0;
	return a > b ? a : b;
}

/*
 * Rules of one address on several layers become one block. If they do different things, the strongest stays; the first
 * reconcile deletes the others.
 */
static void merge_addresses(struct plane_found *f)
{
	size_t n = 0;

	qsort(f->blocks, f->n, sizeof(*f->blocks), compare_sources);
	for (size_t i = 0; i < f->n; i++) {
		const struct plane_block *d = &f->blocks[i];
		struct plane_block *last = n ? &f->blocks[n - 1] : NULL;

		if (!last || !fmp_addr_equal(&last->source, &d->source)) {
			f->blocks[n++] = *d;
			continue;
		}
		if (d->dest_port != last->dest_port || d->action_kind != last->action_kind ||
		    !fmp_addr_equal(&d->pair_mac, &last->pair_mac))
			continue;
		last->layers |= d->layers;
		last->left_ms = later_end(last->left_ms, d->left_ms);
		if (d->id > last->id)
			last->id = d->id;
	}
	f->n = n;
}

/* An IP address and a MAC with one id are one decision. */
static void merge_ids(struct plane_found *f)
{
	size_t n = 0;

	qsort(f->blocks, f->n, sizeof(*f->blocks), compare_ids);
	for (size_t i = 0; i < f->n; i++) {
		struct plane_block *d = &f->blocks[i];
		struct plane_block *last = n ? &f->blocks[n - 1] : NULL;

		if (!last || !d->id || last->id != d->id) {
			f->blocks[n++] = *d;
			continue;
		}
		if (fmp_addr_is_ip(&last->source) && !last->mac.family &&
		    d->source.family == FMP_FAMILY_MAC) {
			last->mac = d->source;
			last->layers |= d->layers;
			if (fmp_mac_is_local(&d->source))
				last->mac_ms = d->left_ms;
			last->left_ms = later_end(last->left_ms, d->left_ms);
			continue;
		}
		f->blocks[n] = *d;
		f->blocks[n++].id = 0; /* an id belongs to one block: this one gets a new id */
	}
	f->n = n;
}

static int compare_numbers(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* Was the id given to a decision since the start? Then a rule with it is of another decision. */
static bool was_given_since_start(const struct fmpd_plane *p, const struct plane_found *f,
				  uint64_t id)
{
	return id >= p->first_id && id <= f->given_id;
}

/*
 * Leave out MACs whose decision the table has with another MAC or none: they are no blocks of their own, and the first
 * reconcile deletes their rules.
 */
static int drop_parts_of_known(struct fmpd_plane *p, struct plane_found *f, struct fmp_error *err)
{
	size_t n = 0, kept = 0;
	struct fmpd_record *r;
	uint64_t *ids = NULL;

	for (size_t i = 0; i < f->n && !ids; i++) {
		if (f->blocks[i].source.family != FMP_FAMILY_MAC || !f->blocks[i].id)
			continue;
		ids = calloc(fmpd_table_in_force(p->table) + 1, sizeof(*ids));
		if (!ids)
			return fmp_error_set(err, FMP_ERR_NOMEM,
					     "no memory for the rules in force");
	}
	if (!ids)
		return 0;
	for (r = fmpd_table_first(p->table); r; r = fmpd_table_next(r))
		if (!was_given_since_start(p, f, r->d.id))
			ids[n++] = r->d.id;
	qsort(ids, n, sizeof(*ids), compare_numbers);
	for (size_t i = 0; i < f->n; i++)
		if (f->blocks[i].source.family != FMP_FAMILY_MAC || !f->blocks[i].id ||
		    !bsearch(&f->blocks[i].id, ids, n, sizeof(*ids), compare_numbers))
			f->blocks[kept++] = f->blocks[i];
	f->n = kept;
	free(ids);
	return 0;
}

/* Give back memory: before merging there was one block for each layer. */
static void shrink_blocks(struct plane_found *f)
{
	struct plane_block *less = reallocarray(f->blocks, f->n, sizeof(*less));

	if (!less)
		return;
	f->blocks = less;
	f->cap = f->n;
}

int plane_found_merge(struct fmpd_plane *p, struct plane_found *f, struct fmp_error *err)
{
	f->given_id = p->newest_id;
	if (!f->n)
		return 0;
	merge_addresses(f);
	merge_ids(f);
	shrink_blocks(f);
	return drop_parts_of_known(p, f, err);
}

static bool adopt_decision(struct fmpd_plane *p, struct fmp_decision *d)
{
	struct fmp_source_info row;
	struct fmpd_record *r;
	struct fmp_error err;
	int rc;

	if (plane_check_protected(p, &d->source, &err)) {
		fmpd_log_error(FMPD_WARNING, "adopt", "a block is not adopted", &err);
		return false;
	}
	if (d->mac.family && fmp_protect_check(p->protect, &d->mac)) {
		d->mac = (struct fmp_addr){ 0 };
		d->mac_veto = FMP_MAC_PROTECTED;
	}
	if (d->pair_mac.family && fmp_protect_check(p->protect, &d->pair_mac))
		d->pair_mac = (struct fmp_addr){ 0 };
	d->layers |= p->policy->block.layers;
	rc = fmp_engine_adopt(p->engine, d, d->time_ms);
	r = rc == FMP_ERR_EXISTS ? fmpd_table_lookup_exact(p->table, &d->source) : NULL;
	if (r && r->in_force) /* restored from the state file meanwhile, which knows more */
		return true;
	if (rc) {
		fmpd_log(FMPD_WARNING, "adopt", "a block is not adopted: %s", fmp_code_name(rc));
		return false;
	}
	if (!fmp_engine_get(p->engine, &d->source, d->time_ms, &row) && row.decision_id)
		d->id = row.decision_id;
	r = fmpd_table_put(p->table, d);
	if (!r)
		return false;
	r->threshold_ns = r->results_ns = fmpd_now_ns();
	return true;
}

/* Adopt a block, and store the result of each layer that holds it. */
static void adopt_block(struct fmpd_plane *p, struct plane_found *f, const struct plane_block *b)
{
	static const struct fmp_layer_result enforced = { .state = FMP_LAYER_RESULT_ENFORCED };
	struct fmp_decision d = make_decision(f, b);
	struct fmpd_record *r;

	if (was_given_since_start(p, f, d.id))
		d.id = 0;
	if (!adopt_decision(p, &d))
		return;
	f->adopted++;
	r = fmpd_table_lookup_exact(p->table, &d.source);
	for (unsigned l = 0; r && l < FMP_LAYERS; l++)
		if (b->layers & FMP_LAYER_BIT(l) && r->states[l] == FMP_LAYER_RESULT_NONE)
			fmpd_table_set_result(p->table, r, l, &enforced);
}

bool plane_adopt_some(struct fmpd_plane *p, struct plane_found *f, size_t n)
{
	/* The highest id first: ids of decisions made meanwhile must be higher. */
	if (!f->all && f->n) {
		f->all = f->n--;
		adopt_block(p, f, &f->blocks[f->n]);
	}
	for (; f->done < f->n && n; n--)
		adopt_block(p, f, &f->blocks[f->done++]);
	if (f->done < f->n)
		return false;
	if (f->all + f->known)
		fmpd_log(FMPD_NOTICE, "adopt", "%zu of %zu blocks found in force are adopted",
			 f->adopted + f->known, f->all + f->known);
	if (f->put_back)
		fmpd_log(
			FMPD_WARNING, "adopt",
			"%zu rules are taken away: another program put them back (a saved ruleset of "
			"nftables?), but the state file does not hold their blocks",
			f->put_back);
	plane_found_free(f);
	return true;
}

void plane_found_free(struct plane_found *f)
{
	free(f->blocks);
	*f = (struct plane_found){ 0 };
}
