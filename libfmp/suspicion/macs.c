// SPDX-License-Identifier: GPL-2.0
#include <suspicion/macs.h>

#include <stdlib.h>
#include <string.h>

#include <suspicion/engine.h>

#define LISTS 1024u

static struct fmpi_goods *list_of(const struct fmpi_table *t, const struct fmp_addr *mac)
{
	return &t->macs[fmp_addr_hash(mac, t->seed) & (LISTS - 1)];
}

void fmpi_macs_remember(struct fmpi_table *t, struct fmpi_row *row, const struct fmp_addr *mac)
{
	struct fmpi_good *g = row->good;

	if (mac->family != FMP_FAMILY_MAC || (g->of && !memcmp(g->mac, mac->bytes, sizeof(g->mac))))
		return;
	if (!t->macs)
		t->macs = calloc(LISTS, sizeof(*t->macs));
	if (!t->macs)
		return;
	fmpi_macs_forget(g);
	memcpy(g->mac, mac->bytes, sizeof(g->mac));
	g->of = row;
	LIST_INSERT_HEAD(list_of(t, mac), g, same);
}

void fmpi_macs_forget(struct fmpi_good *g)
{
	if (!g || !g->of)
		return;
	LIST_REMOVE(g, same);
	g->of = NULL;
}

struct fmp_addr fmpi_macs_of(const struct fmpi_row *row)
{
	return row->good && row->good->of ? fmp_addr_mac(row->good->mac) : (struct fmp_addr){ 0 };
}

/* Good far more often than bad, not blocked, and of late. */
static bool behaves(const struct fmp_engine *e, const struct fmpi_row *row, uint64_t now_ms)
{
	const struct fmpi_good *g = row->good;
	uint64_t since = now_ms > g->last_ms ? now_ms - g->last_ms : 0;

	return !row->blocked && !fmpi_mac_siblings_evaluate(row) &&
	       since < e->policy->block.forget_ms;
}

bool fmp_engine_vouches(const struct fmp_engine *e, const struct fmp_addr *mac,
			const struct fmp_addr *but, uint64_t now_ms)
{
	struct fmp_addr key = fmpi_engine_key(e, but);
	const struct fmpi_good *g;

	if (!e->table.macs)
		return false;
	LIST_FOREACH(g, list_of(&e->table, mac), same)
	if (!memcmp(g->mac, mac->bytes, sizeof(g->mac)) && !fmp_addr_equal(&g->of->key, &key) &&
	    behaves(e, g->of, now_ms))
		return true;
	return false;
}
