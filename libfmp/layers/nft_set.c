// SPDX-License-Identifier: GPL-2.0
/* Sets: one for each use, family and prefix length. */
#include <layers/nft.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libnftnl/expr.h>
#include <libnftnl/set.h>
#include <libnftnl/udata.h>
#include <linux/netfilter/nf_tables.h>

/* nft's type numbers of keys; it displays elements by them. */
#define NFT_TYPE_IPV4_ADDR    7
#define NFT_TYPE_IPV6_ADDR    8
#define NFT_TYPE_ETHER_ADDR   9
#define NFT_TYPE_INET_SERVICE 13
#define NFT_TYPE_BITS	      6
#define NFT_KEY_BIG_ENDIAN    2

static const char *const use_names[NFT_USES] = {
	[NFT_USE_BLOCK] = "block", [NFT_USE_LIMIT] = "limit",
	[NFT_USE_PORT] = "port",   [NFT_USE_PORT_LIMIT] = "portlimit",
	[NFT_USE_PAIR] = "pair",   [NFT_USE_PROTECT] = "protect",
};

const char *fmpi_nft_set_name(struct nft_set_id id, char buf[NFT_SET_NAMELEN])
{
	const char *kind = use_names[id.use];

	if (id.family == FMP_FAMILY_MAC)
		snprintf(buf, NFT_SET_NAMELEN, "%s_mac", kind);
	else
		snprintf(buf, NFT_SET_NAMELEN, "%s%u_%u", kind, id.family, id.prefix_len);
	return buf;
}

bool fmpi_nft_set_parse(const char *name, struct nft_set_id *id)
{
	char kind[10], back[NFT_SET_NAMELEN];
	unsigned family, prefix, use = 0;
	int parts = sscanf(name, "%9[a-z]%1u_%3u", kind, &family, &prefix);

	while (parts > 0 && use < NFT_USES && strcmp(use_names[use], kind) != 0)
		use++;
	if (parts < 1 || use == NFT_USES)
		return false;
	*id = (struct nft_set_id){ .use = use, .family = FMP_FAMILY_MAC, .prefix_len = 48 };
	if (parts == 3) {
		id->family = (uint8_t)family;
		id->prefix_len = (uint8_t)prefix;
		if (!fmp_addr_max_prefix(id->family) || !prefix ||
		    prefix > fmp_addr_max_prefix(id->family))
			return false;
		/* A pair has a host address. */
		if (fmpi_nft_has_mac(use) && prefix != fmp_addr_max_prefix(id->family))
			return false;
	} else if (use != NFT_USE_BLOCK && use != NFT_USE_PROTECT) {
		return false;
	}
	return !strcmp(fmpi_nft_set_name(*id, back), name);
}

bool fmpi_nft_has_port(enum nft_use use)
{
	return use == NFT_USE_PORT || use == NFT_USE_PORT_LIMIT;
}

bool fmpi_nft_has_mac(enum nft_use use)
{
	return use == NFT_USE_PAIR;
}

bool fmpi_nft_has_limit(enum nft_use use)
{
	return use == NFT_USE_LIMIT || use == NFT_USE_PORT_LIMIT;
}

struct nft_set_id fmpi_nft_set_of(enum nft_use use, const struct fmp_addr *a)
{
	return (struct nft_set_id){ .use = use, .family = a->family, .prefix_len = a->prefix_len };
}

struct nft_set_id fmpi_nft_set_of_change(const struct fmpi_change *c)
{
	enum nft_use use = c->pair_mac.family ? NFT_USE_PAIR
			   : c->dest_port     ? (c->rate ? NFT_USE_PORT_LIMIT : NFT_USE_PORT)
					      : (c->rate ? NFT_USE_LIMIT : NFT_USE_BLOCK);

	return fmpi_nft_set_of(use, &c->addr);
}

static const uint8_t families[3] = { FMP_FAMILY_MAC, FMP_FAMILY_IPV4, FMP_FAMILY_IPV6 };

bool *fmpi_nft_shape_at(struct nft_shape *s, struct nft_set_id id)
{
	unsigned f = 0;

	while (f < 2 && families[f] != id.family)
		f++;
	return &s->has[id.use][f][id.prefix_len < NFT_PREFIXES ? id.prefix_len : 0];
}

int fmpi_nft_shape_each(const struct nft_shape *s, enum nft_use use, nft_set_cb cb, void *ctx)
{
	for (unsigned f = 0; f < 3; f++) {
		for (unsigned len = NFT_PREFIXES - 1; len > 0; len--) {
			struct nft_set_id id = { .use = use,
						 .family = families[f],
						 .prefix_len = (uint8_t)len };
			int rc = s->has[use][f][len] ? cb(id, ctx) : 0;

			if (rc)
				return rc;
		}
	}
	return 0;
}

uint32_t fmpi_nft_key_len(struct nft_set_id id)
{
	/* A port takes one 4-byte register, a MAC two. */
	return fmp_addr_max_prefix(id.family) / 8u + (fmpi_nft_has_port(id.use)	 ? 4u
						      : fmpi_nft_has_mac(id.use) ? 8u
										 : 0u);
}

/* The types of a concatenation are packed side by side, the last one lowest. */
static uint32_t key_type(struct nft_set_id id)
{
	uint32_t type = id.family == FMP_FAMILY_MAC    ? NFT_TYPE_ETHER_ADDR
			: id.family == FMP_FAMILY_IPV4 ? NFT_TYPE_IPV4_ADDR
						       : NFT_TYPE_IPV6_ADDR;

	if (fmpi_nft_has_port(id.use))
		return type << NFT_TYPE_BITS | NFT_TYPE_INET_SERVICE;
	return fmpi_nft_has_mac(id.use) ? type << NFT_TYPE_BITS | NFT_TYPE_ETHER_ADDR : type;
}

/*
 * Expressions of elements: a block's counts; a limit's first lets its own rate pass. Return: false
 * without memory.
 */
static bool add_exprs(struct nftnl_set *s, enum nft_use use)
{
	struct nftnl_expr *limit, *counter;

	if (use == NFT_USE_PROTECT)
		return true;
	if (fmpi_nft_has_limit(use)) {
		limit = nftnl_expr_alloc("limit");
		if (!limit)
			return false;
		nftnl_expr_set_u64(limit, NFTNL_EXPR_LIMIT_RATE, 1);
		nftnl_expr_set_u64(limit, NFTNL_EXPR_LIMIT_UNIT, 1);
		nftnl_expr_set_u32(limit, NFTNL_EXPR_LIMIT_BURST, 1);
		nftnl_expr_set_u32(limit, NFTNL_EXPR_LIMIT_TYPE, NFT_LIMIT_PKTS);
		nftnl_expr_set_u32(limit, NFTNL_EXPR_LIMIT_FLAGS, NFT_LIMIT_F_INV);
		nftnl_set_add_expr(s, limit);
	}
	counter = nftnl_expr_alloc("counter");
	if (counter)
		nftnl_set_add_expr(s, counter);
	return counter;
}

static bool add_byteorder(struct nftnl_set *s)
{
	struct nftnl_udata_buf *u = nftnl_udata_buf_alloc(32);
	bool ok = u && nftnl_udata_put_u32(u, NFTNL_UDATA_SET_KEYBYTEORDER, NFT_KEY_BIG_ENDIAN) &&
		  !nftnl_set_set_data(s, NFTNL_SET_USERDATA, nftnl_udata_buf_data(u),
				      nftnl_udata_buf_len(u));

	if (u)
		nftnl_udata_buf_free(u);
	return ok;
}

int fmpi_nft_set_put(const struct nft_layer *l, struct nft_batch *b, struct nft_set_id id)
{
	struct nftnl_set *s = nftnl_set_alloc();
	struct nlmsghdr *nlh = NULL;
	char name[NFT_SET_NAMELEN];
	bool ok = s && !nftnl_set_set_str(s, NFTNL_SET_TABLE, NFT_TABLE) &&
		  !nftnl_set_set_str(s, NFTNL_SET_NAME, fmpi_nft_set_name(id, name)) &&
		  add_exprs(s, id.use) &&
		  (fmpi_nft_has_port(id.use) || fmpi_nft_has_mac(id.use) || add_byteorder(s));

	if (ok) {
		nftnl_set_set_u32(s, NFTNL_SET_FAMILY, l->family);
		nftnl_set_set_u32(s, NFTNL_SET_KEY_TYPE, key_type(id));
		nftnl_set_set_u32(s, NFTNL_SET_KEY_LEN, fmpi_nft_key_len(id));
		nftnl_set_set_u32(s, NFTNL_SET_FLAGS,
				  (id.use == NFT_USE_PROTECT ? 0 : NFT_SET_TIMEOUT) |
					  (fmpi_nft_has_limit(id.use) ? NFT_SET_EXPR : 0));
		nftnl_set_set_u32(s, NFTNL_SET_ID, (uint32_t)b->n + 1);
		nlh = fmpi_nft_batch_msg(b, NFT_MSG_NEWSET, l->family, NLM_F_CREATE, NFT_NOBODY);
	}
	if (nlh) {
		nftnl_set_nlmsg_build_payload(nlh, s);
		fmpi_nft_batch_done(b, nlh);
	}
	if (s)
		nftnl_set_free(s);
	return nlh ? 0 : FMP_ERR_NOMEM;
}
