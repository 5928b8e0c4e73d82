// SPDX-License-Identifier: GPL-2.0
#include "cert_store.h"

#include <dirent.h>
#include <errno.h>
#include <openssl/bn.h>
#include <openssl/sha.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "xml/base64.h"
#include "x509/dn.h"
#include <fmp/internal/pem.h>

#define MAX_CERTIFICATES 1024u
#define MAX_SERIAL	 80 /* digits; RFC 5280 allows 20 bytes */
#define MAX_SKI		 128u /* Base64 of any identifier that is one */

struct stored_cert {
	X509 *cert;
	uint8_t *der;
	size_t len;
	uint8_t thumbprint[SHA_DIGEST_LENGTH];
};

struct fmpi_cert_store {
	struct stored_cert list[MAX_CERTIFICATES];
	size_t n;
};

#define refuse(v, key, ...) \
	fmpi_refuse(v, FMP_STEP_SIGNATURE, FMP_EVENT_TOKEN, fmpi_line((key)->node), __VA_ARGS__)

static int add_certificate(X509 *cert, void *ctx, const char *path, struct fmp_error *err)
{
	struct fmpi_cert_store *k = ctx;
	struct stored_cert *c = &k->list[k->n];
	int len;

	if (k->n == MAX_CERTIFICATES)
		return fmp_error_at(err, FMP_ERR_LIMIT, path, 0, 0, "more than %u certificates",
				    MAX_CERTIFICATES);
	len = i2d_X509(cert, &c->der);
	if (len <= 0 || !X509_up_ref(cert))
		return fmp_error_set(err, FMP_ERR_NOMEM, "no memory for %s", path);
	c->cert = cert;
	c->len = (size_t)len;
	SHA1(c->der, c->len, c->thumbprint);
	k->n++;
	return 0;
}

static bool is_certificate_file(const char *name)
{
	const char *dot = strrchr(name, '.');

	return dot && dot != name && (strcmp(dot, ".pem") == 0 || strcmp(dot, ".crt") == 0);
}

/* Return: NULL: no more entries, or an error in errno. */
static const struct dirent *next_entry(DIR *dir)
{
	errno = 0;
	return readdir(dir);
}

static int load_directory(const char *path, struct fmpi_cert_store *k, struct fmp_error *err)
{
	DIR *dir = opendir(path);
	const struct dirent *e;
	char file[4096];
	int ret = 0;

	if (!dir)
		return fmp_error_sys(err, FMP_ERR_IO, errno, "cannot read the directory %s", path);
	while (!ret && (e = next_entry(dir))) {
		if (!is_certificate_file(e->d_name))
			continue;
		if ((size_t)snprintf(file, sizeof(file), "%s/%s", path, e->d_name) >= sizeof(file))
			ret = fmp_error_set(err, FMP_ERR_LIMIT, "path too long: %.100s", path);
		else
			ret = fmp_pem_certificates(file, add_certificate, k, err);
		/* The directory may hold keys and CRLs too. */
		if (ret == FMP_ERR_NOTFOUND)
			ret = 0;
	}
	if (!ret && errno)
		ret = fmp_error_sys(err, FMP_ERR_IO, errno, "cannot read the directory %s", path);
	closedir(dir);
	if (!ret && k->n == 0)
		ret = fmp_error_at(err, FMP_ERR_NOTFOUND, path, 0, 0,
				   "no *.pem or *.crt with a certificate in it");
	return ret;
}

int fmpi_cert_store_load(const char *path, struct fmpi_cert_store **out, struct fmp_error *err)
{
	struct fmpi_cert_store *k = calloc(1, sizeof(*k));
	struct stat st;
	int ret;

	*out = NULL;
	if (!k)
		return fmp_error_set(err, FMP_ERR_NOMEM, "no memory for %s", path);
	if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
		ret = load_directory(path, k, err);
	else
		ret = fmp_pem_certificates(path, add_certificate, k, err);
	if (ret)
		fmpi_cert_store_free(k);
	else
		*out = k;
	return ret;
}

void fmpi_cert_store_free(struct fmpi_cert_store *k)
{
	if (!k)
		return;
	for (size_t i = 0; i < k->n; i++) {
		X509_free(k->list[i].cert);
		OPENSSL_free(k->list[i].der);
	}
	free(k);
}

/* The names of a KeyInfo, decoded once for all comparisons. */
struct wanted {
	enum fmpi_key_name name;
	uint8_t id[FMPI_BASE64_MAX(MAX_SKI)];
	size_t id_len;
	X509_NAME *issuer;
	ASN1_INTEGER *serial;
};

static int read_identifier(const struct fmpi_keyinfo *key, struct wanted *w,
			   struct fmp_inspection *v)
{
	size_t n = strlen(key->text);

	if (n > MAX_SKI || fmpi_base64_decode(key->text, n, w->id, &w->id_len) != 0 ||
	    w->id_len == 0)
		return refuse(v, key, "the KeyIdentifier is not Base64 of an identifier");
	return 0;
}

static int read_issuer_serial(const struct fmpi_keyinfo *key, struct wanted *w,
			      struct fmp_inspection *v)
{
	size_t n = strlen(key->serial);
	BIGNUM *bn = NULL;

	if (n == 0 || n > MAX_SERIAL || strspn(key->serial, "0123456789") != n)
		return refuse(v, key, "the X509SerialNumber is not a number");
	w->issuer = fmpi_dn_parse(key->text);
	if (!w->issuer)
		return refuse(v, key, "the X509IssuerName is not a name");
	if (BN_dec2bn(&bn, key->serial))
		w->serial = BN_to_ASN1_INTEGER(bn, NULL);
	BN_free(bn);
	return w->serial ? 0 : FMP_ERR_NOMEM;
}

static bool matches_certificate(const struct wanted *w, const struct stored_cert *c)
{
	const ASN1_OCTET_STRING *ski;

	switch (w->name) {
	case FMPI_KEY_THUMBPRINT:
		return w->id_len == sizeof(c->thumbprint) &&
		       memcmp(w->id, c->thumbprint, w->id_len) == 0;
	case FMPI_KEY_SKI:
		ski = X509_get0_subject_key_id(c->cert);
		return ski && (size_t)ASN1_STRING_length(ski) == w->id_len &&
		       memcmp(ASN1_STRING_get0_data(ski), w->id, w->id_len) == 0;
	case FMPI_KEY_ISSUER_SERIAL:
		return ASN1_INTEGER_cmp(X509_get0_serialNumber(c->cert), w->serial) == 0 &&
		       X509_NAME_cmp(X509_get_issuer_name(c->cert), w->issuer) == 0;
	default:
		return false;
	}
}

static bool is_valid_at(const X509 *cert, int64_t now_s)
{
	time_t now = (time_t)now_s;

	return X509_cmp_time(X509_get0_notBefore(cert), &now) < 0 &&
	       X509_cmp_time(X509_get0_notAfter(cert), &now) > 0;
}

int fmpi_cert_store_find(const struct fmpi_cert_store *k, const struct fmpi_keyinfo *key,
			 int64_t now_s, struct fmpi_certificate *out, struct fmp_inspection *v)
{
	struct wanted w = { .name = key->name };
	const struct stored_cert *found = NULL;
	int ret;

	if (!k)
		return refuse(v, key,
			      "the message names its certificate, but none are listed here");
	ret = key->name == FMPI_KEY_ISSUER_SERIAL ? read_issuer_serial(key, &w, v)
						  : read_identifier(key, &w, v);
	for (size_t i = 0; !ret && i < k->n; i++) {
		if (!matches_certificate(&w, &k->list[i]))
			continue;
		if (!found)
			found = &k->list[i];
		if (is_valid_at(k->list[i].cert, now_s)) {
			found = &k->list[i];
			break;
		}
	}
	X509_NAME_free(w.issuer);
	ASN1_INTEGER_free(w.serial);
	if (ret)
		return ret;
	if (!found)
		return refuse(v, key, "the certificate named is not listed here");
	*out = (struct fmpi_certificate){ .der = found->der, .len = found->len };
	return 0;
}
