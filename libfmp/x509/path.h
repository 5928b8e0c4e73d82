/* SPDX-License-Identifier: GPL-2.0 */
/* The certificates of one token: the signer's alone, or with those of CAs between it and a trusted one. */
#ifndef FMPI_X509_PATH_H
#define FMPI_X509_PATH_H

#include <openssl/x509.h>

#include "verdict/refuse.h"

/** Most certificates of a token: the signer's and those of four CAs. */
#define FMPI_PATH_MAX 5
/** Most bytes of them. */
#define FMPI_PATH_DER 32768u

/** What a token holds. */
enum fmpi_path_kind {
	FMPI_PATH_ONE, /**< the signer's certificate */
	FMPI_PATH_ANY_ORDER, /**< those of CAs in any order, the signer's behind them */
	FMPI_PATH_ORDERED, /**< each is issued by the one in front of it */
};

/** struct fmpi_path - starts zeroed; for fmpi_path_clear() */
struct fmpi_path {
	X509 *signer;
	size_t signer_at, signer_len; /**< its place in the bytes */
	STACK_OF(X509) * between; /**< certificates of CAs; NULL: none */
};

/**
 * fmpi_path_open() - find the certificates of an X509PKIPathv1, which is a SEQUENCE OF Certificate
 *
 * @der, @len: in: the token, out: its certificates. Return: false: it is not one.
 */
bool fmpi_path_open(const uint8_t **der, size_t *len);

/**
 * fmpi_path_read() - decode the certificates of a token
 * @der: one behind the other, the signer's as the last; @len: bytes of all
 *
 *
 * A certificate that stands twice, and one of a CA whose key is weak or costly, are refused. Return: 0,
 * FMPI_REFUSED, FMP_ERR_NOMEM; for fmpi_path_clear() in any case.
 */
int fmpi_path_read(const uint8_t *der, size_t len, enum fmpi_path_kind kind, unsigned line,
		   struct fmpi_path *out, struct fmp_inspection *v);
void fmpi_path_clear(struct fmpi_path *p);

/** struct fmpi_names - of a certificate; starts zeroed; for fmpi_names_clear() */
struct fmpi_names {
	X509_NAME *issuer, *subject;
};

/**
 * fmpi_names_read() - read the names of a certificate without decoding it
 *
 * Decoding costs as much as verifying a signature, because of the key.
 * @der: moved behind the certificate. Return: false: it is none. For fmpi_names_clear() in any case.
 */
bool fmpi_names_read(const uint8_t **der, const uint8_t *end, struct fmpi_names *out);
void fmpi_names_clear(struct fmpi_names *n);

#endif
