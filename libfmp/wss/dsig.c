// SPDX-License-Identifier: GPL-2.0
#include "dsig.h"

#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/hmac.h>
#include <openssl/rsa.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "algorithm.h"
#include "str_transform.h"
#include "xml/c14n.h"

#define DIGESTS	    3
#define VERIFIERS   16
#define MAX_EC	    (2 * 66) /* r and s on P-521 */
#define MAX_EC_DER  (MAX_EC + 16)
#define SCRATCH_MAX (256u << 10) /* most bytes of scratch memory that are kept between messages */

#define refuse(v, node, ...) \
	fmpi_refuse(v, FMP_STEP_SIGNATURE, FMP_EVENT_SIGNATURE, fmpi_line(node), __VA_ARGS__)

struct digest {
	EVP_MD *md;
	EVP_MD_CTX *ctx;
};

/* A context that is ready to verify with a key; setting one up costs a tenth of an RSA operation. */
struct verifier {
	EVP_PKEY *key; /* holds a reference, so that the address stays unique; NULL: free */
	const struct digest *digest;
	bool pss;
	EVP_PKEY_CTX *ctx;
};

/* The last SignatureValue that fmpi_dsig_verify_value() verified. */
struct last_value {
	EVP_PKEY *key; /* a reference; NULL: none */
	const struct fmpi_signature_method *method;
	size_t digest_len, value_len;
	uint8_t digest[EVP_MAX_MD_SIZE], value[FMPI_MAX_SIGNATURE];
};

struct fmpi_dsig {
	struct digest digest[DIGESTS];
	struct verifier verifier[VERIFIERS];
	struct fmpi_buffer scratch;
	struct last_value last_value;
};

/* The names in algorithm.c. */
static const char *const digest_names[DIGESTS] = { "SHA256", "SHA384", "SHA512" };

struct fmpi_dsig *fmpi_dsig_new(void)
{
	struct fmpi_dsig *d = calloc(1, sizeof(*d));

	for (unsigned i = 0; d && i < DIGESTS; i++) {
		d->digest[i].md = EVP_MD_fetch(NULL, digest_names[i], NULL);
		d->digest[i].ctx = EVP_MD_CTX_new();
		if (!d->digest[i].md || !d->digest[i].ctx) {
			fmpi_dsig_free(d);
			return NULL;
		}
	}
	return d;
}

static void clear_verifier(struct verifier *w)
{
	EVP_PKEY_CTX_free(w->ctx);
	EVP_PKEY_free(w->key);
	*w = (struct verifier){ 0 };
}

void fmpi_dsig_free(struct fmpi_dsig *d)
{
	if (!d)
		return;
	for (unsigned i = 0; i < VERIFIERS; i++)
		clear_verifier(&d->verifier[i]);
	for (unsigned i = 0; i < DIGESTS; i++) {
		EVP_MD_CTX_free(d->digest[i].ctx);
		EVP_MD_free(d->digest[i].md);
	}
	EVP_PKEY_free(d->last_value.key);
	free(d->scratch.p);
	free(d);
}

/* ---- reading the signature ---- */

struct reference {
	struct fmpi_prefixes prefixes;
	const struct digest *digest;
};

struct plan {
	struct fmpi_prefixes prefixes; /* of SignedInfo */
	const struct digest *digest; /* of the signature */
	bool pss;
	struct reference reference[FMPI_MAX_REFERENCES];
};

/* signedinfo.c has refused elements with two attributes of one local name. */
static const char *get_algorithm(const xmlNode *n)
{
	return fmpi_attribute(n, NULL, "Algorithm");
}

static int refuse_grown(const xmlNode *n, struct fmp_inspection *v)
{
	return fmpi_refuse(v, FMP_STEP_SIGNATURE, FMP_EVENT_STRUCTURE, fmpi_line(n),
			   "the canonical form of %s declares namespaces again and again",
			   (const char *)n->name);
}

static int read_prefixes(const xmlNode *c14n, struct fmpi_prefixes *out)
{
	const xmlNode *inclusive = fmpi_first(c14n);
	const char *list = inclusive ? fmpi_attribute(inclusive, NULL, "PrefixList") : "";

	return list && get_algorithm(c14n) ? fmpi_prefixes_read(list, out) : FMP_ERR_UNSUPPORTED;
}

static const struct digest *find_digest(const struct fmpi_dsig *d, const char *name)
{
	for (unsigned i = 0; i < DIGESTS; i++)
		if (strcmp(digest_names[i], name) == 0)
			return &d->digest[i];
	return NULL;
}

static int read_digest(const struct fmpi_dsig *d, const xmlNode *method, const struct digest **out)
{
	const char *alg = get_algorithm(method);
	const struct fmpi_digest_method *m = alg ? fmpi_digest_method_find(alg) : NULL;

	*out = m ? find_digest(d, m->digest) : NULL;
	return *out ? 0 : FMP_ERR_UNSUPPORTED;
}

/*
 * Reference (Transforms (Transform), DigestMethod, DigestValue): signedinfo.c has checked this, and
 * that an enveloped signature has the Transform enveloped-signature first.
 */
static int read_reference(struct fmpi_dsig *d, const xmlNode *ref, const xmlNode *enveloped,
			  struct reference *out)
{
	const xmlNode *transforms = fmpi_first(ref), *method = fmpi_next(transforms);
	const xmlNode *c14n = fmpi_first(transforms);
	int ret;

	if (enveloped)
		c14n = fmpi_next(c14n);
	if (fmpi_str_is_transform(c14n))
		c14n = fmpi_str_method(c14n);
	ret = read_prefixes(c14n, &out->prefixes);
	if (!ret)
		ret = read_digest(d, method, &out->digest);
	return ret;
}

/* Read what is needed to verify the SignatureValue alone. */
static int read_value_plan(const struct fmpi_dsig *d, const struct fmpi_signedinfo *s,
			   struct plan *out)
{
	int ret = read_prefixes(fmpi_first(s->info), &out->prefixes);

	out->digest = find_digest(d, s->method->digest);
	out->pss = s->method->pss;
	return ret || out->digest ? ret : FMP_ERR_UNSUPPORTED;
}

static int read_plan(struct fmpi_dsig *d, const struct fmpi_signedinfo *s, struct plan *out)
{
	const xmlNode *c14n = fmpi_first(s->info), *method = fmpi_next(c14n);
	const xmlNode *ref = fmpi_next(method);
	int ret;

	/* RSA-PSS is left to xmlsec1, where it knows the rest. */
	ret = s->method->pss && !fmpi_dsig_is_needed(s) ? FMP_ERR_UNSUPPORTED
							: read_value_plan(d, s, out);
	/* All References before the first verdict: any of them may have to be left to xmlsec1. */
	for (unsigned i = 0; i < s->n_references && !ret; i++, ref = fmpi_next(ref)) {
		ref = fmpi_signedinfo_target_reference(ref);
		ret = read_reference(d, ref, s->enveloped, &out->reference[i]);
	}
	return ret;
}

/* ---- verification ---- */

static int hash_buffer(const struct digest *d, const struct fmpi_buffer *o, uint8_t *out,
		       unsigned *len)
{
	if (!EVP_DigestInit_ex2(d->ctx, d->md, NULL) || !EVP_DigestUpdate(d->ctx, o->p, o->len) ||
	    !EVP_DigestFinal_ex(d->ctx, out, len))
		return FMP_ERR_NOMEM;
	return 0;
}

/* Canonicalize without the enveloped signature; the tree is restored afterwards. */
static int canonicalize_target(const xmlNode *target, xmlNode *enveloped,
			       const struct fmpi_prefixes *prefixes, size_t *budget,
			       struct fmpi_buffer *o)
{
	xmlNode *parent, *behind;
	int ret;

	if (!enveloped)
		return fmpi_c14n_exclusive(target, prefixes, budget, o);
	parent = enveloped->parent;
	behind = enveloped->next;
	xmlUnlinkNode(enveloped);
	ret = fmpi_c14n_exclusive(target, prefixes, budget, o);
	if (behind)
		xmlAddPrevSibling(behind, enveloped);
	else
		xmlAddChild(parent, enveloped);
	return ret;
}

static int refuse_digest(const xmlNode *target, struct fmp_inspection *v)
{
	return refuse(v, target, "the digest of %s does not match", (const char *)target->name);
}

/* Return: 0; FMPI_REFUSED, without a verdict, if the digest differs; as fmpi_c14n_exclusive(). */
static int compare_digest(const struct reference *r, const struct fmpi_digest *said,
			  const struct fmpi_buffer *o)
{
	uint8_t digest[EVP_MAX_MD_SIZE];
	unsigned len;
	int ret = hash_buffer(r->digest, o, digest, &len);

	if (!ret && (said->len != len || memcmp(said->p, digest, len) != 0))
		ret = FMPI_REFUSED;
	return ret;
}

static int check_reference(const struct reference *r, const struct fmpi_digest *said,
			   const xmlNode *target, xmlNode *enveloped, size_t *budget,
			   struct fmpi_buffer *o, struct fmp_inspection *v)
{
	int ret = canonicalize_target(target, enveloped, &r->prefixes, budget, o);

	if (!ret)
		ret = compare_digest(r, said, o);
	if (ret == FMP_ERR_LIMIT)
		return refuse_grown(target, v);
	return ret == FMPI_REFUSED ? refuse_digest(target, v) : ret;
}

/* Some signers leave out what WS-Security 1.1, 8.3 adds: both forms say the same of the token. */
static int check_str(const struct reference *r, const struct fmpi_signedinfo *s, unsigned i,
		     size_t *budget, struct fmpi_buffer *o, struct fmp_inspection *v)
{
	const xmlNode *target = s->target[i];
	int ret = FMPI_REFUSED;

	for (unsigned plain = 0; plain < 2 && ret == FMPI_REFUSED; plain++) {
		o->len = 0;
		ret = fmpi_str_canonicalize(fmpi_signedinfo_str(s, i), target, &s->signer,
					    &r->prefixes, plain, budget, o);
		if (!ret)
			ret = compare_digest(r, &s->digest[i], o);
	}
	if (ret == FMP_ERR_LIMIT)
		return refuse_grown(target, v);
	return ret == FMPI_REFUSED ? refuse_digest(target, v) : ret;
}

/* Convert r | s of equal length to the DER that OpenSSL takes. Return: its length, 0: impossible. */
static size_t ecdsa_der(const struct fmpi_signedinfo *info, uint8_t *der)
{
	size_t half = info->value_len / 2, len = 0;
	ECDSA_SIG *sig;
	BIGNUM *r, *s;
	int n;

	if (half > MAX_EC / 2)
		return 0;
	sig = ECDSA_SIG_new();
	r = BN_bin2bn(info->value, (int)half, NULL);
	s = BN_bin2bn(info->value + half, (int)half, NULL);
	if (sig && r && s && ECDSA_SIG_set0(sig, r, s)) {
		n = i2d_ECDSA_SIG(sig, &der);
		len = n > 0 ? (size_t)n : 0;
	} else {
		BN_free(r);
		BN_free(s);
	}
	ECDSA_SIG_free(sig);
	return len;
}

static bool set_pss(EVP_PKEY_CTX *ctx)
{
	return EVP_PKEY_CTX_set_rsa_padding(ctx, RSA_PKCS1_PSS_PADDING) > 0 &&
	       EVP_PKEY_CTX_set_rsa_pss_saltlen(ctx, RSA_PSS_SALTLEN_DIGEST) > 0;
}

static EVP_PKEY_CTX *get_verifier(struct fmpi_dsig *d, EVP_PKEY *key, const struct digest *digest,
				  bool pss)
{
	size_t slot = (size_t)((uintptr_t)key / 64 + (uintptr_t)(digest - d->digest)) % VERIFIERS;
	struct verifier *w = &d->verifier[slot];

	if (w->key == key && w->digest == digest && w->pss == pss)
		return w->ctx;
	clear_verifier(w);
	w->ctx = EVP_PKEY_CTX_new(key, NULL);
	if (!w->ctx || EVP_PKEY_verify_init(w->ctx) <= 0 || (pss && !set_pss(w->ctx)) ||
	    EVP_PKEY_CTX_set_signature_md(w->ctx, digest->md) <= 0 || !EVP_PKEY_up_ref(key)) {
		clear_verifier(w);
		return NULL;
	}
	w->key = key;
	w->digest = digest;
	w->pss = pss;
	return w->ctx;
}

/* RFC 9231, 2.3.12: pure Ed25519 signs the text. Return: as EVP_PKEY_verify(). */
static int verify_text(const struct fmpi_signedinfo *s, EVP_PKEY *key, const struct fmpi_buffer *o)
{
	EVP_MD_CTX *ctx = EVP_MD_CTX_new();
	int ret = ctx && EVP_DigestVerifyInit(ctx, NULL, NULL, NULL, key) > 0
			  ? EVP_DigestVerify(ctx, s->value, s->value_len, (const uint8_t *)o->p,
					     o->len)
			  : -1;

	EVP_MD_CTX_free(ctx);
	return ret;
}

static bool is_last_value(const struct last_value *h, const struct fmpi_signedinfo *s,
			  const uint8_t *digest, size_t len)
{
	return h->method == s->method && h->digest_len == len && h->value_len == s->value_len &&
	       memcmp(h->digest, digest, len) == 0 && memcmp(h->value, s->value, s->value_len) == 0;
}

static void keep_value(struct last_value *h, const struct fmpi_signedinfo *s, EVP_PKEY *key,
		       const uint8_t *digest, size_t len)
{
	EVP_PKEY_free(h->key);
	h->key = NULL;
	if (s->value_len > sizeof(h->value) || !EVP_PKEY_up_ref(key))
		return;
	h->key = key;
	h->method = s->method;
	h->digest_len = len;
	h->value_len = s->value_len;
	memcpy(h->digest, digest, len);
	memcpy(h->value, s->value, s->value_len);
}

/* @keep: keep a verified value, which is then not verified again */
static int check_value(struct fmpi_dsig *d, const struct plan *p, const struct fmpi_signedinfo *s,
		       const xmlNode *signature, EVP_PKEY *key, size_t *budget, bool keep,
		       struct fmp_inspection *v)
{
	uint8_t digest[EVP_MAX_MD_SIZE], der[MAX_EC_DER];
	const uint8_t *value = s->value;
	size_t value_len = s->value_len;
	EVP_PKEY_CTX *ctx;
	unsigned len;
	int ret;

	d->scratch.len = 0;
	ret = fmpi_c14n_exclusive(s->info, &p->prefixes, budget, &d->scratch);
	if (ret == FMP_ERR_LIMIT)
		return refuse_grown(s->info, v);
	if (!ret)
		ret = hash_buffer(p->digest, &d->scratch, digest, &len);
	if (ret)
		return ret;
	if (d->last_value.key == key && is_last_value(&d->last_value, s, digest, len))
		return 0;
	if (EVP_PKEY_is_a(key, "EC")) {
		value = der;
		value_len = ecdsa_der(s, der);
	}
	if (s->method->key == FMPI_KEY_ED25519) {
		ret = verify_text(s, key, &d->scratch);
	} else {
		ctx = get_verifier(d, key, p->digest, p->pss);
		if (!ctx)
			return FMP_ERR_UNSUPPORTED;
		ret = value_len ? EVP_PKEY_verify(ctx, value, value_len, digest, len) : -1;
	}
	if (ret < 0)
		return refuse(v, signature, "the signature can't be verified");
	if (ret != 1)
		return refuse(v, signature, "the signature value does not match");
	if (keep)
		keep_value(&d->last_value, s, key, digest, len);
	return 0;
}

/* A truncated value is refused: HMACOutputLength is no part of the profile. */
static int check_hmac_length(const struct fmpi_dsig *d, const struct fmpi_signedinfo *s,
			     struct fmp_inspection *v)
{
	const struct digest *digest = find_digest(d, s->method->digest);

	if (digest && s->value_len == (size_t)EVP_MD_get_size(digest->md))
		return 0;
	return refuse(v, s->info->parent,
		      "the signature value is not as long as the HMAC makes it");
}

/* Two values that do not match cost the same, whatever differs, and whether the secret was found. */
static int check_hmac(struct fmpi_dsig *d, const struct plan *p, const struct fmpi_signedinfo *s,
		      const xmlNode *signature, const struct fmpi_hmac_key *secret, size_t *budget,
		      struct fmp_inspection *v)
{
	uint8_t key[FMPI_HMAC_KEY_MAX], value[EVP_MAX_MD_SIZE];
	size_t len = 0;
	bool good;
	int ret;

	d->scratch.len = 0;
	ret = fmpi_c14n_exclusive(s->info, &p->prefixes, budget, &d->scratch);
	if (ret == FMP_ERR_LIMIT)
		return refuse_grown(s->info, v);
	if (!ret)
		ret = secret->get(secret->ctx, key, &len, v);
	if (ret)
		return ret;
	good = HMAC(p->digest->md, key, (int)len, (const uint8_t *)d->scratch.p, d->scratch.len,
		    value, NULL);
	OPENSSL_cleanse(key, sizeof(key));
	if (!good)
		return FMP_ERR_NOMEM;
	return CRYPTO_memcmp(value, s->value, s->value_len) == 0
		       ? 0
		       : refuse(v, signature, "the signature value does not match");
}

int fmpi_dsig_verify_hmac_value(struct fmpi_dsig *d, const xmlNode *signature,
				const struct fmpi_signedinfo *s, const struct fmpi_hmac_key *secret,
				struct fmp_inspection *v)
{
	size_t budget = s->budget;
	struct plan plan;
	int ret = check_hmac_length(d, s, v);

	if (!ret)
		ret = read_value_plan(d, s, &plan);
	if (!ret && !fmpi_c14n_absolute(xmlDocGetRootElement(signature->doc)))
		ret = FMP_ERR_UNSUPPORTED;
	if (!ret)
		ret = check_hmac(d, &plan, s, signature, secret, &budget, v);
	return ret == FMP_ERR_UNSUPPORTED ? refuse(v, signature, "the signature can't be verified")
					  : ret;
}

int fmpi_dsig_verify_value(struct fmpi_dsig *d, const xmlNode *signature,
			   const struct fmpi_signedinfo *s, EVP_PKEY *key, struct fmp_inspection *v)
{
	size_t budget = s->budget;
	struct plan plan;
	int ret = fmpi_signedinfo_check_length(s, key, v);

	if (!ret)
		ret = read_value_plan(d, s, &plan);
	if (!ret && !fmpi_c14n_absolute(xmlDocGetRootElement(signature->doc)))
		ret = FMP_ERR_UNSUPPORTED;
	if (!ret)
		ret = check_value(d, &plan, s, signature, key, &budget, true, v);
	ERR_clear_error();
	/* A message that has passed so far cannot cause this. */
	if (ret == FMP_ERR_UNSUPPORTED)
		ret = refuse(v, signature, "the signature can't be verified");
	return ret;
}

bool fmpi_dsig_is_needed(const struct fmpi_signedinfo *s)
{
	return s->n_str || s->n_attachments || s->method->key == FMPI_KEY_ED25519;
}

int fmpi_dsig_check_size(const struct fmpi_signedinfo *s, struct fmp_inspection *v)
{
	const xmlNode *c14n = fmpi_first(s->info), *ref = fmpi_next(fmpi_next(c14n)), *of = s->info;
	struct fmpi_prefixes prefixes;
	size_t budget = s->budget;
	int ret = read_prefixes(c14n, &prefixes);

	if (!ret)
		ret = fmpi_c14n_exclusive(of, &prefixes, &budget, NULL);
	for (unsigned i = 0; i < s->n_references && !ret; i++, ref = fmpi_next(ref)) {
		const xmlNode *str = fmpi_signedinfo_str(s, i);

		of = s->target[i];
		ref = fmpi_signedinfo_target_reference(ref);
		c14n = fmpi_first(fmpi_first(ref));
		if (s->enveloped)
			c14n = fmpi_next(c14n);
		ret = read_prefixes(str ? fmpi_str_method(c14n) : c14n, &prefixes);
		/* That of a token that is not in the message is as long as its certificate. */
		if (!ret && of != str)
			ret = fmpi_c14n_exclusive(of, &prefixes, &budget, NULL);
	}
	if (ret == FMP_ERR_LIMIT)
		return refuse_grown(of, v);
	return ret ? refuse(v, of, "the signature can't be verified") : 0;
}

static int check_references(struct fmpi_dsig *d, const struct plan *p,
			    const struct fmpi_signedinfo *s, size_t *budget,
			    struct fmpi_signed_bytes *out, struct fmp_inspection *v)
{
	int ret = 0;

	for (unsigned i = 0; i < s->n_references && !ret; i++) {
		d->scratch.len = 0;
		if (fmpi_signedinfo_str(s, i)) {
			ret = check_str(&p->reference[i], s, i, budget, &d->scratch, v);
			continue;
		}
		ret = check_reference(&p->reference[i], &s->digest[i], s->target[i], s->enveloped,
				      budget, i == s->body ? &out->body : &d->scratch, v);
		if (!ret && fmpi_signedinfo_is_forwarded(s, i) &&
		    !fmpi_buffer_add(&out->blocks, d->scratch.p, d->scratch.len))
			ret = FMP_ERR_NOMEM;
	}
	return ret;
}

/*
 * Cheapest first: digesting a small message costs less than the public-key operation. A large one
 * is digested only when its SignatureValue is verified, and the size of its canonical form is
 * computed before it is written.
 */
static int check_all(struct fmpi_dsig *d, const struct plan *p, const xmlNode *signature,
		     const struct fmpi_signedinfo *s, EVP_PKEY *key,
		     const struct fmpi_hmac_key *secret, struct fmpi_signed_bytes *out,
		     struct fmp_inspection *v)
{
	bool large = s->budget > SCRATCH_MAX;
	size_t budget = s->budget;
	int ret = 0;

	if (!fmpi_c14n_absolute(xmlDocGetRootElement(signature->doc)))
		return refuse(v, signature, "the signature can't be verified");
	if (large)
		ret = secret ? check_hmac(d, p, s, signature, secret, &budget, v)
			     : check_value(d, p, s, signature, key, &budget, false, v);
	if (!ret && large)
		ret = fmpi_dsig_check_size(s, v);
	if (!ret)
		ret = check_references(d, p, s, &budget, out, v);
	if (!ret && !large)
		ret = secret ? check_hmac(d, p, s, signature, secret, &budget, v)
			     : check_value(d, p, s, signature, key, &budget, false, v);
	return ret;
}

/* By @key, or by @secret. */
static int verify_digests(struct fmpi_dsig *d, const xmlNode *signature,
			  const struct fmpi_signedinfo *s, EVP_PKEY *key,
			  const struct fmpi_hmac_key *secret, struct fmpi_signed_bytes *out,
			  struct fmp_inspection *v)
{
	struct plan plan;
	int ret = secret ? check_hmac_length(d, s, v) : fmpi_signedinfo_check_length(s, key, v);

	*out = (struct fmpi_signed_bytes){ 0 };
	if (!ret)
		ret = read_plan(d, s, &plan);
	if (!ret)
		ret = check_all(d, &plan, signature, s, key, secret, out, v);
	ERR_clear_error();
	if (ret) {
		free(out->body.p);
		free(out->blocks.p);
		*out = (struct fmpi_signed_bytes){ 0 };
	}
	if (d->scratch.cap > SCRATCH_MAX) {
		free(d->scratch.p);
		d->scratch = (struct fmpi_buffer){ 0 };
	}
	return ret;
}

int fmpi_dsig_verify(struct fmpi_dsig *d, const xmlNode *signature, const struct fmpi_signedinfo *s,
		     EVP_PKEY *key, struct fmpi_signed_bytes *out, struct fmp_inspection *v)
{
	return verify_digests(d, signature, s, key, NULL, out, v);
}

int fmpi_dsig_verify_hmac(struct fmpi_dsig *d, const xmlNode *signature,
			  const struct fmpi_signedinfo *s, const struct fmpi_hmac_key *secret,
			  struct fmpi_signed_bytes *out, struct fmp_inspection *v)
{
	int ret = verify_digests(d, signature, s, NULL, secret, out, v);

	return ret == FMP_ERR_UNSUPPORTED ? refuse(v, signature, "the signature can't be verified")
					  : ret;
}
