// SPDX-License-Identifier: GPL-2.0
#include "trust.h"

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/rsa.h>
#include <openssl/sha.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>
#include <stdlib.h>
#include <string.h>

#include <fmp/internal/crl.h>
#include <fmp/internal/key_strength.h>
#include <fmp/internal/pem.h>

#include "key_usage.h"
#include "path.h"
#include "reject_cache.h"

#define CACHE_SIZE 64u
#define MAX_CHAIN  8

struct entry {
	uint8_t *der; /* of the token: its certificates, the signer's as the last */
	size_t len, signer_at;
	EVP_PKEY *key; /* NULL: entry is free */
	uint8_t key_id[FMPI_KEY_ID];
	bool tls_only;
	int64_t from_s, until_s; /* validity of the whole chain */
	uint64_t used; /* tick of the last hit; the entry with the smallest is evicted */
};

struct fmpi_trust {
	STACK_OF(X509) * cas; /* all CAs of the file */
	struct fmp_crls *crls; /* NULL: no revocation */
	STACK_OF(X509) * unrevoked; /* subset of cas; NULL: not computed yet */
	int64_t since_s, before_s; /* interval in which unrevoked is valid */
	X509_STORE *store; /* verification parameters only; holds no certificates */
	struct entry cache[CACHE_SIZE];
	struct fmpi_key_usages *purposes; /* NULL: any */
	struct fmpi_reject_cache rejects;
	uint64_t tick, hits, reject_hits;
};

#define refuse(v, line, ...) fmpi_refuse(v, FMP_STEP_SIGNATURE, FMP_EVENT_TOKEN, line, __VA_ARGS__)

static const struct fmpi_trust *get_trust(const X509_STORE_CTX *ctx)
{
	return X509_STORE_CTX_get_app_data(ctx);
}

static bool is_valid_at(const X509 *cert, time_t now)
{
	return X509_cmp_time(X509_get0_notBefore(cert), &now) <= 0 &&
	       X509_cmp_time(X509_get0_notAfter(cert), &now) >= 0;
}

/*
 * Find the issuer. If several CAs have its name, the one whose key has signed, and of these the one
 * that is valid now. If there is only one, the verification checks its signature.
 */
static X509 *find_issuer(STACK_OF(X509) * cas, X509 *cert, time_t now)
{
	X509 *first = NULL, *best = NULL;
	unsigned n = 0;

	for (int i = 0; i < sk_X509_num(cas); i++) {
		X509 *ca = sk_X509_value(cas, i);

		if (X509_check_issued(ca, cert) != X509_V_OK)
			continue;
		if (!n++)
			first = ca;
	}
	for (int i = 0; n > 1 && i < sk_X509_num(cas); i++) {
		X509 *ca = sk_X509_value(cas, i);

		if (X509_check_issued(ca, cert) == X509_V_OK &&
		    X509_verify(cert, X509_get0_pubkey(ca)) == 1 && (!best || is_valid_at(ca, now)))
			best = ca;
		if (best && is_valid_at(best, now))
			break;
	}
	return best ? best : first;
}

/* X509_STORE_CTX_get_issuer_fn. Return: 1 found, 0 none, -1 error. */
static int get_issuer(X509 **out, X509_STORE_CTX *ctx, X509 *cert)
{
	time_t now = X509_VERIFY_PARAM_get_time(X509_STORE_CTX_get0_param(ctx));

	*out = find_issuer(get_trust(ctx)->unrevoked, cert, now);
	if (!*out)
		return 0;
	return X509_up_ref(*out) ? 1 : -1;
}

static bool is_trusted(const struct fmpi_trust *t, const X509 *cert)
{
	for (int i = 0; i < sk_X509_num(t->unrevoked); i++)
		if (X509_cmp(sk_X509_value(t->unrevoked, i), cert) == 0)
			return true;
	return false;
}

/*
 * X509_STORE_CTX_verify_cb. A chain goes up as far as the file does, because the limits of every CA
 * in it apply (RFC 5280 6.1.4), and need not end with a root. X509_V_FLAG_PARTIAL_CHAIN from the
 * start would end it at the first CA of the file; set here, it makes OpenSSL check the validity
 * period of the last one.
 */
static int end_chain(int ok, X509_STORE_CTX *ctx)
{
	int error = X509_STORE_CTX_get_error(ctx);

	if (ok)
		return ok;
	/* The file may contain a signer's own self-signed certificate that is not a CA's. */
	if (error != X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT &&
	    !((error == X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY ||
	       error == X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT) &&
	      is_trusted(get_trust(ctx), X509_STORE_CTX_get_current_cert(ctx))))
		return 0;
	X509_VERIFY_PARAM_set_flags(X509_STORE_CTX_get0_param(ctx), X509_V_FLAG_PARTIAL_CHAIN);
	X509_STORE_CTX_set_error(ctx, X509_V_OK);
	return 1;
}

static int load_files(struct fmpi_trust *t, const char *path, const char *crl,
		      struct fmp_error *err)
{
	X509_VERIFY_PARAM *param;
	int ret = fmp_pem_certificates(path, fmp_pem_push, t->cas, err);

	if (!ret && crl)
		ret = fmp_crls_load(crl, t->cas, &t->crls, err);
	param = X509_STORE_get0_param(t->store);
	/* Security level 2: no key below 112 bits and no SHA-1 anywhere in a chain. */
	X509_VERIFY_PARAM_set_auth_level(param, 2);
	X509_VERIFY_PARAM_set_depth(param, MAX_CHAIN);
	X509_STORE_set_get_issuer(t->store, get_issuer);
	X509_STORE_set_verify_cb(t->store, end_chain);
	return ret;
}

int fmpi_trust_load(const char *path, const char *crl, struct fmpi_trust **out,
		    struct fmp_error *err)
{
	struct fmpi_trust *t = calloc(1, sizeof(*t));
	int ret;

	*out = NULL;
	if (!t || !(t->cas = sk_X509_new_null()) || !(t->store = X509_STORE_new())) {
		fmpi_trust_free(t);
		return fmp_error_set(err, FMP_ERR_NOMEM, "no memory for %s", path);
	}
	ret = load_files(t, path, crl, err);
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
	sk_X509_free(t->unrevoked);
	fmpi_key_usages_free(t->purposes);
	fmp_crls_free(t->crls);
	sk_X509_pop_free(t->cas, X509_free);
	free(t);
}

int fmpi_trust_set_purposes(struct fmpi_trust *t, const char *text, struct fmp_error *err)
{
	fmpi_key_usages_free(t->purposes);
	return fmpi_key_usages_parse(text, &t->purposes, err);
}

static int64_t next_crl_change(const struct fmpi_trust *t, int64_t now_s, bool ends)
{
	return t->crls ? fmp_crls_next_change(t->crls, now_s, ends) : INT64_MAX;
}

/* Update the CAs trusted at this time. Return: false: out of memory. */
static bool update_unrevoked(struct fmpi_trust *t, int64_t now_s)
{
	if (t->unrevoked && now_s >= t->since_s && now_s < t->before_s)
		return true;
	sk_X509_free(t->unrevoked);
	t->unrevoked = t->crls ? fmp_crls_unrevoked(t->crls, now_s) : sk_X509_dup(t->cas);
	t->since_s = now_s;
	t->before_s = next_crl_change(t, now_s, false);
	return t->unrevoked;
}

bool fmpi_trust_crl_missing(struct fmpi_trust *t, int64_t now_s, struct fmp_error *out)
{
	return t->crls && update_unrevoked(t, now_s) &&
	       fmp_crls_missing(t->crls, t->unrevoked, now_s, out);
}

uint64_t fmpi_trust_hits(const struct fmpi_trust *t)
{
	return t->hits;
}

uint64_t fmpi_trust_reject_hits(const struct fmpi_trust *t)
{
	return t->reject_hits;
}

static struct entry *find_entry(struct fmpi_trust *t, const uint8_t *der, size_t len)
{
	for (unsigned i = 0; i < CACHE_SIZE; i++)
		if (t->cache[i].key && t->cache[i].len == len &&
		    memcmp(t->cache[i].der, der, len) == 0)
			return &t->cache[i];
	return NULL;
}

static struct entry *find_oldest(struct fmpi_trust *t)
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

/* The interval in which every certificate of the chain is valid. */
static bool chain_validity(STACK_OF(X509) * chain, int64_t *from, int64_t *until)
{
	*from = INT64_MIN;
	*until = INT64_MAX;
	for (int i = 0; i < sk_X509_num(chain); i++) {
		X509 *c = sk_X509_value(chain, i);
		int64_t a, b;

		if (!fmpi_asn1_seconds(X509_get0_notBefore(c), &a) ||
		    !fmpi_asn1_seconds(X509_get0_notAfter(c), &b))
			return false;
		if (a > *from)
			*from = a;
		if (b < *until)
			*until = b;
	}
	return true;
}

/* @key: NULL: it can't be read */
static int refuse_key(EVP_PKEY *key, unsigned line, struct fmp_inspection *v)
{
	const char *kind = key ? EVP_PKEY_get0_type_name(key) : NULL;
	char group[32];
	size_t n;

	if (key && EVP_PKEY_is_a(key, "RSA"))
		return refuse(v, line, "the certificate's RSA key has %d bits, not 2048 to 8192",
			      EVP_PKEY_get_bits(key));
	if (key && EVP_PKEY_is_a(key, "EC") && EVP_PKEY_get_bits(key) >= 224)
		return fmpi_refuse(v, FMP_STEP_SIGNATURE, FMP_EVENT_UNSUPPORTED, line,
				   "the certificate's curve %s is not supported, only P-256, P-384 "
				   "and P-521",
				   EVP_PKEY_get_group_name(key, group, sizeof(group), &n)
					   ? group
					   : "without a name");
	if (key && EVP_PKEY_is_a(key, "ED448"))
		return fmpi_refuse(v, FMP_STEP_SIGNATURE, FMP_EVENT_UNSUPPORTED, line,
				   "the certificate's key is of kind %s, not of RSA, EC or ED25519",
				   kind);
	return refuse(v, line, "the certificate's key is too weak or of an unknown kind");
}

static int check_signer(const struct fmpi_trust *t, X509 *cert, unsigned line, bool *tls_only,
			struct fmp_inspection *v)
{
	EVP_PKEY *key = X509_get0_pubkey(cert);

	if (X509_get_extension_flags(cert) & EXFLAG_CA)
		return refuse(v, line, "the certificate is a CA's");
	/* UINT32_MAX without a key usage extension: allowed. */
	if (!(X509_get_key_usage(cert) & (KU_DIGITAL_SIGNATURE | KU_NON_REPUDIATION)))
		return refuse(v, line, "the certificate's key usage does not allow signing");
	if (!fmpi_key_usages_fit(t->purposes, cert, tls_only))
		return refuse(
			v, line,
			"the certificate's extended key usage has none of the purposes that the policy asks for");
	/* The policy may require a TLS purpose explicitly. */
	*tls_only = *tls_only && !t->purposes;
	if (key && !fmp_rsa_exponent_is_usable(key))
		return refuse(
			v, line,
			"the certificate's RSA exponent is not odd, above 1 and of 64 bits at most");
	if (!key || !fmp_key_is_usable(key))
		return refuse_key(key, line, v);
	return 0;
}

/* Return: the next time at which a certificate of the chain or a CRL becomes valid. */
static int64_t next_valid_time(struct fmpi_trust *t, STACK_OF(X509) * chain, int64_t now_s)
{
	int64_t first = next_crl_change(t, now_s, false), at;

	for (int i = 0; i < sk_X509_num(chain); i++)
		if (fmpi_asn1_seconds(X509_get0_notBefore(sk_X509_value(chain, i)), &at) &&
		    at > now_s && at < first)
			first = at;
	return first;
}

/* Result of a chain: its validity, or when to verify it again. */
struct chain {
	int64_t from_s, until_s;
	int64_t again_s;
	bool tls_only; /* its first certificate is for TLS only */
};

static int refuse_chain(int error, unsigned line, struct fmp_inspection *v)
{
	return refuse(v, line, "certificate not trusted: %s", X509_verify_cert_error_string(error));
}

/* Check CRLs after the signatures: a forged certificate costs no lookup in them. */
static int accept_chain(struct fmpi_trust *t, X509_STORE_CTX *ctx, int64_t now_s, unsigned line,
			struct chain *out, struct fmp_inspection *v)
{
	STACK_OF(X509) *chain = X509_STORE_CTX_get0_chain(ctx);
	int64_t change = next_crl_change(t, now_s, true);
	int error = X509_V_OK, n = 1;

	if (!chain_validity(chain, &out->from_s, &out->until_s))
		return refuse(v, line, "the certificate's validity is not readable");
	/* Revoked CAs of the file are not in the chain, but a token may bring one. */
	while (n < sk_X509_num(chain) && !is_trusted(t, sk_X509_value(chain, n)))
		n++;
	if (t->crls)
		error = fmp_crls_check(t->crls, chain, n, now_s);
	if (error == X509_V_ERR_CERT_REVOKED) {
		out->again_s = next_valid_time(t, chain, now_s);
		return refuse_chain(error, line, v);
	}
	/* Valid until a CRL changes; earlier CRLs are unknown. */
	if (t->crls)
		out->from_s = now_s;
	if (out->until_s >= change)
		out->until_s = change - 1;
	/*
	 * Accept it this once without caching it: the message must still be verified with its key.
	 */
	if (error) {
		v->crl_error = error;
		out->until_s = now_s - 1;
	}
	return 0;
}

static int reject_chain(struct fmpi_trust *t, X509_STORE_CTX *ctx, int64_t now_s, unsigned line,
			struct chain *out, struct fmp_inspection *v)
{
	int error = X509_STORE_CTX_get_error(ctx);

	out->again_s = next_valid_time(t, X509_STORE_CTX_get0_chain(ctx), now_s);
	/* A failure of ours, not of the certificate. */
	if (error == X509_V_ERR_OUT_OF_MEM || error == X509_V_ERR_UNSPECIFIED)
		out->again_s = now_s;
	refuse_chain(error, line, v);
	v->not_yet = error == X509_V_ERR_CERT_NOT_YET_VALID;
	return FMPI_REFUSED;
}

static int verify_chain(struct fmpi_trust *t, const struct fmpi_path *path, int64_t now_s,
			unsigned line, struct chain *out, struct fmp_inspection *v)
{
	X509_STORE_CTX *ctx = X509_STORE_CTX_new();
	int ret = FMP_ERR_NOMEM;

	if (ctx && update_unrevoked(t, now_s) &&
	    X509_STORE_CTX_init(ctx, t->store, path->signer, path->between)) {
		X509_STORE_CTX_set_app_data(ctx, t);
		X509_STORE_CTX_set_time(ctx, 0, (time_t)now_s);
		ret = X509_verify_cert(ctx) == 1 ? accept_chain(t, ctx, now_s, line, out, v)
						 : reject_chain(t, ctx, now_s, line, out, v);
	}
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

static void set_signer(struct fmpi_trust *t, struct entry *e, struct fmpi_signer *out)
{
	e->used = ++t->tick;
	out->key = e->key;
	memcpy(out->id, e->key_id, sizeof(out->id));
	out->tls_only = e->tls_only;
	out->der = e->der + e->signer_at;
	out->der_len = e->len - e->signer_at;
}

/* In place of the entry unused for longest. Return: NULL: out of memory. */
static struct entry *add_entry(struct fmpi_trust *t, const struct fmpi_path *path,
			       const uint8_t *der, size_t len)
{
	EVP_PKEY *key = X509_get_pubkey(path->signer);
	uint8_t *copy = malloc(len), id[FMPI_KEY_ID];
	struct entry *e = find_oldest(t);

	if (!key || !copy || !fmpi_key_identify(key, id)) {
		EVP_PKEY_free(key);
		free(copy);
		return NULL;
	}
	EVP_PKEY_free(e->key);
	free(e->der);
	e->der = memcpy(copy, der, len);
	e->len = len;
	e->signer_at = path->signer_at;
	e->key = key;
	memcpy(e->key_id, id, sizeof(id));
	return e;
}

/*
 * Cache an accepted certificate. @e: its entry, which may have ended; NULL: none. Its key and bytes
 * stay where they are: the message may have a signer of them already.
 */
static int cache_certificate(struct fmpi_trust *t, struct entry *e, const struct fmpi_path *path,
			     const uint8_t *der, size_t len, const struct chain *c,
			     struct fmpi_signer *out)
{
	if (!e)
		e = add_entry(t, path, der, len);
	if (!e)
		return FMP_ERR_NOMEM;
	e->tls_only = c->tls_only;
	e->from_s = c->from_s;
	e->until_s = c->until_s;
	set_signer(t, e, out);
	return 0;
}

static int verify_token(struct fmpi_trust *t, struct entry *e, const uint8_t *der, size_t len,
			enum fmpi_path_kind kind, int64_t now_s, unsigned line, struct chain *c,
			struct fmpi_signer *out, struct fmp_inspection *v)
{
	struct fmpi_path path = { 0 };
	int ret = fmpi_path_read(der, len, kind, line, &path, v);

	/* Not cached: decoding is cheap, and it may have failed for lack of memory. */
	if (ret)
		c->again_s = now_s;
	if (!ret)
		ret = check_signer(t, path.signer, line, &c->tls_only, v);
	if (!ret)
		ret = verify_chain(t, &path, now_s, line, c, v);
	if (!ret)
		ret = cache_certificate(t, e, &path, der, len, c, out);
	fmpi_path_clear(&path);
	ERR_clear_error();
	return ret;
}

static int check_token(struct fmpi_trust *t, const uint8_t *der, size_t len,
		       enum fmpi_path_kind kind, int64_t now_s, unsigned line,
		       struct fmpi_signer *out, struct fmp_inspection *v)
{
	struct entry *e = find_entry(t, der, len);
	struct chain c = { .again_s = INT64_MAX };
	uint8_t id[SHA256_DIGEST_LENGTH];
	const struct fmpi_rejected_cert *rejected;
	int ret;

	if (e && now_s >= e->from_s && now_s <= e->until_s) {
		t->hits++;
		set_signer(t, e, out);
		return 0;
	}
	SHA256(der, len, id);
	rejected = fmpi_reject_cache_find(&t->rejects, id, now_s);
	if (rejected) {
		t->reject_hits++;
		refuse(v, line, "%s", rejected->why);
		v->not_yet = rejected->not_yet;
		return FMPI_REFUSED;
	}
	ret = verify_token(t, e, der, len, kind, now_s, line, &c, out, v);
	if (ret == FMPI_REFUSED && c.again_s > now_s)
		fmpi_reject_cache_add(&t->rejects, id, now_s, c.again_s, v);
	return ret;
}

int fmpi_trust_check(struct fmpi_trust *t, const uint8_t *der, size_t len, int64_t now_s,
		     unsigned line, struct fmpi_signer *out, struct fmp_inspection *v)
{
	return check_token(t, der, len, FMPI_PATH_ONE, now_s, line, out, v);
}

int fmpi_trust_check_path(struct fmpi_trust *t, const uint8_t *der, size_t len,
			  enum fmpi_path_kind kind, int64_t now_s, unsigned line,
			  struct fmpi_signer *out, struct fmp_inspection *v)
{
	return check_token(t, der, len, kind, now_s, line, out, v);
}

int fmpi_trust_refuse_without_crl(struct fmp_inspection *v)
{
	bool not_yet = v->crl_error == X509_V_ERR_CRL_NOT_YET_VALID;

	fmpi_refuse(v, FMP_STEP_SIGNATURE, FMP_EVENT_GOOD, 0,
		    "it is not known whether the certificate is revoked: %s",
		    X509_verify_cert_error_string(v->crl_error));
	v->lacks = FMP_LACKS_CRL;
	return not_yet ? fmpi_not_yet(v, FMPI_REFUSED) : FMPI_REFUSED;
}
