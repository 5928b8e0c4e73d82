/* SPDX-License-Identifier: GPL-2.0 */
/* Header blocks that the policy names by their qualified names. */
#ifndef FMPI_SOAP_NAMED_HEADER_H
#define FMPI_SOAP_NAMED_HEADER_H

#include "xml/document.h"

/**
 * fmpi_named_header() - the policy's entry for a header block
 * @named: NULL: none
 * @soap_ns: namespace of the envelope
 *
 * A complete name wins over "*". Names are compared as namespace and local part: prefixes do not
 * matter. Blocks for other roles, and those that the gateway reads itself, have no entry.
 * Return: NULL: it has none.
 */
const struct fmp_policy_header *fmpi_named_header(const struct fmp_policy_headers *named,
						  const xmlNode *block, const char *soap_ns);

/** fmpi_named_header_is_understood() - does the service behind understand this block? */
bool fmpi_named_header_is_understood(const struct fmp_policy_headers *named, const xmlNode *block,
				     const char *soap_ns);

#endif
