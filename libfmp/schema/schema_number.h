/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Numbers with more digits than libxml2 can read, checked against the documents of the schema.
 * libxml2 reports which value it rejects. This file finds the value's type, from the payload down
 * through the declarations of elements and attributes, and checks the value if it is a number type.
 */
#ifndef FMPI_SCHEMA_SCHEMA_NUMBER_H
#define FMPI_SCHEMA_SCHEMA_NUMBER_H

#include "schema_type.h"

/** Replaces a facet that libxml2 can't read: a pattern that no number matches. */
#define FMPI_UNREADABLE "fmp:facets"

enum fmpi_decimal_verdict {
	FMPI_DECIMAL_OTHER, /**< not a number type, or the type is unknown */
	FMPI_DECIMAL_GOOD,
	FMPI_DECIMAL_BAD, /**< a number type, and not valid */
};

/**
 * fmpi_schema_number() - is the value of an element or attribute inside the payload valid?
 * @path: the same for all values of one payload
 * @is_partial: the text is only the beginning of the value: facets can't be checked
 * @why: what is wrong, for FMPI_DECIMAL_BAD
 */
enum fmpi_decimal_verdict fmpi_schema_number(const struct fmpi_schema_set *s,
					     const xmlNode *payload, const xmlNode *node,
					     bool is_partial, struct fmpi_type_path *path,
					     char *why, size_t size);

/**
 * fmpi_schema_is_unreadable() - has this xs:restriction of a number type a facet that libxml2 can't
 * read?
 */
bool fmpi_schema_is_unreadable(const struct fmpi_schema_set *s, const xmlNode *restriction);
/** fmpi_schema_is_facet() - is it a facet that is left out then? */
bool fmpi_schema_is_facet(const xmlNode *n);

/**
 * fmpi_schema_omits_value() - is this attribute (fixed or default) a value that libxml2 would
 * reject?
 */
bool fmpi_schema_omits_value(const struct fmpi_schema_set *s, const xmlNode *n, const char *name);

/**
 * fmpi_schema_is_key() - may an identity constraint compare this value?
 *
 * libxml2 leaves values that it can't read out of its comparison.
 */
bool fmpi_schema_is_key(const struct fmpi_schema_set *s, const xmlNode *node);

/** fmpi_schema_number_clear() - free the patterns cached at nodes of the set. */
void fmpi_schema_number_clear(struct fmpi_schema_set *s);

#endif
