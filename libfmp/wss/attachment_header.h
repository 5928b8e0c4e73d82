/* SPDX-License-Identifier: GPL-2.0 */
/* MIME headers of attachments: the canonical form of those that a signature covers. */
#ifndef FMPI_WSS_ATTACHMENT_HEADER_H
#define FMPI_WSS_ATTACHMENT_HEADER_H

#include <fmp/inspect.h>

#include "base/buffer.h"

/**
 * fmpi_attachment_header_canonical() - the fields of a part that are signed with it
 * @out: Content-Description, -Disposition, -ID, -Location and -Type, in this order
 *
 * SOAP Messages with Attachments Profile 1.1, 5.4.1, as Apache WSS4J does it: behind the last field
 * comes the content, without an empty line between them. The reading has to be the receivers':
 * a header with comments, encoded words, backslashes, RFC 2231 or anything but ASCII has none here.
 * Return: 0, FMP_ERR_SYNTAX, FMP_ERR_NOMEM.
 */
int fmpi_attachment_header_canonical(const char *header, size_t len, struct fmpi_buffer *out);

/** fmpi_attachment_header_is() - is this field, up to its colon, one of those? */
bool fmpi_attachment_header_is(const char *field, size_t n_name);

/** fmpi_attachment_header_is_of_bytes() - does the field describe the very bytes of the content? */
bool fmpi_attachment_header_is_of_bytes(const char *field, size_t n_name);

/** fmpi_attachment_header_find() - the value of a field, without blanks around it; NULL: none */
const char *fmpi_attachment_header_find(const char *header, size_t len, const char *name,
					size_t *n_value);

#endif
