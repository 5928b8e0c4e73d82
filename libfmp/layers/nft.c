// SPDX-License-Identifier: GPL-2.0
/* The layers "ip" and "mac", implemented in nf_tables. */
#include <layers/nft.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include <linux/netfilter.h>
#include <linux/netfilter/nf_tables.h>

#define SEND_BUFFER (8 << 20)
static struct nft_layer *to_nft(struct fmpi_layer *l)
{
	return (struct nft_layer *)l;
}

static int nft_build(struct fmpi_layer *l, const struct fmp_protect_entry *set, size_t n,
		     struct fmp_error *err)
{
	if (to_nft(l)->family == NFPROTO_NETDEV && !to_nft(l)->n_devices)
		return fmp_error_set(err, FMP_ERR_UNSUPPORTED, "no device is named for it");
	return fmpi_nft_table_build(to_nft(l), set, n, err);
}

static int nft_intact(struct fmpi_layer *l, const struct fmp_protect_entry *set, size_t n,
		      bool *yes, struct fmp_error *err)
{
	return fmpi_nft_table_intact(to_nft(l), set, n, yes, err);
}

static int nft_apply(struct fmpi_layer *l, struct fmpi_change *c, size_t n, struct fmp_error *err)
{
	return fmpi_nft_apply(to_nft(l), c, n, err);
}

static int nft_find(struct fmpi_layer *l, const struct fmp_rule *key, struct fmpi_rules *out,
		    struct fmp_error *err)
{
	return fmpi_nft_find_elem(to_nft(l), key, out, err);
}

/* Each set is one part of the dump. */
static int add_set_part(struct nft_set_id id, void *ctx)
{
	struct fmpi_dump *d = ctx;
	struct nft_set_id *more = reallocarray(d->parts, d->n + 1, sizeof(*more));

	if (!more)
		return FMP_ERR_NOMEM;
	d->parts = more;
	more[d->n++] = id;
	return 0;
}

static int nft_dump_begin(struct fmpi_layer *l, struct fmpi_dump **out, struct fmp_error *err)
{
	struct fmpi_dump *d;
	int rc = fmpi_dump_new(NETLINK_NETFILTER, &d, err);

	if (rc)
		return rc;
	d->gone_is_empty = d->empty_is_end = true;
	rc = fmpi_nft_dump_sets(to_nft(l), &to_nft(l)->shape, err);
	for (unsigned use = 0; !rc && use < NFT_USE_PROTECT; use++)
		rc = fmpi_nft_shape_each(&to_nft(l)->shape, use, add_set_part, d);
	if (rc) {
		fmpi_dump_free(d);
		return rc;
	}
	*out = d;
	return 0;
}

static int nft_dump_step(struct fmpi_layer *l, struct fmpi_dump *d, struct fmpi_rules *out,
			 struct fmp_error *err)
{
	const struct nft_set_id *sets = d->parts;
	int rc;

	if (d->at == d->n)
		return 1;
	rc = fmpi_nft_dump_step(to_nft(l), d, sets[d->at], out, err);
	if (rc < 0)
		return rc;
	d->at += (size_t)rc;
	return d->at == d->n;
}

static int nft_stats(struct fmpi_layer *l, struct fmp_layer_stats *out, struct fmp_error *err)
{
	int rc = fmpi_nft_dump_counter(to_nft(l), NFT_BLOCKED, &out->dropped, NULL, err);

	return rc ? rc
		  : fmpi_nft_dump_counter(to_nft(l), NFT_PROTECTED, &out->protected_hits, NULL,
					  err);
}

static int nft_teardown(struct fmpi_layer *l, struct fmp_error *err)
{
	return fmpi_nft_table_delete(to_nft(l), err);
}

static void nft_free(struct fmpi_layer *l)
{
	fmp_nl_close(&to_nft(l)->nl);
	free(to_nft(l)->built.v);
	free(l);
}

static const struct fmpi_layer_ops ops = {
	.build = nft_build,
	.intact = nft_intact,
	.apply = nft_apply,
	.find = nft_find,
	.dump_begin = nft_dump_begin,
	.dump_step = nft_dump_step,
	.stats = nft_stats,
	.teardown = nft_teardown,
	.free = nft_free,
};

static void describe_layer(struct nft_layer *l)
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
	rc = fmp_nl_open(&l->nl, NETLINK_NETFILTER, err);
	if (rc) {
		free(l);
		return rc;
	}
	/* A transaction is one datagram. Without the privilege to set this nothing else works
	 * either. */
	setsockopt(mnl_socket_get_fd(l->nl.sk), SOL_SOCKET, SO_SNDBUFFORCE, &size, sizeof(size));
	l->base.portid = l->nl.portid;
	describe_layer(l);
	*out = &l->base;
	return 0;
}
