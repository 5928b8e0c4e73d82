/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The newest events of a source. Most sources have one or none: there is room for as many as
 * came, up to FMP_HISTORY.
 */
#ifndef FMPI_HISTORY_H
#define FMPI_HISTORY_H

#include <fmp/suspicion.h>

/* All zero: none. */
struct fmpi_history {
	struct fmp_history *events; /* room for cap; event i stands at i % FMP_HISTORY */
	uint32_t n; /* events ever remembered */
	uint8_t cap;
};

/** fmpi_history_add() - one more; the oldest goes when there are FMP_HISTORY.
 * Return: where it stands, to be filled; NULL without memory: it is not remembered. */
struct fmp_history *fmpi_history_add(struct fmpi_history *h);
/** fmpi_history_copy() - oldest first. Return: how many. */
unsigned fmpi_history_copy(const struct fmpi_history *h, struct fmp_history out[FMP_HISTORY]);
/** fmpi_history_clear() - none; the room stays. */
void fmpi_history_clear(struct fmpi_history *h);
void fmpi_history_free(struct fmpi_history *h);

#endif
