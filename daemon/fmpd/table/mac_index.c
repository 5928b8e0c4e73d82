// SPDX-License-Identifier: GPL-2.0
#include "mac_index.h"

#include <stdlib.h>

struct mac_blocks {
	struct fmp_hmap_link link;
	struct fmp_addr mac;
	uint32_t blocks[FMP_LAYERS];
};

int fmpd_mac_index_init(struct fmpd_mac_index *m, uint64_t seed)
{
	return fmp_hmap_init(&m->macs, FMP_HMAP_ENTRY(struct mac_blocks, link, mac), seed, 0);
}

bool fmpd_mac_index_add(struct fmpd_mac_index *m, const struct fmp_addr *mac, unsigned layer)
{
	struct mac_blocks *one = fmp_hmap_find(&m->macs, mac);

	if (!one) {
		one = calloc(1, sizeof(*one));
		if (!one)
			return true;
		one->mac = *mac;
		fmp_hmap_add(&m->macs, one);
	}
	return !one->blocks[layer]++;
}

bool fmpd_mac_index_del(struct fmpd_mac_index *m, const struct fmp_addr *mac, unsigned layer)
{
	struct mac_blocks *one = fmp_hmap_find(&m->macs, mac);

	if (!one || !one->blocks[layer])
		return true;
	if (--one->blocks[layer])
		return false;
	for (unsigned l = 0; l < FMP_LAYERS; l++)
		if (one->blocks[l])
			return true;
	fmp_hmap_remove(&m->macs, one);
	free(one);
	return true;
}

bool fmpd_mac_index_has(const struct fmpd_mac_index *m, const struct fmp_addr *mac, unsigned layer)
{
	const struct mac_blocks *one = fmp_hmap_find(&m->macs, mac);

	return one && one->blocks[layer];
}

void fmpd_mac_index_free(struct fmpd_mac_index *m)
{
	struct fmp_hmap_cursor at = { 0 };
	struct mac_blocks *one;

	while ((one = fmp_hmap_next(&m->macs, &at)))
		free(one);
	fmp_hmap_exit(&m->macs);
}
