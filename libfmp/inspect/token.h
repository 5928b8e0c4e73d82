/* SPDX-License-Identifier: GPL-2.0 */
#ifndef FMPI_INSPECT_TOKEN_H
#define FMPI_INSPECT_TOKEN_H

#include "inspect/known.h"
#include "inspect/signedinfo.h"
#include "inspect/trust.h"

/**
 * fmpi_token_signer() - the trusted key that a signature's KeyInfo names
 * @known: certificates that a message need not carry; NULL: none
 *
 * Return: 0, FMPI_REFUSED, FMP_ERR_NOMEM.
 */
int fmpi_token_signer(struct fmpi_trust *t, const struct fmpi_known *known,
		      const struct fmpi_signedinfo *s, int64_t now_s, struct fmpi_signer *out,
		      struct fmp_inspection *v);

#endif
