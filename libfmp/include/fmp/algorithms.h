/* SPDX-License-Identifier: GPL-2.0 */
/* Cryptographic algorithms of a message: those built in, and the sets that a policy allows. */
#ifndef FMP_ALGORITHMS_H
#define FMP_ALGORITHMS_H

#include <stdbool.h>

/** Signature algorithms: ds:SignatureMethod. */
enum fmp_signature {
	FMP_SIGNATURE_RSA_SHA256 = 0, /**< "rsa-sha256" */
	FMP_SIGNATURE_RSA_SHA384, /**< "rsa-sha384" */
	FMP_SIGNATURE_RSA_SHA512, /**< "rsa-sha512" */
	FMP_SIGNATURE_RSA_PSS_SHA256, /**< "rsa-pss-sha256" */
	FMP_SIGNATURE_RSA_PSS_SHA384, /**< "rsa-pss-sha384" */
	FMP_SIGNATURE_RSA_PSS_SHA512, /**< "rsa-pss-sha512" */
	FMP_SIGNATURE_ECDSA_SHA256, /**< "ecdsa-sha256" */
	FMP_SIGNATURE_ECDSA_SHA384, /**< "ecdsa-sha384" */
	FMP_SIGNATURE_ECDSA_SHA512, /**< "ecdsa-sha512" */
	FMP_SIGNATURE_HMAC_SHA256, /**< "hmac-sha256": by the key of an EncryptedKey, as the two below */
	FMP_SIGNATURE_HMAC_SHA384, /**< "hmac-sha384" */
	FMP_SIGNATURE_HMAC_SHA512, /**< "hmac-sha512" */
	FMP_SIGNATURE_ED25519, /**< "ed25519" */
	FMP_SIGNATURES
};

/** Digest algorithms: ds:DigestMethod. */
enum fmp_digest {
	FMP_DIGEST_SHA256 = 0, /**< "sha256" */
	FMP_DIGEST_SHA384, /**< "sha384" */
	FMP_DIGEST_SHA512, /**< "sha512" */
	FMP_DIGESTS
};

/** Ciphers: xenc:EncryptionMethod of an EncryptedData. */
enum fmp_cipher {
	FMP_CIPHER_AES128_CBC = 0, /**< "aes128-cbc" */
	FMP_CIPHER_AES256_CBC, /**< "aes256-cbc" */
	FMP_CIPHER_AES128_GCM, /**< "aes128-gcm" */
	FMP_CIPHER_AES256_GCM, /**< "aes256-gcm" */
	FMP_CIPHERS
};

/**
 * Key transport: xenc:EncryptionMethod of an EncryptedKey. RSA-OAEP with this digest; any MGF1. Or key
 * agreement and AES key wrap.
 */
enum fmp_key_transport {
	FMP_RSA_OAEP_SHA1 = 0, /**< "rsa-oaep-sha1" */
	FMP_RSA_OAEP_SHA256, /**< "rsa-oaep-sha256" */
	FMP_RSA_OAEP_SHA384, /**< "rsa-oaep-sha384" */
	FMP_RSA_OAEP_SHA512, /**< "rsa-oaep-sha512" */
	FMP_KEY_ECDH_ES, /**< "ecdh-es": on P-256, P-384, P-521 */
	FMP_KEY_X25519, /**< "x25519" */
	FMP_KEY_TRANSPORTS
};

#define FMP_ALGORITHM_BIT(a) (1u << (a))

/** Algorithms that a message may use: FMP_ALGORITHM_BIT()s of the enums above. */
struct fmp_policy_algorithms {
	unsigned signature; /**< of the message, and of an assertion in it */
	unsigned digest; /**< of both */
	unsigned encryption;
	unsigned key_transport;
};

/** Of enum fmp_key_transport, those of an RSA key. */
#define FMP_RSA_OAEPS	   (FMP_RSA_OAEP_SHA512 + 1)
#define FMP_RSA_OAEPS_BITS (FMP_ALGORITHM_BIT(FMP_RSA_OAEPS) - 1)

/**
 * CBC does not detect modification: how a modified message is answered tells about its plaintext.
 */
#define FMP_CIPHERS_CBC \
	(FMP_ALGORITHM_BIT(FMP_CIPHER_AES128_CBC) | FMP_ALGORITHM_BIT(FMP_CIPHER_AES256_CBC))
#define FMP_CIPHERS_GCM \
	(FMP_ALGORITHM_BIT(FMP_CIPHER_AES128_GCM) | FMP_ALGORITHM_BIT(FMP_CIPHER_AES256_GCM))

/** The default of a policy: all built-in algorithms but CBC. */
#define FMP_ALGORITHMS_DEFAULT                                                             \
	{                                                                                  \
		FMP_ALGORITHM_BIT(FMP_SIGNATURES) - 1, FMP_ALGORITHM_BIT(FMP_DIGESTS) - 1, \
			FMP_CIPHERS_GCM, FMP_ALGORITHM_BIT(FMP_KEY_TRANSPORTS) - 1         \
	}

/**
 * fmp_ciphers_mixed() - could one session key be used with both CBC and GCM?
 * @ciphers: FMP_ALGORITHM_BIT()s of enum fmp_cipher
 *
 * An attacker could relabel a captured GCM ciphertext as CBC and so confirm guesses of its content.
 * A session key of 128 bits never opens AES-256, so one family per key length is safe.
 */
static inline bool fmp_ciphers_mixed(unsigned ciphers)
{
	const unsigned aes128 = FMP_ALGORITHM_BIT(FMP_CIPHER_AES128_CBC) |
				FMP_ALGORITHM_BIT(FMP_CIPHER_AES128_GCM);
	const unsigned aes256 = FMP_ALGORITHM_BIT(FMP_CIPHER_AES256_CBC) |
				FMP_ALGORITHM_BIT(FMP_CIPHER_AES256_GCM);

	return (ciphers & aes128) == aes128 || (ciphers & aes256) == aes256;
}

#endif
