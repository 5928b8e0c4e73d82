/* SPDX-License-Identifier: GPL-2.0 */
/* Loads a private key and a certificate from PEM files, or makes a self-signed certificate. */
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

/* See flood_signer_new(). After an error there is nothing to clear. */
int flood_keys_load(struct flood_keys *k, const char *key, const char *cert, const char *ca,
		    struct fmp_error *err);
void flood_keys_clear(struct flood_keys *k);

#endif
