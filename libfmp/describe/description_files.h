/* SPDX-License-Identifier: GPL-2.0 */
/* The files of a WSDL, as trees. */
#ifndef FMPI_DESCRIBE_DESCRIPTION_FILES_H
#define FMPI_DESCRIBE_DESCRIPTION_FILES_H

#include <libxml/tree.h>

#include <fmp/error.h>

/* @trees: the WSDL first; they are freed after the call. Return: 0, or an error code. */
typedef int (*fmpi_description_cb)(const xmlDoc *const *trees, unsigned n, void *ctx,
				   struct fmp_error *err);

/** fmpi_description_read() - call it with a WSDL and all that it imports. */
FMP_MUST_CHECK int fmpi_description_read(const char *path, fmpi_description_cb use, void *ctx,
					 struct fmp_error *err);

#endif
