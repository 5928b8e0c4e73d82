/* SPDX-License-Identifier: GPL-2.0 */
/* Trusted issuers of assertions, and the keys that they confirm. */
#ifndef FMPI_SAML_SAML_ISSUER_H
#define FMPI_SAML_SAML_ISSUER_H

#include "wss/dsig.h"
#include "saml.h"
#include "x509/trust.h"

struct fmpi_issuers;

/**
 * fmpi_issuers_load() - read each issuer with CAs of its own: none can sign in another's name
 *
 * Return: 0 or what fmpi_trust_load() returns.
 */
int fmpi_issuers_load(const struct fmp_policy_saml *saml, struct fmpi_issuers **out,
		      struct fmp_error *err);
void fmpi_issuers_free(struct fmpi_issuers *s);

/**
 * fmpi_issuers_verify() - verify that the named issuer has signed it
 * @dsig: NULL: xmlsec1 verifies
 * @allowed: algorithms that the policy allows
 * @budget: for its canonical form, fmpi_c14n_budget()
 *
 * What is verified is a->node, all of it but a->signature. Return: 0, FMPI_REFUSED,
 * FMP_ERR_NOMEM.
 */
int fmpi_issuers_verify(struct fmpi_issuers *s, struct fmpi_dsig *dsig,
			const struct fmp_policy_algorithms *allowed, const struct fmpi_assertion *a,
			int64_t now_s, size_t budget, struct fmp_inspection *v);

/** fmpi_issuers_lookup_holder() - find the holder's key if an issuer has confirmed it before. Return: found? */
bool fmpi_issuers_lookup_holder(struct fmpi_issuers *s, const struct fmpi_assertion *a,
				struct fmpi_signer *out);

/**
 * fmpi_issuers_load_holder() - load the holder's key, or find it in the cache
 * @a: with the texts of its key
 *
 * Call it only after the assertion is verified: nothing but the issuer vouches for the key. Return: 0, FMPI_REFUSED,
 * FMP_ERR_NOMEM.
 */
int fmpi_issuers_load_holder(struct fmpi_issuers *s, const struct fmpi_assertion *a,
			     struct fmpi_signer *out, struct fmp_inspection *v);

#endif
