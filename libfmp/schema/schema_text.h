/* SPDX-License-Identifier: GPL-2.0 */
/* The documents of a schema as texts that libxml2 compiles: one that holds all, and each. */
#ifndef FMPI_SCHEMA_SCHEMA_TEXT_H
#define FMPI_SCHEMA_SCHEMA_TEXT_H

#include "xml/entity_loader.h"
#include "schema_set.h"

/** struct fmpi_schema_texts - parts: the documents, then one a namespace that includes its documents */
struct fmpi_schema_texts {
	struct fmpi_entity_loader_text *part;
	unsigned n;
	char *whole; /**< where libxml2 begins */
	int whole_len;
	bool has_unreadable; /**< some facets are left out (schema_number.h) */
};

/**
 * fmpi_schema_texts_make() - of a complete set; elements stand in the lines in which they stand there
 * @ns: of which global elements may be a message; NULL: of all
 *
 * Return: 0, FMP_ERR_NOMEM.
 */
FMP_MUST_CHECK int fmpi_schema_texts_make(const struct fmpi_schema_set *s, const char *ns,
					  struct fmpi_schema_texts *out);
void fmpi_schema_texts_clear(struct fmpi_schema_texts *t);

#endif
