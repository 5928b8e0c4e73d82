// SPDX-License-Identifier: GPL-2.0
/* Key agreement, its cryptography; a file of its own as agreement.c reads XML and uses no key. */
#include "agreement.h"

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/kdf.h>
#include <string.h>

#include "xml/base64.h"

#define WRAP_BLOCK    8u
#define MAX_WRAPPED   (EVP_MAX_KEY_LENGTH + WRAP_BLOCK)
/* Base64 of that, line ends included. */
#define MAX_WRAP_TEXT 256

bool fmpi_agreement_wrapping_key(const struct fmpi_agreement *a, const uint8_t *secret, size_t n,
				 uint8_t out[32])
{
	EVP_KDF *kdf = EVP_KDF_fetch(NULL, a->hkdf ? "HKDF" : "SSKDF", NULL);
	EVP_KDF_CTX *ctx = kdf ? EVP_KDF_CTX_new(kdf) : NULL;
	OSSL_PARAM params[5], *p = params;
	bool good;

	*p++ = OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, (char *)a->digest, 0);
	*p++ = OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_KEY, (void *)secret, n);
	*p++ = OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_INFO, (void *)a->info, a->info_len);
	if (a->hkdf && a->salt_len)
		*p++ = OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_SALT, (void *)a->salt,
							 a->salt_len);
	*p = OSSL_PARAM_construct_end();
	good = ctx && EVP_KDF_derive(ctx, out, a->wrap_len, params) > 0;
	EVP_KDF_CTX_free(ctx);
	EVP_KDF_free(kdf);
	return good;
}

static const EVP_CIPHER *wrap_cipher(size_t len)
{
	return len == 16 ? EVP_aes_128_wrap() : len == 24 ? EVP_aes_192_wrap() : EVP_aes_256_wrap();
}

static bool unwrap_bytes(const struct fmpi_agreement *a, const uint8_t *wrapping, const uint8_t *in,
			 size_t n, uint8_t *out, size_t *len)
{
	EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
	uint8_t plain[MAX_WRAPPED];
	int got = 0;
	bool good;

	if (ctx)
		EVP_CIPHER_CTX_set_flags(ctx, EVP_CIPHER_CTX_FLAG_WRAP_ALLOW);
	good = ctx && EVP_DecryptInit_ex(ctx, wrap_cipher(a->wrap_len), NULL, wrapping, NULL) > 0 &&
	       EVP_DecryptUpdate(ctx, plain, &got, in, (int)n) > 0 && got == (int)(n - WRAP_BLOCK);
	if (good)
		memcpy(out, plain, (size_t)got);
	*len = good ? (size_t)got : 0;
	EVP_CIPHER_CTX_free(ctx);
	OPENSSL_cleanse(plain, sizeof(plain));
	return good;
}

bool fmpi_agreement_unwrap(EVP_PKEY *key, const struct fmpi_agreement *a, const char *text,
			   uint8_t *out, size_t *len)
{
	uint8_t in[FMPI_BASE64_MAX(MAX_WRAP_TEXT)], secret[FMP_SHARED_MAX], wrapping[32];
	size_t n = 0, text_len = strlen(text);
	int shared_len;
	bool good;

	*len = 0;
	if (text_len > MAX_WRAP_TEXT || fmpi_base64_decode(text, text_len, in, &n) != 0 ||
	    n < 3 * WRAP_BLOCK || n > MAX_WRAPPED || n % WRAP_BLOCK)
		return false;
	shared_len = fmp_key_agree(key, a->point, a->point_len, secret);
	good = shared_len > 0 &&
	       fmpi_agreement_wrapping_key(a, secret, (size_t)shared_len, wrapping) &&
	       unwrap_bytes(a, wrapping, in, n, out, len);
	OPENSSL_cleanse(secret, sizeof(secret));
	OPENSSL_cleanse(wrapping, sizeof(wrapping));
	ERR_clear_error();
	return good;
}
