/* SPDX-License-Identifier: GPL-2.0 */
/* The ds:KeyInfo of an assertion, which holds the key itself, signed by the issuer. */
#ifndef FMPI_SAML_HOLDER_OF_KEY_H
#define FMPI_SAML_HOLDER_OF_KEY_H

#include <openssl/evp.h>

#include "xml/document.h"

#define FMPI_HOLDER_ID 32

enum fmpi_holder_key_form {
	FMPI_KEYFORM_X509, /**< X509Data: only the certificate's key is used */
	FMPI_KEYFORM_RSA, /**< KeyValue: Modulus, Exponent */
	FMPI_KEYFORM_EC, /**< KeyValue: the URI of the curve, PublicKey */
};

/** struct fmpi_keytext - points into the tree */
struct fmpi_keytext {
	enum fmpi_holder_key_form form;
	const xmlNode *node;
	const char *first, *second;
};

/**
 * fmpi_holder_of_key_read() - read it without decoding it
 * @id: SHA-256 of the texts
 *
 * Return: 0, FMPI_REFUSED.
 */
int fmpi_holder_of_key_read(const xmlNode *key_info, struct fmpi_keytext *out,
			    uint8_t id[FMPI_HOLDER_ID], struct fmp_inspection *v);

/** fmpi_holder_of_key_load() - decode the key; refused unless fmp_key_is_usable(). Return: 0 with *out, FMPI_REFUSED. */
int fmpi_holder_of_key_load(const struct fmpi_keytext *t, EVP_PKEY **out, struct fmp_inspection *v);

#endif
