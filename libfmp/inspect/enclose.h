/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A text of ours around a signed Body, with a Header for what stood encrypted in that of the
 * message. The Body is read in namespaces that were signed. A part of the header is read in
 * those in which it was encrypted, for many senders write what they encrypt without them: they
 * are nobody's word, but all that comes of it are names, which must be those that are asked for.
 */
#ifndef FMPI_INSPECT_ENCLOSE_H
#define FMPI_INSPECT_ENCLOSE_H

#include "inspect/encrypted.h"
#include "inspect/octets.h"
#include "inspect/places.h"

/** struct fmpi_enclosed - starts as all 0; text.p is for free() */
struct fmpi_enclosed {
	struct fmpi_octets text;
	struct fmpi_place at[FMP_SECRETS]; /**< of each datum; that of the Body is the caller's */
	size_t header, body; /**< where these begin */
};

/**
 * fmpi_enclose()
 * @body: the signed octets
 *
 * Without a datum but the Body's there is no Header. Return: 0, FMP_ERR_NOMEM.
 */
int fmpi_enclose(const struct fmpi_soap *soap, const struct fmpi_wsse *sec,
		 const struct fmpi_encrypted *e, const struct fmpi_octets *body,
		 struct fmpi_enclosed *out);

/**
 * fmpi_enclosed_drop() - takes the Header out
 * @text: what became of it when its places were filled
 * @now: where these are in it
 */
void fmpi_enclosed_drop(const struct fmpi_enclosed *in, const struct fmpi_place *now, unsigned n,
			struct fmpi_octets *text);

#endif
