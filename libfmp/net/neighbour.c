// SPDX-License-Identifier: GPL-2.0
/* The view of the net around us, and the MAC behind an address (DESIGN: invariant 3). */
#include <fmp/net.h>

#include <errno.h>
#include <net/if.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <linux/rtnetlink.h>

#include <net/mac.h>
#include <net/neighbour.h>
#include <net/wireless.h>

/* An entry has to stand as long before a connection is accepted: longer than a handshake may take (tcp_synack_retries),
 * and than the connection may wait to be accepted. */
#define STEADY_MS	 (10u * 60u * 1000u)
/* The same where no packet of the source was seen. */
#define STEADY_UNSEEN_MS (60u * 60u * 1000u)
/* Notifications that may wait: an entry changes with each forged message. */
#define HEAR_BUF	 (1 << 20)

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

const struct fmpi_addrset *fmpi_net_points(const struct fmp_net *net)
{
	return &net->points;
}

/*
 * The MACs of next hops. The router flag of a neighbour is not asked here: a
 * host says that of itself, and what is in this set can't be blocked at all.
 */
int fmpi_net_gateway_macs_find(const struct fmpi_netview *v, struct fmpi_nexthop_mac *learned,
			       struct fmpi_addrset *out)
{
	struct fmpi_addrset seen = { 0 };
	int rc = 0;

	for (size_t i = 0; !rc && i < v->neighs.n; i++) {
		const struct fmpi_neigh *e = &v->neighs.v[i];

		if (!fmpi_addrset_has(&v->gateways, &e->ip))
			continue;
		fmpi_nexthop_mac_put(learned, &e->ip, &e->mac);
		rc = fmpi_addrset_push(out, &e->mac);
		if (!rc)
			rc = fmpi_addrset_push(&seen, &e->ip);
	}
	fmpi_addrset_sort(&seen);
	for (size_t i = 0; !rc && i < v->gateways.n; i++) {
		const struct fmp_addr *ip = &v->gateways.v[i],
				      *mac = fmpi_nexthop_mac_get(learned, ip);

		if (mac && !fmpi_addrset_has(&seen, ip))
			rc = fmpi_addrset_push(out, mac);
	}
	fmpi_addrset_free(&seen);
	fmpi_addrset_sort(out);
	return rc;
}

size_t fmp_net_nexthop_macs(const struct fmp_net *net, const struct fmp_neighbour **out)
{
	*out = net->learned.v;
	return net->learned.n;
}

int fmp_net_add_nexthop_mac(struct fmp_net *net, const struct fmp_neighbour *n)
{
	struct fmpi_addrset macs = { 0 };

	if (!fmp_addr_is_ip(&n->ip) || n->ip.prefix_len != fmp_addr_max_prefix(n->ip.family) ||
	    n->mac.family != FMP_FAMILY_MAC || n->mac.prefix_len != 48 || (n->mac.bytes[0] & 1))
		return FMP_ERR_INVALID;
	/* What was seen here is newer. */
	if (fmpi_nexthop_mac_get(&net->learned, &n->ip))
		return 0;
	fmpi_nexthop_mac_put(&net->learned, &n->ip, &n->mac);
	if (fmpi_net_gateway_macs_find(&net->view, &net->learned, &macs)) {
		fmpi_addrset_free(&macs);
		return FMP_ERR_NOMEM;
	}
	fmpi_addrset_free(&net->gateway_macs);
	net->gateway_macs = macs;
	return 0;
}

/* In the group before it is asked, so that no change falls between. */
static int ask_points(struct fmp_net *net, struct fmpi_addrset *out)
{
	struct fmpi_wireless w;
	int rc = fmpi_wireless_find(&net->air_ask, &w, NULL), group = (int)w.mlme;

	if (!rc && w.mlme && w.mlme != net->mlme &&
	    !mnl_socket_setsockopt(net->air.sk, NETLINK_ADD_MEMBERSHIP, &group, sizeof(group)))
		net->mlme = w.mlme;
	return rc ? rc : fmpi_wireless_access_points(&net->air_ask, &w, out, NULL);
}

/* The access points, anew; where that fails those stay that were known. Return: whether others. */
static bool take_points(struct fmp_net *net)
{
	struct fmpi_addrset fresh = { 0 };
	int rc = FMP_ERR_AGAIN;
	bool same;

	if (!net->air.sk)
		return false;
	for (int i = 0; i < FMP_DUMP_TRIES && rc == FMP_ERR_AGAIN; i++) {
		fresh.n = 0;
		rc = ask_points(net, &fresh);
	}
	fmpi_addrset_sort(&fresh);
	same = rc || fmpi_addrset_equal(&fresh, &net->points);
	if (same) {
		fmpi_addrset_free(&fresh);
	} else {
		fmpi_addrset_free(&net->points);
		net->points = fresh;
	}
	return !same;
}

static uint64_t boot_ms(void)
{
	struct timespec t = { 0 };

	clock_gettime(CLOCK_BOOTTIME, &t);
	return (uint64_t)t.tv_sec * 1000u + (uint64_t)t.tv_nsec / 1000000u;
}

static void hear_all(struct fmp_net *net, const struct fmpi_neighs *l)
{
	uint64_t now_ms = boot_ms();

	for (size_t i = 0; i < l->n; i++)
		fmpi_bindings_observe(&net->bindings, &l->v[i], now_ms);
}

/* What the kernel told of neighbours until now: behind an answer of its, every change that the answer has is known. */
static void hear(struct fmp_net *net)
{
	_Alignas(struct nlmsghdr) char buf[2 * FMP_NL_BUF];
	struct fmpi_neigh e;

	for (;;) {
		ssize_t got = recv(mnl_socket_get_fd(net->hear.sk), buf, sizeof(buf), MSG_DONTWAIT);
		const struct nlmsghdr *nlh = (const void *)buf;
		uint64_t now_ms = boot_ms();
		int left = (int)got;

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0 && errno == ENOBUFS) {
			fmpi_bindings_mark_lost(&net->bindings, now_ms);
			continue;
		}
		if (got <= 0)
			return;
		for (; fmp_nl_ok(nlh, left); nlh = mnl_nlmsg_next(nlh, &left))
			if (nlh->nlmsg_type == RTM_NEWNEIGH && fmpi_rtnl_parse_neigh(nlh, &e)) {
				fmpi_bindings_observe(&net->bindings, &e, now_ms);
				net->follow_stale |= fmpi_addrset_has(&net->followed, &e.mac) !=
						     fmpi_addrset_has(&net->followed_ips, &e.ip);
			}
	}
}

/* Replaces the view. Return: as fmp_net_refresh(). */
static int take_view(struct fmp_net *net, struct fmp_error *err)
{
	struct fmpi_addrset macs = { 0 };
	struct fmpi_netview v = { 0 };
	int rc = FMP_ERR_AGAIN;
	bool same;

	for (int i = 0; i < FMP_DUMP_TRIES && rc == FMP_ERR_AGAIN; i++) {
		fmpi_netview_free(&v);
		rc = fmpi_rtnl_view(&net->ask, &v, err);
	}
	if (!rc && fmpi_net_gateway_macs_find(&v, &net->learned, &macs))
		rc = fmp_error_set(err, FMP_ERR_NOMEM, "out of memory");
	if (rc) {
		fmpi_netview_free(&v);
		fmpi_addrset_free(&macs);
		return rc;
	}
	same = fmpi_addrset_equal(&v.own, &net->view.own) &&
	       fmpi_addrset_equal(&v.own_macs, &net->view.own_macs) &&
	       fmpi_addrset_equal(&v.gateways, &net->view.gateways) &&
	       fmpi_addrset_equal(&macs, &net->gateway_macs);
	fmpi_netview_free(&net->view);
	fmpi_addrset_free(&net->gateway_macs);
	net->view = v;
	net->gateway_macs = macs;
	hear_all(net, &v.neighs);
	return take_points(net) || !same;
}

static int listen_to(struct fmp_net *net, struct fmp_error *err)
{
	static const int groups[] = { RTNLGRP_LINK,	  RTNLGRP_IPV4_IFADDR, RTNLGRP_IPV6_IFADDR,
				      RTNLGRP_IPV4_ROUTE, RTNLGRP_IPV6_ROUTE,  RTNLGRP_NEIGH,
				      RTNLGRP_NEXTHOP };
	int rc = fmp_nl_open(&net->listen, NETLINK_ROUTE, err);

	if (rc)
		return rc;
	for (size_t i = 0; i < sizeof(groups) / sizeof(groups[0]); i++) {
		int group = groups[i];

		if (mnl_socket_setsockopt(net->listen.sk, NETLINK_ADD_MEMBERSHIP, &group,
					  sizeof(group)) < 0 &&
		    /* Before Linux 5.3 there are no next-hop objects, so nothing to hear of. */
		    !(group == RTNLGRP_NEXTHOP && errno == EINVAL))
			return fmp_error_sys(err, FMP_ERR_IO, errno, "rtnetlink group %d", group);
	}
	return 0;
}

static int hear_neighbours(struct fmp_net *net, struct fmp_error *err)
{
	int rc = fmp_nl_open(&net->hear, NETLINK_ROUTE, err), group = RTNLGRP_NEIGH,
	    size = HEAR_BUF;

	if (rc)
		return rc;
	if (mnl_socket_setsockopt(net->hear.sk, NETLINK_ADD_MEMBERSHIP, &group, sizeof(group)))
		return fmp_error_sys(err, FMP_ERR_IO, errno, "rtnetlink group %d", group);
	/* Without the right to it the system's bound holds, and what is missed is known to be. */
	(void)setsockopt(mnl_socket_get_fd(net->hear.sk), SOL_SOCKET, SO_RCVBUFFORCE, &size,
			 sizeof(size));
	return 0;
}

static int watch_fd(struct fmp_net *net, const struct fmp_nl *nl)
{
	struct epoll_event e = { .events = EPOLLIN };

	return epoll_ctl(net->poll, EPOLL_CTL_ADD, mnl_socket_get_fd(nl->sk), &e);
}

/* A kernel without generic netlink has no wireless devices, either. */
static int listen_all(struct fmp_net *net, struct fmp_error *err)
{
	int rc = listen_to(net, err);

	if (!rc)
		rc = hear_neighbours(net, err);
	if (rc)
		return rc;
	net->poll = epoll_create1(EPOLL_CLOEXEC);
	if (net->poll < 0 || watch_fd(net, &net->listen) || watch_fd(net, &net->hear))
		return fmp_error_sys(err, FMP_ERR_IO, errno, "epoll");
	if (fmp_nl_open(&net->air, NETLINK_GENERIC, NULL) ||
	    fmp_nl_open(&net->air_ask, NETLINK_GENERIC, NULL) || watch_fd(net, &net->air))
		fmp_nl_close(&net->air);
	return 0;
}

int fmp_net_new(struct fmp_net **out, struct fmp_error *err)
{
	struct fmp_net *net = calloc(1, sizeof(*net));
	int rc;

	if (!net)
		return fmp_error_set(err, FMP_ERR_NOMEM, "out of memory");
	net->poll = -1;
	/* Listening starts before the first dump, so that no change falls between them. */
	rc = listen_all(net, err);
	if (!rc)
		rc = fmp_nl_open(&net->ask, NETLINK_ROUTE, err);
	if (!rc)
		rc = take_view(net, err);
	if (rc < 0) {
		fmp_net_free(net);
		return rc;
	}
	*out = net;
	return 0;
}

void fmp_net_free(struct fmp_net *net)
{
	if (!net)
		return;
	fmp_nl_close(&net->ask);
	fmp_nl_close(&net->listen);
	fmp_nl_close(&net->hear);
	fmp_nl_close(&net->air_ask);
	fmp_nl_close(&net->air);
	if (net->poll >= 0)
		close(net->poll);
	fmpi_netview_free(&net->view);
	fmpi_addrset_free(&net->followed);
	fmpi_addrset_free(&net->followed_ips);
	fmpi_bindings_free(&net->bindings);
	fmpi_addrset_free(&net->gateway_macs);
	fmpi_addrset_free(&net->points);
	fmpi_static_view_free(net->told);
	free(net);
}

int fmp_net_fd(const struct fmp_net *net)
{
	return net->poll;
}

/*
 * Neighbours change their state all the time, and more so under a flood; only
 * one that is a next hop can change what we keep.
 */
static bool concerns_us(const struct fmp_net *net, const struct fmp_nl *nl,
			const struct nlmsghdr *nlh)
{
	struct fmpi_neigh e;

	if (nl == &net->air)
		return fmpi_wireless_changed(nlh);
	/* A group that spreads by what flows through it tells of each bucket; its members stay. */
	if (nlh->nlmsg_type == RTM_NEWNEXTHOPBUCKET || nlh->nlmsg_type == RTM_DELNEXTHOPBUCKET)
		return false;
	if (nlh->nlmsg_type != RTM_NEWNEIGH && nlh->nlmsg_type != RTM_DELNEIGH)
		return true;
	return fmpi_rtnl_parse_neigh(nlh, &e) && fmpi_addrset_has(&net->view.gateways, &e.ip) &&
	       (nlh->nlmsg_type == RTM_DELNEIGH || !fmpi_addrset_has(&net->gateway_macs, &e.mac));
}

/* Takes all notifications of a socket. Return: whether a dump is called for. */
static bool drain(const struct fmp_net *net, const struct fmp_nl *nl)
{
	_Alignas(struct nlmsghdr) char buf[2 * FMP_NL_BUF];
	bool wanted = false;

	for (;;) {
		ssize_t got = recv(mnl_socket_get_fd(nl->sk), buf, sizeof(buf), MSG_DONTWAIT);
		const struct nlmsghdr *nlh = (const void *)buf;
		int left = (int)got;

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0 && errno == ENOBUFS) {
			wanted = true; /* some were lost */
			continue;
		}
		if (got <= 0)
			return wanted;
		for (; !wanted && fmp_nl_ok(nlh, left); nlh = mnl_nlmsg_next(nlh, &left))
			wanted = concerns_us(net, nl, nlh);
	}
}

static int take_neighs(struct fmp_net *net)
{
	struct fmpi_neighs fresh = { 0 };
	int rc = FMP_ERR_AGAIN;

	if (net->told)
		return 0;
	for (int i = 0; i < FMP_DUMP_TRIES && rc == FMP_ERR_AGAIN; i++) {
		fresh.n = 0;
		rc = fmpi_rtnl_neighs(&net->ask, &fresh, NULL);
	}
	if (rc) {
		free(fresh.v);
		return rc;
	}
	free(net->view.neighs.v);
	net->view.neighs = fresh;
	return 0;
}

int fmp_net_refresh(struct fmp_net *net, struct fmp_error *err)
{
	bool changed;
	int rc;

	if (net->told)
		return 0;
	hear(net);
	changed = drain(net, &net->listen);
	if (net->air.sk)
		changed |= drain(net, &net->air);
	rc = changed ? take_view(net, err) : 0;
	if (rc < 0 || !net->follow_stale)
		return rc;
	net->follow_stale = false;
	return changed || !take_neighs(net) ? 1 : rc;
}

static int way_to(struct fmp_net *net, const struct fmp_addr *ip, struct fmpi_route *out)
{
	if (!net->told)
		return fmpi_rtnl_route(&net->ask, ip, out, NULL);
	fmpi_static_view_route(net, ip, out);
	return 0;
}

static uint64_t before(uint64_t ms, uint64_t by)
{
	return ms > by ? ms - by : 0;
}

/* May the entry be believed? */
static enum fmp_mac_veto doubt(struct fmp_net *net, const struct fmpi_neigh *e,
			       const struct fmp_mac_seen *seen, uint64_t now_ms)
{
	uint64_t since_ms = before(now_ms, STEADY_UNSEEN_MS);

	if (seen && seen->mac.family && !fmp_addr_equal(&seen->mac, &e->mac))
		return FMP_MAC_DIFFERS;
	if (seen && seen->accepted_ms) {
		if (!seen->mac.family)
			return FMP_MAC_UNSEEN;
		since_ms = before(seen->accepted_ms, STEADY_MS);
	}
	if (!net->told)
		hear(net);
	return fmpi_bindings_is_stable(&net->bindings, e, since_ms) ? FMP_MAC_OK : FMP_MAC_CHANGED;
}

struct moved {
	bool (*innocent)(const struct fmp_addr *other, bool own, void *ctx);
	void *ctx;
	const struct fmp_addr *ip;
};

/* Its entry named the MAC a short while ago: whoever changed that may want the MAC to look like nobody else's. */
static bool is_innocents(const struct fmp_addr *ip, void *ctx)
{
	const struct moved *m = ctx;

	return !fmp_addr_equal(ip, m->ip) && (!m->innocent || m->innocent(ip, false, m->ctx));
}

static uint64_t net_ms(const struct fmp_net *net)
{
	return net->told ? net->told_ms : boot_ms();
}

void fmp_net_contest(struct fmp_net *net, const struct fmp_addr *ip)
{
	fmpi_bindings_contest(&net->bindings, ip, net_ms(net));
}

static int copy(struct fmpi_addrset *to, const struct fmpi_addrset *from)
{
	int rc = 0;

	to->n = 0;
	for (size_t i = 0; !rc && i < from->n; i++)
		rc = fmpi_addrset_push(to, &from->v[i]);
	return rc;
}

int fmpi_net_follow(struct fmp_net *net, const struct fmpi_addrset *macs, struct fmpi_addrset *ips)
{
	uint64_t since_ms = before(net_ms(net), STEADY_UNSEEN_MS);
	int rc = copy(&net->followed, macs);

	/* If it can't be read, what was read last has to do. */
	if (macs->n)
		(void)take_neighs(net);
	for (size_t i = 0; !rc && macs->n && i < net->view.neighs.n; i++) {
		const struct fmpi_neigh *e = &net->view.neighs.v[i];

		if (fmpi_addrset_has(macs, &e->mac) &&
		    fmpi_bindings_is_stable(&net->bindings, e, since_ms))
			rc = fmpi_addrset_push(ips, &e->ip);
	}
	fmpi_addrset_sort(ips);
	return rc ? rc : copy(&net->followed_ips, ips);
}

enum fmp_mac_veto fmp_net_mac(struct fmp_net *net, const struct fmp_addr *ip,
			      const struct fmp_mac_seen *seen, uint64_t now_ms,
			      bool (*innocent)(const struct fmp_addr *other, bool own, void *ctx),
			      void *ctx, struct fmp_addr *mac)
{
	uint64_t since_ms = before(now_ms, STEADY_UNSEEN_MS);
	struct moved m = { innocent, ctx, ip };
	const struct fmpi_neigh *e;
	struct fmpi_route way;
	enum fmp_mac_veto veto;

	*mac = (struct fmp_addr){ 0 };
	if (!fmp_addr_is_ip(ip) || ip->prefix_len != fmp_addr_max_prefix(ip->family))
		return FMP_MAC_UNKNOWN;
	if (way_to(net, ip, &way))
		return FMP_MAC_UNKNOWN;
	if (way.local)
		return FMP_MAC_OWN;
	if (way.gateway)
		return FMP_MAC_OFFLINK;
	if (take_neighs(net))
		return FMP_MAC_UNKNOWN;
	e = fmpi_mac_neigh(&net->view, ip, way.oif);
	if (!e)
		return FMP_MAC_UNKNOWN;
	veto = fmpi_mac_veto(&net->view, ip, &e->mac, innocent, ctx);
	if (veto == FMP_MAC_OK)
		veto = doubt(net, e, seen, now_ms);
	if (veto == FMP_MAC_OK &&
	    fmpi_bindings_each_moved(&net->bindings, &e->mac, since_ms, is_innocents, &m))
		veto = FMP_MAC_SHARED;
	/* An innocent's entry that named it may be among those that are not known any more. */
	if (veto == FMP_MAC_OK && fmpi_bindings_lost(&net->bindings, since_ms))
		veto = FMP_MAC_CHANGED;
	if (veto == FMP_MAC_OK)
		*mac = e->mac;
	return veto;
}

int fmp_net_lookup_mac(struct fmp_net *net, const struct fmp_addr *ip, struct fmp_addr *mac)
{
	const struct fmpi_neigh *e = take_neighs(net) ? NULL : fmpi_mac_neigh(&net->view, ip, 0);

	*mac = e ? e->mac : (struct fmp_addr){ 0 };
	return e ? 0 : FMP_ERR_NOTFOUND;
}

int fmp_net_device(struct fmp_net *net, const struct fmp_addr *ip, char name[16])
{
	struct fmpi_route way;

	if (!fmp_addr_is_ip(ip) || ip->prefix_len != fmp_addr_max_prefix(ip->family) ||
	    fmpi_mac_link_local(ip) || way_to(net, ip, &way) || way.local || way.oif <= 0 ||
	    !if_indextoname((unsigned)way.oif, name))
		return FMP_ERR_NOTFOUND;
	return 0;
}

/*
 * Is it a next hop's? By what was last read of the neighbour table. The router flag is not asked here
 * either: who says that of himself would not be added up.
 */
static bool routes(const struct fmp_net *net, const struct fmpi_neigh *of)
{
	bool yes = fmpi_addrset_has(&net->gateway_macs, &of->mac);

	for (size_t i = 0; !yes && i < net->view.neighs.n; i++) {
		const struct fmpi_neigh *e = &net->view.neighs.v[i];

		yes = fmp_addr_equal(&e->mac, &of->mac) &&
		      fmpi_addrset_has(&net->view.gateways, &e->ip);
	}
	return yes;
}

/* NULL: none. *one: room for it */
static const struct fmpi_neigh *on_link(struct fmp_net *net, const struct fmp_addr *ip,
					struct fmpi_neigh *one)
{
	struct fmpi_route way;

	if (!fmp_addr_is_ip(ip) || ip->prefix_len != fmp_addr_max_prefix(ip->family) ||
	    way_to(net, ip, &way) || way.local || way.gateway)
		return NULL;
	/* On which link a link-local one is the way does not say. */
	if (net->told || fmpi_mac_link_local(ip))
		return take_neighs(net) ? NULL : fmpi_mac_neigh(&net->view, ip, 0);
	return fmpi_rtnl_neigh(&net->ask, ip, way.oif, one, NULL) ? NULL : one;
}

int fmp_net_neighbour_mac(struct fmp_net *net, const struct fmp_addr *ip, struct fmp_addr *mac)
{
	struct fmpi_neigh one;
	const struct fmpi_neigh *found = on_link(net, ip, &one);

	*mac = found ? found->mac : (struct fmp_addr){ 0 };
	return found ? 0 : FMP_ERR_NOTFOUND;
}

int fmp_net_host_mac(struct fmp_net *net, const struct fmp_addr *ip,
		     const struct fmp_mac_seen *seen, uint64_t now_ms, struct fmp_addr *mac)
{
	struct fmpi_neigh one;
	const struct fmpi_neigh *found = on_link(net, ip, &one);

	*mac = (struct fmp_addr){ 0 };
	if (!found || routes(net, found) || doubt(net, found, seen, now_ms) != FMP_MAC_OK)
		return FMP_ERR_NOTFOUND;
	*mac = found->mac;
	return 0;
}
