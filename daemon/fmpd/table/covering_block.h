/* SPDX-License-Identifier: GPL-2.0 */
/* Find the blocks in force that cover an address. Apart from the decision table, whose lookups want one record. */
#ifndef FMPD_COVERING_BLOCK_H
#define FMPD_COVERING_BLOCK_H

#include "decision_table.h"

/**
 * fmpd_covering_block_next() - the next block in force that covers an address, oldest first
 * @after: the previous one; NULL: start
 * @mac: the MAC of the address; {0}: not known, or the address is a MAC
 *
 * A block covers an address by its source, by a wider prefix, or by its MAC. Return: NULL at the end.
 */
struct fmpd_record *fmpd_covering_block_next(struct fmpd_decision_table *t,
					     struct fmpd_record *after, const struct fmp_addr *addr,
					     const struct fmp_addr *mac, uint64_t now_ms);

#endif
