/* SPDX-License-Identifier: GPL-2.0 */
/* Reading the WS-Security header that is addressed to us: every part is known and unique. */
#ifndef FMPI_WSS_WSSE_H
#define FMPI_WSS_WSSE_H

#include "soap/soap.h"

/** The signer's certificate, perhaps ours, which the key is encrypted for, and that of who endorses. */
#define FMPI_MAX_TOKENS 3

/** One for what is encrypted before the signature, one for what is after it (encrypted.c). */
#define FMPI_MAX_REFERENCE_LISTS 2

/** Most DerivedKeyTokens: of the signature, of what is encrypted, and of an endorsing one of each. */
#define FMPI_MAX_DERIVED 4

/** Most SecurityTokenReferences beside the tokens: an STR-Transform may name each. */
#define FMPI_MAX_HEADER_STR 4

/** Most Security headers for other roles. */
#define FMPI_MAX_OTHERS 4

/** struct fmpi_wsse - nodes of the tree; NULL where there is none. */
struct fmpi_wsse {
	xmlNode *security;
	xmlNode *timestamp;
	xmlNode *signature;
	xmlNode *endorsing; /**< a second Signature, with a Reference to the first one */
	xmlNode *endorsed; /**< while the endorsing one stands in for `signature`: the first one */
	xmlNode *encrypted_key;
	xmlNode *derived[FMPI_MAX_DERIVED]; /**< DerivedKeyToken */
	unsigned n_derived;
	unsigned n_str; /**< SecurityTokenReferences that are children of the Security header */
	xmlNode *list[FMPI_MAX_REFERENCE_LISTS]; /**< ReferenceList: what the key is for, if not inside it */
	unsigned n_lists;
	xmlNode *username; /**< UsernameToken */
	xmlNode *assertion; /**< of SAML 2.0 */
	xmlNode *confirmation; /**< SignatureConfirmation: a reply names its request */
	xmlNode *token[FMPI_MAX_TOKENS]; /**< BinarySecurityToken */
	unsigned n_tokens;
	xmlNode *addressing[FMP_PARTS]; /**< header blocks of WS-Addressing, by enum fmp_part */
	const xmlNode *not_understood; /**< first header block that must be understood but is not */
	bool decrypt_first; /**< EncryptedKey and ReferenceLists stand before the Signature */
	bool username_encrypted; /**< the UsernameToken is still encrypted */
	bool assertion_encrypted; /**< the Assertion may still be */
	xmlNode *encrypted
		[FMP_ENCRYPTED_PARTS]; /**< EncryptedData of the Security header, EncryptedHeaders */
	unsigned n_encrypted_parts, n_encrypted_blocks; /**< how many of each, in no order */
	unsigned n_attachments; /**< EncryptedData of attachments, which are in none of those */
	xmlNode *other[FMPI_MAX_OTHERS]; /**< Security headers for others: not looked into */
	unsigned n_others;
};

/** fmpi_wsse_endorsing() - the same header with the endorsing Signature in place of the first one */
static inline struct fmpi_wsse fmpi_wsse_endorsing(const struct fmpi_wsse *w)
{
	struct fmpi_wsse e = *w;

	e.signature = w->endorsing;
	e.endorsed = w->signature;
	return e;
}

/** fmpi_wsu_id() - the wsu:Id of an element; NULL: it has none, or there is no element. */
const char *fmpi_wsu_id(const xmlNode *element);

/** fmpi_wsse_has_encrypted() - is a part of the Security header for us or a header block for us encrypted? */
bool fmpi_wsse_has_encrypted(const struct fmpi_soap *soap);

/** fmpi_wsse_is_kerberos() - is it a BinarySecurityToken that holds a Kerberos ticket? */
bool fmpi_wsse_is_kerberos(const xmlNode *token);

/** fmpi_is_id() - could an implementation take this attribute for its element's Id? */
bool fmpi_is_id(const xmlAttr *attr);

/** fmp_local_id() - the id of "#id" if it is an NCName, so that it cannot be an XPointer; NULL: it is not */
const char *fmp_local_id(const char *uri);

/** FMP_ENCRYPTED_BIT()s of parts of the Security header, and of header blocks. */
#define FMPI_ENCRYPTED_PARTS \
	(FMP_ENCRYPTED_BIT(FMP_ENCRYPTED_USERNAME) | FMP_ENCRYPTED_BIT(FMP_ENCRYPTED_SIGNATURE))
#define FMPI_ENCRYPTED_BLOCKS \
	((FMP_ENCRYPTED_BIT(FMP_ENCRYPTED_PARTS) - 1) & ~(FMP_ENCRYPTED_BIT(FMP_ENCRYPTED_TO) - 1))

/** Beside those bits: EncryptedData of attachments are accepted. */
#define FMPI_ENCRYPTED_ATTACHMENTS     FMP_ENCRYPTED_BIT(FMP_ENCRYPTED_PARTS)
/** Most of them. */
#define FMPI_MAX_ENCRYPTED_ATTACHMENTS 32u

/** In place of those of parts and blocks: whatever of the Security header and which blocks its sender encrypted. */
#define FMPI_ENCRYPTED_ANY	     (FMP_ENCRYPTED_BIT(FMP_ENCRYPTED_PARTS + 1) | FMPI_ENCRYPTED_BLOCKS)
/** Most of the Security header: UsernameToken, Signature, Assertion. */
#define FMPI_MAX_ENCRYPTED_ANY_PARTS 3u

/** fmpi_wsse_is_attachment() - is it EncryptedData of an attachment (SwA Profile 1.1, 5.5)? */
bool fmpi_wsse_is_attachment(const xmlNode *n);

/**
 * fmpi_wsse_read() - find the parts of the Security header, and the header blocks that matter
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
 * @encrypted: FMP_ENCRYPTED_BIT()s of them; as many EncryptedData and EncryptedHeader are accepted; or with
 *	       FMPI_ENCRYPTED_ATTACHMENTS; or FMPI_ENCRYPTED_ANY: without a UsernameToken or Assertion in the
 *	       clear, that is said to be encrypted
 */
int fmpi_wsse_read_encrypted(const struct fmpi_soap *soap, unsigned encrypted,
			     struct fmpi_wsse *out, struct fmp_inspection *v);

/** fmpi_wsse_must_understand() - does its sender demand that the receiver understands the block? */
bool fmpi_wsse_must_understand(const xmlNode *block, const char *soap_ns);

/** fmpi_wsse_is_not_understood() - must this block be understood, and is not? */
bool fmpi_wsse_is_not_understood(const struct fmpi_wsse *w, const xmlNode *block,
				 const char *soap_ns);

/**
 * fmpi_wsse_check_understood() - refuse header blocks that must be understood, where none is forwarded
 * @named: blocks that the service understands anyway; NULL: none
 * @signing: signed blocks would be forwarded if the policy said so
 *
 * Return: 0, FMPI_REFUSED.
 */
int fmpi_wsse_check_understood(const struct fmpi_wsse *w, const struct fmpi_soap *soap,
			       const struct fmp_policy_headers *named, bool signing,
			       struct fmp_inspection *v);

#endif
