/* SPDX-License-Identifier: GPL-2.0 */
/* Well-known schemas, for imports without a file; nothing is fetched. */
#ifndef FMPI_SCHEMA_SCHEMA_BUILTIN_H
#define FMPI_SCHEMA_SCHEMA_BUILTIN_H

#include <stdbool.h>

/** fmpi_schema_find_builtin() - text of the built-in schema of that namespace; NULL: none. */
const char *fmpi_schema_find_builtin(const char *ns);
/** fmpi_wsdl_find_builtin() - text of the built-in WSDL of that namespace; NULL: none. */
const char *fmpi_wsdl_find_builtin(const char *ns);

#endif
