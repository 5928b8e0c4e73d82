/* SPDX-License-Identifier: GPL-2.0 */
/* Private to wsdl*.c: what bindings say of operations. */
#ifndef FMPI_INSPECT_WSDL_BINDING_H
#define FMPI_INSPECT_WSDL_BINDING_H

#include "inspect/wsdl.h"

/** fmpi_wsdl_read_bindings() - of file number i, when all are read. Return: 0, FMP_ERR_*. */
FMP_MUST_CHECK int fmpi_wsdl_read_bindings(struct fmpi_wsdl *w, unsigned i, struct fmp_error *err);

/** fmpi_wsdl_add_schema() - doc is its own from then on. Return: 0, FMP_ERR_LIMIT, FMP_ERR_NOMEM. */
FMP_MUST_CHECK int fmpi_wsdl_add_schema(struct fmpi_wsdl *w, xmlDoc *doc, const char *file,
					const xmlNode *at, struct fmp_error *err);
/** fmpi_wsdl_schema_of() - of that target namespace; NULL: there is none. */
struct fmpi_wsdl_schema *fmpi_wsdl_schema_of(struct fmpi_wsdl *w, const char *ns);

#endif
