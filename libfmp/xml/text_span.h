/* SPDX-License-Identifier: GPL-2.0 */
/* Where elements of a tree stand in the text that it was read from, and a text with others in their places. */
#ifndef FMPI_XML_TEXT_SPAN_H
#define FMPI_XML_TEXT_SPAN_H

#include "document.h"
#include "base/buffer.h"

/** struct fmpi_text_span - bytes of a text, from the first to the one behind the last. */
struct fmpi_text_span {
	size_t start, end;
};

/**
 * fmpi_text_spans_find() - one pass up to the last of them, nothing allocated
 * @text: that passed screen and parser
 * @node: n elements of the tree, in the order of the document, none inside another
 *
 * Return: 0 with out[0] to out[n - 1]; FMP_ERR_INVALID: it is another text.
 */
int fmpi_text_spans_find(const uint8_t *text, size_t len, const xmlNode *const *node, unsigned n,
			 struct fmpi_text_span *out);

/**
 * fmpi_text_spans_fill() - the text with others in its places
 * @at: n places in order, that don't overlap
 * @with: what stands in each; not looked at
 * @now: where it stands in *out then; malloc()ed
 *
 * Return: 0, FMP_ERR_NOMEM.
 */
int fmpi_text_spans_fill(const uint8_t *text, size_t len, const struct fmpi_text_span *at,
			 const struct fmpi_buffer *with, unsigned n, struct fmpi_buffer *out,
			 struct fmpi_text_span *now);

#endif
