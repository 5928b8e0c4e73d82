/* SPDX-License-Identifier: GPL-2.0 */
/* nl80211: the access points that this machine is connected to. */
#ifndef FMPI_NET_WIRELESS_H
#define FMPI_NET_WIRELESS_H

#include <net/addrset.h>
#include <fmp/internal/netlink.h>

struct fmpi_wireless {
	uint16_t family; /* 0: this kernel has no wireless devices */
	uint32_t mlme; /* the group that is told of connections */
};

/* The family as it is now; asked in a way that loads no module. */
FMP_MUST_CHECK int fmpi_wireless_find(struct fmp_nl *nl, struct fmpi_wireless *out,
				      struct fmp_error *err);
/* Adds the MACs of the access points, unsorted. Return: 0, as of fmp_nl_request(). */
FMP_MUST_CHECK int fmpi_wireless_access_points(struct fmp_nl *nl, const struct fmpi_wireless *w,
					       struct fmpi_addrset *out, struct fmp_error *err);

/* ---- single messages ---- */

/* Of the group: an interface is connected to another access point, or to none. */
bool fmpi_wireless_changed(const struct nlmsghdr *nlh);

/* Return: false if it does not name nl80211. */
bool fmpi_wireless_family(const struct nlmsghdr *nlh, struct fmpi_wireless *out);
/* Index of an interface that connects to access points; 0: another kind. */
uint32_t fmpi_wireless_client(const struct nlmsghdr *nlh);
/* Whom such an interface hears: an access point, and not a peer that it speaks to directly. */
bool fmpi_wireless_parse_access_point(const struct nlmsghdr *nlh, struct fmp_addr *mac);

#endif
