/* SPDX-License-Identifier: GPL-2.0 */
/* MACs of next hops as they were seen last, for when the neighbour table does not say. */
#ifndef FMP_ENFORCE_LEARNED_H
#define FMP_ENFORCE_LEARNED_H

#include <fmp/net.h>

/* The one that was seen last is the last. {0} is none. */
struct fmpi_learned {
	struct fmp_neighbour v[FMP_LEARNED_MAX];
	size_t n;
};

/* In place of what was known of this address; where there is no room the oldest goes. */
void fmpi_learned_put(struct fmpi_learned *l, const struct fmp_addr *ip,
		      const struct fmp_addr *mac);
/* Return: NULL if nothing is known. */
const struct fmp_addr *fmpi_learned_mac(const struct fmpi_learned *l, const struct fmp_addr *ip);

#endif
