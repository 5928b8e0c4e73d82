/* SPDX-License-Identifier: GPL-2.0 */
/* One nf_tables transaction: all of it succeeds, or nothing, with the messages at fault. */
#ifndef FMPI_LAYERS_NFT_BATCH_H
#define FMPI_LAYERS_NFT_BATCH_H

#include <fmp/internal/netlink.h>

/* The owner of messages that belong to no change: those of the table itself. */
#define NFT_NOBODY SIZE_MAX

/* {0} with the socket set is an empty batch. */
struct nft_batch {
	struct fmp_nl *nl;
	char *buf;
	size_t len, cap;
	size_t last; /* where the newest message starts */
	uint32_t first_seq; /* of the batch-begin message */
	size_t *owners; /* owner of each message, indexed by sequence number minus first_seq */
	size_t n, owners_cap;
};

/*
 * fmpi_nft_batch_msg() - start a message; the caller appends its payload
 *
 * Reserves NFT_MSG_ROOM bytes. Finish it with fmpi_nft_batch_done().
 * Return: NULL without memory.
 */
#define NFT_MSG_ROOM 4096u
struct nlmsghdr *fmpi_nft_batch_msg(struct nft_batch *b, uint16_t type, uint8_t family,
				    uint16_t flags, size_t owner);
void fmpi_nft_batch_done(struct nft_batch *b, const struct nlmsghdr *nlh);

/* Called for each message that the kernel refused. */
typedef void (*nft_refused_cb)(size_t owner, const struct fmp_kerr *kerr, void *ctx);

/*
 * fmpi_nft_batch_commit() - send the batch, process the replies, and empty the batch
 *
 * Return: 0 everything is in force; FMP_ERR_KERNEL or, without privilege, FMP_ERR_DENIED: nothing
 * is, and @refused was called; FMP_ERR_IO, FMP_ERR_NOMEM.
 */
FMP_MUST_CHECK int fmpi_nft_batch_commit(struct nft_batch *b, nft_refused_cb refused, void *ctx,
					 struct fmp_error *err);
/* Discard the messages, and free. */
void fmpi_nft_batch_abort(struct nft_batch *b);

#endif
