/* SPDX-License-Identifier: GPL-2.0 */
/* Carry out one decoded request: reply with records and one end. */
#ifndef FMPD_DISPATCH_H
#define FMPD_DISPATCH_H

#include "request.h"
#include "show.h"

/** fmpd_dispatch_needs_restored() - does the request need all that was in force before this fmpd? */
bool fmpd_dispatch_needs_restored(const struct fmpd_request *req);
/**
 * fmpd_dispatch() - all requests but FMP_CTL_WATCH; a status shows the newest comparison, and makes none
 * @uid: of the client, for the log
 * @pid: of the client; 0: not known
 *
 * Return: 0; or the number of the fmpd_plane_unblock_all() that the reply waits for, and @out has nothing of it.
 */
uint64_t fmpd_dispatch(const struct fmpd_show *show, const struct fmpd_request *req, unsigned uid,
		       pid_t pid, struct fmpd_reply *out);

#endif
