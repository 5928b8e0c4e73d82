/* SPDX-License-Identifier: GPL-2.0 */
/* Files of certificates, revocation lists, keys. */
#ifndef FMP_PEM_H
#define FMP_PEM_H

#include <fmp/inspect.h>
#include <openssl/x509.h>

/**
 * fmp_pem_certificates() - each certificate of a PEM file, at least one
 * @take: keeps the certificate only by a reference of its own; what it returns ends the reading
 *
 * Return: 0; FMP_ERR_IO; FMP_ERR_SYNTAX; FMP_ERR_NOTFOUND: none in it; or what take returned.
 */
int fmp_pem_certificates(const char *path,
			 int (*add)(X509 *cert, void *ctx, const char *path, struct fmp_error *err),
			 void *ctx, struct fmp_error *err);

/** fmp_pem_push() - a take for that: each onto the STACK_OF(X509) that ctx is. Return: 0, FMP_ERR_NOMEM. */
int fmp_pem_push(X509 *cert, void *ctx, const char *path, struct fmp_error *err);

/** fmp_pem_crls() - the same with revocation lists. */
int fmp_pem_crls(const char *path,
		 int (*add)(X509_CRL *crl, void *ctx, const char *path, struct fmp_error *err),
		 void *ctx, struct fmp_error *err);

/** fmp_pem_key() - a private key, as fmp_key_load(), by who reads keys; @keys NULL: that one. */
int fmp_pem_key(const struct fmp_key_source *keys, const char *path, enum fmp_key_use use,
		EVP_PKEY **out, struct fmp_error *err);

#endif
