/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Key agreement of XML Encryption 1.1 (5.6): the key that wraps a session key is derived from a secret
 * shared with an ephemeral key of the sender's. Everything that the sender chooses is bounded.
 */
#ifndef FMPI_WSS_AGREEMENT_H
#define FMPI_WSS_AGREEMENT_H

#include <fmp/internal/key_agree.h>

#include "wsse.h"

/** Bytes of all parameters of ConcatKDF, or of HKDF's Info. */
#define FMPI_KDF_INFO 512
/** Bytes of HKDF's Salt. */
#define FMPI_KDF_SALT 128

/** struct fmpi_agreement - how a session key is wrapped; wrap_len 0: not by key agreement */
struct fmpi_agreement {
	size_t wrap_len; /**< bytes of the key that wraps: 16, 24, 32 */
	const char *digest; /**< of the derivation; a name for OpenSSL */
	bool hkdf; /**< RFC 5869; else ConcatKDF of SP 800-56A */
	size_t point_len, info_len, salt_len;
	uint8_t point[FMP_POINT_MAX]; /**< the sender's public key */
	uint8_t info[FMPI_KDF_INFO], salt[FMPI_KDF_SALT];
};

/** fmpi_key_wrap_length() - bytes of the key of an algorithm kw-aes*; 0: it is none. */
size_t fmpi_key_wrap_length(const char *algorithm);

/**
 * fmpi_agreement_read() - read the AgreementMethod of an EncryptedKey
 * @method: of the EncryptedKey, one with a fmpi_key_wrap_length()
 * @key_info: of it; NULL: none
 * @allowed: FMP_ALGORITHM_BIT()s of enum fmp_key_transport
 *
 * Whether the point is on the curve is found out when the key is used. Return: 0, FMPI_REFUSED.
 */
int fmpi_agreement_read(const xmlNode *method, const xmlNode *key_info, unsigned allowed,
			struct fmpi_agreement *out, struct fmp_inspection *v);

bool fmpi_agreement_equal(const struct fmpi_agreement *a, const struct fmpi_agreement *b);

/**
 * fmpi_agreement_wrapping_key() - derive the key that wraps
 * @secret: shared, of @n bytes
 * @out: a->wrap_len bytes
 */
bool fmpi_agreement_wrapping_key(const struct fmpi_agreement *a, const uint8_t *secret, size_t n,
				 uint8_t out[32]);

/**
 * fmpi_agreement_unwrap() - the session key: key agreement, derivation, key wrap (RFC 3394)
 * @text: Base64 of the wrapped key
 * @out: EVP_MAX_KEY_LENGTH bytes
 */
bool fmpi_agreement_unwrap(EVP_PKEY *key, const struct fmpi_agreement *a, const char *text,
			   uint8_t *out, size_t *len);

#endif
