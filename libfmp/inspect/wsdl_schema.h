/* SPDX-License-Identifier: GPL-2.0 */
/* The schemas of a WSDL as texts that a schema parser reads: one that imports all, and each. */
#ifndef FMPI_INSPECT_WSDL_SCHEMA_H
#define FMPI_INSPECT_WSDL_SCHEMA_H

#include "inspect/loader.h"
#include "inspect/wsdl.h"

struct fmpi_wsdl_texts {
	struct fmpi_loader_text part[FMPI_WSDL_SCHEMAS];
	unsigned n;
	char *whole; /**< imports the parts by their paths */
	int whole_len;
};

/** fmpi_wsdl_texts_make() - lines are those of the WSDL. Return: 0, FMP_ERR_NOMEM. */
FMP_MUST_CHECK int fmpi_wsdl_texts_make(const struct fmpi_wsdl *w, struct fmpi_wsdl_texts *out);
void fmpi_wsdl_texts_clear(struct fmpi_wsdl_texts *t);

/** fmpi_wsdl_file_of() - where what stands under that path really is; NULL: not of this WSDL. */
const char *fmpi_wsdl_file_of(const struct fmpi_wsdl *w, const char *path);

#endif
