/* SPDX-License-Identifier: GPL-2.0 */
/* Private to wsdl*.c: what bindings say of operations. */
#ifndef FMPI_INSPECT_WSDL_BINDING_H
#define FMPI_INSPECT_WSDL_BINDING_H

#include "inspect/wsdl.h"

/** fmpi_wsdl_read_bindings() - when all files are read. @port: NULL: all. Return: 0, FMP_ERR_*. */
FMP_MUST_CHECK int fmpi_wsdl_read_bindings(struct fmpi_wsdl *w, const char *port,
					   struct fmp_error *err);

#endif
