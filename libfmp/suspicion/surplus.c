// SPDX-License-Identifier: GPL-2.0
/*
 * Ends blocks beyond the policy's max-blocks, after a policy with a lower bound or a restart with
 * one. Limits of merely suspicious sources end first, then manual blocks beyond their share, the
 * one with the earliest end first, then the least dangerous. A source whose block ends this way
 * waits for room: it is still malicious.
 */
#include <suspicion/engine.h>

#include <stdlib.h>

/* Sorted by the order in which they end: by class, then by danger. */
struct candidate {
	struct fmp_addr key;
	uint8_t group; /* 0: limited, 1: manual, 2: automatic */
	bool prefix; /* covers many sources */
	uint32_t offences, order;
	uint64_t danger; /* its eviction key; of a manual block the end */
};

static int compare_u64(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int compare_danger(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;
	int d = compare_u64(x->group, y->group);

	if (!d)
		d = compare_u64(x->danger, y->danger);
	if (!d)
		d = compare_u64(x->prefix, y->prefix);
	if (!d)
		d = compare_u64(x->offences, y->offences);
	return d ? d : compare_u64(x->order, y->order);
}

static struct candidate make_candidate(const struct fmp_engine *e, const struct fmpi_row *row,
				       uint64_t now_ms)
{
	uint64_t eviction_key = fmpi_row_eviction_key(e, row, now_ms);

	return (struct candidate){
		.key = row->key,
		.group = row->suspicion_limit ? 0
			 : row->manual	      ? 1
					      : 2,
		.prefix = fmp_addr_is_ip(&row->key) &&
			  row->key.prefix_len < fmp_addr_max_prefix(row->key.family),
		.offences = row->offences,
		.order = row->order,
		.danger = row->manual			     ? fmpi_table_block_end(&e->table, row)
			  : eviction_key > row->eviction_key ? eviction_key
							     : row->eviction_key,
	};
}

/* Must this block end? A manual one only beyond the manual share. */
static bool must_end(const struct candidate *p, uint32_t *surplus, uint32_t *beyond)
{
	if (!*surplus || (p->group == 1 && !*beyond))
		return false;
	*beyond -= p->group == 1;
	--*surplus;
	return true;
}

/* Store the keys in reverse order: the last one ends first. */
static uint32_t store_surplus(struct fmp_engine *e, const struct candidate *all, size_t n,
			      uint32_t surplus)
{
	uint32_t most = fmpi_max_manual(e), total = surplus;
	uint32_t beyond = e->table.manual > most ? e->table.manual - most : 0;

	e->surplus = calloc(surplus, sizeof(*e->surplus));
	if (!e->surplus)
		return 0;
	for (size_t i = 0; i < n; i++)
		if (must_end(&all[i], &surplus, &beyond))
			e->surplus[surplus] = all[i].key;
	e->n_surplus = total;
	return total;
}

uint32_t fmp_engine_trim(struct fmp_engine *e, uint64_t now_ms)
{
	uint64_t now = fmpi_engine_now(e, now_ms);
	uint32_t max = e->policy->enforce.max_blocks, ending = 0;
	struct fmp_hmap_cursor at = { 0 };
	const struct fmpi_row *row;
	struct candidate *all;
	size_t n = 0;

	fmpi_surplus_free(e);
	if (e->table.blocked <= max)
		return 0;
	all = calloc(e->table.blocked, sizeof(*all));
	if (!all)
		return 0;
	while ((row = fmp_hmap_next(&e->table.rows, &at)))
		if (row->blocked)
			all[n++] = make_candidate(e, row, now);
	qsort(all, n, sizeof(*all), compare_danger);
	ending = store_surplus(e, all, n, e->table.blocked - max);
	free(all);
	return ending;
}

static void requeue_row(struct fmp_engine *e, struct fmpi_row *row, uint64_t now_ms)
{
	row->offences -= row->offences > 0; /* its next block belongs to the same offence */
	if (!fmpi_table_start_waiting(&e->table, row))
		return;
	/* The kind whose count it had reached is no longer known. */
	row->waiting_kinds = UINT32_MAX;
	row->waiting_override = row->override;
	fmpi_table_set_eviction_key(&e->table, row, fmpi_row_eviction_key(e, row, now_ms));
}

int fmpi_surplus_end(struct fmp_engine *e, uint64_t now_ms, struct fmp_decision *out)
{
	while (e->n_surplus && e->table.blocked > e->policy->enforce.max_blocks) {
		struct fmpi_row *row = fmpi_table_find(&e->table, &e->surplus[--e->n_surplus]);
		bool waits = row && row->is_offence;

		if (!row || !row->blocked)
			continue;
		fmpi_engine_end_block_only(e, row, "no room: the policy has a lower max-blocks",
					   now_ms, out);
		if (waits)
			requeue_row(e, row, now_ms);
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
