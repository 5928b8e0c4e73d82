/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Checks of a signature before any cryptography: algorithms and transforms against the allowed ones,
 * the elements that it covers, the token that it names.
 */
#ifndef FMPI_WSS_SIGNEDINFO_H
#define FMPI_WSS_SIGNEDINFO_H

#include <openssl/evp.h>

#include "algorithm.h"
#include "xml/base64.h"
#include "keyinfo.h"
#include "base/buffer.h"

/** Most References of a signature, whatever the policy allows. */
#define FMPI_MAX_REFERENCES 64
/**
 * Most prefixes of an InclusiveNamespaces. Canonicalization looks each up at every element: 60 of
 * them made a forged message 20 times as expensive. Signers name a handful.
 */
#define FMPI_MAX_PREFIXES   16

/** Most bytes of a signature (RSA of 8192 bits), and of its Base64 with line ends. */
#define FMPI_MAX_SIGNATURE	1024
#define FMPI_MAX_SIGNATURE_TEXT 2048

/** struct fmpi_digest - a DigestValue */
struct fmpi_digest {
	size_t len; /**< that of its DigestMethod */
	uint8_t p[64];
};

/** Most attachments that a signature covers by themselves. */
#define FMPI_MAX_SIGNED_ATTACHMENTS 32

/** struct fmpi_signed_attachment - a Reference to an attachment */
struct fmpi_signed_attachment {
	const xmlNode *reference;
	const char *method; /**< the digest's name for OpenSSL */
	bool complete; /**< its MIME header is signed, too */
	struct fmpi_digest digest;
};

/** Most References with an STR-Transform: to the signer's token, and one to another. */
#define FMPI_MAX_STR 4

/** struct fmpi_der_certificate - a certificate; NULL: none */
struct fmpi_der_certificate {
	const uint8_t *der;
	size_t len;
};

/** struct fmpi_signedinfo - a signature that may be verified; points into the tree */
struct fmpi_signedinfo {
	const xmlNode *info; /**< SignedInfo; SignatureValue is behind it */
	const struct fmp_policy_algorithms *allowed; /**< by the policy */
	const struct fmpi_signature_method *method;
	struct fmpi_keyinfo key_info; /**< the signer's key; unused for an enveloped signature */
	unsigned n_references;
	xmlNode *target[FMPI_MAX_REFERENCES]; /**< the node each Reference must resolve to */
	struct fmpi_digest digest[FMPI_MAX_REFERENCES]; /**< of each */
	/** References to attachments, which have no target (attachment.h). */
	unsigned n_attachments;
	struct fmpi_signed_attachment attachment[FMPI_MAX_SIGNED_ATTACHMENTS];
	unsigned body; /**< index of the Reference to the Body */
	uint64_t blocks; /**< a bit for each Reference to a header block for us but Security */
	uint64_t forwarded; /**< bits of those whose bytes are kept; the caller sets it */
	unsigned n_str; /**< number of References with an STR-Transform (str_transform.h) */
	struct {
		unsigned reference; /**< its index; its target is the token */
		xmlNode *node; /**< the SecurityTokenReference that it names */
	} str[FMPI_MAX_STR];
	struct fmpi_der_certificate signer; /**< if n_str; the caller sets it */
	size_t value_len; /**< of the SignatureValue */
	uint8_t value[FMPI_BASE64_MAX(FMPI_MAX_SIGNATURE_TEXT)];
	const char *id_name; /**< the Ids' attribute, without a namespace; NULL: wsu:Id */
	size_t budget; /**< fmpi_c14n_budget() of the message; the caller sets it */
	const xmlNode *other; /**< first Reference to what is not verified here; NULL: none */
	const xmlNode *other_target; /**< its target */
	unsigned signed_otherwise; /**< bits of required elements that are signed by another attribute than wsu:Id */
	xmlNode *enveloped; /**< the Signature inside target[0], not part of it; NULL: none */
};

/** struct fmpi_signed_bytes - exclusive canonical forms whose digests were signed; for free(). */
struct fmpi_signed_bytes {
	struct fmpi_buffer body;
	struct fmpi_buffer
		blocks; /**< those of signedinfo.forwarded, in the order of the References */
};

/**
 * fmpi_signedinfo_read() - read and check the signature of a message
 * @allowed: kept in *out
 *
 * Every Reference names the Id of this Body, this Timestamp, a token of this header or a header
 * block; no other element of the document has that Id. Body, Timestamp and, if there is one, the
 * UsernameToken are covered, and of what of the header is encrypted, all.
 *
 * A Reference to anything else is refused: one to an element of the kind that must be signed (a
 * second Body, a Timestamp inside something) as wrapping; where all that must be signed is, the
 * sender signs more than can be verified here, and that is unsupported. Return: 0, FMPI_REFUSED.
 */
int fmpi_signedinfo_read(const struct fmpi_wsse *w, const struct fmpi_soap *soap,
			 const struct fmp_policy_algorithms *allowed, uint32_t max_references,
			 struct fmpi_signedinfo *out, struct fmp_inspection *v);

/**
 * fmpi_signedinfo_read_unresolved() - the same while some targets are encrypted
 *
 * target[] is all NULL, and what must be covered is not checked: only SignatureValue and digests can
 * be used. Return: 0, FMPI_REFUSED.
 */
int fmpi_signedinfo_read_unresolved(const struct fmpi_wsse *w,
				    const struct fmp_policy_algorithms *allowed,
				    uint32_t max_references, struct fmpi_signedinfo *out,
				    struct fmp_inspection *v);

/**
 * fmpi_signedinfo_read_endorsing() - read the endorsing signature of a message
 *
 * One of its References is to the message's Signature, the others to what that may cover, too.
 * Return: 0, FMPI_REFUSED.
 */
int fmpi_signedinfo_read_endorsing(const struct fmpi_wsse *w, const struct fmpi_soap *soap,
				   const struct fmp_policy_algorithms *allowed,
				   uint32_t max_references, struct fmpi_signedinfo *out,
				   struct fmp_inspection *v);

/** fmpi_signedinfo_is_attachment() - is it a Reference to an attachment? */
bool fmpi_signedinfo_is_attachment(const xmlNode *reference);
/** fmpi_signedinfo_target_reference() - @reference or the first one behind it to an element. */
const xmlNode *fmpi_signedinfo_target_reference(const xmlNode *reference);

/** fmpi_signedinfo_is_symmetric() - is it an HMAC by a secret? */
static inline bool fmpi_signedinfo_is_symmetric(const struct fmpi_signedinfo *s)
{
	return s->method->key == FMPI_KEY_HMAC;
}

/**
 * fmpi_signedinfo_enveloped() - read a signature that stands inside what it signs
 * @apex: of which it is a child; all of it but the signature must be signed
 * @id_name: the attribute of apex, without a namespace, that is its Id
 * @allowed: kept in *out
 * @key_info: out
 *
 * One Reference, to apex, with the transforms enveloped-signature and exc-c14n, in this order.
 * That no other element has the Id is for the caller to see. Return: 0, FMPI_REFUSED.
 */
int fmpi_signedinfo_enveloped(xmlNode *signature, xmlNode *apex, const char *id_name,
			      const struct fmp_policy_algorithms *allowed,
			      struct fmpi_signedinfo *out, const xmlNode **key_info,
			      struct fmp_inspection *v);

/**
 * fmpi_signedinfo_check_length() - does the SignatureValue have the length of the key?
 *
 * A wrong length saves the digests. Return: 0, FMPI_REFUSED.
 */
int fmpi_signedinfo_check_length(const struct fmpi_signedinfo *s, EVP_PKEY *key,
				 struct fmp_inspection *v);

/** fmpi_signedinfo_str() - the SecurityTokenReference of a Reference with an STR-Transform; NULL: it has none */
static inline xmlNode *fmpi_signedinfo_str(const struct fmpi_signedinfo *s, unsigned reference)
{
	for (unsigned i = 0; i < s->n_str; i++)
		if (s->str[i].reference == reference)
			return s->str[i].node;
	return NULL;
}

/** fmpi_signedinfo_id() - the attribute by which a Reference names this target. */
xmlAttr *fmpi_signedinfo_id(const struct fmpi_signedinfo *s, unsigned reference);

/** fmpi_signedinfo_is_block() - is the Reference to a header block for us? */
static inline bool fmpi_signedinfo_is_block(const struct fmpi_signedinfo *s, unsigned reference)
{
	return s->blocks >> reference & 1;
}

/** fmpi_signedinfo_is_forwarded() - are the bytes of that block kept? */
static inline bool fmpi_signedinfo_is_forwarded(const struct fmpi_signedinfo *s, unsigned reference)
{
	return s->forwarded >> reference & 1;
}

/** fmpi_signedinfo_covers() - does a Reference cover this header block, perhaps in encrypted form? */
bool fmpi_signedinfo_covers(const struct fmpi_signedinfo *s, const xmlNode *block);

/**
 * fmpi_signedinfo_check_understood() - is each header block that must be understood signed?
 * @named: blocks that the service understands anyway; NULL: none
 *
 * For configurations that forward signed blocks: the service decides whether it understands them. Return: 0,
 * FMPI_REFUSED.
 */
int fmpi_signedinfo_check_understood(const struct fmpi_signedinfo *s, const struct fmpi_wsse *w,
				     const struct fmpi_soap *soap,
				     const struct fmp_policy_headers *named,
				     struct fmp_inspection *v);

/**
 * fmpi_signedinfo_require_all() - is every header block but Security signed?
 * @named: some of which need not be; NULL: none
 *
 * Return: 0, FMPI_REFUSED.
 */
int fmpi_signedinfo_require_all(const struct fmpi_signedinfo *s, const struct fmpi_wsse *w,
				const struct fmpi_soap *soap,
				const struct fmp_policy_headers *named, struct fmp_inspection *v);

/** fmpi_signedinfo_require() - are these header blocks there and signed? Return: 0, FMPI_REFUSED. */
int fmpi_signedinfo_require(const struct fmpi_signedinfo *s, const struct fmpi_wsse *w,
			    unsigned parts, struct fmp_inspection *v);

/**
 * fmpi_signedinfo_digest() - SHA-256 of all signed digests, which identifies what was signed
 * @salt: hashed before them
 *
 * Return: 0, FMP_ERR_NOMEM.
 */
int fmpi_signedinfo_digest(const struct fmpi_signedinfo *s, const void *salt, size_t salt_len,
			   uint8_t out[32]);

#endif
