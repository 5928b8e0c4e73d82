/* SPDX-License-Identifier: GPL-2.0 */
/* Internals of a player, shared by timeline.c, print.c and dryrun.c. */
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
	struct fmp_policy *own; /* loaded by the log; NULL: policy is the caller's */
	struct fmp_translators
		found; /* NAT64 prefixes of the log; used if the policy allows discovery */
	struct fmpi_link link;
	struct fmpi_paired paired;
	struct fmp_error *err; /* for the current line */
};

/* Print a line after the time. Return: 0, or the op's value. */
int fmpi_print_line(const struct fmp_player *p, const char *fmt, ...) FMP_PRINTF(2, 3);
/* Report a decision to the op, and print its lines. */
int fmpi_print_decision(const struct fmp_player *p, const struct fmp_decision *d);
/* A pair block becomes a block of the address. */
int fmpi_print_unpaired(const struct fmp_player *p, const struct fmpi_paired_entry *one);
int fmpi_print_refused(const struct fmp_player *p, const char *verb, const struct fmp_addr *a,
		       int code);
int fmpi_print_source(const struct fmp_player *p, const struct fmp_addr *a);
int fmpi_print_stats(const struct fmp_player *p);

#endif
