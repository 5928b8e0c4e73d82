/* SPDX-License-Identifier: GPL-2.0 */
/* The pair blocks of a play, with their MACs: the engine only knows that they are pairs. */
#ifndef FMPI_TIMELINE_PAIRED_H
#define FMPI_TIMELINE_PAIRED_H

#include <fmp/decision.h>

/* Zeroed: empty. */
struct fmpi_paired {
	struct fmpi_paired_entry {
		struct fmp_addr source, mac;
		uint64_t id; /* of the decision */
	} * v; /* sorted by source */
	size_t n, cap;
};

/* Record a decision, which replaces an earlier one on the same source. Return: 0, FMP_ERR_NOMEM. */
FMP_MUST_CHECK int fmpi_paired_update(struct fmpi_paired *p, const struct fmp_decision *d);
/* Remove entry @i; later ones move up. */
void fmpi_paired_drop(struct fmpi_paired *p, size_t i);
void fmpi_paired_free(struct fmpi_paired *p);

#endif
