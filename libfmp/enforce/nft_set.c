// SPDX-License-Identifier: GPL-2.0
/* Sets: one for each family and prefix length, and what stands in them. */
#include <enforce/nft.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libnftnl/expr.h>
#include <libnftnl/set.h>
#include <libnftnl/udata.h>
#include <linux/netfilter/nf_tables.h>

/* nft's own numbers for what a key is; it shows the elements by them. */
#define NFT_TYPE_IPV4_ADDR  7
#define NFT_TYPE_IPV6_ADDR  8
#define NFT_TYPE_ETHER_ADDR 9
#define NFT_KEY_BIG_ENDIAN  2

const char *fmpi_nft_set_name(struct nft_set_id id, char buf[NFT_SET_NAMELEN])
{
	const char *kind = id.protect ? "protect" : "block";

	if (id.family == FMP_FAMILY_MAC)
		snprintf(buf, NFT_SET_NAMELEN, "%s_mac", kind);
	else
		snprintf(buf, NFT_SET_NAMELEN, "%s%u_%u", kind, id.family, id.prefix_len);
	return buf;
}

bool fmpi_nft_set_parse(const char *name, struct nft_set_id *id)
{
	char kind[8], back[NFT_SET_NAMELEN];
	unsigned family, prefix;

	*id = (struct nft_set_id){ .protect = !strncmp(name, "protect", 7) };
	if (sscanf(name, "%7[a-z]%1u_%3u", kind, &family, &prefix) == 3) {
		id->family = (uint8_t)family;
		id->prefix_len = (uint8_t)prefix;
		if (!fmp_addr_max_prefix(id->family) || !prefix ||
		    prefix > fmp_addr_max_prefix(id->family))
			return false;
	} else {
		id->family = FMP_FAMILY_MAC;
		id->prefix_len = 48;
	}
	return !strcmp(fmpi_nft_set_name(*id, back), name);
}

struct nft_set_id fmpi_nft_set_of(bool protect, const struct fmp_addr *a)
{
	return (struct nft_set_id){ .protect = protect,
				    .family = a->family,
				    .prefix_len = a->prefix_len };
}

static const uint8_t families[3] = { FMP_FAMILY_MAC, FMP_FAMILY_IPV4, FMP_FAMILY_IPV6 };

bool *fmpi_nft_shape_at(struct nft_shape *s, struct nft_set_id id)
{
	unsigned f = 0;

	while (f < 2 && families[f] != id.family)
		f++;
	return &s->has[id.protect][f][id.prefix_len < NFT_PREFIXES ? id.prefix_len : 0];
}

int fmpi_nft_shape_each(const struct nft_shape *s, bool protect, nft_set_cb cb, void *ctx)
{
	for (unsigned f = 0; f < 3; f++) {
		for (unsigned len = NFT_PREFIXES - 1; len > 0; len--) {
			struct nft_set_id id = { .protect = protect,
						 .family = families[f],
						 .prefix_len = (uint8_t)len };
			int rc = s->has[protect][f][len] ? cb(id, ctx) : 0;

			if (rc)
				return rc;
		}
	}
	return 0;
}

static uint32_t key_len(uint8_t family)
{
	return fmp_addr_max_prefix(family) / 8;
}

/* Counts by element, where blocks stand. Return: false without memory. */
static bool add_counter(struct nftnl_set *s)
{
	struct nftnl_expr *e = nftnl_expr_alloc("counter");

	if (e)
		nftnl_set_add_expr(s, e);
	return e;
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
		  add_byteorder(s) && (id.protect || add_counter(s));

	if (ok) {
		nftnl_set_set_u32(s, NFTNL_SET_FAMILY, l->family);
		nftnl_set_set_u32(s, NFTNL_SET_KEY_TYPE,
				  id.family == FMP_FAMILY_MAC	 ? NFT_TYPE_ETHER_ADDR
				  : id.family == FMP_FAMILY_IPV4 ? NFT_TYPE_IPV4_ADDR
								 : NFT_TYPE_IPV6_ADDR);
		nftnl_set_set_u32(s, NFTNL_SET_KEY_LEN, key_len(id.family));
		nftnl_set_set_u32(s, NFTNL_SET_FLAGS, id.protect ? 0 : NFT_SET_TIMEOUT);
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

/* "fmp 42", in the form that nft shows as a comment. */
static bool add_id(struct nftnl_set_elem *e, uint64_t id)
{
	struct nftnl_udata_buf *u = nftnl_udata_buf_alloc(64);
	char text[32];
	bool ok;

	snprintf(text, sizeof(text), "fmp %llu", (unsigned long long)id);
	ok = u && nftnl_udata_put_strz(u, NFTNL_UDATA_SET_ELEM_COMMENT, text) &&
	     !nftnl_set_elem_set(e, NFTNL_SET_ELEM_USERDATA, nftnl_udata_buf_data(u),
				 nftnl_udata_buf_len(u));
	if (u)
		nftnl_udata_buf_free(u);
	return ok;
}

/* Return: NULL without memory. */
static struct nftnl_set_elem *make_elem(const struct fmp_addr *a, uint64_t id, uint64_t left_ms)
{
	struct nftnl_set_elem *e = nftnl_set_elem_alloc();

	if (e && (nftnl_set_elem_set(e, NFTNL_SET_ELEM_KEY, a->bytes, key_len(a->family)) ||
		  (id && !add_id(e, id)))) {
		nftnl_set_elem_free(e);
		return NULL;
	}
	if (e && left_ms)
		nftnl_set_elem_set_u64(e, NFTNL_SET_ELEM_TIMEOUT, left_ms);
	return e;
}

int fmpi_nft_elem_put(const struct nft_layer *l, struct nft_batch *b, uint16_t type,
		      struct nft_set_id set, const struct fmp_addr *a, uint64_t id,
		      uint64_t left_ms, size_t owner)
{
	struct nftnl_set *s = nftnl_set_alloc();
	struct nlmsghdr *nlh = NULL;
	struct nftnl_set_elem *e;
	char name[NFT_SET_NAMELEN];
	bool ok = s && !nftnl_set_set_str(s, NFTNL_SET_TABLE, NFT_TABLE) &&
		  !nftnl_set_set_str(s, NFTNL_SET_NAME, fmpi_nft_set_name(set, name));

	if (ok && a) {
		e = make_elem(a, id, left_ms);
		ok = e;
		if (e)
			nftnl_set_elem_add(s, e);
	}
	if (ok)
		nlh = fmpi_nft_batch_msg(b, type, l->family,
					 type == NFT_MSG_NEWSETELEM ? NLM_F_CREATE : 0, owner);
	if (nlh) {
		nftnl_set_elems_nlmsg_build_payload(nlh, s);
		fmpi_nft_batch_done(b, nlh);
	}
	if (s)
		nftnl_set_free(s);
	return nlh ? 0 : FMP_ERR_NOMEM;
}
