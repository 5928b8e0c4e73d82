/* SPDX-License-Identifier: GPL-2.0 */
/* A hash map from addresses to numbers; entries are never removed. */
#ifndef FMP_ADDRMAP_H
#define FMP_ADDRMAP_H

#include <fmp/source.h>

struct fmp_addrmap_entry {
	struct fmp_addr addr; /* family 0: free */
	uint64_t value;
};

/* Zeroed: empty. */
struct fmp_addrmap {
	struct fmp_addrmap_entry *v;
	size_t n, cap; /* cap: a power of two */
};

/** fmp_addrmap_find() - the value of an address; NULL: none. Valid until the next
 * fmp_addrmap_get(). */
uint64_t *fmp_addrmap_find(const struct fmp_addrmap *m, const struct fmp_addr *addr);
/** fmp_addrmap_get() - the value of an address, added as 0 if there is none. Return: NULL without
 * memory. */
uint64_t *fmp_addrmap_get(struct fmp_addrmap *m, const struct fmp_addr *addr);
void fmp_addrmap_free(struct fmp_addrmap *m);

#endif
