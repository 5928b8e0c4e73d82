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

/**
 * fmpd_covering_ip_block() - the next block by which the layer ip stops frames of an IP address to a port, narrowest first
 * @after: the previous one; NULL: start
 *
 * Quick, for thousands of addresses. Of a pair only the address is looked at. Return: NULL at the end.
 */
struct fmpd_record *fmpd_covering_ip_block(struct fmpd_decision_table *t, struct fmpd_record *after,
					   const struct fmp_addr *addr, uint16_t dest_port);

#endif
