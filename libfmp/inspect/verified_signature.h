/* SPDX-License-Identifier: GPL-2.0 */
/* A signature that was verified, and what it covers. */
#ifndef FMPI_INSPECT_VERIFIED_SIGNATURE_H
#define FMPI_INSPECT_VERIFIED_SIGNATURE_H

#include <stdlib.h>

#include "wss/signedinfo.h"
#include "x509/trust.h"

/** struct fmpi_verified_signature - signed_bytes starts as all 0 */
struct fmpi_verified_signature {
	struct fmpi_signedinfo info;
	struct fmpi_wsse sec;
	struct fmpi_signer who;
	struct fmpi_signed_bytes signed_bytes; /**< for fmpi_verified_signature_clear() */
	xmlNode *unsigned_block[FMP_HEADER_BLOCKS_MAX]; /**< forwarded all the same */
	unsigned n_unsigned;
};

static inline void fmpi_verified_signature_clear(struct fmpi_verified_signature *p)
{
	free(p->signed_bytes.body.p);
	free(p->signed_bytes.blocks.p);
}

#endif
