/* SPDX-License-Identifier: GPL-2.0 */
/* The revocation lists of some CAs: which of them count, whom they revoke, and what is missing. */
#ifndef FMP_CRL_H
#define FMP_CRL_H

#include <fmp/error.h>
#include <openssl/x509.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * A list counts from when it begins until a newer one of its CA, for the same kind of certificates,
 * does; while none has begun, the newest of those to come counts. What it says of a certificate is
 * so, though it has ended; that signers are taken at all wants one of them that holds, be it an older one.
 */
struct fmp_crls;

/**
 * fmp_crls_load()
 * @path: PEM file
 * @cas: who may have signed them; borrowed for as long as the lists are there
 *
 * A list that none of them has signed is left out: anybody can have made it. Signatures are verified
 * here and never again.
 * Return: 0; FMP_ERR_IO, FMP_ERR_SYNTAX, FMP_ERR_NOTFOUND; FMP_ERR_INVALID: one that does not say when
 * it holds, or that does not tell all (crl_scope.h); FMP_ERR_NOMEM. With file:line of the list.
 */
int fmp_crls_load(const char *path, STACK_OF(X509) * cas, struct fmp_crls **out,
		  struct fmp_error *err);
void fmp_crls_free(struct fmp_crls *l);

/**
 * fmp_crls_check() - what they say of the first n certificates of a chain
 * @chain: each is signed by the next one: X509_verify_cert() has found it good
 *
 * Signatures come first, so that a forged certificate costs the same with lists as without. The lists' own
 * signatures were verified when they were read. A list that does not hold revokes all the same.
 *
 * Return: X509_V_OK; X509_V_ERR_CERT_REVOKED; the first error of fmp_is_crl_error(): it can't be told.
 */
int fmp_crls_check(const struct fmp_crls *l, STACK_OF(X509) * chain, int n, int64_t now_s);

/**
 * fmp_crls_next_change() - when a list begins for the first time after now_s, or ends if ends is set
 *
 * Return: INT64_MAX: never.
 */
int64_t fmp_crls_next_change(const struct fmp_crls *l, int64_t now_s, bool ends);

/**
 * fmp_crls_unrevoked() - the CAs without those that are revoked, and without those that only such have issued
 *
 * OpenSSL looks no further than at the CA that a chain ends with, and not at that (X509_V_FLAG_PARTIAL_CHAIN).
 * Return: caller frees it, not what is in it; NULL without memory.
 */
STACK_OF(X509) * fmp_crls_unrevoked(const struct fmp_crls *l, int64_t now_s);

/**
 * fmp_crls_missing() - does none hold now of a CA that issues signers, or one that nobody has signed?
 * @cas: of these CAs; one that issues another of them is not expected to issue signers
 * @out: which
 */
bool fmp_crls_missing(const struct fmp_crls *l, STACK_OF(X509) * cas, int64_t now_s,
		      struct fmp_error *out);

/** fmp_is_crl_error() - does this error tell of the lists, not of the certificate? */
bool fmp_is_crl_error(int error);

/** fmpi_asn1_seconds() - since 1970. Return: readable? */
bool fmpi_asn1_seconds(const ASN1_TIME *at, int64_t *s);

#endif
