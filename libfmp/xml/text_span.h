/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Text spans: the positions of elements in the text that they were parsed from, and replacing them.
 */
#ifndef FMPI_XML_TEXT_SPAN_H
#define FMPI_XML_TEXT_SPAN_H

#include "document.h"
#include "base/buffer.h"

/** struct fmpi_text_span - bytes of a text; end is exclusive. */
struct fmpi_text_span {
	size_t start, end;
};

/**
 * fmpi_text_spans_find() - find the spans of elements in one pass, without allocation
 * @text: has passed screen and parser; each xop:Include may be replaced in the tree
 * @node: n elements of the tree in document order, none inside another
 *
 * Return: 0 with out[0] to out[n - 1]; FMP_ERR_INVALID: another text.
 */
int fmpi_text_spans_find(const uint8_t *text, size_t len, const xmlNode *const *node, unsigned n,
			 struct fmpi_text_span *out);

/**
 * fmpi_text_spans_fill() - copy a text with spans replaced
 * @at: n spans in order, not overlapping
 * @with: the replacements; not checked
 * @now: out: spans of the replacements in *out
 * @out: allocated with malloc()
 *
 * Return: 0, FMP_ERR_NOMEM.
 */
int fmpi_text_spans_fill(const uint8_t *text, size_t len, const struct fmpi_text_span *at,
			 const struct fmpi_buffer *with, unsigned n, struct fmpi_buffer *out,
			 struct fmpi_text_span *now);

#endif
