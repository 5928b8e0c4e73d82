// SPDX-License-Identifier: GPL-2.0
#include "decrypt.h"

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "xml/base64.h"
#include <fmp/internal/pem.h>

#define MAX_KEY_BITS	  8192
#define MAX_KEY_BYTES	  (MAX_KEY_BITS / 8)
/* Base64 of a session key, line ends included. */
#define MAX_KEY_TEXT	  (MAX_KEY_BYTES * 2)
#define BLOCK		  16u
#define GCM_IV		  12u
#define GCM_TAG		  16u
#define MIN_SESSION_KEY	  16u
#define USUAL_SESSION_KEY 32u

int fmpi_decrypt_key_load(const char *path, const struct fmp_key_source *keys, EVP_PKEY **out,
			  struct fmp_error *err)
{
	EVP_PKEY *key;
	int ret = fmp_pem_key(keys, path, FMP_KEY_DECRYPT, &key, err);

	*out = NULL;
	if (ret)
		return ret;
	if (!fmp_key_is_agreeable(key) &&
	    (!EVP_PKEY_is_a(key, "RSA") || EVP_PKEY_get_bits(key) < 2048 ||
	     EVP_PKEY_get_bits(key) > MAX_KEY_BITS)) {
		EVP_PKEY_free(key);
		return fmp_error_at(err, FMP_ERR_INVALID, path, 0, 0,
				    "the key is not RSA of 2048 to %d bits, EC on P-256, P-384 or "
				    "P-521, or X25519",
				    MAX_KEY_BITS);
	}
	*out = key;
	return 0;
}

int fmpi_decrypt_refuse(struct fmp_inspection *v)
{
	return fmpi_refuse(v, FMP_STEP_DECRYPT, FMP_EVENT_DECRYPT, 0,
			   "the message does not decrypt");
}

bool fmpi_encrypted_is_authenticated(const struct fmpi_encrypted *e)
{
	return e->cipher == FMP_CIPHER_AES128_GCM || e->cipher == FMP_CIPHER_AES256_GCM;
}

static const EVP_CIPHER *cipher_of(enum fmp_cipher c)
{
	switch (c) {
	case FMP_CIPHER_AES128_CBC:
		return EVP_aes_128_cbc();
	case FMP_CIPHER_AES256_CBC:
		return EVP_aes_256_cbc();
	case FMP_CIPHER_AES128_GCM:
		return EVP_aes_128_gcm();
	case FMP_CIPHER_AES256_GCM:
		return EVP_aes_256_gcm();
	case FMP_CIPHERS:
		break;
	}
	return NULL;
}

/*
 * Read the encrypted session key. Text that cannot be one is replaced by a valid number, so that
 * the RSA operation takes place, and takes its time, whatever is sent.
 */
static bool read_wrapped(EVP_PKEY *key, const char *text, uint8_t *out, size_t size)
{
	uint8_t wrapped[FMPI_BASE64_MAX(MAX_KEY_TEXT)];
	BIGNUM *modulus = NULL, *number = NULL;
	size_t n = 0, len = strlen(text);
	bool good;

	good = len <= MAX_KEY_TEXT && fmpi_base64_decode(text, len, wrapped, &n) == 0 && n == size;
	if (good) {
		number = BN_bin2bn(wrapped, (int)n, NULL);
		good = number && EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_RSA_N, &modulus) &&
		       BN_cmp(number, modulus) < 0;
	}
	BN_free(number);
	BN_free(modulus);
	memset(out, 0, size);
	out[size - 1] = 2;
	if (good)
		memcpy(out, wrapped, size);
	return good;
}

/* RSA-OAEP. @out: MAX_KEY_BYTES. */
static bool open_oaep(EVP_PKEY *key, const struct fmpi_encrypted *e, uint8_t *out, size_t *out_len)
{
	const EVP_MD *digest = EVP_get_digestbyname(e->oaep_digest);
	const EVP_MD *mgf = EVP_get_digestbyname(e->oaep_mgf);
	uint8_t wrapped[MAX_KEY_BYTES];
	size_t size = (size_t)EVP_PKEY_get_size(key);
	EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new(key, NULL);
	bool good = read_wrapped(key, e->key, wrapped, size);

	*out_len = MAX_KEY_BYTES;
	good = ctx && EVP_PKEY_decrypt_init_ex(ctx, NULL) > 0 &&
	       EVP_PKEY_CTX_set_rsa_padding(ctx, RSA_PKCS1_OAEP_PADDING) > 0 &&
	       EVP_PKEY_CTX_set_rsa_oaep_md(ctx, digest) > 0 &&
	       EVP_PKEY_CTX_set_rsa_mgf1_md(ctx, mgf) > 0 &&
	       EVP_PKEY_decrypt(ctx, out, out_len, wrapped, size) > 0 && good;
	EVP_PKEY_CTX_free(ctx);
	return good;
}

/*
 * Return: is the result a session key of length @want, or if that is 0, of any that will do? Without
 * branches on secret data.
 */
static bool unwrap_key(EVP_PKEY *key, const struct fmpi_encrypted *e, size_t want,
		       struct fmpi_session *session)
{
	uint8_t out[MAX_KEY_BYTES] = { 0 }, mask;
	size_t out_len = 0;
	bool good = e->agreement.wrap_len
			    ? fmpi_agreement_unwrap(key, &e->agreement, e->key, out, &out_len)
			    : open_oaep(key, e, out, &out_len);

	good = (want ? out_len == want
		     : out_len >= MIN_SESSION_KEY && out_len <= EVP_MAX_KEY_LENGTH) &&
	       good;
	mask = (uint8_t) - (int)good;
	session->len = want ? want : good ? out_len : USUAL_SESSION_KEY;
	for (size_t i = 0; i < sizeof(session->key); i++)
		session->key[i] = (uint8_t)((out[i] & mask) | (session->key[i] & ~mask));
	OPENSSL_cleanse(out, sizeof(out));
	return good;
}

/* XML-Enc: IV | AES-CBC of (content | padding); the last byte says how long the padding is. */
static bool open_cbc(EVP_CIPHER_CTX *ctx, const EVP_CIPHER *cipher, const uint8_t *key,
		     const uint8_t *in, size_t n, uint8_t *out, size_t *len)
{
	uint8_t pad;
	int a, b;

	if (n < 2 * BLOCK || n % BLOCK)
		return false;
	if (!EVP_DecryptInit_ex(ctx, cipher, NULL, key, in) ||
	    !EVP_CIPHER_CTX_set_padding(ctx, 0) ||
	    !EVP_DecryptUpdate(ctx, out, &a, in + BLOCK, (int)(n - BLOCK)) ||
	    !EVP_DecryptFinal_ex(ctx, out + a, &b))
		return false;
	*len = (size_t)a + (size_t)b;
	pad = out[*len - 1];
	if (pad == 0 || pad > BLOCK)
		return false;
	*len -= pad;
	return true;
}

/* XML-Enc 1.1: IV | AES-GCM of content | tag. Without a valid tag there is no content. */
static bool open_gcm(EVP_CIPHER_CTX *ctx, const EVP_CIPHER *cipher, const uint8_t *key,
		     const uint8_t *in, size_t n, uint8_t *out, size_t *len)
{
	uint8_t tag[GCM_TAG];
	int a, b;

	if (n < GCM_IV + GCM_TAG || n > INT_MAX)
		return false;
	memcpy(tag, in + n - GCM_TAG, GCM_TAG);
	if (!EVP_DecryptInit_ex(ctx, cipher, NULL, key, in) ||
	    !EVP_DecryptUpdate(ctx, out, &a, in + GCM_IV, (int)(n - GCM_IV - GCM_TAG)) ||
	    !EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_TAG, GCM_TAG, tag) ||
	    EVP_DecryptFinal_ex(ctx, out + a, &b) <= 0)
		return false;
	*len = (size_t)a + (size_t)b;
	return true;
}

/* @o: has room. Return: 0, FMP_ERR_NOMEM; *good: they decrypt. */
static int open_bytes(EVP_CIPHER_CTX *ctx, const struct fmpi_encrypted *e,
		      const struct fmpi_derived_key *k, const struct fmpi_session *s,
		      const uint8_t *in, size_t n, struct fmpi_buffer *o, bool *good)
{
	const EVP_CIPHER *cipher = cipher_of(e->cipher);
	const uint8_t *session = k->length ? NULL : s->key;
	uint8_t derived[FMPI_DERIVED_MAX];

	if (k->length && fmpi_derived_key_make(k, s->key, s->len, derived))
		return FMP_ERR_NOMEM;
	if (!session)
		session = derived;
	*good = fmpi_encrypted_is_authenticated(e)
			? open_gcm(ctx, cipher, session, in, n, (uint8_t *)o->p, &o->len)
			: open_cbc(ctx, cipher, session, in, n, (uint8_t *)o->p, &o->len);
	if (k->length)
		OPENSSL_cleanse(derived, sizeof(derived));
	return 0;
}

/* Return: 0, FMP_ERR_NOMEM; *good: the datum decrypts. */
static int open_datum(EVP_CIPHER_CTX *ctx, const struct fmpi_encrypted *e,
		      const struct fmpi_datum *d, const struct fmpi_session *s,
		      struct fmpi_buffer *o, bool *good)
{
	const char *text = d->text;
	size_t len = strlen(text), n = 0;
	uint8_t *in = malloc(FMPI_BASE64_MAX(len));
	int ret = FMP_ERR_NOMEM;

	o->cap = FMPI_BASE64_MAX(len) + BLOCK;
	o->p = malloc(o->cap);
	*good = false;
	if (in && o->p)
		ret = fmpi_base64_decode(text, len, in, &n)
			      ? 0
			      : open_bytes(ctx, e, &d->derived, s, in, n, o, good);
	free(in);
	return ret;
}

int fmpi_decrypt_bytes(const struct fmpi_session *s, const struct fmpi_encrypted *e,
		       const struct fmpi_datum *d, const void *in, size_t n, struct fmpi_buffer *o,
		       bool *good)
{
	EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
	int ret = FMP_ERR_NOMEM;

	*good = false;
	o->cap = n + BLOCK;
	o->p = malloc(o->cap);
	if (ctx && o->p)
		ret = open_bytes(ctx, e, &d->derived, s, in, n, o, good);
	EVP_CIPHER_CTX_free(ctx);
	ERR_clear_error();
	return ret;
}

size_t fmpi_decrypt_key_length(const struct fmpi_encrypted *e)
{
	for (unsigned i = 0; i < e->n + e->n_attachments; i++)
		if (!(i < e->n ? &e->datum[i] : &e->attachment[i - e->n].datum)->derived.length)
			return (size_t)EVP_CIPHER_get_key_length(cipher_of(e->cipher));
	return 0;
}

int fmpi_decrypt_key(EVP_PKEY *key, const struct fmpi_encrypted *e, struct fmpi_session *out)
{
	size_t want = fmpi_decrypt_key_length(e);

	*out = (struct fmpi_session){ 0 };
	if (RAND_bytes(out->key, sizeof(out->key)) != 1)
		return FMP_ERR_NOMEM;
	out->good = unwrap_key(key, e, want, out);
	ERR_clear_error();
	return 0;
}

void fmpi_session_clear(struct fmpi_session *s)
{
	OPENSSL_cleanse(s, sizeof(*s));
}

int fmpi_decrypt(const struct fmpi_session *s, const struct fmpi_encrypted *e,
		 struct fmpi_plain *plain)
{
	EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
	int ret = ctx ? 0 : FMP_ERR_NOMEM;
	bool good;

	*plain = (struct fmpi_plain){ .good = s->good };
	for (unsigned i = 0; i < e->n && !ret; i++) {
		ret = open_datum(ctx, e, &e->datum[i], s, &plain->part[i], &good);
		plain->good = !ret && good && plain->good;
	}
	EVP_CIPHER_CTX_free(ctx);
	ERR_clear_error();
	return ret;
}

void fmpi_plain_free(struct fmpi_plain *plain)
{
	for (unsigned i = 0; i < FMP_ENCRYPTED_PARTS; i++)
		free(plain->part[i].p);
}
