/* SPDX-License-Identifier: GPL-2.0 */
/*
 * XML-DSig as most signers use it: our canonicalization, OpenSSL's digests and keys. What is not
 * supported here is left to signature.c, which uses xmlsec1; what is, gets the verdict that
 * xmlsec1 would give. tests/fuzz/fuzz_verdict.c compares the two.
 */
#ifndef FMPI_WSS_DSIG_H
#define FMPI_WSS_DSIG_H

#include <openssl/evp.h>

#include "signedinfo.h"

struct fmpi_dsig;

/** fmpi_dsig_new() - allocate contexts and memory that messages reuse. NULL: no memory. */
struct fmpi_dsig *fmpi_dsig_new(void);
void fmpi_dsig_free(struct fmpi_dsig *d);

/**
 * fmpi_dsig_verify() - as fmpi_signature_verify()
 *
 * Return: also FMP_ERR_UNSUPPORTED, without a verdict: xmlsec1 must verify.
 */
int fmpi_dsig_verify(struct fmpi_dsig *d, const xmlNode *signature, const struct fmpi_signedinfo *s,
		     EVP_PKEY *key, struct fmpi_signed_bytes *out, struct fmp_inspection *v);

/**
 * fmpi_dsig_verify_value() - verify the SignatureValue, not the digests
 *
 * RSA-PSS too. The last verified value is kept: fmpi_dsig_verify() with the same contexts does not
 * verify it again. Return: 0, FMPI_REFUSED, FMP_ERR_NOMEM.
 */
int fmpi_dsig_verify_value(struct fmpi_dsig *d, const xmlNode *signature,
			   const struct fmpi_signedinfo *s, EVP_PKEY *key,
			   struct fmp_inspection *v);

/** Longest secret of an HMAC: a block of SHA-256. */
#define FMPI_HMAC_KEY_MAX 64

/**
 * struct fmpi_hmac_key - finds the secret of an HMAC
 * @get: called when everything that is cheaper has passed: it may use a private key
 *
 * @get returns 0, FMPI_REFUSED, or a code; a secret that can't be found is replaced by a random one.
 */
struct fmpi_hmac_key {
	int (*get)(void *ctx, uint8_t out[FMPI_HMAC_KEY_MAX], size_t *len,
		   struct fmp_inspection *v);
	void *ctx;
};

/** fmpi_dsig_verify_hmac() - as fmpi_dsig_verify(), of an HMAC. It is never left to xmlsec1. */
int fmpi_dsig_verify_hmac(struct fmpi_dsig *d, const xmlNode *signature,
			  const struct fmpi_signedinfo *s, const struct fmpi_hmac_key *secret,
			  struct fmpi_signed_bytes *out, struct fmp_inspection *v);

/** fmpi_dsig_verify_hmac_value() - as fmpi_dsig_verify_value(), of an HMAC; nothing is kept */
int fmpi_dsig_verify_hmac_value(struct fmpi_dsig *d, const xmlNode *signature,
				const struct fmpi_signedinfo *s, const struct fmpi_hmac_key *secret,
				struct fmp_inspection *v);

/** fmpi_dsig_is_needed() - is it a form that xmlsec1 doesn't support: Ed25519, STR-Transform? */
bool fmpi_dsig_is_needed(const struct fmpi_signedinfo *s);

/**
 * fmpi_dsig_check_size() - do the canonical forms fit into s->budget?
 *
 * fmpi_dsig_verify() does this itself. Return: 0, FMPI_REFUSED.
 */
int fmpi_dsig_check_size(const struct fmpi_signedinfo *s, struct fmp_inspection *v);

#endif
