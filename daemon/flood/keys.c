// SPDX-License-Identifier: GPL-2.0
#include "keys.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509_vfy.h>

#define RSA_MAX_BITS 8192

/* Never ask for a passphrase on the terminal. */
static int refuse_passphrase(char *buf, int size, int rwflag, void *ctx)
{
	return -1;
}

static FILE *open_pem(const char *path, struct fmp_error *err)
{
	FILE *f = fopen(path, "re");

	if (!f)
		(void)fmp_error_sys(err, FMP_ERR_IO, errno, "%s", path);
	return f;
}

static int load_key(const char *path, EVP_PKEY **out, struct fmp_error *err)
{
	FILE *f = open_pem(path, err);

	if (!f)
		return FMP_ERR_IO;
	*out = PEM_read_PrivateKey(f, NULL, refuse_passphrase, NULL);
	(void)fclose(f);
	ERR_clear_error();
	return *out ? 0
		    : fmp_error_set(err, FMP_ERR_INVALID,
				    "%s: no PEM private key (or one with a passphrase)", path);
}

static int load_cert(const char *path, X509 **out, struct fmp_error *err)
{
	FILE *f = open_pem(path, err);

	if (!f)
		return FMP_ERR_IO;
	*out = PEM_read_X509(f, NULL, refuse_passphrase, NULL);
	(void)fclose(f);
	ERR_clear_error();
	return *out ? 0 : fmp_error_set(err, FMP_ERR_INVALID, "%s: no PEM certificate", path);
}

static int self_sign(struct flood_keys *k, struct fmp_error *err)
{
	X509 *x = X509_new();
	X509_NAME *name;

	k->cert = x;
	k->key = EVP_EC_gen("P-256");
	if (!x || !k->key)
		goto fail;
	name = X509_get_subject_name(x);
	if (X509_set_version(x, 2) != 1 || ASN1_INTEGER_set(X509_get_serialNumber(x), 1) != 1 ||
	    !X509_gmtime_adj(X509_getm_notBefore(x), -3600) ||
	    !X509_gmtime_adj(X509_getm_notAfter(x), 86400) || X509_set_pubkey(x, k->key) != 1 ||
	    X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC,
				       (const unsigned char *)"fmp-flood, trusted by nobody", -1,
				       -1, 0) != 1 ||
	    X509_set_issuer_name(x, name) != 1 || X509_sign(x, k->key, EVP_sha256()) <= 0)
		goto fail;
	return 0;
fail:
	return fmp_error_set(err, FMP_ERR_NOMEM, "cannot make a self-signed certificate");
}

static int check_key_type(struct flood_keys *k, struct fmp_error *err)
{
	EVP_PKEY *public = X509_get0_pubkey(k->cert);
	char group[32] = "";
	size_t len;

	if (!public)
		return fmp_error_set(err, FMP_ERR_INVALID, "certificate: unknown kind of key");
	if (EVP_PKEY_get_base_id(public) == EVP_PKEY_RSA &&
	    EVP_PKEY_get_bits(public) <= RSA_MAX_BITS) {
		k->size = EVP_PKEY_get_size(public);
		return 0;
	}
	if (EVP_PKEY_get_base_id(public) == EVP_PKEY_EC &&
	    EVP_PKEY_get_group_name(public, group, sizeof(group), &len) == 1 &&
	    !strcmp(group, "prime256v1")) {
		k->ec = true;
		return 0;
	}
	return fmp_error_set(err, FMP_ERR_INVALID, "certificate: its key is neither RSA nor P-256");
}

static int check_issuer(X509 *cert, const char *ca, struct fmp_error *err)
{
	X509_STORE *store = X509_STORE_new();
	X509_STORE_CTX *ctx = X509_STORE_CTX_new();
	int rc;

	if (!store || !ctx)
		rc = fmp_error_set(err, FMP_ERR_NOMEM, "no memory to check the certificate");
	else if (X509_STORE_load_file(store, ca) != 1)
		rc = fmp_error_set(err, FMP_ERR_INVALID, "%s: no PEM certificates", ca);
	else if (X509_STORE_CTX_init(ctx, store, cert, NULL) != 1)
		rc = fmp_error_set(err, FMP_ERR_NOMEM, "no memory to check the certificate");
	else if (X509_verify_cert(ctx) != 1)
		rc = fmp_error_set(err, FMP_ERR_INVALID, "%s did not issue the certificate: %s", ca,
				   X509_verify_cert_error_string(X509_STORE_CTX_get_error(ctx)));
	else
		rc = 0;
	X509_STORE_CTX_free(ctx);
	X509_STORE_free(store);
	ERR_clear_error();
	return rc;
}

int flood_keys_load(struct flood_keys *k, const char *key, const char *cert, const char *ca,
		    struct fmp_error *err)
{
	int rc;

	memset(k, 0, sizeof(*k));
	if (key && !cert)
		return fmp_error_set(err, FMP_ERR_INVALID, "a key needs its certificate");
	if (!cert)
		rc = self_sign(k, err);
	else
		rc = load_cert(cert, &k->cert, err);
	if (!rc)
		rc = check_key_type(k, err);
	if (!rc && key)
		rc = load_key(key, &k->key, err);
	if (!rc && k->key && X509_check_private_key(k->cert, k->key) != 1) {
		ERR_clear_error();
		rc = fmp_error_set(err, FMP_ERR_INVALID, "%s does not belong to %s", key, cert);
	}
	if (!rc && ca && cert)
		rc = check_issuer(k->cert, ca, err);
	if (rc)
		flood_keys_clear(k);
	return rc;
}

void flood_keys_clear(struct flood_keys *k)
{
	EVP_PKEY_free(k->key);
	X509_free(k->cert);
	memset(k, 0, sizeof(*k));
}
