/* SPDX-License-Identifier: GPL-2.0 */
/* Thresholds and limits that a period of good traffic would have kept to. Pure. */
#ifndef FMPCTL_LEARN_H
#define FMPCTL_LEARN_H

#include <fmp/timeline.h>

struct learn;

/** learn_new() - by the policy's ranks and half-life, while nobody is blocked. @policy is not owned. */
FMP_MUST_CHECK int learn_new(const struct fmp_policy *policy, const char *name, struct learn **out,
			     struct fmp_error *err);
void learn_free(struct learn *l);
/** learn_line() - a line of a timeline. Return: as fmp_player_line(). */
FMP_MUST_CHECK int learn_line(struct learn *l, const char *text, size_t len, struct fmp_error *err);

/** struct learned - what was seen */
struct learned {
	uint64_t good, bad; /**< messages */
	uint64_t sources; /**< that count: they sent something good, unless none of all did */
	uint64_t left_out; /**< sources that sent nothing but bad messages: hardly good traffic */
	uint32_t peak; /**< most points that one of them had at a time */
	struct fmp_addr peak_source; /**< it; {0}: nobody had any */
	uint32_t bytes; /**< of the largest good message; 0: not known */
};
void learn_get(struct learn *l, struct learned *out);

/** struct proposal - 0: nothing is proposed */
struct proposal {
	uint32_t suspicious, malicious, body_bytes;
};
/**
 * learn_propose() - @margin_pct: 150 leaves half as much again
 *
 * No source that was seen would have been suspicious; malicious keeps its ratio to it; and a
 * single message of the worst kind blocks nobody.
 */
struct proposal learn_propose(const struct fmp_policy *policy, const struct learned *seen,
			      uint32_t margin_pct);

#endif
