// SPDX-License-Identifier: GPL-2.0
/*
 * Elements of sets. Written with libmnl: libnftnl would allocate each element several times, and
 * there may be tens of thousands.
 */
#include <layers/nft.h>

#include <endian.h>
#include <stdio.h>
#include <string.h>

#include <linux/netfilter/nf_tables.h>

/* Upper bound on an element with key, timeout, comment, limit and counter. */
#define ELEM_MAX 256u
/* nft's finest rate is one packet a nanosecond. */
#define RATE_MAX 1000000000u

/* Return: NULL without memory. */
static struct nlmsghdr *begin_elems(const struct nft_layer *l, struct nft_batch *b, uint16_t type,
				    uint16_t flags, struct nft_set_id set, size_t owner)
{
	struct nlmsghdr *nlh = fmpi_nft_batch_msg(b, type, l->family, flags, owner);
	char name[NFT_SET_NAMELEN];

	if (!nlh)
		return NULL;
	mnl_attr_put_strz(nlh, NFTA_SET_ELEM_LIST_TABLE, NFT_TABLE);
	mnl_attr_put_strz(nlh, NFTA_SET_ELEM_LIST_SET, fmpi_nft_set_name(set, name));
	return nlh;
}

void fmpi_nft_key_put(struct nlmsghdr *nlh, struct nft_set_id set, const struct fmp_addr *a,
		      const struct fmp_addr *pair_mac, uint16_t dest_port)
{
	struct nlattr *nest = mnl_attr_nest_start(nlh, NFTA_SET_ELEM_KEY);
	size_t len = fmp_addr_max_prefix(set.family) / 8u;
	uint8_t key[sizeof(a->bytes) + 8] = { 0 };

	memcpy(key, a->bytes, len);
	if (fmpi_nft_has_mac(set.use)) {
		memcpy(key + len, pair_mac->bytes, 6);
	} else {
		key[len] = (uint8_t)(dest_port >> 8);
		key[len + 1] = (uint8_t)dest_port;
	}
	mnl_attr_put(nlh, NFTA_DATA_VALUE, fmpi_nft_key_len(set), key);
	mnl_attr_nest_end(nlh, nest);
}

/* The comment "fmp 42" as nft stores it (type 0, length, string), then the mark that the element
 * is ours. */
static void put_udata(struct nlmsghdr *nlh, uint64_t id)
{
	uint8_t udata[2 + 32 + 2];
	size_t len = 0;

	if (id) {
		len = (size_t)snprintf((char *)udata + 2, 32, "fmp %llu", (unsigned long long)id) +
		      1;
		udata[0] = 0;
		udata[1] = (uint8_t)len;
		len += 2;
	}
	udata[len++] = NFT_UDATA_OWN;
	udata[len++] = 0;
	mnl_attr_put(nlh, NFTA_SET_ELEM_USERDATA, len, udata);
}

static void put_counter(struct nlmsghdr *nlh)
{
	struct nlattr *expr = mnl_attr_nest_start(nlh, NFTA_LIST_ELEM), *data;

	mnl_attr_put_strz(nlh, NFTA_EXPR_NAME, "counter");
	data = mnl_attr_nest_start(nlh, NFTA_EXPR_DATA);
	mnl_attr_nest_end(nlh, data);
	mnl_attr_nest_end(nlh, expr);
}

/* Matches packets above the rate; the burst is one second's worth. */
static void put_limit(struct nlmsghdr *nlh, uint32_t rate)
{
	struct nlattr *expr = mnl_attr_nest_start(nlh, NFTA_LIST_ELEM), *data;

	if (rate > RATE_MAX)
		rate = RATE_MAX;
	mnl_attr_put_strz(nlh, NFTA_EXPR_NAME, "limit");
	data = mnl_attr_nest_start(nlh, NFTA_EXPR_DATA);
	mnl_attr_put_u64(nlh, NFTA_LIMIT_RATE, htobe64(rate));
	mnl_attr_put_u64(nlh, NFTA_LIMIT_UNIT, htobe64(1));
	mnl_attr_put_u32(nlh, NFTA_LIMIT_BURST, htobe32(rate));
	mnl_attr_put_u32(nlh, NFTA_LIMIT_TYPE, htobe32(NFT_LIMIT_PKTS));
	mnl_attr_put_u32(nlh, NFTA_LIMIT_FLAGS, htobe32(NFT_LIMIT_F_INV));
	mnl_attr_nest_end(nlh, data);
	mnl_attr_nest_end(nlh, expr);
}

/* Replaces the set's expressions: the kernel requires the same kinds in the same order. */
static void put_exprs(struct nlmsghdr *nlh, uint32_t rate)
{
	struct nlattr *list;

	list = mnl_attr_nest_start(nlh, NFTA_SET_ELEM_EXPRESSIONS);
	put_limit(nlh, rate);
	put_counter(nlh);
	mnl_attr_nest_end(nlh, list);
}

static void put_change(struct nlmsghdr *nlh, struct nft_set_id set, enum nft_elem_form form,
		       const struct fmpi_change *c)
{
	struct nlattr *elem = mnl_attr_nest_start(nlh, NFTA_LIST_ELEM);

	fmpi_nft_key_put(nlh, set, &c->addr, &c->pair_mac, c->dest_port);
	if (form == NFT_ELEM_BLOCK) {
		if (c->left_ms)
			mnl_attr_put_u64(nlh, NFTA_SET_ELEM_TIMEOUT, htobe64(c->left_ms));
		put_udata(nlh, c->id);
		if (c->rate)
			put_exprs(nlh, c->rate);
	}
	mnl_attr_nest_end(nlh, elem);
}

static bool equal_sets(struct nft_set_id a, struct nft_set_id b)
{
	return a.use == b.use && a.family == b.family && a.prefix_len == b.prefix_len;
}

size_t fmpi_nft_elems_put(const struct nft_layer *l, struct nft_batch *b, uint16_t type,
			  uint16_t flags, enum nft_elem_form form,
			  const struct fmpi_change *const *c, size_t n, size_t owner)
{
	struct nft_set_id set = fmpi_nft_set_of_change(c[0]);
	struct nlmsghdr *nlh = begin_elems(l, b, type, flags, set, owner);
	struct nlattr *list;
	size_t i = 0;

	if (!nlh)
		return 0;
	list = mnl_attr_nest_start(nlh, NFTA_SET_ELEM_LIST_ELEMENTS);
	do
		put_change(nlh, set, form, c[i++]);
	while (i < n && nlh->nlmsg_len + ELEM_MAX <= NFT_MSG_ROOM &&
	       equal_sets(fmpi_nft_set_of_change(c[i]), set));
	mnl_attr_nest_end(nlh, list);
	fmpi_nft_batch_done(b, nlh);
	return i;
}

int fmpi_nft_protect_put(const struct nft_layer *l, struct nft_batch *b, const struct fmp_addr *a)
{
	static const struct fmp_addr no_mac;
	struct nft_set_id set = fmpi_nft_set_of(NFT_USE_PROTECT, a);
	struct nlmsghdr *nlh = begin_elems(l, b, NFT_MSG_NEWSETELEM, NLM_F_CREATE, set, NFT_NOBODY);
	struct nlattr *list, *elem;

	if (!nlh)
		return FMP_ERR_NOMEM;
	list = mnl_attr_nest_start(nlh, NFTA_SET_ELEM_LIST_ELEMENTS);
	elem = mnl_attr_nest_start(nlh, NFTA_LIST_ELEM);
	fmpi_nft_key_put(nlh, set, a, &no_mac, 0);
	mnl_attr_nest_end(nlh, elem);
	mnl_attr_nest_end(nlh, list);
	fmpi_nft_batch_done(b, nlh);
	return 0;
}

int fmpi_nft_elems_flush(const struct nft_layer *l, struct nft_batch *b, struct nft_set_id set)
{
	struct nlmsghdr *nlh = begin_elems(l, b, NFT_MSG_DELSETELEM, 0, set, NFT_NOBODY);

	if (!nlh)
		return FMP_ERR_NOMEM;
	fmpi_nft_batch_done(b, nlh);
	return 0;
}
