// SPDX-License-Identifier: GPL-2.0
#include <timeline/paired.h>

#include <stdlib.h>
#include <string.h>

#include <fmp/error.h>

/* The index of a source, or where it would be inserted. */
static size_t find_position(const struct fmpi_paired *p, const struct fmp_addr *source)
{
	size_t from = 0, to = p->n;

	while (from < to) {
		size_t mid = from + (to - from) / 2;

		if (fmp_addr_compare(&p->v[mid].source, source) < 0)
			from = mid + 1;
		else
			to = mid;
	}
	return from;
}

static int grow_list(struct fmpi_paired *p)
{
	size_t cap = p->cap ? p->cap * 2 : 16;
	void *v = reallocarray(p->v, cap, sizeof(*p->v));

	if (!v)
		return FMP_ERR_NOMEM;
	p->v = v;
	p->cap = cap;
	return 0;
}

int fmpi_paired_update(struct fmpi_paired *p, const struct fmp_decision *d)
{
	size_t i = find_position(p, &d->source);

	if (i < p->n && fmp_addr_equal(&p->v[i].source, &d->source))
		fmpi_paired_drop(p, i);
	if (!d->pair_mac.family)
		return 0;
	if (p->n == p->cap && grow_list(p))
		return FMP_ERR_NOMEM;
	memmove(&p->v[i + 1], &p->v[i], (p->n++ - i) * sizeof(*p->v));
	p->v[i] = (struct fmpi_paired_entry){ d->source, d->pair_mac, d->id };
	return 0;
}

void fmpi_paired_drop(struct fmpi_paired *p, size_t i)
{
	memmove(&p->v[i], &p->v[i + 1], (--p->n - i) * sizeof(*p->v));
}

void fmpi_paired_free(struct fmpi_paired *p)
{
	free(p->v);
	*p = (struct fmpi_paired){ 0 };
}
