/* SPDX-License-Identifier: GPL-2.0 */
/* nl80211: the access points that this machine is connected to. */
#ifndef FMPI_NET_WIRELESS_H
#define FMPI_NET_WIRELESS_H

#include <net/addrset.h>
#include <fmp/internal/netlink.h>

struct fmpi_wireless {
	uint16_t family; /* 0: no wireless support */
	uint32_t mlme; /* multicast group for connection changes */
};

/* Look up the family without loading a module. */
FMP_MUST_CHECK int fmpi_wireless_find(struct fmp_nl *nl, struct fmpi_wireless *out,
				      struct fmp_error *err);
/* Add the MACs of the access points, unsorted. Return: 0, as fmp_nl_request(). */
FMP_MUST_CHECK int fmpi_wireless_access_points(struct fmp_nl *nl, const struct fmpi_wireless *w,
					       struct fmpi_addrset *out, struct fmp_error *err);

/* ---- single messages ---- */

/* Does this notification say that an interface connects to another access point, or to none? */
bool fmpi_wireless_changed(const struct nlmsghdr *nlh);

/* Parse the family. Return: false if it is not nl80211. */
bool fmpi_wireless_family(const struct nlmsghdr *nlh, struct fmpi_wireless *out);
/* The index of an interface that connects to access points; 0: another kind. */
uint32_t fmpi_wireless_client(const struct nlmsghdr *nlh);
/* The peer of such an interface. Return: is it an access point, not a direct peer (TDLS)? */
bool fmpi_wireless_parse_access_point(const struct nlmsghdr *nlh, struct fmp_addr *mac);

#endif
