// SPDX-License-Identifier: GPL-2.0
#include <policy/group_index.h>

#include <stdlib.h>

#define NO_PARENT UINT16_MAX

/* One address of a group. Both numbers fit 16 bits: 32 groups of 32 addresses each. */
struct group_prefix {
	struct fmp_addr addr;
	uint16_t group;
	uint16_t parent; /* index of the narrowest prefix that contains it; NO_PARENT */
};
_Static_assert(FMP_GROUPS_MAX *FMP_GROUP_ADDRESSES_MAX < NO_PARENT, "numbers of places fit");

/* Sorted by fmp_addr_compare(): a prefix stands right before everything it contains. */
struct fmpi_group_index {
	size_t n;
	struct group_prefix prefixes[];
};

static int compare_prefixes(const void *a, const void *b)
{
	const struct group_prefix *x = a, *y = b;
	int d = fmp_addr_compare(&x->addr, &y->addr);

	return d ? d : (int)x->group - (int)y->group;
}

/* The narrowest entry, from @at upwards, that contains an address. */
static uint16_t find_enclosing(const struct fmpi_group_index *x, uint16_t at,
			       const struct fmp_addr *addr)
{
	while (at != NO_PARENT && !fmp_addr_contains(&x->prefixes[at].addr, addr))
		at = x->prefixes[at].parent;
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
	x = n ? malloc(sizeof(*x) + n * sizeof(x->prefixes[0])) : NULL;
	if (!x)
		return NULL;
	x->n = 0;
	for (size_t i = 0; i < p->n_groups; i++)
		for (unsigned a = 0; a < p->groups[i].n_addresses; a++)
			x->prefixes[x->n++] =
				(struct group_prefix){ .addr = p->groups[i].addresses[a],
						       .group = (uint16_t)i };
	qsort(x->prefixes, x->n, sizeof(x->prefixes[0]), compare_prefixes);
	for (size_t i = 0; i < x->n; i++)
		x->prefixes[i].parent =
			find_enclosing(x, i ? (uint16_t)(i - 1) : NO_PARENT, &x->prefixes[i].addr);
	return x;
}

/* The first entry that does not sort before an address. */
static size_t lower_bound(const struct fmpi_group_index *x, const struct fmp_addr *addr)
{
	size_t low = 0, high = x->n;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (fmp_addr_compare(&x->prefixes[middle].addr, addr) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

int fmpi_group_index_find(const struct fmpi_group_index *x, const struct fmp_addr *source)
{
	const struct group_prefix *best = NULL;
	size_t at = lower_bound(x, source);
	uint16_t parent;

	/* @source is a prefix that contains entries: these are narrower than any that contains
	 * it. Among entries of equal length the group listed first wins. */
	for (size_t i = at; i < x->n && fmp_addr_contains(source, &x->prefixes[i].addr); i++) {
		const struct group_prefix *candidate = &x->prefixes[i];

		if (!best || candidate->addr.prefix_len > best->addr.prefix_len ||
		    (candidate->addr.prefix_len == best->addr.prefix_len &&
		     candidate->group < best->group))
			best = candidate;
	}
	if (best)
		return best->group;
	parent = find_enclosing(x, at ? (uint16_t)(at - 1) : NO_PARENT, source);
	return parent == NO_PARENT ? -1 : x->prefixes[parent].group;
}
