// SPDX-License-Identifier: GPL-2.0
/* Neighbours of a view, and whether one's MAC may be blocked (invariant 3). */
#include <net/mac.h>

#include <string.h>

bool fmpi_mac_link_local(const struct fmp_addr *ip)
{
	return ip->family == FMP_FAMILY_IPV6 && ip->bytes[0] == 0xfe &&
	       (ip->bytes[1] & 0xc0) == 0x80;
}

const struct fmpi_neigh *fmpi_mac_neigh(const struct fmpi_netview *v, const struct fmp_addr *ip,
					int oif)
{
	const struct fmpi_neigh *found = NULL;

	for (size_t i = 0; i < v->neighs.n; i++) {
		const struct fmpi_neigh *e = &v->neighs.v[i];

		if (!fmp_addr_equal(&e->ip, ip) ||
		    (oif && e->ifindex != oif && !fmpi_mac_link_local(ip)))
			continue;
		if (!fmpi_mac_link_local(ip))
			return e;
		if (found && !fmp_addr_equal(&found->mac, &e->mac))
			return NULL;
		found = e;
	}
	return found;
}

/*
 * An IPv6 address whose interface identifier is derived from this MAC (EUI-64) belongs to the MAC's
 * owner, not to another host behind it.
 */
static bool is_eui64_of(const struct fmp_addr *ip, const struct fmp_addr *mac)
{
	const uint8_t *m = mac->bytes;
	const uint8_t iid[8] = { m[0] ^ 2u, m[1], m[2], 0xff, 0xfe, m[3], m[4], m[5] };

	return ip->family == FMP_FAMILY_IPV6 && !memcmp(ip->bytes + 8, iid, sizeof(iid));
}

/*
 * On a link a host has one IPv4 address, one link-local address, and any number of other IPv6
 * addresses (privacy extensions): a MAC with more of the former belongs to several hosts.
 */
static bool is_one_host(const struct fmpi_netview *v, const struct fmp_addr *mac)
{
	const struct fmp_addr *ipv4 = NULL, *local = NULL;

	for (size_t i = 0; i < v->neighs.n; i++) {
		const struct fmpi_neigh *e = &v->neighs.v[i];
		const struct fmp_addr **one = e->ip.family == FMP_FAMILY_IPV4 ? &ipv4 : &local;

		if (!fmp_addr_equal(&e->mac, mac) ||
		    (e->ip.family == FMP_FAMILY_IPV6 && !fmpi_mac_link_local(&e->ip)))
			continue;
		if (*one && !fmp_addr_equal(*one, &e->ip))
			return false;
		*one = &e->ip;
	}
	return true;
}

enum fmp_mac_veto
fmpi_mac_veto(const struct fmpi_netview *v, const struct fmp_addr *ip, const struct fmp_addr *mac,
	      bool (*is_innocent)(const struct fmp_addr *other, bool own, void *ctx), void *ctx)
{
	enum fmp_mac_veto veto = FMP_MAC_OK;
	bool own = is_one_host(v, mac);

	if (fmpi_addrset_has(&v->own_macs, mac))
		return FMP_MAC_OWN;
	for (size_t i = 0; i < v->neighs.n; i++) {
		const struct fmpi_neigh *e = &v->neighs.v[i];

		if (!fmp_addr_equal(&e->mac, mac))
			continue;
		if (e->router || fmpi_addrset_has(&v->gateways, &e->ip))
			return FMP_MAC_ROUTER;
		if (fmp_addr_equal(&e->ip, ip) || is_eui64_of(&e->ip, mac))
			continue;
		if (is_innocent ? is_innocent(&e->ip, own, ctx) : !own)
			veto = FMP_MAC_SHARED;
	}
	return veto;
}
