/* SPDX-License-Identifier: GPL-2.0 */
/* What of a schema decides how much of a message must be checked, and how often. */
#ifndef FMPI_SCHEMA_SCHEMA_FEATURES_H
#define FMPI_SCHEMA_SCHEMA_FEATURES_H

#include "schema_set.h"

/**
 * struct fmpi_schema_features - what the documents of a schema contain
 *
 * @patterns: a pattern
 * @lengths: a maximum length
 * @ids: a type derived from xs:ID
 * @qnames: a type derived from xs:QName or xs:NOTATION
 */
struct fmpi_schema_features {
	bool patterns, lengths, ids, qnames;
};

/** fmpi_schema_features_find() - look at all documents of a complete set. */
struct fmpi_schema_features fmpi_schema_features_find(const struct fmpi_schema_set *s);

#endif
