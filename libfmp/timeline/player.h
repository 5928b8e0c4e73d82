/* SPDX-License-Identifier: GPL-2.0 */
/* What the files of a play share: timeline.c, print.c, dryrun.c. */
#ifndef FMPI_TIMELINE_PLAYER_H
#define FMPI_TIMELINE_PLAYER_H

#include <fmp/timeline.h>

#include <timeline/link.h>
#include <timeline/paired.h>

#define LINE_MAX_BYTES 1024

struct fmp_player {
	const struct fmp_policy *policy;
	struct fmp_engine *engine;
	uint64_t now_ms;
	const char *name;
	unsigned line;
	const struct fmp_player_ops *ops;
	void *ctx;
	uint64_t seed;
	struct fmp_policy *own; /* read by the log itself; NULL: policy is the caller's */
	struct fmp_translators
		found; /* that the log tells of, while the policy lets them be looked for */
	struct fmpi_link link;
	struct fmpi_paired paired;
	struct fmp_error *err; /* of the line being played */
};

/* Lines out, behind the time. Return: 0, what the play's watcher returned. */
int fmpi_print_line(const struct fmp_player *p, const char *fmt, ...) FMP_PRINTF(2, 3);
/* A decision, to the play's watcher and as lines. */
int fmpi_print_decision(const struct fmp_player *p, const struct fmp_decision *d);
/* A block of a pair is of its address by itself. */
int fmpi_print_unpaired(const struct fmp_player *p, const struct fmpi_paired_entry *one);
int fmpi_print_refused(const struct fmp_player *p, const char *verb, const struct fmp_addr *a,
		       int code);
int fmpi_print_source(const struct fmp_player *p, const struct fmp_addr *a);
int fmpi_print_stats(const struct fmp_player *p);

#endif
