/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What is known of a source beside the points that all its messages share: the times of the newest events
 * of each kind that the policy counts (<event count="" within="">), and the points that an override
 * keeps apart (pool="no"). Only as many times are remembered as the largest count needs, and none of
 * kinds that are not counted; FMP_COUNTED_MAX bounds them all, FMP_POOLS_MAX the overrides.
 */
#ifndef FMPI_SUSPICION_LEDGER_H
#define FMPI_SUSPICION_LEDGER_H

#include <fmp/suspicion.h>

/* The times of one kind, oldest first. */
struct fmpi_tally {
	struct fmpi_tally *next;
	uint8_t kind, n, cap;
	uint64_t time_ms[];
};

/* Of one pool. An override is known by whom it is for: its number is another after a reload. */
struct fmpi_ledger {
	struct fmpi_ledger *next;
	char service[32]; /* "" and port 0: the pool of all that is not kept apart */
	uint16_t port;
	uint32_t rank; /* thousandths of a point, as of rank_ms; of the pool of all the row has it */
	uint64_t rank_ms;
	struct fmpi_tally *tallies;
};

/** fmpi_ledger_find() - that of an override; NULL: it has none. @o: NULL, or one that keeps nothing apart:
 * that of all. */
struct fmpi_ledger *fmpi_ledger_find(struct fmpi_ledger *first,
				     const struct fmp_policy_override *o);
/** fmpi_ledger_make() - the same, made if there is none. Return: NULL without memory. */
struct fmpi_ledger *fmpi_ledger_make(struct fmpi_ledger **first,
				     const struct fmp_policy_override *o);
/** fmpi_ledger_override() - whose it is. Return: NULL: everybody's, or the policy has no such one any more. */
const struct fmp_policy_override *fmpi_ledger_override(const struct fmpi_ledger *l,
						       const struct fmp_policy *p);
/** fmpi_ledger_is_apart() - is it not that of all? */
bool fmpi_ledger_is_apart(const struct fmpi_ledger *l);

/** fmpi_ledger_add() - one more event of a kind. @most: so many of this kind are remembered, the oldest goes;
 * 0: none. Without memory it is not remembered. */
void fmpi_ledger_add(struct fmpi_ledger *l, unsigned kind, uint32_t most, uint64_t when_ms);
/** fmpi_ledger_count() - how many came within so much time before now. @l may be NULL. */
uint32_t fmpi_ledger_count(const struct fmpi_ledger *l, unsigned kind, uint64_t within_ms,
			   uint64_t now_ms);
/** fmpi_ledger_drop() - one of them is forgotten. */
void fmpi_ledger_drop(struct fmpi_ledger **at);
/** fmpi_ledger_free() - all of them; NULL from then on. */
void fmpi_ledger_free(struct fmpi_ledger **first);

#endif
