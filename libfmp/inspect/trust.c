// SPDX-License-Identifier: GPL-2.0
#include "inspect/trust.h"

#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/rsa.h>
#include <openssl/sha.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/civil.h"
#include "inspect/pem.h"
#include "inspect/badcert.h"
#include "inspect/revocation.h"

#define CACHE_SIZE 64u
#define MAX_CHAIN  8

struct entry {
	uint8_t *der; /* the certificate */
	size_t len;
	EVP_PKEY *key; /* NULL: free */
	uint8_t key_id[FMPI_KEY_ID];
	int64_t from_s, until_s; /* the whole chain is valid */
	uint64_t used; /* tick of the last hit; the smallest is evicted */
};

struct fmpi_trust {
	X509_STORE *store;
	char *crl; /* file of revocation lists; NULL: none */
	struct entry cache[CACHE_SIZE];
	struct fmpi_badcerts bad;
	uint64_t tick, hits, bad_hits;
};

#define refuse(v, line, ...) fmpi_refuse(v, FMP_STEP_SIGNATURE, FMP_EVENT_TOKEN, line, __VA_ARGS__)

static int add_certificate(X509 *cert, void *ctx, const char *path, struct fmp_error *err)
{
	struct fmpi_trust *t = ctx;

	if (!X509_STORE_add_cert(t->store, cert))
		return fmp_error_set(err, FMP_ERR_NOMEM, "no memory for %s", path);
	return 0;
}

static bool seconds(const ASN1_TIME *at, int64_t *s)
{
	struct tm tm;

	if (!at || !ASN1_TIME_to_tm(at, &tm))
		return false;
	*s = fmpi_civil_seconds(&tm);
	return true;
}

static int add_crl(X509_CRL *crl, void *ctx, const char *path, struct fmp_error *err)
{
	struct fmpi_trust *t = ctx;
	int64_t until;

	if (!seconds(X509_CRL_get0_nextUpdate(crl), &until))
		return fmp_error_at(err, FMP_ERR_INVALID, path, 0, 0,
				    "a revocation list does not say until when it holds");
	if (!X509_STORE_add_crl(t->store, crl))
		return fmp_error_set(err, FMP_ERR_NOMEM, "no memory for %s", path);
	return 0;
}

static int forget_revoked(struct fmpi_trust *t, const char *crl, struct fmp_error *err)
{
	X509_STORE *left = fmpi_unrevoked(t->store);

	t->crl = strdup(crl);
	if (!left || !t->crl) {
		X509_STORE_free(left);
		return fmp_error_set(err, FMP_ERR_NOMEM, "no memory for %s", crl);
	}
	X509_STORE_free(t->store);
	t->store = left;
	return 0;
}

static int load(struct fmpi_trust *t, const char *path, const char *crl, struct fmp_error *err)
{
	X509_VERIFY_PARAM *param;
	int ret = fmpi_pem_certificates(path, add_certificate, t, err);

	if (!ret && crl)
		ret = fmpi_pem_crls(crl, add_crl, t, err);
	if (!ret && crl)
		ret = forget_revoked(t, crl, err);
	param = X509_STORE_get0_param(t->store);
	/* Level 2: no key below 112 bits, no SHA-1, anywhere in a chain. */
	X509_VERIFY_PARAM_set_auth_level(param, 2);
	X509_VERIFY_PARAM_set_depth(param, MAX_CHAIN);
	/* What the file names is trusted, be it a root or an intermediate CA. */
	X509_VERIFY_PARAM_set_flags(param, X509_V_FLAG_PARTIAL_CHAIN);
	/* A chain ends at the first CA of the file, so there is one more in it that may be revoked: the signer's. */
	if (crl)
		X509_VERIFY_PARAM_set_flags(param, X509_V_FLAG_CRL_CHECK);
	return ret;
}

int fmpi_trust_load(const char *path, const char *crl, struct fmpi_trust **out,
		    struct fmp_error *err)
{
	struct fmpi_trust *t = calloc(1, sizeof(*t));
	int ret;

	*out = NULL;
	if (!t || !(t->store = X509_STORE_new())) {
		free(t);
		return fmp_error_set(err, FMP_ERR_NOMEM, "no memory for %s", path);
	}
	ret = load(t, path, crl, err);
	if (ret)
		fmpi_trust_free(t);
	else
		*out = t;
	return ret;
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
	free(t->crl);
	free(t);
}

bool fmpi_trust_unlisted(const struct fmpi_trust *t, int64_t now_s, struct fmp_error *out)
{
	X509 *ca;
	char name[128];
	bool old;

	ca = t->crl ? fmpi_unlisted_ca(t->store, now_s, &old) : NULL;
	if (!ca)
		return false;
	X509_NAME_oneline(X509_get_subject_name(ca), name, sizeof(name));
	fmp_error_at(out, FMP_ERR_NOTFOUND, t->crl, 0, 0,
		     old ? "the revocation list of %s is out of date: its signers are refused"
			 : "no revocation list of %s: its signers are refused",
		     name);
	return true;
}

uint64_t fmpi_trust_hits(const struct fmpi_trust *t)
{
	return t->hits;
}

uint64_t fmpi_trust_bad_hits(const struct fmpi_trust *t)
{
	return t->bad_hits;
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

bool fmpi_key_usable(EVP_PKEY *key)
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
	if (!key || !fmpi_key_usable(key))
		return refuse(v, line, "the certificate's key is too weak or of an unknown kind");
	return 0;
}

/* When a list begins to hold, or ceases to if that counts, for the first time after now_s. */
static int64_t lists_change(const struct fmpi_trust *t, int64_t now_s, bool ends)
{
	STACK_OF(X509_OBJECT) *objects = X509_STORE_get0_objects(t->store);
	int64_t first = INT64_MAX, at;

	for (int i = 0; i < sk_X509_OBJECT_num(objects); i++) {
		X509_CRL *crl = X509_OBJECT_get0_X509_CRL(sk_X509_OBJECT_value(objects, i));

		if (!crl)
			continue;
		if (seconds(X509_CRL_get0_lastUpdate(crl), &at) && at > now_s && at < first)
			first = at;
		if (ends && seconds(X509_CRL_get0_nextUpdate(crl), &at) && at > now_s && at < first)
			first = at;
	}
	return first;
}

/* When something that is not valid yet will be: the first of all there are. */
static int64_t next_valid(struct fmpi_trust *t, STACK_OF(X509) * chain, int64_t now_s)
{
	int64_t first = lists_change(t, now_s, false), at;

	for (int i = 0; i < sk_X509_num(chain); i++)
		if (seconds(X509_get0_notBefore(sk_X509_value(chain, i)), &at) && at > now_s &&
		    at < first)
			first = at;
	return first;
}

/* Return: NULL without memory. */
static X509_STORE_CTX *verification(struct fmpi_trust *t, X509 *cert, int64_t now_s)
{
	X509_STORE_CTX *ctx = X509_STORE_CTX_new();

	if (ctx && X509_STORE_CTX_init(ctx, t->store, cert, NULL)) {
		X509_STORE_CTX_set_time(ctx, 0, (time_t)now_s);
		return ctx;
	}
	X509_STORE_CTX_free(ctx);
	return NULL;
}

/*
 * Lists are looked at before signatures and times are, so that what else is wrong with a certificate
 * is still to be found: a forged one is not to pass for a good one, nor one of the future for a bad
 * one. Return: what OpenSSL says of it; X509_V_OK: nothing is wrong but the lists.
 */
static int error_but_for_lists(struct fmpi_trust *t, X509 *cert, int64_t now_s, bool *revoked)
{
	X509_STORE_CTX *ctx = verification(t, cert, now_s);
	int error = X509_V_OK;

	*revoked = false;
	if (!ctx)
		return X509_V_ERR_OUT_OF_MEM;
	X509_VERIFY_PARAM_clear_flags(X509_STORE_CTX_get0_param(ctx), X509_V_FLAG_CRL_CHECK);
	if (X509_verify_cert(ctx) != 1)
		error = X509_STORE_CTX_get_error(ctx);
	else
		*revoked = fmpi_is_revoked(t->store, cert,
					   sk_X509_value(X509_STORE_CTX_get0_chain(ctx), 1));
	X509_STORE_CTX_free(ctx);
	return error;
}

/* What a chain is found to be: its time, or when it may be worth another look. */
struct chain {
	int64_t from_s, until_s;
	int64_t again_s;
};

/* What OpenSSL calls good. It stays so until a list has something else to say of it. */
static int judge_good(struct fmpi_trust *t, X509_STORE_CTX *ctx, int64_t now_s, unsigned line,
		      struct chain *out, struct fmp_inspection *v)
{
	STACK_OF(X509) *chain = X509_STORE_CTX_get0_chain(ctx);
	int64_t change = lists_change(t, now_s, true);

	if (t->crl && sk_X509_num(chain) > 1 &&
	    fmpi_is_revoked_since(t->store, sk_X509_value(chain, 0), sk_X509_value(chain, 1),
				  now_s)) {
		out->again_s = lists_change(t, now_s, false);
		return refuse(v, line, "certificate not trusted: revoked on a list that is newer");
	}
	if (!validity(chain, &out->from_s, &out->until_s))
		return refuse(v, line, "the certificate's validity is not readable");
	if (out->until_s >= change)
		out->until_s = change - 1;
	return 0;
}

static int judge_bad(struct fmpi_trust *t, X509_STORE_CTX *ctx, int64_t now_s, unsigned line,
		     struct chain *out, struct fmp_inspection *v)
{
	int lists = X509_STORE_CTX_get_error(ctx), error = lists;
	bool revoked = false;

	if (fmpi_is_of_lists(lists)) {
		error = error_but_for_lists(t, X509_STORE_CTX_get0_cert(ctx), now_s, &revoked);
		if (error == X509_V_OK && !revoked) {
			/* The message is still to be what its signer has signed: for this moment it is good. */
			v->unlisted = lists;
			out->from_s = now_s;
			out->until_s = now_s - 1;
			return 0;
		}
	}
	out->again_s = next_valid(t, X509_STORE_CTX_get0_chain(ctx), now_s);
	/* Ours, not the certificate's. */
	if (error == X509_V_ERR_OUT_OF_MEM || error == X509_V_ERR_UNSPECIFIED)
		out->again_s = now_s;
	/* Who was revoked remains so, whatever the time is. */
	refuse(v, line, "certificate not trusted: %s",
	       X509_verify_cert_error_string(revoked ? lists : error));
	v->not_yet = error == X509_V_ERR_CERT_NOT_YET_VALID;
	return FMPI_REFUSED;
}

static int verify_chain(struct fmpi_trust *t, X509 *cert, int64_t now_s, unsigned line,
			struct chain *out, struct fmp_inspection *v)
{
	X509_STORE_CTX *ctx = verification(t, cert, now_s);
	int ret;

	if (!ctx)
		return FMP_ERR_NOMEM;
	ret = X509_verify_cert(ctx) == 1 ? judge_good(t, ctx, now_s, line, out, v)
					 : judge_bad(t, ctx, now_s, line, out, v);
	X509_STORE_CTX_free(ctx);
	return ret;
}

bool fmpi_key_identify(EVP_PKEY *key, uint8_t id[FMPI_KEY_ID])
{
	uint8_t *der = NULL;
	int n = i2d_PUBKEY(key, &der);

	if (n <= 0)
		return false;
	SHA256(der, (size_t)n, id);
	OPENSSL_free(der);
	return true;
}

static void answer(struct fmpi_trust *t, struct entry *e, struct fmpi_signer *out)
{
	e->used = ++t->tick;
	out->key = e->key;
	memcpy(out->id, e->key_id, sizeof(out->id));
	out->der = e->der;
	out->der_len = e->len;
}

/* Takes the place of e, or of the one longest unused. */
static int remember(struct fmpi_trust *t, struct entry *e, X509 *cert, const uint8_t *der,
		    size_t len, int64_t from, int64_t until, struct fmpi_signer *out)
{
	EVP_PKEY *key = X509_get_pubkey(cert);
	uint8_t *copy = malloc(len), id[FMPI_KEY_ID];

	if (!key || !copy || !fmpi_key_identify(key, id)) {
		EVP_PKEY_free(key);
		free(copy);
		return FMP_ERR_NOMEM;
	}
	if (!e)
		e = oldest(t);
	EVP_PKEY_free(e->key);
	free(e->der);
	e->der = memcpy(copy, der, len);
	e->len = len;
	e->key = key;
	memcpy(e->key_id, id, sizeof(id));
	e->from_s = from;
	e->until_s = until;
	answer(t, e, out);
	return 0;
}

static int examine(struct fmpi_trust *t, struct entry *e, const uint8_t *der, size_t len,
		   int64_t now_s, unsigned line, struct chain *c, struct fmpi_signer *out,
		   struct fmp_inspection *v)
{
	const uint8_t *p = der;
	X509 *cert;
	int ret;

	cert = d2i_X509(NULL, &p, (long)len);
	/* Cheap, and it may be for want of memory: not remembered. */
	if (!cert)
		c->again_s = now_s;
	if (!cert || p != der + len)
		ret = refuse(v, line, "the token is not an X.509 certificate");
	else
		ret = may_sign(cert, line, v);
	if (!ret)
		ret = verify_chain(t, cert, now_s, line, c, v);
	if (!ret)
		ret = remember(t, e, cert, der, len, c->from_s, c->until_s, out);
	X509_free(cert);
	ERR_clear_error();
	return ret;
}

int fmpi_trust_check(struct fmpi_trust *t, const uint8_t *der, size_t len, int64_t now_s,
		     unsigned line, struct fmpi_signer *out, struct fmp_inspection *v)
{
	struct entry *e = find(t, der, len);
	struct chain c = { .again_s = INT64_MAX };
	uint8_t id[SHA256_DIGEST_LENGTH];
	const struct fmpi_badcert *known;
	int ret;

	if (e && now_s >= e->from_s && now_s <= e->until_s) {
		t->hits++;
		answer(t, e, out);
		return 0;
	}
	SHA256(der, len, id);
	known = fmpi_badcerts_find(&t->bad, id, now_s);
	if (known) {
		t->bad_hits++;
		refuse(v, line, "%s", known->why);
		v->not_yet = known->not_yet;
		return FMPI_REFUSED;
	}
	ret = examine(t, e, der, len, now_s, line, &c, out, v);
	if (ret == FMPI_REFUSED && c.again_s > now_s)
		fmpi_badcerts_add(&t->bad, id, now_s, c.again_s, v);
	return ret;
}

int fmpi_trust_refuse_unlisted(struct fmp_inspection *v)
{
	bool not_yet = v->unlisted == X509_V_ERR_CRL_NOT_YET_VALID;

	fmpi_refuse(v, FMP_STEP_SIGNATURE, FMP_EVENT_GOOD, 0,
		    "whether the certificate is revoked can't be told: %s",
		    X509_verify_cert_error_string(v->unlisted));
	v->lacks = FMP_LACKS_LISTS;
	return not_yet ? fmpi_not_yet(v, FMPI_REFUSED) : FMPI_REFUSED;
}
