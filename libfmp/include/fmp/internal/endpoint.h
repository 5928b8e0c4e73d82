/* SPDX-License-Identifier: GPL-2.0 */
/* ADDR:PORT as text, and a socket that listens there. */
#ifndef FMP_ENDPOINT_H
#define FMP_ENDPOINT_H

#include <stdbool.h>
#include <sys/socket.h>

#include <fmp/error.h>

/** struct fmp_endpoint - where to listen */
struct fmp_endpoint {
	struct sockaddr_storage address;
	socklen_t len; /**< 0: nowhere */
};

/**
 * fmp_endpoint_parse() - "192.0.2.1:80", "[2001:db8::1]:80"
 *
 * Numbers only: what is bound must not hang on a resolver. Return: 0, FMP_ERR_INVALID.
 */
int fmp_endpoint_parse(const char *text, struct fmp_endpoint *out, struct fmp_error *err);

/**
 * fmp_endpoint_listen() - bind and listen
 * @flags: of the socket, SOCK_NONBLOCK; it is closed on exec in any case
 * @waits: out: this machine does not have that address yet; it listens as soon as it does
 *
 * Return: the socket; FMP_ERR_IO.
 */
int fmp_endpoint_listen(const struct fmp_endpoint *e, int flags, bool *waits,
			struct fmp_error *err);

/** fmp_endpoint_format() - of a bound socket: the port that it was given. false: it is of no such kind. */
bool fmp_endpoint_format(int fd, char *text, size_t size);

#endif
