/* SPDX-License-Identifier: GPL-2.0 */
/* The key that signs replies, and its certificate. */
#ifndef FMPI_SECURE_KEY_H
#define FMPI_SECURE_KEY_H

#include <fmp/inspect.h>
#include <fmp/policy.h>
#include <openssl/evp.h>

/** struct fmpi_signkey - starts as all 0 */
struct fmpi_signkey {
	enum fmp_signing method;
	EVP_PKEY *key;
	unsigned char *der; /**< of the certificate; OpenSSL's */
	int der_len;
};

/**
 * fmpi_signkey_load() - read key and certificate, which must match each other and the method
 *
 * Return: 0, FMP_ERR_IO, FMP_ERR_SYNTAX, FMP_ERR_NOTFOUND, FMP_ERR_INVALID, FMP_ERR_NOMEM.
 */
int fmpi_signkey_load(const struct fmp_policy_answers *a, const struct fmp_key_source *keys,
		      struct fmpi_signkey *out, struct fmp_error *err);
void fmpi_signkey_clear(struct fmpi_signkey *k);

#endif
