/* SPDX-License-Identifier: GPL-2.0 */
/* Well-known schemas, for imports without a file; nothing is fetched. */
#ifndef FMPI_SCHEMA_SCHEMA_BUILTIN_H
#define FMPI_SCHEMA_SCHEMA_BUILTIN_H

#include <stdbool.h>

/** fmpi_schema_find_builtin() - text of the built-in schema of that namespace; NULL: none. */
const char *fmpi_schema_find_builtin(const char *ns);
/**
 * fmpi_schema_find_wider() - text of what replaces parts of that schema where messages are checked
 *
 * It takes what peers send and the standard does not name; clients are not told of it. NULL: none.
 */
const char *fmpi_schema_find_wider(const char *ns);
/** fmpi_wsdl_find_builtin() - text of the built-in WSDL of that namespace; NULL: none. */
const char *fmpi_wsdl_find_builtin(const char *ns);

#endif
