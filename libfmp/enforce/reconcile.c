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
		out->repaired[layer] += o->same + out->unasked[layer];
		out->missing[layer] -= o->same + out->unasked[layer];
	}
	fmpi_survey_touch(e, layer, o->c, o->n);
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
	fmpi_rules_free(there);
	if (!known || known->rc)
		return l->ops->dump(l, there, NULL);
	*there = known->rules;
	known->rules = (struct fmpi_rules){ 0 };
	known->rc = FMP_ERR_UNSUPPORTED;
	return 0;
}

/* Takes the touched ones out; both are sorted. Return: how many that were. */
static uint32_t leave_out(struct fmpi_rules *r, const struct fmpi_rules *touched)
{
	size_t kept = 0, t = 0, was = r->n;

	for (size_t i = 0; i < was && touched->n; i++) {
		while (t < touched->n && by_key(&touched->v[t], &r->v[i]) < 0)
			t++;
		if (t == touched->n || by_key(&touched->v[t], &r->v[i]))
			r->v[kept++] = r->v[i];
	}
	if (touched->n)
		r->n = kept;
	return (uint32_t)(was - r->n);
}

/* One layer's part of a comparison. */
struct side {
	struct fmpi_rules wanted, there;
	struct comparison o;
	bool answers, reachable;
};

static int look_and_compare(struct fmpi_layer *l, struct fmpi_surveyed *known, struct side *s)
{
	/* A layer that does not answer is told by "reachable"; it is no failure of ours. */
	s->reachable = s->answers && !look(l, known, &s->there);
	if (!s->reachable)
		s->there.n = 0;
	sort_unique(&s->there);
	if (known)
		leave_out(&s->there, &known->touched);
	free(s->o.c);
	s->o = (struct comparison){ .c = calloc(s->wanted.n + s->there.n + 1, sizeof(*s->o.c)) };
	if (!s->o.c)
		return FMP_ERR_NOMEM;
	compare(&s->wanted, &s->there, &s->o);
	return 0;
}

/* With the survey; what it lacks only for changes that went on is looked for again. */
static int compare_layer(struct fmpi_layer *l, struct fmpi_surveyed *known, struct side *s)
{
	bool torn = known && !known->rc && known->torn;
	int rc = look_and_compare(l, known, s);

	return rc || !torn || s->o.same == s->wanted.n ? rc : look_and_compare(l, known, s);
}

static int reconcile(struct fmp_enforcer *e, enum fmp_layer layer, struct fmpi_surveyed *known,
		     const struct fmp_decision *desired, size_t n, bool repair,
		     struct fmp_reconciled *out, struct fmp_error *err)
{
	struct fmpi_layer *l = e->slots[layer].l;
	struct side s = { .o = { 0 } };
	bool intact = false;
	int rc = want(e, desired, n, layer, &s.wanted);

	out->wanted[layer] = (uint32_t)s.wanted.n;
	if (!rc && known) {
		sort_unique(&known->touched);
		out->unasked[layer] = leave_out(&s.wanted, &known->touched);
	}
	s.answers = !l->ops->intact(l, e->set, e->n_set, &intact, NULL);
	if (!rc)
		rc = compare_layer(l, known, &s);
	if (rc)
		goto out;
	out->reachable[layer] = s.reachable;
	/* An address in a set that no rule asks is blocked by nothing. */
	out->enforced[layer] = intact ? s.o.same + out->unasked[layer] : 0;
	out->foreign[layer] = s.o.foreign;
	out->missing[layer] = out->wanted[layer] - out->enforced[layer];
	out->stray[layer] = s.o.foreign;
	if (repair)
		rc = mend(e, layer, intact, &s.o, out);
out:
	if (rc == FMP_ERR_NOMEM)
		fmp_error_set(err, rc, "out of memory");
	free(s.o.c);
	fmpi_rules_free(&s.wanted);
	fmpi_rules_free(&s.there);
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
