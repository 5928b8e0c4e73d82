/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counts, for each layer, the blocks in force that need a rule for a MAC. Several sources may share a
 * MAC, and the kernel holds one rule for it.
 */
#ifndef FMPD_MAC_INDEX_H
#define FMPD_MAC_INDEX_H

#include <stdbool.h>
#include <stddef.h>

#include <fmp/decision.h>

struct fmpd_mac_index_slot {
	struct fmp_addr mac; /* family 0: free */
	uint32_t blocks[FMP_LAYERS];
};

/** struct fmpd_mac_index - all zero but for the seed: empty. */
struct fmpd_mac_index {
	uint64_t seed; /**< senders choose their MACs; the seed keeps them from choosing collisions */
	struct fmpd_mac_index_slot *v;
	size_t n, cap; /* cap: 0 or a power of two */
};

/** fmpd_mac_index_add() - count one block more. Return: it is the first one, or there is no memory for it. */
bool fmpd_mac_index_add(struct fmpd_mac_index *m, const struct fmp_addr *mac, unsigned layer);
/** fmpd_mac_index_del() - count one block less. Return: it was the last one, or the MAC is not there. */
bool fmpd_mac_index_del(struct fmpd_mac_index *m, const struct fmp_addr *mac, unsigned layer);
/** fmpd_mac_index_has() - does any block need a rule for it on that layer? */
bool fmpd_mac_index_has(const struct fmpd_mac_index *m, const struct fmp_addr *mac, unsigned layer);
void fmpd_mac_index_free(struct fmpd_mac_index *m);

#endif
