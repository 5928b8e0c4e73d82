/* SPDX-License-Identifier: GPL-2.0 */
/* The ds:KeyInfo that is a key, not a way to one: in an assertion, where its issuer has signed it. */
#ifndef FMPI_INSPECT_HOLDER_H
#define FMPI_INSPECT_HOLDER_H

#include <openssl/evp.h>

#include "inspect/document.h"

#define FMPI_HOLDER_ID 32

enum fmpi_keyform {
	FMPI_KEYFORM_X509, /**< X509Data: of the certificate only the key counts */
	FMPI_KEYFORM_RSA, /**< KeyValue: Modulus, Exponent */
	FMPI_KEYFORM_EC, /**< KeyValue: the URI of the curve, PublicKey */
};

/** struct fmpi_keytext - texts of the tree */
struct fmpi_keytext {
	enum fmpi_keyform form;
	const xmlNode *node;
	const char *first, *second;
};

/**
 * fmpi_holder_read() - without decoding it
 * @id: SHA-256 of the texts
 *
 * Return: 0, FMPI_REFUSED.
 */
int fmpi_holder_read(const xmlNode *key_info, struct fmpi_keytext *out, uint8_t id[FMPI_HOLDER_ID],
		     struct fmp_inspection *v);

/** fmpi_holder_key() - as fmpi_key_usable(). Return: 0 with *out, FMPI_REFUSED. */
int fmpi_holder_key(const struct fmpi_keytext *t, EVP_PKEY **out, struct fmp_inspection *v);

#endif
