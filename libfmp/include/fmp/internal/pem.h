/* SPDX-License-Identifier: GPL-2.0 */
/* PEM files: certificates, CRLs and private keys. */
#ifndef FMP_PEM_H
#define FMP_PEM_H

#include <fmp/inspect.h>
#include <openssl/x509.h>

/**
 * fmp_pem_certificates() - pass each certificate of a PEM file to add(); there must be at least one
 * @add: takes its own reference to keep a certificate; a result other than 0 ends the reading
 *
 * Return: 0; FMP_ERR_IO; FMP_ERR_SYNTAX; FMP_ERR_NOTFOUND: none in it; or what add() returned.
 */
int fmp_pem_certificates(const char *path,
			 int (*add)(X509 *cert, void *ctx, const char *path, struct fmp_error *err),
			 void *ctx, struct fmp_error *err);

/**
 * fmp_pem_push() - an add() that pushes onto the STACK_OF(X509) that ctx is. Return: 0,
 * FMP_ERR_NOMEM.
 */
int fmp_pem_push(X509 *cert, void *ctx, const char *path, struct fmp_error *err);

/** fmp_pem_crls() - the same for CRLs. */
int fmp_pem_crls(const char *path,
		 int (*add)(X509_CRL *crl, void *ctx, const char *path, struct fmp_error *err),
		 void *ctx, struct fmp_error *err);

/** fmp_pem_key() - load a private key by keys->load(), or by fmp_key_load() if @keys is NULL. */
int fmp_pem_key(const struct fmp_key_source *keys, const char *path, enum fmp_key_use use,
		EVP_PKEY **out, struct fmp_error *err);

#endif
