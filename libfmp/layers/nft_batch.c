// SPDX-License-Identifier: GPL-2.0
#include <layers/nft_batch.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include <libnftnl/common.h>
#include <linux/netfilter/nfnetlink.h>

static int reserve_message(struct nft_batch *b)
{
	if (b->cap - b->len < NFT_MSG_ROOM) {
		size_t cap = b->cap ? 2 * b->cap : 8 * (size_t)NFT_MSG_ROOM;
		char *buf = realloc(b->buf, cap);

		if (!buf)
			return FMP_ERR_NOMEM;
		b->buf = buf;
		b->cap = cap;
	}
	if (b->n == b->owners_cap) {
		size_t cap = b->owners_cap ? 2 * b->owners_cap : 64;
		size_t *owners = reallocarray(b->owners, cap, sizeof(*owners));

		if (!owners)
			return FMP_ERR_NOMEM;
		b->owners = owners;
		b->owners_cap = cap;
	}
	/* The padding of attributes is sent too: clear it. */
	memset(b->buf + b->len, 0, NFT_MSG_ROOM);
	return 0;
}

/* Append the begin or the end of the transaction. */
static int put_mark(struct nft_batch *b, bool begin)
{
	struct nlmsghdr *nlh;

	if (reserve_message(b))
		return FMP_ERR_NOMEM;
	if (begin)
		b->first_seq = fmp_nl_seq(b->nl);
	nlh = begin ? nftnl_batch_begin(b->buf + b->len, b->first_seq)
		    : nftnl_batch_end(b->buf + b->len, fmp_nl_seq(b->nl));
	b->owners[b->n] = NFT_NOBODY;
	fmpi_nft_batch_done(b, nlh);
	return 0;
}

struct nlmsghdr *fmpi_nft_batch_msg(struct nft_batch *b, uint16_t type, uint8_t family,
				    uint16_t flags, size_t owner)
{
	uint16_t nft = (uint16_t)(NFNL_SUBSYS_NFTABLES << 8 | type);

	if ((!b->n && put_mark(b, true)) || reserve_message(b))
		return NULL;
	b->owners[b->n] = owner;
	return nftnl_nlmsg_build_hdr(b->buf + b->len, nft, family, flags, fmp_nl_seq(b->nl));
}

void fmpi_nft_batch_done(struct nft_batch *b, const struct nlmsghdr *nlh)
{
	b->last = b->len;
	b->len += MNL_ALIGN(nlh->nlmsg_len);
	b->n++;
}

void fmpi_nft_batch_abort(struct nft_batch *b)
{
	free(b->buf);
	free(b->owners);
	*b = (struct nft_batch){ .nl = b->nl };
}

struct outcome {
	struct fmp_kerr first; /* first refusal; sys_errno 0: none */
	bool acked; /* the last message was acknowledged */
};

/* Parse one datagram of replies. */
static void parse_replies(const struct nft_batch *b, const void *buf, size_t len,
			  nft_refused_cb refused, void *ctx, struct outcome *o)
{
	const struct nlmsghdr *nlh = buf;
	int left = (int)len;

	for (; fmp_nl_ok(nlh, left); nlh = mnl_nlmsg_next(nlh, &left)) {
		/* Wraps as the sequence numbers do; skipping 0 makes it too large by one at most. */
		uint32_t i = nlh->nlmsg_seq - b->first_seq;
		struct fmp_kerr kerr;

		if (nlh->nlmsg_type != NLMSG_ERROR || i >= b->n)
			continue;
		fmp_nl_kerr(nlh, &kerr);
		if (!kerr.sys_errno) {
			o->acked = true;
			continue;
		}
		if (!o->first.sys_errno)
			o->first = kerr;
		if (refused)
			refused(b->owners[i], &kerr, ctx);
	}
}

/* The kernel has processed the batch when send returns: all replies are queued. */
static int read_replies(const struct nft_batch *b, nft_refused_cb refused, void *ctx,
			struct fmp_error *err)
{
	_Alignas(struct nlmsghdr) char buf[FMP_NL_BUF];
	struct outcome o = { 0 };

	for (;;) {
		ssize_t got = recv(mnl_socket_get_fd(b->nl->sk), buf, sizeof(buf), MSG_DONTWAIT);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0 && errno != EAGAIN)
			return fmp_error_sys(err, FMP_ERR_IO, errno, "nf_tables answer");
		if (got <= 0)
			break;
		parse_replies(b, buf, (size_t)got, refused, ctx, &o);
	}
	if (o.first.sys_errno)
		return fmp_kerr_error(&o.first, err, "nf_tables refused");
	if (!o.acked)
		return fmp_error_set(err, FMP_ERR_IO, "nf_tables did not answer");
	return 0;
}

int fmpi_nft_batch_commit(struct nft_batch *b, nft_refused_cb refused, void *ctx,
			  struct fmp_error *err)
{
	struct nlmsghdr *last;
	int rc;

	if (!b->n)
		return 0;
	/* Request only the acknowledgement of the last message before the end. */
	last = (struct nlmsghdr *)(void *)(b->buf + b->last);
	last->nlmsg_flags |= NLM_F_ACK;
	if (put_mark(b, false)) {
		rc = fmp_error_set(err, FMP_ERR_NOMEM, "out of memory");
	} else if (mnl_socket_sendto(b->nl->sk, b->buf, b->len) < 0) {
		rc = fmp_error_sys(err, FMP_ERR_IO, errno, "nf_tables transaction of %zu bytes",
				   b->len);
	} else {
		rc = read_replies(b, refused, ctx, err);
	}
	fmpi_nft_batch_abort(b);
	return rc;
}
