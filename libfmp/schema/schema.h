/* SPDX-License-Identifier: GPL-2.0 */
/* The XSD or WSDL of the Web service, compiled once. */
#ifndef FMPI_SCHEMA_SCHEMA_H
#define FMPI_SCHEMA_SCHEMA_H

#include <libxml/xmlschemas.h>

#include "xml/document.h"

/**
 * Bytes of a text or value up to which trying patterns costs less than an additional pass without
 * them.
 */
#define FMPI_LONG_TEXT 4096u

struct fmpi_schema;
struct fmpi_strict;
struct fmpi_wsdl;

/** struct fmpi_schema_source - what to load; NULL: not given */
struct fmpi_schema_source {
	const char *path;
	const char *port; /**< use only this port of the WSDL; NULL: all that can be validated */
	const char *catalog; /**< maps what is imported to files (catalog.h) */
	const char *around; /**< folder that files named *.xsd or *.wsdl may be below too */
};
/**
 * fmpi_schema_load() - compile an XSD, or the schemas of a WSDL
 *
 * Imports are files below its folder, or below @around, or what the catalog names, or built in.
 * Return: 0; FMP_ERR_IO, FMP_ERR_SCHEMA with file:line in err, FMP_ERR_LIMIT, FMP_ERR_NOMEM.
 */
FMP_MUST_CHECK int fmpi_schema_load(const struct fmpi_schema_source *source,
				    struct fmpi_schema **out, struct fmp_error *err);
void fmpi_schema_free(struct fmpi_schema *s);

/**
 * fmpi_schema_check() - is the subtree a valid global element of the schema?
 *
 * Also refused: a text split by so many comments that libxml2's work would grow with its square.
 * Schema locations in the message are ignored (schema_hints.h).
 * Return: 0, FMPI_REFUSED, FMP_ERR_NOMEM.
 */
int fmpi_schema_check(struct fmpi_schema *s, xmlNode *payload, struct fmp_inspection *v);

/**
 * fmpi_schema_compiled() - libxml2's schema; is_long: the one without patterns, if there is one.
 */
xmlSchemaPtr fmpi_schema_compiled(const struct fmpi_schema *s, bool is_long);

/**
 * fmpi_schema_is_value_error() - is this libxml2 error about the value of an element or attribute?
 */
bool fmpi_schema_is_value_error(int code);
/** fmpi_schema_is_fixed_error() - ... about a value that differs, as text, from the fixed one? */
bool fmpi_schema_is_fixed_error(int code);
/**
 * fmpi_schema_has_unreadable() - has it facets with numbers that libxml2 can't read? It rejects all
 * values of these types.
 */
bool fmpi_schema_has_unreadable(const struct fmpi_schema *s);

/** fmpi_schema_strict() - which values need a recheck (schema_strict.h). */
const struct fmpi_strict *fmpi_schema_strict(const struct fmpi_schema *s);

/** fmpi_schema_has_ids() - may it require unique IDs? libxml2 checks that only in a tree. */
bool fmpi_schema_has_ids(const struct fmpi_schema *s);

/** fmpi_schema_has_qnames() - does a type derive from xs:QName or xs:NOTATION? */
bool fmpi_schema_has_qnames(const struct fmpi_schema *s);

/** fmpi_schema_declares() - does its target namespace have a global element of that name? */
bool fmpi_schema_declares(const struct fmpi_schema *s, const char *element);

/**
 * fmpi_schema_may_be_base64() - is an element below the payload of type base64Binary, or of one that
 * is not known here?
 */
bool fmpi_schema_may_be_base64(const struct fmpi_schema *s, const xmlNode *payload,
			       const xmlNode *element);

/**
 * fmpi_schema_needs_base64() - does the schema ask anything of the value of an element of type
 * base64Binary but that it is Base64? True if it is not known.
 */
bool fmpi_schema_needs_base64(const struct fmpi_schema *s, const xmlNode *payload,
			      const xmlNode *element);

/**
 * fmpi_schema_note() - what of the schema or WSDL is left out, why and where
 * @n: from 0 on
 *
 * Return: false: there is no n-th note.
 */
bool fmpi_schema_note(const struct fmpi_schema *s, unsigned n, struct fmp_error *out);

/** fmpi_schema_wsdl() - the operations of the WSDL; NULL: it is an XSD. */
const struct fmpi_wsdl *fmpi_schema_wsdl(const struct fmpi_schema *s);

#endif
