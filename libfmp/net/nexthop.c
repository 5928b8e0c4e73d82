// SPDX-License-Identifier: GPL-2.0
#include <net/nexthop.h>

#include <stdlib.h>
#include <string.h>

#include <linux/nexthop.h>
#include <linux/rtnetlink.h>

#include <fmp/internal/netlink.h>

void fmpi_nexthops_free(struct fmpi_nexthops *s)
{
	free(s->v);
	free(s->used);
	*s = (struct fmpi_nexthops){ 0 };
}

int fmpi_nexthops_use(struct fmpi_nexthops *s, uint32_t id)
{
	/* Large tables refer to few objects, mostly in sequence. */
	if (!id || (s->n_used && s->used[s->n_used - 1] == id))
		return 0;
	if (s->n_used == s->cap_used) {
		size_t cap = s->cap_used ? 2 * s->cap_used : 16;
		uint32_t *used = reallocarray(s->used, cap, sizeof(*used));

		if (!used)
			return FMP_ERR_NOMEM;
		s->used = used;
		s->cap_used = cap;
	}
	s->used[s->n_used++] = id;
	return 0;
}

static int add_entry(struct fmpi_nexthops *s, const struct fmpi_nexthop *e)
{
	if (s->n == s->cap) {
		size_t cap = s->cap ? 2 * s->cap : 16;
		struct fmpi_nexthop *v = reallocarray(s->v, cap, sizeof(*v));

		if (!v)
			return FMP_ERR_NOMEM;
		s->v = v;
		s->cap = cap;
	}
	s->v[s->n++] = *e;
	return 0;
}

static int add_group(struct fmpi_nexthops *s, uint32_t id, const struct nlattr *group)
{
	const struct nexthop_grp *m = mnl_attr_get_payload(group);
	size_t n = mnl_attr_get_payload_len(group) / sizeof(*m);
	int rc = 0;

	for (size_t i = 0; !rc && i < n; i++)
		rc = add_entry(s, &(struct fmpi_nexthop){ .id = id, .member = m[i].id });
	return rc;
}

int fmpi_nexthops_parse(struct fmpi_nexthops *s, const struct nlmsghdr *nlh)
{
	const struct nlattr *tb[NHA_FDB + 1];
	struct fmpi_nexthop e = { 0 };

	if (nlh->nlmsg_type != RTM_NEWNEXTHOP)
		return 0;
	fmp_nl_attrs_msg(tb, NHA_FDB, nlh, sizeof(struct nhmsg));
	e.id = fmp_nl_u32(tb[NHA_ID]);
	if (!e.id)
		return 0;
	if (tb[NHA_GROUP])
		return add_group(s, e.id, tb[NHA_GROUP]);
	e.gateway = fmp_nl_addr(tb[NHA_GATEWAY]);
	return fmp_addr_is_ip(&e.gateway) ? add_entry(s, &e) : 0;
}

static int compare_ids(const void *x, const void *y)
{
	uint32_t a = ((const struct fmpi_nexthop *)x)->id, b = ((const struct fmpi_nexthop *)y)->id;

	return (a > b) - (a < b);
}

static int compare_numbers(const void *x, const void *y)
{
	uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;

	return (a > b) - (a < b);
}

/* The index of an object's first entry. */
static size_t find_first(const struct fmpi_nexthops *s, uint32_t id)
{
	size_t low = 0, high = s->n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (s->v[mid].id < id)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* The kernel allows no nested groups, so one level is enough. */
static int add_object_gateways(const struct fmpi_nexthops *s, uint32_t id, bool in_group,
			       struct fmpi_addrset *out)
{
	int rc = 0;

	for (size_t i = find_first(s, id); !rc && i < s->n && s->v[i].id == id; i++) {
		const struct fmpi_nexthop *e = &s->v[i];

		if (!e->member)
			rc = fmpi_addrset_push(out, &e->gateway);
		else if (!in_group)
			rc = add_object_gateways(s, e->member, true, out);
	}
	return rc;
}

int fmpi_nexthops_gateways(struct fmpi_nexthops *s, struct fmpi_addrset *out)
{
	uint32_t last = 0;
	int rc = 0;

	if (!s->n || !s->n_used)
		return 0;
	qsort(s->v, s->n, sizeof(*s->v), compare_ids);
	qsort(s->used, s->n_used, sizeof(*s->used), compare_numbers);
	for (size_t i = 0; !rc && i < s->n_used; i++) {
		if (s->used[i] != last)
			rc = add_object_gateways(s, s->used[i], false, out);
		last = s->used[i];
	}
	return rc;
}
