/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The newest events of a source. Most sources have one or none: there is room for as many as
 * came, up to FMP_HISTORY, and what they say is kept once for all who do the same.
 */
#ifndef FMPI_HISTORY_H
#define FMPI_HISTORY_H

#include <fmp/suspicion.h>

#include <fmp/internal/string_intern.h>

/* A struct fmp_history, smaller. */
struct fmpi_past {
	uint64_t time_ms : 48; /* eight thousand years */
	uint64_t dest_port : 16;
	uint32_t rank : 24;
	uint32_t kind : 7;
	uint32_t light : 1; /* it neither adds points nor is counted */
	uint32_t detail; /* the text's number */
};

/* Where there is none, there is no history. */
struct fmpi_history {
	uint32_t n; /* events ever remembered */
	uint32_t cap; /* room */
	struct fmpi_past
		events[]; /* from n % FMP_HISTORY on, the oldest first, once there are as many */
};

/** fmpi_history_add() - one more to that of a source, NULL at first
 * @light: it neither adds points nor is counted
 *
 * When there are FMP_HISTORY the oldest light one goes, else the oldest; but a light one takes no other's place: who
 * sends many would hide by them what it is blocked for. Without memory it is not remembered. */
void fmpi_history_add(struct fmpi_history **of, struct fmp_intern *texts,
		      const struct fmp_history *event, bool light);
/** fmpi_history_copy() - oldest first. Return: how many. */
unsigned fmpi_history_copy(const struct fmpi_history *h, const struct fmp_intern *texts,
			   struct fmp_history out[FMP_HISTORY]);
void fmpi_history_free(struct fmpi_history *h, struct fmp_intern *texts);

#endif
