/* SPDX-License-Identifier: GPL-2.0 */
/* The blocks of a play that are of an address in frames of one MAC alone: the engine knows that they
 * are pairs, but not with whom. */
#ifndef FMPI_TIMELINE_PAIRED_H
#define FMPI_TIMELINE_PAIRED_H

#include <fmp/decision.h>

/* Zeroed: empty. */
struct fmpi_paired {
	struct fmpi_paired_entry {
		struct fmp_addr source, mac;
		uint64_t id; /* of the decision */
	} * v; /* by source */
	size_t n, cap;
};

/* A decision on its source: what was of it before is over. Return: 0, FMP_ERR_NOMEM. */
FMP_MUST_CHECK int fmpi_paired_update(struct fmpi_paired *p, const struct fmp_decision *d);
/* One of them is none any longer. @i: its place; those behind it move up */
void fmpi_paired_drop(struct fmpi_paired *p, size_t i);
void fmpi_paired_free(struct fmpi_paired *p);

#endif
