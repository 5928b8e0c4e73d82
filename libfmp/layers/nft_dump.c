// SPDX-License-Identifier: GPL-2.0
/*
 * Reads the kernel's state of our tables.
 *
 * Parsed with libmnl only: libnftnl's parsers abort the process on an attribute of unexpected size.
 */
#include <layers/nft.h>

#include <arpa/inet.h>
#include <endian.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libnftnl/common.h>
#include <linux/netfilter/nf_tables.h>
#include <linux/netfilter/nfnetlink.h>

/* Find an entry in nft's user data (TLV: type, length, bytes). Return: the entry; NULL. */
static const uint8_t *find_udata(const struct nlattr *udata, uint8_t type)
{
	const uint8_t *p = udata ? mnl_attr_get_payload(udata) : NULL;
	size_t left = udata ? mnl_attr_get_payload_len(udata) : 0;

	while (left >= 2 && left - 2 >= p[1]) {
		if (p[0] == type)
			return p;
		left -= 2u + p[1];
		p += 2 + p[1];
	}
	return NULL;
}

/* Type 0 is the comment in all objects read here. */
static void read_comment(const struct nlattr *udata, char *buf, size_t size)
{
	const uint8_t *p = find_udata(udata, 0);
	size_t len = p ? strnlen((const char *)p + 2, p[1]) : 0;

	if (len >= size)
		len = size - 1;
	if (len)
		memcpy(buf, p + 2, len);
	buf[len] = '\0';
}

static struct nlmsghdr *build_request(const struct nft_layer *l, char *buf, uint16_t type,
				      uint16_t flags)
{
	return nftnl_nlmsg_build_hdr(buf, (uint16_t)(NFNL_SUBSYS_NFTABLES << 8 | type), l->family,
				     flags, 0);
}

/*
 * Run one dump, again if changes interrupt it.
 * @n: counter of collected items, reset for each try; NULL: none
 */
static int request_dump(struct nft_layer *l, struct nlmsghdr *nlh, fmp_nl_cb cb, void *ctx,
			size_t *n, struct fmp_error *err)
{
	size_t before = n ? *n : 0;
	struct fmp_kerr kerr;
	int rc = FMP_ERR_AGAIN;

	for (int i = 0; i < FMP_DUMP_TRIES && rc == FMP_ERR_AGAIN; i++) {
		if (n)
			*n = before;
		rc = fmp_nl_request(&l->nl, nlh, cb, ctx, &kerr, err);
	}
	return rc == FMP_ERR_KERNEL && kerr.sys_errno == ENOENT ? 0 : rc;
}

static bool is_ours(const struct nlattr *table)
{
	char name[8];

	fmp_nl_str(table, name, sizeof(name));
	return table && !strcmp(name, NFT_TABLE);
}

/* ---- the table ---- */

static int parse_dormant(const struct nlmsghdr *nlh, void *ctx)
{
	const struct nlattr *tb[NFTA_TABLE_FLAGS + 1];

	fmp_nl_attrs_msg(tb, NFTA_TABLE_FLAGS, nlh, sizeof(struct nfgenmsg));
	*(bool *)ctx = ntohl(fmp_nl_u32(tb[NFTA_TABLE_FLAGS])) & NFT_TABLE_F_DORMANT;
	return 0;
}

int fmpi_nft_dump_dormant(struct nft_layer *l, bool *out, struct fmp_error *err)
{
	_Alignas(struct nlmsghdr) char buf[256];
	struct nlmsghdr *nlh = build_request(l, buf, NFT_MSG_GETTABLE, NLM_F_ACK);

	*out = false;
	mnl_attr_put_strz(nlh, NFTA_TABLE_NAME, NFT_TABLE);
	return request_dump(l, nlh, parse_dormant, out, NULL, err);
}

/* ---- sets ---- */

static int parse_set(const struct nlmsghdr *nlh, void *ctx)
{
	const struct nlattr *tb[NFTA_SET_NAME + 1];
	struct nft_shape *out = ctx;
	char name[64];
	struct nft_set_id id;

	fmp_nl_attrs_msg(tb, NFTA_SET_NAME, nlh, sizeof(struct nfgenmsg));
	fmp_nl_str(tb[NFTA_SET_NAME], name, sizeof(name));
	if (is_ours(tb[NFTA_SET_TABLE]) && fmpi_nft_set_parse(name, &id))
		*fmpi_nft_shape_at(out, id) = true;
	return 0;
}

int fmpi_nft_dump_sets(struct nft_layer *l, struct nft_shape *out, struct fmp_error *err)
{
	_Alignas(struct nlmsghdr) char buf[256];
	struct nlmsghdr *nlh = build_request(l, buf, NFT_MSG_GETSET, NLM_F_DUMP);

	*out = (struct nft_shape){ 0 };
	mnl_attr_put_strz(nlh, NFTA_SET_TABLE, NFT_TABLE);
	return request_dump(l, nlh, parse_set, out, NULL, err);
}

/* ---- elements ---- */

struct elems {
	struct nft_set_id set;
	struct fmpi_rules *out;
};

static uint64_t get_be64(const struct nlattr *a)
{
	return be64toh(fmp_nl_u64(a));
}

/* Parse an expression of an element: its counter, or its limit. */
static void parse_expr(const struct nlattr *expr, struct fmp_rule *r)
{
	const struct nlattr *tb[NFTA_EXPR_DATA + 1], *c[NFTA_COUNTER_PACKETS + 1];
	const struct nlattr *limit[NFTA_LIMIT_RATE + 1];
	uint64_t rate;
	char name[16];

	fmp_nl_attrs_nested(tb, NFTA_EXPR_DATA, expr);
	fmp_nl_str(tb[NFTA_EXPR_NAME], name, sizeof(name));
	if (!tb[NFTA_EXPR_DATA])
		return;
	if (!strcmp(name, "counter")) {
		fmp_nl_attrs_nested(c, NFTA_COUNTER_PACKETS, tb[NFTA_EXPR_DATA]);
		r->frames = get_be64(c[NFTA_COUNTER_PACKETS]);
		r->bytes = get_be64(c[NFTA_COUNTER_BYTES]);
	} else if (!strcmp(name, "limit")) {
		fmp_nl_attrs_nested(limit, NFTA_LIMIT_RATE, tb[NFTA_EXPR_DATA]);
		rate = get_be64(limit[NFTA_LIMIT_RATE]);
		r->rate = rate < UINT32_MAX ? (uint32_t)rate : UINT32_MAX;
	}
}

static void parse_exprs(const struct nlattr *one, const struct nlattr *list, struct fmp_rule *r)
{
	const struct nlattr *a;

	if (one)
		parse_expr(one, r);
	if (!list)
		return;
	mnl_attr_for_each_nested(a, list)
		parse_expr(a, r);
}

/* Parse the key of an element: an address, with a port or a MAC if the set has them. */
static bool parse_key(struct nft_set_id set, const struct nlattr *value, struct fmp_rule *r)
{
	size_t len = fmp_addr_max_prefix(set.family) / 8u;
	const uint8_t *p = value ? mnl_attr_get_payload(value) : NULL;

	if (!p || mnl_attr_get_payload_len(value) != fmpi_nft_key_len(set))
		return false;
	r->addr = set.family == FMP_FAMILY_IPV4	  ? fmp_addr_ipv4(p)
		  : set.family == FMP_FAMILY_IPV6 ? fmp_addr_ipv6(p)
						  : fmp_addr_mac(p);
	r->addr = fmp_addr_mask(r->addr, set.prefix_len);
	if (fmpi_nft_has_port(set.use))
		r->dest_port = (uint16_t)(p[len] << 8 | p[len + 1]);
	if (fmpi_nft_has_mac(set.use))
		r->pair_mac = fmp_addr_mac(p + len);
	return true;
}

static int parse_elem(const struct nlattr *elem, const struct elems *c)
{
	const struct nlattr *tb[NFTA_SET_ELEM_EXPRESSIONS + 1], *key[NFTA_DATA_VALUE + 1] = { 0 };
	struct fmp_rule r = { 0 };
	char comment[32];

	fmp_nl_attrs_nested(tb, NFTA_SET_ELEM_EXPRESSIONS, elem);
	if (tb[NFTA_SET_ELEM_KEY])
		fmp_nl_attrs_nested(key, NFTA_DATA_VALUE, tb[NFTA_SET_ELEM_KEY]);
	if (!parse_key(c->set, key[NFTA_DATA_VALUE], &r))
		return 0;
	if (tb[NFTA_SET_ELEM_TIMEOUT]) {
		r.left_ms = get_be64(tb[NFTA_SET_ELEM_EXPIRATION]);
		if (!r.left_ms)
			r.left_ms = 1; /* 0 means without end */
	}
	read_comment(tb[NFTA_SET_ELEM_USERDATA], comment, sizeof(comment));
	if (!strncmp(comment, "fmp ", 4))
		r.id = strtoull(comment + 4, NULL, 10);
	r.is_own = find_udata(tb[NFTA_SET_ELEM_USERDATA], NFT_UDATA_OWN) != NULL;
	parse_exprs(tb[NFTA_SET_ELEM_EXPR], tb[NFTA_SET_ELEM_EXPRESSIONS], &r);
	return fmpi_rules_push(c->out, &r);
}

static int parse_elems(const struct nlmsghdr *nlh, void *ctx)
{
	const struct nlattr *tb[NFTA_SET_ELEM_LIST_ELEMENTS + 1], *a;
	int rc = 0;

	fmp_nl_attrs_msg(tb, NFTA_SET_ELEM_LIST_ELEMENTS, nlh, sizeof(struct nfgenmsg));
	if (!tb[NFTA_SET_ELEM_LIST_ELEMENTS])
		return 0;
	mnl_attr_for_each_nested(a, tb[NFTA_SET_ELEM_LIST_ELEMENTS]) {
		if (!rc)
			rc = parse_elem(a, ctx);
	}
	return rc;
}

static struct nlmsghdr *build_elem_request(const struct nft_layer *l, char *buf,
					   struct nft_set_id id, uint16_t flags)
{
	struct nlmsghdr *nlh = build_request(l, buf, NFT_MSG_GETSETELEM, flags);
	char name[NFT_SET_NAMELEN];

	mnl_attr_put_strz(nlh, NFTA_SET_ELEM_LIST_TABLE, NFT_TABLE);
	mnl_attr_put_strz(nlh, NFTA_SET_ELEM_LIST_SET, fmpi_nft_set_name(id, name));
	return nlh;
}

int fmpi_nft_find_elem(struct nft_layer *l, const struct fmp_rule *key, struct fmpi_rules *out,
		       struct fmp_error *err)
{
	const struct fmpi_change of = { .addr = key->addr,
					.pair_mac = key->pair_mac,
					.rate = key->rate,
					.dest_port = key->dest_port };
	struct elems c = { .set = fmpi_nft_set_of_change(&of), .out = out };
	_Alignas(struct nlmsghdr) char buf[256];
	struct nlmsghdr *nlh = build_elem_request(l, buf, c.set, NLM_F_ACK);
	struct nlattr *list = mnl_attr_nest_start(nlh, NFTA_SET_ELEM_LIST_ELEMENTS), *elem;

	elem = mnl_attr_nest_start(nlh, NFTA_LIST_ELEM);
	fmpi_nft_key_put(nlh, c.set, &key->addr, &key->pair_mac, key->dest_port);
	mnl_attr_nest_end(nlh, elem);
	mnl_attr_nest_end(nlh, list);
	return request_dump(l, nlh, parse_elems, &c, &out->n, err);
}

int fmpi_nft_dump_step(struct nft_layer *l, struct fmpi_dump *d, struct nft_set_id id,
		       struct fmpi_rules *out, struct fmp_error *err)
{
	_Alignas(struct nlmsghdr) char buf[256];
	struct elems c = { .set = id, .out = out };

	return fmpi_dump_part(d, build_elem_request(l, buf, id, NLM_F_DUMP), parse_elems, &c, out,
			      err);
}

/* Reads in steps, which terminate under any number of concurrent changes. */
int fmpi_nft_dump_elems(struct nft_layer *l, struct nft_set_id id, struct fmpi_rules *out,
			struct fmp_error *err)
{
	struct fmpi_dump *d;
	int rc = fmpi_dump_new(NETLINK_NETFILTER, &d, err);

	if (rc)
		return rc;
	d->gone_is_empty = d->empty_is_end = true;
	do
		rc = fmpi_nft_dump_step(l, d, id, out, err);
	while (!rc);
	fmpi_dump_free(d);
	return rc < 0 ? rc : 0;
}

/* ---- rules and chains ---- */

/* FNV-1a hash of a rule's expressions, which contain no counters. */
static uint64_t hash_exprs(const struct nlattr *a)
{
	const uint8_t *p = a ? mnl_attr_get_payload(a) : NULL;
	size_t n = a ? mnl_attr_get_payload_len(a) : 0;
	uint64_t sum = 0xcbf29ce484222325;

	for (size_t i = 0; i < n; i++)
		sum = (sum ^ p[i]) * 0x100000001b3;
	return sum;
}

static int parse_rule(const struct nlmsghdr *nlh, void *ctx)
{
	const struct nlattr *tb[NFTA_RULE_USERDATA + 1];
	struct nft_rule_specs *out = ctx;
	struct nft_rule_spec *r;

	fmp_nl_attrs_msg(tb, NFTA_RULE_USERDATA, nlh, sizeof(struct nfgenmsg));
	if (!is_ours(tb[NFTA_RULE_TABLE]))
		return 0;
	if (out->n == out->cap) {
		size_t cap = out->cap ? 2 * out->cap : 16;
		struct nft_rule_spec *v = reallocarray(out->v, cap, sizeof(*v));

		if (!v)
			return FMP_ERR_NOMEM;
		out->v = v;
		out->cap = cap;
	}
	r = &out->v[out->n++];
	*r = (struct nft_rule_spec){ 0 };
	r->sum = hash_exprs(tb[NFTA_RULE_EXPRESSIONS]);
	fmp_nl_str(tb[NFTA_RULE_CHAIN], r->chain, sizeof(r->chain));
	read_comment(tb[NFTA_RULE_USERDATA], r->comment, sizeof(r->comment));
	return 0;
}

int fmpi_nft_dump_rules(struct nft_layer *l, struct nft_rule_specs *out, struct fmp_error *err)
{
	_Alignas(struct nlmsghdr) char buf[256];
	struct nlmsghdr *nlh = build_request(l, buf, NFT_MSG_GETRULE, NLM_F_DUMP);

	mnl_attr_put_strz(nlh, NFTA_RULE_TABLE, NFT_TABLE);
	return request_dump(l, nlh, parse_rule, out, &out->n, err);
}

static void add_device(const struct nlattr *name, struct nft_base *b)
{
	if (!b->n_devices++)
		fmp_nl_str(name, b->device, sizeof(b->device));
}

/* Kernels from 5.5 on list all devices, older ones only one. */
static void parse_hook(const struct nlattr *nest, struct nft_base *b)
{
	const struct nlattr *tb[NFTA_HOOK_DEVS + 1], *a;

	fmp_nl_attrs_nested(tb, NFTA_HOOK_DEVS, nest);
	b->hook = ntohl(fmp_nl_u32(tb[NFTA_HOOK_HOOKNUM]));
	b->priority = (int32_t)ntohl(fmp_nl_u32(tb[NFTA_HOOK_PRIORITY]));
	if (!tb[NFTA_HOOK_DEVS]) {
		if (tb[NFTA_HOOK_DEV])
			add_device(tb[NFTA_HOOK_DEV], b);
		return;
	}
	mnl_attr_for_each_nested(a, tb[NFTA_HOOK_DEVS])
		add_device(mnl_attr_get_type(a) == NFTA_DEVICE_NAME ? a : NULL, b);
}

static int parse_chain(const struct nlmsghdr *nlh, void *ctx)
{
	const struct nlattr *tb[NFTA_CHAIN_TYPE + 1];
	struct nft_bases *out = ctx;
	struct nft_base *b;

	fmp_nl_attrs_msg(tb, NFTA_CHAIN_TYPE, nlh, sizeof(struct nfgenmsg));
	if (!is_ours(tb[NFTA_CHAIN_TABLE]) || !tb[NFTA_CHAIN_HOOK])
		return 0;
	if (out->n == out->cap) {
		size_t cap = out->cap ? 2 * out->cap : 8;
		struct nft_base *v = reallocarray(out->v, cap, sizeof(*v));

		if (!v)
			return FMP_ERR_NOMEM;
		out->v = v;
		out->cap = cap;
	}
	b = &out->v[out->n++];
	*b = (struct nft_base){ .policy = ntohl(fmp_nl_u32(tb[NFTA_CHAIN_POLICY])) };
	fmp_nl_str(tb[NFTA_CHAIN_NAME], b->name, sizeof(b->name));
	fmp_nl_str(tb[NFTA_CHAIN_TYPE], b->type, sizeof(b->type));
	parse_hook(tb[NFTA_CHAIN_HOOK], b);
	return 0;
}

int fmpi_nft_dump_bases(struct nft_layer *l, struct nft_bases *out, struct fmp_error *err)
{
	_Alignas(struct nlmsghdr) char buf[256];

	return request_dump(l, build_request(l, buf, NFT_MSG_GETCHAIN, NLM_F_DUMP), parse_chain,
			    out, &out->n, err);
}

/* ---- counters ---- */

static int parse_counter(const struct nlmsghdr *nlh, void *ctx)
{
	const struct nlattr *tb[NFTA_OBJ_DATA + 1], *c[NFTA_COUNTER_PACKETS + 1];
	uint64_t *sums = ctx;

	fmp_nl_attrs_msg(tb, NFTA_OBJ_DATA, nlh, sizeof(struct nfgenmsg));
	if (!tb[NFTA_OBJ_DATA])
		return 0;
	fmp_nl_attrs_nested(c, NFTA_COUNTER_PACKETS, tb[NFTA_OBJ_DATA]);
	sums[0] = get_be64(c[NFTA_COUNTER_PACKETS]);
	sums[1] = get_be64(c[NFTA_COUNTER_BYTES]);
	return 0;
}

int fmpi_nft_dump_counter(struct nft_layer *l, const char *name, uint64_t *packets, uint64_t *bytes,
			  struct fmp_error *err)
{
	_Alignas(struct nlmsghdr) char buf[256];
	struct nlmsghdr *nlh = build_request(l, buf, NFT_MSG_GETOBJ, NLM_F_ACK);
	uint64_t sums[2] = { 0 };
	int rc;

	mnl_attr_put_strz(nlh, NFTA_OBJ_TABLE, NFT_TABLE);
	mnl_attr_put_strz(nlh, NFTA_OBJ_NAME, name);
	mnl_attr_put_u32(nlh, NFTA_OBJ_TYPE, htobe32(NFT_OBJECT_COUNTER));
	rc = request_dump(l, nlh, parse_counter, sums, NULL, err);
	*packets = sums[0];
	if (bytes)
		*bytes = sums[1];
	return rc;
}
