// SPDX-License-Identifier: GPL-2.0
/* What should be against what is (DESIGN: invariant 5). */
#include <fmp/enforce.h>

#include <stdlib.h>
#include <string.h>

#include <enforce/enforcer.h>

/*
 * A block whose end is off by more is put anew. The kernel's timers stand still
 * in suspend and ours do not: after a suspend this mends them.
 */
#define LEFT_TOLERANCE_MS     5000u
/* Tens of thousands take a busy machine seconds to dump: a part of a long time counts less. */
#define LEFT_TOLERANCE_PART   32u
#define LEFT_TOLERANCE_MAX_MS 60000u

static int by_key(const void *x, const void *y)
{
	return fmpi_rule_compare(x, y);
}

/* How long a block lives, comparable: without end is longest. */
static uint64_t life(uint64_t left_ms)
{
	return left_ms ? left_ms : UINT64_MAX;
}

static bool same_end(uint64_t a, uint64_t b)
{
	uint64_t off = a > b ? a - b : b - a, part = (a < b ? a : b) / LEFT_TOLERANCE_PART;

	if (!a || !b)
		return a == b;
	if (part > LEFT_TOLERANCE_MAX_MS)
		part = LEFT_TOLERANCE_MAX_MS;
	return off <= LEFT_TOLERANCE_MS || off <= part;
}

/* Does it do to packets what it should, until when it should? */
static bool same_effect(const struct fmp_rule *a, const struct fmp_rule *b)
{
	return a->rate == b->rate && same_end(a->left_ms, b->left_ms);
}

/* Sorts; of the same address, as two sources behind one MAC have it, the longest stands. */
static void sort_unique(struct fmpi_rules *r)
{
	size_t kept = 0;

	if (!r->n)
		return;
	qsort(r->v, r->n, sizeof(*r->v), by_key);
	for (size_t i = 1; i < r->n; i++) {
		if (fmpi_rule_compare(&r->v[i], &r->v[kept]))
			r->v[++kept] = r->v[i];
		else if (life(r->v[i].left_ms) > life(r->v[kept].left_ms))
			r->v[kept] = r->v[i];
	}
	r->n = kept + 1;
}

/* The rules that a layer should have. Return: 0, FMP_ERR_NOMEM. */
static int want(const struct fmp_enforcer *e, const struct fmp_decision *desired, size_t n,
		enum fmp_layer layer, struct fmpi_rules *out)
{
	for (size_t i = 0; i < n; i++) {
		struct fmpi_change c[2];
		unsigned k;
		bool spared;

		if (desired[i].action != FMP_ACTION_BLOCK ||
		    !(desired[i].layers & FMP_LAYER_BIT(layer)))
			continue;
		k = fmpi_enforcer_changes(e, &desired[i], layer, c, &spared);
		while (k--) {
			struct fmp_rule r = { .addr = c[k].addr,
					      .id = c[k].id,
					      .left_ms = c[k].left_ms,
					      .rate = c[k].rate,
					      .dest_port = c[k].dest_port };

			if (fmpi_rules_push(out, &r))
				return FMP_ERR_NOMEM;
		}
	}
	sort_unique(out);
	return 0;
}

struct comparison {
	struct fmpi_change *c; /* what would mend it */
	size_t n;
	uint32_t same, foreign;
};

static void note(struct comparison *o, const struct fmp_rule *r, bool block)
{
	o->c[o->n++] = (struct fmpi_change){
		.addr = r->addr,
		.block = block,
		.id = r->id,
		.left_ms = block ? r->left_ms : 0,
		.rate = r->rate,
		.dest_port = r->dest_port,
	};
}

/* Both sorted. o->c has room for all of both. */
static void compare(const struct fmpi_rules *wanted, const struct fmpi_rules *there,
		    struct comparison *o)
{
	size_t w = 0, t = 0;

	while (w < wanted->n || t < there->n) {
		int c = w == wanted->n	? 1
			: t == there->n ? -1
					: by_key(&wanted->v[w], &there->v[t]);

		if (c < 0) {
			note(o, &wanted->v[w++], true);
		} else if (c > 0) {
			o->foreign++;
			note(o, &there->v[t++], false);
		} else {
			if (same_effect(&wanted->v[w], &there->v[t]))
				o->same++;
			else
				note(o, &wanted->v[w], true);
			w++;
			t++;
		}
	}
}

/* Of the changes those that put a block in, or take one out, and are done. */
static uint32_t count_done(const struct comparison *o, bool block)
{
	uint32_t done = 0;

	for (size_t i = 0; i < o->n; i++)
		done += o->c[i].block == block && o->c[i].done && !o->c[i].result.sys_errno;
	return done;
}

static int mend(struct fmp_enforcer *e, enum fmp_layer layer, bool intact, struct comparison *o,
		struct fmp_reconciled *out)
{
	struct fmpi_slot *s = &e->slots[layer];
	uint32_t put, taken;

	if (!intact) {
		/* Blocks that stood in a table without rules are in force again by this. */
		if (s->l->ops->build(s->l, e->set, e->n_set, NULL))
			return 0;
		out->repaired[layer] += o->same;
		out->missing[layer] -= o->same;
	}
	if (o->n)
		fmpi_layer_apply(s->l, e->set, e->n_set, o->c, o->n);
	put = count_done(o, true);
	taken = count_done(o, false);
	out->repaired[layer] += put + taken;
	out->missing[layer] -= put;
	out->stray[layer] -= taken;
	return 0;
}

/* What the layer has, out of the survey if that knows. */
static int look(struct fmpi_layer *l, struct fmpi_surveyed *known, struct fmpi_rules *there)
{
	if (!known || known->rc)
		return l->ops->dump(l, there, NULL);
	*there = known->rules;
	known->rules = (struct fmpi_rules){ 0 };
	known->rc = FMP_ERR_UNSUPPORTED;
	return 0;
}

static int reconcile(struct fmp_enforcer *e, enum fmp_layer layer, struct fmpi_surveyed *known,
		     const struct fmp_decision *desired, size_t n, bool repair,
		     struct fmp_reconciled *out, struct fmp_error *err)
{
	struct fmpi_layer *l = e->slots[layer].l;
	struct fmpi_rules wanted = { 0 }, there = { 0 };
	struct comparison o = { 0 };
	bool intact = false;
	int rc = want(e, desired, n, layer, &wanted);

	if (rc)
		goto out;
	out->wanted[layer] = (uint32_t)wanted.n;
	/* A layer that does not answer is told by "reachable"; it is no failure of ours. */
	out->reachable[layer] = !l->ops->intact(l, e->set, e->n_set, &intact, NULL) &&
				!look(l, known, &there);
	if (!out->reachable[layer])
		there.n = 0;
	sort_unique(&there);
	o.c = calloc(wanted.n + there.n + 1, sizeof(*o.c));
	if (!o.c) {
		rc = FMP_ERR_NOMEM;
		goto out;
	}
	compare(&wanted, &there, &o);
	/* An address in a set that no rule asks is blocked by nothing. */
	out->enforced[layer] = intact ? o.same : 0;
	out->foreign[layer] = o.foreign;
	out->missing[layer] = out->wanted[layer] - out->enforced[layer];
	out->stray[layer] = o.foreign;
	if (repair)
		rc = mend(e, layer, intact, &o, out);
out:
	if (rc == FMP_ERR_NOMEM)
		fmp_error_set(err, rc, "out of memory");
	free(o.c);
	fmpi_rules_free(&wanted);
	fmpi_rules_free(&there);
	return rc;
}

int fmp_enforcer_reconcile_survey(struct fmp_enforcer *e, struct fmp_survey *survey,
				  const struct fmp_decision *desired, size_t n, bool repair,
				  struct fmp_reconciled *out, struct fmp_error *err)
{
	int rc = 0;

	*out = (struct fmp_reconciled){ 0 };
	if (repair)
		fmpi_enforcer_raise(e);
	for (unsigned l = 0; !rc && l < FMP_LAYERS; l++) {
		if (e->slots[l].up)
			rc = reconcile(e, l, survey ? &survey->layers[l] : NULL, desired, n, repair,
				       out, err);
	}
	return rc;
}

int fmp_enforcer_reconcile(struct fmp_enforcer *e, const struct fmp_decision *desired, size_t n,
			   bool repair, struct fmp_reconciled *out, struct fmp_error *err)
{
	return fmp_enforcer_reconcile_survey(e, NULL, desired, n, repair, out, err);
}
