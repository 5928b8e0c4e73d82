// SPDX-License-Identifier: GPL-2.0
#include <net/rtnl.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include <linux/if_addr.h>
#include <linux/if_link.h>
#include <linux/neighbour.h>
#include <linux/nexthop.h>
#include <linux/rtnetlink.h>

/* States in which the kernel uses an entry at once, or while it verifies it. */
#define NUD_USABLE (NUD_REACHABLE | NUD_STALE | NUD_DELAY | NUD_PROBE | NUD_PERMANENT)

void fmpi_netview_free(struct fmpi_netview *v)
{
	fmpi_addrset_free(&v->own);
	fmpi_addrset_free(&v->own_macs);
	fmpi_addrset_free(&v->gateways);
	fmpi_nexthops_free(&v->nexthops);
	free(v->neighs.v);
	*v = (struct fmpi_netview){ 0 };
}

static int parse_link(const struct nlmsghdr *nlh, void *ctx)
{
	const struct nlattr *tb[IFLA_ADDRESS + 1];
	struct fmpi_netview *v = ctx;
	struct fmp_addr mac;

	if (nlh->nlmsg_type != RTM_NEWLINK)
		return 0;
	fmp_nl_attrs_msg(tb, IFLA_ADDRESS, nlh, sizeof(struct ifinfomsg));
	mac = fmp_nl_addr(tb[IFLA_ADDRESS]);
	/* Ignore the all-zero address of loopback. */
	if (mac.family != FMP_FAMILY_MAC || !memcmp(mac.bytes, (const uint8_t[6]){ 0 }, 6))
		return 0;
	return fmpi_addrset_push(&v->own_macs, &mac);
}

static int parse_addr(const struct nlmsghdr *nlh, void *ctx)
{
	const struct nlattr *tb[IFA_LOCAL + 1];
	struct fmpi_netview *v = ctx;
	struct fmp_addr ip;

	if (nlh->nlmsg_type != RTM_NEWADDR)
		return 0;
	fmp_nl_attrs_msg(tb, IFA_LOCAL, nlh, sizeof(struct ifaddrmsg));
	/* On a point-to-point link IFA_ADDRESS is the peer's address. */
	ip = fmp_nl_addr(tb[IFA_LOCAL] ? tb[IFA_LOCAL] : tb[IFA_ADDRESS]);
	return fmp_addr_is_ip(&ip) ? fmpi_addrset_push(&v->own, &ip) : 0;
}

/* The next hop in a set of attributes: RTA_GATEWAY, or RTA_VIA of another family. */
static struct fmp_addr get_next_hop(const struct nlattr *const *tb)
{
	const struct nlattr *via = tb[RTA_VIA];

	if (tb[RTA_GATEWAY])
		return fmp_nl_addr(tb[RTA_GATEWAY]);
	if (via && mnl_attr_get_payload_len(via) == sizeof(uint16_t) + 4)
		return fmp_addr_ipv4((const char *)mnl_attr_get_payload(via) + sizeof(uint16_t));
	if (via && mnl_attr_get_payload_len(via) == sizeof(uint16_t) + 16)
		return fmp_addr_ipv6((const char *)mnl_attr_get_payload(via) + sizeof(uint16_t));
	return (struct fmp_addr){ 0 };
}

/* Call @cb for every next hop of a route, including multipath. */
static int for_each_next_hop(const struct nlattr *const *tb,
			     int (*cb)(const struct fmp_addr *gw, void *ctx), void *ctx)
{
	const struct nlattr *hop[RTA_VIA + 1];
	struct fmp_addr gw = get_next_hop(tb);
	const struct rtnexthop *nh;
	size_t left;
	int rc = 0;

	if (fmp_addr_is_ip(&gw))
		rc = cb(&gw, ctx);
	if (rc || !tb[RTA_MULTIPATH])
		return rc;
	nh = mnl_attr_get_payload(tb[RTA_MULTIPATH]);
	left = mnl_attr_get_payload_len(tb[RTA_MULTIPATH]);
	while (!rc && left >= sizeof(*nh) && nh->rtnh_len >= sizeof(*nh) && nh->rtnh_len <= left) {
		size_t step = MNL_ALIGN(nh->rtnh_len);

		fmp_nl_attrs(hop, RTA_VIA, nh + 1, nh->rtnh_len - sizeof(*nh));
		gw = get_next_hop(hop);
		if (fmp_addr_is_ip(&gw))
			rc = cb(&gw, ctx);
		if (step > left)
			break;
		left -= step;
		nh = (const void *)((const char *)nh + step);
	}
	return rc;
}

static int add_gateway(const struct fmp_addr *gw, void *ctx)
{
	/* An all-zero next hop means on-link. */
	if (!memcmp(gw->bytes, (const uint8_t[16]){ 0 }, 16))
		return 0;
	return fmpi_addrset_push(ctx, gw);
}

static int parse_route(const struct nlmsghdr *nlh, void *ctx)
{
	const struct nlattr *tb[RTA_NH_ID + 1];
	struct fmpi_netview *v = ctx;
	int rc;

	if (nlh->nlmsg_type != RTM_NEWROUTE)
		return 0;
	fmp_nl_attrs_msg(tb, RTA_NH_ID, nlh, sizeof(struct rtmsg));
	rc = for_each_next_hop(tb, add_gateway, &v->gateways);
	return rc ? rc : fmpi_nexthops_use(&v->nexthops, fmp_nl_u32(tb[RTA_NH_ID]));
}

static int parse_nexthop(const struct nlmsghdr *nlh, void *ctx)
{
	return fmpi_nexthops_parse(&((struct fmpi_netview *)ctx)->nexthops, nlh);
}

bool fmpi_rtnl_parse_neigh(const struct nlmsghdr *nlh, struct fmpi_neigh *out)
{
	const struct nlattr *tb[NDA_LLADDR + 1];
	const struct ndmsg *nd = mnl_nlmsg_get_payload(nlh);

	if ((nlh->nlmsg_type != RTM_NEWNEIGH && nlh->nlmsg_type != RTM_DELNEIGH) ||
	    mnl_nlmsg_get_payload_len(nlh) < sizeof(*nd) || (nd->ndm_flags & NTF_PROXY))
		return false;
	fmp_nl_attrs_msg(tb, NDA_LLADDR, nlh, sizeof(*nd));
	*out = (struct fmpi_neigh){
		.ip = fmp_nl_addr(tb[NDA_DST]),
		.mac = fmp_nl_addr(tb[NDA_LLADDR]),
		.ifindex = nd->ndm_ifindex,
		.router = nd->ndm_flags & NTF_ROUTER,
	};
	/* Skip the kernel's multicast entries (NOARP). */
	return fmp_addr_is_ip(&out->ip) && out->mac.family == FMP_FAMILY_MAC &&
	       !(out->mac.bytes[0] & 1) && (nd->ndm_state & NUD_USABLE);
}

static int parse_neigh_entry(const struct nlmsghdr *nlh, void *ctx)
{
	struct fmpi_neighs *list = ctx;
	struct fmpi_neigh e;

	if (!fmpi_rtnl_parse_neigh(nlh, &e))
		return 0;
	if (list->n == list->cap) {
		size_t cap = list->cap ? 2 * list->cap : 32;
		struct fmpi_neigh *v = reallocarray(list->v, cap, sizeof(*v));

		if (!v)
			return FMP_ERR_NOMEM;
		list->v = v;
		list->cap = cap;
	}
	list->v[list->n++] = e;
	return 0;
}

static int request_dump(struct fmp_nl *nl, uint16_t type, uint8_t family, fmp_nl_cb cb, void *ctx,
			struct fmp_error *err)
{
	/* Every rtnetlink header starts with the family; the union is as large as the largest. */
	union {
		struct ifinfomsg link;
		struct ifaddrmsg addr;
		struct rtmsg route;
		struct ndmsg neigh;
		struct nhmsg nexthop;
	} * req;
	_Alignas(struct nlmsghdr) char buf[NLMSG_HDRLEN + NLMSG_ALIGN(sizeof(*req))];
	struct nlmsghdr *nlh = mnl_nlmsg_put_header(buf);
	size_t size = type == RTM_GETLINK      ? sizeof(req->link)
		      : type == RTM_GETADDR    ? sizeof(req->addr)
		      : type == RTM_GETROUTE   ? sizeof(req->route)
		      : type == RTM_GETNEXTHOP ? sizeof(req->nexthop)
					       : sizeof(req->neigh);

	nlh->nlmsg_type = type;
	nlh->nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP;
	req = mnl_nlmsg_put_extra_header(nlh, size);
	*(uint8_t *)req = family;
	return fmp_nl_request(nl, nlh, cb, ctx, NULL, err);
}

int fmpi_rtnl_neighs(struct fmp_nl *nl, struct fmpi_neighs *out, struct fmp_error *err)
{
	int rc = request_dump(nl, RTM_GETNEIGH, AF_INET, parse_neigh_entry, out, err);

	return rc ? rc : request_dump(nl, RTM_GETNEIGH, AF_INET6, parse_neigh_entry, out, err);
}

static int parse_single_neigh(const struct nlmsghdr *nlh, void *ctx)
{
	struct fmpi_neigh e;

	if (fmpi_rtnl_parse_neigh(nlh, &e))
		*(struct fmpi_neigh *)ctx = e;
	return 0;
}

int fmpi_rtnl_neigh(struct fmp_nl *nl, const struct fmp_addr *ip, int ifindex,
		    struct fmpi_neigh *out, struct fmp_error *err)
{
	_Alignas(struct nlmsghdr) char buf[256];
	struct nlmsghdr *nlh = mnl_nlmsg_put_header(buf);
	struct ndmsg *nd;
	int rc;

	*out = (struct fmpi_neigh){ 0 };
	nlh->nlmsg_type = RTM_GETNEIGH;
	nlh->nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK;
	nd = mnl_nlmsg_put_extra_header(nlh, sizeof(*nd));
	nd->ndm_family = ip->family == FMP_FAMILY_IPV4 ? AF_INET : AF_INET6;
	nd->ndm_ifindex = ifindex;
	mnl_attr_put(nlh, NDA_DST, fmp_addr_max_prefix(ip->family) / 8, ip->bytes);
	rc = fmp_nl_request(nl, nlh, parse_single_neigh, out, NULL, err);
	return rc || fmp_addr_equal(&out->ip, ip) ? rc : FMP_ERR_NOTFOUND;
}

/* Read the next-hop objects in use, and add their gateways. */
static int read_nexthops(struct fmp_nl *nl, struct fmpi_netview *v, struct fmp_error *err)
{
	int rc = v->nexthops.n_used
			 ? request_dump(nl, RTM_GETNEXTHOP, AF_UNSPEC, parse_nexthop, v, err)
			 : 0;

	if (!rc && fmpi_nexthops_gateways(&v->nexthops, &v->gateways))
		rc = fmp_error_set(err, FMP_ERR_NOMEM, "out of memory");
	fmpi_nexthops_free(&v->nexthops);
	return rc;
}

int fmpi_rtnl_view(struct fmp_nl *nl, struct fmpi_netview *v, struct fmp_error *err)
{
	static const struct {
		uint16_t type;
		uint8_t family;
		fmp_nl_cb cb;
	} requests[] = {
		{ RTM_GETLINK, AF_UNSPEC, parse_link },
		{ RTM_GETADDR, AF_UNSPEC, parse_addr },
		{ RTM_GETROUTE, AF_INET, parse_route },
		{ RTM_GETROUTE, AF_INET6, parse_route },
	};

	int rc = 0;

	for (size_t i = 0; !rc && i < sizeof(requests) / sizeof(requests[0]); i++)
		rc = request_dump(nl, requests[i].type, requests[i].family, requests[i].cb, v, err);
	if (!rc)
		rc = read_nexthops(nl, v, err);
	if (rc)
		return rc;
	fmpi_addrset_sort(&v->own);
	fmpi_addrset_sort(&v->own_macs);
	fmpi_addrset_sort(&v->gateways);
	return fmpi_rtnl_neighs(nl, &v->neighs, err);
}

static int mark_gateway(const struct fmp_addr *gw, void *ctx)
{
	*(bool *)ctx = true;
	return 0;
}

static int parse_route_reply(const struct nlmsghdr *nlh, void *ctx)
{
	const struct nlattr *tb[RTA_VIA + 1];
	const struct rtmsg *rtm = mnl_nlmsg_get_payload(nlh);
	struct fmpi_route *out = ctx;

	if (nlh->nlmsg_type != RTM_NEWROUTE || mnl_nlmsg_get_payload_len(nlh) < sizeof(*rtm))
		return 0;
	fmp_nl_attrs_msg(tb, RTA_VIA, nlh, sizeof(*rtm));
	out->local = rtm->rtm_type == RTN_LOCAL;
	out->oif = (int)fmp_nl_u32(tb[RTA_OIF]);
	return for_each_next_hop(tb, mark_gateway, &out->gateway);
}

int fmpi_rtnl_route(struct fmp_nl *nl, const struct fmp_addr *ip, struct fmpi_route *out,
		    struct fmp_error *err)
{
	_Alignas(struct nlmsghdr) char buf[256];
	struct nlmsghdr *nlh = mnl_nlmsg_put_header(buf);
	struct rtmsg *rtm;

	*out = (struct fmpi_route){ 0 };
	nlh->nlmsg_type = RTM_GETROUTE;
	nlh->nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK;
	rtm = mnl_nlmsg_put_extra_header(nlh, sizeof(*rtm));
	rtm->rtm_family = ip->family == FMP_FAMILY_IPV4 ? AF_INET : AF_INET6;
	rtm->rtm_dst_len = fmp_addr_max_prefix(ip->family);
	mnl_attr_put(nlh, RTA_DST, rtm->rtm_dst_len / 8, ip->bytes);
	return fmp_nl_request(nl, nlh, parse_route_reply, out, NULL, err);
}
