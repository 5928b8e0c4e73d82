/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What systemd wants to hear (sd_notify(3)): datagrams of lines to $NOTIFY_SOCKET.
 * libsystemd does the same in as many lines, and OpenWrt has none.
 */
#ifndef FMPD_NOTIFY_H
#define FMPD_NOTIFY_H

#include <event2/event.h>

#include <fmp/error.h>

struct fmpd_notify;

/** fmpd_notify_new() - takes $NOTIFY_SOCKET and $WATCHDOG_USEC out of the environment: they are not for
 * the gateway. Without them all below does nothing. */
FMP_MUST_CHECK int fmpd_notify_new(struct event_base *base, struct fmpd_notify **out,
				   struct fmp_error *err);
/** fmpd_notify_ready() - serves from now on, with one line for `systemctl status`; the watchdog is
 * fed while the event loop turns. */
void fmpd_notify_ready(struct fmpd_notify *n, const char *fmt, ...) FMP_PRINTF(2, 3);
/** fmpd_notify_reloading() - until the next fmpd_notify_ready(). */
void fmpd_notify_reloading(struct fmpd_notify *n);
void fmpd_notify_stopping(struct fmpd_notify *n);
void fmpd_notify_free(struct fmpd_notify *n);

#endif
