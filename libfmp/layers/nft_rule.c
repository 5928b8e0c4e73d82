// SPDX-License-Identifier: GPL-2.0
/* The rules of our tables, and their expressions. */
#include <layers/nft.h>

#include <errno.h>
#include <net/if.h>
#include <net/if_arp.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libnftnl/expr.h>
#include <libnftnl/rule.h>
#include <libnftnl/udata.h>
#include <linux/if_ether.h>
#include <linux/netfilter.h>
#include <linux/netfilter/nf_tables.h>

/* Byte offsets in the headers. */
#define MAC_SOURCE  6
#define IPV4_SOURCE 12
#define IPV6_SOURCE 8
#define DEST_PORT   2 /* in TCP and in UDP */
#define ARP_SENDER  14 /* sender's protocol address, IPv4 over Ethernet */

/* ---- which rules ---- */

struct spec_ctx {
	const struct nft_layer *l;
	struct nft_rule_specs *out;
};

static int add_spec(struct nft_rule_specs *s, const struct nft_rule_spec *r)
{
	if (s->n == s->cap) {
		size_t cap = s->cap ? 2 * s->cap : 16;
		struct nft_rule_spec *v = reallocarray(s->v, cap, sizeof(*v));

		if (!v)
			return FMP_ERR_NOMEM;
		s->v = v;
		s->cap = cap;
	}
	s->v[s->n++] = *r;
	return 0;
}

static int add_match(struct nft_set_id id, void *ctx)
{
	const struct spec_ctx *c = ctx;
	bool protect = id.use == NFT_USE_PROTECT;
	struct nft_rule_spec r = { .kind = NFT_RULE_MATCH, .set = id };
	char name[NFT_SET_NAMELEN];
	int rc;

	snprintf(r.chain, sizeof(r.chain), "%s", protect ? NFT_VERDICT : NFT_BLOCKED);
	snprintf(r.comment, sizeof(r.comment), "fmp %s", fmpi_nft_set_name(id, name));
	rc = add_spec(c->out, &r);
	/* A protected host with a blocked MAC must be able to resolve addresses (ARP). */
	if (rc || c->l->family != NFPROTO_NETDEV || !protect || id.family != FMP_FAMILY_IPV4)
		return rc;
	r.kind = NFT_RULE_ARP;
	snprintf(r.comment, sizeof(r.comment), "fmp arp %s", name);
	return add_spec(c->out, &r);
}

/* TCP and UDP have the port at the same offset; in other protocols those bytes are no port. */
static int add_port_match(struct nft_set_id id, void *ctx)
{
	static const enum nft_rule_kind kinds[2] = { NFT_RULE_TCP, NFT_RULE_UDP };
	const struct spec_ctx *c = ctx;
	char name[NFT_SET_NAMELEN];
	int rc = 0;

	fmpi_nft_set_name(id, name);
	for (unsigned i = 0; !rc && i < 2; i++) {
		struct nft_rule_spec r = { .kind = kinds[i], .chain = NFT_BLOCKED, .set = id };

		snprintf(r.comment, sizeof(r.comment), "fmp %s %s", i ? "udp" : "tcp", name);
		rc = add_spec(c->out, &r);
	}
	return rc;
}

static int add_jump(const struct spec_ctx *c, const char *device)
{
	struct nft_rule_spec r = { .kind = NFT_RULE_JUMP, .comment = "fmp " NFT_BLOCKED };

	fmpi_nft_base_name(c->l, device, r.chain);
	return add_spec(c->out, &r);
}

int fmpi_nft_rules(const struct nft_layer *l, const struct nft_shape *shape,
		   const struct nft_bases *there, struct nft_rule_specs *out)
{
	static const struct nft_rule_spec drop = { .kind = NFT_RULE_DROP,
						   .chain = NFT_VERDICT,
						   .comment = "fmp drop" };
	struct spec_ctx c = { .l = l, .out = out };
	char name[NFT_CHAIN_NAMELEN];
	int rc = 0;

	if (l->family == NFPROTO_INET)
		rc = add_jump(&c, NULL);
	for (unsigned i = 0; !rc && l->family == NFPROTO_NETDEV && i < l->n_devices; i++) {
		fmpi_nft_base_name(l, l->devices[i], name);
		if (if_nametoindex(l->devices[i]) || fmpi_nft_has_base(l, there, name))
			rc = add_jump(&c, l->devices[i]);
	}
	if (!rc)
		rc = fmpi_nft_shape_each(shape, NFT_USE_BLOCK, add_match, &c);
	if (!rc)
		rc = fmpi_nft_shape_each(shape, NFT_USE_LIMIT, add_match, &c);
	if (!rc)
		rc = fmpi_nft_shape_each(shape, NFT_USE_PAIR, add_match, &c);
	if (!rc)
		rc = fmpi_nft_shape_each(shape, NFT_USE_PORT, add_port_match, &c);
	if (!rc)
		rc = fmpi_nft_shape_each(shape, NFT_USE_PORT_LIMIT, add_port_match, &c);
	if (!rc)
		rc = fmpi_nft_shape_each(shape, NFT_USE_PROTECT, add_match, &c);
	return rc ? rc : add_spec(out, &drop);
}

/* ---- of which expressions ---- */

/* A rule under construction; libnftnl's setters do not report a lack of memory. */
struct rule_builder {
	struct nftnl_rule *r;
	bool failed;
};

static struct nftnl_expr *add_expr(struct rule_builder *m, const char *name)
{
	struct nftnl_expr *e = m->failed ? NULL : nftnl_expr_alloc(name);

	if (!e)
		m->failed = true;
	else
		nftnl_rule_add_expr(m->r, e);
	return e;
}

static void set_bytes(struct rule_builder *m, struct nftnl_expr *e, uint16_t attr, const void *p,
		      uint32_t len)
{
	nftnl_expr_set(e, attr, p, len);
	m->failed |= !nftnl_expr_is_set(e, attr);
}

static void set_text(struct rule_builder *m, struct nftnl_expr *e, uint16_t attr, const char *text)
{
	nftnl_expr_set_str(e, attr, text);
	m->failed |= !nftnl_expr_is_set(e, attr);
}

static void match_meta(struct rule_builder *m, uint32_t key, const void *value, uint32_t len)
{
	struct nftnl_expr *e = add_expr(m, "meta");

	if (!e)
		return;
	nftnl_expr_set_u32(e, NFTNL_EXPR_META_KEY, key);
	nftnl_expr_set_u32(e, NFTNL_EXPR_META_DREG, NFT_REG_1);
	e = add_expr(m, "cmp");
	if (!e)
		return;
	nftnl_expr_set_u32(e, NFTNL_EXPR_CMP_SREG, NFT_REG_1);
	nftnl_expr_set_u32(e, NFTNL_EXPR_CMP_OP, NFT_CMP_EQ);
	set_bytes(m, e, NFTNL_EXPR_CMP_DATA, value, len);
}

/* Match the network protocol, in the way each family's nft prints it. */
static void match_protocol(struct rule_builder *m, const struct nft_layer *l, uint16_t ethertype)
{
	uint8_t nfproto = ethertype == ETH_P_IP ? NFPROTO_IPV4 : NFPROTO_IPV6;
	uint16_t wire = htons(ethertype);

	if (l->family == NFPROTO_INET)
		match_meta(m, NFT_META_NFPROTO, &nfproto, sizeof(nfproto));
	else
		match_meta(m, NFT_META_PROTOCOL, &wire, sizeof(wire));
}

static void load_payload(struct rule_builder *m, uint32_t reg, uint32_t base, uint32_t offset,
			 uint32_t len)
{
	struct nftnl_expr *e = add_expr(m, "payload");

	if (!e)
		return;
	nftnl_expr_set_u32(e, NFTNL_EXPR_PAYLOAD_DREG, reg);
	nftnl_expr_set_u32(e, NFTNL_EXPR_PAYLOAD_BASE, base);
	nftnl_expr_set_u32(e, NFTNL_EXPR_PAYLOAD_OFFSET, offset);
	nftnl_expr_set_u32(e, NFTNL_EXPR_PAYLOAD_LEN, len);
}

static void mask_register(struct rule_builder *m, uint8_t prefix_len, uint32_t len)
{
	static const uint8_t zero[16];
	uint8_t bits[16] = { 0 };
	struct nftnl_expr *e;

	if (prefix_len == 8 * len)
		return;
	e = add_expr(m, "bitwise");
	if (!e)
		return;
	for (unsigned i = 0; i < prefix_len; i++)
		bits[i / 8] |= (uint8_t)(0x80 >> i % 8);
	nftnl_expr_set_u32(e, NFTNL_EXPR_BITWISE_SREG, NFT_REG_1);
	nftnl_expr_set_u32(e, NFTNL_EXPR_BITWISE_DREG, NFT_REG_1);
	nftnl_expr_set_u32(e, NFTNL_EXPR_BITWISE_OP, NFT_BITWISE_BOOL);
	nftnl_expr_set_u32(e, NFTNL_EXPR_BITWISE_LEN, len);
	set_bytes(m, e, NFTNL_EXPR_BITWISE_MASK, bits, len);
	set_bytes(m, e, NFTNL_EXPR_BITWISE_XOR, zero, len);
}

static void lookup_set(struct rule_builder *m, struct nft_set_id id)
{
	struct nftnl_expr *e = add_expr(m, "lookup");
	char name[NFT_SET_NAMELEN];

	if (!e)
		return;
	nftnl_expr_set_u32(e, NFTNL_EXPR_LOOKUP_SREG, NFT_REG_1);
	set_text(m, e, NFTNL_EXPR_LOOKUP_SET, fmpi_nft_set_name(id, name));
}

static void count_packet(struct rule_builder *m, const char *counter)
{
	struct nftnl_expr *e = add_expr(m, "objref");

	if (!e)
		return;
	nftnl_expr_set_u32(e, NFTNL_EXPR_OBJREF_IMM_TYPE, NFT_OBJECT_COUNTER);
	set_text(m, e, NFTNL_EXPR_OBJREF_IMM_NAME, counter);
}

/* @chain: NULL if the verdict needs none. */
static void set_verdict(struct rule_builder *m, int v, const char *chain)
{
	struct nftnl_expr *e = add_expr(m, "immediate");

	if (!e)
		return;
	nftnl_expr_set_u32(e, NFTNL_EXPR_IMM_DREG, NFT_REG_VERDICT);
	if (chain)
		set_text(m, e, NFTNL_EXPR_IMM_CHAIN, chain);
	nftnl_expr_set_u32(e, NFTNL_EXPR_IMM_VERDICT, (uint32_t)v);
}

static void build_match(struct rule_builder *m, const struct nft_layer *l,
			const struct nft_rule_spec *r)
{
	uint8_t proto = r->kind == NFT_RULE_TCP ? IPPROTO_TCP : IPPROTO_UDP;
	uint16_t ether = ARPHRD_ETHER;
	uint32_t behind;

	if (fmpi_nft_has_port(r->set.use))
		match_meta(m, NFT_META_L4PROTO, &proto, sizeof(proto));
	if (fmpi_nft_has_mac(r->set.use))
		match_meta(m, NFT_META_IIFTYPE, &ether, sizeof(ether));
	switch (r->set.family) {
	case FMP_FAMILY_MAC:
		match_meta(m, NFT_META_IIFTYPE, &ether, sizeof(ether));
		load_payload(m, NFT_REG_1, NFT_PAYLOAD_LL_HEADER, MAC_SOURCE, 6);
		break;
	case FMP_FAMILY_IPV4:
		match_protocol(m, l, r->kind == NFT_RULE_ARP ? ETH_P_ARP : ETH_P_IP);
		load_payload(m, NFT_REG_1, NFT_PAYLOAD_NETWORK_HEADER,
			     r->kind == NFT_RULE_ARP ? ARP_SENDER : IPV4_SOURCE, 4);
		mask_register(m, r->set.prefix_len, 4);
		break;
	case FMP_FAMILY_IPV6:
		match_protocol(m, l, ETH_P_IPV6);
		load_payload(m, NFT_REG_1, NFT_PAYLOAD_NETWORK_HEADER, IPV6_SOURCE, 16);
		mask_register(m, r->set.prefix_len, 16);
		break;
	}
	/* The register after the address, as in the key. */
	behind = r->set.family == FMP_FAMILY_IPV4 ? NFT_REG32_01 : NFT_REG32_04;
	if (fmpi_nft_has_port(r->set.use))
		load_payload(m, behind, NFT_PAYLOAD_TRANSPORT_HEADER, DEST_PORT, 2);
	if (fmpi_nft_has_mac(r->set.use))
		load_payload(m, behind, NFT_PAYLOAD_LL_HEADER, MAC_SOURCE, 6);
	lookup_set(m, r->set);
}

static void build_exprs(struct rule_builder *m, const struct nft_layer *l,
			const struct nft_rule_spec *r)
{
	switch (r->kind) {
	case NFT_RULE_JUMP:
		set_verdict(m, NFT_JUMP, NFT_BLOCKED);
		break;
	case NFT_RULE_DROP:
		count_packet(m, NFT_BLOCKED);
		set_verdict(m, NF_DROP, NULL);
		break;
	case NFT_RULE_MATCH:
	case NFT_RULE_TCP:
	case NFT_RULE_UDP:
	case NFT_RULE_ARP:
		build_match(m, l, r);
		if (r->set.use == NFT_USE_PROTECT) {
			count_packet(m, NFT_PROTECTED);
			set_verdict(m, NF_ACCEPT, NULL);
		} else {
			set_verdict(m, NFT_GOTO, NFT_VERDICT);
		}
		break;
	}
}

static void set_comment(struct rule_builder *m, const char *text)
{
	struct nftnl_udata_buf *u = nftnl_udata_buf_alloc(64);

	if (!u || !nftnl_udata_put_strz(u, NFTNL_UDATA_RULE_COMMENT, text) ||
	    nftnl_rule_set_data(m->r, NFTNL_RULE_USERDATA, nftnl_udata_buf_data(u),
				nftnl_udata_buf_len(u)))
		m->failed = true;
	if (u)
		nftnl_udata_buf_free(u);
}

int fmpi_nft_rule_put(const struct nft_layer *l, struct nft_batch *b, const struct nft_rule_spec *r)
{
	struct rule_builder m = { .r = nftnl_rule_alloc() };
	struct nlmsghdr *nlh = NULL;

	if (!m.r)
		return FMP_ERR_NOMEM;
	nftnl_rule_set_u32(m.r, NFTNL_RULE_FAMILY, l->family);
	m.failed = nftnl_rule_set_str(m.r, NFTNL_RULE_TABLE, NFT_TABLE) ||
		   nftnl_rule_set_str(m.r, NFTNL_RULE_CHAIN, r->chain);
	build_exprs(&m, l, r);
	set_comment(&m, r->comment);
	if (!m.failed)
		nlh = fmpi_nft_batch_msg(b, NFT_MSG_NEWRULE, l->family, NLM_F_CREATE | NLM_F_APPEND,
					 NFT_NOBODY);
	if (nlh) {
		nftnl_rule_nlmsg_build_payload(nlh, m.r);
		fmpi_nft_batch_done(b, nlh);
	}
	nftnl_rule_free(m.r);
	return nlh ? 0 : FMP_ERR_NOMEM;
}
