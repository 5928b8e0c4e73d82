/* SPDX-License-Identifier: GPL-2.0 */
/* Queries the AAAA records of ipv4only.arpa through the system's resolver (RFC 7050). */
#ifndef NAT64_RESOLVE_H
#define NAT64_RESOLVE_H

#include <fmp/internal/nat64_discovery.h>

/** Return values of nat64_resolve() that are not a number of prefixes. */
#define NAT64_NO_ANSWER (-1) /* no server replied, or none knows now */
#define NAT64_NO_ROUTE	(-2) /* no query: there is no IPv6 route */

/**
 * nat64_resolve() - query and wait as long as resolv.conf says. @out: room for FMP_NAT64_FOUND_MAX.
 * Return: number of prefixes; 0: DNS says there is no NAT64; NAT64_NO_ANSWER.
 */
int nat64_resolve(struct fmp_nat64_found *out);

#endif
