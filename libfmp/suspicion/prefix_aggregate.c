// SPDX-License-Identifier: GPL-2.0
/* Replaces many blocks of sources in a prefix by one block of the prefix. */
#include <suspicion/engine.h>

#include <stdio.h>

/* Did a member send a good message recently? */
static bool is_vetoed(const struct fmp_policy_rollup *r, const struct fmpi_prefix_group *g,
		      uint64_t now_ms)
{
	uint64_t since = now_ms > g->good_ms ? now_ms - g->good_ms : 0;

	return g->good_ms && since < r->veto_ms;
}

/* The row of the prefix, not blocked; NULL: it may not be blocked, or there is no room. */
static struct fmpi_row *get_prefix_row(struct fmp_engine *e, struct fmpi_row *one, uint64_t now_ms)
{
	struct fmpi_row *row = fmpi_table_find(&e->table, &one->group->prefix);
	uint64_t eviction_key = one->eviction_key;

	if (row)
		return row->blocked || now_ms < row->quiet_ms ? NULL : row;
	/* The new row must not evict the one it is created for. */
	one->eviction_key = FMPI_EVICTION_PINNED;
	row = fmpi_table_add(&e->table, &one->group->prefix, fmpi_engine_eviction_key(e, 0, now_ms),
			     true);
	fmpi_table_set_eviction_key(&e->table, one, eviction_key);
	if (row)
		row->first_ms = row->last_ms = row->rank_ms = now_ms;
	return row;
}

/* A translator's prefix contains hosts of all of IPv4, which are unrelated to bad sources in the
 * prefix. */
static bool contains_translator(const struct fmp_engine *e, const struct fmp_addr *prefix)
{
	for (uint32_t i = 0; i < e->policy->nat64.n; i++)
		if (fmp_addr_overlaps(prefix, &e->policy->nat64.prefix[i]))
			return true;
	for (uint32_t i = 0; i < e->found.n; i++)
		if (fmp_addr_overlaps(prefix, &e->found.prefix[i]))
			return true;
	return false;
}

int fmpi_prefix_aggregate(struct fmp_engine *e, struct fmpi_row *one, const struct fmp_event *ev,
			  uint64_t now_ms, struct fmp_decision *out)
{
	const struct fmp_policy_rollup *r = &e->policy->block.rollup;
	struct fmpi_row *row;
	char reason[sizeof(out->reason) + 64], addr[FMP_ADDR_STRLEN];

	if (!r->sources || !one->group || one->group->blocked + 1 < r->sources ||
	    e->table.blocked >= e->policy->enforce.max_blocks || is_vetoed(r, one->group, now_ms) ||
	    fmp_policy_is_exempted(e->policy, &one->group->prefix) ||
	    contains_translator(e, &one->group->prefix))
		return 0;
	row = get_prefix_row(e, one, now_ms);
	if (!row)
		return 0;
	row->offences = fmpi_engine_offences(e, row, now_ms);
	*out = (struct fmp_decision){
		.id = e->next_id++,
		.action = FMP_ACTION_BLOCK,
		.source = row->key,
		.layers = e->policy->block.layers,
		.time_ms = now_ms,
	};
	out->duration_ms = fmpi_block_duration(e, &e->policy->block, row->offences, out->id);
	snprintf(reason, sizeof(reason), "%u sources in it are malicious, newest: %s: %s",
		 one->group->blocked + 1, fmp_addr_format(&one->key, addr, sizeof(addr)),
		 fmp_event_kind_name(ev->kind));
	fmpi_copy_text(out->reason, sizeof(out->reason), reason);
	row->last_bad_ms = now_ms;
	row->decision_id = out->id;
	row->layers = out->layers;
	row->has_mac = false;
	row->action_kind = FMP_ACTION_KIND_BLOCK;
	row->rate = 0;
	row->block_port = 0;
	row->is_offence = true;
	row->offences += row->offences < UINT32_MAX;
	fmpi_table_block(&e->table, row, now_ms + out->duration_ms);
	e->aggregated_prefix = row->key;
	e->stats.decisions++;
	e->stats.rollups++;
	return 1;
}

/*
 * Not at once: the caller may cancel the decision, and until then the members' own blocks are all
 * there is. Blocks that last longer than the prefix's stay.
 */
void fmpi_prefix_aggregate_finish(struct fmp_engine *e)
{
	struct fmp_addr key = e->aggregated_prefix;
	const struct fmpi_row *prefix;
	struct fmpi_prefix_group *group;
	uint64_t until_ms;

	if (!key.family)
		return;
	e->aggregated_prefix = (struct fmp_addr){ 0 };
	prefix = fmpi_table_find(&e->table, &key);
	if (!prefix || !prefix->blocked)
		return;
	group = fmpi_prefix_group_find(&e->table, &key);
	if (!group)
		return;
	until_ms = fmpi_table_block_end(&e->table, prefix);
	for (uint32_t i = 0; i < group->blocked; i++) {
		struct fmpi_row *row = group->members[i];

		if (fmpi_table_block_end(&e->table, row) > until_ms)
			continue;
		row->aggregated = true;
		fmpi_table_set_block_end(&e->table, row, e->now_ms);
	}
}
