// SPDX-License-Identifier: GPL-2.0
#include <policy/group_index.h>

#include <stdlib.h>

#define NONE UINT16_MAX

/* Of one address of a group. Both numbers fit: 32 groups of 32 addresses each. */
struct place {
	struct fmp_addr addr;
	uint16_t group;
	uint16_t holder; /* the place of the narrowest prefix that holds it; NONE */
};
_Static_assert(FMP_GROUPS_MAX *FMP_GROUP_ADDRESSES_MAX < NONE, "numbers of places fit");

/* By fmp_addr_compare(): a prefix stands before all that it holds, and these are one row behind it. */
struct fmpi_group_index {
	size_t n;
	struct place places[];
};

static int by_addr(const void *a, const void *b)
{
	const struct place *x = a, *y = b;
	int d = fmp_addr_compare(&x->addr, &y->addr);

	return d ? d : (int)x->group - (int)y->group;
}

/* The narrowest place from @at on upwards that holds an address. */
static uint16_t find_holder(const struct fmpi_group_index *x, uint16_t at,
			    const struct fmp_addr *addr)
{
	while (at != NONE && !fmp_addr_contains(&x->places[at].addr, addr))
		at = x->places[at].holder;
	return at;
}

struct fmpi_group_index *fmpi_group_index_make(const struct fmp_policy *p)
{
	struct fmpi_group_index *x;
	size_t n = 0;

	if (p->n_groups > FMP_GROUPS_MAX)
		return NULL;
	for (size_t i = 0; i < p->n_groups; i++) {
		if (p->groups[i].n_addresses > FMP_GROUP_ADDRESSES_MAX)
			return NULL;
		n += p->groups[i].n_addresses;
	}
	x = n ? malloc(sizeof(*x) + n * sizeof(x->places[0])) : NULL;
	if (!x)
		return NULL;
	x->n = 0;
	for (size_t i = 0; i < p->n_groups; i++)
		for (unsigned a = 0; a < p->groups[i].n_addresses; a++)
			x->places[x->n++] = (struct place){ .addr = p->groups[i].addresses[a],
							    .group = (uint16_t)i };
	qsort(x->places, x->n, sizeof(x->places[0]), by_addr);
	for (size_t i = 0; i < x->n; i++)
		x->places[i].holder =
			find_holder(x, i ? (uint16_t)(i - 1) : NONE, &x->places[i].addr);
	return x;
}

/* The first place that is not before an address. */
static size_t first_from(const struct fmpi_group_index *x, const struct fmp_addr *addr)
{
	size_t low = 0, high = x->n;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (fmp_addr_compare(&x->places[middle].addr, addr) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

int fmpi_group_index_find(const struct fmpi_group_index *x, const struct fmp_addr *source)
{
	const struct place *best = NULL;
	size_t at = first_from(x, source);
	uint16_t holder;

	/* What a prefix holds is narrower than all that holds it. Of equals the group that is listed first counts. */
	for (size_t i = at; i < x->n && fmp_addr_contains(source, &x->places[i].addr); i++) {
		const struct place *one = &x->places[i];

		if (!best || one->addr.prefix_len > best->addr.prefix_len ||
		    (one->addr.prefix_len == best->addr.prefix_len && one->group < best->group))
			best = one;
	}
	if (best)
		return best->group;
	holder = find_holder(x, at ? (uint16_t)(at - 1) : NONE, source);
	return holder == NONE ? -1 : x->places[holder].group;
}
