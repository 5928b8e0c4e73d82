/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reports of other programs, on a unix socket of its own that accepts no other request. The kernel names the peer
 * (SO_PEERCRED, SO_PEERGROUPS), and the policy says which group may report.
 */
#ifndef FMPD_REPORTERS_H
#define FMPD_REPORTERS_H

#include <event2/event.h>

#include "../plane/plane.h"

struct fmpd_reporters;

/** fmpd_reporters_new() - bind the socket beside the control socket. */
FMP_MUST_CHECK int fmpd_reporters_new(const char *control_path, struct fmpd_reporters **out,
				      struct fmp_error *err);
FMP_MUST_CHECK int fmpd_reporters_run(struct fmpd_reporters *r, struct event_base *base,
				      struct fmpd_plane *plane, struct fmp_error *err);
/** fmpd_reporters_policy() - another policy is in force: look up its group. */
void fmpd_reporters_policy(struct fmpd_reporters *r);
void fmpd_reporters_free(struct fmpd_reporters *r);

struct fmpd_reporters_stats {
	uint64_t taken, lost; /**< lost: beyond the rate of the policy */
	uint64_t denied; /**< connections of users without the right */
};
void fmpd_reporters_get_stats(const struct fmpd_reporters *r, struct fmpd_reporters_stats *out);

#endif
