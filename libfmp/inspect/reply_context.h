/* SPDX-License-Identifier: GPL-2.0 */
/* What a reply needs of its request, copied from the tree. */
#ifndef FMPI_INSPECT_REPLY_CONTEXT_H
#define FMPI_INSPECT_REPLY_CONTEXT_H

#include "inspector.h"
#include "wss/signedinfo.h"

/**
 * fmpi_reply_context_message() - copy the MessageID, before the Header is dropped
 */
void fmpi_reply_context_message(const struct fmp_inspector *i, const struct fmpi_soap *soap,
				struct fmp_inspection *v);

/**
 * fmpi_reply_context_signed() - copy signer and signature after verification; drop an unsigned MessageID
 *
 * A message whose reply could not be encrypted for the signer is refused: after the service has acted
 * on it would be too late. Return: 0, FMPI_REFUSED, FMP_ERR_NOMEM.
 */
int fmpi_reply_context_signed(const struct fmp_inspector *i, const struct fmpi_signedinfo *info,
			      const struct fmpi_signer *who, struct fmp_inspection *v);

#endif
