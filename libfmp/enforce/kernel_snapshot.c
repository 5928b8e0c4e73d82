// SPDX-License-Identifier: GPL-2.0
/*
 * Reads the rules of every layer once, in steps: tens of thousands take seconds. What changes
 * meanwhile is left out of the comparison.
 */
#include <fmp/enforce.h>

#include <stdlib.h>

#include <layers/dump.h>
#include <enforce/enforcer.h>

int fmp_enforcer_snapshot(struct fmp_enforcer *e, uint64_t now_ms, struct fmp_snapshot **out,
			  struct fmp_error *err)
{
	struct fmp_snapshot *s = calloc(1, sizeof(*s));

	if (!s)
		return fmp_error_set(err, FMP_ERR_NOMEM, "out of memory");
	s->e = e;
	s->begun_ms = now_ms;
	for (unsigned l = 0; l < FMP_LAYERS; l++) {
		s->layers[l].asked = e->slots[l].up;
		s->layers[l].rc = FMP_ERR_AGAIN;
		s->layers[l].pairs.seed = e->seed;
	}
	e->snapshot = s;
	*out = s;
	return 0;
}

/* Rules that are read later have less time left: convert all to the time of the start. */
static void adjust_left(const struct fmp_snapshot *s, struct fmpi_rules *rules, size_t from,
			uint64_t now_ms)
{
	uint64_t passed = now_ms > s->begun_ms ? now_ms - s->begun_ms : 0;

	for (size_t i = from; i < rules->n; i++)
		if (rules->v[i].left_ms)
			rules->v[i].left_ms += passed;
}

/* Read one step of a layer, starting its dump if necessary. Return: as dump_step(). */
static int read_step(struct fmp_snapshot *s, unsigned layer, uint64_t now_ms)
{
	struct fmpi_layer *l = s->e->slots[layer].l;
	struct fmpi_snapshot_layer *one = &s->layers[layer];
	size_t before = one->rules.n;
	int rc;

	if (!s->dump) {
		rc = l->ops->dump_begin(l, &s->dump, &one->err);
		if (rc)
			return rc;
		one->touches_before = one->touches;
	}
	rc = l->ops->dump_step(l, s->dump, &one->rules, &one->err);
	adjust_left(s, &one->rules, before, now_ms);
	one->torn = s->dump->torn || one->touches > one->touches_before;
	return rc;
}

int fmpi_snapshot_read(struct fmp_snapshot *s, unsigned layer, uint64_t now_ms)
{
	int rc = read_step(s, layer, now_ms);

	if (!rc || rc == FMP_ERR_NOMEM)
		return rc;
	/* A layer that can't be read is reported by its rc. */
	s->layers[layer].rc = rc < 0 ? rc : 0;
	fmpi_dump_free(s->dump);
	s->dump = NULL;
	return 1;
}

int fmp_snapshot_step(struct fmp_snapshot *s, uint64_t now_ms, struct fmp_error *err)
{
	struct fmpi_snapshot_layer *one = &s->layers[s->at];
	int rc;

	if (s->at == FMP_LAYERS)
		return 1;
	if (!one->asked) {
		one->rc = fmp_error_set(&one->err, FMP_ERR_UNSUPPORTED, "%s",
					fmp_enforcer_why(s->e, s->at));
		return ++s->at == FMP_LAYERS;
	}
	rc = fmpi_snapshot_read(s, s->at, now_ms);
	if (rc < 0)
		return fmp_error_set(err, rc, "out of memory");
	s->at += (unsigned)rc;
	return s->at == FMP_LAYERS;
}

int fmp_snapshot_rules(const struct fmp_snapshot *s, unsigned layer, const struct fmp_rule **rules,
		       size_t *n, struct fmp_error *err)
{
	const struct fmpi_snapshot_layer *one = &s->layers[layer];

	*rules = one->rules.v;
	*n = one->rc ? 0 : one->rules.n;
	if (one->rc && err)
		*err = one->err;
	return one->rc;
}

void fmp_snapshot_free(struct fmp_snapshot *s)
{
	if (!s)
		return;
	for (unsigned l = 0; l < FMP_LAYERS; l++) {
		fmpi_rules_free(&s->layers[l].rules);
		fmpi_rule_diff_free(&s->layers[l].pairs);
	}
	fmpi_dump_free(s->dump);
	if (s->e->snapshot == s)
		s->e->snapshot = NULL;
	free(s);
}
