// SPDX-License-Identifier: GPL-2.0
/*
 * Malicious sources without room for their block. At its turn a source is evaluated again by what
 * made it malicious, not by its last message: otherwise one harmless message would let it go. If
 * its points have decayed, or the counted events are too old, it is let go.
 */
#include <suspicion/engine.h>

/* The state of a waiting source, copied because its block reuses the members of the row. */
struct wait_state {
	struct fmp_addr mac; /* MAC whose siblings count; {0}: the source alone */
	uint32_t kinds; /* bits of the kinds that had reached their count */
	unsigned override; /* number in the policy; 0: none */
};

bool fmpi_has_room_for_waiting(const struct fmp_engine *e)
{
	return e->table.waiting.n && e->table.blocked < e->policy->enforce.max_blocks;
}

/* Is it malicious by its points, or by a count that it had reached? Good messages are not
 * counted. */
static bool is_still_malicious(const struct fmp_engine *e, const struct fmpi_row *row,
			       const struct wait_state *w, const struct fmpi_row *siblings,
			       const struct fmp_policy_override *o, uint64_t now_ms,
			       struct fmp_policy_rules *rules, enum fmp_event_kind *kind)
{
	uint32_t kinds = w->kinds | UINT32_C(1) << FMP_EVENT_GOOD;

	fmp_policy_rules(e->policy, &row->key, o, rules);
	for (unsigned k = 0; k < FMP_EVENT_KINDS; k++)
		if (kinds & UINT32_C(1) << k &&
		    fmpi_is_malicious(e, row, siblings, k, rules, now_ms)) {
			*kind = k;
			return true;
		}
	return false;
}

/*
 * Find the settings under which it is still malicious: those under which it was, or those of one of
 * its pools; else the ones that apply to it, under which it may be limited.
 */
static void find_rules(const struct fmp_engine *e, const struct fmpi_row *row,
		       const struct wait_state *w, const struct fmpi_row *siblings, uint64_t now_ms,
		       struct fmp_policy_rules *rules, enum fmp_event_kind *kind)
{
	const struct fmp_policy *p = e->policy;
	const struct fmp_policy_override *o = w->override ? &p->overrides[w->override - 1] : NULL;

	if (is_still_malicious(e, row, w, siblings, o, now_ms, rules, kind))
		return;
	for (const struct fmpi_ledger *l = row->ledger; l; l = l->next) {
		o = fmpi_ledger_is_separate(l) ? fmpi_ledger_override(l, p) : NULL;
		if (o && is_still_malicious(e, row, w, siblings, o, now_ms, rules, kind))
			return;
	}
	(void)fmpi_engine_rules(e, row, now_ms, rules);
}

int fmpi_decide_waiting(struct fmp_engine *e, uint64_t now_ms, struct fmp_decision *out)
{
	struct fmp_history past[FMP_HISTORY];

	while (fmpi_has_room_for_waiting(e)) {
		struct fmpi_row *row = e->table.waiting.v[0].row, *siblings;
		unsigned n = fmpi_history_copy(row->history, &e->table.texts, past);
		struct fmp_event ev = { .source = row->key, .dest_port = row->dest_port };
		const struct wait_state w = { fmpi_row_mac(row), row->waiting_kinds,
					      row->waiting_override };
		struct fmp_policy_rules rules;
		enum fmp_event_kind kind = FMP_EVENT_GOOD;

		fmpi_table_stop_waiting(&e->table, row);
		if (!n)
			continue;
		ev.kind = past[n - 1].kind;
		fmpi_copy_text(ev.detail, sizeof(ev.detail), past[n - 1].detail);
		siblings = w.mac.family ? fmpi_table_find(&e->table, &w.mac) : NULL;
		find_rules(e, row, &w, siblings, now_ms, &rules, &kind);
		if (fmpi_decide(e, row, siblings, &ev, kind, &rules, now_ms, out))
			return 1;
	}
	return 0;
}
