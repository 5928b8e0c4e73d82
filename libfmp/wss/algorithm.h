/* SPDX-License-Identifier: GPL-2.0 */
/* One table each of the supported signature and digest algorithms; all others are refused. */
#ifndef FMPI_WSS_ALGORITHM_H
#define FMPI_WSS_ALGORITHM_H

#include <stdbool.h>
#include <stddef.h>

#include <fmp/algorithms.h>

enum fmpi_key_kind {
	FMPI_KEY_RSA,
	FMPI_KEY_EC,
	FMPI_KEY_HMAC, /**< a secret: of an EncryptedKey, or derived from it */
	FMPI_KEY_ED25519, /**< signs the text itself, not its digest */
};

/** struct fmpi_signature_method - of ds:SignatureMethod */
struct fmpi_signature_method {
	const char *uri;
	enum fmpi_key_kind key; /**< kind of key that it needs */
	bool pss; /**< RSA-PSS with MGF1 and a salt as long as the digest (RFC 6931, 2.3.10) */
	const char *digest; /**< name for OpenSSL */
};

/** struct fmpi_digest_method - of ds:DigestMethod */
struct fmpi_digest_method {
	const char *uri;
	const char *digest; /**< name for OpenSSL */
	size_t size; /**< of the digest in bytes */
};

/* By enum fmp_signature and enum fmp_digest. */
extern const struct fmpi_signature_method fmpi_signature_methods[];
extern const size_t fmpi_n_signature_methods;
extern const struct fmpi_digest_method fmpi_digest_methods[];

/** fmpi_signature_method_find() / fmpi_digest_method_find() - NULL: not allowed. */
const struct fmpi_signature_method *fmpi_signature_method_find(const char *uri);
const struct fmpi_digest_method *fmpi_digest_method_find(const char *uri);

/**
 * fmpi_algorithm_is_sound() - is an unsupported algorithm a standard one without known weakness?
 *
 * Its use is no sign of an attack; that of others (MD5, SHA-1, XSLT, XPath, RSA 1.5) may be.
 */
bool fmpi_algorithm_is_sound(const char *uri);

#endif
