/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writes the documents of a schema as texts that libxml2 compiles: each document, and one text that
 * imports all.
 */
#ifndef FMPI_SCHEMA_SCHEMA_TEXT_H
#define FMPI_SCHEMA_SCHEMA_TEXT_H

#include "xml/entity_loader.h"
#include "schema_set.h"

/**
 * struct fmpi_schema_texts - parts: each document, and one text per namespace that includes its
 * documents
 */
struct fmpi_schema_texts {
	struct fmpi_entity_loader_text *part;
	unsigned n;
	char *whole; /**< the text where libxml2 starts */
	int whole_len;
	bool has_unreadable; /**< some facets are left out (schema_number.h) */
};

/**
 * fmpi_schema_texts_make() - write the texts of a complete set; elements keep their line numbers
 * @ns: namespace whose global elements may be messages; NULL: all namespaces
 * @no_patterns: leave all patterns out
 *
 * Return: 0, FMP_ERR_NOMEM.
 */
FMP_MUST_CHECK int fmpi_schema_texts_make(const struct fmpi_schema_set *s, const char *ns,
					  bool no_patterns, struct fmpi_schema_texts *out);
void fmpi_schema_texts_clear(struct fmpi_schema_texts *t);

#endif
