// SPDX-License-Identifier: GPL-2.0
#include "decision_table.h"

#include <stdlib.h>
#include <string.h>

#include <fmp/internal/string_intern.h>

#include "mac_index.h"

#define BUCKETS_FIRST 256u

TAILQ_HEAD(record_list, fmpd_record);
SLIST_HEAD(record_chain, fmpd_record);

struct fmpd_book {
	uint64_t seed;
	struct record_list force, ended;
	size_t n_force, n_ended;
	uint64_t newest_id;
	struct fmpd_record *walks[FMPD_WALKS]; /* in force, the next of each; NULL: it is over */
	struct record_chain *chains;
	size_t buckets, base,
		cap; /* base: a power of two; base <= buckets <= 2 * base, cap of them */
	struct fmp_intern texts;
	struct fmpd_book_rules rules[FMP_LAYERS];
	uint32_t holders[FMP_LAYERS_ALL + 1]; /* blocks in force, by the layers that can hold them */
	struct fmpd_macs macs;
	uint64_t mac_end_ms; /* no MAC's own time is over before; UINT64_MAX: none has one */
};

static struct record_chain *chain_of(struct fmpd_book *b, const struct fmp_addr *source)
{
	size_t at = fmp_addr_hash(source, b->seed) & (2 * b->base - 1);

	return &b->chains[at < b->buckets ? at : at & (b->base - 1)];
}

/*
 * One chain more as the records outgrow them, made of a part of another: nobody waits until tens of
 * thousands have found their new places. Without memory chains only get longer.
 */
static void grow(struct fmpd_book *b)
{
	struct record_chain *more, *split;
	struct fmpd_record *r, *next;

	if (b->buckets == b->cap) {
		more = reallocarray(b->chains, 2 * b->cap, sizeof(*more));
		if (!more)
			return;
		b->chains = more;
		b->cap *= 2;
	}
	if (b->buckets == 2 * b->base)
		b->base *= 2;
	split = &b->chains[b->buckets - b->base];
	SLIST_INIT(&b->chains[b->buckets++]);
	r = SLIST_FIRST(split);
	SLIST_INIT(split);
	for (; r; r = next) {
		next = SLIST_NEXT(r, chain);
		SLIST_INSERT_HEAD(chain_of(b, &r->d.source), r, chain);
	}
}

struct fmpd_book *fmpd_book_new(uint64_t seed)
{
	struct fmpd_book *b = calloc(1, sizeof(*b));

	if (!b)
		return NULL;
	b->buckets = b->base = b->cap = BUCKETS_FIRST;
	b->chains = calloc(b->buckets, sizeof(*b->chains));
	if (!b->chains) {
		free(b);
		return NULL;
	}
	b->seed = b->macs.seed = seed;
	b->mac_end_ms = UINT64_MAX;
	TAILQ_INIT(&b->force);
	TAILQ_INIT(&b->ended);
	return b;
}

/* ---- counted in rules ---- */

/* A little early: the kernel's own clock has ended it, or does so now. */
static uint64_t mac_end_ms(const struct fmpd_record *r)
{
	if (!r->d.has_mac || !r->d.mac_s)
		return UINT64_MAX;
	return r->d.time_ms + UINT64_C(1000) * r->d.mac_s - 1000;
}

static unsigned targets_of(const struct fmpd_record *r, unsigned layer, struct fmp_addr out[2])
{
	const struct fmp_decision d = { .source = r->d.source,
					.mac = fmpd_kept_mac(&r->d),
					.measure = r->d.measure,
					.dest_port = r->d.dest_port };

	return r->d.layers & FMP_LAYER_BIT(layer) ? fmp_decision_targets(&d, layer, out) : 0;
}

static void count_answer(struct fmpd_book *b, const struct fmpd_record *r, unsigned layer,
			 bool more)
{
	struct fmpd_book_rules *n = &b->rules[layer];
	struct fmp_addr targets[2];
	uint32_t k;

	if (r->states[layer] != FMP_LAYER_RESULT_FAILED &&
	    r->states[layer] != FMP_LAYER_RESULT_ENFORCED)
		return;
	k = targets_of(r, layer, targets);
	if (r->states[layer] == FMP_LAYER_RESULT_FAILED)
		*(r->in_force ? &n->failed : &n->unended) += more ? k : -k;
	else if (r->in_force)
		n->enforced += more ? k : -k;
}

static void count_wanted(struct fmpd_book *b, const struct fmpd_record *r, unsigned layer,
			 bool more)
{
	struct fmpd_book_rules *n = &b->rules[layer];
	struct fmp_addr targets[2];

	for (unsigned k = targets_of(r, layer, targets); k--;) {
		if (targets[k].family != FMP_FAMILY_MAC)
			n->wanted += more ? 1u : -1u;
		else if (more)
			n->wanted += fmpd_macs_add(&b->macs, &targets[k], layer);
		else
			n->wanted -= fmpd_macs_del(&b->macs, &targets[k], layer);
	}
}

unsigned fmpd_record_holders(const struct fmpd_record *r)
{
	struct fmp_addr targets[2];
	unsigned bits = 0;

	for (unsigned l = 0; l < FMP_LAYERS; l++)
		bits |= targets_of(r, l, targets) ? FMP_LAYER_BIT(l) : 0;
	return bits;
}

/* Before a change of a record its part is taken out of the counts, and put back behind it. */
static void count(struct fmpd_book *b, const struct fmpd_record *r, bool more)
{
	for (unsigned l = 0; l < FMP_LAYERS; l++) {
		count_answer(b, r, l, more);
		if (r->in_force)
			count_wanted(b, r, l, more);
	}
	if (r->in_force && r->d.layers)
		b->holders[fmpd_record_holders(r)] += more ? 1u : -1u;
	if (more && r->in_force && mac_end_ms(r) < b->mac_end_ms)
		b->mac_end_ms = mac_end_ms(r);
}

const struct fmpd_book_rules *fmpd_book_rules(const struct fmpd_book *b)
{
	return b->rules;
}

uint32_t fmpd_book_unheld(const struct fmpd_book *b, unsigned layers)
{
	uint32_t n = 0;

	for (unsigned bits = 0; bits <= FMP_LAYERS_ALL; bits++)
		n += bits & layers ? 0 : b->holders[bits];
	return n;
}

bool fmpd_book_has_mac(const struct fmpd_book *b, const struct fmp_addr *mac, unsigned layer)
{
	return fmpd_macs_has(&b->macs, mac, layer);
}

/* ---- records ---- */

static void leave_force(struct fmpd_book *b, struct fmpd_record *r)
{
	for (unsigned w = 0; w < FMPD_WALKS; w++)
		if (b->walks[w] == r)
			b->walks[w] = TAILQ_NEXT(r, list);
	TAILQ_REMOVE(&b->force, r, list);
	b->n_force--;
}

static void forget(struct fmpd_book *b, struct fmpd_record *r)
{
	count(b, r, false);
	if (r->in_force) {
		leave_force(b, r);
	} else {
		TAILQ_REMOVE(&b->ended, r, list);
		b->n_ended--;
	}
	SLIST_REMOVE(chain_of(b, &r->d.source), r, fmpd_record, chain);
	fmp_intern_drop(&b->texts, r->d.reason);
	fmp_intern_drop(&b->texts, fmpd_book_set(b, r));
	for (unsigned l = 0; l < FMP_LAYERS; l++)
		fmp_intern_drop(&b->texts, fmpd_book_words(b, r, l));
	free(r->refused);
	free(r);
}

void fmpd_book_free(struct fmpd_book *b)
{
	struct fmpd_record *r;

	if (!b)
		return;
	while ((r = TAILQ_FIRST(&b->force)))
		forget(b, r);
	while ((r = TAILQ_FIRST(&b->ended)))
		forget(b, r);
	fmp_intern_exit(&b->texts);
	fmpd_macs_free(&b->macs);
	free(b->chains);
	free(b);
}

/* In whole seconds, rounded up; of what is longer than these can say, as long as they can. */
static uint32_t seconds_of(uint64_t ms)
{
	uint64_t s = ms / 1000 + (ms % 1000 != 0);

	return s > UINT32_MAX ? UINT32_MAX : (uint32_t)s;
}

static struct fmpd_kept keep(struct fmpd_book *b, const struct fmp_decision *d)
{
	struct fmpd_kept k = {
		.id = d->id,
		.time_ms = d->time_ms,
		.duration_ms = d->duration_ms,
		.reason = fmp_intern_hold(&b->texts, d->reason),
		.set = fmp_intern_number(fmp_intern_hold(&b->texts, d->set)),
		.rate = d->rate,
		.mac_s = seconds_of(d->mac_ms),
		.dest_port = d->dest_port,
		.action = (uint8_t)d->action,
		.mac_veto = (uint8_t)d->mac_veto,
		.layers = (uint8_t)d->layers,
		.measure = (uint8_t)d->measure,
		.manual = d->manual,
		.source = d->source,
	};

	k.has_mac = d->mac.family == FMP_FAMILY_MAC;
	k.has_pair = d->pair_mac.family == FMP_FAMILY_MAC;
	memcpy(k.mac, k.has_mac ? d->mac.bytes : d->pair_mac.bytes, sizeof(k.mac));
	return k;
}

struct fmp_addr fmpd_kept_mac(const struct fmpd_kept *k)
{
	return k->has_mac ? fmp_addr_mac(k->mac) : (struct fmp_addr){ 0 };
}

struct fmp_addr fmpd_kept_pair_mac(const struct fmpd_kept *k)
{
	return k->has_pair ? fmp_addr_mac(k->mac) : (struct fmp_addr){ 0 };
}

struct fmp_decision fmpd_record_decision(const struct fmpd_record *r)
{
	const struct fmpd_kept *k = &r->d;
	struct fmp_decision d = {
		.id = k->id,
		.action = k->action,
		.source = k->source,
		.mac = fmpd_kept_mac(k),
		.pair_mac = fmpd_kept_pair_mac(k),
		.mac_veto = k->mac_veto,
		.layers = k->layers,
		.time_ms = k->time_ms,
		.duration_ms = k->duration_ms,
		.mac_ms = UINT64_C(1000) * k->mac_s,
		.measure = k->measure,
		.rate = k->rate,
		.dest_port = k->dest_port,
		.manual = k->manual,
	};

	memcpy(d.reason, k->reason, strnlen(k->reason, sizeof(d.reason) - 1));
	return d;
}

struct fmpd_record *fmpd_book_put(struct fmpd_book *b, const struct fmp_decision *d)
{
	struct fmpd_record *old = fmpd_book_find(b, &d->source), *r = calloc(1, sizeof(*r));

	if (!r)
		return NULL;
	if (old)
		forget(b, old);
	r->d = keep(b, d);
	r->in_force = true;
	if (d->id > b->newest_id)
		b->newest_id = d->id;
	count(b, r, true);
	if (b->n_force + b->n_ended >= b->buckets)
		grow(b);
	TAILQ_INSERT_TAIL(&b->force, r, list);
	SLIST_INSERT_HEAD(chain_of(b, &d->source), r, chain);
	b->n_force++;
	return r;
}

void fmpd_book_answer(struct fmpd_book *b, struct fmpd_record *r, unsigned layer,
		      const struct fmp_layer_result *answer)
{
	static const struct fmp_layer_result none;
	const char *before = fmpd_book_words(b, r, layer);

	if (!answer)
		answer = &none;
	count_answer(b, r, layer, false);
	r->states[layer] = (uint8_t)answer->state;
	r->words[layer] = fmp_intern_number(fmp_intern_hold(&b->texts, answer->text));
	fmp_intern_drop(&b->texts, before);
	if (!r->refused && answer->state == FMP_LAYER_RESULT_FAILED)
		r->refused = calloc(1, sizeof(*r->refused));
	if (r->refused)
		r->refused->sys_errno[layer] = answer->sys_errno;
	count_answer(b, r, layer, true);
}

void fmpd_book_drop_mac(struct fmpd_book *b, struct fmpd_record *r, enum fmp_mac_veto veto)
{
	count(b, r, false);
	r->d.has_mac = false;
	r->d.mac_veto = (uint8_t)veto;
	count(b, r, true);
}

void fmpd_book_drop_pair(struct fmpd_book *b, struct fmpd_record *r, enum fmp_mac_veto veto)
{
	r->d.has_pair = false;
	fmpd_book_drop_mac(b, r, veto);
}

void fmpd_book_end_macs(struct fmpd_book *b, uint64_t now_ms)
{
	struct fmpd_record *r;

	if (now_ms < b->mac_end_ms)
		return;
	b->mac_end_ms = UINT64_MAX;
	TAILQ_FOREACH(r, &b->force, list)
	{
		if (fmpd_record_mac_over(r, now_ms))
			fmpd_book_drop_mac(b, r, FMP_MAC_RANDOM);
		else if (mac_end_ms(r) < b->mac_end_ms)
			b->mac_end_ms = mac_end_ms(r);
	}
}

void fmpd_book_reason(struct fmpd_book *b, struct fmpd_record *r, const char *reason)
{
	const char *before = r->d.reason;

	r->d.reason = fmp_intern_hold(&b->texts, reason);
	fmp_intern_drop(&b->texts, before);
}

void fmpd_book_end(struct fmpd_book *b, struct fmpd_record *r)
{
	if (!r->in_force)
		return;
	count(b, r, false);
	leave_force(b, r);
	r->in_force = false;
	count(b, r, true);
	TAILQ_INSERT_HEAD(&b->ended, r, list);
	if (++b->n_ended > FMPD_BOOK_ENDED)
		forget(b, TAILQ_LAST(&b->ended, record_list));
}

struct fmpd_record *fmpd_book_find(struct fmpd_book *b, const struct fmp_addr *source)
{
	struct fmpd_record *r;

	SLIST_FOREACH(r, chain_of(b, source), chain)
	if (fmp_addr_equal(&r->d.source, source))
		return r;
	return NULL;
}

static struct fmpd_record *covering(const struct record_list *list, const struct fmp_addr *addr)
{
	struct fmpd_record *r;

	TAILQ_FOREACH(r, list, list)
	{
		struct fmp_addr mac = fmpd_kept_mac(&r->d);

		if (fmp_addr_contains(&r->d.source, addr) ||
		    (mac.family && fmp_addr_equal(&mac, addr)))
			return r;
	}
	return NULL;
}

struct fmpd_record *fmpd_book_cover(struct fmpd_book *b, const struct fmp_addr *addr)
{
	struct fmpd_record *r = fmpd_book_find(b, addr);

	if (r && r->in_force)
		return r;
	r = covering(&b->force, addr);
	return r ? r : covering(&b->ended, addr);
}

struct fmpd_record *fmpd_book_first(struct fmpd_book *b)
{
	return TAILQ_FIRST(&b->force);
}

struct fmpd_record *fmpd_book_first_ended(struct fmpd_book *b)
{
	return TAILQ_FIRST(&b->ended);
}

struct fmpd_record *fmpd_book_next(struct fmpd_record *r)
{
	return TAILQ_NEXT(r, list);
}

void fmpd_book_walk(struct fmpd_book *b, enum fmpd_walk walk)
{
	b->walks[walk] = TAILQ_FIRST(&b->force);
}

struct fmpd_record *fmpd_book_walk_next(struct fmpd_book *b, enum fmpd_walk walk)
{
	struct fmpd_record *r = b->walks[walk];

	if (r)
		b->walks[walk] = TAILQ_NEXT(r, list);
	return r;
}

size_t fmpd_book_in_force(const struct fmpd_book *b)
{
	return b->n_force;
}

uint64_t fmpd_book_newest_id(const struct fmpd_book *b)
{
	return b->newest_id;
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

bool fmpd_record_mac_over(const struct fmpd_record *r, uint64_t now_ms)
{
	return now_ms >= mac_end_ms(r);
}

const char *fmpd_book_words(const struct fmpd_book *b, const struct fmpd_record *r, unsigned layer)
{
	return fmp_intern_get(&b->texts, r->words[layer]);
}

const char *fmpd_book_set(const struct fmpd_book *b, const struct fmpd_record *r)
{
	return fmp_intern_get(&b->texts, r->d.set);
}

int fmpd_record_errno(const struct fmpd_record *r, unsigned layer)
{
	return r->refused ? r->refused->sys_errno[layer] : 0;
}

uint32_t fmpd_record_tries(const struct fmpd_record *r)
{
	return r->refused ? r->refused->tries : 0;
}

void fmpd_record_settled(struct fmpd_record *r)
{
	if (r->refused)
		r->refused->retry_ms = r->refused->tries = 0;
}

unsigned fmpd_record_failed(const struct fmpd_record *r)
{
	unsigned bits = 0;

	for (unsigned l = 0; l < FMP_LAYERS; l++)
		if (r->states[l] == FMP_LAYER_RESULT_FAILED)
			bits |= FMP_LAYER_BIT(l);
	return bits;
}

const char *fmpd_answer_word(enum fmp_layer_result_state state)
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
