/* SPDX-License-Identifier: GPL-2.0 */
/* Encrypted attachments (SOAP Messages with Attachments Profile 1.1, 5.5), as AS4 has them. */
#ifndef FMPI_WSS_ATTACHMENT_ENCRYPTED_H
#define FMPI_WSS_ATTACHMENT_ENCRYPTED_H

#include "decrypt.h"

/** fmpi_attachments_collect() - add the EncryptedData of attachments to @out. Return: 0, FMPI_REFUSED. */
int fmpi_attachments_collect(const struct fmpi_wsse *w, struct fmpi_encrypted *out,
			     struct fmp_inspection *v);

/**
 * fmpi_attachment_read_cipher() - read the CipherReference of one
 * @data: CipherData
 * @cipher: only GCM: what is changed in one is seen before it is read
 *
 * Return: 0, FMPI_REFUSED.
 */
int fmpi_attachment_read_cipher(const xmlNode *data, enum fmp_cipher cipher,
				struct fmpi_encrypted_attachment *a, struct fmp_inspection *v);

/**
 * fmpi_attachments_match() - find the part of each, and refuse parts that are not encrypted
 * @a: NULL: the message has none
 *
 * One that an xop:Include named is a part of the root. Return: 0, FMPI_REFUSED.
 */
int fmpi_attachments_match(struct fmpi_encrypted *e, struct fmp_attachments *a,
			   struct fmp_inspection *v);

/**
 * fmpi_attachments_decrypt() - put what was encrypted in the place of each part
 * @unsigned_type: the signature is of the encrypted parts, not of their EncryptedData: its Type may
 *		   have been changed
 * @good: out: all were encrypted with this key; else none is changed
 *
 * All are decrypted even if one before failed. Return: 0, FMPI_REFUSED, FMP_ERR_NOMEM.
 */
int fmpi_attachments_decrypt(const struct fmpi_session *s, const struct fmpi_encrypted *e,
			     bool unsigned_type, bool *good, struct fmp_inspection *v);

#endif
