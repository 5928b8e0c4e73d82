/* SPDX-License-Identifier: GPL-2.0 */
/* The net view, for the files that make it and for the protected set. Valid until the next refresh. */
#ifndef FMPI_NET_NEIGHBOUR_H
#define FMPI_NET_NEIGHBOUR_H

#include <net/addrset.h>
#include <net/bindings.h>
#include <net/nexthop_mac.h>
#include <net/rtnl.h>
#include <fmp/net.h>

struct fmp_net {
	struct fmp_nl ask; /* questions and answers */
	struct fmp_nl listen; /* notifications only */
	struct fmp_nl hear; /* neighbours' alone: taken before each decision */
	struct fmp_nl air_ask, air; /* the same of nl80211; not open where there is none */
	int poll; /* readable when one of listen, hear and air is; -1: no kernel is asked */
	uint32_t mlme; /* the group of nl80211 that air is in; 0: none */
	struct fmpi_netview view;
	struct fmpi_bindings bindings;
	struct fmpi_addrset gateway_macs;
	struct fmpi_nexthop_mac learned; /* of them */
	struct fmpi_addrset followed,
		followed_ips; /* MACs, and the addresses that they had when last asked */
	bool follow_stale; /* they have others now */
	struct fmpi_addrset points; /* MACs of access points that this machine is connected to */
	struct fmpi_static_view *told; /* NULL: the kernel is asked */
	uint64_t told_ms; /* when */
};

const struct fmpi_addrset *fmpi_net_own(const struct fmp_net *net);
const struct fmpi_addrset *fmpi_net_own_macs(const struct fmp_net *net);
const struct fmpi_addrset *fmpi_net_gateways(const struct fmp_net *net);
const struct fmpi_addrset *fmpi_net_gateway_macs(const struct fmp_net *net);
const struct fmpi_addrset *fmpi_net_points(const struct fmp_net *net);

/* The addresses that these MACs, sorted, have for certain, into an empty set; from now on a refresh tells when they have others.
 * Return: 0, FMP_ERR_NOMEM. */
FMP_MUST_CHECK int fmpi_net_follow(struct fmp_net *net, const struct fmpi_addrset *macs,
				   struct fmpi_addrset *ips);

/* The MACs of the view's next hops, into an empty set. Return: 0, FMP_ERR_NOMEM. */
FMP_MUST_CHECK int fmpi_net_gateway_macs_find(const struct fmpi_netview *v,
					      struct fmpi_nexthop_mac *learned,
					      struct fmpi_addrset *out);

/* In the kernel's place, of a net that was told. */
void fmpi_static_view_route(const struct fmp_net *net, const struct fmp_addr *ip,
			    struct fmpi_route *out);
void fmpi_static_view_free(struct fmpi_static_view *told);

#endif
