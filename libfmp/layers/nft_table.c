// SPDX-License-Identifier: GPL-2.0
/*
 * The table as a whole: built in one transaction, which repairs an existing one and keeps its
 * blocks, and compared with what it should be.
 */
#include <layers/nft.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <libnftnl/object.h>
#include <libnftnl/rule.h>
#include <libnftnl/set.h>
#include <libnftnl/table.h>
#include <linux/netfilter.h>
#include <linux/netfilter/nf_tables.h>

#include <net/addrset.h>
#include <net/protect.h>

/* @awake: clear the dormant flag */
static int put_table(const struct nft_layer *l, struct nft_batch *b, uint16_t type, uint16_t flags,
		     bool awake)
{
	struct nftnl_table *t = nftnl_table_alloc();
	struct nlmsghdr *nlh = NULL;

	if (!t)
		return FMP_ERR_NOMEM;
	nftnl_table_set_str(t, NFTNL_TABLE_NAME, NFT_TABLE);
	if (awake)
		nftnl_table_set_u32(t, NFTNL_TABLE_FLAGS, 0);
	if (nftnl_table_get_str(t, NFTNL_TABLE_NAME))
		nlh = fmpi_nft_batch_msg(b, type, l->family, flags, NFT_NOBODY);
	if (nlh) {
		nftnl_table_nlmsg_build_payload(nlh, t);
		fmpi_nft_batch_done(b, nlh);
	}
	nftnl_table_free(t);
	return nlh ? 0 : FMP_ERR_NOMEM;
}

static int put_counter(const struct nft_layer *l, struct nft_batch *b, const char *name)
{
	struct nftnl_obj *o = nftnl_obj_alloc();
	struct nlmsghdr *nlh = NULL;

	if (!o)
		return FMP_ERR_NOMEM;
	nftnl_obj_set_str(o, NFTNL_OBJ_TABLE, NFT_TABLE);
	nftnl_obj_set_str(o, NFTNL_OBJ_NAME, name);
	nftnl_obj_set_u32(o, NFTNL_OBJ_TYPE, NFT_OBJECT_COUNTER);
	nftnl_obj_set_u64(o, NFTNL_OBJ_CTR_PKTS, 0);
	nftnl_obj_set_u64(o, NFTNL_OBJ_CTR_BYTES, 0);
	if (nftnl_obj_get_str(o, NFTNL_OBJ_TABLE) && nftnl_obj_get_str(o, NFTNL_OBJ_NAME))
		nlh = fmpi_nft_batch_msg(b, NFT_MSG_NEWOBJ, l->family, NLM_F_CREATE, NFT_NOBODY);
	if (nlh) {
		nftnl_obj_nlmsg_build_payload(nlh, o);
		fmpi_nft_batch_done(b, nlh);
	}
	nftnl_obj_free(o);
	return nlh ? 0 : FMP_ERR_NOMEM;
}

/* Delete all rules of the table; the right ones are added again afterwards. */
static int put_flush_rules(const struct nft_layer *l, struct nft_batch *b)
{
	struct nftnl_rule *r = nftnl_rule_alloc();
	struct nlmsghdr *nlh = NULL;

	if (r && !nftnl_rule_set_str(r, NFTNL_RULE_TABLE, NFT_TABLE))
		nlh = fmpi_nft_batch_msg(b, NFT_MSG_DELRULE, l->family, 0, NFT_NOBODY);
	if (nlh) {
		nftnl_rule_nlmsg_build_payload(nlh, r);
		fmpi_nft_batch_done(b, nlh);
	}
	if (r)
		nftnl_rule_free(r);
	return nlh ? 0 : FMP_ERR_NOMEM;
}

static int put_del_set(const struct nft_layer *l, struct nft_batch *b, struct nft_set_id id)
{
	struct nftnl_set *s = nftnl_set_alloc();
	struct nlmsghdr *nlh = NULL;
	char name[NFT_SET_NAMELEN];

	if (s && !nftnl_set_set_str(s, NFTNL_SET_TABLE, NFT_TABLE) &&
	    !nftnl_set_set_str(s, NFTNL_SET_NAME, fmpi_nft_set_name(id, name)))
		nlh = fmpi_nft_batch_msg(b, NFT_MSG_DELSET, l->family, 0, NFT_NOBODY);
	if (nlh) {
		nftnl_set_nlmsg_build_payload(nlh, s);
		fmpi_nft_batch_done(b, nlh);
	}
	if (s)
		nftnl_set_free(s);
	return nlh ? 0 : FMP_ERR_NOMEM;
}

struct set_ctx {
	const struct nft_layer *l;
	struct nft_batch *b;
	struct nft_shape *want;
	bool flush_protect;
};

static int put_set(struct nft_set_id id, void *ctx)
{
	const struct set_ctx *c = ctx;
	int rc = fmpi_nft_set_put(c->l, c->b, id);

	if (rc || id.use != NFT_USE_PROTECT || !c->flush_protect)
		return rc;
	return fmpi_nft_elems_flush(c->l, c->b, id);
}

static int delete_unwanted_set(struct nft_set_id id, void *ctx)
{
	const struct set_ctx *c = ctx;

	return *fmpi_nft_shape_at(c->want, id) ? 0 : put_del_set(c->l, c->b, id);
}

/* Sets that always exist, so that the first block takes one transaction, not two. */
static void add_defaults(const struct nft_layer *l, struct nft_shape *s)
{
	static const struct nft_set_id mac = { NFT_USE_BLOCK, FMP_FAMILY_MAC, 48 };
	static const struct nft_set_id v4 = { NFT_USE_BLOCK, FMP_FAMILY_IPV4, 32 };
	static const struct nft_set_id v6 = { NFT_USE_BLOCK, FMP_FAMILY_IPV6, 64 };

	*fmpi_nft_shape_at(s, mac) |= l->family == NFPROTO_NETDEV;
	*fmpi_nft_shape_at(s, v4) = true;
	*fmpi_nft_shape_at(s, v6) = true;
}

/* Does this protected entry belong in a table of this family? */
static bool belongs_in_table(const struct nft_layer *l, const struct fmp_protect_entry *e)
{
	return fmpi_protect_in_kernel(e) &&
	       (l->family == NFPROTO_NETDEV || e->addr.family != FMP_FAMILY_MAC);
}

static void add_protect(const struct nft_layer *l, struct nft_shape *s,
			const struct fmp_protect_entry *set, size_t n)
{
	memset(s->has[NFT_USE_PROTECT], 0, sizeof(s->has[NFT_USE_PROTECT]));
	for (size_t i = 0; i < n; i++) {
		if (belongs_in_table(l, &set[i]))
			*fmpi_nft_shape_at(s, fmpi_nft_set_of(NFT_USE_PROTECT, &set[i].addr)) =
				true;
	}
}

static int put_rules(const struct nft_layer *l, struct nft_batch *b, const struct nft_shape *shape,
		     const struct nft_bases *bases)
{
	struct nft_rule_specs rules = { 0 };
	int rc = fmpi_nft_rules(l, shape, bases, &rules);

	for (size_t i = 0; !rc && i < rules.n; i++)
		rc = fmpi_nft_rule_put(l, b, &rules.v[i]);
	free(rules.v);
	return rc;
}

static int put_protected(const struct nft_layer *l, struct nft_batch *b,
			 const struct fmp_protect_entry *set, size_t n)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < n; i++) {
		if (belongs_in_table(l, &set[i]))
			rc = fmpi_nft_protect_put(l, b, &set[i].addr);
	}
	return rc;
}

static int put_contents(struct nft_layer *l, struct nft_batch *b, struct nft_shape *have,
			struct nft_shape *want, const struct nft_bases *bases,
			const struct fmp_protect_entry *set, size_t n)
{
	struct set_ctx c = { .l = l, .b = b, .want = want, .flush_protect = set };
	int rc = put_table(l, b, NFT_MSG_NEWTABLE, NLM_F_CREATE, false);

	if (!rc)
		rc = put_counter(l, b, NFT_BLOCKED);
	if (!rc)
		rc = put_counter(l, b, NFT_PROTECTED);
	/* A chain that contains rules, or that rules jump to, can't be deleted. */
	if (!rc)
		rc = put_flush_rules(l, b);
	if (!rc)
		rc = fmpi_nft_chains_put(l, b, bases);
	for (unsigned use = 0; !rc && use < NFT_USES; use++)
		rc = fmpi_nft_shape_each(want, use, put_set, &c);
	if (!rc)
		rc = fmpi_nft_shape_each(have, NFT_USE_PROTECT, delete_unwanted_set, &c);
	if (!rc)
		rc = put_protected(l, b, set, set ? n : 0);
	return rc ? rc : put_rules(l, b, want, bases);
}

/* A transaction of its own: kernels refuse it together with new or deleted base chains. */
static int wake_table(struct nft_layer *l, struct fmp_error *err)
{
	struct nft_batch b = { .nl = &l->nl };

	if (put_table(l, &b, NFT_MSG_NEWTABLE, NLM_F_CREATE, true)) {
		fmpi_nft_batch_abort(&b);
		return fmp_error_set(err, FMP_ERR_NOMEM, "out of memory");
	}
	return fmpi_nft_batch_commit(&b, NULL, NULL, err);
}

/* Record the rules as the kernel shows them; if they can't be read, they are built again later. */
static int record_built(struct nft_layer *l, struct fmp_error *err)
{
	bool dormant;

	l->built.n = 0;
	if (fmpi_nft_dump_rules(l, &l->built, NULL))
		l->built.n = 0;
	if (fmpi_nft_dump_dormant(l, &dormant, NULL))
		return 0;
	return dormant ? wake_table(l, err) : 0;
}

int fmpi_nft_table_build(struct nft_layer *l, const struct fmp_protect_entry *set, size_t n,
			 struct fmp_error *err)
{
	struct nft_batch b = { .nl = &l->nl };
	struct nft_bases bases = { 0 };
	struct nft_shape have, want;
	int rc = fmpi_nft_dump_sets(l, &have, err);

	if (rc)
		return rc;
	/* The layer's sets include those that a pending change needs, the kernel's those of
	 * existing blocks. */
	want = have;
	for (unsigned k = 0; k < 3 * NFT_USE_PROTECT; k++) {
		unsigned use = k / 3, f = k % 3;

		for (unsigned len = 0; len < NFT_PREFIXES; len++)
			want.has[use][f][len] |= l->shape.has[use][f][len];
	}
	add_defaults(l, &want);
	if (set)
		add_protect(l, &want, set, n);
	rc = fmpi_nft_dump_bases(l, &bases, err);
	if (rc)
		goto out;
	if (put_contents(l, &b, &have, &want, &bases, set, n)) {
		fmpi_nft_batch_abort(&b);
		rc = fmp_error_set(err, FMP_ERR_NOMEM, "out of memory");
		goto out;
	}
	rc = fmpi_nft_batch_commit(&b, NULL, NULL, err);
	if (!rc) {
		l->shape = want;
		rc = record_built(l, err);
	}
out:
	free(bases.v);
	return rc;
}

/* The k-th rule of a chain; NULL if there are fewer. */
static const struct nft_rule_spec *find_nth_rule(const struct nft_rule_specs *rules,
						 const char *chain, size_t k)
{
	for (size_t i = 0; i < rules->n; i++) {
		if (!strcmp(rules->v[i].chain, chain) && !k--)
			return &rules->v[i];
	}
	return NULL;
}

/* Are these the same rules in the same order, chain by chain? */
static bool equal_rules(const struct nft_rule_specs *want, const struct nft_rule_specs *have)
{
	if (want->n != have->n)
		return false;
	for (size_t i = 0; i < want->n; i++) {
		const struct nft_rule_spec *r = &want->v[i], *h;
		size_t k = 0;

		for (size_t j = 0; j < i; j++)
			k += !strcmp(want->v[j].chain, r->chain);
		h = find_nth_rule(have, r->chain, k);
		if (!h || strcmp(h->comment, r->comment))
			return false;
	}
	return true;
}

/* A rule may have been replaced by one with the same comment, but other expressions. */
static bool match_built(const struct nft_rule_specs *built, const struct nft_rule_specs *have)
{
	for (size_t i = 0, k; i < have->n; i++) {
		const struct nft_rule_spec *h = &have->v[i], *b = built->v;

		for (k = 0; k < built->n; k++, b++)
			if (!strcmp(b->comment, h->comment) && !strcmp(b->chain, h->chain))
				break;
		if (k == built->n || b->sum != h->sum)
			return false;
	}
	return true;
}

static int compare_rules(struct nft_layer *l, const struct nft_shape *shape, bool *same,
			 struct fmp_error *err)
{
	struct nft_rule_specs want = { 0 }, have = { 0 };
	struct nft_bases bases = { 0 };
	int rc = fmpi_nft_dump_rules(l, &have, err);

	if (!rc)
		rc = fmpi_nft_dump_bases(l, &bases, err);
	if (!rc && fmpi_nft_rules(l, shape, &bases, &want))
		rc = fmp_error_set(err, FMP_ERR_NOMEM, "out of memory");
	*same = !rc && fmpi_nft_bases_as_built(l, &bases) && equal_rules(&want, &have) &&
		match_built(&l->built, &have);
	free(want.v);
	free(have.v);
	free(bases.v);
	return rc;
}

struct protect_ctx {
	struct nft_layer *l;
	struct fmpi_rules rules;
	struct fmp_error *err;
};

static int read_protected_set(struct nft_set_id id, void *ctx)
{
	struct protect_ctx *c = ctx;

	return fmpi_nft_dump_elems(c->l, id, &c->rules, c->err);
}

static int compare_protected(struct nft_layer *l, const struct nft_shape *shape,
			     const struct fmp_protect_entry *set, size_t n, bool *same,
			     struct fmp_error *err)
{
	struct protect_ctx c = { .l = l, .err = err };
	struct fmpi_addrset want = { 0 }, have = { 0 };
	int rc = fmpi_nft_shape_each(shape, NFT_USE_PROTECT, read_protected_set, &c), full = 0;

	for (size_t i = 0; !rc && !full && i < c.rules.n; i++)
		full = fmpi_addrset_push(&have, &c.rules.v[i].addr);
	for (size_t i = 0; !rc && !full && i < n; i++) {
		if (belongs_in_table(l, &set[i]))
			full = fmpi_addrset_push(&want, &set[i].addr);
	}
	if (full)
		rc = fmp_error_set(err, FMP_ERR_NOMEM, "out of memory");
	fmpi_addrset_sort(&want);
	fmpi_addrset_sort(&have);
	*same = !rc && fmpi_addrset_equal(&want, &have);
	fmpi_addrset_free(&want);
	fmpi_addrset_free(&have);
	fmpi_rules_free(&c.rules);
	return rc;
}

int fmpi_nft_table_intact(struct nft_layer *l, const struct fmp_protect_entry *set, size_t n,
			  bool *yes, struct fmp_error *err)
{
	struct nft_shape want;
	bool dormant;
	int rc;

	*yes = false;
	rc = fmpi_nft_dump_dormant(l, &dormant, err);
	if (!rc)
		rc = fmpi_nft_dump_sets(l, &l->shape, err);
	if (rc || dormant)
		return rc;
	want = l->shape;
	add_defaults(l, &want);
	if (set)
		add_protect(l, &want, set, n);
	if (memcmp(&want, &l->shape, sizeof(want)))
		return 0;
	rc = compare_rules(l, &l->shape, yes, err);
	if (!rc && *yes && set)
		rc = compare_protected(l, &l->shape, set, n, yes, err);
	return rc;
}

int fmpi_nft_table_delete(struct nft_layer *l, struct fmp_error *err)
{
	struct nft_batch b = { .nl = &l->nl };
	struct fmp_error own;
	int rc;

	if (!err)
		err = &own;
	err->sys_errno = 0;
	if (put_table(l, &b, NFT_MSG_DELTABLE, 0, false)) {
		fmpi_nft_batch_abort(&b);
		return fmp_error_set(err, FMP_ERR_NOMEM, "out of memory");
	}
	rc = fmpi_nft_batch_commit(&b, NULL, NULL, err);
	l->shape = (struct nft_shape){ 0 };
	return rc == FMP_ERR_KERNEL && err->sys_errno == ENOENT ? 0 : rc;
}
