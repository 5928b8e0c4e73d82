/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A text of ours around a signed Body, with a Header for what stood encrypted in that of the
 * message. The Body is read in namespaces that were signed. A part of the header is read in
 * those in which it was encrypted, for many senders write what they encrypt without them: they
 * are nobody's word, but all that comes of it are names, which must be those that are asked for.
 */
#ifndef FMPI_INSPECT_ENVELOPE_REBUILD_H
#define FMPI_INSPECT_ENVELOPE_REBUILD_H

#include "wss/encrypted.h"
#include "base/buffer.h"
#include "xml/text_span.h"

/** struct fmpi_envelope - starts as all 0; text.p is for free() */
struct fmpi_envelope {
	struct fmpi_buffer text;
	struct fmpi_text_span
		at[FMP_ENCRYPTED_PARTS]; /**< of each datum; that of the Body is the caller's */
	size_t header, body; /**< where these begin */
};

/**
 * fmpi_envelope_rebuild()
 * @body: the signed octets
 *
 * Without a datum but the Body's there is no Header. Return: 0, FMP_ERR_NOMEM.
 */
int fmpi_envelope_rebuild(const struct fmpi_soap *soap, const struct fmpi_wsse *sec,
			  const struct fmpi_encrypted *e, const struct fmpi_buffer *body,
			  struct fmpi_envelope *out);

/**
 * fmpi_envelope_remove_header() - takes the Header out
 * @text: what became of it when its places were filled
 * @now: where these are in it
 */
void fmpi_envelope_remove_header(const struct fmpi_envelope *in, const struct fmpi_text_span *now,
				 unsigned n, struct fmpi_buffer *text);

#endif
