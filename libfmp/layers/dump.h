/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A dump of a layer's blocks in steps of a datagram each, on a socket of its own: whoever takes
 * them does other things in between, and changes the layer too.
 */
#ifndef FMPI_LAYERS_DUMP_H
#define FMPI_LAYERS_DUMP_H

#include <fmp/internal/netlink.h>

#include "layer.h"

struct fmpi_dump {
	int bus; /* NETLINK_... */
	struct fmp_nl nl;
	struct fmp_nl_reply answer;
	bool gone_is_empty; /* ENOENT says that there is nothing, not that something is wrong */
	bool empty_is_end; /* a datagram without a rule comes behind all of them */
	bool asked; /* an answer is being taken */
	bool torn; /* changes went on under it: a rule may be in it twice, or not at all. nf_tables
		      never says so of elements: it is known of them if the dump had no end */
	unsigned tries;
	size_t before; /* rules of the parts before this one */
	size_t at, n; /* which part, of how many */
	void *parts; /* of the back end; freed with it */
};

/* fmpi_dump_new() - with its socket, and no part yet. Return: 0, FMP_ERR_NOMEM, FMP_ERR_IO. */
FMP_MUST_CHECK int fmpi_dump_new(int bus, struct fmpi_dump **out, struct fmp_error *err);
/*
 * fmpi_dump_part() - one more datagram of the part
 * @nlh: how it is asked for, if it is not yet
 * Return: 1 it is complete, 0 more is to come, or it is asked anew for a change tore it; negative.
 */
FMP_MUST_CHECK int fmpi_dump_part(struct fmpi_dump *d, struct nlmsghdr *nlh, fmp_nl_cb cb,
				  void *ctx, struct fmpi_rules *out, struct fmp_error *err);
void fmpi_dump_free(struct fmpi_dump *d);

#endif
