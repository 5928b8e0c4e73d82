// SPDX-License-Identifier: GPL-2.0
/* A network view of stated facts, for the replay of logs. */
#include <stdlib.h>
#include <string.h>

#include <net/mac.h>
#include <net/view.h>

/* The kernel's bound on neighbours (gc_thresh3); the oldest are dropped. */
#define NEIGHBOURS_MAX 1024u
/* Upper bound on the facts of each other kind. */
#define FACTS_MAX      1024u

struct static_view {
	struct fmp_net net; /* first: a view is cast to it */
	struct fmpi_addrset links; /* prefixes that are reached without a gateway */
	struct fmpi_addrset gateway_macs; /* of next hops without a neighbour entry */
	uint64_t now_ms;
};

static bool contains_addr(const struct fmpi_addrset *s, const struct fmp_addr *ip)
{
	for (size_t i = 0; i < s->n; i++)
		if (fmp_addr_contains(&s->v[i], ip))
			return true;
	return false;
}

/* An address with a neighbour entry is on-link. Others are behind a gateway if there is one of
 * their family. */
static int static_find_route(struct fmp_net *net, const struct fmp_addr *ip, struct fmpi_route *out)
{
	const struct static_view *view = (struct static_view *)net;
	const struct fmpi_addrset *gateways = &net->view.gateways;

	*out = (struct fmpi_route){ .local = fmpi_addrset_has(&net->view.own, ip) };
	if (out->local || fmpi_mac_link_local(ip) || contains_addr(&view->links, ip) ||
	    fmpi_mac_neigh(&net->view, ip, 0))
		return 0;
	for (size_t i = 0; i < gateways->n; i++)
		out->gateway |= gateways->v[i].family == ip->family;
	return 0;
}

static int update_gateway_macs(struct fmp_net *net)
{
	const struct fmpi_addrset *stated = &((struct static_view *)net)->gateway_macs;
	struct fmpi_addrset macs = { 0 };
	int rc = fmpi_net_gateway_macs_find(&net->view, &net->nexthop_macs, &macs);

	for (size_t i = 0; !rc && i < stated->n; i++)
		rc = fmpi_addrset_push(&macs, &stated->v[i]);
	if (rc) {
		fmpi_addrset_free(&macs);
		return rc;
	}
	fmpi_addrset_sort(&macs);
	fmpi_addrset_free(&net->gateway_macs);
	net->gateway_macs = macs;
	return 0;
}

static void remove_neighbour(struct fmpi_neighs *l, const struct fmp_addr *ip)
{
	for (size_t i = 0; i < l->n; i++) {
		if (!fmp_addr_equal(&l->v[i].ip, ip))
			continue;
		memmove(&l->v[i], &l->v[i + 1], (l->n - i - 1) * sizeof(*l->v));
		l->n--;
		return;
	}
}

static int add_neighbour(struct fmp_net *net, const struct fmpi_neigh *e)
{
	struct fmpi_neighs *l = &net->view.neighs;
	const struct fmpi_neigh *known = fmpi_mac_neigh(&net->view, &e->ip, 0);

	fmpi_bindings_observe(&net->bindings, e, ((struct static_view *)net)->now_ms);
	if (known && known->router == e->router && fmp_addr_equal(&known->mac, &e->mac))
		return 0;
	if (!l->cap) {
		l->v = calloc(NEIGHBOURS_MAX, sizeof(*l->v));
		if (!l->v)
			return FMP_ERR_NOMEM;
		l->cap = NEIGHBOURS_MAX;
	}
	remove_neighbour(l, &e->ip);
	if (l->n == l->cap)
		remove_neighbour(l, &l->v[0].ip);
	l->v[l->n++] = *e;
	return fmpi_addrset_has(&net->view.gateways, &e->ip) ? update_gateway_macs(net) : 0;
}

static int add_addr(struct fmpi_addrset *s, const struct fmp_addr *a)
{
	int rc;

	if (s->n == FACTS_MAX)
		return FMP_ERR_LIMIT;
	rc = fmpi_addrset_push(s, a);
	fmpi_addrset_sort(s);
	return rc;
}

static int add_plain_fact(struct fmp_net *net, enum fmp_net_fact fact, const struct fmp_addr *addr)
{
	struct static_view *view = (struct static_view *)net;
	bool is_mac = addr->family == FMP_FAMILY_MAC;
	int rc;

	switch (fact) {
	case FMP_NET_OWN:
		return add_addr(is_mac ? &net->view.own_macs : &net->view.own, addr);
	case FMP_NET_LINK:
		return is_mac ? FMP_ERR_INVALID : add_addr(&view->links, addr);
	case FMP_NET_GATEWAY:
		rc = add_addr(is_mac ? &view->gateway_macs : &net->view.gateways, addr);
		return rc ? rc : update_gateway_macs(net);
	case FMP_NET_ACCESS_POINT:
		return is_mac ? add_addr(&net->access_points, addr) : FMP_ERR_INVALID;
	default:
		return FMP_ERR_INVALID;
	}
}

static bool is_full(const struct fmp_addr *a)
{
	return a->prefix_len == fmp_addr_max_prefix(a->family);
}

static int static_refresh(struct fmp_net *net, struct fmp_error *err)
{
	return 0;
}

static void static_observe_neighs(struct fmp_net *net)
{
}

static int static_read_neighs(struct fmp_net *net)
{
	return 0;
}

static uint64_t static_now_ms(const struct fmp_net *net)
{
	return ((const struct static_view *)net)->now_ms;
}

static void static_close(struct fmp_net *net)
{
	struct static_view *view = (struct static_view *)net;

	fmpi_addrset_free(&view->links);
	fmpi_addrset_free(&view->gateway_macs);
}

static const struct fmpi_net_ops static_ops = {
	.refresh = static_refresh,
	.observe_neighs = static_observe_neighs,
	.read_neighs = static_read_neighs,
	.find_route = static_find_route,
	.now_ms = static_now_ms,
	.close = static_close,
};

int fmp_net_new_static(struct fmp_net **out, struct fmp_error *err)
{
	struct static_view *view = calloc(1, sizeof(*view));

	if (!view)
		return fmp_error_set(err, FMP_ERR_NOMEM, "out of memory");
	view->net.ops = &static_ops;
	view->net.fd = -1;
	*out = &view->net;
	return 0;
}

int fmp_net_add_fact(struct fmp_net *net, enum fmp_net_fact fact, const struct fmp_addr *addr,
		     const struct fmp_addr *mac)
{
	struct fmpi_neigh e = { .ip = *addr, .router = fact == FMP_NET_ROUTER };

	if (net->ops != &static_ops || (fact != FMP_NET_LINK && !is_full(addr)))
		return FMP_ERR_INVALID;
	if (fact != FMP_NET_NEIGHBOUR && fact != FMP_NET_ROUTER)
		return add_plain_fact(net, fact, addr);
	if (!mac || mac->family != FMP_FAMILY_MAC || !is_full(mac) || !fmp_addr_is_ip(addr))
		return FMP_ERR_INVALID;
	e.mac = *mac;
	return add_neighbour(net, &e);
}

static void remove_addr(struct fmpi_addrset *s, const struct fmp_addr *a)
{
	size_t kept = 0;

	for (size_t i = 0; i < s->n; i++)
		if (!fmp_addr_equal(&s->v[i], a))
			s->v[kept++] = s->v[i];
	s->n = kept;
}

void fmp_net_set_time(struct fmp_net *net, uint64_t now_ms)
{
	if (net->ops == &static_ops)
		((struct static_view *)net)->now_ms = now_ms;
}

int fmp_net_forget(struct fmp_net *net, const struct fmp_addr *addr)
{
	struct static_view *view = (struct static_view *)net;
	struct fmpi_addrset *const sets[] = { &net->view.own, &net->view.own_macs,
					      &net->view.gateways, &net->access_points };

	if (net->ops != &static_ops)
		return FMP_ERR_INVALID;
	for (size_t i = 0; i < sizeof(sets) / sizeof(sets[0]); i++)
		remove_addr(sets[i], addr);
	remove_addr(&view->links, addr);
	remove_addr(&view->gateway_macs, addr);
	remove_neighbour(&net->view.neighs, addr);
	return update_gateway_macs(net);
}
