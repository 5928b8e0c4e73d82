/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Imports of documents that are on the network, and that no other document replaces. XSD 1.0 part 1,
 * 4.2.3 calls a schemaLocation a hint: what nothing refers to may be missing.
 */
#ifndef FMPI_SCHEMA_SCHEMA_UNREAD_H
#define FMPI_SCHEMA_SCHEMA_UNREAD_H

#include "schema_set.h"

/**
 * fmpi_schema_unread_use() - something outside of the documents refers to that namespace
 *
 * Return: 0, FMP_ERR_NOMEM.
 */
FMP_MUST_CHECK int fmpi_schema_unread_use(struct fmpi_schema_set *s, const char *ns);

/**
 * fmpi_schema_unread_check() - refuse imports that something needs, note the others
 * @s: complete
 *
 * Return: 0, FMP_ERR_SCHEMA, FMP_ERR_NOMEM.
 */
FMP_MUST_CHECK int fmpi_schema_unread_check(struct fmpi_schema_set *s, struct fmp_error *err);

#endif
