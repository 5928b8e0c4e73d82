/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Elements of which the schema asks nothing but that they are base64Binary (XML Schema part 2,
 * 3.2.16). Their texts are checked here, several bytes at a time, and libxml2, which takes 13
 * instructions for each byte, validates them as empty, which is as valid.
 */
#ifndef FMPI_SCHEMA_PLAIN_BASE64_H
#define FMPI_SCHEMA_PLAIN_BASE64_H

#include <stddef.h>

#include <libxml/hash.h>
#include <libxml/tree.h>

#include "schema_type.h"

/**
 * fmpi_plain_base64_collect() - the local names of such elements. A name that is also another
 * element's is none. Return: 0, FMP_ERR_NOMEM; *out: NULL: there are none; else xmlHashFree()
 */
FMP_MUST_CHECK int fmpi_plain_base64_collect(const struct fmpi_schema_set *s, xmlHashTable **out);

/**
 * fmpi_plain_base64_is_valid() - is it Base64 without white space? Others may be valid with it:
 * they are left to libxml2.
 */
bool fmpi_plain_base64_is_valid(const char *text, size_t len);

/** struct fmpi_plain_base64 - texts that are hidden; starts zeroed */
struct fmpi_plain_base64 {
	struct fmpi_emptied_text {
		xmlNode *text;
		xmlChar *content;
	} * list;
	size_t n, capacity;
};

/**
 * fmpi_plain_base64_hide() - hide the element's text if it is such an element and the text valid.
 * @names: of fmpi_plain_base64_collect(). Return: 1: hidden; 0: not; FMP_ERR_NOMEM
 */
FMP_MUST_CHECK int fmpi_plain_base64_hide(struct fmpi_plain_base64 *h, xmlHashTable *names,
					  const xmlNode *element);

/** fmpi_plain_base64_show() - put all texts back, and free the list. */
void fmpi_plain_base64_show(struct fmpi_plain_base64 *h);

#endif
