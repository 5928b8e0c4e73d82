/* SPDX-License-Identifier: GPL-2.0 */
/* Files of certificates and revocation lists. */
#ifndef FMPI_INSPECT_PEM_H
#define FMPI_INSPECT_PEM_H

#include <fmp/error.h>
#include <openssl/x509.h>

/**
 * fmpi_pem_certificates() - each certificate of a PEM file, at least one
 * @take: keeps the certificate only by a reference of its own; what it returns ends the reading
 *
 * Return: 0; FMP_ERR_IO; FMP_ERR_SYNTAX; FMP_ERR_NOTFOUND: none in it; or what take returned.
 */
int fmpi_pem_certificates(const char *path,
			  int (*take)(X509 *cert, void *ctx, const char *path,
				      struct fmp_error *err),
			  void *ctx, struct fmp_error *err);

/** fmpi_pem_crls() - the same with revocation lists. */
int fmpi_pem_crls(const char *path,
		  int (*take)(X509_CRL *crl, void *ctx, const char *path, struct fmp_error *err),
		  void *ctx, struct fmp_error *err);

#endif
