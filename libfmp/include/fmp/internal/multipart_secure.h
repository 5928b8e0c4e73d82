/* SPDX-License-Identifier: GPL-2.0 */
/* Securing a reply with attachments: MTOM, SOAP with Attachments. */
#ifndef FMP_MULTIPART_SECURE_H
#define FMP_MULTIPART_SECURE_H

#include <fmp/secure.h>

/**
 * fmp_multipart_secure() - as fmp_secure(), of a reply that fmp_mime_is_related()
 * @reply: the whole message, which stays in memory: its digests come before its attachments
 * @limits: most parts, and their bytes
 * @most: bytes of the root
 * @own: out: for free(), when @out is not used any more
 *
 * The root is signed with the Base64 of each part in the place of its xop:Include, and sent with each
 * xop:Include again, where it is not encrypted. Return: as fmp_secure().
 */
FMP_MUST_CHECK int fmp_multipart_secure(struct fmp_securer *s, const char *content_type,
					const struct fmp_reply *reply,
					const struct fmp_policy_attachments *limits, uint32_t most,
					struct fmp_secured *out, void **own);

#endif
