// SPDX-License-Identifier: GPL-2.0
/*
 * Every layer's rules, read once, in steps: tens of thousands take seconds. What is changed
 * meanwhile is left out of a comparison by it.
 */
#include <fmp/enforce.h>

#include <stdlib.h>

#include <layers/dump.h>
#include <enforce/enforcer.h>

/* In the time of one comparison: more is for the next one. */
#define TOUCHED_MAX 65536u

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

/* Rules that are read later have less left: all is told as of one time. */
static void adjust_left(const struct fmp_snapshot *s, struct fmpi_rules *rules, size_t from,
			uint64_t now_ms)
{
	uint64_t passed = now_ms > s->begun_ms ? now_ms - s->begun_ms : 0;

	for (size_t i = from; i < rules->n; i++)
		if (rules->v[i].left_ms)
			rules->v[i].left_ms += passed;
}

/* Return: as dump_step(), with the layer's part begun if it was not. */
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
	/* A layer that can't be read is told by its rc. */
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
					fmpi_enforcer_why(s->e, s->at));
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

void fmpi_snapshot_touch(struct fmp_enforcer *e, enum fmp_layer layer, const struct fmpi_change *c,
			 size_t n)
{
	struct fmpi_snapshot_layer *one = e->snapshot ? &e->snapshot->layers[layer] : NULL;

	for (size_t i = 0; one && i < n; i++) {
		const struct fmp_rule key = { .addr = c[i].addr,
					      .pair_mac = c[i].pair_mac,
					      .rate = c[i].rate,
					      .dest_port = c[i].dest_port };
		struct fmpi_rule_pair *p =
			one->touches < TOUCHED_MAX ? fmpi_rule_diff_at(&one->pairs, &key) : NULL;

		if (!p) {
			e->snapshot->overrun = true;
			return;
		}
		one->touches++;
		p->touched = true;
	}
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
