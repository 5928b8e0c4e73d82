/* SPDX-License-Identifier: GPL-2.0 */
/* Schemas that everybody imports and nobody has beside his own: by namespace, as text. */
#ifndef FMPI_SCHEMA_SCHEMA_BUILTIN_H
#define FMPI_SCHEMA_SCHEMA_BUILTIN_H

/** fmpi_schema_find_builtin() - NULL: none of that namespace. */
const char *fmpi_schema_find_builtin(const char *ns);

#endif
