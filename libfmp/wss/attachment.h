/* SPDX-License-Identifier: GPL-2.0 */
/* Attachments that a signature covers (SOAP Messages with Attachments Profile 1.1, 5.3). */
#ifndef FMPI_WSS_ATTACHMENT_H
#define FMPI_WSS_ATTACHMENT_H

#include "signedinfo.h"

/**
 * fmpi_attachments_verify() - compare the digests of the signed attachments, and refuse any other
 * @a: NULL: the message has none
 *
 * An attachment is forwarded as it came, so nothing but the signature vouches for it. One that an
 * xop:Include named is a part of the root, and covered as its element is. Return: 0, FMPI_REFUSED,
 * FMP_ERR_NOMEM.
 */
int fmpi_attachments_verify(const struct fmpi_signedinfo *s, struct fmp_attachments *a,
			    struct fmp_inspection *v);
/** fmpi_attachment_is_signable() - can fmpi_attachments_verify() verify a signature of it? */
bool fmpi_attachment_is_signable(const struct fmp_attachment *part);
/**
 * fmpi_attachment_digest() - of its content (5.4.3: text with CR LF as its line ends)
 * @method: OpenSSL's name
 * @digest: out: EVP_MAX_MD_SIZE bytes
 *
 * Return: 0, FMP_ERR_NOMEM.
 */
int fmpi_attachment_digest(const struct fmp_attachment *part, const char *method, uint8_t *digest,
			   unsigned *len);

#endif
