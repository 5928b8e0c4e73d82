/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The newest events of a source. Most sources have one or none: it grows up to FMP_HISTORY, and
 * texts are interned.
 */
#ifndef FMPI_HISTORY_H
#define FMPI_HISTORY_H

#include <fmp/suspicion.h>

#include <fmp/internal/string_intern.h>

/* A compact struct fmp_history. */
struct fmpi_history_entry {
	uint64_t time_ms : 48; /* eight thousand years */
	uint64_t dest_port : 16;
	uint32_t rank : 24;
	uint32_t kind : 7;
	uint32_t minor : 1;
	uint32_t detail; /* the text's number */
};

/* No history is a NULL pointer. */
struct fmpi_history {
	uint32_t n; /* events ever added */
	uint32_t cap;
	struct fmpi_history_entry events[]; /* a ring once full: the oldest is at n % FMP_HISTORY */
};

/** fmpi_history_add() - add an event to a history, NULL at first
 * @minor: it neither adds points nor is counted
 *
 * A full history drops the oldest minor event, else the oldest. A minor event never displaces
 * another one: an attacker could hide the cause of its block behind many of them. Without memory
 * the event is dropped. */
void fmpi_history_add(struct fmpi_history **of, struct fmp_intern *texts,
		      const struct fmp_history *event, bool minor);
/** fmpi_history_copy() - copy the events, oldest first. Return: how many. */
unsigned fmpi_history_copy(const struct fmpi_history *h, const struct fmp_intern *texts,
			   struct fmp_history out[FMP_HISTORY]);
void fmpi_history_free(struct fmpi_history *h, struct fmp_intern *texts);

#endif
