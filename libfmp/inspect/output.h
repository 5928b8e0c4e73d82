/* SPDX-License-Identifier: GPL-2.0 */
/* The last stage: what has passed is forwarded as bytes or, if the configuration says so, as a tree. */
#ifndef FMPI_INSPECT_OUTPUT_H
#define FMPI_INSPECT_OUTPUT_H

#include "verified_signature.h"
#include "view.h"

/**
 * fmpi_output_signed() - forward the Body that was signed
 *
 * Return, of all functions here: 0; FMPI_REFUSED by a rule on the content; FMP_ERR_NOMEM.
 */
int fmpi_output_signed(struct fmp_inspector *i, struct fmpi_view *w,
		       const struct fmpi_verified_signature *p, struct fmp_inspection *v);

/**
 * fmpi_output_decrypted() - forward a Body that was encrypted, then signed
 * @w: the message as it was signed, for its header
 * @inner: the plaintext view
 */
int fmpi_output_decrypted(struct fmp_inspector *i, struct fmpi_view *w,
			  const struct fmpi_verified_signature *p, struct fmpi_view *inner,
			  struct fmpi_buffer *text, struct fmp_inspection *v);

/**
 * fmpi_output_body() - forward an unsigned message without its Header
 * @username: the verified UsernameToken; NULL: none
 */
int fmpi_output_body(struct fmp_inspector *i, struct fmpi_view *w, const xmlNode *username,
		     struct fmp_inspection *v);

/** fmpi_output_all() - forward a message as received, with its Header */
int fmpi_output_all(struct fmp_inspector *i, struct fmpi_view *w, struct fmp_inspection *v);

/**
 * fmpi_output_wrap() - put a new Envelope around a Body
 * @blocks: of its Header; NULL or empty: no Header
 * @out: set, with an error too
 */
int fmpi_output_wrap(const char *soap_ns, const struct fmpi_buffer *blocks,
		     const struct fmpi_buffer *body, struct fmpi_buffer *out);

/** fmpi_output_bytes() - forward *o without its first @skip bytes; takes ownership of it */
void fmpi_output_bytes(struct fmp_inspection *v, struct fmpi_buffer *o, size_t skip);

#endif
