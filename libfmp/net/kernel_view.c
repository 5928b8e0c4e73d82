// SPDX-License-Identifier: GPL-2.0
/* A network view of the kernel's: rtnetlink and nl80211, their dumps and notifications. */
#include <net/view.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <linux/rtnetlink.h>

#include <net/wireless.h>

/* Size of the socket buffer for notifications of neighbours: each forged message changes an entry. */
#define NOTIFY_BUF (1 << 20)

struct kernel_view {
	struct fmp_net net; /* first: a view is cast to it; its fd is an epoll of the sockets below */
	struct fmp_nl query; /* requests and replies */
	struct fmp_nl changes; /* notifications of links, addresses, routes, next hops */
	struct fmp_nl neighbours; /* notifications of neighbours, processed before each decision */
	struct fmp_nl wireless_query, wireless; /* the same of nl80211; not open without it */
	uint32_t mlme; /* the group of nl80211 that wireless has joined; 0: none */
};

/* Join the group before the dump, so that no change is missed. */
static int request_access_points(struct kernel_view *k, struct fmpi_addrset *out)
{
	struct fmpi_wireless w;
	int rc = fmpi_wireless_find(&k->wireless_query, &w, NULL), group = (int)w.mlme;

	if (!rc && w.mlme && w.mlme != k->mlme &&
	    !mnl_socket_setsockopt(k->wireless.sk, NETLINK_ADD_MEMBERSHIP, &group, sizeof(group)))
		k->mlme = w.mlme;
	return rc ? rc : fmpi_wireless_access_points(&k->wireless_query, &w, out, NULL);
}

/* Read the access points again; on failure keep the known ones. Return: did they change? */
static bool read_access_points(struct kernel_view *k)
{
	struct fmp_net *net = &k->net;
	struct fmpi_addrset fresh = { 0 };
	int rc = FMP_ERR_AGAIN;
	bool same;

	if (!k->wireless.sk)
		return false;
	for (int i = 0; i < FMP_DUMP_TRIES && rc == FMP_ERR_AGAIN; i++) {
		fresh.n = 0;
		rc = request_access_points(k, &fresh);
	}
	fmpi_addrset_sort(&fresh);
	same = rc || fmpi_addrset_equal(&fresh, &net->access_points);
	if (same) {
		fmpi_addrset_free(&fresh);
	} else {
		fmpi_addrset_free(&net->access_points);
		net->access_points = fresh;
	}
	return !same;
}

static uint64_t boot_ms(void)
{
	struct timespec t = { 0 };

	clock_gettime(CLOCK_BOOTTIME, &t);
	return (uint64_t)t.tv_sec * 1000u + (uint64_t)t.tv_nsec / 1000000u;
}

static void observe_entries(struct fmp_net *net, const struct fmpi_neighs *l)
{
	uint64_t now_ms = boot_ms();

	for (size_t i = 0; i < l->n; i++)
		fmpi_bindings_observe(&net->bindings, &l->v[i], now_ms);
}

/* Process the pending notifications of neighbours: after a reply of the kernel, every change in
 * it is known. */
static void kernel_observe_neighs(struct fmp_net *net)
{
	struct kernel_view *k = (struct kernel_view *)net;
	_Alignas(struct nlmsghdr) char buf[2 * FMP_NL_BUF];
	struct fmpi_neigh e;

	for (;;) {
		ssize_t got =
			recv(mnl_socket_get_fd(k->neighbours.sk), buf, sizeof(buf), MSG_DONTWAIT);
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

/* Read the view again. Return: as fmp_net_refresh(). */
static int read_view(struct kernel_view *k, struct fmp_error *err)
{
	struct fmp_net *net = &k->net;
	struct fmpi_addrset macs = { 0 };
	struct fmpi_netview v = { 0 };
	int rc = FMP_ERR_AGAIN;
	bool same;

	for (int i = 0; i < FMP_DUMP_TRIES && rc == FMP_ERR_AGAIN; i++) {
		fmpi_netview_free(&v);
		rc = fmpi_rtnl_view(&k->query, &v, err);
	}
	if (!rc && fmpi_net_gateway_macs_find(&v, &net->nexthop_macs, &macs))
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
	observe_entries(net, &v.neighs);
	return read_access_points(k) || !same;
}

static int kernel_read_neighs(struct fmp_net *net)
{
	struct kernel_view *k = (struct kernel_view *)net;
	struct fmpi_neighs fresh = { 0 };
	int rc = FMP_ERR_AGAIN;

	for (int i = 0; i < FMP_DUMP_TRIES && rc == FMP_ERR_AGAIN; i++) {
		fresh.n = 0;
		rc = fmpi_rtnl_neighs(&k->query, &fresh, NULL);
	}
	if (rc) {
		free(fresh.v);
		return rc;
	}
	free(net->view.neighs.v);
	net->view.neighs = fresh;
	return 0;
}

/*
 * Neighbour entries change state all the time, more so under a flood; only one of a next hop is
 * relevant.
 */
static bool is_relevant(const struct kernel_view *k, const struct fmp_nl *nl,
			const struct nlmsghdr *nlh)
{
	const struct fmp_net *net = &k->net;
	struct fmpi_neigh e;

	if (nl == &k->wireless)
		return fmpi_wireless_changed(nlh);
	/* A resilient group notifies of each bucket; its members do not change. */
	if (nlh->nlmsg_type == RTM_NEWNEXTHOPBUCKET || nlh->nlmsg_type == RTM_DELNEXTHOPBUCKET)
		return false;
	if (nlh->nlmsg_type != RTM_NEWNEIGH && nlh->nlmsg_type != RTM_DELNEIGH)
		return true;
	return fmpi_rtnl_parse_neigh(nlh, &e) && fmpi_addrset_has(&net->view.gateways, &e.ip) &&
	       (nlh->nlmsg_type == RTM_DELNEIGH || !fmpi_addrset_has(&net->gateway_macs, &e.mac));
}

/* Drain a socket. Return: is a dump necessary? */
static bool drain_socket(const struct kernel_view *k, const struct fmp_nl *nl)
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
			wanted = is_relevant(k, nl, nlh);
	}
}

static int kernel_refresh(struct fmp_net *net, struct fmp_error *err)
{
	struct kernel_view *k = (struct kernel_view *)net;
	bool changed;
	int rc;

	kernel_observe_neighs(net);
	changed = drain_socket(k, &k->changes);
	if (k->wireless.sk)
		changed |= drain_socket(k, &k->wireless);
	rc = changed ? read_view(k, err) : 0;
	if (rc < 0 || !net->follow_stale)
		return rc;
	net->follow_stale = false;
	return changed || !kernel_read_neighs(net) ? 1 : rc;
}

static int kernel_find_route(struct fmp_net *net, const struct fmp_addr *ip, struct fmpi_route *out)
{
	return fmpi_rtnl_route(&((struct kernel_view *)net)->query, ip, out, NULL);
}

static int kernel_find_neigh(struct fmp_net *net, const struct fmp_addr *ip, int oif,
			     struct fmpi_neigh *out)
{
	return fmpi_rtnl_neigh(&((struct kernel_view *)net)->query, ip, oif, out, NULL);
}

static uint64_t kernel_now_ms(const struct fmp_net *net)
{
	return boot_ms();
}

static void kernel_close(struct fmp_net *net)
{
	struct kernel_view *k = (struct kernel_view *)net;

	fmp_nl_close(&k->query);
	fmp_nl_close(&k->changes);
	fmp_nl_close(&k->neighbours);
	fmp_nl_close(&k->wireless_query);
	fmp_nl_close(&k->wireless);
	if (net->fd >= 0)
		close(net->fd);
}

static const struct fmpi_net_ops kernel_ops = {
	.refresh = kernel_refresh,
	.observe_neighs = kernel_observe_neighs,
	.read_neighs = kernel_read_neighs,
	.find_neigh = kernel_find_neigh,
	.find_route = kernel_find_route,
	.now_ms = kernel_now_ms,
	.close = kernel_close,
};

static int open_changes(struct kernel_view *k, struct fmp_error *err)
{
	static const int groups[] = { RTNLGRP_LINK,	  RTNLGRP_IPV4_IFADDR, RTNLGRP_IPV6_IFADDR,
				      RTNLGRP_IPV4_ROUTE, RTNLGRP_IPV6_ROUTE,  RTNLGRP_NEIGH,
				      RTNLGRP_NEXTHOP };
	int rc = fmp_nl_open(&k->changes, NETLINK_ROUTE, err);

	if (rc)
		return rc;
	for (size_t i = 0; i < sizeof(groups) / sizeof(groups[0]); i++) {
		int group = groups[i];

		if (mnl_socket_setsockopt(k->changes.sk, NETLINK_ADD_MEMBERSHIP, &group,
					  sizeof(group)) < 0 &&
		    /* before Linux 5.3 there are no next-hop objects */
		    !(group == RTNLGRP_NEXTHOP && errno == EINVAL))
			return fmp_error_sys(err, FMP_ERR_IO, errno, "rtnetlink group %d", group);
	}
	return 0;
}

static int open_neighbours(struct kernel_view *k, struct fmp_error *err)
{
	int rc = fmp_nl_open(&k->neighbours, NETLINK_ROUTE, err), group = RTNLGRP_NEIGH,
	    size = NOTIFY_BUF;

	if (rc)
		return rc;
	if (mnl_socket_setsockopt(k->neighbours.sk, NETLINK_ADD_MEMBERSHIP, &group, sizeof(group)))
		return fmp_error_sys(err, FMP_ERR_IO, errno, "rtnetlink group %d", group);
	/* Without privilege the system's bound applies, and overruns are detected. */
	(void)setsockopt(mnl_socket_get_fd(k->neighbours.sk), SOL_SOCKET, SO_RCVBUFFORCE, &size,
			 sizeof(size));
	return 0;
}

static int watch_fd(struct kernel_view *k, const struct fmp_nl *nl)
{
	struct epoll_event e = { .events = EPOLLIN };

	return epoll_ctl(k->net.fd, EPOLL_CTL_ADD, mnl_socket_get_fd(nl->sk), &e);
}

/* Without generic netlink there are no wireless devices. */
static int open_notifications(struct kernel_view *k, struct fmp_error *err)
{
	int rc = open_changes(k, err);

	if (!rc)
		rc = open_neighbours(k, err);
	if (rc)
		return rc;
	k->net.fd = epoll_create1(EPOLL_CLOEXEC);
	if (k->net.fd < 0 || watch_fd(k, &k->changes) || watch_fd(k, &k->neighbours))
		return fmp_error_sys(err, FMP_ERR_IO, errno, "epoll");
	if (fmp_nl_open(&k->wireless, NETLINK_GENERIC, NULL) ||
	    fmp_nl_open(&k->wireless_query, NETLINK_GENERIC, NULL) || watch_fd(k, &k->wireless))
		fmp_nl_close(&k->wireless);
	return 0;
}

int fmp_net_new(struct fmp_net **out, struct fmp_error *err)
{
	struct kernel_view *k = calloc(1, sizeof(*k));
	int rc;

	if (!k)
		return fmp_error_set(err, FMP_ERR_NOMEM, "out of memory");
	k->net.ops = &kernel_ops;
	k->net.fd = -1;
	/* Listening starts before the first dump, so that no change falls between them. */
	rc = open_notifications(k, err);
	if (!rc)
		rc = fmp_nl_open(&k->query, NETLINK_ROUTE, err);
	if (!rc)
		rc = read_view(k, err);
	if (rc < 0) {
		fmp_net_free(&k->net);
		return rc;
	}
	*out = &k->net;
	return 0;
}
