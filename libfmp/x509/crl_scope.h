/* SPDX-License-Identifier: GPL-2.0 */
/* The scope of a revocation list: which certificates of its issuer it is about (RFC 5280 5.2.5). */
#ifndef FMPI_X509_CRL_SCOPE_H
#define FMPI_X509_CRL_SCOPE_H

#include <fmp/error.h>
#include <openssl/x509v3.h>
#include <stdbool.h>

/**
 * fmpi_crl_scope_read()
 * @out: to be freed with ISSUING_DIST_POINT_free(); NULL: the list is about all that its issuer has signed
 *
 * Return: 0; FMP_ERR_INVALID: the list can't be taken at its word: it is indirect (RFC 5280 5.2.5: its entries
 * may be of other issuers), for some reasons or attribute certificates only, a delta, or has a
 * critical extension that is not known here; FMP_ERR_NOMEM.
 */
int fmpi_crl_scope_read(X509_CRL *crl, ISSUING_DIST_POINT **out, const char *path,
			struct fmp_error *err);

/**
 * fmpi_crl_scope_covers() - would this certificate stand on the list?
 * @scope: NULL: every certificate of the issuer would
 * @issuer: of list and certificate
 */
bool fmpi_crl_scope_covers(const ISSUING_DIST_POINT *scope, const X509_NAME *issuer,
			   const X509 *cert);

#endif
