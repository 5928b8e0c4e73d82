/* SPDX-License-Identifier: GPL-2.0 */
/* References of a signature to attachments (SOAP Messages with Attachments Profile 1.1, 5.3). */
#ifndef FMPI_WSS_ATTACHMENT_REFERENCE_H
#define FMPI_WSS_ATTACHMENT_REFERENCE_H

#include "signedinfo.h"

/** fmpi_attachment_reference_is() - is it by a Transform of that profile, to a cid: URL? */
bool fmpi_attachment_reference_is(const xmlNode *reference);

/** fmpi_attachment_reference_read() - add it to out->attachment. Return: 0, FMPI_REFUSED. */
int fmpi_attachment_reference_read(const xmlNode *reference, struct fmpi_signedinfo *out,
				   struct fmp_inspection *v);

#endif
