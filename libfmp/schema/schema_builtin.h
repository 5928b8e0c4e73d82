/* SPDX-License-Identifier: GPL-2.0 */
/* Built-in schemas: common imports that hardly anyone keeps as files. */
#ifndef FMPI_SCHEMA_SCHEMA_BUILTIN_H
#define FMPI_SCHEMA_SCHEMA_BUILTIN_H

/** fmpi_schema_find_builtin() - the schema of a namespace as text; NULL: not built in. */
const char *fmpi_schema_find_builtin(const char *ns);

#endif
