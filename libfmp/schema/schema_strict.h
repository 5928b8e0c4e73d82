/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Values that libxml2 2.9.14 takes and XSD 1.0 does not: "1e" as a float, "PT1.S" as a duration, NaN in
 * whatever range, times whose zone is not known in a range of such with one, an empty NMTOKENS; IDs of
 * elements that are there twice, and an IDREF whose ID is nowhere. Behind libxml2, which has found
 * all else to be valid.
 */
#ifndef FMPI_SCHEMA_SCHEMA_STRICT_H
#define FMPI_SCHEMA_SCHEMA_STRICT_H

#include <libxml/hash.h>

#include "verdict/refuse.h"
#include "schema_type.h"

/** struct fmpi_strict - what a schema makes doubtful */
struct fmpi_strict {
	bool has_ranges; /**< of dates or times */
	bool has_lists; /**< built-in ones, which may not be empty */
	/** Local names of elements and attributes of xs:ID and xs:IDREF; NULL: libxml2 sees to all. */
	xmlHashTable *ids;
};

/** fmpi_strict_collect() - of a complete set. Return: 0, FMP_ERR_NOMEM. */
FMP_MUST_CHECK int fmpi_strict_collect(const struct fmpi_schema_set *s, struct fmpi_strict *out);
void fmpi_strict_clear(struct fmpi_strict *s);
/** fmpi_strict_is_id() - may an element or attribute of that local name be one of these? */
bool fmpi_strict_is_id(const struct fmpi_strict *s, const xmlChar *local);

/* ---- schema_value.c ---- */

/** fmpi_strict_is_list() - a built-in one, which may not be empty? */
bool fmpi_strict_is_list(const char *type);
/** fmpi_strict_is_range() - a facet of a minimum or maximum? */
bool fmpi_strict_is_range(const xmlNode *facet);
/** fmpi_strict_accepts() - but for what libxml2 has seen to. @text: without white space around it */
bool fmpi_strict_accepts(const struct fmpi_schema_set *s, struct fmpi_type t, const char *text,
			 size_t len);

/** struct fmpi_recheck - a value as it comes, in pieces; .of before the first, the rest 0 */
struct fmpi_recheck {
	const struct fmpi_strict *strict;
	bool is_found; /**< it is to be looked at closely */
	bool is_text; /**< it begins as no number, time or duration does: not looked at */
	bool has_word; /**< there was something in it */
	char first, before, last; /**< of the word that is being read; first 0: none */
};

/** fmpi_recheck_is_text() - no value that begins with this character is in doubt */
static inline bool fmpi_recheck_is_text(char first)
{
	if (first >= '0' && first <= '9')
		return false;
	switch (first) {
	case '+':
	case '-':
	case '.':
	case 'P':
	case 'N':
	case 'I':
		return false;
	}
	return (unsigned char)first > ' ';
}

/** fmpi_recheck_is_needless() - a whole value that needs not be fed, as most: a text, or digits and points */
static inline bool fmpi_recheck_is_needless(const struct fmpi_strict *of, const char *value)
{
	if (fmpi_recheck_is_text(*value))
		return true;
	if (of->has_ranges || !*value)
		return false;
	while ((*value >= '0' && *value <= '9') || *value == '.')
		value++;
	return !*value;
}

void fmpi_recheck_feed(struct fmpi_recheck *d, const char *text, size_t len);
/** fmpi_recheck_end() - of the value; ready for the next one. Return: is it in doubt? */
bool fmpi_recheck_end(struct fmpi_recheck *d);

/**
 * fmpi_strict_waive() - of a value that libxml2 refuses, though who sent it is no attacker
 * @is_of_range: for its facets of minimum or maximum
 *
 * Return: a sentence; "": it is valid, libxml2 is wrong; NULL: there is no excuse.
 */
const char *fmpi_strict_waive(const struct fmpi_schema_set *s, struct fmpi_type t, bool is_of_range,
			      const char *text);

/** fmpi_strict_is_same() - are two texts one value of that type? libxml2 compares those that are fixed as texts. */
bool fmpi_strict_is_same(const struct fmpi_schema_set *s, struct fmpi_type t, const char *x,
			 const char *y);

/**
 * fmpi_strict_check() - look at the values of a valid payload that are in doubt
 *
 * Return: 0, FMPI_REFUSED, FMP_ERR_NOMEM.
 */
int fmpi_strict_check(const struct fmpi_schema_set *s, const struct fmpi_strict *of,
		      const xmlNode *payload, struct fmp_inspection *v);

#endif
