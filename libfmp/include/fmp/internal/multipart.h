/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A multipart message that is whole in memory: its root part for the pipeline, its attachments, and
 * the message written anew around what the pipeline forwards. Or its root part alone, before the
 * others have come (multipart_stream.h).
 */
#ifndef FMP_MULTIPART_H
#define FMP_MULTIPART_H

#include <fmp/inspect.h>
#include <fmp/policy.h>

#include <fmp/internal/mime.h>

/** struct fmp_multipart - freed with fmp_multipart_free(); points into the message */
struct fmp_multipart {
	struct fmp_mime_type type; /**< of the message */
	struct fmp_mime_type root_type;
	struct fmp_attachment root; /**< element and references are unused */
	struct fmp_attachments attachments;
	char media[FMP_MIME_MEDIA]; /**< the root's type of SOAP */
	char action[FMP_MIME_PARAMETER]; /**< of any of the types; "": none */
	bool plain_charset; /**< as in struct fmp_media */
	/* A refusal. */
	int status;
	enum fmp_event_kind kind;
	const char *detail; /**< static text */
};

/**
 * fmp_multipart_read() - split a message that fmp_mime_is_related()
 * @most: bytes of the root
 * @pending: the message up to the boundary behind its root; all other parts are still to come
 *
 * Return: NULL: out of memory. A message was refused if status is not 0.
 */
struct fmp_multipart *fmp_multipart_read(const char *content_type, const void *bytes, size_t len,
					 const struct fmp_policy_attachments *limits, uint32_t most,
					 bool pending);
void fmp_multipart_free(struct fmp_multipart *m);

/**
 * fmp_multipart_write() - the message with this root
 * @root: what the pipeline forwards; if it is not the root as received, the Base64 of each part that
 *        was included becomes an xop:Include again
 * @soap_version: of the root
 *
 * Of a pending message it is all before the line end of the next delimiter.
 *
 * Return: 0 with *out for free(); FMP_ERR_NOMEM; FMP_ERR_CONFLICT: the root or a replaced
 * part holds the boundary; FMP_ERR_INVALID: a part that is still to come is not included by what is
 * forwarded.
 */
FMP_MUST_CHECK int fmp_multipart_write(const struct fmp_multipart *m, const void *root,
				       size_t root_len, int soap_version, void **out,
				       size_t *out_len);

/**
 * fmp_multipart_drop_replaced() - free what took the place of parts, as it was written
 *
 * These parts are empty then. Attachments that were decrypted may be most of what a worker holds.
 */
void fmp_multipart_drop_replaced(struct fmp_multipart *m);

/**
 * fmp_multipart_references() - what a pending message refers to, for fmp_multipart_stream_expect()
 *
 * Return: for free(); NULL: out of memory.
 */
char *fmp_multipart_references(const struct fmp_multipart *m, size_t *len);

#endif
