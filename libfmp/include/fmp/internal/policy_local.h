/* SPDX-License-Identifier: GPL-2.0 */
/* Parses addresses of local services. */
#ifndef FMP_POLICY_LOCAL_H
#define FMP_POLICY_LOCAL_H

#include <sys/socket.h>

#include <fmp/error.h>

/**
 * fmp_local_parse() - parse "unix:/run/fmp/metrics", "127.0.0.1:9333" or "[::1]:9333"
 *
 * Return: 0; FMP_ERR_SYNTAX; FMP_ERR_DENIED for an address that other machines can reach.
 */
FMP_MUST_CHECK int fmp_local_parse(const char *text, struct sockaddr_storage *out, socklen_t *len);

#endif
