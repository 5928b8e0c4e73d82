/* SPDX-License-Identifier: GPL-2.0 */
/* One fmpd that enforces in a network namespace, whatever its control socket. */
#ifndef FMPD_NETNS_LOCK_H
#define FMPD_NETNS_LOCK_H

#include <fmp/error.h>

/**
 * fmpd_netns_lock() - take the network namespace; it is given back when the process ends
 *
 * Return: 0, also if a process of another user holds the name, with a warning; FMP_ERR_EXISTS with
 * the pid of the fmpd that holds it; FMP_ERR_IO.
 */
FMP_MUST_CHECK int fmpd_netns_lock(struct fmp_error *err);
/** fmpd_netns_lock_forked() - after a fork: from now on this process is the one that holds it. */
void fmpd_netns_lock_forked(void);

#endif
