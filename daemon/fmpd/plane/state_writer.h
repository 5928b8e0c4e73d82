/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writes the state file: at the end, soon after a decision, and once in each interval. A forked child writes it: it has
 * a copy of the table, and detection goes on meanwhile.
 */
#ifndef FMPD_STATE_WRITER_H
#define FMPD_STATE_WRITER_H

#include <event2/event.h>

#include "plane.h"
#include "../state/state_format.h"

struct fmpd_state_writer;

/**
 * fmpd_state_save() - write the whole state to a file, now
 *
 * Leaves out sources without rank, credit, offences or block.
 */
FMP_MUST_CHECK int fmpd_state_save(const struct fmpd_plane_view *v, const char *path,
				   struct fmp_error *err);

FMP_MUST_CHECK int fmpd_state_writer_new(struct event_base *base, struct fmpd_plane *plane,
					 struct fmpd_state_writer **out, struct fmp_error *err);
/** fmpd_state_writer_changed() - there was a decision: write soon. */
void fmpd_state_writer_changed(struct fmpd_state_writer *s);
/** fmpd_state_writer_policy() - another policy is in force. */
void fmpd_state_writer_policy(struct fmpd_state_writer *s);
/** fmpd_state_writer_free() - write a last time. */
void fmpd_state_writer_free(struct fmpd_state_writer *s);

/** struct fmpd_state_writer_stats - for the metrics. */
struct fmpd_state_writer_stats {
	uint64_t written, failed;
	uint64_t written_ms; /**< the newest, CLOCK_BOOTTIME; 0: none yet */
};
void fmpd_state_writer_get_stats(const struct fmpd_state_writer *s,
				 struct fmpd_state_writer_stats *out);

#endif
