/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counts, for each layer, the blocks in force that need a rule for a MAC. Several sources may share a
 * MAC, and the kernel holds one rule for it.
 */
#ifndef FMPD_MAC_INDEX_H
#define FMPD_MAC_INDEX_H

#include <stdbool.h>

#include <fmp/decision.h>
#include <fmp/internal/hmap.h>

struct fmpd_mac_index {
	struct fmp_hmap macs;
};

/**
 * fmpd_mac_index_init() - @seed: senders choose their MACs; the seed keeps them from choosing collisions
 *
 * Return: 0, FMP_ERR_NOMEM.
 */
FMP_MUST_CHECK int fmpd_mac_index_init(struct fmpd_mac_index *m, uint64_t seed);
/** fmpd_mac_index_add() - count one block more. Return: it is the first one, or there is no memory for it. */
bool fmpd_mac_index_add(struct fmpd_mac_index *m, const struct fmp_addr *mac, unsigned layer);
/** fmpd_mac_index_del() - count one block less. Return: it was the last one, or the MAC is not there. */
bool fmpd_mac_index_del(struct fmpd_mac_index *m, const struct fmp_addr *mac, unsigned layer);
/** fmpd_mac_index_has() - does any block need a rule for it on that layer? */
bool fmpd_mac_index_has(const struct fmpd_mac_index *m, const struct fmp_addr *mac, unsigned layer);
void fmpd_mac_index_free(struct fmpd_mac_index *m);

#endif
