/* SPDX-License-Identifier: GPL-2.0 */
/* What the answer will need to know of a message, kept beyond its tree. */
#ifndef FMPI_INSPECT_REPLY_CONTEXT_H
#define FMPI_INSPECT_REPLY_CONTEXT_H

#include "inspector.h"
#include "wss/signedinfo.h"

/**
 * fmpi_reply_context_message() - its MessageID; before the header is given away
 *
 * Of a header of which nothing is signed, or all that is in it.
 */
void fmpi_reply_context_message(const struct fmp_inspector *i, const struct fmpi_soap *soap,
				struct fmp_inspection *v);

/**
 * fmpi_reply_context_signed() - who signed it, when that is proven; a MessageID that is not signed is forgotten
 *
 * If the answer could not be encrypted for him the message is refused: to find that when
 * the service has acted on it would be too late. Return: 0, FMPI_REFUSED, FMP_ERR_NOMEM.
 */
int fmpi_reply_context_signed(const struct fmp_inspector *i, const struct fmpi_signedinfo *info,
			      const struct fmpi_signer *who, struct fmp_inspection *v);

#endif
