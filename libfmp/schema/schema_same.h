/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Definitions that stand twice: tools copy a schema into each WSDL that needs it. XSD 1.0 part 1,
 * 4.2.1 forbids two components of one name; the same definition again changes nothing.
 */
#ifndef FMPI_SCHEMA_SCHEMA_SAME_H
#define FMPI_SCHEMA_SCHEMA_SAME_H

#include <libxml/tree.h>
#include <stdbool.h>

/**
 * fmpi_schema_is_same() - do two components of one namespace have the same definition?
 *
 * The same elements and attributes, names that mean the same, and the same defaults of their
 * documents. False if that is not sure: constraints with XPath are never the same.
 */
bool fmpi_schema_is_same(const xmlNode *a, const xmlNode *b);

#endif
