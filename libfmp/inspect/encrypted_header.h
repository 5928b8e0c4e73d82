/* SPDX-License-Identifier: GPL-2.0 */
/* BcS for a message whose sender encrypted parts of the header, and not the Body. */
#ifndef FMPI_INSPECT_ENCRYPTED_HEADER_H
#define FMPI_INSPECT_ENCRYPTED_HEADER_H

#include "view.h"
#include "wss/wsse.h"

/** fmpi_encrypted_header_is_there() - does the message have such parts, and is there a key? */
static inline bool fmpi_encrypted_header_is_there(const struct fmp_inspector *i,
						  const struct fmpi_view *w)
{
	return i->key && fmpi_wsse_has_encrypted(&w->soap);
}

/**
 * fmpi_encrypted_header_inspect() - decrypt them, and inspect the message with what they were
 *
 * As WSS4J sends a UsernameToken that is to be signed: it is encrypted behind that. What is encrypted may be any
 * token, the Signature, or header blocks. The other order, a signature of cipher text, is not supported.
 * Return: 0, FMPI_REFUSED, FMP_ERR_NOMEM, FMP_ERR_IO.
 */
int fmpi_encrypted_header_inspect(struct fmp_inspector *i, const struct fmp_message *m,
				  struct fmpi_view *w, struct fmp_inspection *v);

#endif
