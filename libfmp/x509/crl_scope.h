/* SPDX-License-Identifier: GPL-2.0 */
/* Scope of a CRL: which certificates of its issuer it covers (RFC 5280 5.2.5). */
#ifndef FMPI_X509_CRL_SCOPE_H
#define FMPI_X509_CRL_SCOPE_H

#include <fmp/error.h>
#include <openssl/x509v3.h>
#include <stdbool.h>

/**
 * fmpi_crl_scope_read() - read the scope of a CRL, and refuse a CRL that is incomplete
 * @out: free it with ISSUING_DIST_POINT_free(); NULL: the CRL covers all certificates of its issuer
 *
 * Return: 0; FMP_ERR_INVALID: the CRL is indirect (RFC 5280 5.2.5: its entries may be of other
 * issuers), a delta, for some reasons or attribute certificates only, or has a critical extension
 * that is not supported; FMP_ERR_NOMEM.
 */
int fmpi_crl_scope_read(X509_CRL *crl, ISSUING_DIST_POINT **out, const char *path,
			struct fmp_error *err);

/**
 * fmpi_crl_scope_covers() - does the scope of the CRL include this certificate?
 * @scope: NULL: it includes every certificate of the issuer
 * @issuer: of CRL and certificate
 */
bool fmpi_crl_scope_covers(const ISSUING_DIST_POINT *scope, const X509_NAME *issuer,
			   const X509 *cert);

#endif
