/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Certificate revocation lists (CRLs) of a set of CAs: which are current, what they revoke, and
 * which are missing.
 */
#ifndef FMP_CRL_H
#define FMP_CRL_H

#include <fmp/error.h>
#include <openssl/x509.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * A CRL is current from its thisUpdate until a newer one of its CA, for the same scope, starts;
 * while none has started, the one that starts last is current. A revocation stays valid though its
 * CRL has expired. Signers are accepted only while one CRL is within its validity, which may be an
 * older one.
 */
struct fmp_crls;

/**
 * fmp_crls_load() - load CRLs and verify their signatures
 * @path: PEM file
 * @cas: possible issuers; borrowed while the CRLs exist
 *
 * Signatures are verified here and never again. A CRL that none of the CAs has signed is ignored until
 * a chain brings a CA that has: anybody can have made it.
 * Return: 0; FMP_ERR_IO, FMP_ERR_SYNTAX, FMP_ERR_NOTFOUND; FMP_ERR_INVALID: a CRL without validity
 * dates, or one that is incomplete (crl_scope.h); FMP_ERR_NOMEM. With file:line of the CRL.
 */
int fmp_crls_load(const char *path, STACK_OF(X509) * cas, struct fmp_crls **out,
		  struct fmp_error *err);
void fmp_crls_free(struct fmp_crls *l);

/**
 * fmp_crls_check() - are the first n certificates of a chain revoked?
 * @chain: verified by X509_verify_cert(): each certificate is signed by the next one
 *
 * The chain is verified first, so that a forged certificate costs the same with CRLs as without. An
 * expired CRL revokes all the same. CAs of the chain that are not in the file (PKIPath, TLS) claim their
 * CRLs here, once.
 *
 * Return: X509_V_OK; X509_V_ERR_CERT_REVOKED; else the first error of fmp_is_crl_error(): unknown.
 */
int fmp_crls_check(struct fmp_crls *l, STACK_OF(X509) * chain, int n, int64_t now_s);

/**
 * fmp_crls_next_change() - when the next CRL after now_s starts, or, if ends is set, expires
 *
 * Return: INT64_MAX: never.
 */
int64_t fmp_crls_next_change(const struct fmp_crls *l, int64_t now_s, bool ends);

/**
 * fmp_crls_unrevoked() - the CAs without revoked ones, and without those issued only by such
 *
 * OpenSSL checks revocation no further than the CA that ends a chain, and not of that one
 * (X509_V_FLAG_PARTIAL_CHAIN).
 * Return: the caller frees the stack, not the certificates; NULL: out of memory.
 */
STACK_OF(X509) * fmp_crls_unrevoked(const struct fmp_crls *l, int64_t now_s);

/**
 * fmp_crls_missing() - has a CA that issues signers no valid CRL now, or is a CRL ignored?
 * @cas: the CAs to check; one that has issued another of them is not expected to issue signers
 * @out: which
 */
bool fmp_crls_missing(const struct fmp_crls *l, STACK_OF(X509) * cas, int64_t now_s,
		      struct fmp_error *out);

/** fmp_is_crl_error() - is this error about the CRLs, not about the certificate? */
bool fmp_is_crl_error(int error);

/** fmpi_asn1_seconds() - seconds since 1970. Return: false: not a valid time. */
bool fmpi_asn1_seconds(const ASN1_TIME *at, int64_t *s);

#endif
