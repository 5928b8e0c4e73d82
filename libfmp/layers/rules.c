// SPDX-License-Identifier: GPL-2.0
/* Common functions of the back ends: lists of rules, applying changes with one repair. */
#include <layers/dump.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int fmpi_rules_push(struct fmpi_rules *r, const struct fmp_rule *rule)
{
	if (r->n == r->cap) {
		size_t cap = r->cap ? 2 * r->cap : 64;
		struct fmp_rule *v = reallocarray(r->v, cap, sizeof(*v));

		if (!v)
			return FMP_ERR_NOMEM;
		r->v = v;
		r->cap = cap;
	}
	r->v[r->n++] = *rule;
	return 0;
}

int fmpi_rule_compare(const struct fmp_rule *a, const struct fmp_rule *b)
{
	int c = fmp_addr_compare(&a->addr, &b->addr);

	if (!c)
		c = fmp_addr_compare(&a->pair_mac, &b->pair_mac);
	if (!c)
		c = (int)a->dest_port - (int)b->dest_port;
	return c ? c : (a->rate != 0) - (b->rate != 0);
}

void fmpi_rules_free(struct fmpi_rules *r)
{
	free(r->v);
	*r = (struct fmpi_rules){ 0 };
}

int fmpi_layer_apply(struct fmpi_layer *l, const struct fmp_protect_entry *set, size_t n_set,
		     struct fmpi_change *c, size_t n)
{
	struct fmp_error err = { 0 };
	int rc = l->ops->apply(l, c, n, &err), refused = 0;

	if (rc == FMP_ERR_AGAIN) {
		rc = l->ops->build(l, set, n_set, &err);
		if (!rc)
			rc = l->ops->apply(l, c, n, &err);
	}
	for (size_t i = 0; i < n; i++) {
		if (!c[i].done) {
			c[i].done = true;
			c[i].result.sys_errno = err.sys_errno ? err.sys_errno : EIO;
			snprintf(c[i].result.text, sizeof(c[i].result.text), "%.95s", err.message);
		}
		refused |= c[i].result.sys_errno != 0;
	}
	return refused;
}

int fmpi_layer_dump(struct fmpi_layer *l, struct fmpi_rules *out, struct fmp_error *err)
{
	struct fmpi_dump *d;
	int rc = l->ops->dump_begin(l, &d, err);

	if (rc)
		return rc;
	do
		rc = l->ops->dump_step(l, d, out, err);
	while (!rc);
	fmpi_dump_free(d);
	return rc < 0 ? rc : 0;
}
