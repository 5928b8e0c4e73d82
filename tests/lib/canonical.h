/* SPDX-License-Identifier: GPL-2.0 */
/* The canonical form of an element by libxml2. */
#ifndef FMP_TESTS_CANONICAL_H
#define FMP_TESTS_CANONICAL_H

#include <libxml/tree.h>
#include <libxml/xmlIO.h>

/*
 * canonical_form() - exclusive canonical form without comments (W3C xml-exc-c14n) of apex and what is below it
 *
 * prefixes: the InclusiveNamespaces, NULL behind the last; NULL: none.
 * Return: by xmlOutputBufferClose() to be freed; NULL if apex has none, or is NULL.
 */
xmlOutputBuffer *canonical_form(const xmlNode *apex, xmlChar **prefixes);

#endif
