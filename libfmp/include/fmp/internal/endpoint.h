/* SPDX-License-Identifier: GPL-2.0 */
/* ADDR:PORT as text, and a listening socket for it. */
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
 * fmp_endpoint_parse() - parse "192.0.2.1:80", "[2001:db8::1]:80"
 *
 * Accepts numbers only: binding must not wait for a resolver. Return: 0, FMP_ERR_INVALID.
 */
int fmp_endpoint_parse(const char *text, struct fmp_endpoint *out, struct fmp_error *err);

/**
 * fmp_endpoint_listen() - bind and listen
 * @flags: of the socket, SOCK_NONBLOCK; close-on-exec is always set
 * @waits: out: the machine does not have this address yet; connections arrive as soon as it does
 *
 * Return: the socket; FMP_ERR_IO.
 */
int fmp_endpoint_listen(const struct fmp_endpoint *e, int flags, bool *waits,
			struct fmp_error *err);

/**
 * fmp_endpoint_format() - write the address of a bound socket, with the port that it got. Return:
 * false: it is not an IP socket.
 */
bool fmp_endpoint_format(int fd, char *text, size_t size);

#endif
