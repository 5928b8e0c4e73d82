/* SPDX-License-Identifier: GPL-2.0 */
/* RSA keys with any exponent. */
#ifndef FMP_TEST_EXPONENT_H
#define FMP_TEST_EXPONENT_H

#include <check.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <openssl/rsa.h>

/* With the modulus of another key: nothing is ever signed with it. Return: caller frees it. */
static EVP_PKEY *rsa_with(unsigned exponent_bits, unsigned lowest)
{
	EVP_PKEY *good = EVP_RSA_gen(2048), *out = NULL;
	EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(NULL, "RSA", NULL);
	OSSL_PARAM_BLD *bld = OSSL_PARAM_BLD_new();
	BIGNUM *n = NULL, *e = BN_new();
	OSSL_PARAM *params;

	ck_assert(EVP_PKEY_get_bn_param(good, OSSL_PKEY_PARAM_RSA_N, &n));
	ck_assert(BN_set_word(e, lowest));
	if (exponent_bits > 8)
		BN_set_bit(e, (int)exponent_bits - 1);
	OSSL_PARAM_BLD_push_BN(bld, OSSL_PKEY_PARAM_RSA_N, n);
	OSSL_PARAM_BLD_push_BN(bld, OSSL_PKEY_PARAM_RSA_E, e);
	params = OSSL_PARAM_BLD_to_param(bld);
	ck_assert(EVP_PKEY_fromdata_init(ctx) == 1);
	ck_assert(EVP_PKEY_fromdata(ctx, &out, EVP_PKEY_PUBLIC_KEY, params) == 1);
	OSSL_PARAM_free(params);
	OSSL_PARAM_BLD_free(bld);
	EVP_PKEY_CTX_free(ctx);
	EVP_PKEY_free(good);
	BN_free(n);
	BN_free(e);
	return out;
}

#endif
