/* SPDX-License-Identifier: GPL-2.0 */
/* Private to schema.c, which validates, and schema_load.c, which compiles. */
#ifndef FMPI_SCHEMA_SCHEMA_PRIVATE_H
#define FMPI_SCHEMA_SCHEMA_PRIVATE_H

#include "schema.h"
#include "schema_set.h"
#include "schema_strict.h"

/*
 * libxml2 tries all patterns of a type on a text even if that is too long for the type. So
 * messages with long texts must be valid without any pattern first.
 */
struct fmpi_schema {
	xmlSchemaPtr compiled;
	xmlSchemaPtr no_patterns; /* without patterns; NULL: has none, or no largest lengths */
	struct fmpi_wsdl *wsdl; /* NULL: an XSD */
	struct fmpi_schema_set set; /* what it was compiled of, for what libxml2 can't check */
	struct fmpi_strict strict; /* what libxml2 takes, though it is not valid */
	bool has_unreadable; /* of some types libxml2 takes no value at all */
	bool ids; /* some type in it is xs:ID */
	bool qnames; /* ... is xs:QName or xs:NOTATION */
};

#endif
