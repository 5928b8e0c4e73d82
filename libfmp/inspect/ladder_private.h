/* SPDX-License-Identifier: GPL-2.0 */
/* What the files of the ladder share: a text on its way, and the steps that more than one takes. */
#ifndef FMPI_INSPECT_LADDER_PRIVATE_H
#define FMPI_INSPECT_LADDER_PRIVATE_H

#include "inspect/inspector.h"
#include "inspect/octets.h"
#include "inspect/screen.h"
#include "inspect/soap.h"

/** struct fmpi_view - a text that has passed screen, parser and SOAP. */
struct fmpi_view {
	const uint8_t *text;
	size_t len;
	struct fmpi_shape shape;
	xmlDocPtr doc;
	struct fmpi_soap soap;
};

/**
 * fmpi_view_open() - the first three steps
 *
 * To be closed whatever it returns: 0, FMPI_REFUSED, FMP_ERR_NOMEM.
 */
int fmpi_view_open(struct fmp_inspector *i, enum fmpi_screen_mode mode, const uint8_t *text,
		   size_t len, struct fmpi_view *out, struct fmp_inspection *v);
void fmpi_view_close(struct fmpi_view *w);

/** fmpi_ladder_payload() - the schema, and what the message says that it is. */
int fmpi_ladder_payload(struct fmp_inspector *i, const struct fmp_message *m,
			const struct fmpi_soap *soap, struct fmp_inspection *v);

/**
 * fmpi_ladder_signature() - the Security header, and whether it holds
 * @body: the very octets of the Body whose digest was signed; malloc()ed
 */
int fmpi_ladder_signature(struct fmp_inspector *i, const struct fmp_message *m,
			  const struct fmpi_view *w, struct fmpi_octets *body,
			  struct fmp_inspection *v);

/** fmpi_ladder_wrap() - a new Envelope around a Body; *out is set, with an error too. */
int fmpi_ladder_wrap(const char *soap_ns, const struct fmpi_octets *body, struct fmpi_octets *out);

/** fmpi_ladder_forward() - what is handed on; it is taken from *o. Return: 0. */
int fmpi_ladder_forward(struct fmp_inspection *v, struct fmpi_octets *o);

/** fmpi_ladder_forward_tree() - the canonical form of the tree without its Header. */
int fmpi_ladder_forward_tree(const struct fmpi_view *w, struct fmp_inspection *v);

/** fmpi_ladder_secret() - BcE, BcES. */
int fmpi_ladder_secret(struct fmp_inspector *i, const struct fmp_message *m,
		       const struct fmpi_view *w, struct fmp_inspection *v);

#endif
