/* SPDX-License-Identifier: GPL-2.0 */
/* Which blocks in force hold an address. */
#ifndef FMPD_COVERING_BLOCK_H
#define FMPD_COVERING_BLOCK_H

#include "decision_table.h"

/**
 * fmpd_covering_block_next() - the next block in force that holds an address, oldest first
 * @after: where to go on; NULL: at the first
 * @mac: of the address; {0}: not known, or it is one itself
 *
 * By its source, by a wider prefix, or by its MAC. Return: NULL: these were all.
 */
struct fmpd_record *fmpd_covering_block_next(struct fmpd_decision_table *t,
					     struct fmpd_record *after, const struct fmp_addr *addr,
					     const struct fmp_addr *mac, uint64_t now_ms);

#endif
