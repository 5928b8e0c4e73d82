/* SPDX-License-Identifier: GPL-2.0 */
/*
 * xsi:schemaLocation and xsi:noNamespaceSchemaLocation are hints (XSD 1.0 part 1, 4.3.2) that are
 * not followed. libxml2 would request the file, and keep the result for the life of the schema. So
 * these attributes are taken out of the tree while libxml2 validates it.
 */
#ifndef FMPI_SCHEMA_SCHEMA_HINTS_H
#define FMPI_SCHEMA_SCHEMA_HINTS_H

#include <libxml/tree.h>
#include <stdbool.h>
#include <stddef.h>

/** struct fmpi_hints - in document order; starts zeroed; free list with free() */
struct fmpi_hints {
	struct fmpi_hint {
		xmlAttr *attribute, *before;
	} * list;
	size_t n, capacity;
};

bool fmpi_hints_is(const xmlAttr *a);
/** fmpi_hints_add() - Return: 0, FMP_ERR_NOMEM. */
int fmpi_hints_add(struct fmpi_hints *h, xmlAttr *a);
/** fmpi_hints_hide() - unlink them from the tree. */
void fmpi_hints_hide(struct fmpi_hints *h);
/** fmpi_hints_restore() - link them again; call it before any node of the tree is freed. */
void fmpi_hints_restore(struct fmpi_hints *h);

#endif
