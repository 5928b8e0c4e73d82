/* SPDX-License-Identifier: GPL-2.0 */
#ifndef FMPI_WSS_TOKEN_H
#define FMPI_WSS_TOKEN_H

#include "xml/base64.h"
#include "cert_store.h"
#include "signedinfo.h"
#include "x509/trust.h"

/** Longest Base64 of a certificate, line ends included, and its decoded length. */
#define FMPI_TOKEN_TEXT (FMPI_MAX_CERTIFICATE / 3 * 4 + 512)
#define FMPI_TOKEN_DER	FMPI_BASE64_MAX(FMPI_TOKEN_TEXT)

/** Longest Base64 of several certificates. */
#define FMPI_PATH_TEXT (FMPI_PATH_DER / 3 * 4 + 1024)

/** fmpi_token_decode() - decode the Base64 of a certificate; @text NULL is refused. Return: 0, FMPI_REFUSED. */
int fmpi_token_decode(const xmlNode *node, const char *text, uint8_t der[FMPI_TOKEN_DER],
		      size_t *len, struct fmp_inspection *v);

/** fmpi_token_check_key() - is the key of the kind that the SignatureMethod needs? */
int fmpi_token_check_key(const struct fmpi_signedinfo *s, EVP_PKEY *key, const xmlNode *node,
			 struct fmp_inspection *v);

/**
 * fmpi_token_signer() - find the trusted key that a signature's KeyInfo names
 * @store: certificates that a message may name; NULL: none
 * @holder: holder-of-key: the key that an assertion confirms, which must be the signer's; NULL: none
 *
 * Return: 0, FMPI_REFUSED, FMP_ERR_NOMEM.
 */
int fmpi_token_signer(struct fmpi_trust *t, const struct fmpi_cert_store *store,
		      const struct fmpi_signer *holder, const struct fmpi_signedinfo *s,
		      int64_t now_s, struct fmpi_signer *out, struct fmp_inspection *v);

#endif
