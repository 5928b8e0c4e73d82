/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The cryptography of XML-DSig as most signers use it: own canonical form, OpenSSL's
 * digests and keys. What it does not know is signature.c's, which asks xmlsec1; what it
 * knows, it judges as xmlsec1 does. tests/fuzz/fuzz_verdict.c compares the two.
 */
#ifndef FMPI_WSS_DSIG_H
#define FMPI_WSS_DSIG_H

#include <openssl/evp.h>

#include "signedinfo.h"

struct fmpi_dsig;

/** fmpi_dsig_new() - contexts and memory that one message leaves to the next. NULL: no memory. */
struct fmpi_dsig *fmpi_dsig_new(void);
void fmpi_dsig_free(struct fmpi_dsig *d);

/**
 * fmpi_dsig_verify() - as fmpi_signature_verify()
 *
 * Return: also FMP_ERR_UNSUPPORTED, with no verdict: ask xmlsec1.
 */
int fmpi_dsig_verify(struct fmpi_dsig *d, const xmlNode *signature, const struct fmpi_signedinfo *s,
		     EVP_PKEY *key, struct fmpi_signed_bytes *out, struct fmp_inspection *v);

/**
 * fmpi_dsig_verify_value() - does the SignatureValue hold, whatever the digests are of?
 *
 * Of RSA-PSS, too. That it does is remembered until the next one: fmpi_dsig_verify() of the
 * same contexts does not pay for it again. Return: 0, FMPI_REFUSED, FMP_ERR_NOMEM.
 */
int fmpi_dsig_verify_value(struct fmpi_dsig *d, const xmlNode *signature,
			   const struct fmpi_signedinfo *s, EVP_PKEY *key,
			   struct fmp_inspection *v);

/**
 * fmpi_dsig_check_size() - do the canonical forms fit into the room that there is for them?
 *
 * fmpi_dsig_verify() sees to it itself. Return: 0, FMPI_REFUSED.
 */
int fmpi_dsig_check_size(const struct fmpi_signedinfo *s, struct fmp_inspection *v);

#endif
