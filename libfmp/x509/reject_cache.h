/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Rejected-certificate cache: certificates refused, and why. A sender that uses one again costs a
 * digest, not a chain verification. Bounded (invariant 6 of libfmp/README.md): a new entry replaces
 * the one unused for longest. Accepted certificates are cached elsewhere, so bad ones can't evict
 * them.
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
/** Maximum age in seconds: the cause may be corrected, such as a wrong clock. */
#define FMPI_REJECT_CACHE_S	  60

/** struct fmpi_rejected_cert - the reason */
struct fmpi_rejected_cert {
	char why[160]; /**< detail of struct fmp_inspection */
	bool not_yet; /**< not_yet of struct fmp_inspection */
};

/** struct fmpi_reject_cache - starts zeroed */
struct fmpi_reject_cache {
	struct {
		uint8_t id[FMPI_REJECT_CACHE_ID];
		int64_t from_s, until_s;
		uint64_t used; /**< tick of the last hit; 0: free */
		struct fmpi_rejected_cert what;
	} entry[FMPI_REJECT_CACHE_ENTRIES];
	uint64_t tick;
};

/** fmpi_reject_cache_find() - why the certificate was refused; NULL: not known to be bad now. */
const struct fmpi_rejected_cert *fmpi_reject_cache_find(struct fmpi_reject_cache *r,
							const uint8_t id[FMPI_REJECT_CACHE_ID],
							int64_t now_s);

/**
 * fmpi_reject_cache_add() - add a certificate, or replace its entry
 * @until_s: when it may become valid; INT64_MAX: unknown
 * @v: the refusal
 */
void fmpi_reject_cache_add(struct fmpi_reject_cache *r, const uint8_t id[FMPI_REJECT_CACHE_ID],
			   int64_t now_s, int64_t until_s, const struct fmp_inspection *v);

#endif
