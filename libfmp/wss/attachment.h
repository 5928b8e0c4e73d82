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

#endif
