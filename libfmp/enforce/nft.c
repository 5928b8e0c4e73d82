// SPDX-License-Identifier: GPL-2.0
/* The layers "ip" and "mac": nf_tables. */
#include <enforce/nft.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include <linux/netfilter.h>
#include <linux/netfilter/nf_tables.h>

/* One transaction's bound: 4096 renewals are about 1.5 MB of messages. */
#define CHANGES_MAX 4096u
#define SEND_BUFFER (8 << 20)
/* Rounds in which what the kernel refuses is left out and the rest tried again. */
#define ROUNDS_MAX  8

static struct nft_layer *nft(struct fmpi_layer *l)
{
	return (struct nft_layer *)l;
}

static int build(struct fmpi_layer *l, const struct fmp_protect_entry *set, size_t n,
		 struct fmp_error *err)
{
	if (nft(l)->family == NFPROTO_NETDEV && !nft(l)->n_devices)
		return fmp_error_set(err, FMP_ERR_UNSUPPORTED, "no device is named for it");
	return fmpi_nft_table_build(nft(l), set, n, err);
}

static int intact(struct fmpi_layer *l, const struct fmp_protect_entry *set, size_t n, bool *yes,
		  struct fmp_error *err)
{
	return fmpi_nft_table_intact(nft(l), set, n, yes, err);
}

/*
 * A new timeout is taken for an element that is there only by kernels from 6.12
 * on: so it is deleted and added again. Deleting what is not there would end
 * the transaction: so it is added before that.
 */
static int put_change(const struct nft_layer *l, struct nft_batch *b, const struct fmpi_change *c,
		      size_t owner)
{
	struct nft_set_id set = fmpi_nft_set_of(false, &c->addr);
	int rc = fmpi_nft_elem_put(l, b, NFT_MSG_NEWSETELEM, set, &c->addr, 0, 0, owner);

	if (!rc)
		rc = fmpi_nft_elem_put(l, b, NFT_MSG_DELSETELEM, set, &c->addr, 0, 0, owner);
	if (!rc && c->block)
		rc = fmpi_nft_elem_put(l, b, NFT_MSG_NEWSETELEM, set, &c->addr, c->id, c->left_ms,
				       owner);
	return rc;
}

struct refusals {
	struct fmpi_change *c;
	bool missing; /* a set or the table is not there */
	struct fmpi_kerr all; /* the transaction itself was refused */
};

static void take_refusal(size_t owner, const struct fmpi_kerr *kerr, void *ctx)
{
	struct refusals *r = ctx;

	if (kerr->sys_errno == ENOENT)
		r->missing = true;
	else if (owner == NFT_NOBODY)
		r->all = *kerr;
	else if (!r->c[owner].done) {
		r->c[owner].done = true;
		r->c[owner].result = *kerr;
	}
}

/* Marks the sets that blocks need and that are not there. Return: whether there are any. */
static bool demand(struct nft_layer *l, const struct fmpi_change *c, size_t n)
{
	bool any = false;

	for (size_t i = 0; i < n; i++) {
		bool *has = fmpi_nft_shape_at(&l->shape, fmpi_nft_set_of(false, &c[i].addr));

		any |= c[i].block && !*has;
		*has |= c[i].block;
	}
	return any;
}

/* One transaction of what is not done yet. Return: as apply(). */
static int apply_once(struct nft_layer *l, struct fmpi_change *c, size_t n, bool *again,
		      struct fmp_error *err)
{
	struct refusals r = { .c = c };
	struct nft_batch b = { .nl = &l->nl };
	int rc = 0;

	*again = false;
	for (size_t i = 0; !rc && i < n; i++) {
		/* Where there is no set there is nothing to unblock. */
		if (!c[i].done && *fmpi_nft_shape_at(&l->shape, fmpi_nft_set_of(false, &c[i].addr)))
			rc = put_change(l, &b, &c[i], i);
	}
	if (rc) {
		fmpi_nft_batch_abort(&b);
		return fmp_error_set(err, rc, "out of memory");
	}
	rc = fmpi_nft_batch_commit(&b, take_refusal, &r, err);
	if (!rc) {
		for (size_t i = 0; i < n; i++)
			c[i].done = true;
		return 0;
	}
	if (r.missing)
		return fmp_error_set(err, FMP_ERR_AGAIN, "the table is not complete");
	*again = rc == FMP_ERR_KERNEL && !r.all.sys_errno;
	return rc;
}

static int apply(struct fmpi_layer *base, struct fmpi_change *c, size_t n, struct fmp_error *err)
{
	struct nft_layer *l = nft(base);
	int rc = 0;

	if (demand(l, c, n))
		return fmp_error_set(err, FMP_ERR_AGAIN, "a set is missing");
	for (size_t from = 0; !rc && from < n; from += CHANGES_MAX) {
		size_t some = n - from < CHANGES_MAX ? n - from : CHANGES_MAX;
		bool again = true;

		for (int round = 0; again && round < ROUNDS_MAX; round++)
			rc = apply_once(l, c + from, some, &again, err);
	}
	return rc;
}

struct dump_ctx {
	struct nft_layer *l;
	struct fmpi_rules *out;
	struct fmp_error *err;
};

static int dump_set(struct nft_set_id id, void *ctx)
{
	const struct dump_ctx *c = ctx;

	return fmpi_nft_dump_elems(c->l, id, c->out, c->err);
}

static int dump(struct fmpi_layer *l, struct fmpi_rules *out, struct fmp_error *err)
{
	struct dump_ctx c = { .l = nft(l), .out = out, .err = err };
	int rc = fmpi_nft_dump_sets(nft(l), &nft(l)->shape, err);

	return rc ? rc : fmpi_nft_shape_each(&nft(l)->shape, false, dump_set, &c);
}

static int stats(struct fmpi_layer *l, struct fmp_layer_stats *out, struct fmp_error *err)
{
	int rc = fmpi_nft_dump_counter(nft(l), NFT_BLOCKED, &out->dropped, NULL, err);

	return rc ? rc
		  : fmpi_nft_dump_counter(nft(l), NFT_PROTECTED, &out->protected_hits, NULL, err);
}

static int teardown(struct fmpi_layer *l, struct fmp_error *err)
{
	return fmpi_nft_table_delete(nft(l), err);
}

static void free_layer(struct fmpi_layer *l)
{
	fmpi_nl_close(&nft(l)->nl);
	free(l);
}

static const struct fmpi_layer_ops ops = {
	.build = build,
	.intact = intact,
	.apply = apply,
	.dump = dump,
	.stats = stats,
	.teardown = teardown,
	.free = free_layer,
};

static void describe(struct nft_layer *l)
{
	size_t len;

	if (l->family == NFPROTO_INET) {
		snprintf(l->base.why, sizeof(l->base.why), "nftables table inet " NFT_TABLE);
		return;
	}
	len = (size_t)snprintf(l->base.why, sizeof(l->base.why),
			       "nftables table netdev " NFT_TABLE " at the ingress of");
	for (unsigned i = 0; i < l->n_devices && len < sizeof(l->base.why); i++)
		len += (size_t)snprintf(l->base.why + len, sizeof(l->base.why) - len, " %s",
					l->devices[i]);
}

int fmpi_nft_open(enum fmp_layer layer, const char (*devices)[16], unsigned n_devices,
		  struct fmpi_layer **out, struct fmp_error *err)
{
	struct nft_layer *l = calloc(1, sizeof(*l));
	int size = SEND_BUFFER, rc;

	if (!l)
		return fmp_error_set(err, FMP_ERR_NOMEM, "out of memory");
	l->base.ops = &ops;
	l->family = layer == FMP_LAYER_IP ? NFPROTO_INET : NFPROTO_NETDEV;
	l->devices = devices;
	l->n_devices = n_devices;
	rc = fmpi_nl_open(&l->nl, NETLINK_NETFILTER, err);
	if (rc) {
		free(l);
		return rc;
	}
	/* A transaction is one datagram. Where this is refused, so is all the rest. */
	setsockopt(mnl_socket_get_fd(l->nl.sk), SOL_SOCKET, SO_SNDBUFFORCE, &size, sizeof(size));
	describe(l);
	*out = &l->base;
	return 0;
}
