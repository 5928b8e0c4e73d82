/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Next-hop objects (`ip nexthop`): routes refer to them by id, and with
 * net.ipv4.nexthop_compat_mode 0 carry no gateway themselves.
 */
#ifndef FMPI_NET_NEXTHOP_H
#define FMPI_NET_NEXTHOP_H

#include <stddef.h>
#include <stdint.h>

#include <libmnl/libmnl.h>

#include <net/addrset.h>

/* One object: a gateway, or a group of others (one entry for each member). */
struct fmpi_nexthop {
	uint32_t id;
	uint32_t member; /* 0: not a group; gateway is valid */
	struct fmp_addr gateway;
};

/* {0} is empty. */
struct fmpi_nexthops {
	struct fmpi_nexthop *v;
	size_t n, cap;
	uint32_t *used; /* ids that routes refer to */
	size_t n_used, cap_used;
};
void fmpi_nexthops_free(struct fmpi_nexthops *s);

/* Record that a route refers to an object; 0 is none. Return: 0, FMP_ERR_NOMEM. */
FMP_MUST_CHECK int fmpi_nexthops_use(struct fmpi_nexthops *s, uint32_t id);
/* Parse one RTM_NEWNEXTHOP, ignore any other message. Return: 0, FMP_ERR_NOMEM. */
FMP_MUST_CHECK int fmpi_nexthops_parse(struct fmpi_nexthops *s, const struct nlmsghdr *nlh);
/* Add the gateways of the objects in use to @out. Return: 0, FMP_ERR_NOMEM. */
FMP_MUST_CHECK int fmpi_nexthops_gateways(struct fmpi_nexthops *s, struct fmpi_addrset *out);

#endif
