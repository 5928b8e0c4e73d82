/* SPDX-License-Identifier: GPL-2.0 */
/* rtnetlink requests, and their replies as plain values. */
#ifndef FMPI_NET_RTNL_H
#define FMPI_NET_RTNL_H

#include <net/addrset.h>
#include <fmp/internal/netlink.h>
#include <net/nexthop.h>

/* A neighbour entry with a link-layer address that the kernel would use now. */
struct fmpi_neigh {
	struct fmp_addr ip, mac;
	int ifindex;
	bool router; /* it has the router flag */
};

struct fmpi_neighs {
	struct fmpi_neigh *v;
	size_t n, cap;
};

/* This machine's view of the network. {0} is empty. */
struct fmpi_netview {
	struct fmpi_addrset own, own_macs, gateways;
	struct fmpi_neighs neighs;
	struct fmpi_nexthops nexthops; /* used while it is read */
};
void fmpi_netview_free(struct fmpi_netview *v);

/* Read an empty view. Return: 0, FMP_ERR_AGAIN, FMP_ERR_NOMEM, FMP_ERR_IO, FMP_ERR_KERNEL. */
FMP_MUST_CHECK int fmpi_rtnl_view(struct fmp_nl *nl, struct fmpi_netview *v, struct fmp_error *err);
/* Read the neighbour tables of both families into an empty list. */
FMP_MUST_CHECK int fmpi_rtnl_neighs(struct fmp_nl *nl, struct fmpi_neighs *out,
				    struct fmp_error *err);

/* Read one neighbour entry (Linux 5.0). Return: 0; FMP_ERR_NOTFOUND, FMP_ERR_KERNEL if there is
 * no usable one. */
FMP_MUST_CHECK int fmpi_rtnl_neigh(struct fmp_nl *nl, const struct fmp_addr *ip, int ifindex,
				   struct fmpi_neigh *out, struct fmp_error *err);

/* The kernel's route to an address. */
struct fmpi_route {
	bool local; /* an address of this machine */
	bool gateway; /* through a next hop */
	int oif;
};
/* Return: 0; FMP_ERR_KERNEL if there is no route. */
FMP_MUST_CHECK int fmpi_rtnl_route(struct fmp_nl *nl, const struct fmp_addr *ip,
				   struct fmpi_route *out, struct fmp_error *err);

/* Parse one RTM_NEWNEIGH or RTM_DELNEIGH. Return: false if it names no usable pair of addresses. */
bool fmpi_rtnl_parse_neigh(const struct nlmsghdr *nlh, struct fmpi_neigh *out);

#endif
