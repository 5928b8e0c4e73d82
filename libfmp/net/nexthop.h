/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Next-hop objects (`ip nexthop`): routes name them by id, and where
 * net.ipv4.nexthop_compat_mode is 0 say nothing else of their gateways.
 */
#ifndef FMPI_NET_NEXTHOP_H
#define FMPI_NET_NEXTHOP_H

#include <stddef.h>
#include <stdint.h>

#include <libmnl/libmnl.h>

#include <net/addrset.h>

/* One object is a gateway, or a group of others (one entry a member). */
struct fmpi_nexthop {
	uint32_t id;
	uint32_t member; /* 0: no group, the gateway counts */
	struct fmp_addr gateway;
};

/* {0} is nothing. */
struct fmpi_nexthops {
	struct fmpi_nexthop *v;
	size_t n, cap;
	uint32_t *used; /* ids that routes name */
	size_t n_used, cap_used;
};
void fmpi_nexthops_free(struct fmpi_nexthops *s);

/* A route names this object; 0 is none. Return: 0, FMP_ERR_NOMEM. */
FMP_MUST_CHECK int fmpi_nexthops_use(struct fmpi_nexthops *s, uint32_t id);
/* Takes one RTM_NEWNEXTHOP; any other message is none. Return: 0, FMP_ERR_NOMEM. */
FMP_MUST_CHECK int fmpi_nexthops_parse(struct fmpi_nexthops *s, const struct nlmsghdr *nlh);
/* Adds the gateways of the objects in use. Return: 0, FMP_ERR_NOMEM. */
FMP_MUST_CHECK int fmpi_nexthops_gateways(struct fmpi_nexthops *s, struct fmpi_addrset *out);

#endif
