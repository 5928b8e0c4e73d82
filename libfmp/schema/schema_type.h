/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Declarations and types in a schema's documents: finds the type of an element or attribute of a
 * message.
 */
#ifndef FMPI_SCHEMA_SCHEMA_TYPE_H
#define FMPI_SCHEMA_SCHEMA_TYPE_H

#include "schema_set.h"

/**
 * Maximum nesting of derivations and groups. libxml2 has refused cycles, except for redefined
 * groups.
 */
#define FMPI_NESTED_MAX	   64
/** Maximum depth of elements whose types are looked up; the policy allows no more. */
#define FMPI_TYPE_PATH_MAX 256

/** struct fmpi_type - an xs:simpleType or xs:complexType of the set, or a built-in type */
struct fmpi_type {
	const xmlNode *node; /**< NULL: built in */
	const char *builtin; /**< local name of a built-in type; NULL, without node: no type */
};

/**
 * struct fmpi_type_path - types of the elements from the payload to the value looked up last;
 * starts with n 0
 */
struct fmpi_type_path {
	unsigned n;
	struct {
		const xmlNode *node; /**< element of the message */
		struct fmpi_type type;
		const char *fixed; /**< value required by its declaration; NULL: any */
	} step[FMPI_TYPE_PATH_MAX];
};

/** fmpi_type_child() - the first child element with that local name of XSD. */
const xmlNode *fmpi_type_child(const xmlNode *n, const char *local);
/** fmpi_type_named() - resolve a QName at a node of the schema. */
struct fmpi_type fmpi_type_named(const struct fmpi_schema_set *s, const xmlNode *at,
				 const char *text);
/** fmpi_type_of() - the type named by an attribute, or the anonymous type inside. */
struct fmpi_type fmpi_type_of(const struct fmpi_schema_set *s, const xmlNode *n,
			      const char *attribute);
/** fmpi_type_derivation() - the xs:restriction, extension, list or union of a type. */
const xmlNode *fmpi_type_derivation(const xmlNode *type);
/** fmpi_type_is_derived() - is it an xs:restriction or xs:extension? */
bool fmpi_type_is_derived(const xmlNode *derivation);
/** fmpi_type_base() - the base type of a derivation. */
struct fmpi_type fmpi_type_base(const struct fmpi_schema_set *s, const xmlNode *derivation);
/** fmpi_type_root() - the built-in type at the root; "": none, or a list or union. */
const char *fmpi_type_root(const struct fmpi_schema_set *s, struct fmpi_type t);
/**
 * fmpi_type_next_name() - take the next name of a list. @names: the rest of the list; NULL: nothing
 */
bool fmpi_type_next_name(const char **names, char *out, size_t size);
/**
 * fmpi_type_collapses() - is white space around a value of that type collapsed (XSD 1.0 part 2,
 * 4.3.6)?
 *
 * The members of a union decide for themselves: false for a union.
 */
bool fmpi_type_collapses(const struct fmpi_schema_set *s, struct fmpi_type t);
/** fmpi_type_has_facets() - does the type, or one it is derived from, ask for more than its root? */
bool fmpi_type_has_facets(const struct fmpi_schema_set *s, struct fmpi_type t);
/** fmpi_type_is_unknown() - is it the type of a value that only libxml2 can tell? */
bool fmpi_type_is_unknown(const struct fmpi_type *t);
/**
 * fmpi_type_of_value() - the type of an element or attribute of the message
 * @path: the same for all values of one payload; caches the types of its elements
 * @fixed: out: value required by the declaration; NULL: any
 */
struct fmpi_type fmpi_type_of_value(const struct fmpi_schema_set *s, const xmlNode *payload,
				    const xmlNode *node, struct fmpi_type_path *path,
				    const char **fixed);

/** fmpi_value_copy() - the text of an element or attribute; xmlFree(). NULL: out of memory. */
char *fmpi_value_copy(const xmlNode *node);
/** fmpi_value_copy_trimmed() - the same without white space around it. */
char *fmpi_value_copy_trimmed(const xmlNode *node);

#endif
