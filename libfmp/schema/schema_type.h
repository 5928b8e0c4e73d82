/* SPDX-License-Identifier: GPL-2.0 */
/* Declarations and types of a schema's documents: which one an element or attribute of a message has. */
#ifndef FMPI_SCHEMA_SCHEMA_TYPE_H
#define FMPI_SCHEMA_SCHEMA_TYPE_H

#include "schema_set.h"

/** Derivations and groups in one another; libxml2 has refused circles, but for redefined groups. */
#define FMPI_NESTED_MAX	   64
/** Elements in one another that types are looked for in; the policy allows no more. */
#define FMPI_TYPE_PATH_MAX 256

/** struct fmpi_type - an xs:simpleType or xs:complexType of the set, or one that is built in */
struct fmpi_type {
	const xmlNode *node; /**< NULL: built in */
	const char *builtin; /**< its local name; NULL, without node: there is none */
};

/** struct fmpi_type_path - from the payload to the last value that was asked for; starts with n 0 */
struct fmpi_type_path {
	unsigned n;
	struct {
		const xmlNode *node; /**< in the message */
		struct fmpi_type type;
		const char *fixed; /**< the value that it must have; NULL: any */
	} step[FMPI_TYPE_PATH_MAX];
};

/** fmpi_type_child() - the first child element of a schema's node with that name of XSD's. */
const xmlNode *fmpi_type_child(const xmlNode *n, const char *local);
/** fmpi_type_named() - by a QName that stands in the schema at that node. */
struct fmpi_type fmpi_type_named(const struct fmpi_schema_set *s, const xmlNode *at,
				 const char *text);
/** fmpi_type_of() - by an attribute, or the anonymous type inside. */
struct fmpi_type fmpi_type_of(const struct fmpi_schema_set *s, const xmlNode *n,
			      const char *attribute);
/** fmpi_type_derivation() - what a type is made of: xs:restriction, extension, list or union. */
const xmlNode *fmpi_type_derivation(const xmlNode *type);
/** fmpi_type_is_derived() - is that an xs:restriction or xs:extension? */
bool fmpi_type_is_derived(const xmlNode *derivation);
/** fmpi_type_base() - of one of these. */
struct fmpi_type fmpi_type_base(const struct fmpi_schema_set *s, const xmlNode *derivation);
/** fmpi_type_root() - the built-in type at its root; "": it has none, or is a list or union. */
const char *fmpi_type_root(const struct fmpi_schema_set *s, struct fmpi_type t);
/** fmpi_type_next_name() - of a list of names. @names: what is left of it; NULL: nothing */
bool fmpi_type_next_name(const char **names, char *out, size_t size);
/**
 * fmpi_type_collapses() - is white space around a value of that type none of it (XSD 1.0 part 2, 4.3.6)?
 *
 * Of a union each member says that for itself: it is none here.
 */
bool fmpi_type_collapses(const struct fmpi_schema_set *s, struct fmpi_type t);
/** fmpi_type_is_unknown() - has a value a type that only libxml2 knows? */
bool fmpi_type_is_unknown(const struct fmpi_type *t);
/**
 * fmpi_type_of_value() - of an element or attribute of the message
 * @way: the same for all values of one payload: what was found on the way before is kept
 * @fixed: the value that it must have; NULL: any
 */
struct fmpi_type fmpi_type_of_value(const struct fmpi_schema_set *s, const xmlNode *payload,
				    const xmlNode *node, struct fmpi_type_path *path,
				    const char **fixed);

#endif
