/* SPDX-License-Identifier: GPL-2.0 */
/* The child that speaks HTTP: GET /metrics, nothing else, nobody's rights. */
#ifndef FMPD_METRICS_SERVER_H
#define FMPD_METRICS_SERVER_H

#include <stdint.h>

#define FMPD_METRICS_ASK  'm' /**< child -> fmpd: the text, please */
#define FMPD_METRICS_TEXT (4u << 20) /**< most bytes of it; fmpd -> child: u32 length, bytes */

/**
 * fmpd_metrics_serve() - in the child; never returns
 * @listen_fd: bound and listening
 * @channel_fd: to fmpd, blocking
 * @names: that the Host field may have beside the address listened on and localhost, a blank between;
 *	at a unix socket, which no browser reaches, any is taken
 * @user: whose rights it takes; as who it is if that can't be
 */
void fmpd_metrics_serve(int listen_fd, int channel_fd, const char *names, const char *user)
	__attribute__((noreturn));

#endif
