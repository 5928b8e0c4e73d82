// SPDX-License-Identifier: GPL-2.0
#include "decision_table.h"

#include <stdlib.h>
#include <string.h>

#include <fmp/internal/hmap.h>
#include <fmp/internal/string_intern.h>

#include "mac_index.h"

#define RECORDS_FIRST 256u

TAILQ_HEAD(record_list, fmpd_record);

struct fmpd_decision_table {
	struct fmp_hmap records; /* by source */
	struct record_list active, ended;
	size_t n_active, n_ended;
	uint64_t newest_id;
	struct fmpd_record
		*cursors[FMPD_CURSORS]; /* the next record of each cursor; NULL: at the end */
	struct fmp_intern texts;
	struct fmpd_rule_counts rules[FMP_LAYERS];
	uint32_t by_layers[FMP_LAYERS_ALL +
			   1]; /* blocks in force, by the layers that can hold them */
	uint32_t by_length[2]
			  [129]; /* blocks in force of IPv4 and IPv6, by the length of the prefix */
	struct fmpd_mac_index macs;
	uint64_t first_mac_end_ms; /* no MAC's own time is over before this; UINT64_MAX: none has one */
};

struct fmpd_decision_table *fmpd_table_new(uint64_t seed)
{
	struct fmpd_decision_table *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	if (fmp_hmap_init(&t->records, FMP_HMAP_ENTRY(struct fmpd_record, link, d.source), seed,
			  RECORDS_FIRST) ||
	    fmpd_mac_index_init(&t->macs, seed)) {
		fmp_hmap_exit(&t->records);
		free(t);
		return NULL;
	}
	t->first_mac_end_ms = UINT64_MAX;
	TAILQ_INIT(&t->active);
	TAILQ_INIT(&t->ended);
	return t;
}

/* ---- counts of rules ---- */

/* mac_s is rounded up: one second less, so that the kernel has ended the rule by then, or does so now. */
static uint64_t get_mac_end_ms(const struct fmpd_record *r)
{
	if (!r->d.has_mac || !r->d.mac_s)
		return UINT64_MAX;
	return r->d.time_ms + UINT64_C(1000) * r->d.mac_s - 1000;
}

static unsigned get_targets(const struct fmpd_record *r, unsigned layer, struct fmp_addr out[2])
{
	const struct fmp_decision d = { .source = r->d.source,
					.mac = fmpd_packed_mac(&r->d),
					.action_kind = r->d.action_kind,
					.dest_port = r->d.dest_port };

	return r->d.layers & FMP_LAYER_BIT(layer) ? fmp_decision_targets(&d, layer, out) : 0;
}

static void count_result(struct fmpd_decision_table *t, const struct fmpd_record *r, unsigned layer,
			 bool more)
{
	struct fmpd_rule_counts *n = &t->rules[layer];
	struct fmp_addr targets[2];
	uint32_t k;

	if (r->states[layer] != FMP_LAYER_RESULT_FAILED &&
	    r->states[layer] != FMP_LAYER_RESULT_ENFORCED)
		return;
	k = get_targets(r, layer, targets);
	if (r->states[layer] == FMP_LAYER_RESULT_FAILED)
		*(r->in_force ? &n->failed : &n->unended) += more ? k : -k;
	else if (r->in_force)
		n->enforced += more ? k : -k;
}

static void count_wanted(struct fmpd_decision_table *t, const struct fmpd_record *r, unsigned layer,
			 bool more)
{
	struct fmpd_rule_counts *n = &t->rules[layer];
	struct fmp_addr targets[2];

	for (unsigned k = get_targets(r, layer, targets); k--;) {
		if (targets[k].family != FMP_FAMILY_MAC)
			n->wanted += more ? 1u : -1u;
		else if (more)
			n->wanted += fmpd_mac_index_add(&t->macs, &targets[k], layer);
		else
			n->wanted -= fmpd_mac_index_del(&t->macs, &targets[k], layer);
	}
}

unsigned fmpd_record_capable_layers(const struct fmpd_record *r)
{
	struct fmp_addr targets[2];
	unsigned bits = 0;

	for (unsigned l = 0; l < FMP_LAYERS; l++)
		bits |= get_targets(r, l, targets) ? FMP_LAYER_BIT(l) : 0;
	return bits;
}

static uint32_t *get_lengths(struct fmpd_decision_table *t, const struct fmp_addr *of)
{
	return t->by_length[of->family == FMP_FAMILY_IPV6];
}

/* Add or subtract what a record contributes to the counts: subtract before it changes, add afterwards. */
static void count_record(struct fmpd_decision_table *t, const struct fmpd_record *r, bool more)
{
	for (unsigned l = 0; l < FMP_LAYERS; l++) {
		count_result(t, r, l, more);
		if (r->in_force)
			count_wanted(t, r, l, more);
	}
	if (r->in_force && fmp_addr_is_ip(&r->d.source))
		get_lengths(t, &r->d.source)[r->d.source.prefix_len] += more ? 1u : -1u;
	if (r->in_force && r->d.layers)
		t->by_layers[fmpd_record_capable_layers(r)] += more ? 1u : -1u;
	if (more && r->in_force && get_mac_end_ms(r) < t->first_mac_end_ms)
		t->first_mac_end_ms = get_mac_end_ms(r);
}

const struct fmpd_rule_counts *fmpd_table_rule_counts(const struct fmpd_decision_table *t)
{
	return t->rules;
}

uint32_t fmpd_table_unenforced(const struct fmpd_decision_table *t, unsigned layers)
{
	uint32_t n = 0;

	for (unsigned bits = 0; bits <= FMP_LAYERS_ALL; bits++)
		n += bits & layers ? 0 : t->by_layers[bits];
	return n;
}

bool fmpd_table_has_mac(const struct fmpd_decision_table *t, const struct fmp_addr *mac,
			unsigned layer)
{
	return fmpd_mac_index_has(&t->macs, mac, layer);
}

/* ---- records ---- */

static void unlink_active(struct fmpd_decision_table *t, struct fmpd_record *r)
{
	for (unsigned w = 0; w < FMPD_CURSORS; w++)
		if (t->cursors[w] == r)
			t->cursors[w] = TAILQ_NEXT(r, list);
	TAILQ_REMOVE(&t->active, r, list);
	t->n_active--;
}

static void free_record(struct fmpd_decision_table *t, struct fmpd_record *r)
{
	count_record(t, r, false);
	if (r->in_force) {
		unlink_active(t, r);
	} else {
		TAILQ_REMOVE(&t->ended, r, list);
		t->n_ended--;
	}
	fmp_hmap_remove(&t->records, r);
	fmp_intern_drop(&t->texts, r->d.reason);
	fmp_intern_drop(&t->texts, fmpd_table_set_name(t, r));
	for (unsigned l = 0; l < FMP_LAYERS; l++)
		fmp_intern_drop(&t->texts, fmpd_table_result_text(t, r, l));
	free(r->failure);
	free(r);
}

void fmpd_table_free(struct fmpd_decision_table *t)
{
	struct fmpd_record *r;

	if (!t)
		return;
	while ((r = TAILQ_FIRST(&t->active)))
		free_record(t, r);
	while ((r = TAILQ_FIRST(&t->ended)))
		free_record(t, r);
	fmp_intern_exit(&t->texts);
	fmpd_mac_index_free(&t->macs);
	fmp_hmap_exit(&t->records);
	free(t);
}

/* Whole seconds, rounded up; at most UINT32_MAX. */
static uint32_t to_seconds(uint64_t ms)
{
	uint64_t s = ms / 1000 + (ms % 1000 != 0);

	return s > UINT32_MAX ? UINT32_MAX : (uint32_t)s;
}

static struct fmpd_packed_decision pack_decision(struct fmpd_decision_table *t,
						 const struct fmp_decision *d)
{
	struct fmpd_packed_decision k = {
		.id = d->id,
		.time_ms = d->time_ms,
		.duration_ms = d->duration_ms,
		.reason = fmp_intern_hold(&t->texts, d->reason),
		.set = fmp_intern_number(fmp_intern_hold(&t->texts, d->set)),
		.rate = d->rate,
		.mac_s = to_seconds(d->mac_ms),
		.dest_port = d->dest_port,
		.action = (uint8_t)d->action,
		.mac_veto = (uint8_t)d->mac_veto,
		.layers = (uint8_t)d->layers,
		.action_kind = (uint8_t)d->action_kind,
		.manual = d->manual,
		.source = d->source,
	};

	k.has_mac = d->mac.family == FMP_FAMILY_MAC;
	k.has_pair = d->pair_mac.family == FMP_FAMILY_MAC;
	memcpy(k.mac, k.has_mac ? d->mac.bytes : d->pair_mac.bytes, sizeof(k.mac));
	return k;
}

struct fmp_addr fmpd_packed_mac(const struct fmpd_packed_decision *k)
{
	return k->has_mac ? fmp_addr_mac(k->mac) : (struct fmp_addr){ 0 };
}

struct fmp_addr fmpd_packed_pair_mac(const struct fmpd_packed_decision *k)
{
	return k->has_pair ? fmp_addr_mac(k->mac) : (struct fmp_addr){ 0 };
}

struct fmp_decision fmpd_record_decision(const struct fmpd_record *r)
{
	const struct fmpd_packed_decision *k = &r->d;
	struct fmp_decision d = {
		.id = k->id,
		.action = k->action,
		.source = k->source,
		.mac = fmpd_packed_mac(k),
		.pair_mac = fmpd_packed_pair_mac(k),
		.mac_veto = k->mac_veto,
		.layers = k->layers,
		.time_ms = k->time_ms,
		.duration_ms = k->duration_ms,
		.mac_ms = UINT64_C(1000) * k->mac_s,
		.action_kind = k->action_kind,
		.rate = k->rate,
		.dest_port = k->dest_port,
		.manual = k->manual,
	};

	memcpy(d.reason, k->reason, strnlen(k->reason, sizeof(d.reason) - 1));
	return d;
}

struct fmpd_record *fmpd_table_put(struct fmpd_decision_table *t, const struct fmp_decision *d)
{
	struct fmpd_record *old = fmpd_table_lookup_exact(t, &d->source),
			   *r = calloc(1, sizeof(*r));

	if (!r)
		return NULL;
	if (old)
		free_record(t, old);
	r->d = pack_decision(t, d);
	r->in_force = true;
	if (d->id > t->newest_id)
		t->newest_id = d->id;
	count_record(t, r, true);
	TAILQ_INSERT_TAIL(&t->active, r, list);
	fmp_hmap_add(&t->records, r);
	t->n_active++;
	return r;
}

void fmpd_table_set_result(struct fmpd_decision_table *t, struct fmpd_record *r, unsigned layer,
			   const struct fmp_layer_result *result)
{
	static const struct fmp_layer_result none;
	const char *before = fmpd_table_result_text(t, r, layer);

	if (!result)
		result = &none;
	count_result(t, r, layer, false);
	r->states[layer] = (uint8_t)result->state;
	r->result_texts[layer] = fmp_intern_number(fmp_intern_hold(&t->texts, result->text));
	fmp_intern_drop(&t->texts, before);
	if (!r->failure && result->state == FMP_LAYER_RESULT_FAILED)
		r->failure = calloc(1, sizeof(*r->failure));
	if (r->failure)
		r->failure->sys_errno[layer] = result->sys_errno;
	count_result(t, r, layer, true);
}

void fmpd_table_drop_mac(struct fmpd_decision_table *t, struct fmpd_record *r,
			 enum fmp_mac_veto veto)
{
	count_record(t, r, false);
	r->d.has_mac = false;
	r->d.mac_veto = (uint8_t)veto;
	count_record(t, r, true);
}

void fmpd_table_drop_pair(struct fmpd_decision_table *t, struct fmpd_record *r,
			  enum fmp_mac_veto veto)
{
	r->d.has_pair = false;
	fmpd_table_drop_mac(t, r, veto);
}

void fmpd_table_expire_macs(struct fmpd_decision_table *t, uint64_t now_ms)
{
	struct fmpd_record *r;

	if (now_ms < t->first_mac_end_ms)
		return;
	t->first_mac_end_ms = UINT64_MAX;
	TAILQ_FOREACH(r, &t->active, list)
	{
		if (fmpd_record_mac_expired(r, now_ms))
			fmpd_table_drop_mac(t, r, FMP_MAC_RANDOM);
		else if (get_mac_end_ms(r) < t->first_mac_end_ms)
			t->first_mac_end_ms = get_mac_end_ms(r);
	}
}

void fmpd_table_set_reason(struct fmpd_decision_table *t, struct fmpd_record *r, const char *reason)
{
	const char *before = r->d.reason;

	r->d.reason = fmp_intern_hold(&t->texts, reason);
	fmp_intern_drop(&t->texts, before);
}

void fmpd_table_end(struct fmpd_decision_table *t, struct fmpd_record *r)
{
	if (!r->in_force)
		return;
	count_record(t, r, false);
	unlink_active(t, r);
	r->in_force = false;
	count_record(t, r, true);
	TAILQ_INSERT_HEAD(&t->ended, r, list);
	if (++t->n_ended > FMPD_TABLE_ENDED_MAX)
		free_record(t, TAILQ_LAST(&t->ended, record_list));
}

struct fmpd_record *fmpd_table_lookup_exact(struct fmpd_decision_table *t,
					    const struct fmp_addr *source)
{
	return fmp_hmap_find(&t->records, source);
}

static struct fmpd_record *find_covering(const struct record_list *list,
					 const struct fmp_addr *addr)
{
	struct fmpd_record *r;

	TAILQ_FOREACH(r, list, list)
	{
		struct fmp_addr mac = fmpd_packed_mac(&r->d);

		if (fmp_addr_contains(&r->d.source, addr) ||
		    (mac.family && fmp_addr_equal(&mac, addr)))
			return r;
	}
	return NULL;
}

struct fmpd_record *fmpd_table_lookup(struct fmpd_decision_table *t, const struct fmp_addr *addr)
{
	struct fmpd_record *r = fmpd_table_lookup_exact(t, addr);

	if (r && r->in_force)
		return r;
	r = find_covering(&t->active, addr);
	return r ? r : find_covering(&t->ended, addr);
}

struct fmpd_record *fmpd_table_narrowest(struct fmpd_decision_table *t, const struct fmp_addr *addr,
					 unsigned below)
{
	const uint32_t *lengths = get_lengths(t, addr);

	while (below--) {
		struct fmp_addr a = fmp_addr_mask(*addr, (uint8_t)below);
		struct fmpd_record *r = lengths[below] ? fmpd_table_lookup_exact(t, &a) : NULL;

		if (r && r->in_force)
			return r;
	}
	return NULL;
}

struct fmpd_record *fmpd_table_first(struct fmpd_decision_table *t)
{
	return TAILQ_FIRST(&t->active);
}

struct fmpd_record *fmpd_table_first_ended(struct fmpd_decision_table *t)
{
	return TAILQ_FIRST(&t->ended);
}

struct fmpd_record *fmpd_table_next(struct fmpd_record *r)
{
	return TAILQ_NEXT(r, list);
}

void fmpd_table_cursor_rewind(struct fmpd_decision_table *t, enum fmpd_cursor cursor)
{
	t->cursors[cursor] = TAILQ_FIRST(&t->active);
}

struct fmpd_record *fmpd_table_cursor_next(struct fmpd_decision_table *t, enum fmpd_cursor cursor)
{
	struct fmpd_record *r = t->cursors[cursor];

	if (r)
		t->cursors[cursor] = TAILQ_NEXT(r, list);
	return r;
}

size_t fmpd_table_in_force(const struct fmpd_decision_table *t)
{
	return t->n_active;
}

uint64_t fmpd_table_newest_id(const struct fmpd_decision_table *t)
{
	return t->newest_id;
}

uint64_t fmpd_record_left_ms(const struct fmpd_record *r, uint64_t now_ms)
{
	uint64_t until_ms = r->d.time_ms + r->d.duration_ms;

	if (!r->d.duration_ms)
		return 0;
	return until_ms > now_ms ? until_ms - now_ms : 1;
}

uint64_t fmpd_record_mac_left_ms(const struct fmpd_record *r, uint64_t now_ms)
{
	uint64_t until_ms = r->d.time_ms + UINT64_C(1000) * r->d.mac_s;

	if (!r->d.mac_s)
		return 0;
	return until_ms > now_ms ? until_ms - now_ms : 1;
}

bool fmpd_record_mac_expired(const struct fmpd_record *r, uint64_t now_ms)
{
	return now_ms >= get_mac_end_ms(r);
}

const char *fmpd_table_result_text(const struct fmpd_decision_table *t, const struct fmpd_record *r,
				   unsigned layer)
{
	return fmp_intern_get(&t->texts, r->result_texts[layer]);
}

const char *fmpd_table_set_name(const struct fmpd_decision_table *t, const struct fmpd_record *r)
{
	return fmp_intern_get(&t->texts, r->d.set);
}

int fmpd_record_errno(const struct fmpd_record *r, unsigned layer)
{
	return r->failure ? r->failure->sys_errno[layer] : 0;
}

uint32_t fmpd_record_tries(const struct fmpd_record *r)
{
	return r->failure ? r->failure->tries : 0;
}

void fmpd_record_clear_retry(struct fmpd_record *r)
{
	if (r->failure)
		r->failure->retry_ms = r->failure->tries = 0;
}

unsigned fmpd_record_failed_layers(const struct fmpd_record *r)
{
	unsigned bits = 0;

	for (unsigned l = 0; l < FMP_LAYERS; l++)
		if (r->states[l] == FMP_LAYER_RESULT_FAILED)
			bits |= FMP_LAYER_BIT(l);
	return bits;
}

const char *fmpd_result_name(enum fmp_layer_result_state state)
{
	switch (state) {
	case FMP_LAYER_RESULT_ENFORCED:
		return "enforced";
	case FMP_LAYER_RESULT_FAILED:
		return "failed";
	case FMP_LAYER_RESULT_OBSERVED:
		return "observed";
	default:
		return "absent";
	}
}
