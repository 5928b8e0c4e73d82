// SPDX-License-Identifier: GPL-2.0
/* Applies one decision to every layer at once (invariants 1, 4, 10). */
#include <fmp/enforce.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/fmp.h>

#include <enforce/enforcer.h>
#include <net/protect.h>

/* The module's maximum; the other layers keep to it too. */
#define LEFT_MAX    FMP_TIMEOUT_MAX_MS
/* Upper bound on changes recorded during one comparison; with more it must start again. */
#define TOUCHED_MAX 65536u

static bool is_left_out(const struct fmpi_slot *s, enum fmp_layer layer)
{
	return layer != FMP_LAYER_IP && !s->n_devices && s->n_left_out;
}

static void open_slot(struct fmp_enforcer *e, enum fmp_layer layer)
{
	struct fmpi_slot *s = &e->slots[layer];
	const char(*devices)[16] = (const char(*)[16])s->devices;
	struct fmp_error err = { 0 };
	int rc = 0;

	if (!s->l)
		rc = layer == FMP_LAYER_PREMAC
			     ? fmpi_premac_open(devices, s->n_devices, s->n_left_out, &s->l, &err)
			     : fmpi_nft_open(layer, devices, s->n_devices, &s->l, &err);
	if (!rc && is_left_out(s, layer)) {
		/* Rules of an earlier policy would block on unnoticed. */
		rc = s->l->ops->teardown(s->l, &err);
		if (!rc)
			rc = fmp_error_set(&err, FMP_ERR_UNSUPPORTED, "left out on every device");
	} else if (!rc && !s->up) {
		rc = s->l->ops->build(s->l, e->set, e->n_set, &err);
		s->up = !rc;
	}
	if (rc)
		snprintf(s->why, sizeof(s->why), "%.*s", (int)sizeof(s->why) - 1, err.message);
}

void fmp_enforcer_retry_layers(struct fmp_enforcer *e)
{
	for (unsigned l = 0; l < FMP_LAYERS; l++) {
		if (e->wanted & FMP_LAYER_BIT(l))
			open_slot(e, l);
	}
}

static bool uses_layer(const struct fmp_enforcer_config *cfg, unsigned i, enum fmp_layer layer)
{
	return !cfg->device_layers || (cfg->device_layers[i] & FMP_LAYER_BIT(layer));
}

static int copy_slot_devices(struct fmpi_slot *s, const struct fmp_enforcer_config *cfg,
			     enum fmp_layer layer)
{
	unsigned n = 0;

	s->devices = calloc(cfg->n_devices + 1u, sizeof(*s->devices));
	if (!s->devices)
		return FMP_ERR_NOMEM;
	for (unsigned i = 0; i < cfg->n_devices; i++)
		if (uses_layer(cfg, i, layer))
			memcpy(s->devices[n++], cfg->devices[i], sizeof(s->devices[0]) - 1);
	s->n_devices = n;
	for (unsigned i = 0; i < cfg->n_devices; i++)
		if (!uses_layer(cfg, i, layer))
			memcpy(s->devices[n++], cfg->devices[i], sizeof(s->devices[0]) - 1);
	s->n_left_out = n - s->n_devices;
	return 0;
}

int fmp_enforcer_new(const struct fmp_enforcer_config *cfg, struct fmp_enforcer **out,
		     struct fmp_error *err)
{
	struct fmp_enforcer *e = calloc(1, sizeof(*e));

	if (!e)
		return fmp_error_set(err, FMP_ERR_NOMEM, "out of memory");
	e->wanted = cfg->layers & FMP_LAYERS_ALL;
	e->seed = cfg->seed;
	for (unsigned l = 0; l < FMP_LAYERS; l++) {
		if (copy_slot_devices(&e->slots[l], cfg, l)) {
			fmp_enforcer_free(e);
			return fmp_error_set(err, FMP_ERR_NOMEM, "out of memory");
		}
	}
	fmp_enforcer_retry_layers(e);
	*out = e;
	return 0;
}

void fmp_enforcer_free(struct fmp_enforcer *e)
{
	if (!e)
		return;
	for (unsigned l = 0; l < FMP_LAYERS; l++) {
		if (e->slots[l].l)
			e->slots[l].l->ops->free(e->slots[l].l);
		free(e->slots[l].devices);
	}
	free(e->set);
	free(e);
}

int fmp_enforcer_teardown(struct fmp_enforcer *e, struct fmp_error *err)
{
	int rc = 0;

	/* A layer that could not be built may still have rules from an earlier run. */
	for (unsigned l = 0; l < FMP_LAYERS; l++) {
		struct fmpi_slot *s = &e->slots[l];
		int one;

		if (!s->l)
			continue;
		one = s->l->ops->teardown(s->l, rc ? NULL : err);
		s->up = false;
		snprintf(s->why, sizeof(s->why), "taken down");
		rc = rc ? rc : one;
	}
	return rc;
}

unsigned fmp_enforcer_layers(const struct fmp_enforcer *e)
{
	unsigned bits = 0;

	for (unsigned l = 0; l < FMP_LAYERS; l++)
		bits |= e->slots[l].up ? FMP_LAYER_BIT(l) : 0;
	return bits;
}

const char *fmp_enforcer_why(const struct fmp_enforcer *e, unsigned layer)
{
	if (layer >= FMP_LAYERS)
		return "there is no such layer";
	if (!(e->wanted & FMP_LAYER_BIT(layer)))
		return e->wanted ? "not asked for" : "nothing is enforced: observing only";
	return e->slots[layer].up ? e->slots[layer].l->why : e->slots[layer].why;
}

/* ---- the protected set ---- */

int fmp_enforcer_protect(struct fmp_enforcer *e, const struct fmp_protect_entry *set, size_t n,
			 struct fmp_error *err)
{
	struct fmp_protect_entry *copy = calloc(n + 1, sizeof(*copy));
	int rc = 0;

	if (!copy)
		return fmp_error_set(err, FMP_ERR_NOMEM, "out of memory");
	if (n)
		memcpy(copy, set, n * sizeof(*copy));
	/* From here on no address of the set is blocked, whatever a layer returns. */
	free(e->set);
	e->set = copy;
	e->n_set = n;
	for (unsigned l = 0; l < FMP_LAYERS; l++) {
		struct fmpi_slot *s = &e->slots[l];
		int one = s->up ? s->l->ops->build(s->l, copy, n, rc ? NULL : err) : 0;

		rc = rc ? rc : one;
	}
	return rc;
}

const struct fmp_protect_entry *fmpi_enforcer_is_protected(const struct fmp_enforcer *e,
							   const struct fmp_addr *a)
{
	return fmpi_protect_find(e->set, e->n_set, a);
}

bool fmpi_enforcer_is_entry(const struct fmp_enforcer *e, const struct fmp_addr *a)
{
	for (size_t i = 0; i < e->n_set; i++) {
		if (fmp_addr_equal(&e->set[i].addr, a))
			return true;
	}
	return false;
}

/* ---- decisions ---- */

/* The duration of the block of a target; 0: without end. */
static uint64_t target_lifetime(const struct fmp_decision *d, const struct fmp_addr *target)
{
	bool beside = target->family == FMP_FAMILY_MAC && fmp_addr_is_ip(&d->source);
	uint64_t ms = d->duration_ms;

	if (beside && d->mac_ms && (!ms || d->mac_ms < ms))
		ms = d->mac_ms;
	return ms < LEFT_MAX ? ms : LEFT_MAX;
}

/* The MAC of a pair block. *skipped_protected: that MAC is protected, so the address is blocked
 * in any frame. */
static struct fmp_addr select_pair_mac(const struct fmp_enforcer *e, const struct fmp_decision *d,
				       const struct fmp_addr *target, bool *skipped_protected)
{
	static const struct fmp_addr none;

	if (!d->pair_mac.family || !fmp_addr_is_ip(target))
		return none;
	if (d->action != FMP_ACTION_BLOCK || !fmpi_enforcer_is_protected(e, &d->pair_mac))
		return d->pair_mac;
	*skipped_protected = true;
	return none;
}

unsigned fmpi_enforcer_changes(const struct fmp_enforcer *e, const struct fmp_decision *d,
			       enum fmp_layer layer, struct fmpi_change out[2],
			       bool *skipped_protected)
{
	struct fmp_addr targets[2];
	unsigned n = fmp_decision_targets(d, layer, targets), kept = 0;
	bool block = d->action == FMP_ACTION_BLOCK;

	*skipped_protected = false;
	for (unsigned i = 0; i < n; i++) {
		struct fmp_addr with;

		if (block && fmpi_enforcer_is_protected(e, &targets[i])) {
			*skipped_protected = true;
			continue;
		}
		with = select_pair_mac(e, d, &targets[i], skipped_protected);
		out[kept++] = (struct fmpi_change){
			.addr = targets[i],
			.pair_mac = with,
			.block = block,
			.renews = block && d->renews && fmp_addr_equal(&targets[i], &d->source),
			.id = d->id,
			.left_ms = target_lifetime(d, &targets[i]),
			.rate = d->action_kind != FMP_ACTION_KIND_LIMIT ? 0
				: d->rate				? d->rate
									: 1,
			.dest_port = d->dest_port,
			.kept = !block && !with.family && fmpi_enforcer_is_entry(e, &targets[i]),
		};
	}
	return kept;
}

static void set_result(struct fmp_layer_result *a, enum fmp_layer_result_state state, int sys_errno,
		       const char *text)
{
	a->state = state;
	a->sys_errno = sys_errno;
	snprintf(a->text, sizeof(a->text), "%.*s", (int)sizeof(a->text) - 1, text);
}

/* Must no layer be changed for this decision? Return: true with the result. */
static bool is_refused(const struct fmp_enforcer *e, const struct fmp_decision *d,
		       struct fmp_layer_result *out)
{
	const struct fmp_protect_entry *p;
	char text[96], addr[FMP_ADDR_STRLEN];

	if (!fmp_addr_is_ip(&d->source) && d->source.family != FMP_FAMILY_MAC) {
		set_result(out, FMP_LAYER_RESULT_FAILED, EINVAL, "no address");
		return true;
	}
	if (!d->source.prefix_len ||
	    (d->source.family == FMP_FAMILY_MAC &&
	     d->source.prefix_len != fmp_addr_max_prefix(FMP_FAMILY_MAC))) {
		set_result(out, FMP_LAYER_RESULT_FAILED, EINVAL,
			   "a prefix of that length is not blocked");
		return true;
	}
	if (d->action == FMP_ACTION_BLOCK && d->action_kind == FMP_ACTION_KIND_LIMIT && !d->rate) {
		set_result(out, FMP_LAYER_RESULT_FAILED, EINVAL, "a limit without a rate");
		return true;
	}
	p = d->action == FMP_ACTION_BLOCK ? fmpi_enforcer_is_protected(e, &d->source) : NULL;
	if (!p)
		return false;
	snprintf(text, sizeof(text), "protected: %s (%s)",
		 fmp_addr_format(&p->addr, addr, sizeof(addr)), fmp_protect_origin_name(p->origin));
	set_result(out, FMP_LAYER_RESULT_FAILED, EPERM, text);
	return true;
}

/* The changes of all decisions on one layer, and the decision of each. */
struct plan {
	struct fmpi_change *c;
	size_t *owner;
	size_t n;
};

static void plan_decision(const struct fmp_enforcer *e, const struct fmp_decision *d, size_t i,
			  enum fmp_layer layer, struct plan *p, struct fmp_layer_result *out)
{
	bool skipped_protected;
	unsigned n;

	if (!(d->layers & FMP_LAYER_BIT(layer)))
		return;
	if (!e->wanted) {
		if (!is_refused(e, d, out))
			set_result(out, FMP_LAYER_RESULT_OBSERVED, 0, "observing only");
		return;
	}
	if (!e->slots[layer].up) {
		set_result(out, FMP_LAYER_RESULT_NONE, 0, fmp_enforcer_why(e, layer));
		return;
	}
	if (is_refused(e, d, out))
		return;
	n = fmpi_enforcer_changes(e, d, layer, p->c + p->n, &skipped_protected);
	if (n)
		set_result(out, FMP_LAYER_RESULT_ENFORCED, 0,
			   skipped_protected ? "without the MAC: it is protected" : "");
	else if (layer == FMP_LAYER_PREMAC && fmp_decision_narrowed(d))
		set_result(out, FMP_LAYER_RESULT_NONE, 0,
			   "it holds no limits and no blocks of one port");
	else
		set_result(out, FMP_LAYER_RESULT_NONE, 0, "it has no address of this layer");
	for (unsigned k = 0; k < n; k++)
		p->owner[p->n++] = i;
}

/* Record changes of a layer in the newest snapshot, if there is one. */
static void record_changes(struct fmp_enforcer *e, enum fmp_layer layer,
			   const struct fmpi_change *c, size_t n)
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

/* Return: 1 if some change was not enforced. */
static int run_plan(struct fmp_enforcer *e, enum fmp_layer layer, struct plan *p,
		    struct fmp_layer_result *answers)
{
	record_changes(e, layer, p->c, p->n);
	if (!p->n || !fmpi_layer_apply(e->slots[layer].l, e->set, e->n_set, p->c, p->n))
		return 0;
	for (size_t i = 0; i < p->n; i++) {
		const struct fmp_kerr *r = &p->c[i].result;

		if (r->sys_errno)
			set_result(&answers[p->owner[i] * FMP_LAYERS + layer],
				   FMP_LAYER_RESULT_FAILED, r->sys_errno, r->text);
	}
	return 1;
}

int fmp_enforcer_apply(struct fmp_enforcer *e, const struct fmp_decision *d, size_t n,
		       struct fmp_layer_result *answers, struct fmp_error *err)
{
	struct plan p = { 0 };
	int rc = 0;

	if (!n)
		return 0;
	p.c = calloc(n, 2 * sizeof(*p.c));
	p.owner = calloc(n, 2 * sizeof(*p.owner));
	if (!p.c || !p.owner) {
		rc = fmp_error_set(err, FMP_ERR_NOMEM, "out of memory");
		goto out;
	}
	memset(answers, 0, n * FMP_LAYERS * sizeof(*answers));
	for (unsigned l = 0; l < FMP_LAYERS; l++) {
		p.n = 0;
		memset(p.c, 0, n * 2 * sizeof(*p.c));
		for (size_t i = 0; i < n; i++)
			plan_decision(e, &d[i], i, l, &p, &answers[i * FMP_LAYERS + l]);
		run_plan(e, l, &p, answers);
	}
	for (size_t i = 0; i < n * FMP_LAYERS; i++)
		rc |= answers[i].state == FMP_LAYER_RESULT_FAILED;
out:
	free(p.c);
	free(p.owner);
	return rc;
}

/* ---- what the layers have ---- */

static struct fmpi_layer *get_layer(const struct fmp_enforcer *e, unsigned layer)
{
	return layer < FMP_LAYERS && e->slots[layer].up ? e->slots[layer].l : NULL;
}

int fmp_enforcer_dump(struct fmp_enforcer *e, unsigned layer,
		      int (*cb)(const struct fmp_rule *rule, void *ctx), void *ctx,
		      struct fmp_error *err)
{
	struct fmpi_layer *l = get_layer(e, layer);
	struct fmpi_rules rules = { 0 };
	int rc;

	if (!l)
		return fmp_error_set(err, FMP_ERR_UNSUPPORTED, "%s", fmp_enforcer_why(e, layer));
	rc = fmpi_layer_dump(l, &rules, err);
	for (size_t i = 0; !rc && i < rules.n; i++)
		rc = cb(&rules.v[i], ctx);
	fmpi_rules_free(&rules);
	return rc;
}

int fmp_enforcer_find(struct fmp_enforcer *e, unsigned layer, const struct fmp_rule *key,
		      struct fmp_rule *out, struct fmp_error *err)
{
	struct fmpi_layer *l = get_layer(e, layer);
	struct fmpi_rules rules = { 0 };
	size_t i = 0;
	int rc;

	if (!l)
		return fmp_error_set(err, FMP_ERR_UNSUPPORTED, "%s", fmp_enforcer_why(e, layer));
	rc = l->ops->find ? l->ops->find(l, key, &rules, err) : fmpi_layer_dump(l, &rules, err);
	while (!rc && i < rules.n && fmpi_rule_compare(&rules.v[i], key))
		i++;
	if (!rc && i == rules.n)
		rc = fmp_error_set(err, FMP_ERR_NOTFOUND, "there is no such block");
	if (!rc)
		*out = rules.v[i];
	fmpi_rules_free(&rules);
	return rc;
}

int fmp_enforcer_stats(struct fmp_enforcer *e, unsigned layer, struct fmp_layer_stats *out,
		       struct fmp_error *err)
{
	struct fmpi_layer *l = get_layer(e, layer);

	*out = (struct fmp_layer_stats){ 0 };
	if (!l)
		return fmp_error_set(err, FMP_ERR_UNSUPPORTED, "%s", fmp_enforcer_why(e, layer));
	return l->ops->stats(l, out, err);
}

int fmp_enforcer_devices(struct fmp_enforcer *e, int (*cb)(const struct fmp_device *dev, void *ctx),
			 void *ctx, struct fmp_error *err)
{
	struct fmpi_layer *l = get_layer(e, FMP_LAYER_PREMAC);

	if (!l || !l->ops->devices)
		return fmp_error_set(err, FMP_ERR_UNSUPPORTED, "%s",
				     fmp_enforcer_why(e, FMP_LAYER_PREMAC));
	return l->ops->devices(l, cb, ctx, err);
}

struct hook_query {
	const char *device;
	bool found;
};

/* A device that is pending, or not attached, does not match. */
static int match_hook(const struct fmp_device *dev, void *ctx)
{
	struct hook_query *of = ctx;

	of->found |= !strcmp(dev->name, of->device) && strcmp(dev->hook, "none") != 0 &&
		     strcmp(dev->hook, "waiting") != 0;
	return of->found;
}

bool fmp_enforcer_hooked(struct fmp_enforcer *e, unsigned layer, const char *device)
{
	struct hook_query of = { .device = device };

	if (layer >= FMP_LAYERS || !e->slots[layer].up)
		return false;
	if (layer == FMP_LAYER_IP)
		return true;
	if (layer == FMP_LAYER_PREMAC)
		return fmp_enforcer_devices(e, match_hook, &of, NULL) >= 0 && of.found;
	for (unsigned i = 0; i < e->slots[layer].n_devices; i++)
		of.found |= !strcmp(e->slots[layer].devices[i], device);
	return of.found;
}
