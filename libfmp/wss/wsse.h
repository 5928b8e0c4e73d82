/* SPDX-License-Identifier: GPL-2.0 */
/* The WS-Security header that is for us: what is in it, each thing once, and nothing else. */
#ifndef FMPI_WSS_WSSE_H
#define FMPI_WSS_WSSE_H

#include "soap/soap.h"

/** The signer's certificate, and perhaps the one that we are encrypted for. */
#define FMPI_MAX_TOKENS 2

/** What is encrypted before and behind the signature (encrypted.c: when there may be two). */
#define FMPI_MAX_REFERENCE_LISTS 2

/** Security headers for other roles that may stand beside ours. */
#define FMPI_MAX_OTHERS 4

/** struct fmpi_wsse - nodes of the tree; NULL where there is none. */
struct fmpi_wsse {
	xmlNode *security;
	xmlNode *timestamp;
	xmlNode *signature;
	xmlNode *encrypted_key;
	xmlNode *list[FMPI_MAX_REFERENCE_LISTS]; /**< ReferenceList: what that key is for, beside it */
	unsigned n_lists;
	xmlNode *username; /**< UsernameToken */
	xmlNode *assertion; /**< of SAML 2.0 */
	xmlNode *confirmation; /**< SignatureConfirmation: an answer names its request */
	xmlNode *token[FMPI_MAX_TOKENS]; /**< BinarySecurityToken */
	unsigned n_tokens;
	xmlNode *addressing[FMP_PARTS]; /**< header blocks of WS-Addressing, by enum fmp_part */
	const xmlNode *not_understood; /**< first header block of which that must be said */
	bool decrypt_first; /**< what the EncryptedKey is for is all said before the Signature */
	bool username_encrypted; /**< it is encrypted and can't be there yet */
	xmlNode *encrypted
		[FMP_ENCRYPTED_PARTS]; /**< EncryptedData of the Security header, EncryptedHeaders */
	unsigned n_encrypted_parts, n_encrypted_blocks; /**< how many of each, in no order */
	xmlNode *other[FMPI_MAX_OTHERS]; /**< Security headers for others: not looked into */
	unsigned n_others;
};

/** fmpi_wsu_id() - the wsu:Id of an element; NULL: it has none, or there is no element. */
const char *fmpi_wsu_id(const xmlNode *element);

/** fmpi_is_id() - could somebody take this attribute for its element's Id? */
bool fmpi_is_id(const xmlAttr *attr);

/** fmp_local_id() - "#id" where id is a name, and so can't be an XPointer: the id; NULL else. */
const char *fmp_local_id(const char *uri);

/** FMP_ENCRYPTED_BIT()s of what stands encrypted in the Security header, and of header blocks. */
#define FMPI_ENCRYPTED_PARTS \
	(FMP_ENCRYPTED_BIT(FMP_ENCRYPTED_USERNAME) | FMP_ENCRYPTED_BIT(FMP_ENCRYPTED_SIGNATURE))
#define FMPI_ENCRYPTED_BLOCKS \
	((FMP_ENCRYPTED_BIT(FMP_ENCRYPTED_PARTS) - 1) & ~(FMP_ENCRYPTED_BIT(FMP_ENCRYPTED_TO) - 1))

/**
 * fmpi_wsse_read() - find the parts
 *
 * A message without a Security header passes, with all NULL. Header blocks that must be
 * understood, are for us and are none of WS-Addressing are not_understood: see
 * fmpi_wsse_check_understood().
 * The Security header for us is one; of those for others there is one for each (WS-Security
 * 1.1, 5), and they are header blocks like any other.
 * Return: 0, FMPI_REFUSED.
 */
int fmpi_wsse_read(const struct fmpi_soap *soap, struct fmpi_wsse *out, struct fmp_inspection *v);

/**
 * fmpi_wsse_read_encrypted() - the same where parts are encrypted
 * @encrypted: FMP_ENCRYPTED_BIT()s of them; so many EncryptedData and EncryptedHeader are passed over
 */
int fmpi_wsse_read_encrypted(const struct fmpi_soap *soap, unsigned encrypted,
			     struct fmpi_wsse *out, struct fmp_inspection *v);

/** fmpi_wsse_is_not_understood() - must this block be understood, though nobody here does? */
bool fmpi_wsse_is_not_understood(const struct fmpi_wsse *w, const xmlNode *block,
				 const char *soap_ns);

/**
 * fmpi_wsse_check_understood() - where no header block is handed on: is there none that must be understood?
 * @signing: it would be handed on if the policy said so
 *
 * Return: 0, FMPI_REFUSED.
 */
int fmpi_wsse_check_understood(const struct fmpi_wsse *w, bool signing, struct fmp_inspection *v);

#endif
