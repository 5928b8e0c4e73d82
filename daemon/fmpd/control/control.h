/* SPDX-License-Identifier: GPL-2.0 */
/* The control server on a unix stream socket, mode 0660. The number of clients, requests and replies are bounded. */
#ifndef FMPD_CONTROL_H
#define FMPD_CONTROL_H

#include <event2/event.h>

#include "show.h"

struct fmpd_control;

/** fmpd_control_new() - bind the socket. @path: NULL: the default of this user. */
FMP_MUST_CHECK int fmpd_control_new(const char *path, struct fmpd_control **out,
				    struct fmp_error *err);
const char *fmpd_control_path(const struct fmpd_control *c);
/** fmpd_control_run() - handle requests from now on. */
FMP_MUST_CHECK int fmpd_control_run(struct fmpd_control *c, struct event_base *base,
				    const struct fmpd_show *show, struct fmp_error *err);
/** fmpd_control_free() - close all clients, and remove the socket. */
void fmpd_control_free(struct fmpd_control *c);

/** fmpd_control_restored() - all that was in force before is known: handle requests that waited for it. */
void fmpd_control_restored(struct fmpd_control *c);
/** fmpd_control_verified() - reply to clients that wait for it; see struct fmpd_hooks. */
void fmpd_control_verified(struct fmpd_control *c, uint64_t number, int rc,
			   const struct fmp_error *err);

/** fmpd_control_unblocked() - an unblock-all is done: reply to the client that waits for it. */
void fmpd_control_unblocked(struct fmpd_control *c, uint64_t number, uint64_t ended);

/* For subscribers of FMP_CTL_WATCH. */
void fmpd_control_event(struct fmpd_control *c, const struct fmp_event *ev);
/** fmpd_control_protected() - the protected set changed: send the differences. */
void fmpd_control_protected(struct fmpd_control *c);
/** fmpd_control_translator() - a prefix became one of the network's translators, or no longer is one. */
void fmpd_control_translator(struct fmpd_control *c, const struct fmp_addr *prefix, bool gone);
void fmpd_control_decision(struct fmpd_control *c, const struct fmpd_record *r);
void fmpd_control_gateway(struct fmpd_control *c, const struct fmpd_gateway_status *st,
			  const char *what);

#endif
