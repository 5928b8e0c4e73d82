/* SPDX-License-Identifier: GPL-2.0 */
/* Keys, certificates, and what is made with them. */
#ifndef FMP_TESTS_ATTACK_PKI_H
#define FMP_TESTS_ATTACK_PKI_H

#include <openssl/evp.h>
#include <stdio.h>

#include "attack.h"

struct attack_pki {
	int64_t now_s;
	EVP_PKEY *key[ATTACK_CERTS];
	char *token[ATTACK_CERTS]; /* Base64 of the certificate */
	char *ca, *idp; /* PEM */
	EVP_PKEY *server;
};

/** attack_need() - abort the program where a test can't continue. */
void attack_need(bool holds, const char *what);
#define NEED(x) attack_need(x, #x)

void attack_put_base64(FILE *out, const void *bytes, size_t n);
void attack_put_time(FILE *out, int64_t seconds);
void attack_put_digest(FILE *out, const EVP_MD *md, const void *bytes, size_t n);
void attack_put_signature(FILE *out, EVP_PKEY *key, const void *bytes, size_t n);
/** attack_put_mac() - HMAC-SHA256; token: for ATTACK_PUBLIC. */
void attack_put_mac(FILE *out, enum attack_secret secret, const char *token, const void *bytes,
		    size_t n);
/**
 * attack_put_path() - Base64 of an X509PKIPathv1
 * @letters: its certificates: C the CA, g good, 2 second, r rogue, s by itself, e expired, B between,
 * d deep, n no CA, o of that, S short, b below, t too deep, N narrow, w of that
 */
void attack_put_path(FILE *out, const struct attack_pki *pki, const char *letters);
/** attack_put_wrapped() - RSA-OAEP of the session key. */
void attack_put_wrapped(FILE *out, EVP_PKEY *server);
/** attack_put_cipher() - AES-128 under the session key, GCM or CBC. */
void attack_put_cipher(FILE *out, bool gcm, const void *bytes, size_t n);

#endif
