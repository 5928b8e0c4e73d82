/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Recheck of values that libxml2 2.9.14 accepts and XSD 1.0 does not: "1e" as a float, "PT1.S" as a
 * duration, NaN in any range, times without a zone in a range with one, an empty NMTOKENS,
 * duplicate IDs of elements, an IDREF without an ID, other characters inside base64Binary. Runs
 * behind libxml2, which has found everything else valid.
 */
#ifndef FMPI_SCHEMA_SCHEMA_STRICT_H
#define FMPI_SCHEMA_SCHEMA_STRICT_H

#include <libxml/hash.h>

#include "verdict/refuse.h"
#include "schema_type.h"

/** struct fmpi_strict - what in a schema makes a recheck necessary */
struct fmpi_strict {
	bool has_ranges; /**< ranges of dates or times */
	bool has_lists; /**< built-in lists, which must not be empty */
	bool has_keys; /**< xs:unique, xs:key or xs:keyref */
	/**
	 * Local names of elements and attributes of types xs:ID and xs:IDREF; NULL: libxml2 checks
	 * all of them.
	 */
	xmlHashTable *ids;
	/** Local names of elements and attributes of type xs:base64Binary; NULL: none. */
	xmlHashTable *base64;
	/** Local names of elements that need be nothing but base64Binary (plain_base64.h); NULL: none. */
	xmlHashTable *plain_base64;
};

/** fmpi_strict_collect() - fill it from a complete set. Return: 0, FMP_ERR_NOMEM. */
FMP_MUST_CHECK int fmpi_strict_collect(const struct fmpi_schema_set *s, struct fmpi_strict *out);
void fmpi_strict_clear(struct fmpi_strict *s);
/** fmpi_strict_is_id() - may an element or attribute of that local name have such a type? */
bool fmpi_strict_is_id(const struct fmpi_strict *s, const xmlChar *local);

/**
 * fmpi_strict_is_base64() - may an element or attribute of that local name be of base64Binary?
 *
 * Inline: it is asked of each one, and most schemas have no such type.
 */
static inline bool fmpi_strict_is_base64(const struct fmpi_strict *s, const xmlChar *local)
{
	return s->base64 && xmlHashLookup(s->base64, local);
}
/** fmpi_strict_is_stray_value() - has an element or attribute that may be of base64Binary such text? */
bool fmpi_strict_is_stray_value(const struct fmpi_strict *s, const xmlNode *value);

/* ---- schema_value.c ---- */

/** fmpi_strict_is_list() - is it a built-in list type, which must not be empty? */
bool fmpi_strict_is_list(const char *type);
/**
 * fmpi_strict_has_strays() - does a text have characters that are not of Base64? libxml2 skips
 * them, so that "urn:x" is a value of base64Binary.
 */
bool fmpi_strict_has_strays(const char *text, size_t len);
/** fmpi_strict_is_range() - is it a facet of a minimum or maximum? */
bool fmpi_strict_is_range(const xmlNode *facet);
/**
 * fmpi_strict_accepts() - does the type accept the text? Checks only what libxml2 does not. @text:
 * without white space around it
 */
bool fmpi_strict_accepts(const struct fmpi_schema_set *s, struct fmpi_type t, const char *text,
			 size_t len);

/**
 * struct fmpi_recheck - scans a value in pieces: must it be rechecked? Starts zeroed except for
 * strict
 */
struct fmpi_recheck {
	const struct fmpi_strict *strict;
	bool is_found; /**< it must be rechecked */
	bool is_text; /**< it starts like no number, time or duration: not scanned further */
	bool has_word; /**< it is not blank */
	char first, before, last; /**< characters of the current word; first 0: none */
};

/** fmpi_recheck_is_text() - no value that starts with this character needs a recheck */
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

/**
 * fmpi_recheck_is_needless() - a whole value that need not be scanned, like most: text, or only
 * digits and points
 */
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
/** fmpi_recheck_end() - end a value; ready for the next one. Return: must it be rechecked? */
bool fmpi_recheck_end(struct fmpi_recheck *d);

/**
 * fmpi_strict_waive() - an error of libxml2 about a value: is the value valid, or invalid without
 * being an attack?
 * @is_of_range: the error is about a minimum or maximum
 *
 * Return: "": valid, libxml2 is wrong; a sentence: what is wrong without being an attack; NULL:
 * neither.
 */
const char *fmpi_strict_waive(const struct fmpi_schema_set *s, struct fmpi_type t, bool is_of_range,
			      const char *text);

/**
 * fmpi_strict_is_same() - are two texts the same value of that type? libxml2 compares fixed values
 * as text.
 */
bool fmpi_strict_is_same(const struct fmpi_schema_set *s, struct fmpi_type t, const char *x,
			 const char *y);

/**
 * fmpi_strict_check() - recheck the values of a payload that libxml2 has found valid
 *
 * Return: 0, FMPI_REFUSED, FMP_ERR_NOMEM.
 */
int fmpi_strict_check(const struct fmpi_schema_set *s, const struct fmpi_strict *of,
		      const xmlNode *payload, struct fmp_inspection *v);

#endif
