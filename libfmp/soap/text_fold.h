/* SPDX-License-Identifier: GPL-2.0 */
/* The ASCII that a careless service makes of a text: what content rules with fold="yes" are matched against. */
#ifndef FMPI_SOAP_TEXT_FOLD_H
#define FMPI_SOAP_TEXT_FOLD_H

#include "base/buffer.h"

/**
 * fmpi_text_fold() - replace look-alikes of ASCII by the ASCII that they are taken for
 * @text: well-formed UTF-8
 * @out: its bytes are overwritten; well-formed UTF-8 on return
 *
 * Full-width letters and signs (U+FF01 to U+FF5E) become ASCII, spaces of Unicode a blank, typographic quotes
 * plain ones; characters without width go. Percent escapes (RFC 3986 2.1) are decoded, at most three times over, and
 * where a text has one, '+' is a blank, too. Escapes of NUL and of bytes that are no ASCII become a blank.
 *
 * Return: 0 with the folded text in @out, or with @out->len 0 if there was nothing to fold; FMP_ERR_NOMEM.
 */
int fmpi_text_fold(const char *text, size_t len, struct fmpi_buffer *out);

#endif
