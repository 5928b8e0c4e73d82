// SPDX-License-Identifier: GPL-2.0
#include <net/addrset.h>

#include <stdlib.h>

int fmpi_addrset_push(struct fmpi_addrset *s, const struct fmp_addr *a)
{
	if (s->n == s->cap) {
		size_t cap = s->cap ? 2 * s->cap : 16;
		struct fmp_addr *v = reallocarray(s->v, cap, sizeof(*v));

		if (!v)
			return FMP_ERR_NOMEM;
		s->v = v;
		s->cap = cap;
	}
	s->v[s->n++] = *a;
	return 0;
}

static int compare_addrs(const void *a, const void *b)
{
	return fmp_addr_compare(a, b);
}

void fmpi_addrset_sort(struct fmpi_addrset *s)
{
	size_t kept = 0;

	if (!s->n)
		return;
	qsort(s->v, s->n, sizeof(*s->v), compare_addrs);
	for (size_t i = 1; i < s->n; i++) {
		if (!fmp_addr_equal(&s->v[i], &s->v[kept]))
			s->v[++kept] = s->v[i];
	}
	s->n = kept + 1;
}

bool fmpi_addrset_has(const struct fmpi_addrset *s, const struct fmp_addr *a)
{
	return s->n && bsearch(a, s->v, s->n, sizeof(*s->v), compare_addrs);
}

bool fmpi_addrset_equal(const struct fmpi_addrset *a, const struct fmpi_addrset *b)
{
	if (a->n != b->n)
		return false;
	for (size_t i = 0; i < a->n; i++) {
		if (!fmp_addr_equal(&a->v[i], &b->v[i]))
			return false;
	}
	return true;
}

void fmpi_addrset_free(struct fmpi_addrset *s)
{
	free(s->v);
	*s = (struct fmpi_addrset){ 0 };
}
