/* SPDX-License-Identifier: GPL-2.0 */
/* Which public keys are strong enough to sign, and cheap enough to verify. */
#ifndef FMP_KEY_STRENGTH_H
#define FMP_KEY_STRENGTH_H

#include <stdbool.h>

#include <openssl/evp.h>

/**
 * fmp_key_is_usable() - is it RSA of 2048 to 8192 bits with a usable exponent, EC on P-256,
 * P-384 or P-521, or Ed25519?
 */
bool fmp_key_is_usable(EVP_PKEY *key);
/**
 * fmp_rsa_exponent_is_usable() - is the RSA exponent odd, above 1 and at most 64 bits? True for
 * other keys.
 *
 * OpenSSL limits it only above 3072 bits of modulus; one of 3071 bits costs a hundred usual
 * verifications.
 */
bool fmp_rsa_exponent_is_usable(EVP_PKEY *key);

#endif
