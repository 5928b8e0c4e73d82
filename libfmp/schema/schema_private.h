/* SPDX-License-Identifier: GPL-2.0 */
/* Private to schema.c, which validates, and schema_load.c, which compiles. */
#ifndef FMPI_SCHEMA_SCHEMA_PRIVATE_H
#define FMPI_SCHEMA_SCHEMA_PRIVATE_H

#include "schema.h"
#include "schema_set.h"
#include "schema_strict.h"

/*
 * libxml2 tries all patterns of a type even on a text that is too long for the type. So messages
 * with long texts must first be valid without patterns.
 */
struct fmpi_schema {
	xmlSchemaPtr compiled;
	xmlSchemaPtr
		no_patterns; /* compiled without patterns; NULL: no patterns, or no maximum lengths */
	struct fmpi_wsdl *wsdl; /* NULL: it is an XSD */
	struct fmpi_schema_set set; /* its documents, for checks that libxml2 can't do */
	struct fmpi_strict strict; /* for values that libxml2 wrongly accepts */
	bool has_unreadable; /* libxml2 rejects all values of some types */
	bool ids; /* some type derives from xs:ID */
	bool qnames; /* ... from xs:QName or xs:NOTATION */
};

#endif
