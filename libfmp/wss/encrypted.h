/* SPDX-License-Identifier: GPL-2.0 */
/*
 * XML-Enc: what an encrypted message says about itself, held against short lists.
 * All that is refused here is in the clear; no key has been used yet.
 */
#ifndef FMPI_WSS_ENCRYPTED_H
#define FMPI_WSS_ENCRYPTED_H

#include <openssl/evp.h>

#include "wsse.h"

/** struct fmpi_datum - one EncryptedData */
struct fmpi_datum {
	const xmlNode *node;
	const xmlNode
		*place; /**< what its content stands for: it, or the EncryptedHeader around it */
	const char *text; /**< Base64 of the encrypted content, inside the tree */
};

/** struct fmpi_encrypted - what of a message is encrypted, with one session key */
struct fmpi_encrypted {
	enum fmp_cipher cipher; /**< of each datum */
	const char *oaep_digest, *oaep_mgf; /**< names for OpenSSL */
	const char *key; /**< Base64 of the encrypted session key, inside the tree */
	unsigned n;
	struct fmpi_datum
		datum[FMP_ENCRYPTED_PARTS]; /**< as they stand: that of the Body is the last */
};

/**
 * fmpi_encrypted_read() - the EncryptedKey of the header, and what it is for
 * @w: read with the same `hidden`
 * @encrypted: FMP_ENCRYPTED_BIT()s of what must be encrypted beside the Body; nothing else may be
 * @twice: what of it stands in the Security header is decrypted first: of two ReferenceLists beside
 *	   the key the first is of that, the second of header blocks and Body
 * @allowed: of those below
 *
 * RSA-OAEP with SHA-1 or SHA-2, also as its MGF1, for the key, AES-128/256 in GCM or CBC for the
 * content; RSA 1.5 is refused. Return: 0, FMPI_REFUSED.
 */
int fmpi_encrypted_read(const struct fmpi_wsse *w, const struct fmpi_soap *soap, unsigned encrypted,
			bool twice, const struct fmp_policy_algorithms *allowed,
			struct fmpi_encrypted *out, struct fmp_inspection *v);

#endif
