/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What is counted of a source beside its points: when the newest events of each kind came that the policy
 * counts (<event count="" within="">). Only as many are remembered as the largest count needs, and
 * none of kinds that are not counted; FMP_COUNTED_MAX bounds them all.
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

struct fmpi_ledger {
	struct fmpi_tally *tallies;
};

/** fmpi_ledger_add() - one more event of a kind. @ledger: NULL at first. @most: so many of this kind are
 * remembered, the oldest goes; 0: none. Without memory it is not remembered. */
void fmpi_ledger_add(struct fmpi_ledger **ledger, unsigned kind, uint32_t most, uint64_t when_ms);
/** fmpi_ledger_count() - how many came within so much time before now. @ledger may be NULL. */
uint32_t fmpi_ledger_count(const struct fmpi_ledger *ledger, unsigned kind, uint64_t within_ms,
			   uint64_t now_ms);
/** fmpi_ledger_save() - all of it, as ages; of each kind oldest first. Return: how many, of
 * FMP_COUNTED_MAX at most. */
unsigned fmpi_ledger_save(const struct fmpi_ledger *ledger, uint64_t now_ms,
			  struct fmp_saved_count out[FMP_COUNTED_MAX]);
/** fmpi_ledger_free() - all of it is forgotten; NULL from then on. */
void fmpi_ledger_free(struct fmpi_ledger **ledger);

#endif
