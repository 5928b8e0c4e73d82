/* SPDX-License-Identifier: GPL-2.0 */
/* One decoded request -> what it does -> records and one end. */
#ifndef FMPD_DISPATCH_H
#define FMPD_DISPATCH_H

#include "request.h"
#include "show.h"

/** fmpd_dispatch_needs_restored() - is it answered by all that was in force before this fmpd? */
bool fmpd_dispatch_needs_restored(const struct fmpd_request *req);
/**
 * fmpd_dispatch() - all but FMP_CTL_WATCH; of a status what is known of the layers
 * @uid: who asks, for the log
 * @pid: its process; 0: not known
 *
 * Return: 0, or the number of the fmpd_plane_unblock_all() that the answer waits for: none of it is in @out.
 */
uint64_t fmpd_dispatch(const struct fmpd_show *show, const struct fmpd_request *req, unsigned uid,
		       pid_t pid, struct fmpd_reply *out);

#endif
