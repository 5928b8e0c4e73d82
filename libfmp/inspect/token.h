/* SPDX-License-Identifier: GPL-2.0 */
#ifndef FMPI_INSPECT_TOKEN_H
#define FMPI_INSPECT_TOKEN_H

#include "inspect/signedinfo.h"
#include "inspect/trust.h"

/**
 * fmpi_token_key() - the trusted public key of a BinarySecurityToken
 * @kind: that the signature's algorithm needs
 * @key: borrowed until the trust is asked again
 *
 * Return: 0, FMPI_REFUSED, FMP_ERR_NOMEM.
 */
int fmpi_token_key(struct fmpi_trust *t, const xmlNode *token, enum fmpi_key_kind kind,
		   int64_t now_s, EVP_PKEY **key, struct fmp_inspection *v);

#endif
