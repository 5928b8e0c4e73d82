// SPDX-License-Identifier: GPL-2.0
/*
 * Sources that are to be blocked and found the table of blocks full. At its turn a source is judged once more, by
 * what made it malicious and not by what it sent last: else one harmless message would let it go. Where its points
 * have decayed, or what counted is too long ago, it is let go.
 */
#include <suspicion/engine.h>

/* What is remembered of a source while it waits, for the place in its row goes to its block. */
struct waited {
	struct fmp_addr mac; /* whose addresses are added up; {0}: it was by itself */
	uint32_t kinds; /* bits of those of whose events it had as many as count */
	unsigned override; /* number in the policy; 0: none */
};

bool fmpi_wait(struct fmp_engine *e, struct fmpi_row *row, const struct fmpi_row *kin,
	       const struct fmp_policy_rules *rules, enum fmp_event_kind kind, bool by_count,
	       uint64_t now_ms)
{
	const struct fmp_policy_override *o = rules->override;
	bool begins = fmpi_table_wait(&e->table, row);

	if (!row->waiting)
		return false;
	if (kin)
		fmpi_row_set_mac(row, &kin->key);
	if (by_count)
		row->waits_kinds |= UINT32_C(1) << kind;
	row->waits_override = o ? (uint16_t)(o - e->policy->overrides + 1) : 0;
	fmpi_table_keep(&e->table, row, fmpi_engine_keep(e, row, now_ms));
	return begins;
}

bool fmpi_has_turn(const struct fmp_engine *e)
{
	return e->table.waiting.n && e->table.blocked < e->policy->enforce.max_blocks;
}

/* By its points, or by one of the counts that it had reached; good messages are not counted. */
static bool holds(const struct fmp_engine *e, const struct fmpi_row *row, const struct waited *w,
		  const struct fmpi_row *kin, const struct fmp_policy_override *o, uint64_t now_ms,
		  struct fmp_policy_rules *rules, enum fmp_event_kind *kind)
{
	uint32_t kinds = w->kinds | UINT32_C(1) << FMP_EVENT_GOOD;

	fmp_policy_rules(e->policy, &row->key, o, rules);
	for (unsigned k = 0; k < FMP_EVENT_KINDS; k++)
		if (kinds & UINT32_C(1) << k && fmpi_is_malicious(e, row, kin, k, rules, now_ms)) {
			*kind = k;
			return true;
		}
	return false;
}

/*
 * The rules by which it is malicious still: those that it was malicious by, or those of a pool of its own. Else
 * what holds for it otherwise, by which it may be limited.
 */
static void find_rules(const struct fmp_engine *e, const struct fmpi_row *row,
		       const struct waited *w, const struct fmpi_row *kin, uint64_t now_ms,
		       struct fmp_policy_rules *rules, enum fmp_event_kind *kind)
{
	const struct fmp_policy *p = e->policy;
	const struct fmp_policy_override *o = w->override ? &p->overrides[w->override - 1] : NULL;

	if (holds(e, row, w, kin, o, now_ms, rules, kind))
		return;
	for (const struct fmpi_ledger *l = row->ledger; l; l = l->next) {
		o = fmpi_ledger_is_apart(l) ? fmpi_ledger_override(l, p) : NULL;
		if (o && holds(e, row, w, kin, o, now_ms, rules, kind))
			return;
	}
	(void)fmpi_engine_rules(e, row, now_ms, rules);
}

int fmpi_decide_waiting(struct fmp_engine *e, uint64_t now_ms, struct fmp_decision *out)
{
	struct fmp_history past[FMP_HISTORY];

	while (fmpi_has_turn(e)) {
		struct fmpi_row *row = e->table.waiting.v[0].row, *kin;
		unsigned n = fmpi_history_copy(row->history, &e->table.texts, past);
		struct fmp_event ev = { .source = row->key, .dest_port = row->dest_port };
		const struct waited w = { fmpi_row_mac(row), row->waits_kinds,
					  row->waits_override };
		struct fmp_policy_rules rules;
		enum fmp_event_kind kind = FMP_EVENT_GOOD;

		fmpi_table_wait_end(&e->table, row);
		if (!n)
			continue;
		ev.kind = past[n - 1].kind;
		fmpi_copy_text(ev.detail, sizeof(ev.detail), past[n - 1].detail);
		kin = w.mac.family ? fmpi_table_find(&e->table, &w.mac) : NULL;
		find_rules(e, row, &w, kin, now_ms, &rules, &kind);
		if (fmpi_decide(e, row, kin, &ev, kind, &rules, now_ms, out))
			return 1;
	}
	return 0;
}
