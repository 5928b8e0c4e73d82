/* SPDX-License-Identifier: GPL-2.0 */
/*
 * All documents of a schema, read before libxml2 compiles any: the XSD or the types of a WSDL, and
 * what these import, include and redefine. libxml2 reads one document per namespace and ignores the
 * others silently; XSD 1.0 part 1, 4.2.3 lets a processor read all, as Xerces does.
 */
#ifndef FMPI_SCHEMA_SCHEMA_SET_H
#define FMPI_SCHEMA_SCHEMA_SET_H

#include <libxml/hash.h>
#include <libxml/tree.h>
#include <stdbool.h>

#include <fmp/error.h>

#include "places/schema_places.h"

/** Maximum documents of one schema: files, and the schemas inside a WSDL. */
#define FMPI_SCHEMA_DOCS      2048u
/** Maximum notes about imports that are not read. */
#define FMPI_SCHEMA_NOTES     8u
/** Maximum complex types whose content model is ambiguous. */
#define FMPI_SCHEMA_AMBIGUOUS 64u

/** struct fmpi_schema_doc - one document, as read for one namespace */
struct fmpi_schema_doc {
	xmlDoc *doc;
	char *file; /**< its path, for relative locations and messages */
	char *ns; /**< target namespace; its includer's if it has none; "": none */
	char url[16]; /**< name under which libxml2 requests it */
	bool is_chameleon; /**< ns is its includer's */
	bool is_top; /**< part of its namespace, not only of another document */
	bool is_plain; /**< reached without xs:redefine: its definitions must be unique */
	bool is_builtin; /**< built in (schema_builtin.h) */
};

struct fmpi_schema_set {
	struct fmpi_schema_doc *docs;
	unsigned n, capacity;
	const struct fmpi_schema_places *places; /**< no file outside of them is read */
	xmlHashTable *components; /**< xmlNode by kind, namespace and name, once complete */
	const xmlNode **fields; /**< all xs:field elements of identity constraints */
	unsigned n_fields;
	/** complex types with an ambiguous content model, which schema_text.c writes with wider
	 * wildcards */
	const xmlNode *ambiguous[FMPI_SCHEMA_AMBIGUOUS];
	unsigned n_ambiguous;
	bool plain_wildcards; /**< write repeated wildcards as they are (schema_text.c) */
	xmlHashTable *used; /**< namespaces that something outside of the documents refers to */
	struct fmp_error *note; /**< imports that are not read, since nothing refers to them */
	unsigned n_notes;
};

/**
 * fmpi_schema_read() - parse a file to a tree without annotations. @what: "schema", for the error.
 */
FMP_MUST_CHECK int fmpi_schema_read(const char *path, const char *what, xmlDoc **out,
				    struct fmp_error *err);

/** fmpi_schema_set_add() - add a top document; the set owns doc from here on. @file: copied */
FMP_MUST_CHECK int fmpi_schema_set_add(struct fmpi_schema_set *s, xmlDoc *doc, const char *file,
				       struct fmp_error *err);

/**
 * fmpi_schema_set_complete() - read what the documents import, include and redefine
 *
 * Refused, with file, line and what to do: a file that does not exist, is outside of the places
 * or has another namespace; a component that is defined twice, and not the same (schema_same.h). For URLs see schema_unread.h.
 * Return: 0, FMP_ERR_SCHEMA, FMP_ERR_LIMIT, FMP_ERR_NOMEM.
 */
FMP_MUST_CHECK int fmpi_schema_set_complete(struct fmpi_schema_set *s, struct fmp_error *err);

/** fmpi_schema_set_of() - the document that contains a node of the set. */
const struct fmpi_schema_doc *fmpi_schema_set_of(const struct fmpi_schema_set *s, const xmlNode *n);
/** fmpi_schema_set_by_url() - the document that libxml2 requests as url; NULL: none. */
const struct fmpi_schema_doc *fmpi_schema_set_by_url(const struct fmpi_schema_set *s,
						     const char *url);
/** fmpi_schema_set_has() - is there a document of that namespace? */
bool fmpi_schema_set_has(const struct fmpi_schema_set *s, const char *ns);

/** fmpi_schema_target() - the document of an xs:import, include or redefine; NULL: none. */
const struct fmpi_schema_doc *fmpi_schema_target(const struct fmpi_schema_set *s, const xmlNode *n);

/**
 * fmpi_schema_component() - find a global "element", "attribute", "type", "group" or
 * "attributeGroup".
 */
xmlNode *fmpi_schema_component(const struct fmpi_schema_set *s, const char *kind, const char *ns,
			       const char *local);

/**
 * fmpi_schema_qname() - resolve a QName of a schema, in any attribute
 * @ns: inside the tree; in a chameleon document a name without prefix is in the includer's
 * namespace
 *
 * Return: the local name, inside text; NULL: its prefix is not declared.
 */
const char *fmpi_schema_qname(const struct fmpi_schema_set *s, const xmlNode *n, const char *text,
			      const char **ns);

void fmpi_schema_set_clear(struct fmpi_schema_set *s);

#endif
