/* SPDX-License-Identifier: GPL-2.0 */
/* Extended key usages that the certificates of signers must have (RFC 5280 4.2.1.12). */
#ifndef FMPI_X509_KEY_USAGE_H
#define FMPI_X509_KEY_USAGE_H

#include <fmp/error.h>
#include <openssl/x509.h>
#include <stdbool.h>

struct fmpi_key_usages;

/**
 * fmpi_key_usages_parse() - parse the purposes of a policy
 * @text: value of <gateway purpose>
 * @out: NULL: any purpose
 *
 * Return: 0, FMP_ERR_INVALID, FMP_ERR_NOMEM.
 */
int fmpi_key_usages_parse(const char *text, struct fmpi_key_usages **out, struct fmp_error *err);
void fmpi_key_usages_free(struct fmpi_key_usages *p);

/**
 * fmpi_key_usages_fit() - has the certificate one of them, or anyExtendedKeyUsage?
 * @p: NULL: any purpose, also none
 * @tls_only: out: all of its purposes are for TLS
 */
bool fmpi_key_usages_fit(const struct fmpi_key_usages *p, const X509 *cert, bool *tls_only);

#endif
