// SPDX-License-Identifier: GPL-2.0
/* Read access to the engine: one row, all rows, counters. */
#include <suspicion/engine.h>

const char *fmp_source_state_name(unsigned state)
{
	static const char *const names[] = {
		[FMP_STATE_CLEAN] = "clean",
		[FMP_STATE_SUSPICIOUS] = "suspicious",
		[FMP_STATE_MALICIOUS] = "malicious",
		[FMP_STATE_WAITING] = "waiting",
	};

	return state < sizeof(names) / sizeof(names[0]) ? names[state] : "unknown";
}

static enum fmp_source_state compute_state(const struct fmpi_row *row, const struct fmpi_row *block,
					   const struct fmp_policy_suspicion *s, uint64_t weight)
{
	if (block)
		return block->suspicion_limit ? FMP_STATE_SUSPICIOUS : FMP_STATE_MALICIOUS;
	if (row->waiting)
		return FMP_STATE_WAITING;
	if (weight >= (uint64_t)s->suspicious * 1000)
		return FMP_STATE_SUSPICIOUS;
	return FMP_STATE_CLEAN;
}

static void fill_info(const struct fmp_engine *e, const struct fmpi_row *row, uint64_t now_ms,
		      struct fmp_source_info *out)
{
	const struct fmpi_row *cover =
		fmpi_row_blocks_all(row) ? row : fmpi_table_find_covering(&e->table, &row->key);
	const struct fmpi_row *block = cover || !row->blocked ? cover : row;
	struct fmp_policy_rules rules;
	uint64_t weight = fmpi_engine_rules(e, row, now_ms, &rules);

	*out = (struct fmp_source_info){
		.source = row->key,
		.state = compute_state(row, block, rules.suspicion, weight),
		.rank = (uint32_t)(weight / 1000),
		.credit = (uint32_t)(fmpi_engine_credit(e, row, now_ms) / 1000),
		.suspicious = rules.suspicion->suspicious,
		.malicious = rules.suspicion->malicious,
		.dest_port = row->dest_port,
		.first_ms = row->first_ms,
		.last_ms = row->last_ms,
		.events = row->events,
		.good = row->good ? row->good->n : 0,
		.unproven = row->unproven,
		.cpu_ns = row->cpu_ns,
		.offences = fmpi_engine_offences(e, row, now_ms),
		.decision_id = block ? block->decision_id : row->decision_id,
		.blocked_until_ms = block ? fmpi_table_block_end(&e->table, block) : 0,
		.action_kind = block ? block->action_kind : FMP_ACTION_KIND_BLOCK,
		.rate = block ? block->rate : 0,
		.block_port = block ? block->block_port : 0,
	};
	fmpi_rules_name(&rules, out->rule, sizeof(out->rule));
	out->n_history = fmpi_history_copy(row->history, &e->table.texts, out->history);
}

int fmp_engine_get(const struct fmp_engine *e, const struct fmp_addr *source, uint64_t now_ms,
		   struct fmp_source_info *out)
{
	const struct fmpi_row *row = fmpi_table_find(&e->table, source);
	struct fmp_addr key;

	if (!row) {
		key = fmpi_engine_key(e, source);
		row = fmpi_table_find(&e->table, &key);
	}
	if (!row)
		row = fmpi_table_find_covering(&e->table, source);
	if (!row)
		return FMP_ERR_NOTFOUND;
	fill_info(e, row, now_ms, out);
	return 0;
}

int fmp_engine_each(const struct fmp_engine *e, uint64_t now_ms,
		    int (*cb)(const struct fmp_source_info *row, void *ctx), void *ctx)
{
	struct fmp_hmap_cursor at = { 0 };
	struct fmp_source_info info;
	const struct fmpi_row *row;
	int rc = 0;

	while (!rc && (row = fmp_hmap_next(&e->table.rows, &at))) {
		fill_info(e, row, now_ms, &info);
		rc = cb(&info, ctx);
	}
	return rc;
}

/* Most rows are below every threshold; then their settings need not be looked up. */
static bool is_below_all(const struct fmp_engine *e, const struct fmpi_row *row, uint64_t now_ms)
{
	for (const struct fmpi_ledger *l = row->ledger; l; l = l->next)
		if (fmpi_ledger_is_separate(l))
			return false;
	return fmpi_engine_weight(e, row, now_ms) < (uint64_t)e->least_suspicious * 1000;
}

static bool is_suspicious(const struct fmp_engine *e, const struct fmpi_row *row, uint64_t now_ms)
{
	struct fmp_policy_rules rules;
	uint64_t weight;

	if (row->blocked || is_below_all(e, row, now_ms))
		return false;
	weight = fmpi_engine_rules(e, row, now_ms, &rules);
	return compute_state(row, NULL, rules.suspicion, weight) == FMP_STATE_SUSPICIOUS;
}

void fmp_engine_get_stats(const struct fmp_engine *e, uint64_t now_ms, struct fmp_engine_stats *out)
{
	struct fmp_hmap_cursor at = { 0 };
	const struct fmpi_row *row;

	*out = e->stats;
	out->evicted = e->table.evicted;
	out->sources = (uint32_t)e->table.rows.n;
	out->blocked = e->table.blocked;
	out->limited = e->table.suspicion_limit;
	out->waiting = e->table.waiting.n;
	out->max_blocks = e->policy->enforce.max_blocks;
	out->max_sources = e->table.max;
	out->suspicious = 0;
	while ((row = fmp_hmap_next(&e->table.rows, &at)))
		out->suspicious += row->suspicion_limit || is_suspicious(e, row, now_ms);
}

uint64_t fmp_engine_processed(const struct fmp_engine *e)
{
	return e->stats.events + e->stats.good;
}

uint32_t fmp_engine_waiting(const struct fmp_engine *e)
{
	return e->table.waiting.n;
}

uint64_t fmp_engine_next_id(const struct fmp_engine *e)
{
	return e->next_id;
}
