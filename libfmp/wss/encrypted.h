/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The clear parts of XML Encryption, checked against short lists before any key is used: which
 * data are encrypted, with which algorithms, for which key.
 */
#ifndef FMPI_WSS_ENCRYPTED_H
#define FMPI_WSS_ENCRYPTED_H

#include <openssl/evp.h>

#include "agreement.h"
#include "derived_key.h"
#include "wsse.h"

/** struct fmpi_datum - one EncryptedData */
struct fmpi_datum {
	const xmlNode *node;
	const xmlNode *
		place; /**< what the plaintext replaces: the node, or the EncryptedHeader around it */
	const char *text; /**< Base64 of the encrypted content, inside the tree */
	struct fmpi_derived_key derived; /**< its key; length 0: the EncryptedKey's */
};

/** struct fmpi_encrypted_attachment - EncryptedData of an attachment */
struct fmpi_encrypted_attachment {
	struct fmpi_datum datum; /**< without place and text */
	const char *uri; /**< of its CipherReference */
	const char *mime_type; /**< NULL: none */
	bool complete; /**< its MIME header is encrypted, too */
	struct fmp_attachment *part; /**< set by fmpi_attachments_match() */
};

/** struct fmpi_encrypted - the encrypted parts of a message, under one session key */
struct fmpi_encrypted {
	enum fmp_cipher cipher; /**< of each datum */
	const char *oaep_digest, *oaep_mgf; /**< names for OpenSSL */
	struct fmpi_agreement agreement; /**< in place of RSA-OAEP */
	const char *key; /**< Base64 of the encrypted session key, inside the tree */
	unsigned n;
	struct fmpi_datum datum
		[FMP_ENCRYPTED_PARTS]; /**< in document order: that of the Body, unless it is empty or in the clear, is the last */
	unsigned n_attachments;
	struct fmpi_encrypted_attachment attachment[FMPI_MAX_ENCRYPTED_ATTACHMENTS];
};

/**
 * fmpi_encrypted_read() - read the EncryptedKey of the header and the data that it is for
 * @w: read with the same @encrypted
 * @encrypted: FMP_ENCRYPTED_BIT()s of what must be encrypted beside the Body; nothing else may be
 * @twice: data inside the Security header are decrypted first: the first of two ReferenceLists beside
 *	   the key names them, the second header blocks and Body
 * @allowed: by the policy
 *
 * RSA-OAEP with SHA-1 or SHA-2, also as its MGF1, or key agreement for the key, AES-128/256 in GCM or CBC for the
 * content, only GCM with attachments; RSA 1.5 is refused. Of an empty Body nothing is encrypted.
 *  Return: 0, FMPI_REFUSED.
 */
int fmpi_encrypted_read(const struct fmpi_wsse *w, const struct fmpi_soap *soap, unsigned encrypted,
			bool twice, const struct fmp_policy_algorithms *allowed,
			struct fmpi_encrypted *out, struct fmp_inspection *v);

/**
 * fmpi_encrypted_read_header() - the same where the Body is in the clear
 * @w: read with FMPI_ENCRYPTED_ANY; has encrypted parts or blocks
 *
 * Return: 0, FMPI_REFUSED.
 */
int fmpi_encrypted_read_header(const struct fmpi_wsse *w, const struct fmpi_soap *soap,
			       const struct fmp_policy_algorithms *allowed,
			       struct fmpi_encrypted *out, struct fmp_inspection *v);

/**
 * fmpi_encrypted_read_key() - read the EncryptedKey alone, of a message that is signed by it
 * @out: no data
 *
 * Return: 0, FMPI_REFUSED.
 */
int fmpi_encrypted_read_key(const struct fmpi_wsse *w, const struct fmp_policy_algorithms *allowed,
			    struct fmpi_encrypted *out, struct fmp_inspection *v);

#endif
