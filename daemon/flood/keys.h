/* SPDX-License-Identifier: GPL-2.0 */
/* Private keys and certificates from PEM files. */
#ifndef FLOOD_KEYS_H
#define FLOOD_KEYS_H

#include <stdbool.h>

#include <openssl/evp.h>
#include <openssl/x509.h>

#include <fmp/error.h>

struct flood_keys {
	EVP_PKEY *key; /* NULL: none */
	X509 *cert;
	bool ec; /* P-256; else RSA */
	int size; /* bytes of an RSA signature */
};

/* See flood_signer_new(). On failure nothing is left to clear. */
int flood_keys_load(struct flood_keys *k, const char *key, const char *cert, const char *ca,
		    struct fmp_error *err);
void flood_keys_clear(struct flood_keys *k);

#endif
