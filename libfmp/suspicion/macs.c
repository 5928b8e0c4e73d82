// SPDX-License-Identifier: GPL-2.0
#include <suspicion/macs.h>

#include <stdlib.h>
#include <string.h>

#define LISTS 1024u

struct fmpi_goods *fmpi_macs_list(const struct fmpi_table *t, const struct fmp_addr *mac)
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
	LIST_INSERT_HEAD(fmpi_macs_list(t, mac), g, same);
}

void fmpi_macs_forget(struct fmpi_good *g)
{
	if (!g || !g->of)
		return;
	LIST_REMOVE(g, same);
	g->of = NULL;
}

struct fmp_addr fmpi_macs_get(const struct fmpi_row *row)
{
	return row->good && row->good->of ? fmp_addr_mac(row->good->mac) : (struct fmp_addr){ 0 };
}
