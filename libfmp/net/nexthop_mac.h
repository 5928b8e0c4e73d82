/* SPDX-License-Identifier: GPL-2.0 */
/* MACs of next hops as they were seen last, for when the neighbour table does not say. */
#ifndef FMPI_NET_NEXTHOP_MAC_H
#define FMPI_NET_NEXTHOP_MAC_H

#include <fmp/net.h>

/* The one that was seen last is the last. {0} is none. */
struct fmpi_nexthop_mac {
	struct fmp_neighbour v[FMP_NEXTHOP_MACS_MAX];
	size_t n;
};

/* In place of what was known of this address; where there is no room the oldest goes. */
void fmpi_nexthop_mac_put(struct fmpi_nexthop_mac *l, const struct fmp_addr *ip,
			  const struct fmp_addr *mac);
/* Return: NULL if nothing is known. */
const struct fmp_addr *fmpi_nexthop_mac_get(const struct fmpi_nexthop_mac *l,
					    const struct fmp_addr *ip);

#endif
