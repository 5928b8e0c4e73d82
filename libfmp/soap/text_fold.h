/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Text folding: the ASCII that a careless service makes of a text. Content rules with fold="yes"
 * match against it.
 */
#ifndef FMPI_SOAP_TEXT_FOLD_H
#define FMPI_SOAP_TEXT_FOLD_H

#include "base/buffer.h"

/**
 * fmpi_text_fold() - replace look-alikes of ASCII by ASCII
 * @text: well-formed UTF-8
 * @out: overwritten; well-formed UTF-8 on return
 *
 * Full-width characters (U+FF01 to U+FF5E) become ASCII, Unicode spaces a blank, typographic quotes
 * plain ones; characters without width are removed. Percent escapes (RFC 3986 2.1) are decoded, up
 * to three times, and in a text that has one, '+' becomes a blank. Escapes of NUL and of non-ASCII
 * bytes become a blank.
 *
 * Return: 0 with the folded text in @out, or with @out->len 0 if there was nothing to fold;
 * FMP_ERR_NOMEM.
 */
int fmpi_text_fold(const char *text, size_t len, struct fmpi_buffer *out);

#endif
