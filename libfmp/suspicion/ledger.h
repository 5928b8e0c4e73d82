/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A ledger holds what a source has gathered in one pool: the times of the newest events of each
 * kind that the policy counts (<event count="" within="">), and the points of an override with a
 * pool of its own (pool="no"). Only as many times are kept as the largest count needs;
 * FMP_COUNTED_MAX bounds them all, FMP_POOLS_MAX the pools.
 */
#ifndef FMPI_SUSPICION_LEDGER_H
#define FMPI_SUSPICION_LEDGER_H

#include <fmp/suspicion.h>

/* The times of the events of one kind, oldest first. */
struct fmpi_tally {
	struct fmpi_tally *next;
	uint8_t kind, n, cap;
	uint64_t time_ms[];
};

/* One pool. It identifies its override by service and port: numbers change with a reload. */
struct fmpi_ledger {
	struct fmpi_ledger *next;
	char service[32]; /* "" and port 0: the common pool */
	uint16_t port;
	uint32_t rank; /* thousandths of a point, as of rank_ms; the common pool's is in the row */
	uint64_t rank_ms;
	struct fmpi_tally *tallies;
};

/** fmpi_ledger_find() - the ledger of an override; NULL: there is none. @o: NULL, or an override
 * without its own pool: the common one */
struct fmpi_ledger *fmpi_ledger_find(struct fmpi_ledger *first,
				     const struct fmp_policy_override *o);
/** fmpi_ledger_get() - as fmpi_ledger_find(), created if there is none. Return: NULL without
 * memory. */
struct fmpi_ledger *fmpi_ledger_get(struct fmpi_ledger **first,
				    const struct fmp_policy_override *o);
/** fmpi_ledger_override() - the override of a ledger. Return: NULL: the common pool, or the policy
 * no longer has it. */
const struct fmp_policy_override *fmpi_ledger_override(const struct fmpi_ledger *l,
						       const struct fmp_policy *p);
/** fmpi_ledger_is_separate() - is it the pool of an override? */
bool fmpi_ledger_is_separate(const struct fmpi_ledger *l);

/** fmpi_ledger_add() - record an event of a kind. @most: number of times to keep, the oldest is
 * dropped; 0: none. Without memory the event is not recorded. */
void fmpi_ledger_add(struct fmpi_ledger *l, unsigned kind, uint32_t most, uint64_t when_ms);
/** fmpi_ledger_count() - the number of events within a time before now. @l may be NULL. */
uint32_t fmpi_ledger_count(const struct fmpi_ledger *l, unsigned kind, uint64_t within_ms,
			   uint64_t now_ms);
/** fmpi_ledger_remove() - free one ledger of a list. */
void fmpi_ledger_remove(struct fmpi_ledger **at);
/** fmpi_ledger_free() - free all ledgers; *first is then NULL. */
void fmpi_ledger_free(struct fmpi_ledger **first);

#endif
