/* SPDX-License-Identifier: GPL-2.0 */
/* Proposes thresholds and limits that a period of good traffic stays below. Pure. */
#ifndef FMPCTL_LEARN_H
#define FMPCTL_LEARN_H

#include <fmp/timeline.h>

#include "learn_gateway.h"

struct learn;

/** learn_new() - measure by the policy's ranks and half-life, without blocks. @policy: not owned */
FMP_MUST_CHECK int learn_new(const struct fmp_policy *policy, const char *name, struct learn **out,
			     struct fmp_error *err);
void learn_free(struct learn *l);
/** learn_line() - add a line of a timeline. Return: as fmp_player_line(). */
FMP_MUST_CHECK int learn_line(struct learn *l, const char *text, size_t len, struct fmp_error *err);

/** struct learned - the measured traffic */
struct learned {
	uint64_t good, bad; /**< messages */
	uint64_t sources; /**< that sent a good message; all, if none did */
	uint64_t left_out; /**< sources that sent only bad messages */
	uint32_t peak; /**< most points that one source had at a time */
	struct fmp_addr peak_source; /**< that source; {0}: no source had points */
	uint32_t bytes; /**< size of the largest good message; 0: unknown */
};
void learn_get(struct learn *l, struct learned *out);

/** struct proposal - 0: no proposal */
struct proposal {
	uint32_t suspicious, malicious, body_bytes;
};
/**
 * learn_propose() - @margin_pct: 150 adds half of the peak
 *
 * No measured source would have been suspicious; malicious keeps its ratio to suspicious; and a
 * single message of the worst kind blocks no source.
 */
struct proposal learn_propose(const struct fmp_policy *policy, const struct learned *seen,
			      uint32_t margin_pct);

/** learn_propose_gateway() - learn_gateway_propose() from the sources that were never suspicious */
FMP_MUST_CHECK int learn_propose_gateway(struct learn *l, uint32_t margin_pct,
					 struct fmp_policy *policy,
					 struct fmp_policy_service **services,
					 struct findings *out);

#endif
