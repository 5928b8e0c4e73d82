/* SPDX-License-Identifier: GPL-2.0 */
/* What the files of the ladder share: a text on its way, and the steps that more than one takes. */
#ifndef FMPI_INSPECT_PIPELINE_PRIVATE_H
#define FMPI_INSPECT_PIPELINE_PRIVATE_H

#include "inspector.h"
#include "base/buffer.h"
#include "xml/screen.h"
#include "wss/signedinfo.h"
#include "soap/soap.h"

/** struct fmpi_view - a text that has passed screen, parser and SOAP. */
struct fmpi_view {
	const uint8_t *text; /**< of what was UTF-16 that behind the prolog */
	size_t len;
	struct fmpi_shape shape; /**< its payload lies in text */
	xmlDocPtr doc;
	struct fmpi_soap soap;
};

/**
 * fmpi_view_open_plaintext() - the first three steps of what was encrypted: no parser may be told by its time
 *
 * To be closed whatever it returns: 0, FMPI_REFUSED, FMP_ERR_NOMEM.
 */
int fmpi_view_open_plaintext(struct fmp_inspector *i, const uint8_t *text, size_t len,
			     struct fmpi_view *out, struct fmp_inspection *v);
void fmpi_view_close(struct fmpi_view *w);

/** fmpi_pipeline_payload() - the schema, and what the message says that it is. */
int fmpi_pipeline_payload(struct fmp_inspector *i, const struct fmp_message *m,
			  const struct fmpi_soap *soap, struct fmp_inspection *v);

/** struct fmpi_verified_signature - a signature that holds, and what it vouches for; its octets start as all 0. */
struct fmpi_verified_signature {
	struct fmpi_signedinfo info;
	struct fmpi_wsse sec;
	struct fmpi_signer who;
	struct fmpi_signed_bytes signed_bytes; /**< for fmpi_verified_signature_clear() */
};

static inline void fmpi_verified_signature_clear(struct fmpi_verified_signature *p)
{
	free(p->signed_bytes.body.p);
	free(p->signed_bytes.blocks.p);
}

/**
 * fmpi_pipeline_signature() - the Security header, and whether it holds
 * @encrypted: FMP_ENCRYPTED_BIT()s of what is encrypted in this view
 */
int fmpi_pipeline_signature(struct fmp_inspector *i, const struct fmp_message *m,
			    const struct fmpi_view *w, unsigned encrypted,
			    struct fmpi_verified_signature *p, struct fmp_inspection *v);

/** fmpi_pipeline_output_signed() - the signature must hold, and what it is of is handed on. */
int fmpi_pipeline_output_signed(struct fmp_inspector *i, const struct fmp_message *m,
				struct fmpi_view *w, struct fmp_inspection *v);

/** fmpi_pipeline_encrypted() - BcE, BcES. */
int fmpi_pipeline_encrypted(struct fmp_inspector *i, const struct fmp_message *m,
			    struct fmpi_view *w, struct fmp_inspection *v);

#endif
