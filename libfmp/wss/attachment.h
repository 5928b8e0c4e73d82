/* SPDX-License-Identifier: GPL-2.0 */
/* Attachments that a signature covers (SOAP Messages with Attachments Profile 1.1, 5.3). */
#ifndef FMPI_WSS_ATTACHMENT_H
#define FMPI_WSS_ATTACHMENT_H

#include "signedinfo.h"

/**
 * fmpi_attachments_verify() - compare the digests of the signed attachments, and refuse any other
 * @a: NULL: the message has none
 * @limits: of an attachment of XML, which is parsed; the caller has verified the signature value
 *
 * An attachment is forwarded as it came, but without comments if it is XML, of which the signature is
 * of the canonical form (5.4.2). Nothing but the signature vouches for it. One that an
 * xop:Include named is a part of the root, and covered as its element is. Return: 0, FMPI_REFUSED,
 * FMP_ERR_NOMEM.
 */
int fmpi_attachments_verify(const struct fmpi_signedinfo *s, struct fmp_attachments *a,
			    const struct fmp_policy_limits *limits, struct fmp_inspection *v);

/** fmpi_attachment_is_signable() - can answers sign it? Not with a coding, not XML. */
bool fmpi_attachment_is_signable(const struct fmp_attachment *part);
/**
 * fmpi_attachment_digest() - of the content of one that is signable (5.4.3: text with CR LF as its
 * line ends)
 * @method: OpenSSL's name
 * @digest: out: EVP_MAX_MD_SIZE bytes
 *
 * Return: 0, FMP_ERR_NOMEM.
 */
int fmpi_attachment_digest(const struct fmp_attachment *part, const char *method, uint8_t *digest,
			   unsigned *len);

/**
 * fmpi_attachment_replace() - the part has another header and content now
 * @header: it is copied, as are @bytes; both may be the part's
 * @of_other: its fields about the very bytes are of others: they are left out; else only
 *	      Content-Length is
 *
 * Return: false: out of memory.
 */
bool fmpi_attachment_replace(struct fmp_attachment *part, const char *header, size_t header_len,
			     bool of_other, const void *bytes, size_t len);

#endif
