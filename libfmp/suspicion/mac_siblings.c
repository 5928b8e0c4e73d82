// SPDX-License-Identifier: GPL-2.0
/*
 * Addresses of one MAC. If this machine's own prefix can't be blocked, each address in it is a
 * source, and a host with many of them would stay below the thresholds with each. So their ranks
 * are added up under the MAC, and an address is judged by that sum if it is higher. Only an address
 * that was bad itself is blocked.
 */
#include <suspicion/engine.h>

#include <string.h>

#include <suspicion/macs.h>

#define GOOD_TO_BAD 4u

bool fmpi_mac_siblings_find(const struct fmp_engine *e, const struct fmp_addr *source,
			    const struct fmp_event *by, struct fmp_addr *mac)
{
	struct fmp_addr prefix;

	/* Without decay the sum would count against any later holder of the MAC for ever. */
	if (!e->siblings || source->family != FMP_FAMILY_IPV6 || !e->policy->suspicion.half_life_ms)
		return false;
	prefix = fmp_addr_mask(*source, e->policy->suspicion.ipv6_prefix);
	return e->is_protected && e->is_protected(&prefix, e->protect_ctx) &&
	       e->siblings(source, by, mac, e->siblings_ctx) && mac->family == FMP_FAMILY_MAC;
}

/*
 * Other hosts may share the MAC: an address with far more good than bad messages is judged alone. A
 * ratio of one to one would be cheap for an attacker: a good message before each bad one.
 */
bool fmpi_mac_siblings_apply(const struct fmpi_row *row)
{
	return !row->good || row->good->n / GOOD_TO_BAD < row->events;
}

struct fmpi_row *fmpi_mac_siblings_row(struct fmp_engine *e, struct fmpi_row *one,
				       const struct fmp_addr *mac, uint64_t now_ms)
{
	struct fmpi_row *row;
	uint64_t eviction_key = one->eviction_key;

	if (fmpi_row_blocks_all(one))
		return NULL;
	row = fmpi_table_find(&e->table, mac);
	if (!row) {
		/* The new row must not evict the one it is created for. */
		one->eviction_key = FMPI_EVICTION_PINNED;
		row = fmpi_table_add(&e->table, mac, fmpi_engine_eviction_key(e, 0, now_ms), true);
		fmpi_table_set_eviction_key(&e->table, one, eviction_key);
		if (!row)
			return NULL;
		row->first_ms = row->rank_ms = now_ms;
	}
	row->last_ms = now_ms;
	row->dest_port = one->dest_port;
	return row;
}

void fmpi_mac_siblings_reset(struct fmp_engine *e, const struct fmp_addr *mac, uint64_t now_ms)
{
	struct fmpi_row *row = fmpi_table_find(&e->table, mac);

	if (row)
		fmpi_row_reset_rank(row, now_ms);
}

/* Not blocked, far more good than bad messages, and active recently. */
static bool is_well_behaved(const struct fmp_engine *e, const struct fmpi_row *row, uint64_t now_ms)
{
	const struct fmpi_good *g = row->good;
	uint64_t since = now_ms > g->last_ms ? now_ms - g->last_ms : 0;

	return !row->blocked && !fmpi_mac_siblings_apply(row) && since < e->policy->block.forget_ms;
}

bool fmp_engine_vouches(const struct fmp_engine *e, const struct fmp_addr *mac,
			const struct fmp_addr *but, uint64_t now_ms)
{
	struct fmp_addr key = fmpi_engine_key(e, but);
	const struct fmpi_good *g;

	if (!e->table.macs)
		return false;
	LIST_FOREACH(g, fmpi_macs_list(&e->table, mac), same)
	if (!memcmp(g->mac, mac->bytes, sizeof(g->mac)) && !fmp_addr_equal(&g->of->key, &key) &&
	    is_well_behaved(e, g->of, now_ms))
		return true;
	return false;
}
