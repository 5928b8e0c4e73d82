/* SPDX-License-Identifier: GPL-2.0 */
/*
 * xsi:schemaLocation and xsi:noNamespaceSchemaLocation are hints (XSD 1.0 part 1, 4.3.2) that we
 * do not follow. libxml2 would: it asks for the file, and keeps what it was told for the life of
 * the schema. So it validates the tree without these attributes; then they return to their places.
 */
#ifndef FMPI_SCHEMA_SCHEMA_HINTS_H
#define FMPI_SCHEMA_SCHEMA_HINTS_H

#include <libxml/tree.h>
#include <stdbool.h>
#include <stddef.h>

/** struct fmpi_hints - in document order; starts as all 0, its list is for free() */
struct fmpi_hints {
	struct fmpi_hint {
		xmlAttr *attribute, *before;
	} * list;
	size_t n, room;
};

bool fmpi_hints_is(const xmlAttr *a);
/** fmpi_hints_add() - Return: 0, FMP_ERR_NOMEM. */
int fmpi_hints_add(struct fmpi_hints *h, xmlAttr *a);
/** fmpi_hints_hide() - take them out of the tree. */
void fmpi_hints_hide(struct fmpi_hints *h);
/** fmpi_hints_restore() - before anything of the tree is freed. */
void fmpi_hints_restore(struct fmpi_hints *h);

#endif
