// SPDX-License-Identifier: GPL-2.0
/*
 * More blocks in force than the policy allows, as behind a policy that allows fewer or a restart with one. Limits
 * of what was but suspicious end first, then what people have beyond their share, the one that would end soonest
 * first, then the least dangerous. A source whose block gives way like that waits for room: it is still what it was.
 */
#include <suspicion/engine.h>

#include <stdlib.h>

/* Who ends first is the first: by group, then by danger. */
struct place {
	struct fmp_addr key;
	uint8_t group; /* 0: limited, 1: by hand, 2: decided here */
	bool prefix; /* stands for many */
	uint32_t strikes, order;
	uint64_t danger; /* its place in the order of eviction; of one by hand its end */
};

static int compare(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int by_danger(const void *a, const void *b)
{
	const struct place *x = a, *y = b;
	int d = compare(x->group, y->group);

	if (!d)
		d = compare(x->danger, y->danger);
	if (!d)
		d = compare(x->prefix, y->prefix);
	if (!d)
		d = compare(x->strikes, y->strikes);
	return d ? d : compare(x->order, y->order);
}

static struct place place_of(const struct fmp_engine *e, const struct fmpi_row *row,
			     uint64_t now_ms)
{
	uint64_t keep = fmpi_engine_keep(e, row, now_ms);

	return (struct place){
		.key = row->key,
		.group = row->watched	? 0
			 : row->by_hand ? 1
					: 2,
		.prefix = fmp_addr_is_ip(&row->key) &&
			  row->key.prefix_len < fmp_addr_max_prefix(row->key.family),
		.strikes = row->strikes,
		.order = row->order,
		.danger = row->by_hand	     ? fmpi_table_until(&e->table, row)
			  : keep > row->keep ? keep
					     : row->keep,
	};
}

/* Of the groups in front so many: of one by hand only those beyond the share of people. */
static bool ends(const struct place *p, uint32_t *surplus, uint32_t *beyond)
{
	if (!*surplus || (p->group == 1 && !*beyond))
		return false;
	*beyond -= p->group == 1;
	--*surplus;
	return true;
}

/* The last of the keys ends first. */
static uint32_t keep_keys(struct fmp_engine *e, const struct place *all, size_t n, uint32_t surplus)
{
	uint32_t most = fmpi_most_by_hand(e), total = surplus;
	uint32_t beyond = e->table.by_hand > most ? e->table.by_hand - most : 0;

	e->surplus = calloc(surplus, sizeof(*e->surplus));
	if (!e->surplus)
		return 0;
	for (size_t i = 0; i < n; i++)
		if (ends(&all[i], &surplus, &beyond))
			e->surplus[surplus] = all[i].key;
	e->n_surplus = total;
	return total;
}

uint32_t fmp_engine_fit(struct fmp_engine *e, uint64_t now_ms)
{
	uint64_t now = fmpi_engine_now(e, now_ms);
	uint32_t max = e->policy->enforce.max_blocks, ending = 0;
	struct place *all;
	size_t n = 0;

	fmpi_surplus_free(e);
	if (e->table.blocked <= max)
		return 0;
	all = calloc(e->table.blocked, sizeof(*all));
	if (!all)
		return 0;
	for (uint64_t i = 0; i < e->table.n_buckets; i++)
		for (const struct fmpi_row *row = e->table.buckets[i]; row; row = row->next)
			if (row->blocked)
				all[n++] = place_of(e, row, now);
	qsort(all, n, sizeof(*all), by_danger);
	ending = keep_keys(e, all, n, e->table.blocked - max);
	free(all);
	return ending;
}

static void wait_again(struct fmp_engine *e, struct fmpi_row *row, uint64_t now_ms)
{
	row->strikes -= row->strikes > 0; /* its next block is the same offence's */
	if (!fmpi_table_wait(&e->table, row))
		return;
	/* By which count it was malicious is not known any more. */
	row->waits_kinds = UINT32_MAX;
	row->waits_override = row->override;
	fmpi_table_keep(&e->table, row, fmpi_engine_keep(e, row, now_ms));
}

int fmpi_surplus_end(struct fmp_engine *e, uint64_t now_ms, struct fmp_decision *out)
{
	while (e->n_surplus && e->table.blocked > e->policy->enforce.max_blocks) {
		struct fmpi_row *row = fmpi_table_find(&e->table, &e->surplus[--e->n_surplus]);
		bool waits = row && row->struck;

		if (!row || !row->blocked)
			continue;
		fmpi_engine_release(e, row, "no room: the policy has a lower max-blocks", now_ms,
				    out);
		if (waits)
			wait_again(e, row, now_ms);
		return 1;
	}
	fmpi_surplus_free(e);
	return 0;
}

void fmpi_surplus_free(struct fmp_engine *e)
{
	free(e->surplus);
	e->surplus = NULL;
	e->n_surplus = 0;
}
