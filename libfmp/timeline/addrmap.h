/* SPDX-License-Identifier: GPL-2.0 */
/* Addresses -> numbers; nothing is ever taken out. */
#ifndef FMPI_TIMELINE_ADDRMAP_H
#define FMPI_TIMELINE_ADDRMAP_H

#include <fmp/source.h>

struct fmpi_addrmap_entry {
	struct fmp_addr addr; /* family 0: free */
	uint64_t value;
};

/* Zeroed: empty. */
struct fmpi_addrmap {
	struct fmpi_addrmap_entry *v;
	size_t n, cap; /* cap: a power of two */
};

/** fmpi_addrmap_find() - NULL if it is not there; valid until the next fmpi_addrmap_get(). */
uint64_t *fmpi_addrmap_find(const struct fmpi_addrmap *m, const struct fmp_addr *addr);
/** fmpi_addrmap_get() - the same, put in with 0 if it was not there. Return: NULL without memory. */
uint64_t *fmpi_addrmap_get(struct fmpi_addrmap *m, const struct fmp_addr *addr);
void fmpi_addrmap_free(struct fmpi_addrmap *m);

#endif
