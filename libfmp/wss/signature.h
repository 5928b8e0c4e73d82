/* SPDX-License-Identifier: GPL-2.0 */
/* The cryptography of XML-DSig, by xmlsec1, which is told everything and finds nothing itself. */
#ifndef FMPI_WSS_SIGNATURE_H
#define FMPI_WSS_SIGNATURE_H

#include <openssl/evp.h>

#include "signedinfo.h"

/**
 * fmpi_signature_verify()
 * @s: what fmpi_signedinfo_read() allowed
 * @key: the signer's, not kept
 * @out: the very octets whose digests were signed; empty unless it returns 0
 *
 * Return: 0, FMPI_REFUSED, FMP_ERR_NOMEM.
 */
int fmpi_signature_verify(xmlNode *signature, const struct fmpi_signedinfo *s, EVP_PKEY *key,
			  struct fmpi_signed_bytes *out, struct fmp_inspection *v);

#endif
