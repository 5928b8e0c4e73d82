// SPDX-License-Identifier: GPL-2.0
#include <fmp/internal/key_strength.h>

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <string.h>

bool fmp_rsa_exponent_is_usable(EVP_PKEY *key)
{
	BIGNUM *e = NULL;
	bool usable;

	if (!EVP_PKEY_is_a(key, "RSA") && !EVP_PKEY_is_a(key, "RSA-PSS"))
		return true;
	usable = EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_RSA_E, &e) && BN_is_odd(e) &&
		 !BN_is_one(e) && BN_num_bits(e) <= 64;
	BN_free(e);
	return usable;
}

bool fmp_key_is_usable(EVP_PKEY *key)
{
	char group[32];
	size_t n;

	if (EVP_PKEY_is_a(key, "RSA"))
		return EVP_PKEY_get_bits(key) >= 2048 && EVP_PKEY_get_bits(key) <= 8192 &&
		       fmp_rsa_exponent_is_usable(key);
	if (EVP_PKEY_is_a(key, "ED25519"))
		return true;
	if (!EVP_PKEY_is_a(key, "EC") || !EVP_PKEY_get_group_name(key, group, sizeof(group), &n))
		return false;
	return strcmp(group, "prime256v1") == 0 || strcmp(group, "secp384r1") == 0 ||
	       strcmp(group, "secp521r1") == 0;
}
