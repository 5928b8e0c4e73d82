// SPDX-License-Identifier: GPL-2.0
#include "secure/key.h"

#include <openssl/err.h>
#include <openssl/x509v3.h>
#include <string.h>

#include <fmp/internal/pem.h>
#include <fmp/internal/key_strength.h>
#include "x509/trust.h"

/* The first certificate is the key's; clients that trust our CA do not need the chain. */
static int keep_first(X509 *cert, void *ctx, const char *path, struct fmp_error *err)
{
	X509 **first = ctx;

	if (!*first && X509_up_ref(cert))
		*first = cert;
	return 0;
}

/* Compare public keys: the private one may be in another process. */
static bool is_key_pair(X509 *cert, EVP_PKEY *key)
{
	uint8_t of_cert[FMPI_KEY_ID], of_key[FMPI_KEY_ID];
	EVP_PKEY *public = X509_get0_pubkey(cert);

	return public && fmpi_key_identify(public, of_cert) && fmpi_key_identify(key, of_key) &&
	       memcmp(of_cert, of_key, FMPI_KEY_ID) == 0;
}

static int check_key(const struct fmp_policy_answers *a, EVP_PKEY *key, X509 *cert,
		     struct fmp_error *err)
{
	bool ec = a->sign == FMP_SIGN_ECDSA_SHA256 || a->sign == FMP_SIGN_ECDSA_SHA384 ||
		  a->sign == FMP_SIGN_ECDSA_SHA512;

	if (!EVP_PKEY_is_a(key, a->sign == FMP_SIGN_ED25519 ? "ED25519" : ec ? "EC" : "RSA"))
		return fmp_error_at(err, FMP_ERR_INVALID, a->key, 0, 0,
				    "%s needs another kind of key", fmp_signing_name(a->sign));
	if (!fmp_key_is_usable(key))
		return fmp_error_at(err, FMP_ERR_INVALID, a->key, 0, 0,
				    "neither RSA of 2048 to 8192 bits nor EC on P-256, P-384, "
				    "P-521, nor Ed25519");
	if (!is_key_pair(cert, key))
		return fmp_error_at(err, FMP_ERR_INVALID, a->certificate, 0, 0,
				    "the certificate is of another key than %s", a->key);
	/* Without the extension all bits are set. */
	if (!(X509_get_key_usage(cert) & (KU_DIGITAL_SIGNATURE | KU_NON_REPUDIATION)))
		return fmp_error_at(err, FMP_ERR_INVALID, a->certificate, 0, 0,
				    "the certificate's key usage does not allow signing");
	return 0;
}

int fmpi_signkey_load(const struct fmp_policy_answers *a, const struct fmp_key_source *keys,
		      struct fmpi_signkey *out, struct fmp_error *err)
{
	EVP_PKEY *key = NULL;
	X509 *cert = NULL;
	int ret = fmp_pem_key(keys, a->key, FMP_KEY_SIGN, &key, err);

	*out = (struct fmpi_signkey){ .method = a->sign };
	if (!ret)
		ret = fmp_pem_certificates(a->certificate, keep_first, &cert, err);
	if (!ret && !cert)
		ret = fmp_error_set(err, FMP_ERR_NOMEM, "no memory for %s", a->certificate);
	if (!ret)
		ret = check_key(a, key, cert, err);
	if (!ret)
		out->der_len = i2d_X509(cert, &out->der);
	if (!ret && out->der_len <= 0)
		ret = fmp_error_set(err, FMP_ERR_NOMEM, "no memory for %s", a->certificate);
	if (ret)
		EVP_PKEY_free(key);
	else
		out->key = key;
	X509_free(cert);
	ERR_clear_error();
	return ret;
}

void fmpi_signkey_clear(struct fmpi_signkey *k)
{
	EVP_PKEY_free(k->key);
	OPENSSL_free(k->der);
	*k = (struct fmpi_signkey){ 0 };
}
