/* SPDX-License-Identifier: GPL-2.0 */
/* The child that serves HTTP: GET /metrics and nothing else, without rights. */
#ifndef FMPD_METRICS_SERVER_H
#define FMPD_METRICS_SERVER_H

#include <stdint.h>

#define FMPD_METRICS_REQUEST 'm' /**< child -> fmpd: request for the text */
#define FMPD_METRICS_TEXT    (4u << 20) /**< its maximum; fmpd -> child: u32 length, then the bytes */

/**
 * fmpd_metrics_serve() - runs in the child; never returns
 * @listen_fd: bound and listening
 * @channel_fd: to fmpd, blocking
 * @names: valid in the Host field beside the address listened on and localhost, separated by blanks. On a unix socket,
 *	which no browser reaches, any name is valid
 * @user: the child switches to this user if it runs as root
 */
void fmpd_metrics_serve(int listen_fd, int channel_fd, const char *names, const char *user)
	__attribute__((noreturn));

#endif
