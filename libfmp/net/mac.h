/* SPDX-License-Identifier: GPL-2.0 */
/* Which MAC a neighbour has, and what speaks against it. Pure: of a view that was read before. */
#ifndef FMPI_NET_MAC_H
#define FMPI_NET_MAC_H

#include <net/rtnl.h>
#include <fmp/net.h>

bool fmpi_mac_link_local(const struct fmp_addr *ip);
/*
 * oif 0: on any link. A link-local address says nothing of its link, so any link serves; but if
 * two hosts have it on two links, nobody knows which of them is meant. Return: NULL if there is none.
 */
const struct fmpi_neigh *fmpi_mac_neigh(const struct fmpi_netview *v, const struct fmp_addr *ip,
					int oif);
/* What speaks against a MAC among all neighbours that have it. @innocent: as of fmp_net_mac() */
enum fmp_mac_veto fmpi_mac_veto(const struct fmpi_netview *v, const struct fmp_addr *ip,
				const struct fmp_addr *mac,
				bool (*innocent)(const struct fmp_addr *other, bool own, void *ctx),
				void *ctx);

#endif
