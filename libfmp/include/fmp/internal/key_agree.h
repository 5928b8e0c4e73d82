/* SPDX-License-Identifier: GPL-2.0 */
/* Diffie-Hellman, and signatures of Ed25519, with a private key that may be in another process. */
#ifndef FMP_KEY_AGREE_H
#define FMP_KEY_AGREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <openssl/evp.h>

/** Longest shared secret: of P-521. */
#define FMP_SHARED_MAX 66
/** Longest public key: an uncompressed point of P-521. */
#define FMP_POINT_MAX  133

/**
 * fmp_key_agreement - do fmp_key_agree() elsewhere
 * @out: FMP_SHARED_MAX bytes
 *
 * Return: length of the secret, -1.
 */
typedef int fmp_key_agreement(void *ctx, const uint8_t *point, size_t n, uint8_t *out);

/** fmp_key_is_agreeable() - is it EC on P-256, P-384 or P-521, or X25519? */
bool fmp_key_is_agreeable(EVP_PKEY *key);

/**
 * fmp_key_delegate() - have @agree called in place of a private key that is not in this process
 * @key: its public half; of Ed25519, whose @agree signs
 *
 * Return: false without memory.
 */
bool fmp_key_delegate(EVP_PKEY *key, fmp_key_agreement *agree, void *ctx);

/**
 * fmp_key_agree() - the secret shared with the holder of another key
 * @point: the other's public key on the curve of @key: uncompressed (SEC 1, 2.3.3), or the 32 bytes of
 *	   RFC 7748; whoever sent it may have made it up
 * @out: FMP_SHARED_MAX bytes
 *
 * A point that is not on the curve, or of low order, is refused. Return: length of the secret, -1.
 */
int fmp_key_agree(EVP_PKEY *key, const uint8_t *point, size_t n, uint8_t *out);

/**
 * fmp_key_agree_new() - agree with the holder of @to by a key made for that
 * @point: out: FMP_POINT_MAX bytes, for the holder's fmp_key_agree(); @point_len: of it
 * @out: FMP_SHARED_MAX bytes
 *
 * Return: length of the secret, -1.
 */
int fmp_key_agree_new(EVP_PKEY *to, uint8_t *point, size_t *point_len, uint8_t *out);

/**
 * FMP_ED25519_MESSAGE_MAX - bytes of a message: a SignedInfo with 16 References to elements and 32 to attachments, the
 * names of which are percent-encoded
 */
#define FMP_ED25519_MESSAGE_MAX 65536

/** FMP_ED25519_LEN - bytes of a signature; FMP_SHARED_MAX is no less */
#define FMP_ED25519_LEN 64

/** fmp_key_sign_ed25519() - sign a message. Return: FMP_ED25519_LEN, -1. @out: FMP_SHARED_MAX bytes */
int fmp_key_sign_ed25519(EVP_PKEY *key, const uint8_t *message, size_t n, uint8_t *out);

#endif
