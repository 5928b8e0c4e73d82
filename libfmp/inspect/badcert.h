/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Certificates that were refused, and why: who comes again with one pays for a digest,
 * not for a chain. Bounded (DESIGN: invariant 6): a new one takes the place of the one
 * longest unused. Good certificates are remembered elsewhere, so nobody can drive them
 * out by sending bad ones.
 */
#ifndef FMPI_INSPECT_BADCERT_H
#define FMPI_INSPECT_BADCERT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fmp/inspect.h>

#define FMPI_BADCERT_ENTRIES 64u
/** SHA-256 of a certificate. */
#define FMPI_BADCERT_ID	     32
/** So long at most: what made it bad may be mended, a clock for one. */
#define FMPI_BADCERT_S	     60

/** struct fmpi_badcert - what was wrong with one */
struct fmpi_badcert {
	char why[160]; /**< as in struct fmp_inspection */
	bool not_yet; /**< the same */
};

/** struct fmpi_badcerts - starts as all 0 */
struct fmpi_badcerts {
	struct {
		uint8_t id[FMPI_BADCERT_ID];
		int64_t from_s, until_s;
		uint64_t used; /**< tick of the last look; 0: free */
		struct fmpi_badcert what;
	} entry[FMPI_BADCERT_ENTRIES];
	uint64_t tick;
};

/** fmpi_badcerts_find() - why it was refused; NULL: not known to be bad now. */
const struct fmpi_badcert *fmpi_badcerts_find(struct fmpi_badcerts *r,
					      const uint8_t id[FMPI_BADCERT_ID], int64_t now_s);

/**
 * fmpi_badcerts_add() - in place of what was known of it
 * @until_s: when it may become good; INT64_MAX: nobody knows
 * @v: that refused it
 */
void fmpi_badcerts_add(struct fmpi_badcerts *r, const uint8_t id[FMPI_BADCERT_ID], int64_t now_s,
		       int64_t until_s, const struct fmp_inspection *v);

#endif
