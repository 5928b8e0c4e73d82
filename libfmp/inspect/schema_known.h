/* SPDX-License-Identifier: GPL-2.0 */
/* Schemas that everybody imports and nobody has beside his own: by namespace, as text. */
#ifndef FMPI_INSPECT_SCHEMA_KNOWN_H
#define FMPI_INSPECT_SCHEMA_KNOWN_H

/** fmpi_schema_known() - NULL: none of that namespace. */
const char *fmpi_schema_known(const char *ns);

#endif
