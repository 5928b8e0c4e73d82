// SPDX-License-Identifier: GPL-2.0
/*
 * Blocks that were in force before fmpd started: every layer is read once, rules
 * of one address or of one decision become one block again, with the time
 * that is left of it. What a layer lacks, the first reconcile puts there.
 */
#include "plane_private.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "clock.h"
#include "log.h"

static int found_rule(const struct fmp_rule *rule, void *ctx)
{
	struct plane_found *f = ctx;
	struct fmp_decision *d;

	if (f->n == f->cap) {
		size_t cap = f->cap ? f->cap * 2 : 64;

		d = realloc(f->blocks, cap * sizeof(*d));
		if (!d)
			return FMP_ERR_NOMEM;
		f->blocks = d;
		f->cap = cap;
	}
	d = &f->blocks[f->n++];
	*d = (struct fmp_decision){ .id = rule->id,
				    .action = FMP_ACTION_BLOCK,
				    .source = rule->addr,
				    .measure = rule->rate ? FMP_MEASURE_LIMIT : FMP_MEASURE_BLOCK,
				    .rate = rule->rate,
				    .dest_port = rule->dest_port,
				    .mac_veto = FMP_MAC_UNKNOWN,
				    .layers = FMP_LAYER_BIT(f->layer),
				    .time_ms = f->now_ms,
				    .duration_ms = rule->left_ms,
				    .reason = "found in force when fmpd started" };
	if (rule->id > f->max_id)
		f->max_id = rule->id;
	return 0;
}

/* Of one source what binds most first: a block before a limit, all ports before one. */
static int by_source(const void *a, const void *b)
{
	const struct fmp_decision *x = a, *y = b;
	int c = fmp_addr_compare(&x->source, &y->source);

	if (!c)
		c = (int)x->dest_port - (int)y->dest_port;
	return c ? c : (int)x->measure - (int)y->measure;
}

/* By id, and of one id IP addresses before the MAC: that is the order of the families. */
static int by_id(const void *a, const void *b)
{
	const struct fmp_decision *x = a, *y = b;

	if (x->id != y->id)
		return x->id < y->id ? -1 : 1;
	return (int)fmp_addr_is_ip(&y->source) - (int)fmp_addr_is_ip(&x->source);
}

/* The later end of two; 0 is without end. */
static uint64_t longer(uint64_t a, uint64_t b)
{
	if (!a || !b)
		return 0;
	return a > b ? a : b;
}

/*
 * Rules of one address on several layers are one. Of several that do different
 * things the first stands; the first reconcile takes the others away.
 */
static void merge_addresses(struct plane_found *f)
{
	size_t n = 0;

	qsort(f->blocks, f->n, sizeof(*f->blocks), by_source);
	for (size_t i = 0; i < f->n; i++) {
		const struct fmp_decision *d = &f->blocks[i];
		struct fmp_decision *last = n ? &f->blocks[n - 1] : NULL;

		if (!last || !fmp_addr_equal(&last->source, &d->source)) {
			f->blocks[n++] = *d;
			continue;
		}
		if (d->dest_port != last->dest_port || d->measure != last->measure)
			continue;
		last->layers |= d->layers;
		last->duration_ms = longer(last->duration_ms, d->duration_ms);
		if (d->id > last->id)
			last->id = d->id;
	}
	f->n = n;
}

/* An IP address and a MAC under one id are one decision. */
static void merge_ids(struct plane_found *f)
{
	size_t n = 0;

	qsort(f->blocks, f->n, sizeof(*f->blocks), by_id);
	for (size_t i = 0; i < f->n; i++) {
		struct fmp_decision *d = &f->blocks[i];
		struct fmp_decision *last = n ? &f->blocks[n - 1] : NULL;

		if (!last || !d->id || last->id != d->id) {
			f->blocks[n++] = *d;
			continue;
		}
		if (fmp_addr_is_ip(&last->source) && !last->mac.family &&
		    d->source.family == FMP_FAMILY_MAC) {
			last->mac = d->source;
			last->mac_veto = FMP_MAC_OK;
			last->layers |= d->layers;
			if (fmp_mac_is_local(&d->source))
				last->mac_ms = d->duration_ms;
			last->duration_ms = longer(last->duration_ms, d->duration_ms);
			continue;
		}
		f->blocks[n] = *d;
		f->blocks[n++].id = 0; /* one id, one block: this one gets a new one */
	}
	f->n = n;
}

int plane_collect(struct fmpd_plane *p, struct plane_found *f, struct fmp_error *err)
{
	int rc;

	*f = (struct plane_found){ .now_ms = fmpd_now_ms() };
	rc = fmp_enforcer_survey(p->enforcer, &p->survey, err);
	if (rc)
		return rc;
	p->surveyed_ms = f->now_ms;
	for (f->layer = 0; f->layer < FMP_LAYERS; f->layer++) {
		if (!(fmp_enforcer_layers(p->enforcer) & FMP_LAYER_BIT(f->layer)))
			continue;
		rc = fmp_survey_each(p->survey, f->layer, found_rule, f, err);
		if (rc == FMP_ERR_NOMEM) {
			free(f->blocks);
			return fmp_error_set(err, rc, "no memory for the rules in force");
		}
		/* One layer that can't be read is no reason to forget what the others hold. */
		if (rc)
			fmpd_log_error(FMPD_WARNING, "adopt", fmp_layer_name(f->layer), err);
	}
	if (f->n) {
		merge_addresses(f);
		merge_ids(f);
	}
	return 0;
}

static bool adopt_one(struct fmpd_plane *p, struct fmp_decision *d)
{
	struct fmp_source_info row;
	struct fmpd_record *r;
	struct fmp_error err;
	int rc;

	if (plane_forbidden(p, &d->source, &err)) {
		fmpd_log_error(FMPD_WARNING, "adopt", "a block is not adopted", &err);
		return false;
	}
	if (d->mac.family && fmp_protect_check(p->protect, &d->mac)) {
		d->mac = (struct fmp_addr){ 0 };
		d->mac_veto = FMP_MAC_PROTECTED;
	}
	d->layers |= p->policy->block.layers;
	rc = fmp_engine_adopt(p->engine, d, d->time_ms);
	r = rc == FMP_ERR_EXISTS ? fmpd_book_find(p->book, &d->source) : NULL;
	if (r && r->in_force) /* the state file knew it, and more of it */
		return true;
	if (rc) {
		fmpd_log(FMPD_WARNING, "adopt", "a block is not adopted: %s", fmp_code_name(rc));
		return false;
	}
	if (!fmp_engine_get(p->engine, &d->source, d->time_ms, &row) && row.decision_id)
		d->id = row.decision_id;
	r = fmpd_book_put(p->book, d);
	if (!r)
		return false;
	r->threshold_ns = r->answered_ns = fmpd_now_ns();
	return true;
}

void plane_adopt(struct fmpd_plane *p, struct plane_found *f)
{
	static const struct fmp_answer enforced = { .state = FMP_ANSWER_ENFORCED };
	size_t adopted = 0;

	for (size_t i = 0; i < f->n; i++) {
		unsigned there = f->blocks[i].layers;
		struct fmpd_record *r;

		if (!adopt_one(p, &f->blocks[i]))
			continue;
		adopted++;
		r = fmpd_book_find(p->book, &f->blocks[i].source);
		for (unsigned l = 0; r && l < FMP_LAYERS; l++)
			if (there & FMP_LAYER_BIT(l))
				fmpd_book_answer(p->book, r, l, &enforced);
	}
	if (f->n)
		fmpd_log(FMPD_NOTICE, "adopt", "%zu of %zu blocks found in force are adopted",
			 adopted, f->n);
	free(f->blocks);
	f->blocks = NULL;
}
