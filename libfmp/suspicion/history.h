/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The newest events of a source. Most sources have one or none: there is room for as many as
 * came, up to FMP_HISTORY, and what they say is kept once for all who do the same.
 */
#ifndef FMPI_HISTORY_H
#define FMPI_HISTORY_H

#include <fmp/suspicion.h>

#include <base/texts.h>

/* A struct fmp_history, smaller. */
struct fmpi_past {
	uint64_t time_ms;
	const char *detail;
	uint32_t rank;
	uint16_t dest_port;
	uint8_t kind;
};

/* All zero: none. */
struct fmpi_history {
	struct fmpi_past *events; /* room for cap; event i stands at i % FMP_HISTORY */
	uint32_t n; /* events ever remembered */
	uint8_t cap;
};

/** fmpi_history_add() - one more; the oldest goes when there are FMP_HISTORY. Without memory it is
 * not remembered. */
void fmpi_history_add(struct fmpi_history *h, struct fmpi_texts *texts,
		      const struct fmp_history *event);
/** fmpi_history_copy() - oldest first. Return: how many. */
unsigned fmpi_history_copy(const struct fmpi_history *h, struct fmp_history out[FMP_HISTORY]);
/** fmpi_history_clear() - none; the room stays. */
void fmpi_history_clear(struct fmpi_history *h, struct fmpi_texts *texts);
void fmpi_history_free(struct fmpi_history *h, struct fmpi_texts *texts);

#endif
