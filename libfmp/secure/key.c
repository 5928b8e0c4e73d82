// SPDX-License-Identifier: GPL-2.0
#include "secure/key.h"

#include <errno.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <string.h>
#include <xmlsec/openssl/evp.h>

#include "inspect/pem.h"
#include "inspect/trust.h"

/* Nobody sits in front of a daemon to type a passphrase. */
static int no_passphrase(char *buf, int size, int writing, void *ctx)
{
	return -1;
}

static int read_key(const char *path, EVP_PKEY **out, struct fmp_error *err)
{
	BIO *in;
	int ret = 0;

	errno = 0;
	in = BIO_new_file(path, "r");
	if (!in)
		ret = fmp_error_sys(err, FMP_ERR_IO, errno, "cannot read the key %s", path);
	*out = in ? PEM_read_bio_PrivateKey(in, NULL, no_passphrase, NULL) : NULL;
	if (in && !*out)
		ret = fmp_error_at(err, FMP_ERR_SYNTAX, path, 0, 0,
				   "no PEM private key without a passphrase in it");
	BIO_free(in);
	ERR_clear_error();
	return ret;
}

/* The first of the file is the key's own; what stands behind it is of no use to who trusts our CA. */
static int take_first(X509 *cert, void *ctx, const char *path, struct fmp_error *err)
{
	X509 **first = ctx;

	if (!*first && X509_up_ref(cert))
		*first = cert;
	return 0;
}

static int check(const struct fmp_policy_answers *a, EVP_PKEY *key, X509 *cert,
		 struct fmp_error *err)
{
	bool ec = a->sign == FMP_SIGN_ECDSA_SHA256 || a->sign == FMP_SIGN_ECDSA_SHA384;

	if (!EVP_PKEY_is_a(key, ec ? "EC" : "RSA"))
		return fmp_error_at(err, FMP_ERR_INVALID, a->key, 0, 0,
				    "%s needs another kind of key", fmp_signing_name(a->sign));
	if (!fmpi_key_usable(key))
		return fmp_error_at(err, FMP_ERR_INVALID, a->key, 0, 0,
				    "neither RSA of 2048 to 8192 bits nor EC on P-256, P-384, "
				    "P-521");
	if (X509_check_private_key(cert, key) != 1)
		return fmp_error_at(err, FMP_ERR_INVALID, a->certificate, 0, 0,
				    "the certificate is of another key than %s", a->key);
	/* All bits where it has none. */
	if (!(X509_get_key_usage(cert) & (KU_DIGITAL_SIGNATURE | KU_NON_REPUDIATION)))
		return fmp_error_at(err, FMP_ERR_INVALID, a->certificate, 0, 0,
				    "the certificate's key usage does not allow signing");
	return 0;
}

/* Takes the key over if it is good. */
static int wrap(EVP_PKEY *key, X509 *cert, struct fmpi_signkey *out, struct fmp_error *err)
{
	xmlSecKeyDataPtr data = NULL;

	out->der_len = i2d_X509(cert, &out->der);
	out->key = out->der_len > 0 ? xmlSecKeyCreate() : NULL;
	if (out->key && EVP_PKEY_up_ref(key)) {
		data = xmlSecOpenSSLEvpKeyAdopt(key);
		if (!data)
			EVP_PKEY_free(key);
	}
	if (data && xmlSecKeySetValue(out->key, data) == 0)
		return 0;
	if (data)
		xmlSecKeyDataDestroy(data);
	return fmp_error_set(err, FMP_ERR_NOMEM, "no memory for the key of answers");
}

int fmpi_signkey_load(const struct fmp_policy_answers *a, struct fmpi_signkey *out,
		      struct fmp_error *err)
{
	EVP_PKEY *key = NULL;
	X509 *cert = NULL;
	int ret = read_key(a->key, &key, err);

	*out = (struct fmpi_signkey){ .method = a->sign };
	if (!ret)
		ret = fmpi_pem_certificates(a->certificate, take_first, &cert, err);
	if (!ret && !cert)
		ret = fmp_error_set(err, FMP_ERR_NOMEM, "no memory for %s", a->certificate);
	if (!ret)
		ret = check(a, key, cert, err);
	if (!ret)
		ret = wrap(key, cert, out, err);
	if (ret)
		fmpi_signkey_clear(out);
	EVP_PKEY_free(key);
	X509_free(cert);
	ERR_clear_error();
	return ret;
}

void fmpi_signkey_clear(struct fmpi_signkey *k)
{
	if (k->key)
		xmlSecKeyDestroy(k->key);
	OPENSSL_free(k->der);
	*k = (struct fmpi_signkey){ 0 };
}
