/* SPDX-License-Identifier: GPL-2.0 */
/*
 * For whom a header block is (SOAP 1.1, 4.2.2: actor; SOAP 1.2, 2.2 and 5.2.2: role). We are the
 * ultimate receiver, and the next one on the way.
 */
#ifndef FMPI_SOAP_ROLE_H
#define FMPI_SOAP_ROLE_H

#include "xml/document.h"

/** struct fmpi_role - a URI without the white space around it; inside the tree */
struct fmpi_role {
	const char *uri; /**< not ended by NUL */
	size_t len;
};

/**
 * fmpi_role_of() - is the block for somebody else?
 * @soap_ns: of the envelope: the other version's attribute says nothing here
 * @out: if it is, for whom; it is never empty
 *
 * What one reader may take for ours is ours: an empty one, one with white space around it.
 */
bool fmpi_role_of(const xmlNode *block, const char *soap_ns, struct fmpi_role *out);

#endif
