/* SPDX-License-Identifier: GPL-2.0 */
/* At most one fmpd enforces in a network namespace, whatever its control socket. */
#ifndef FMPD_NETNS_LOCK_H
#define FMPD_NETNS_LOCK_H

#include <event2/event.h>

#include <fmp/error.h>

/**
 * fmpd_netns_lock() - lock the network namespace until the process ends
 *
 * Return: 0, also if a process of another user holds the name, with a warning; FMP_ERR_EXISTS with
 * the pid of the fmpd that holds it; FMP_ERR_IO.
 */
FMP_MUST_CHECK int fmpd_netns_lock(struct fmp_error *err);
/** fmpd_netns_lock_forked() - after a fork: this process now holds the lock. */
void fmpd_netns_lock_forked(void);
/**
 * fmpd_netns_lock_run() - keep answering who holds the lock, until fmpd_netns_lock_stop()
 *
 * Return: 0, also if there is no lock; FMP_ERR_NOMEM.
 */
FMP_MUST_CHECK int fmpd_netns_lock_run(struct event_base *base, struct fmp_error *err);
/** fmpd_netns_lock_stop() - before the base is freed; the lock stays. */
void fmpd_netns_lock_stop(void);

#endif
