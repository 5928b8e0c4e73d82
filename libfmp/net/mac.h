/* SPDX-License-Identifier: GPL-2.0 */
/* The MAC of a neighbour, and vetoes against it. Pure: works on a view read before. */
#ifndef FMPI_NET_MAC_H
#define FMPI_NET_MAC_H

#include <net/rtnl.h>
#include <fmp/net.h>

bool fmpi_mac_link_local(const struct fmp_addr *ip);
/*
 * The neighbour entry of an address. @oif: 0: on any link. A link-local address does not name its
 * link, so any link counts; but if hosts on two links have it, the result is ambiguous. Return:
 * NULL if there is none.
 */
const struct fmpi_neigh *fmpi_mac_neigh(const struct fmpi_netview *v, const struct fmp_addr *ip,
					int oif);
/* Check a MAC against all neighbours that have it. @innocent: as for fmp_net_mac() */
enum fmp_mac_veto fmpi_mac_veto(const struct fmpi_netview *v, const struct fmp_addr *ip,
				const struct fmp_addr *mac,
				bool (*innocent)(const struct fmp_addr *other, bool own, void *ctx),
				void *ctx);

#endif
