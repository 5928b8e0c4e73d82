/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Rebuilding an Envelope around a signed Body, with a Header for encrypted parts of the message's
 * Header. The Body is read in namespaces that were signed. A header part is read in the namespaces
 * where it stood encrypted, because many senders do not repeat them in the plaintext. Those are not
 * signed, but they only affect names, which must be the required ones.
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
		at[FMP_ENCRYPTED_PARTS]; /**< place of each datum; the caller sets that of the Body */
	size_t header, body; /**< where Header and Body begin */
};

/**
 * fmpi_envelope_rebuild() - build the text
 * @body: the signed bytes
 *
 * Without encrypted header parts there is no Header. Return: 0, FMP_ERR_NOMEM.
 */
int fmpi_envelope_rebuild(const struct fmpi_soap *soap, const struct fmpi_wsse *sec,
			  const struct fmpi_encrypted *e, const struct fmpi_buffer *body,
			  struct fmpi_envelope *out);

/**
 * fmpi_envelope_remove_header() - remove the Header again
 * @text: the text after its places were filled
 * @now: where the filled places are
 */
void fmpi_envelope_remove_header(const struct fmpi_envelope *in, const struct fmpi_text_span *now,
				 unsigned n, struct fmpi_buffer *text);

#endif
