/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Addressee of a header block (SOAP 1.1, 4.2.2: actor; SOAP 1.2, 2.2 and 5.2.2: role). The gateway
 * acts as the ultimate receiver and as the next node.
 */
#ifndef FMPI_SOAP_ROLE_H
#define FMPI_SOAP_ROLE_H

#include "xml/document.h"

/** struct fmpi_role - a URI without white space around it; points into the tree */
struct fmpi_role {
	const char *uri; /**< not terminated */
	size_t len;
};

/**
 * fmpi_role_of() - is the block addressed to another node?
 * @soap_ns: namespace of the envelope: the attribute of the other version is ignored
 * @out: the role, if so; never empty
 *
 * A role that some reader may take for ours counts as ours: an empty one, one with white space
 * around it.
 */
bool fmpi_role_of(const xmlNode *block, const char *soap_ns, struct fmpi_role *out);

#endif
