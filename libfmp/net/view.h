/* SPDX-License-Identifier: GPL-2.0 */
/* The network view: links, neighbours, routes, access points. Valid until the next refresh. */
#ifndef FMPI_NET_VIEW_H
#define FMPI_NET_VIEW_H

#include <net/addrset.h>
#include <net/bindings.h>
#include <net/nexthop_mac.h>
#include <net/rtnl.h>
#include <fmp/net.h>

/*
 * The back end of a view: the kernel, or stated facts. Functions that return int return 0 or a
 * code, unless noted.
 */
struct fmpi_net_ops {
	/* Process notifications, and read again what has changed. Return: as fmp_net_refresh(). */
	int (*refresh)(struct fmp_net *net, struct fmp_error *err);
	/* Process the pending notifications of neighbours. After a reply of the kernel every change
	 * in it is known. */
	void (*observe_neighs)(struct fmp_net *net);
	/* Read the neighbour table into the view. */
	int (*read_neighs)(struct fmp_net *net);
	/* Read one neighbour entry; NULL: use the table. */
	int (*find_neigh)(struct fmp_net *net, const struct fmp_addr *ip, int oif,
			  struct fmpi_neigh *out);
	int (*find_route)(struct fmp_net *net, const struct fmp_addr *ip, struct fmpi_route *out);
	uint64_t (*now_ms)(const struct fmp_net *net);
	/* Release what the back end has beside struct fmp_net. */
	void (*close)(struct fmp_net *net);
};

struct fmp_net {
	const struct fmpi_net_ops *ops;
	int fd; /* see fmp_net_fd(); -1: no kernel */
	struct fmpi_netview view;
	struct fmpi_bindings bindings;
	struct fmpi_addrset gateway_macs;
	struct fmpi_nexthop_mac nexthop_macs; /* cache of the MACs of next hops */
	/* MACs whose addresses are followed, and the addresses they had when last read */
	struct fmpi_addrset followed, followed_ips;
	bool follow_stale; /* they have others now */
	struct fmpi_addrset access_points; /* MACs of those that this machine is connected to */
};

const struct fmpi_addrset *fmpi_net_own(const struct fmp_net *net);
const struct fmpi_addrset *fmpi_net_own_macs(const struct fmp_net *net);
const struct fmpi_addrset *fmpi_net_gateways(const struct fmp_net *net);
const struct fmpi_addrset *fmpi_net_gateway_macs(const struct fmp_net *net);
const struct fmpi_addrset *fmpi_net_access_points(const struct fmp_net *net);

/* Store the current addresses of these MACs (sorted) in an empty set, as far as their entries are
 * stable; a refresh reports when they change. Return: 0, FMP_ERR_NOMEM. */
FMP_MUST_CHECK int fmpi_net_follow(struct fmp_net *net, const struct fmpi_addrset *macs,
				   struct fmpi_addrset *ips);

/* Store the MACs of the view's next hops in an empty set. Return: 0, FMP_ERR_NOMEM. */
FMP_MUST_CHECK int fmpi_net_gateway_macs_find(const struct fmpi_netview *v,
					      struct fmpi_nexthop_mac *cache,
					      struct fmpi_addrset *out);

#endif
