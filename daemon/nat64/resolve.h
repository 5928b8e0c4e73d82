/* SPDX-License-Identifier: GPL-2.0 */
/* The AAAA records of ipv4only.arpa, by the system's resolver. */
#ifndef NAT64_RESOLVE_H
#define NAT64_RESOLVE_H

#include <fmp/internal/nat64_discovery.h>

/** What nat64_resolve() returns beside a number of prefixes. */
#define NAT64_NO_ANSWER (-1) /* no server, or none that knows now */
#define NAT64_NO_ROUTE	(-2) /* nobody was asked: IPv6 leads nowhere */

/** nat64_resolve() - ask, and wait for the answer as long as resolv.conf says. @out: room for FMP_NAT64_FOUND_MAX.
 * Return: how many; 0: there is no NAT64, as far as DNS says; NAT64_NO_ANSWER. */
int nat64_resolve(struct fmp_nat64_found *out);

#endif
