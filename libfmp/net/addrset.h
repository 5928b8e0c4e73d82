/* SPDX-License-Identifier: GPL-2.0 */
/* A sorted set of addresses. */
#ifndef FMPI_NET_ADDRSET_H
#define FMPI_NET_ADDRSET_H

#include <fmp/source.h>

/* {0} is the empty set. Sorted and unique only after fmpi_addrset_sort(). */
struct fmpi_addrset {
	struct fmp_addr *v;
	size_t n, cap;
};

/* Return: 0, FMP_ERR_NOMEM. */
FMP_MUST_CHECK int fmpi_addrset_push(struct fmpi_addrset *s, const struct fmp_addr *a);
void fmpi_addrset_sort(struct fmpi_addrset *s);
bool fmpi_addrset_has(const struct fmpi_addrset *s, const struct fmp_addr *a);
bool fmpi_addrset_equal(const struct fmpi_addrset *a, const struct fmpi_addrset *b);
void fmpi_addrset_free(struct fmpi_addrset *s);

#endif
