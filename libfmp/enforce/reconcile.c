// SPDX-License-Identifier: GPL-2.0
/* Compares the wanted blocks with the kernel's, in steps with other work in between (invariant
 * 5). */
#include <fmp/enforce.h>

#include <stdlib.h>

#include <enforce/enforcer.h>

/* Bounds for one step: changes, and pairs looked at. */
#define CHANGES_MAX 256u
#define LOOKS_MAX   1024u
/* The cost of querying one rule, in pairs looked at. */
#define QUERY_LOOKS 16u
/* Expiry runs once a second, and MACs expire in whole seconds. */
#define ENDING_MS   2000u

/* ---- what should be ---- */

static int want_on_layer(struct fmp_snapshot *s, const struct fmp_decision *d, unsigned layer)
{
	struct fmpi_change c[2];
	bool skipped_protected;
	unsigned n;

	if (d->action != FMP_ACTION_BLOCK || !(d->layers & FMP_LAYER_BIT(layer)))
		return 0;
	n = fmpi_enforcer_changes(s->e, d, layer, c, &skipped_protected);
	for (unsigned i = 0; i < n; i++) {
		const struct fmp_rule r = { .addr = c[i].addr,
					    .pair_mac = c[i].pair_mac,
					    .id = c[i].id,
					    .left_ms = c[i].left_ms,
					    .rate = c[i].rate,
					    .dest_port = c[i].dest_port };

		if (fmpi_rule_diff_want(&s->layers[layer].pairs, &r))
			return FMP_ERR_NOMEM;
	}
	return 0;
}

int fmp_snapshot_want(struct fmp_snapshot *s, const struct fmp_decision *d, struct fmp_error *err)
{
	for (unsigned l = 0; l < FMP_LAYERS; l++)
		if (s->layers[l].asked && want_on_layer(s, d, l))
			return fmp_error_set(err, FMP_ERR_NOMEM, "out of memory");
	return 0;
}

/* ---- what is ---- */

/* Query a rule that a torn dump may have missed. Return: is it present? */
static bool query_rule(struct fmp_snapshot *s, unsigned layer, struct fmpi_rule_pair *p,
		       uint64_t now_ms)
{
	const struct fmp_rule key = { .addr = p->addr,
				      .pair_mac = p->pair_mac,
				      .rate = p->want_rate,
				      .dest_port = p->dest_port };
	uint64_t passed = now_ms > s->begun_ms ? now_ms - s->begun_ms : 0;
	struct fmp_rule r;

	if (!s->e->slots[layer].l->ops->find || fmp_enforcer_find(s->e, layer, &key, &r, NULL))
		return false;
	p->there = true;
	p->there_rate = r.rate;
	p->there_left_ms = r.left_ms ? r.left_ms + passed : 0;
	return true;
}

/*
 * Does a rule expire about now? The kernel's timer and the owner of the decision table notice it
 * one after the other: a rule that only one of them has ended is neither missing nor foreign.
 */
static bool is_ending(const struct fmpi_rule_pair *p, uint64_t passed)
{
	uint64_t left = p->wanted ? p->want_left_ms : p->there_left_ms;

	return p->wanted != p->there && left && left <= passed + ENDING_MS;
}

/* Compare one pair. Return: is *c a change that repairs it? */
static bool compare_pair(struct fmp_snapshot *s, unsigned layer, const struct fmpi_rule_pair *p,
			 uint64_t now_ms, struct fmpi_change *c)
{
	uint64_t passed = now_ms > s->begun_ms ? now_ms - s->begun_ms : 0;
	struct fmp_reconciled *sum = &s->sum;

	if (!p->touched && is_ending(p, passed))
		return false;
	sum->wanted[layer] += p->wanted;
	if (p->touched || (!p->wanted && !p->there)) {
		sum->unverified[layer] += p->wanted;
		return false;
	}
	if (fmpi_rule_pair_agrees(p)) {
		sum->enforced[layer]++;
		return false;
	}
	sum->foreign[layer] += !p->wanted;
	*c = (struct fmpi_change){ .addr = p->addr,
				   .pair_mac = p->pair_mac,
				   .dest_port = p->dest_port,
				   .block = p->wanted,
				   .id = p->want_id,
				   .rate = p->wanted ? p->want_rate : p->there_rate };
	if (p->wanted && p->want_left_ms)
		c->left_ms = p->want_left_ms > passed ? p->want_left_ms - passed : 1;
	/* The protected set may have changed since the block was wanted. */
	if (c->block)
		return !fmpi_enforcer_is_protected(s->e, &c->addr) &&
		       (!c->pair_mac.family || !fmpi_enforcer_is_protected(s->e, &c->pair_mac));
	c->kept = !c->pair_mac.family && fmpi_enforcer_is_entry(s->e, &c->addr);
	return true;
}

/* ---- a layer's steps ---- */

static void repair_rules(struct fmp_snapshot *s, unsigned layer, struct fmpi_change *c, size_t n)
{
	struct fmp_reconciled *sum = &s->sum;

	fmpi_layer_apply(s->e->slots[layer].l, s->e->set, s->e->n_set, c, n);
	for (size_t i = 0; i < n; i++) {
		bool done = c[i].done && !c[i].result.sys_errno;

		sum->repaired[layer] += done;
		/* Wraps below zero until count_layer() adds the totals. */
		sum->missing[layer] -= done && c[i].block;
		sum->stray[layer] -= done && !c[i].block;
	}
}

static void count_layer(struct fmp_snapshot *s, unsigned layer)
{
	struct fmpi_snapshot_layer *one = &s->layers[layer];
	struct fmp_reconciled *sum = &s->sum;
	uint32_t stand = sum->enforced[layer] + sum->unverified[layer];

	/* An address in a set that no rule looks up is not blocked. */
	sum->enforced[layer] = one->intact ? stand : 0;
	sum->missing[layer] += sum->wanted[layer] - sum->enforced[layer];
	sum->stray[layer] += sum->foreign[layer];
	/* Blocks in a table without rules are in force again by the repair. */
	if (one->repairs && !one->intact) {
		sum->repaired[layer] += stand;
		sum->missing[layer] -= stand;
	}
	fmpi_rule_diff_free(&one->pairs);
}

/* Compare some more pairs. Return: 1 all are compared, 0, FMP_ERR_NOMEM. */
static int compare_pairs(struct fmp_snapshot *s, unsigned layer, uint64_t now_ms)
{
	struct fmpi_snapshot_layer *one = &s->layers[layer];
	struct fmpi_change *c = calloc(CHANGES_MAX, sizeof(*c));
	size_t n = 0;

	if (!c)
		return FMP_ERR_NOMEM;
	for (size_t looks = 0; one->at < one->pairs.n && looks < LOOKS_MAX && n < CHANGES_MAX;
	     looks++) {
		struct fmpi_rule_pair *p = &one->pairs.v[one->at++];

		if (one->torn && p->wanted && !p->there && !p->touched) {
			looks += QUERY_LOOKS;
			(void)query_rule(s, layer, p, now_ms);
		}
		n += compare_pair(s, layer, p, now_ms, &c[n]);
	}
	if (one->repairs && n)
		repair_rules(s, layer, c, n);
	free(c);
	if (one->at < one->pairs.n)
		return 0;
	count_layer(s, layer);
	return 1;
}

static int add_rules(struct fmpi_snapshot_layer *one)
{
	size_t end = one->rules.n - one->at > LOOKS_MAX ? one->at + LOOKS_MAX : one->rules.n;

	for (; one->at < end; one->at++)
		if (fmpi_rule_diff_found(&one->pairs, &one->rules.v[one->at]))
			return FMP_ERR_NOMEM;
	return one->at == one->rules.n;
}

static void check_structure(struct fmp_snapshot *s, unsigned layer, bool repair)
{
	struct fmpi_snapshot_layer *one = &s->layers[layer];
	const struct fmp_enforcer *e = s->e;
	struct fmpi_layer *l = e->slots[layer].l;
	bool answers = !l->ops->intact(l, e->set, e->n_set, &one->intact, NULL);

	/* A layer that can't be read is reported by "reachable"; it is no internal failure. */
	s->sum.reachable[layer] = answers && !one->rc;
	one->repairs = repair && (one->intact || !l->ops->build(l, e->set, e->n_set, NULL));
}

/* Run one step. Return: 1 the layer is done, 0 more follows, FMP_ERR_NOMEM. */
static int compare_layer(struct fmp_snapshot *s, unsigned layer, bool repair, uint64_t now_ms)
{
	struct fmpi_snapshot_layer *one = &s->layers[layer];
	int rc;

	switch (one->stage) {
	case FMPI_COMPARE_BEGIN:
		if (!one->asked || !s->e->slots[layer].up)
			return 1;
		if (one->rc)
			fmpi_rules_free(&one->rules);
		one->stage = one->rc ? FMPI_COMPARE_READ : FMPI_COMPARE_STRUCTURE;
		return 0;
	case FMPI_COMPARE_READ:
		rc = fmpi_snapshot_read(s, layer, now_ms);
		if (rc == 1)
			one->stage = FMPI_COMPARE_STRUCTURE;
		return rc < 0 ? rc : 0;
	case FMPI_COMPARE_STRUCTURE:
		check_structure(s, layer, repair);
		if (!s->sum.reachable[layer])
			one->rules.n = 0;
		one->stage = FMPI_COMPARE_ADD;
		return 0;
	case FMPI_COMPARE_ADD:
		rc = add_rules(one);
		if (rc != 1)
			return rc;
		fmpi_rules_free(&one->rules);
		one->at = 0;
		one->stage = FMPI_COMPARE_RULES;
		return 0;
	case FMPI_COMPARE_RULES:
		return compare_pairs(s, layer, now_ms);
	}
	return 1;
}

int fmp_snapshot_compare(struct fmp_snapshot *s, bool repair, uint64_t now_ms,
			 struct fmp_reconciled *out, struct fmp_error *err)
{
	int rc = 1;

	if (s->overrun)
		return fmp_error_set(err, FMP_ERR_AGAIN,
				     "too much was changed while they were compared");
	if (s->comparing < FMP_LAYERS) {
		rc = compare_layer(s, s->comparing, repair, now_ms);
		if (rc < 0)
			return fmp_error_set(err, rc, "out of memory");
		s->comparing += (unsigned)rc;
	}
	if (s->comparing < FMP_LAYERS)
		return 0;
	*out = s->sum;
	return 1;
}

/* ---- everything in one call ---- */

int fmp_enforcer_reconcile(struct fmp_enforcer *e, const struct fmp_decision *desired, size_t n,
			   bool repair, struct fmp_reconciled *out, struct fmp_error *err)
{
	struct fmp_snapshot *s;
	int rc;

	*out = (struct fmp_reconciled){ 0 };
	if (repair)
		fmp_enforcer_retry_layers(e);
	rc = fmp_enforcer_snapshot(e, 0, &s, err);
	if (rc)
		return rc;
	while (!rc)
		rc = fmp_snapshot_step(s, 0, err);
	for (size_t i = 0; rc == 1 && i < n; i++)
		if (fmp_snapshot_want(s, &desired[i], err))
			rc = FMP_ERR_NOMEM;
	if (rc == 1)
		rc = 0;
	while (!rc)
		rc = fmp_snapshot_compare(s, repair, 0, out, err);
	fmp_snapshot_free(s);
	return rc < 0 ? rc : 0;
}
