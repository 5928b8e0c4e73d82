// SPDX-License-Identifier: GPL-2.0
/* Changes from outside: block, unblock, adopt, cancel, pair. */
#include <suspicion/engine.h>

/* Messages that were read before the block are judged by then. */
#define PAIR_QUIET_MS 2000u

/* The blocked row of an address: its own, or that of its prefix. */
static struct fmpi_row *find_blocked_row(const struct fmp_engine *e, const struct fmp_addr *source)
{
	struct fmpi_row *row = fmpi_table_find(&e->table, source);
	struct fmp_addr key;

	if (row && row->blocked)
		return row;
	key = fmpi_engine_key(e, source);
	row = fmpi_table_find(&e->table, &key);
	return row && row->blocked ? row : NULL;
}

uint32_t fmpi_max_manual(const struct fmp_engine *e)
{
	uint32_t max = e->policy->enforce.max_blocks;
	uint32_t reserved =
		(uint32_t)(((uint64_t)max * e->policy->enforce.automatic_pct + 99) / 100);

	return reserved < max ? max - reserved : 1;
}

/* The row to block, not blocked yet. Return: 0, FMP_ERR_LIMIT. */
static int get_row_to_block(struct fmp_engine *e, const struct fmp_addr *source, uint64_t now_ms,
			    struct fmpi_row **out)
{
	struct fmpi_row *row = fmpi_table_find(&e->table, source);

	if (e->table.blocked >= e->policy->enforce.max_blocks)
		return FMP_ERR_LIMIT;
	if (!row) {
		row = fmpi_table_add(&e->table, source, fmpi_engine_eviction_key(e, 0, now_ms),
				     true);
		if (!row)
			return FMP_ERR_LIMIT;
		row->first_ms = row->last_ms = row->rank_ms = now_ms;
	}
	*out = row;
	return 0;
}

static uint64_t compute_end(uint64_t now_ms, uint64_t duration_ms)
{
	uint64_t end;

	if (!duration_ms || __builtin_add_overflow(now_ms, duration_ms, &end))
		return UINT64_MAX;
	return end;
}

int fmp_engine_block(struct fmp_engine *e, const struct fmp_addr *source, unsigned layers,
		     uint64_t duration_ms, const char *reason, uint64_t now_ms,
		     struct fmp_decision *out)
{
	uint64_t now = fmpi_engine_now(e, now_ms);
	struct fmpi_row *row;
	int rc;

	if (!fmpi_engine_valid(source) || layers & ~FMP_LAYERS_ALL)
		return FMP_ERR_INVALID;
	row = fmpi_table_find(&e->table, source);
	rc = (!row || !row->manual) && e->table.manual >= fmpi_max_manual(e) ? FMP_ERR_LIMIT : 0;
	if (!rc && (!row || !row->blocked))
		rc = get_row_to_block(e, source, now, &row);
	if (rc) {
		e->stats.refused++;
		return rc;
	}
	/* A renewal: a new id and a new end, without a gap. */
	if (row->blocked)
		fmpi_table_unblock(&e->table, row, row->eviction_key);
	/* It is manual from now on, and may last longer than the policy's maximum. */
	row->is_offence = false;
	*out = (struct fmp_decision){
		.id = e->next_id++,
		.action = FMP_ACTION_BLOCK,
		.source = *source,
		.layers = layers,
		.time_ms = now,
		.duration_ms = duration_ms,
		.manual = true,
	};
	fmpi_copy_text(out->reason, sizeof(out->reason), reason ? reason : "");
	row->decision_id = out->id;
	row->layers = layers;
	row->has_mac = false;
	row->action_kind = FMP_ACTION_KIND_BLOCK;
	row->rate = 0;
	row->block_port = 0;
	fmpi_table_block(&e->table, row, compute_end(now, duration_ms));
	e->stats.decisions++;
	return 0;
}

int fmp_engine_unblock(struct fmp_engine *e, const struct fmp_addr *source, const char *reason,
		       uint64_t now_ms, struct fmp_decision *out)
{
	uint64_t now = fmpi_engine_now(e, now_ms);
	struct fmp_addr mac;
	bool added_up = fmpi_mac_siblings_find(e, source, NULL, &mac);
	struct fmpi_row *row = find_blocked_row(e, source);

	if (!row)
		return FMP_ERR_NOTFOUND;
	fmpi_engine_end_block(e, row, reason ? reason : "", true, now, out);
	if (added_up)
		fmpi_mac_siblings_reset(e, &mac, now);
	fmpi_forms_reset(e, source, now);
	out->manual = true;
	return 0;
}

int fmp_engine_adopt(struct fmp_engine *e, const struct fmp_decision *d, uint64_t now_ms)
{
	uint64_t now = fmpi_engine_now(e, now_ms);
	struct fmpi_row *row;
	int rc;

	if (!fmpi_engine_valid(&d->source) || d->action_kind >= FMP_ACTION_KINDS)
		return FMP_ERR_INVALID;
	row = fmpi_table_find(&e->table, &d->source);
	if (row && row->blocked)
		return FMP_ERR_EXISTS;
	rc = get_row_to_block(e, &d->source, now, &row);
	if (rc)
		return rc;
	row->decision_id = d->id ? d->id : e->next_id;
	if (row->decision_id >= e->next_id)
		e->next_id = row->decision_id + 1;
	row->layers = d->layers;
	fmpi_row_set_mac(row, &d->mac);
	/* The number of earlier blocks is unknown, but there was at least this one. */
	row->action_kind = d->action_kind;
	row->rate = d->rate;
	row->block_port = d->dest_port;
	row->suspicion_limit = d->action_kind == FMP_ACTION_KIND_LIMIT;
	row->paired = d->pair_mac.family != FMP_FAMILY_NONE;
	row->is_offence = !d->manual && !row->suspicion_limit;
	if (row->is_offence && !row->offences)
		row->offences = 1;
	fmpi_table_block(&e->table, row, compute_end(now, d->duration_ms));
	return 0;
}

void fmp_engine_pair(struct fmp_engine *e, const struct fmp_addr *source, bool paired,
		     uint64_t now_ms)
{
	uint64_t now = fmpi_engine_now(e, now_ms);
	struct fmpi_row *row = fmpi_table_find(&e->table, source);

	if (!row || !row->blocked || row->paired == paired)
		return;
	row->paired = paired;
	/* A pair block says nothing about the prefix. */
	if (!paired) {
		fmpi_prefix_group_block(row);
		return;
	}
	fmpi_prefix_group_unblock(row);
	fmpi_row_reset_rank(row, now);
	row->quiet_ms = compute_end(now, PAIR_QUIET_MS);
}

void fmp_engine_cancel(struct fmp_engine *e, const struct fmp_addr *source, uint64_t now_ms)
{
	const struct fmp_policy *p = e->policy;
	uint64_t now = fmpi_engine_now(e, now_ms);
	uint64_t cap = (uint64_t)p->suspicion.malicious * 1000 - 1, quiet, rank;
	struct fmpi_row *row = find_blocked_row(e, source);

	if (!row)
		return;
	/* The blocks within the prefix stay. */
	if (fmp_addr_equal(&e->aggregated_prefix, &row->key))
		e->aggregated_prefix = (struct fmp_addr){ 0 };
	rank = fmpi_engine_rank(e, row, now);
	row->rank = (uint32_t)(rank < cap ? rank : cap);
	row->rank_ms = now;
	fmpi_ledger_free(&row->ledger);
	if (row->is_offence && row->offences)
		row->offences--;
	quiet = p->suspicion.half_life_ms ? p->suspicion.half_life_ms : p->block.duration_ms;
	row->quiet_ms = compute_end(now, quiet);
	fmpi_table_unblock(&e->table, row, fmpi_engine_eviction_key(e, row->rank, now));
}
