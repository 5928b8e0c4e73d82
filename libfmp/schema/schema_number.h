/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Numbers that libxml2 can't read, checked against the schema's documents themselves. libxml2 says
 * which value it does not take; whether the value's type is of numbers, and takes it, is found here:
 * from the payload down, by the declarations of elements and attributes.
 */
#ifndef FMPI_SCHEMA_SCHEMA_NUMBER_H
#define FMPI_SCHEMA_SCHEMA_NUMBER_H

#include "schema_type.h"

/** What stands for a facet that libxml2 can't read: a pattern that no number matches. */
#define FMPI_UNREADABLE "fmp:facets"

enum fmpi_decimal_verdict {
	FMPI_DECIMAL_OTHER, /**< its type is not one of numbers, or can't be found */
	FMPI_DECIMAL_GOOD,
	FMPI_DECIMAL_BAD, /**< of numbers, and not valid */
};

/**
 * fmpi_schema_number() - is the value of an element or attribute inside the payload valid?
 * @way: the same for all values of one payload
 * @part: there is only the beginning of it: facets can't be said to be broken
 * @why: what is wrong, if it is bad
 */
enum fmpi_decimal_verdict fmpi_schema_number(const struct fmpi_schema_set *s,
					     const xmlNode *payload, const xmlNode *node,
					     bool is_partial, struct fmpi_type_path *path,
					     char *why, size_t size);

/** fmpi_schema_is_unreadable() - has that xs:restriction of a number a facet that libxml2 can't read? */
bool fmpi_schema_is_unreadable(const struct fmpi_schema_set *s, const xmlNode *restriction);
/** fmpi_schema_is_facet() - one that is left out then. */
bool fmpi_schema_is_facet(const xmlNode *n);

/** fmpi_schema_omits_value() - is that attribute a value of such a type, that libxml2 would refuse? */
bool fmpi_schema_omits_value(const struct fmpi_schema_set *s, const xmlNode *n, const char *name);

/**
 * fmpi_schema_is_key() - may the value be one that an identity constraint compares?
 *
 * libxml2 leaves values out of these that it can't read.
 */
bool fmpi_schema_is_key(const struct fmpi_schema_set *s, const xmlNode *node);

/** fmpi_schema_number_clear() - of what was kept at the nodes of the set for later. */
void fmpi_schema_number_clear(struct fmpi_schema_set *s);

#endif
