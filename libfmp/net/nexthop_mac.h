/* SPDX-License-Identifier: GPL-2.0 */
/* The next-hop MAC cache: the latest known MACs of next hops, for when the neighbour table has no
 * entry. */
#ifndef FMPI_NET_NEXTHOP_MAC_H
#define FMPI_NET_NEXTHOP_MAC_H

#include <fmp/net.h>

/* Ordered by time, the latest is the last. {0} is empty. */
struct fmpi_nexthop_mac {
	struct fmp_neighbour v[FMP_NEXTHOP_MACS_MAX];
	size_t n;
};

/* Store the MAC of an address; a full cache drops the oldest entry. */
void fmpi_nexthop_mac_put(struct fmpi_nexthop_mac *l, const struct fmp_addr *ip,
			  const struct fmp_addr *mac);
/* The cached MAC of an address; NULL: none. */
const struct fmp_addr *fmpi_nexthop_mac_get(const struct fmpi_nexthop_mac *l,
					    const struct fmp_addr *ip);

#endif
