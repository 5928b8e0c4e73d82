/* SPDX-License-Identifier: GPL-2.0 */
/*
 * All documents of a schema, read before libxml2 compiles any: the XSD or the types of a WSDL, and
 * what these import, include and redefine. libxml2 reads one document a namespace and is silent
 * about the others; XSD 1.0 4.2.3 lets a processor read all, as Xerces does.
 */
#ifndef FMPI_SCHEMA_SCHEMA_SET_H
#define FMPI_SCHEMA_SCHEMA_SET_H

#include <libxml/hash.h>
#include <libxml/tree.h>
#include <stdbool.h>

#include <fmp/error.h>

/** Documents of one schema: files, and the schemas that stand in a WSDL. */
#define FMPI_SCHEMA_DOCS 2048u

/** struct fmpi_schema_doc - one document, as one namespace sees it */
struct fmpi_schema_doc {
	xmlDoc *doc;
	char *file; /**< it stands there: for relative locations, and for people */
	char *ns; /**< target namespace, that of its includer if it has none itself; "": none */
	char url[16]; /**< what libxml2 asks for */
	bool is_chameleon; /**< ns is its includer's */
	bool is_top; /**< its namespace includes it, not only another document */
	bool is_plain; /**< reached without xs:redefine: what it defines is defined once */
	bool is_builtin; /**< carried by the library (schema_builtin.h) */
};

struct fmpi_schema_set {
	struct fmpi_schema_doc *docs;
	unsigned n, room;
	const char *folder; /**< real path: nothing above it is read */
	xmlHashTable *components; /**< xmlNode by kind, namespace and name, once it is complete */
	const xmlNode **fields; /**< each xs:field of an identity constraint */
	unsigned n_fields;
};

/** fmpi_schema_read() - a file to a tree, without its annotations. @what: "schema", for the error. */
FMP_MUST_CHECK int fmpi_schema_read(const char *path, const char *what, xmlDoc **out,
				    struct fmp_error *err);

/** fmpi_schema_is_below() - both are real paths. */
bool fmpi_schema_is_below(const char *real, const char *folder);

/** fmpi_schema_set_add() - a top document; doc is the set's from here on. @file: copied */
FMP_MUST_CHECK int fmpi_schema_set_add(struct fmpi_schema_set *s, xmlDoc *doc, const char *file,
				       struct fmp_error *err);

/**
 * fmpi_schema_set_complete() - read what the documents import, include and redefine
 *
 * Refused, with file, line and what to do: a file that is not there, not below the folder or of
 * another namespace, a URL that no document replaces, a component that is defined twice.
 * Return: 0, FMP_ERR_SCHEMA, FMP_ERR_LIMIT, FMP_ERR_NOMEM.
 */
FMP_MUST_CHECK int fmpi_schema_set_complete(struct fmpi_schema_set *s, struct fmp_error *err);

/** fmpi_schema_set_of() - the document that a node of the set stands in. */
const struct fmpi_schema_doc *fmpi_schema_set_of(const struct fmpi_schema_set *s, const xmlNode *n);
/** fmpi_schema_set_by_url() - NULL: none is asked for by that name. */
const struct fmpi_schema_doc *fmpi_schema_set_by_url(const struct fmpi_schema_set *s,
						     const char *url);
/** fmpi_schema_set_has() - is there a document of that namespace? */
bool fmpi_schema_set_has(const struct fmpi_schema_set *s, const char *ns);

/** fmpi_schema_target() - of an xs:import, include or redefine: its document; NULL: none. */
const struct fmpi_schema_doc *fmpi_schema_target(const struct fmpi_schema_set *s, const xmlNode *n);

/** fmpi_schema_component() - a global "element", "attribute", "type", "group" or "attributeGroup". */
xmlNode *fmpi_schema_component(const struct fmpi_schema_set *s, const char *kind, const char *ns,
			       const char *local);

/**
 * fmpi_schema_qname() - a QName in a schema, in whatever attribute
 * @ns: of the tree; a name without prefix is the includer's in a chameleon document
 *
 * Return: the local name, inside text; NULL: its prefix is not declared.
 */
const char *fmpi_schema_qname(const struct fmpi_schema_set *s, const xmlNode *n, const char *text,
			      const char **ns);

void fmpi_schema_set_clear(struct fmpi_schema_set *s);

#endif
