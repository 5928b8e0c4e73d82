// SPDX-License-Identifier: GPL-2.0
/* Digests, signatures and cipher texts of the corpus; nothing here is secret. */
#include <openssl/ecdsa.h>
#include <openssl/hmac.h>
#include <openssl/rsa.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "pki.h"

#define EC_HALF 32

static const unsigned char session[16] = "sixteen letters", iv[16] = "another sixteen";

void attack_need(bool holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "attacks: does not hold: %s\n", what);
	abort();
}

void attack_put_base64(FILE *out, const void *bytes, size_t n)
{
	char *text = malloc(n / 3 * 4 + 8);

	NEED(text);
	EVP_EncodeBlock((unsigned char *)text, bytes, (int)n);
	fputs(text, out);
	free(text);
}

void attack_put_time(FILE *out, int64_t seconds)
{
	time_t t = (time_t)seconds;
	struct tm tm;
	char text[32];

	NEED(gmtime_r(&t, &tm));
	strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &tm);
	fputs(text, out);
}

void attack_put_digest(FILE *out, const EVP_MD *md, const void *bytes, size_t n)
{
	unsigned char digest[EVP_MAX_MD_SIZE];
	unsigned len;

	NEED(EVP_Digest(bytes, n, digest, &len, md, NULL) == 1);
	attack_put_base64(out, digest, len);
}

/* XML signatures want r and s side by side, OpenSSL gives DER. */
static void flatten_ecdsa_signature(unsigned char *sig, size_t *len)
{
	const unsigned char *at = sig;
	ECDSA_SIG *rs = d2i_ECDSA_SIG(NULL, &at, (long)*len);

	NEED(rs && BN_bn2binpad(ECDSA_SIG_get0_r(rs), sig, EC_HALF) == EC_HALF &&
	     BN_bn2binpad(ECDSA_SIG_get0_s(rs), sig + EC_HALF, EC_HALF) == EC_HALF);
	ECDSA_SIG_free(rs);
	*len = 2 * EC_HALF;
}

void attack_put_signature(FILE *out, EVP_PKEY *key, const void *bytes, size_t n)
{
	unsigned char sig[4096] = { 0 };
	size_t len = sizeof(sig);
	EVP_MD_CTX *ctx;

	if (!key) { /* of a key that nobody has */
		attack_put_base64(out, sig, 2048);
		return;
	}
	ctx = EVP_MD_CTX_new();
	NEED(ctx && EVP_DigestSignInit(ctx, NULL, EVP_sha256(), NULL, key) == 1 &&
	     EVP_DigestSign(ctx, sig, &len, bytes, n) == 1);
	EVP_MD_CTX_free(ctx);
	if (EVP_PKEY_is_a(key, "EC"))
		flatten_ecdsa_signature(sig, &len);
	attack_put_base64(out, sig, len);
}

/* P_SHA-1 of WS-SecureConversation, its first 32 bytes, by the Nonce of the templates. */
static void derive_key(unsigned char out[32])
{
	static const char seed[] = "WS-SecureConversationWS-SecureConversationsixteen letters";
	unsigned char a[20 + sizeof(seed)], block[40];

	NEED(HMAC(EVP_sha1(), session, sizeof(session), (const unsigned char *)seed,
		  sizeof(seed) - 1, a, NULL));
	for (int i = 0; i < 2; i++) {
		memcpy(a + 20, seed, sizeof(seed));
		NEED(HMAC(EVP_sha1(), session, sizeof(session), a, 20 + sizeof(seed) - 1,
			  block + 20 * i, NULL));
		NEED(HMAC(EVP_sha1(), session, sizeof(session), a, 20, a, NULL));
	}
	memcpy(out, block, 32);
}

void attack_put_mac(FILE *out, enum attack_secret secret, const char *token, const void *bytes,
		    size_t n)
{
	unsigned char key[8192] = { 0 }, mac[32];
	int len = 0;

	if (secret == ATTACK_SESSION || secret == ATTACK_OTHER) {
		len = sizeof(session);
		memcpy(key, secret == ATTACK_SESSION ? session : iv, sizeof(session));
	} else if (secret == ATTACK_DERIVED) {
		len = 32;
		derive_key(key);
	} else if (secret == ATTACK_PUBLIC) {
		len = EVP_DecodeBlock(key, (const unsigned char *)token, (int)strlen(token));
		NEED(len > 0);
		len -= strchr(token, '=') ? (int)strlen(strchr(token, '=')) : 0;
	}
	NEED(HMAC(EVP_sha256(), key, len, bytes, n, mac, NULL));
	attack_put_base64(out, mac, sizeof(mac));
}

void attack_put_wrapped(FILE *out, EVP_PKEY *server)
{
	EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new(server, NULL);
	unsigned char wrapped[1024];
	size_t len = sizeof(wrapped);

	NEED(ctx && EVP_PKEY_encrypt_init(ctx) == 1 &&
	     EVP_PKEY_CTX_set_rsa_padding(ctx, RSA_PKCS1_OAEP_PADDING) == 1 &&
	     EVP_PKEY_encrypt(ctx, wrapped, &len, session, sizeof(session)) == 1);
	EVP_PKEY_CTX_free(ctx);
	attack_put_base64(out, wrapped, len);
}

void attack_put_cipher(FILE *out, bool gcm, const void *bytes, size_t n)
{
	EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
	size_t iv_len = gcm ? 12 : 16;
	unsigned char *text = malloc(n + 64);
	int a, b;

	NEED(ctx && text);
	memcpy(text, iv, iv_len);
	NEED(EVP_EncryptInit_ex(ctx, gcm ? EVP_aes_128_gcm() : EVP_aes_128_cbc(), NULL, session,
				iv) == 1 &&
	     EVP_EncryptUpdate(ctx, text + iv_len, &a, bytes, (int)n) == 1 &&
	     EVP_EncryptFinal_ex(ctx, text + iv_len + a, &b) == 1);
	n = iv_len + (size_t)a + (size_t)b;
	if (gcm) {
		NEED(EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_GET_TAG, 16, text + n) == 1);
		n += 16;
	}
	EVP_CIPHER_CTX_free(ctx);
	attack_put_base64(out, text, n);
	free(text);
}
