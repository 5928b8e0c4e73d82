// SPDX-License-Identifier: GPL-2.0
#include "inspect/trust.h"

#include <errno.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CACHE_SIZE 64u
#define MAX_CHAIN  8

struct entry {
	uint8_t *der; /* the certificate */
	size_t len;
	EVP_PKEY *key; /* NULL: free */
	int64_t from_s, until_s; /* the whole chain is valid */
	uint64_t used; /* tick of the last hit; the smallest is evicted */
};

struct fmpi_trust {
	X509_STORE *store;
	struct entry cache[CACHE_SIZE];
	uint64_t tick, hits;
};

#define refuse(v, line, ...) fmpi_refuse(v, FMP_STEP_SIGNATURE, FMP_EVENT_TOKEN, line, __VA_ARGS__)

static int add_certificates(X509_STORE *store, BIO *in, const char *path, struct fmp_error *err)
{
	unsigned n = 0;
	X509 *cert;
	unsigned long e;

	while ((cert = PEM_read_bio_X509(in, NULL, NULL, NULL))) {
		int ok = X509_STORE_add_cert(store, cert);

		X509_free(cert);
		if (!ok)
			return fmp_error_set(err, FMP_ERR_NOMEM, "no memory for %s", path);
		n++;
	}
	e = ERR_peek_last_error();
	ERR_clear_error();
	if (ERR_GET_REASON(e) != PEM_R_NO_START_LINE)
		return fmp_error_at(err, FMP_ERR_SYNTAX, path, 0, 0,
				    "certificate %u of the file is not readable", n + 1);
	if (n == 0)
		return fmp_error_at(err, FMP_ERR_SYNTAX, path, 0, 0, "no PEM certificate in it");
	return 0;
}

int fmpi_trust_load(const char *path, struct fmpi_trust **out, struct fmp_error *err)
{
	struct fmpi_trust *t = calloc(1, sizeof(*t));
	X509_VERIFY_PARAM *param;
	BIO *in;
	int ret;

	*out = NULL;
	if (!t || !(t->store = X509_STORE_new())) {
		free(t);
		return fmp_error_set(err, FMP_ERR_NOMEM, "no memory for %s", path);
	}
	errno = 0;
	in = BIO_new_file(path, "r");
	if (!in) {
		ret = fmp_error_sys(err, FMP_ERR_IO, errno, "cannot read the CAs %s", path);
		ERR_clear_error();
		fmpi_trust_free(t);
		return ret;
	}
	ret = add_certificates(t->store, in, path, err);
	BIO_free(in);
	if (ret) {
		fmpi_trust_free(t);
		return ret;
	}
	/* Level 2: no key below 112 bits, no SHA-1, anywhere in a chain. */
	param = X509_STORE_get0_param(t->store);
	X509_VERIFY_PARAM_set_auth_level(param, 2);
	X509_VERIFY_PARAM_set_depth(param, MAX_CHAIN);
	/* What the file names is trusted, be it a root or an intermediate CA. */
	X509_VERIFY_PARAM_set_flags(param, X509_V_FLAG_PARTIAL_CHAIN);
	*out = t;
	return 0;
}

void fmpi_trust_free(struct fmpi_trust *t)
{
	if (!t)
		return;
	for (unsigned i = 0; i < CACHE_SIZE; i++) {
		EVP_PKEY_free(t->cache[i].key);
		free(t->cache[i].der);
	}
	X509_STORE_free(t->store);
	free(t);
}

uint64_t fmpi_trust_hits(const struct fmpi_trust *t)
{
	return t->hits;
}

static struct entry *find(struct fmpi_trust *t, const uint8_t *der, size_t len)
{
	for (unsigned i = 0; i < CACHE_SIZE; i++)
		if (t->cache[i].key && t->cache[i].len == len &&
		    memcmp(t->cache[i].der, der, len) == 0)
			return &t->cache[i];
	return NULL;
}

static struct entry *oldest(struct fmpi_trust *t)
{
	struct entry *e = &t->cache[0];

	for (unsigned i = 0; i < CACHE_SIZE; i++) {
		if (!t->cache[i].key)
			return &t->cache[i];
		if (t->cache[i].used < e->used)
			e = &t->cache[i];
	}
	return e;
}

static bool seconds(const ASN1_TIME *at, int64_t *s)
{
	struct tm tm;

	if (!ASN1_TIME_to_tm(at, &tm))
		return false;
	*s = timegm(&tm);
	return true;
}

/* The time in which every certificate of the chain is valid. */
static bool validity(STACK_OF(X509) * chain, int64_t *from, int64_t *until)
{
	*from = INT64_MIN;
	*until = INT64_MAX;
	for (int i = 0; i < sk_X509_num(chain); i++) {
		X509 *c = sk_X509_value(chain, i);
		int64_t a, b;

		if (!seconds(X509_get0_notBefore(c), &a) || !seconds(X509_get0_notAfter(c), &b))
			return false;
		if (a > *from)
			*from = a;
		if (b < *until)
			*until = b;
	}
	return true;
}

static bool usable_key(EVP_PKEY *key)
{
	char group[32];
	size_t n;

	if (EVP_PKEY_is_a(key, "RSA"))
		return EVP_PKEY_get_bits(key) >= 2048 && EVP_PKEY_get_bits(key) <= 8192;
	if (!EVP_PKEY_is_a(key, "EC") || !EVP_PKEY_get_group_name(key, group, sizeof(group), &n))
		return false;
	return strcmp(group, "prime256v1") == 0 || strcmp(group, "secp384r1") == 0 ||
	       strcmp(group, "secp521r1") == 0;
}

static int may_sign(X509 *cert, unsigned line, struct fmp_inspection *v)
{
	EVP_PKEY *key = X509_get0_pubkey(cert);

	if (X509_get_extension_flags(cert) & EXFLAG_CA)
		return refuse(v, line, "the certificate is a CA's");
	/* UINT32_MAX when it has no key usage: then it may. */
	if (!(X509_get_key_usage(cert) & (KU_DIGITAL_SIGNATURE | KU_NON_REPUDIATION)))
		return refuse(v, line, "the certificate's key usage does not allow signing");
	if (!key || !usable_key(key))
		return refuse(v, line, "the certificate's key is too weak or of an unknown kind");
	return 0;
}

static int verify_chain(struct fmpi_trust *t, X509 *cert, int64_t now_s, unsigned line,
			int64_t *from, int64_t *until, struct fmp_inspection *v)
{
	X509_STORE_CTX *ctx = X509_STORE_CTX_new();
	int ret = FMP_ERR_NOMEM;

	if (!ctx || !X509_STORE_CTX_init(ctx, t->store, cert, NULL))
		goto out;
	X509_STORE_CTX_set_time(ctx, 0, (time_t)now_s);
	if (X509_verify_cert(ctx) == 1) {
		ret = validity(X509_STORE_CTX_get0_chain(ctx), from, until)
			      ? 0
			      : refuse(v, line, "the certificate's validity is not readable");
		goto out;
	}
	ret = refuse(v, line, "certificate not trusted: %s",
		     X509_verify_cert_error_string(X509_STORE_CTX_get_error(ctx)));
out:
	X509_STORE_CTX_free(ctx);
	return ret;
}

int fmpi_trust_check(struct fmpi_trust *t, const uint8_t *der, size_t len, int64_t now_s,
		     unsigned line, EVP_PKEY **key, struct fmp_inspection *v)
{
	struct entry *e = find(t, der, len);
	int64_t from = 0, until = 0;
	const uint8_t *p = der;
	uint8_t *copy;
	X509 *cert;
	int ret;

	if (e && now_s >= e->from_s && now_s <= e->until_s) {
		t->hits++;
		e->used = ++t->tick;
		*key = e->key;
		return 0;
	}
	cert = d2i_X509(NULL, &p, (long)len);
	if (!cert || p != der + len) {
		ret = refuse(v, line, "the token is not an X.509 certificate");
		goto out;
	}
	ret = may_sign(cert, line, v);
	if (!ret)
		ret = verify_chain(t, cert, now_s, line, &from, &until, v);
	if (ret)
		goto out;

	copy = malloc(len);
	if (!copy) {
		ret = FMP_ERR_NOMEM;
		goto out;
	}
	if (!e)
		e = oldest(t);
	EVP_PKEY_free(e->key);
	free(e->der);
	e->der = memcpy(copy, der, len);
	e->len = len;
	e->key = X509_get_pubkey(cert);
	e->from_s = from;
	e->until_s = until;
	e->used = ++t->tick;
	*key = e->key;
out:
	X509_free(cert);
	ERR_clear_error();
	return ret;
}
