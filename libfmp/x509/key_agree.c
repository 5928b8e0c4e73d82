// SPDX-License-Identifier: GPL-2.0
#include <fmp/internal/key_agree.h>

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/param_build.h>
#include <stdlib.h>
#include <string.h>

#define UNCOMPRESSED 4
#define X25519_LEN   32

struct delegate {
	fmp_key_agreement *agree;
	void *ctx;
};

static bool has_group(EVP_PKEY *key, char *name, size_t size)
{
	return EVP_PKEY_is_a(key, "EC") && EVP_PKEY_get_group_name(key, name, size, NULL);
}

bool fmp_key_is_agreeable(EVP_PKEY *key)
{
	char name[32];

	return EVP_PKEY_is_a(key, "X25519") ||
	       (has_group(key, name, sizeof(name)) &&
		(strcmp(name, "prime256v1") == 0 || strcmp(name, "secp384r1") == 0 ||
		 strcmp(name, "secp521r1") == 0));
}

/* ---- keys that are elsewhere ---- */

static void free_delegate(void *key, void *ptr, CRYPTO_EX_DATA *data, int idx, long l, void *p)
{
	free(ptr);
}

static int delegate_index(void)
{
	static int idx = -1;

	if (idx < 0)
		idx = CRYPTO_get_ex_new_index(CRYPTO_EX_INDEX_EVP_PKEY, 0, NULL, NULL, NULL,
					      free_delegate);
	return idx;
}

bool fmp_key_delegate(EVP_PKEY *key, fmp_key_agreement *agree, void *ctx)
{
	struct delegate *d = malloc(sizeof(*d));

	if (!d || delegate_index() < 0 || !EVP_PKEY_set_ex_data(key, delegate_index(), d)) {
		free(d);
		return false;
	}
	*d = (struct delegate){ agree, ctx };
	return true;
}

/* ---- the secret ---- */

/* The other's key. OpenSSL refuses a point that is not on the curve; infinity has another length. */
static EVP_PKEY *read_point(const char *group, const uint8_t *point, size_t n)
{
	EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(NULL, "EC", NULL);
	EVP_PKEY *key = NULL;
	OSSL_PARAM params[] = {
		OSSL_PARAM_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, (char *)group, strlen(group)),
		OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_PUB_KEY, (void *)point, n),
		OSSL_PARAM_END,
	};

	if (!ctx || EVP_PKEY_fromdata_init(ctx) <= 0 ||
	    EVP_PKEY_fromdata(ctx, &key, EVP_PKEY_PUBLIC_KEY, params) <= 0)
		key = NULL;
	EVP_PKEY_CTX_free(ctx);
	return key;
}

static EVP_PKEY *read_other(EVP_PKEY *key, const uint8_t *point, size_t n)
{
	size_t half = ((size_t)EVP_PKEY_get_bits(key) + 7) / 8;
	char group[32];

	if (EVP_PKEY_is_a(key, "X25519"))
		return n == X25519_LEN
			       ? EVP_PKEY_new_raw_public_key_ex(NULL, "X25519", NULL, point, n)
			       : NULL;
	if (!has_group(key, group, sizeof(group)) || n != 1 + 2 * half || point[0] != UNCOMPRESSED)
		return NULL;
	return read_point(group, point, n);
}

/* OpenSSL refuses a secret of X25519 that is all 0 (RFC 7748, 6.1), which a point of low order makes. */
static int derive_from(EVP_PKEY *key, EVP_PKEY *other, uint8_t *out)
{
	EVP_PKEY_CTX *ctx = other ? EVP_PKEY_CTX_new_from_pkey(NULL, key, NULL) : NULL;
	size_t len = FMP_SHARED_MAX;
	bool good = ctx && EVP_PKEY_derive_init(ctx) > 0 &&
		    EVP_PKEY_derive_set_peer(ctx, other) > 0 && EVP_PKEY_derive(ctx, out, &len) > 0;

	EVP_PKEY_CTX_free(ctx);
	ERR_clear_error();
	return good ? (int)len : -1;
}

static int derive_shared(EVP_PKEY *key, const uint8_t *point, size_t n, uint8_t *out)
{
	EVP_PKEY *other = read_other(key, point, n);
	int ret = derive_from(key, other, out);

	EVP_PKEY_free(other);
	return ret;
}

int fmp_key_agree(EVP_PKEY *key, const uint8_t *point, size_t n, uint8_t *out)
{
	const struct delegate *d = EVP_PKEY_get_ex_data(key, delegate_index());

	if (n > FMP_POINT_MAX || !fmp_key_is_agreeable(key))
		return -1;
	return d ? d->agree(d->ctx, point, n, out) : derive_shared(key, point, n, out);
}

/* By name: a key made like @to would have a compressed point if that has one. */
static EVP_PKEY *make_key_like(EVP_PKEY *to)
{
	char group[32];

	if (EVP_PKEY_is_a(to, "X25519"))
		return EVP_PKEY_Q_keygen(NULL, NULL, "X25519");
	return has_group(to, group, sizeof(group)) ? EVP_PKEY_Q_keygen(NULL, NULL, "EC", group)
						   : NULL;
}

int fmp_key_agree_new(EVP_PKEY *to, uint8_t *point, size_t *point_len, uint8_t *out)
{
	EVP_PKEY *own = fmp_key_is_agreeable(to) ? make_key_like(to) : NULL;
	bool good = own && EVP_PKEY_get_octet_string_param(own, OSSL_PKEY_PARAM_PUB_KEY, point,
							   FMP_POINT_MAX, point_len);
	int ret = good ? derive_from(own, to, out) : -1;

	EVP_PKEY_free(own);
	ERR_clear_error();
	return ret;
}

int fmp_key_sign_ed25519(EVP_PKEY *key, const uint8_t *message, size_t n, uint8_t *out)
{
	const struct delegate *d = EVP_PKEY_get_ex_data(key, delegate_index());
	EVP_MD_CTX *ctx;
	size_t len = FMP_ED25519_LEN;
	bool good;

	if (!EVP_PKEY_is_a(key, "ED25519") || n > FMP_ED25519_MESSAGE_MAX)
		return -1;
	if (d)
		return d->agree(d->ctx, message, n, out) == FMP_ED25519_LEN ? FMP_ED25519_LEN : -1;
	ctx = EVP_MD_CTX_new();
	good = ctx && EVP_DigestSignInit(ctx, NULL, NULL, NULL, key) > 0 &&
	       EVP_DigestSign(ctx, out, &len, message, n) > 0;
	EVP_MD_CTX_free(ctx);
	ERR_clear_error();
	return good ? (int)len : -1;
}
