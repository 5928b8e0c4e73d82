// SPDX-License-Identifier: GPL-2.0
/* Groups of rows by prefix. */
#include <suspicion/table.h>

#include <stdlib.h>
#include <string.h>

static struct fmpi_prefix_group **find_bucket(const struct fmpi_table *t,
					      const struct fmp_addr *prefix)
{
	return &t->groups.buckets[fmp_addr_hash(prefix, t->seed) & t->groups.mask];
}

static uint8_t prefix_length(const struct fmpi_prefix_groups *g, uint8_t family)
{
	if (family == FMP_FAMILY_IPV4)
		return g->ipv4;
	return family == FMP_FAMILY_IPV6 ? g->ipv6 : 0;
}

struct fmpi_prefix_group *fmpi_prefix_group_find(const struct fmpi_table *t,
						 const struct fmp_addr *prefix)
{
	struct fmpi_prefix_group *g = t->groups.buckets ? *find_bucket(t, prefix) : NULL;

	while (g && !fmp_addr_equal(&g->prefix, prefix))
		g = g->next;
	return g;
}

void fmpi_prefix_group_good(struct fmpi_row *row, uint64_t when_ms)
{
	/* Good messages of a blocked member were on their way: they vouch for nobody. */
	if (row->group && !row->blocked && when_ms > row->group->good_ms)
		row->group->good_ms = when_ms;
}

static struct fmpi_prefix_group *get_group(struct fmpi_table *t, const struct fmp_addr *prefix)
{
	struct fmpi_prefix_group **head = find_bucket(t, prefix),
				 *g = fmpi_prefix_group_find(t, prefix);

	if (g)
		return g;
	g = calloc(1, sizeof(*g));
	if (!g)
		return NULL;
	g->prefix = *prefix;
	g->next = *head;
	*head = g;
	return g;
}

void fmpi_prefix_group_join(struct fmpi_table *t, struct fmpi_row *row)
{
	uint8_t len = prefix_length(&t->groups, row->key.family);
	struct fmp_addr prefix;

	/* A row as wide as the group is the aggregate itself. */
	if (!t->groups.buckets || !len || row->key.prefix_len <= len)
		return;
	/* Hosts behind a translator share nothing but the translator. */
	if (row->key.family == FMP_FAMILY_IPV6 &&
	    (fmp_addr_is_translated(&row->key, &t->groups.nat64) ||
	     fmp_addr_is_found(&row->key, &t->groups.found)))
		return;
	prefix = fmp_addr_mask(row->key, len);
	row->group = get_group(t, &prefix);
	if (!row->group)
		return;
	row->group->rows++;
	if (row->good)
		fmpi_prefix_group_good(row, row->good->last_ms);
}

void fmpi_prefix_group_leave(struct fmpi_table *t, struct fmpi_row *row)
{
	struct fmpi_prefix_group *g = row->group, **at;

	if (!g)
		return;
	fmpi_prefix_group_unblock(row);
	row->group = NULL;
	if (--g->rows)
		return;
	for (at = find_bucket(t, &g->prefix); *at != g; at = &(*at)->next)
		;
	*at = g->next;
	free(g->members);
	free(g);
}

static bool reserve_member(struct fmpi_prefix_group *g)
{
	uint32_t cap = g->cap ? 2 * g->cap : 4;
	struct fmpi_row **more;

	if (g->blocked < g->cap)
		return true;
	more = reallocarray(g->members, cap, sizeof(struct fmpi_row *));
	if (!more)
		return false;
	g->members = more;
	g->cap = cap;
	return true;
}

/* Manual and narrowed blocks say nothing about the prefix. */
void fmpi_prefix_group_block(struct fmpi_row *row)
{
	struct fmpi_prefix_group *g = row->group;

	if (!g || row->grouped || !row->is_offence || !fmpi_row_blocks_all(row) ||
	    !reserve_member(g))
		return;
	row->member_at = g->blocked;
	g->members[g->blocked++] = row;
	row->grouped = true;
}

void fmpi_prefix_group_unblock(struct fmpi_row *row)
{
	struct fmpi_row *last;

	if (!row->grouped)
		return;
	last = row->group->members[--row->group->blocked];
	row->group->members[row->member_at] = last;
	last->member_at = row->member_at;
	row->grouped = false;
}

void fmpi_prefix_groups_exit(struct fmpi_table *t)
{
	for (uint64_t i = 0; t->buckets && i < t->n_buckets; i++)
		for (struct fmpi_row *row = t->buckets[i]; row; row = row->next)
			fmpi_prefix_group_leave(t, row);
	free(t->groups.buckets);
	t->groups = (struct fmpi_prefix_groups){ .found = t->groups.found };
}

void fmpi_prefix_groups_set(struct fmpi_table *t, const struct fmp_policy_rollup *r,
			    const struct fmp_translators *nat64)
{
	bool same = t->groups.buckets && t->groups.mask == t->base - 1 &&
		    t->groups.ipv4 == r->ipv4_prefix && t->groups.ipv6 == r->ipv6_prefix &&
		    !memcmp(&t->groups.nat64, nat64, sizeof(*nat64));

	/* A new group would lack the good messages of evicted rows. */
	if (same && r->sources)
		return;
	fmpi_prefix_groups_exit(t);
	if (!r->sources)
		return;
	t->groups.buckets = calloc(t->base, sizeof(struct fmpi_prefix_group *));
	t->groups.mask = t->base - 1;
	t->groups.ipv4 = r->ipv4_prefix;
	t->groups.ipv6 = r->ipv6_prefix;
	t->groups.nat64 = *nat64;
	for (uint64_t i = 0; t->groups.buckets && i < t->n_buckets; i++)
		for (struct fmpi_row *row = t->buckets[i]; row; row = row->next) {
			fmpi_prefix_group_join(t, row);
			fmpi_prefix_group_block(row);
		}
}
