/* SPDX-License-Identifier: GPL-2.0 */
/* XML-DSig by xmlsec1, which gets key and targets from us and looks up nothing itself. */
#ifndef FMPI_WSS_SIGNATURE_H
#define FMPI_WSS_SIGNATURE_H

#include <openssl/evp.h>

#include "signedinfo.h"

/**
 * fmpi_signature_verify() - verify digests and SignatureValue
 * @s: from fmpi_signedinfo_read()
 * @key: the signer's; no reference is kept
 * @out: the exact bytes whose digests were signed; empty unless 0 is returned
 *
 * Return: 0, FMPI_REFUSED, FMP_ERR_NOMEM.
 */
int fmpi_signature_verify(xmlNode *signature, const struct fmpi_signedinfo *s, EVP_PKEY *key,
			  struct fmpi_signed_bytes *out, struct fmp_inspection *v);

#endif
