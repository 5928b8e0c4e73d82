// SPDX-License-Identifier: GPL-2.0
#include "router.h"

#include <errno.h>
#include <linux/icmpv6.h>
#include <linux/rtnetlink.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <fmp/internal/netlink.h>

#define ROUTER_ADVERTISEMENT 134
#define DATAGRAMS_PER_READ   64
#define TRIES		     3u /* of a dump that a change interrupted */

int nat64_router_open(void)
{
	static const int groups[] = { RTNLGRP_ND_USEROPT, RTNLGRP_IPV6_IFADDR, RTNLGRP_IPV6_ROUTE };
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_ROUTE);
	struct sockaddr_nl sa = { .nl_family = AF_NETLINK };

	if (fd < 0)
		return -1;
	if (bind(fd, (struct sockaddr *)&sa, sizeof(sa)))
		goto err_close;
	for (size_t i = 0; i < sizeof(groups) / sizeof(*groups); i++)
		if (setsockopt(fd, SOL_NETLINK, NETLINK_ADD_MEMBERSHIP, &groups[i],
			       sizeof(groups[i])))
			goto err_close;
	return fd;

err_close:
	close(fd);
	return -1;
}

/*
 * Parse the options of one advertisement. The kernel sends one option per message, but allows more.
 */
static void parse_options(const uint8_t *p, size_t len, const struct nat64_router *from,
			  const struct nat64_events *e)
{
	while (len >= 8) {
		size_t bytes = 8u * p[1];
		struct fmp_nat64_found f;

		if (!bytes || bytes > len)
			return;
		if (fmp_pref64_parse(p, bytes, &f))
			e->on_prefix(e->ctx, &f, from);
		p += bytes;
		len -= bytes;
	}
}

static void handle_useropt(const struct nlmsghdr *nlh, const struct nat64_events *e)
{
	const struct nduseroptmsg *nd = mnl_nlmsg_get_payload(nlh);
	size_t len = mnl_nlmsg_get_payload_len(nlh), at;
	struct nat64_router from = { 0 };
	const struct nlattr *attr;
	int left;

	if (len < sizeof(*nd) || nd->nduseropt_family != AF_INET6 ||
	    nd->nduseropt_icmp_type != ROUTER_ADVERTISEMENT || nd->nduseropt_icmp_code)
		return;
	at = sizeof(*nd) + MNL_ALIGN(nd->nduseropt_opts_len);
	if (at > len)
		return;
	/* The address of the router follows the options. */
	attr = (const void *)((const uint8_t *)nd + at);
	left = (int)(len - at);
	for (; mnl_attr_ok(attr, left);
	     left -= MNL_ALIGN(attr->nla_len), attr = mnl_attr_next(attr))
		if (mnl_attr_get_type(attr) == NDUSEROPT_SRCADDR &&
		    mnl_attr_get_payload_len(attr) == sizeof(from.addr)) {
			memcpy(from.addr, mnl_attr_get_payload(attr), sizeof(from.addr));
			from.ifindex = nd->nduseropt_ifindex;
		}
	if (from.ifindex > 0)
		parse_options((const uint8_t *)(nd + 1), nd->nduseropt_opts_len, &from, e);
}

void nat64_router_handle(const void *datagram, int len, const struct nat64_events *e)
{
	bool change = false;

	for (const struct nlmsghdr *nlh = datagram; fmp_nl_ok(nlh, len);
	     nlh = mnl_nlmsg_next(nlh, &len)) {
		if (nlh->nlmsg_type == RTM_NEWNDUSEROPT)
			handle_useropt(nlh, e);
		else
			change = true;
	}
	if (change)
		e->on_change(e->ctx);
}

void nat64_router_read(int fd, const struct nat64_events *e)
{
	/* Aligned as netlink requires. */
	static uint32_t buf[FMP_NL_BUF / sizeof(uint32_t)];

	for (unsigned i = 0; i < DATAGRAMS_PER_READ; i++) {
		struct sockaddr_nl from = { 0 };
		socklen_t from_len = sizeof(from);
		ssize_t n = recvfrom(fd, buf, sizeof(buf), MSG_TRUNC, (struct sockaddr *)&from,
				     &from_len);

		if (n < 0 && errno == ENOBUFS)
			e->on_change(e->ctx);
		else if (n < 0)
			return;
		/* Accept only complete messages from the kernel. */
		else if (!from.nl_pid && (size_t)n <= sizeof(buf))
			nat64_router_handle(buf, (int)n, e);
	}
}

/* ---- default routes ---- */

struct route_search {
	const struct nat64_router *router; /* NULL: any */
	bool found;
};

static int on_attr(const struct nlattr *attr, void *ctx)
{
	const struct nlattr **tb = ctx;
	unsigned type = mnl_attr_get_type(attr);

	if (type <= RTA_MAX)
		tb[type] = attr;
	return MNL_CB_OK;
}

static bool is_through(const struct nlattr *const tb[RTA_MAX + 1], const struct nat64_router *r)
{
	const struct nlattr *gw = tb[RTA_GATEWAY], *oif = tb[RTA_OIF];

	return gw && oif && mnl_attr_get_payload_len(gw) == sizeof(r->addr) &&
	       mnl_attr_get_payload_len(oif) >= sizeof(uint32_t) &&
	       (int)mnl_attr_get_u32(oif) == r->ifindex &&
	       !memcmp(mnl_attr_get_payload(gw), r->addr, sizeof(r->addr));
}

static int on_route(const struct nlmsghdr *nlh, void *ctx)
{
	const struct rtmsg *rt = mnl_nlmsg_get_payload(nlh);
	const struct nlattr *tb[RTA_MAX + 1] = { NULL };
	struct route_search *s = ctx;

	if (nlh->nlmsg_type != RTM_NEWROUTE || mnl_nlmsg_get_payload_len(nlh) < sizeof(*rt) ||
	    rt->rtm_family != AF_INET6 || rt->rtm_dst_len || rt->rtm_type != RTN_UNICAST)
		return 0;
	(void)mnl_attr_parse(nlh, sizeof(*rt), on_attr, tb);
	s->found |= s->router ? is_through(tb, s->router) : tb[RTA_OIF] || tb[RTA_MULTIPATH];
	return 0;
}

static int search_routes(struct fmp_nl *nl, struct route_search *s)
{
	char buf[256];
	struct nlmsghdr *nlh = mnl_nlmsg_put_header(buf);
	struct fmp_kerr kerr;
	struct rtmsg *rt;

	nlh->nlmsg_type = RTM_GETROUTE;
	nlh->nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP;
	rt = mnl_nlmsg_put_extra_header(nlh, sizeof(*rt));
	rt->rtm_family = AF_INET6;
	return fmp_nl_request(nl, nlh, on_route, s, &kerr, NULL);
}

bool nat64_router_is_default(const struct nat64_router *r, bool fallback)
{
	struct route_search s = { .router = r };
	struct fmp_nl nl = { 0 };
	int rc = fmp_nl_open(&nl, NETLINK_ROUTE, NULL);

	if (rc)
		return fallback;
	/*
	 * A route that was found exists, whatever changed meanwhile; a missing one may have been
	 * skipped.
	 */
	for (unsigned i = 0; i < TRIES; i++) {
		rc = search_routes(&nl, &s);
		if (rc != FMP_ERR_AGAIN || s.found)
			break;
	}
	fmp_nl_close(&nl);
	return s.found || (rc && fallback);
}
