// SPDX-License-Identifier: GPL-2.0
/*
 * Addresses of one MAC. Where the own prefix can't be blocked each address in it is a source by
 * itself, and whoever has many of them would stay below the thresholds with each: so what they send is
 * added up under their MAC, and an address is judged by that sum if its own rank is the lower one.
 * Only what has been bad itself is ever blocked by it.
 */
#include <suspicion/engine.h>

#define GOOD_TO_BAD 4u

bool fmpi_mac_siblings_of(const struct fmp_engine *e, const struct fmp_addr *source,
			  const struct fmp_event *by, struct fmp_addr *mac)
{
	struct fmp_addr prefix;

	/* What never decays would be held against whoever has the MAC for ever. */
	if (!e->kin || source->family != FMP_FAMILY_IPV6 || !e->policy->suspicion.half_life_ms)
		return false;
	prefix = fmp_addr_mask(*source, e->policy->suspicion.ipv6_prefix);
	return e->guard && e->guard(&prefix, e->guard_ctx) && e->kin(source, by, mac, e->kin_ctx) &&
	       mac->family == FMP_FAMILY_MAC;
}

/*
 * Others may stand behind the MAC: who is good far more often than bad answers for himself alone. As
 * often would be cheap for an attacker: a good message before each bad one.
 */
bool fmpi_mac_siblings_evaluate(const struct fmpi_row *row)
{
	return !row->good || row->good->n / GOOD_TO_BAD < row->events;
}

struct fmpi_row *fmpi_mac_siblings_row(struct fmp_engine *e, struct fmpi_row *one,
				       const struct fmp_addr *mac, uint64_t now_ms)
{
	struct fmpi_row *row;
	uint64_t keep = one->keep;

	if (fmpi_row_drops(one))
		return NULL;
	row = fmpi_table_find(&e->table, mac);
	if (!row) {
		/* The new row pushes out any but the one that it is made for. */
		one->keep = FMPI_KEEP_PINNED;
		row = fmpi_table_add(&e->table, mac, fmpi_engine_place(e, 0, now_ms), true);
		fmpi_table_keep(&e->table, one, keep);
		if (!row)
			return NULL;
		row->first_ms = row->rank_ms = now_ms;
	}
	row->last_ms = now_ms;
	row->dest_port = one->dest_port;
	return row;
}

void fmpi_mac_siblings_pardon(struct fmp_engine *e, const struct fmp_addr *mac, uint64_t now_ms)
{
	struct fmpi_row *row = fmpi_table_find(&e->table, mac);

	if (row)
		fmpi_engine_pardon(row, now_ms);
}
