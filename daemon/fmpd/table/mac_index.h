/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How many blocks in force want a MAC dropped, layer by layer: several sources may share one,
 * and it is one rule of the kernel all the same.
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

/** All zero, but for the seed: empty. */
struct fmpd_mac_index {
	uint64_t seed; /**< senders choose their MACs: they can't choose collisions */
	struct fmpd_mac_index_slot *v;
	size_t n, cap; /* cap: 0 or a power of two */
};

/** fmpd_mac_index_add() - one block more. Return: is it the first one, or one that finds no memory? */
bool fmpd_mac_index_add(struct fmpd_mac_index *m, const struct fmp_addr *mac, unsigned layer);
/** fmpd_mac_index_del() - one less. Return: was it the last one, or one that is not there? */
bool fmpd_mac_index_del(struct fmpd_mac_index *m, const struct fmp_addr *mac, unsigned layer);
/** fmpd_mac_index_has() - does any block want it dropped on that layer? */
bool fmpd_mac_index_has(const struct fmpd_mac_index *m, const struct fmp_addr *mac, unsigned layer);
void fmpd_mac_index_free(struct fmpd_mac_index *m);

#endif
