/* SPDX-License-Identifier: GPL-2.0 */
/* ADDR:PORT as text, and a socket that listens there. */
#ifndef FMPI_BASE_ENDPOINT_H
#define FMPI_BASE_ENDPOINT_H

#include <stdbool.h>
#include <sys/socket.h>

#include <fmp/error.h>

/** struct fmpi_endpoint - where to listen */
struct fmpi_endpoint {
	struct sockaddr_storage address;
	socklen_t len; /**< 0: nowhere */
};

/**
 * fmpi_endpoint_parse() - "192.0.2.1:80", "[2001:db8::1]:80"
 *
 * Numbers only: what is bound must not hang on a resolver. Return: 0, FMP_ERR_INVALID.
 */
int fmpi_endpoint_parse(const char *text, struct fmpi_endpoint *out, struct fmp_error *err);

/**
 * fmpi_endpoint_listen() - bind and listen
 * @flags: of the socket, SOCK_NONBLOCK; it is closed on exec in any case
 * @waits: out: this machine does not have that address yet; it listens as soon as it does
 *
 * Return: the socket; FMP_ERR_IO.
 */
int fmpi_endpoint_listen(const struct fmpi_endpoint *e, int flags, bool *waits,
			 struct fmp_error *err);

/** fmpi_endpoint_format() - of a bound socket: the port that it was given. false: it is of no such kind. */
bool fmpi_endpoint_format(int fd, char *text, size_t size);

#endif
