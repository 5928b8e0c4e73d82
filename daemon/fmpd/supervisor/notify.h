/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Notify systemd (sd_notify(3)): datagrams of lines to $NOTIFY_SOCKET. Without libsystemd, which OpenWrt does not have.
 */
#ifndef FMPD_NOTIFY_H
#define FMPD_NOTIFY_H

#include <event2/event.h>

#include <fmp/error.h>

struct fmpd_notify;

/** fmpd_notify_new() - also removes $NOTIFY_SOCKET and $WATCHDOG_USEC from the environment, for they are not meant for
 * the gateway. If they are not set, the functions below do nothing. */
FMP_MUST_CHECK int fmpd_notify_new(struct event_base *base, struct fmpd_notify **out,
				   struct fmp_error *err);
/** fmpd_notify_ready() - fmpd serves now; the text is for `systemctl status`. From now on the watchdog is notified
 * while the event loop runs. */
void fmpd_notify_ready(struct fmpd_notify *n, const char *fmt, ...) FMP_PRINTF(2, 3);
/** fmpd_notify_reloading() - until the next fmpd_notify_ready(). */
void fmpd_notify_reloading(struct fmpd_notify *n);
void fmpd_notify_stopping(struct fmpd_notify *n);
void fmpd_notify_free(struct fmpd_notify *n);

#endif
