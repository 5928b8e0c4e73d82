/* SPDX-License-Identifier: GPL-2.0 */
/* The Web service's XSD or WSDL, compiled once. */
#ifndef FMPI_SCHEMA_SCHEMA_H
#define FMPI_SCHEMA_SCHEMA_H

#include <libxml/xmlschemas.h>

#include "xml/document.h"

/** Bytes of one text or value: up to there patterns cost less than a look without them would. */
#define FMPI_LONG_TEXT 4096u

struct fmpi_schema;
struct fmpi_strict;
struct fmpi_wsdl;

/**
 * fmpi_schema_load() - compile an XSD, or those of a WSDL; imports are local files beside it
 * @port: of the WSDL: no other one is taken; NULL: all that can be validated
 *
 * Return: 0; FMP_ERR_IO, FMP_ERR_SCHEMA with file:line in err, FMP_ERR_NOMEM.
 */
int fmpi_schema_load(const char *path, const char *port, struct fmpi_schema **out,
		     struct fmp_error *err);
void fmpi_schema_free(struct fmpi_schema *s);

/**
 * fmpi_schema_check() - is the subtree a valid global element of the schema?
 *
 * A message that brings schema locations of its own is refused, and one with a text that comments
 * part so often that libxml2's work would grow with its square.
 * Return: 0, FMPI_REFUSED, FMP_ERR_NOMEM.
 */
int fmpi_schema_check(struct fmpi_schema *s, xmlNode *payload, struct fmp_inspection *v);

/** fmpi_schema_compiled() - as libxml2 has it; where a text is long, without its patterns. */
xmlSchemaPtr fmpi_schema_compiled(const struct fmpi_schema *s, bool is_long);

/** fmpi_schema_is_value_error() - is that error of libxml2's about a value, of an element or attribute? */
bool fmpi_schema_is_value_error(int code);
/** fmpi_schema_is_fixed_error() - ... about one that is not as its declaration fixes it? By its text only. */
bool fmpi_schema_is_fixed_error(int code);
/** fmpi_schema_has_unreadable() - has it numbers of more digits than libxml2 has? It refuses all then. */
bool fmpi_schema_has_unreadable(const struct fmpi_schema *s);

/** fmpi_schema_strict() - of what values the schema makes doubtful (schema_strict.h). */
const struct fmpi_strict *fmpi_schema_strict(const struct fmpi_schema *s);

/** fmpi_schema_has_ids() - may it want an ID to be there once? libxml2 finds that out in a tree alone. */
bool fmpi_schema_has_ids(const struct fmpi_schema *s);

/** fmpi_schema_has_qnames() - has it a type whose values are names, xs:QName or xs:NOTATION? */
bool fmpi_schema_has_qnames(const struct fmpi_schema *s);

/** fmpi_schema_declares() - has its target namespace a global element of that name? */
bool fmpi_schema_declares(const struct fmpi_schema *s, const char *element);

/** fmpi_schema_wsdl() - what was said of operations; NULL: it is an XSD. */
const struct fmpi_wsdl *fmpi_schema_wsdl(const struct fmpi_schema *s);

#endif
