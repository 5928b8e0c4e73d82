/* SPDX-License-Identifier: GPL-2.0 */
/* Which public keys are strong enough to sign, and cheap enough to verify with. */
#ifndef FMP_KEY_STRENGTH_H
#define FMP_KEY_STRENGTH_H

#include <stdbool.h>

#include <openssl/evp.h>

/** fmp_key_is_usable() - RSA of 2048..8192 bits with a usable exponent, or EC on P-256/384/521? */
bool fmp_key_is_usable(EVP_PKEY *key);
/**
 * fmp_rsa_exponent_is_usable() - is an RSA exponent odd, above 1 and at most 64 bits? True of other keys.
 *
 * OpenSSL bounds it above 3072 bits of modulus alone; one of 3071 bits costs a hundred usual verifications.
 */
bool fmp_rsa_exponent_is_usable(EVP_PKEY *key);

#endif
