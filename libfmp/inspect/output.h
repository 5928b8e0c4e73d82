/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The ladder's last step: what has passed becomes octets or, where the configuration says
 * so, a tree for the service.
 */
#ifndef FMPI_INSPECT_OUTPUT_H
#define FMPI_INSPECT_OUTPUT_H

#include "pipeline_private.h"

/**
 * fmpi_output_signed() - the Body that was signed
 *
 * Return, of this and of the others: 0, FMPI_REFUSED by a rule on the content, FMP_ERR_NOMEM.
 */
int fmpi_output_signed(struct fmp_inspector *i, struct fmpi_view *w,
		       const struct fmpi_verified_signature *p, struct fmp_inspection *v);

/**
 * fmpi_output_decrypted() - a Body that was encrypted, then signed
 * @w: the message as it was signed, for its header
 * @inner: what it hid, with its text
 */
int fmpi_output_decrypted(struct fmp_inspector *i, struct fmpi_view *w,
			  const struct fmpi_verified_signature *p, struct fmpi_view *inner,
			  struct fmpi_buffer *text, struct fmp_inspection *v);

/**
 * fmpi_output_body() - what no signature vouches for: without the header, which was for us
 * @username: the UsernameToken of somebody known; NULL: none
 */
int fmpi_output_body(struct fmp_inspector *i, struct fmpi_view *w, const xmlNode *username,
		     struct fmp_inspection *v);

/** fmpi_output_all() - as it came. Return: 0. */
int fmpi_output_all(struct fmp_inspector *i, struct fmpi_view *w, struct fmp_inspection *v);

/**
 * fmpi_output_wrap() - a new Envelope around a Body
 * @blocks: of its Header; NULL or of no length: it has none
 * @out: set, with an error too
 */
int fmpi_output_wrap(const char *soap_ns, const struct fmpi_buffer *blocks,
		     const struct fmpi_buffer *body, struct fmpi_buffer *out);

/** fmpi_output_bytes() - all but the first of *o, which is taken. */
void fmpi_output_bytes(struct fmp_inspection *v, struct fmpi_buffer *o, size_t skip);

#endif
