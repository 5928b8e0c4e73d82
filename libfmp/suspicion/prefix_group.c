// SPDX-License-Identifier: GPL-2.0
/* Groups of rows by prefix. */
#include <suspicion/table.h>

#include <stdlib.h>
#include <string.h>

static uint8_t prefix_length(const struct fmpi_prefix_groups *g, uint8_t family)
{
	if (family == FMP_FAMILY_IPV4)
		return g->ipv4;
	return family == FMP_FAMILY_IPV6 ? g->ipv6 : 0;
}

struct fmpi_prefix_group *fmpi_prefix_group_find(const struct fmpi_table *t,
						 const struct fmp_addr *prefix)
{
	return t->groups.all.chains ? fmp_hmap_find(&t->groups.all, prefix) : NULL;
}

void fmpi_prefix_group_good(struct fmpi_row *row, uint64_t when_ms)
{
	/* Good messages of a blocked member were on their way: they vouch for nobody. */
	if (row->group && !row->blocked && when_ms > row->group->good_ms)
		row->group->good_ms = when_ms;
}

static struct fmpi_prefix_group *get_group(struct fmpi_table *t, const struct fmp_addr *prefix)
{
	struct fmpi_prefix_group *g = fmp_hmap_find(&t->groups.all, prefix);

	if (g)
		return g;
	g = calloc(1, sizeof(*g));
	if (!g)
		return NULL;
	g->prefix = *prefix;
	fmp_hmap_add(&t->groups.all, g);
	return g;
}

void fmpi_prefix_group_join(struct fmpi_table *t, struct fmpi_row *row)
{
	uint8_t len = prefix_length(&t->groups, row->key.family);
	struct fmp_addr prefix;

	/* A row as wide as the group is the aggregate itself. */
	if (!t->groups.all.chains || !len || row->key.prefix_len <= len)
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
	struct fmpi_prefix_group *g = row->group;

	if (!g)
		return;
	fmpi_prefix_group_unblock(row);
	row->group = NULL;
	if (--g->rows)
		return;
	fmp_hmap_remove(&t->groups.all, g);
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
	struct fmp_hmap_cursor at = { 0 };
	struct fmpi_row *row;

	while ((row = fmp_hmap_next(&t->rows, &at)))
		fmpi_prefix_group_leave(t, row);
	fmp_hmap_exit(&t->groups.all);
	t->groups = (struct fmpi_prefix_groups){ .found = t->groups.found };
}

void fmpi_prefix_groups_set(struct fmpi_table *t, const struct fmp_policy_rollup *r,
			    const struct fmp_translators *nat64)
{
	const struct fmp_hmap_entry entry = FMP_HMAP_ENTRY(struct fmpi_prefix_group, link, prefix);
	struct fmp_hmap_cursor at = { 0 };
	struct fmpi_row *row;
	bool same = t->groups.all.chains && t->groups.ipv4 == r->ipv4_prefix &&
		    t->groups.ipv6 == r->ipv6_prefix &&
		    !memcmp(&t->groups.nat64, nat64, sizeof(*nat64));

	/* A new group would lack the good messages of evicted rows. */
	if (same && r->sources)
		return;
	fmpi_prefix_groups_exit(t);
	if (!r->sources || fmp_hmap_init(&t->groups.all, entry, t->seed, 0))
		return;
	t->groups.ipv4 = r->ipv4_prefix;
	t->groups.ipv6 = r->ipv6_prefix;
	t->groups.nat64 = *nat64;
	while ((row = fmp_hmap_next(&t->rows, &at))) {
		fmpi_prefix_group_join(t, row);
		fmpi_prefix_group_block(row);
	}
}
