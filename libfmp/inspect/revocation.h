/* SPDX-License-Identifier: GPL-2.0 */
/* The revocation lists of some CAs: which of them count, whom they revoke, and what is missing. */
#ifndef FMPI_INSPECT_REVOCATION_H
#define FMPI_INSPECT_REVOCATION_H

#include <fmp/error.h>
#include <openssl/x509.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * A list counts from when it begins until a newer one of its CA, for the same kind of certificates,
 * does; while none has begun, the newest of those to come counts. What it says of a certificate is
 * so, though it has ended; that signers are taken at all wants one of them that holds, be it an older one.
 */
struct fmpi_lists;

/**
 * fmpi_lists_load()
 * @path: PEM file
 * @cas: who may have signed them; borrowed for as long as the lists are there
 *
 * A list that none of them has signed is left out: anybody can have made it.
 * Return: 0; FMP_ERR_IO, FMP_ERR_SYNTAX, FMP_ERR_NOTFOUND; FMP_ERR_INVALID: one that does not say when
 * it holds, or tells changes only; FMP_ERR_NOMEM.
 */
int fmpi_lists_load(const char *path, STACK_OF(X509) * cas, struct fmpi_lists **out,
		    struct fmp_error *err);
void fmpi_lists_free(struct fmpi_lists *l);

/**
 * fmpi_lists_asked() - for X509_STORE_set_lookup_crls(): those that count of who issued what is looked at
 *
 * Return: caller frees it and each; NULL without memory.
 */
STACK_OF(X509_CRL) *
	fmpi_lists_asked(const struct fmpi_lists *l, const X509_STORE_CTX *ctx, int64_t now_s);

/**
 * fmpi_lists_pass_over() - for a callback of verification: what is wrong with lists is no end of it
 * @ok: as it was called
 * @unlisted: the first of these errors, unless there is one already; 0: none yet
 *
 * Lists are looked at before signatures and times are: what else is wrong with a certificate is still
 * to be found, so that a forged one does not pass for a good one, nor one of the future for a bad one.
 * So is whether a list that does not hold revokes it. One that has ended is no error while an older
 * one holds in its place. Return: go on?
 */
int fmpi_lists_pass_over(const struct fmpi_lists *l, int ok, X509_STORE_CTX *ctx, int64_t now_s,
			 int *unlisted);

/**
 * fmpi_lists_change() - when a list begins for the first time after now_s, or ends if ends is set
 *
 * Return: INT64_MAX: never.
 */
int64_t fmpi_lists_change(const struct fmpi_lists *l, int64_t now_s, bool ends);

/**
 * fmpi_lists_unrevoked() - the CAs without those that are revoked, and without those that only such have issued
 *
 * OpenSSL looks no further than at the CA that a chain ends with, and not at that (X509_V_FLAG_PARTIAL_CHAIN).
 * Return: caller frees it, not what is in it; NULL without memory.
 */
STACK_OF(X509) * fmpi_lists_unrevoked(const struct fmpi_lists *l, int64_t now_s);

/**
 * fmpi_lists_want() - does none hold now of a CA that issues signers, or one that nobody has signed?
 * @cas: of these CAs; one that issues another of them is not expected to issue signers
 * @out: which
 */
bool fmpi_lists_want(const struct fmpi_lists *l, STACK_OF(X509) * cas, int64_t now_s,
		     struct fmp_error *out);

/** fmpi_is_of_lists() - does this error of X509_verify_cert() tell of the lists, not of the certificate? */
bool fmpi_is_of_lists(int error);

/** fmpi_asn1_seconds() - since 1970. Return: readable? */
bool fmpi_asn1_seconds(const ASN1_TIME *at, int64_t *s);

#endif
