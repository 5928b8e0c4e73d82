// SPDX-License-Identifier: GPL-2.0
#include <timeline/link.h>

#include <string.h>

/* The resolvers of the machine that plays the log are irrelevant. */
#define NO_RESOLV_CONF ""

/* Return: as fmp_protect_rebuild(). */
static int rebuild_protected(struct fmpi_link *l, struct fmp_error *err)
{
	return fmp_protect_rebuild(l->protect, l->net, NO_RESOLV_CONF, l->policy->protect,
				   l->policy->n_protect, err);
}

static int refresh_protected(struct fmpi_link *l, struct fmp_error *err)
{
	int rc = rebuild_protected(l, err);

	return rc < 0 ? rc : 0;
}

int fmpi_link_init(struct fmpi_link *l, const struct fmp_policy *policy, struct fmp_error *err)
{
	int rc;

	*l = (struct fmpi_link){ .policy = policy };
	rc = fmp_net_new_static(&l->net, err);
	if (!rc)
		rc = fmp_protect_new(&l->protect, err);
	if (!rc)
		rc = refresh_protected(l, err);
	if (rc)
		fmpi_link_exit(l);
	return rc;
}

void fmpi_link_exit(struct fmpi_link *l)
{
	fmp_net_free(l->net);
	fmp_protect_free(l->protect);
	*l = (struct fmpi_link){ 0 };
}

int fmpi_link_policy(struct fmpi_link *l, const struct fmp_policy *policy, struct fmp_error *err)
{
	l->policy = policy;
	return refresh_protected(l, err);
}

void fmpi_link_at(struct fmpi_link *l, uint64_t now_ms)
{
	l->now_ms = now_ms;
	fmp_net_set_time(l->net, now_ms);
}

/* ---- facts ---- */

static const struct {
	const char *verb;
	enum fmp_net_fact fact;
} facts[] = {
	{ "own", FMP_NET_OWN },
	{ "link", FMP_NET_LINK },
	{ "gateway", FMP_NET_GATEWAY },
	{ "point", FMP_NET_ACCESS_POINT },
	{ "neighbour", FMP_NET_NEIGHBOUR },
	{ "router", FMP_NET_ROUTER },
};
#define N_FACTS (sizeof(facts) / sizeof(facts[0]))

bool fmpi_link_is_verb(const char *verb)
{
	for (size_t i = 0; i < N_FACTS; i++)
		if (!strcmp(verb, facts[i].verb))
			return true;
	return !strcmp(verb, "protect") || !strcmp(verb, "gone");
}

static int forget_addr(struct fmpi_link *l, const struct fmp_addr *addr)
{
	int rc = fmp_protect_del(l->protect, addr);

	if (rc && rc != FMP_ERR_NOTFOUND)
		return rc;
	rc = fmp_net_forget(l->net, addr);
	return rc ? rc : refresh_protected(l, NULL);
}

static int protect_addr(struct fmpi_link *l, const struct fmp_addr *addr)
{
	int rc = fmp_protect_add(l->protect, addr);

	if (rc)
		return rc == FMP_ERR_EXISTS ? 0 : rc;
	/* A protected MAC protects its addresses too. */
	return refresh_protected(l, NULL);
}

int fmpi_link_add_fact(struct fmpi_link *l, const char *verb, const struct fmpi_args *a)
{
	int rc = FMP_ERR_INVALID;

	if (!strcmp(verb, "protect"))
		return protect_addr(l, &a->addr);
	if (!strcmp(verb, "gone"))
		return forget_addr(l, &a->addr);
	for (size_t i = 0; i < N_FACTS; i++)
		if (!strcmp(verb, facts[i].verb))
			rc = fmp_net_add_fact(l->net, facts[i].fact, &a->addr, &a->mac);
	if (rc)
		return rc;
	l->has_facts = true;
	return refresh_protected(l, NULL);
}

int fmpi_link_observe(struct fmpi_link *l, const struct fmp_addr *source,
		      const struct fmp_addr *mac)
{
	struct fmp_addr was;
	int rc;

	l->has_facts = true;
	if (!fmp_net_lookup_mac(l->net, source, &was) && fmp_addr_equal(&was, mac))
		return 0;
	rc = fmp_net_add_fact(l->net, FMP_NET_NEIGHBOUR, source, mac);
	return rc ? rc : rebuild_protected(l, NULL);
}

/* ---- queries ---- */

bool fmpi_link_protect_check(const struct fmp_addr *addr, void *ctx)
{
	const struct fmpi_link *l = ctx;

	return fmp_protect_check(l->protect, addr) != NULL;
}

static struct fmp_mac_facts make_facts(const struct fmpi_link *l, const struct fmp_engine *e)
{
	return (struct fmp_mac_facts){ l->net, l->protect, e, l->policy };
}

/* A log does not contain the MACs of packets: the neighbour entry must have been stable. */
bool fmpi_link_mac_siblings(const struct fmp_addr *addr, const struct fmp_event *by,
			    struct fmp_addr *mac, void *ctx)
{
	const struct fmpi_link *l = ctx;
	struct fmp_mac_facts f = make_facts(l, NULL);

	return fmp_mac_siblings(&f, addr, NULL, l->now_ms, mac);
}

void fmpi_link_decide(const struct fmpi_link *l, const struct fmp_engine *e,
		      const struct fmp_addr *ip, uint64_t now_ms, struct fmp_decision *d)
{
	struct fmp_mac_facts f = make_facts(l, e);

	if (!l->has_facts)
		return;
	fmp_mac_decide(&f, ip, NULL, now_ms, d);
}
