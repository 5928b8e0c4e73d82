/* SPDX-License-Identifier: GPL-2.0 */
/* The control server: a unix stream socket, mode 0660, bounded in every direction. */
#ifndef FMPD_CONTROL_H
#define FMPD_CONTROL_H

#include <event2/event.h>

#include "show.h"

struct fmpd_control;

/** fmpd_control_new() - binds the socket. @path: NULL: the default of this user. */
FMP_MUST_CHECK int fmpd_control_new(const char *path, struct fmpd_control **out,
				    struct fmp_error *err);
const char *fmpd_control_path(const struct fmpd_control *c);
/** fmpd_control_run() - answers from now on. */
FMP_MUST_CHECK int fmpd_control_run(struct fmpd_control *c, struct event_base *base,
				    const struct fmpd_show *show, struct fmp_error *err);
/** fmpd_control_free() - closes all clients, removes the socket. */
void fmpd_control_free(struct fmpd_control *c);

/** fmpd_control_restored() - those who asked for what was in force before are answered. */
void fmpd_control_restored(struct fmpd_control *c);
/** fmpd_control_verified() - those who asked for it are told; see struct fmpd_hooks. */
void fmpd_control_verified(struct fmpd_control *c, uint64_t number, int rc,
			   const struct fmp_error *err);

/** fmpd_control_unblocked() - so did all blocks end: the one who asked is told. */
void fmpd_control_unblocked(struct fmpd_control *c, uint64_t number, uint64_t ended);

/* What subscribers of FMP_CTL_WATCH see. */
void fmpd_control_event(struct fmpd_control *c, const struct fmp_event *ev);
/** fmpd_control_protected() - what is another one in the protected set. */
void fmpd_control_protected(struct fmpd_control *c);
/** fmpd_control_translator() - a prefix is the network's translator's from now on, or no longer. */
void fmpd_control_translator(struct fmpd_control *c, const struct fmp_addr *prefix, bool gone);
void fmpd_control_decision(struct fmpd_control *c, const struct fmpd_record *r);
void fmpd_control_gateway(struct fmpd_control *c, const struct fmpd_gateway_status *st,
			  const char *what);

#endif
