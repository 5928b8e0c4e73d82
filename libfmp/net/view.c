// SPDX-License-Identifier: GPL-2.0
/*
 * Answers questions from a network view: the protected set's addresses, and the MAC behind an address
 * (invariant 3). The back ends of the view are kernel_view.c and static_view.c.
 */
#include <net/view.h>

#include <net/if.h>
#include <stdlib.h>
#include <string.h>

#include <net/mac.h>

/* How long an entry must be stable before a connection is accepted: longer than a handshake may
 * take (tcp_synack_retries) and the connection may wait to be accepted. */
#define STEADY_MS	 (10u * 60u * 1000u)
/* The same if no packet of the source was seen. */
#define STEADY_UNSEEN_MS (60u * 60u * 1000u)

void fmp_net_free(struct fmp_net *net)
{
	if (!net)
		return;
	net->ops->close(net);
	fmpi_netview_free(&net->view);
	fmpi_addrset_free(&net->followed);
	fmpi_addrset_free(&net->followed_ips);
	fmpi_bindings_free(&net->bindings);
	fmpi_addrset_free(&net->gateway_macs);
	fmpi_addrset_free(&net->access_points);
	free(net);
}

int fmp_net_fd(const struct fmp_net *net)
{
	return net->fd;
}

int fmp_net_refresh(struct fmp_net *net, struct fmp_error *err)
{
	return net->ops->refresh(net, err);
}

const struct fmpi_addrset *fmpi_net_own(const struct fmp_net *net)
{
	return &net->view.own;
}

const struct fmpi_addrset *fmpi_net_own_macs(const struct fmp_net *net)
{
	return &net->view.own_macs;
}

const struct fmpi_addrset *fmpi_net_gateways(const struct fmp_net *net)
{
	return &net->view.gateways;
}

const struct fmpi_addrset *fmpi_net_gateway_macs(const struct fmp_net *net)
{
	return &net->gateway_macs;
}

const struct fmpi_addrset *fmpi_net_access_points(const struct fmp_net *net)
{
	return &net->access_points;
}

/*
 * The MACs of next hops. The router flag of a neighbour is ignored: a host sets that itself, and an
 * address in this set can't be blocked at all.
 */
int fmpi_net_gateway_macs_find(const struct fmpi_netview *v, struct fmpi_nexthop_mac *cache,
			       struct fmpi_addrset *out)
{
	struct fmpi_addrset seen = { 0 };
	int rc = 0;

	for (size_t i = 0; !rc && i < v->neighs.n; i++) {
		const struct fmpi_neigh *e = &v->neighs.v[i];

		if (!fmpi_addrset_has(&v->gateways, &e->ip))
			continue;
		fmpi_nexthop_mac_put(cache, &e->ip, &e->mac);
		rc = fmpi_addrset_push(out, &e->mac);
		if (!rc)
			rc = fmpi_addrset_push(&seen, &e->ip);
	}
	fmpi_addrset_sort(&seen);
	for (size_t i = 0; !rc && i < v->gateways.n; i++) {
		const struct fmp_addr *ip = &v->gateways.v[i],
				      *mac = fmpi_nexthop_mac_get(cache, ip);

		if (mac && !fmpi_addrset_has(&seen, ip))
			rc = fmpi_addrset_push(out, mac);
	}
	fmpi_addrset_free(&seen);
	fmpi_addrset_sort(out);
	return rc;
}

size_t fmp_net_nexthop_macs(const struct fmp_net *net, const struct fmp_neighbour **out)
{
	*out = net->nexthop_macs.v;
	return net->nexthop_macs.n;
}

int fmp_net_add_nexthop_mac(struct fmp_net *net, const struct fmp_neighbour *n)
{
	struct fmpi_addrset macs = { 0 };

	if (!fmp_addr_is_ip(&n->ip) || n->ip.prefix_len != fmp_addr_max_prefix(n->ip.family) ||
	    n->mac.family != FMP_FAMILY_MAC || n->mac.prefix_len != 48 || (n->mac.bytes[0] & 1))
		return FMP_ERR_INVALID;
	/* An entry seen by this process is newer. */
	if (fmpi_nexthop_mac_get(&net->nexthop_macs, &n->ip))
		return 0;
	fmpi_nexthop_mac_put(&net->nexthop_macs, &n->ip, &n->mac);
	if (fmpi_net_gateway_macs_find(&net->view, &net->nexthop_macs, &macs)) {
		fmpi_addrset_free(&macs);
		return FMP_ERR_NOMEM;
	}
	fmpi_addrset_free(&net->gateway_macs);
	net->gateway_macs = macs;
	return 0;
}

static uint64_t saturating_sub(uint64_t ms, uint64_t by)
{
	return ms > by ? ms - by : 0;
}

/* May the entry be trusted? */
static enum fmp_mac_veto check_entry(struct fmp_net *net, const struct fmpi_neigh *e,
				     const struct fmp_mac_seen *seen, uint64_t now_ms)
{
	uint64_t since_ms = saturating_sub(now_ms, STEADY_UNSEEN_MS);

	if (seen && seen->mac.family && !fmp_addr_equal(&seen->mac, &e->mac))
		return FMP_MAC_DIFFERS;
	if (seen && seen->accepted_ms) {
		if (!seen->mac.family)
			return FMP_MAC_UNSEEN;
		since_ms = saturating_sub(seen->accepted_ms, STEADY_MS);
	}
	net->ops->observe_neighs(net);
	return fmpi_bindings_is_stable(&net->bindings, e, since_ms) ? FMP_MAC_OK : FMP_MAC_CHANGED;
}

struct moved {
	bool (*innocent)(const struct fmp_addr *other, bool own, void *ctx);
	void *ctx;
	const struct fmp_addr *ip;
};

/* Its entry named the MAC recently: the attacker may have changed it to make the MAC look
 * unshared. */
static bool is_innocent_entry(const struct fmp_addr *ip, void *ctx)
{
	const struct moved *m = ctx;

	return !fmp_addr_equal(ip, m->ip) && (!m->innocent || m->innocent(ip, false, m->ctx));
}

void fmp_net_contest(struct fmp_net *net, const struct fmp_addr *ip)
{
	fmpi_bindings_contest(&net->bindings, ip, net->ops->now_ms(net));
}

static int copy_addrs(struct fmpi_addrset *to, const struct fmpi_addrset *from)
{
	int rc = 0;

	to->n = 0;
	for (size_t i = 0; !rc && i < from->n; i++)
		rc = fmpi_addrset_push(to, &from->v[i]);
	return rc;
}

int fmpi_net_follow(struct fmp_net *net, const struct fmpi_addrset *macs, struct fmpi_addrset *ips)
{
	uint64_t since_ms = saturating_sub(net->ops->now_ms(net), STEADY_UNSEEN_MS);
	int rc = copy_addrs(&net->followed, macs);

	/* If the table can't be read, use the previous one. */
	if (macs->n)
		(void)net->ops->read_neighs(net);
	for (size_t i = 0; !rc && macs->n && i < net->view.neighs.n; i++) {
		const struct fmpi_neigh *e = &net->view.neighs.v[i];

		if (fmpi_addrset_has(macs, &e->mac) &&
		    fmpi_bindings_is_stable(&net->bindings, e, since_ms))
			rc = fmpi_addrset_push(ips, &e->ip);
	}
	fmpi_addrset_sort(ips);
	return rc ? rc : copy_addrs(&net->followed_ips, ips);
}

enum fmp_mac_veto fmp_net_mac(struct fmp_net *net, const struct fmp_addr *ip,
			      const struct fmp_mac_seen *seen, uint64_t now_ms,
			      bool (*innocent)(const struct fmp_addr *other, bool own, void *ctx),
			      void *ctx, struct fmp_addr *mac)
{
	uint64_t since_ms = saturating_sub(now_ms, STEADY_UNSEEN_MS);
	struct moved m = { innocent, ctx, ip };
	const struct fmpi_neigh *e;
	struct fmpi_route way;
	enum fmp_mac_veto veto;

	*mac = (struct fmp_addr){ 0 };
	if (!fmp_addr_is_ip(ip) || ip->prefix_len != fmp_addr_max_prefix(ip->family))
		return FMP_MAC_UNKNOWN;
	if (net->ops->find_route(net, ip, &way))
		return FMP_MAC_UNKNOWN;
	if (way.local)
		return FMP_MAC_OWN;
	if (way.gateway)
		return FMP_MAC_OFFLINK;
	if (net->ops->read_neighs(net))
		return FMP_MAC_UNKNOWN;
	e = fmpi_mac_neigh(&net->view, ip, way.oif);
	if (!e)
		return FMP_MAC_UNKNOWN;
	veto = fmpi_mac_veto(&net->view, ip, &e->mac, innocent, ctx);
	if (veto == FMP_MAC_OK)
		veto = check_entry(net, e, seen, now_ms);
	if (veto == FMP_MAC_OK &&
	    fmpi_bindings_each_moved(&net->bindings, &e->mac, since_ms, is_innocent_entry, &m))
		veto = FMP_MAC_SHARED;
	/* The entry of an innocent address that named it may be among the missed ones. */
	if (veto == FMP_MAC_OK && fmpi_bindings_lost(&net->bindings, since_ms))
		veto = FMP_MAC_CHANGED;
	if (veto == FMP_MAC_OK)
		*mac = e->mac;
	return veto;
}

int fmp_net_lookup_mac(struct fmp_net *net, const struct fmp_addr *ip, struct fmp_addr *mac)
{
	const struct fmpi_neigh *e = net->ops->read_neighs(net) ? NULL
								: fmpi_mac_neigh(&net->view, ip, 0);

	*mac = e ? e->mac : (struct fmp_addr){ 0 };
	return e ? 0 : FMP_ERR_NOTFOUND;
}

int fmp_net_device(struct fmp_net *net, const struct fmp_addr *ip, char name[16])
{
	struct fmpi_route way;

	if (!fmp_addr_is_ip(ip) || ip->prefix_len != fmp_addr_max_prefix(ip->family) ||
	    fmpi_mac_link_local(ip) || net->ops->find_route(net, ip, &way) || way.local ||
	    way.oif <= 0 || !if_indextoname((unsigned)way.oif, name))
		return FMP_ERR_NOTFOUND;
	return 0;
}

/*
 * Is it the MAC of a next hop, by the neighbour table as last read? The router flag is ignored here
 * too: a host that sets it would escape being added up.
 */
static bool is_next_hop(const struct fmp_net *net, const struct fmpi_neigh *of)
{
	bool yes = fmpi_addrset_has(&net->gateway_macs, &of->mac);

	for (size_t i = 0; !yes && i < net->view.neighs.n; i++) {
		const struct fmpi_neigh *e = &net->view.neighs.v[i];

		yes = fmp_addr_equal(&e->mac, &of->mac) &&
		      fmpi_addrset_has(&net->view.gateways, &e->ip);
	}
	return yes;
}

/* The on-link neighbour entry of an address; NULL: none. *one: storage for it */
static const struct fmpi_neigh *find_on_link(struct fmp_net *net, const struct fmp_addr *ip,
					     struct fmpi_neigh *one)
{
	struct fmpi_route way;

	if (!fmp_addr_is_ip(ip) || ip->prefix_len != fmp_addr_max_prefix(ip->family) ||
	    net->ops->find_route(net, ip, &way) || way.local || way.gateway)
		return NULL;
	/* The route does not tell the link of a link-local address. */
	if (!net->ops->find_neigh || fmpi_mac_link_local(ip))
		return net->ops->read_neighs(net) ? NULL : fmpi_mac_neigh(&net->view, ip, 0);
	return net->ops->find_neigh(net, ip, way.oif, one) ? NULL : one;
}

int fmp_net_neighbour_mac(struct fmp_net *net, const struct fmp_addr *ip, struct fmp_addr *mac)
{
	struct fmpi_neigh one;
	const struct fmpi_neigh *found = find_on_link(net, ip, &one);

	*mac = found ? found->mac : (struct fmp_addr){ 0 };
	return found ? 0 : FMP_ERR_NOTFOUND;
}

int fmp_net_host_mac(struct fmp_net *net, const struct fmp_addr *ip,
		     const struct fmp_mac_seen *seen, uint64_t now_ms, struct fmp_addr *mac)
{
	struct fmpi_neigh one;
	const struct fmpi_neigh *found = find_on_link(net, ip, &one);

	*mac = (struct fmp_addr){ 0 };
	if (!found || is_next_hop(net, found) ||
	    check_entry(net, found, seen, now_ms) != FMP_MAC_OK)
		return FMP_ERR_NOTFOUND;
	*mac = found->mac;
	return 0;
}
