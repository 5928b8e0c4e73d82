/* SPDX-License-Identifier: GPL-2.0 */
/* Where elements of a tree stand in the text that it was read from, and a text with others in their places. */
#ifndef FMPI_INSPECT_PLACES_H
#define FMPI_INSPECT_PLACES_H

#include "inspect/document.h"
#include "inspect/octets.h"

/** struct fmpi_place - bytes of a text, from the first to the one behind the last. */
struct fmpi_place {
	size_t start, end;
};

/**
 * fmpi_places_find() - one pass up to the last of them, nothing allocated
 * @text: that passed screen and parser
 * @node: n elements of the tree, in the order of the document, none inside another
 *
 * Return: 0 with out[0] to out[n - 1]; FMP_ERR_INVALID: it is another text.
 */
int fmpi_places_find(const uint8_t *text, size_t len, const xmlNode *const *node, unsigned n,
		     struct fmpi_place *out);

/**
 * fmpi_places_fill() - the text with others in its places
 * @at: n places in order, that don't overlap
 * @with: what stands in each; not looked at
 * @now: where it stands in *out then; malloc()ed
 *
 * Return: 0, FMP_ERR_NOMEM.
 */
int fmpi_places_fill(const uint8_t *text, size_t len, const struct fmpi_place *at,
		     const struct fmpi_octets *with, unsigned n, struct fmpi_octets *out,
		     struct fmpi_place *now);

#endif
