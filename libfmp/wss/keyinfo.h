/* SPDX-License-Identifier: GPL-2.0 */
/* The key that a ds:KeyInfo names, by SecurityTokenReference or X509Data. */
#ifndef FMPI_WSS_KEYINFO_H
#define FMPI_WSS_KEYINFO_H

#include "wsse.h"

/** How a certificate is named (WSS X.509 token profile 1.1, 3.2; SAML token profile 1.1, 3.4). */
enum fmpi_key_name {
	FMPI_KEY_TOKEN, /**< a Reference to a BinarySecurityToken of this header */
	FMPI_KEY_EMBEDDED, /**< a KeyIdentifier that is the certificate, or an X509Certificate */
	FMPI_KEY_ISSUER_SERIAL, /**< X509IssuerSerial: of a known certificate, as the two below */
	FMPI_KEY_SKI, /**< its subject key identifier */
	FMPI_KEY_THUMBPRINT, /**< SHA-1 of it: a name, not a proof */
	FMPI_KEY_ENCRYPTED_KEY, /**< no certificate: the header's EncryptedKey, or a key derived from it */
	FMPI_KEY_ASSERTION, /**< no certificate: the key that the header's assertion confirms */
};

/** struct fmpi_keyinfo - nodes and texts of the tree. */
struct fmpi_keyinfo {
	enum fmpi_key_name name;
	const xmlNode *node; /**< that names it, for its line */
	/** FMPI_KEY_TOKEN: the BinarySecurityToken; FMPI_KEY_ENCRYPTED_KEY: EncryptedKey or DerivedKeyToken; NULL else */
	xmlNode *token;
	const xmlNode *chain; /**< FMPI_KEY_EMBEDDED: X509Data with several certificates; NULL else */
	const char *text; /**< Base64, or the issuer's name */
	const char *serial; /**< FMPI_KEY_ISSUER_SERIAL: decimal */
};

/** fmpi_keyinfo_read() - read which key it names. Return: 0, FMPI_REFUSED. */
int fmpi_keyinfo_read(const xmlNode *key_info, const struct fmpi_wsse *w, struct fmpi_keyinfo *out,
		      struct fmp_inspection *v);

#endif
