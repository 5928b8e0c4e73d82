/* SPDX-License-Identifier: GPL-2.0 */
/* The net view, for the files that make it and for the protected set. Valid until the next refresh. */
#ifndef FMP_ENFORCE_NEIGHBOUR_H
#define FMP_ENFORCE_NEIGHBOUR_H

#include <enforce/addrset.h>
#include <enforce/bindings.h>
#include <enforce/learned.h>
#include <enforce/rtnl.h>
#include <fmp/net.h>

struct fmp_net {
	struct fmpi_nl ask; /* questions and answers */
	struct fmpi_nl listen; /* notifications only */
	struct fmpi_nl hear; /* neighbours' alone: taken before each decision */
	struct fmpi_nl air_ask, air; /* the same of nl80211; not open where there is none */
	int poll; /* readable when one of listen, hear and air is; -1: no kernel is asked */
	uint32_t mlme; /* the group of nl80211 that air is in; 0: none */
	struct fmpi_netview view;
	struct fmpi_bindings bindings;
	struct fmpi_addrset gateway_macs;
	struct fmpi_learned learned; /* of them */
	struct fmpi_addrset followed,
		followed_ips; /* MACs, and the addresses that they had when last asked */
	bool follow_stale; /* they have others now */
	struct fmpi_addrset points; /* MACs of access points that this machine is connected to */
	struct fmpi_told *told; /* NULL: the kernel is asked */
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
					      struct fmpi_learned *learned,
					      struct fmpi_addrset *out);

/* In the kernel's place, of a net that was told. */
void fmpi_told_route(const struct fmp_net *net, const struct fmp_addr *ip, struct fmpi_route *out);
void fmpi_told_free(struct fmpi_told *told);

#endif
