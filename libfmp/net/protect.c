// SPDX-License-Identifier: GPL-2.0
/* The protected set (invariant 1). */
#include <fmp/net.h>

#include <stdlib.h>
#include <string.h>

#include <net/view.h>
#include <net/protect.h>
#include <net/system_peers.h>

#define RESOLV_CONF "/etc/resolv.conf"
#define MANUAL_MAX  1024 /* bound on manual entries */

struct entries {
	struct fmp_protect_entry *v;
	size_t n, cap;
};

struct fmp_protect {
	struct entries all; /* sorted union, returned by fmp_protect_list() */
	struct entries base; /* all but the manual entries */
	struct entries manual; /* manual entries */
	const char *root; /* root of the files with system peers; NULL: not used */
};

/* Protected on every machine: never a valid source. */
static const struct fmp_protect_entry always[] = {
	{ { FMP_FAMILY_IPV4, 8, { 127 } }, FMP_PROTECT_LOOPBACK },
	{ { FMP_FAMILY_IPV4, 32, { 0 } }, FMP_PROTECT_LOOPBACK },
	{ { FMP_FAMILY_IPV4, 32, { 255, 255, 255, 255 } }, FMP_PROTECT_LOOPBACK },
	{ { FMP_FAMILY_IPV4, 4, { 224 } }, FMP_PROTECT_LOOPBACK },
	{ { FMP_FAMILY_IPV6, 128, { [15] = 1 } }, FMP_PROTECT_LOOPBACK },
	{ { FMP_FAMILY_IPV6, 128, { 0 } }, FMP_PROTECT_LOOPBACK },
	{ { FMP_FAMILY_IPV6, 8, { 0xff } }, FMP_PROTECT_LOOPBACK },
	{ { FMP_FAMILY_MAC, 48, { 0 } }, FMP_PROTECT_LOOPBACK },
	{ { FMP_FAMILY_MAC, 48, { 255, 255, 255, 255, 255, 255 } }, FMP_PROTECT_LOOPBACK },
};
#define N_ALWAYS (sizeof(always) / sizeof(always[0]))

const char *fmp_protect_origin_name(unsigned origin)
{
	static const char *const names[] = {
		[FMP_PROTECT_OWN] = "own",
		[FMP_PROTECT_GATEWAY] = "gateway",
		[FMP_PROTECT_RESOLVER] = "resolver",
		[FMP_PROTECT_POLICY] = "policy",
		[FMP_PROTECT_MANUAL] = "manual",
		[FMP_PROTECT_LOOPBACK] = "loopback",
		[FMP_PROTECT_DHCP] = "dhcp",
		[FMP_PROTECT_NTP] = "ntp",
		[FMP_PROTECT_ACCESS_POINT] = "access-point",
		[FMP_PROTECT_DEVICE] = "device",
	};

	if (!origin || origin >= sizeof(names) / sizeof(names[0]))
		return "unknown";
	return names[origin];
}

bool fmpi_protect_in_kernel(const struct fmp_protect_entry *e)
{
	for (size_t i = 0; i < N_ALWAYS; i++) {
		if (fmp_addr_contains(&always[i].addr, &e->addr))
			return false;
	}
	return true;
}

const struct fmp_protect_entry *fmpi_protect_find(const struct fmp_protect_entry *set, size_t n,
						  const struct fmp_addr *addr)
{
	/* A group address is never a sender's. */
	if (addr->family == FMP_FAMILY_MAC && (addr->bytes[0] & 1))
		return &always[N_ALWAYS - 1];
	for (size_t i = 0; i < N_ALWAYS; i++) {
		if (fmp_addr_overlaps(&always[i].addr, addr))
			return &always[i];
	}
	for (size_t i = 0; i < n; i++) {
		if (fmp_addr_overlaps(&set[i].addr, addr))
			return &set[i];
	}
	return NULL;
}

/* A prefix of length 0 would disable the firewall; a partial MAC matches no station. */
static bool is_protectable(const struct fmp_addr *a)
{
	return a->family == FMP_FAMILY_MAC ? a->prefix_len == 48
					   : fmp_addr_is_ip(a) && a->prefix_len > 0;
}

static int add_entry(struct entries *e, const struct fmp_addr *a, enum fmp_protect_origin origin)
{
	if (e->n == e->cap) {
		size_t cap = e->cap ? 2 * e->cap : 32;
		struct fmp_protect_entry *v = reallocarray(e->v, cap, sizeof(*v));

		if (!v)
			return FMP_ERR_NOMEM;
		e->v = v;
		e->cap = cap;
	}
	e->v[e->n++] = (struct fmp_protect_entry){ .addr = *a, .origin = origin };
	return 0;
}

static int add_addrs(struct entries *e, const struct fmpi_addrset *s,
		     enum fmp_protect_origin origin)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < s->n; i++)
		rc = add_entry(e, &s->v[i], origin);
	return rc;
}

static int compare_entries(const void *x, const void *y)
{
	const struct fmp_protect_entry *a = x, *b = y;
	int c = fmp_addr_compare(&a->addr, &b->addr);

	return c ? c : (int)a->origin - (int)b->origin;
}

/* Keep the first origin, in the enum's order, of duplicates. */
static void sort_unique(struct entries *e)
{
	size_t kept = 0;

	if (!e->n)
		return;
	qsort(e->v, e->n, sizeof(*e->v), compare_entries);
	for (size_t i = 1; i < e->n; i++) {
		if (!fmp_addr_equal(&e->v[i].addr, &e->v[kept].addr))
			e->v[++kept] = e->v[i];
	}
	e->n = kept + 1;
}

static int add_system_peer(const struct fmp_addr *addr, enum fmp_protect_origin origin, void *ctx)
{
	return add_entry(ctx, addr, origin);
}

static bool entries_equal(const struct entries *a, const struct entries *b)
{
	if (a->n != b->n)
		return false;
	for (size_t i = 0; i < a->n; i++) {
		if (a->v[i].origin != b->v[i].origin ||
		    !fmp_addr_equal(&a->v[i].addr, &b->v[i].addr))
			return false;
	}
	return true;
}

/* all = base + manual + always; takes ownership of @base on success. */
static int merge_entries(struct fmp_protect *p, struct entries *base)
{
	struct entries all = { 0 };
	int rc = 0;

	for (size_t i = 0; !rc && i < N_ALWAYS; i++)
		rc = add_entry(&all, &always[i].addr, always[i].origin);
	for (size_t i = 0; !rc && i < base->n; i++)
		rc = add_entry(&all, &base->v[i].addr, base->v[i].origin);
	for (size_t i = 0; !rc && i < p->manual.n; i++)
		rc = add_entry(&all, &p->manual.v[i].addr, p->manual.v[i].origin);
	if (rc) {
		free(all.v);
		return rc;
	}
	sort_unique(&all);
	rc = entries_equal(&all, &p->all) ? 0 : 1;
	free(p->all.v);
	p->all = all;
	if (base != &p->base) {
		free(p->base.v);
		p->base = *base;
		*base = (struct entries){ 0 };
	}
	return rc;
}

int fmp_protect_new(struct fmp_protect **out, struct fmp_error *err)
{
	struct fmp_protect *p = calloc(1, sizeof(*p));

	if (!p || merge_entries(p, &p->base) < 0) {
		fmp_protect_free(p);
		return fmp_error_set(err, FMP_ERR_NOMEM, "out of memory");
	}
	*out = p;
	return 0;
}

void fmp_protect_free(struct fmp_protect *p)
{
	if (!p)
		return;
	free(p->all.v);
	free(p->base.v);
	free(p->manual.v);
	free(p);
}

void fmp_protect_use_system_peers(struct fmp_protect *p, const char *root)
{
	p->root = root;
}

/* Add the current addresses of the protected MACs. */
static int add_device_addrs(const struct fmp_protect *p, struct fmp_net *net, struct entries *base)
{
	struct fmpi_addrset macs = { 0 }, ips = { 0 };
	int rc = 0;

	for (size_t i = 0; !rc && i < base->n; i++)
		if (base->v[i].addr.family == FMP_FAMILY_MAC)
			rc = fmpi_addrset_push(&macs, &base->v[i].addr);
	for (size_t i = 0; !rc && i < p->manual.n; i++)
		if (p->manual.v[i].addr.family == FMP_FAMILY_MAC)
			rc = fmpi_addrset_push(&macs, &p->manual.v[i].addr);
	fmpi_addrset_sort(&macs);
	if (!rc)
		rc = fmpi_net_follow(net, &macs, &ips);
	if (!rc)
		rc = add_addrs(base, &ips, FMP_PROTECT_DEVICE);
	fmpi_addrset_free(&macs);
	fmpi_addrset_free(&ips);
	return rc;
}

int fmp_protect_rebuild(struct fmp_protect *p, struct fmp_net *net, const char *resolv_conf,
			const struct fmp_addr *policy, size_t n_policy, struct fmp_error *err)
{
	struct entries base = { 0 };
	int rc = 0;

	for (size_t i = 0; !rc && i < n_policy; i++) {
		char text[FMP_ADDR_STRLEN];

		if (!is_protectable(&policy[i]))
			rc = fmp_error_set(err, FMP_ERR_INVALID, "%s can't be protected",
					   fmp_addr_format(&policy[i], text, sizeof(text)));
		else if (add_entry(&base, &policy[i], FMP_PROTECT_POLICY))
			rc = fmp_error_set(err, FMP_ERR_NOMEM, "out of memory");
	}
	/* Before the gateways' MACs are added: routers also forward for other addresses. */
	if (!rc && net && add_device_addrs(p, net, &base))
		rc = fmp_error_set(err, FMP_ERR_NOMEM, "out of memory");
	if (!rc && net &&
	    (add_addrs(&base, fmpi_net_own(net), FMP_PROTECT_OWN) ||
	     add_addrs(&base, fmpi_net_own_macs(net), FMP_PROTECT_OWN) ||
	     add_addrs(&base, fmpi_net_gateways(net), FMP_PROTECT_GATEWAY) ||
	     add_addrs(&base, fmpi_net_gateway_macs(net), FMP_PROTECT_GATEWAY) ||
	     add_addrs(&base, fmpi_net_access_points(net), FMP_PROTECT_ACCESS_POINT)))
		rc = fmp_error_set(err, FMP_ERR_NOMEM, "out of memory");
	if (!rc)
		rc = fmpi_system_peers_resolvers(resolv_conf ? resolv_conf : RESOLV_CONF,
						 add_system_peer, &base, err);
	if (!rc && p->root)
		rc = fmpi_system_peers_servers(p->root, net ? fmpi_net_own(net) : NULL,
					       add_system_peer, &base);
	if (rc == FMP_ERR_NOMEM)
		fmp_error_set(err, FMP_ERR_NOMEM, "out of memory");
	if (!rc) {
		rc = merge_entries(p, &base);
		if (rc < 0)
			fmp_error_set(err, FMP_ERR_NOMEM, "out of memory");
	}
	free(base.v);
	return rc;
}

int fmp_protect_add(struct fmp_protect *p, const struct fmp_addr *addr)
{
	int rc;

	if (!is_protectable(addr))
		return FMP_ERR_INVALID;
	for (size_t i = 0; i < p->all.n; i++) {
		if (fmp_addr_equal(&p->all.v[i].addr, addr))
			return FMP_ERR_EXISTS;
	}
	if (p->manual.n >= MANUAL_MAX)
		return FMP_ERR_LIMIT;
	if (add_entry(&p->manual, addr, FMP_PROTECT_MANUAL))
		return FMP_ERR_NOMEM;
	rc = merge_entries(p, &p->base);
	if (rc < 0)
		p->manual.n--;
	return rc < 0 ? rc : 0;
}

int fmp_protect_del(struct fmp_protect *p, const struct fmp_addr *addr)
{
	for (size_t i = 0; i < p->manual.n; i++) {
		struct fmp_protect_entry gone = p->manual.v[i];
		int rc;

		if (!fmp_addr_equal(&gone.addr, addr))
			continue;
		p->manual.v[i] = p->manual.v[--p->manual.n];
		rc = merge_entries(p, &p->base);
		if (rc < 0)
			p->manual.v[p->manual.n++] = gone;
		return rc < 0 ? rc : 0;
	}
	return FMP_ERR_NOTFOUND;
}

const struct fmp_protect_entry *fmp_protect_check(const struct fmp_protect *p,
						  const struct fmp_addr *addr)
{
	return fmpi_protect_find(p->all.v, p->all.n, addr);
}

const struct fmp_protect_entry *fmp_protect_check_host(const struct fmp_protect *p,
						       const struct fmp_addr *addr,
						       const struct fmp_translators *nat64)
{
	const struct fmp_protect_entry *e = fmp_protect_check(p, addr);
	struct fmp_addr host;

	return e || !fmp_addr_ipv4_host(addr, nat64, &host) ? e : fmp_protect_check(p, &host);
}

size_t fmp_protect_list(const struct fmp_protect *p, const struct fmp_protect_entry **entries)
{
	*entries = p->all.v;
	return p->all.n;
}
