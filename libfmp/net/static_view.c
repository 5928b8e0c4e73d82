// SPDX-License-Identifier: GPL-2.0
/* A net view of what was told: a log's, or a person's, in the kernel's place. */
#include <stdlib.h>
#include <string.h>

#include <net/mac.h>
#include <net/neighbour.h>

/* As many neighbours as the kernel keeps at most (gc_thresh3); the oldest go. */
#define NEIGHBOURS_MAX 1024u
/* Of each other kind of facts. */
#define FACTS_MAX      1024u

struct fmpi_static_view {
	struct fmpi_addrset links; /* prefixes that are reached without a gateway */
	struct fmpi_addrset gateway_macs; /* of next hops that have no neighbour entry */
};

int fmp_net_new_static(struct fmp_net **out, struct fmp_error *err)
{
	struct fmp_net *net = calloc(1, sizeof(*net));

	if (net)
		net->told = calloc(1, sizeof(*net->told));
	if (!net || !net->told) {
		free(net);
		return fmp_error_set(err, FMP_ERR_NOMEM, "out of memory");
	}
	net->poll = -1;
	*out = net;
	return 0;
}

void fmpi_static_view_free(struct fmpi_static_view *told)
{
	if (!told)
		return;
	fmpi_addrset_free(&told->links);
	fmpi_addrset_free(&told->gateway_macs);
	free(told);
}

static bool contains(const struct fmpi_addrset *s, const struct fmp_addr *ip)
{
	for (size_t i = 0; i < s->n; i++)
		if (fmp_addr_contains(&s->v[i], ip))
			return true;
	return false;
}

/* Who has a neighbour entry is on the link. Of others: where the log names no gateway there is none. */
void fmpi_static_view_route(const struct fmp_net *net, const struct fmp_addr *ip,
			    struct fmpi_route *out)
{
	const struct fmpi_addrset *gateways = &net->view.gateways;

	*out = (struct fmpi_route){ .local = fmpi_addrset_has(&net->view.own, ip) };
	if (out->local || fmpi_mac_link_local(ip) || contains(&net->told->links, ip) ||
	    fmpi_mac_neigh(&net->view, ip, 0))
		return;
	for (size_t i = 0; i < gateways->n; i++)
		out->gateway |= gateways->v[i].family == ip->family;
}

static int renew_gateway_macs(struct fmp_net *net)
{
	const struct fmpi_addrset *told = &net->told->gateway_macs;
	struct fmpi_addrset macs = { 0 };
	int rc = fmpi_net_gateway_macs_find(&net->view, &net->learned, &macs);

	for (size_t i = 0; !rc && i < told->n; i++)
		rc = fmpi_addrset_push(&macs, &told->v[i]);
	if (rc) {
		fmpi_addrset_free(&macs);
		return rc;
	}
	fmpi_addrset_sort(&macs);
	fmpi_addrset_free(&net->gateway_macs);
	net->gateway_macs = macs;
	return 0;
}

static void forget_neighbour(struct fmpi_neighs *l, const struct fmp_addr *ip)
{
	for (size_t i = 0; i < l->n; i++) {
		if (!fmp_addr_equal(&l->v[i].ip, ip))
			continue;
		memmove(&l->v[i], &l->v[i + 1], (l->n - i - 1) * sizeof(*l->v));
		l->n--;
		return;
	}
}

static int tell_neighbour(struct fmp_net *net, const struct fmpi_neigh *e)
{
	struct fmpi_neighs *l = &net->view.neighs;
	const struct fmpi_neigh *known = fmpi_mac_neigh(&net->view, &e->ip, 0);

	fmpi_bindings_observe(&net->bindings, e, net->told_ms);
	if (known && known->router == e->router && fmp_addr_equal(&known->mac, &e->mac))
		return 0;
	if (!l->cap) {
		l->v = calloc(NEIGHBOURS_MAX, sizeof(*l->v));
		if (!l->v)
			return FMP_ERR_NOMEM;
		l->cap = NEIGHBOURS_MAX;
	}
	forget_neighbour(l, &e->ip);
	if (l->n == l->cap)
		forget_neighbour(l, &l->v[0].ip);
	l->v[l->n++] = *e;
	return fmpi_addrset_has(&net->view.gateways, &e->ip) ? renew_gateway_macs(net) : 0;
}

static int add(struct fmpi_addrset *s, const struct fmp_addr *a)
{
	int rc;

	if (s->n == FACTS_MAX)
		return FMP_ERR_LIMIT;
	rc = fmpi_addrset_push(s, a);
	fmpi_addrset_sort(s);
	return rc;
}

static int tell(struct fmp_net *net, enum fmp_net_fact fact, const struct fmp_addr *addr)
{
	bool is_mac = addr->family == FMP_FAMILY_MAC;
	int rc;

	switch (fact) {
	case FMP_NET_OWN:
		return add(is_mac ? &net->view.own_macs : &net->view.own, addr);
	case FMP_NET_LINK:
		return is_mac ? FMP_ERR_INVALID : add(&net->told->links, addr);
	case FMP_NET_GATEWAY:
		rc = add(is_mac ? &net->told->gateway_macs : &net->view.gateways, addr);
		return rc ? rc : renew_gateway_macs(net);
	case FMP_NET_ACCESS_POINT:
		return is_mac ? add(&net->points, addr) : FMP_ERR_INVALID;
	default:
		return FMP_ERR_INVALID;
	}
}

static bool is_full(const struct fmp_addr *a)
{
	return a->prefix_len == fmp_addr_max_prefix(a->family);
}

int fmp_net_add_fact(struct fmp_net *net, enum fmp_net_fact fact, const struct fmp_addr *addr,
		     const struct fmp_addr *mac)
{
	struct fmpi_neigh e = { .ip = *addr, .router = fact == FMP_NET_ROUTER };

	if (!net->told || (fact != FMP_NET_LINK && !is_full(addr)))
		return FMP_ERR_INVALID;
	if (fact != FMP_NET_NEIGHBOUR && fact != FMP_NET_ROUTER)
		return tell(net, fact, addr);
	if (!mac || mac->family != FMP_FAMILY_MAC || !is_full(mac) || !fmp_addr_is_ip(addr))
		return FMP_ERR_INVALID;
	e.mac = *mac;
	return tell_neighbour(net, &e);
}

static void take_out(struct fmpi_addrset *s, const struct fmp_addr *a)
{
	size_t kept = 0;

	for (size_t i = 0; i < s->n; i++)
		if (!fmp_addr_equal(&s->v[i], a))
			s->v[kept++] = s->v[i];
	s->n = kept;
}

void fmp_net_set_time(struct fmp_net *net, uint64_t now_ms)
{
	net->told_ms = now_ms;
}

int fmp_net_forget(struct fmp_net *net, const struct fmp_addr *addr)
{
	struct fmpi_addrset *const sets[] = { &net->view.own, &net->view.own_macs,
					      &net->view.gateways, &net->points };

	if (!net->told)
		return FMP_ERR_INVALID;
	for (size_t i = 0; i < sizeof(sets) / sizeof(sets[0]); i++)
		take_out(sets[i], addr);
	take_out(&net->told->links, addr);
	take_out(&net->told->gateway_macs, addr);
	forget_neighbour(&net->view.neighs, addr);
	return renew_gateway_macs(net);
}
