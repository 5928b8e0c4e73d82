/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Certificates that were refused, and why: who comes again with one pays for a digest,
 * not for a chain. Bounded (DESIGN: invariant 6): a new one takes the place of the one
 * longest unused. Good certificates are remembered elsewhere, so nobody can drive them
 * out by sending bad ones.
 */
#ifndef FMPI_X509_REJECT_CACHE_H
#define FMPI_X509_REJECT_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fmp/inspect.h>

#define FMPI_REJECT_CACHE_ENTRIES 64u
/** SHA-256 of a certificate. */
#define FMPI_REJECT_CACHE_ID	  32
/** So long at most: what made it bad may be mended, a clock for one. */
#define FMPI_REJECT_CACHE_S	  60

/** struct fmpi_rejected_cert - what was wrong with one */
struct fmpi_rejected_cert {
	char why[160]; /**< as in struct fmp_inspection */
	bool not_yet; /**< the same */
};

/** struct fmpi_reject_cache - starts as all 0 */
struct fmpi_reject_cache {
	struct {
		uint8_t id[FMPI_REJECT_CACHE_ID];
		int64_t from_s, until_s;
		uint64_t used; /**< tick of the last look; 0: free */
		struct fmpi_rejected_cert what;
	} entry[FMPI_REJECT_CACHE_ENTRIES];
	uint64_t tick;
};

/** fmpi_reject_cache_find() - why it was refused; NULL: not known to be bad now. */
const struct fmpi_rejected_cert *fmpi_reject_cache_find(struct fmpi_reject_cache *r,
							const uint8_t id[FMPI_REJECT_CACHE_ID],
							int64_t now_s);

/**
 * fmpi_reject_cache_add() - in place of what was known of it
 * @until_s: when it may become good; INT64_MAX: nobody knows
 * @v: that refused it
 */
void fmpi_reject_cache_add(struct fmpi_reject_cache *r, const uint8_t id[FMPI_REJECT_CACHE_ID],
			   int64_t now_s, int64_t until_s, const struct fmp_inspection *v);

#endif
