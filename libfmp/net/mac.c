// SPDX-License-Identifier: GPL-2.0
/* Whose MAC may be blocked (DESIGN: invariant 3). */
#include <net/mac.h>

#include <string.h>

#include <fmp/policy.h>
#include <fmp/suspicion.h>

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
 * An IPv6 address whose interface identifier is made of this MAC (EUI-64) is
 * the very owner's, not somebody else's behind the same MAC.
 */
static bool is_eui64_of(const struct fmp_addr *ip, const struct fmp_addr *mac)
{
	const uint8_t *m = mac->bytes;
	const uint8_t iid[8] = { m[0] ^ 2u, m[1], m[2], 0xff, 0xfe, m[3], m[4], m[5] };

	return ip->family == FMP_FAMILY_IPV6 && !memcmp(ip->bytes + 8, iid, sizeof(iid));
}

/*
 * On a link a host has one IPv4 address and one link-local one, and of other IPv6 addresses as many
 * as it likes (privacy): a MAC that has more of the former is several hosts'.
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

/* ---- a decision's ---- */

struct fmp_mac_seen fmp_mac_seen(const struct fmp_event *ev)
{
	return (struct fmp_mac_seen){ ev->mac, ev->accepted_ns / 1000000u };
}

struct innocence_query {
	const struct fmp_mac_facts *facts;
	uint64_t now_ms;
};

/*
 * Another address behind the MAC that is to be blocked: innocent unless it is blocked as a whole itself, or
 * seems to be the same host's and was not good. One that is limited or narrowed has good users, or a group
 * that is never blocked.
 */
static bool is_innocent(const struct fmp_addr *other, bool own, void *ctx)
{
	const struct innocence_query *a = ctx;
	struct fmp_source_info row;

	if (fmp_engine_get(a->facts->engine, other, a->now_ms, &row))
		return !own;
	if (row.state == FMP_STATE_MALICIOUS)
		return row.action_kind != FMP_ACTION_KIND_BLOCK || row.block_port;
	return row.state != FMP_STATE_WAITING && (!own || row.good);
}

static enum fmp_mac_veto lookup_mac(const struct fmp_mac_facts *f, const struct fmp_addr *ip,
				    const struct fmp_mac_seen *seen, uint64_t now_ms,
				    struct fmp_decision *d)
{
	struct innocence_query a = { f, now_ms };
	enum fmp_mac_veto veto;
	uint64_t local_ms;

	if (!f->policy->block.mac)
		return FMP_MAC_POLICY;
	if (fmp_decision_narrowed(d))
		return FMP_MAC_NARROWED;
	if (!fmp_addr_is_ip(ip) || ip->prefix_len != fmp_addr_max_prefix(ip->family))
		return FMP_MAC_UNKNOWN;
	veto = fmp_net_mac(f->net, ip, seen, now_ms, is_innocent, &a, &d->mac);
	if (veto != FMP_MAC_OK)
		return veto;
	if (f->engine && fmp_engine_vouches(f->engine, &d->mac, ip, now_ms))
		return FMP_MAC_SHARED;
	if (fmp_protect_check(f->protect, &d->mac))
		return FMP_MAC_PROTECTED;
	local_ms = f->policy->block.local_mac_ms;
	if (!fmp_mac_is_local(&d->mac))
		return FMP_MAC_OK;
	/* Who comes by an address that is blocked in a pair has another MAC: he must not get away by that. */
	if (f->policy->block.local_mac_pair && !d->was_pair && fmp_decision_may_pair(d))
		d->pair_mac = d->mac;
	if (!local_ms)
		return FMP_MAC_RANDOM;
	if (!d->duration_ms || local_ms < d->duration_ms)
		d->mac_ms = local_ms;
	return FMP_MAC_OK;
}

void fmp_mac_decide(const struct fmp_mac_facts *f, const struct fmp_addr *ip,
		    const struct fmp_mac_seen *seen, uint64_t now_ms, struct fmp_decision *d)
{
	d->mac = d->pair_mac = (struct fmp_addr){ 0 };
	d->mac_ms = 0;
	d->mac_veto = FMP_MAC_OK;
	d->mac_veto = lookup_mac(f, ip, seen, now_ms, d);
	if (d->mac_veto != FMP_MAC_OK)
		d->mac = (struct fmp_addr){ 0 };
}

bool fmp_mac_siblings(const struct fmp_mac_facts *f, const struct fmp_addr *ip,
		      const struct fmp_mac_seen *seen, uint64_t now_ms, struct fmp_addr *mac)
{
	return !fmp_net_host_mac(f->net, ip, seen, now_ms, mac) &&
	       !fmp_protect_check(f->protect, mac);
}
