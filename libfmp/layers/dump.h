/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A dump of a layer's blocks, one datagram at a time, on a socket of its own: the caller does other
 * work in between, and changes the layer too.
 */
#ifndef FMPI_LAYERS_DUMP_H
#define FMPI_LAYERS_DUMP_H

#include <fmp/internal/netlink.h>

#include "layer.h"

struct fmpi_dump {
	int bus; /* NETLINK_... */
	struct fmp_nl nl;
	struct fmp_nl_reply answer;
	bool gone_is_empty; /* ENOENT means empty, not an error */
	bool empty_is_end; /* a datagram without rules marks the end */
	bool asked; /* a reply is being received */
	/* changes happened during it: a rule may be duplicate or missing. nf_tables never reports
	 * that for elements: it is set if the dump had no end */
	bool torn;
	unsigned tries;
	size_t before; /* number of rules from earlier parts */
	size_t at, n; /* current part, number of parts */
	void *parts; /* description of the parts, of the back end; freed with it */
};

/* fmpi_dump_new() - open the socket; there is no part yet. Return: 0, FMP_ERR_NOMEM, FMP_ERR_IO. */
FMP_MUST_CHECK int fmpi_dump_new(int bus, struct fmpi_dump **out, struct fmp_error *err);
/*
 * fmpi_dump_part() - receive one more datagram of the current part
 * @nlh: the request, sent if it was not yet
 * Return: 1 the part is complete, 0 more follows, or it is requested again after a change;
 * negative.
 */
FMP_MUST_CHECK int fmpi_dump_part(struct fmpi_dump *d, struct nlmsghdr *nlh, fmp_nl_cb cb,
				  void *ctx, struct fmpi_rules *out, struct fmp_error *err);
void fmpi_dump_free(struct fmpi_dump *d);

#endif
