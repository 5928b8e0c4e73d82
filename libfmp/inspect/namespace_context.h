/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Namespaces of prefixes in values of a signed part.
 *
 * Exclusive canonicalization omits namespaces that no name uses (exc-c14n 3): a prefix in a text or an
 * xsi:type is bound by the message, signed or not, and in the forwarded bytes to something else or to
 * nothing. A message in which the two differ is refused.
 */
#ifndef FMPI_INSPECT_NAMESPACE_CONTEXT_H
#define FMPI_INSPECT_NAMESPACE_CONTEXT_H

#include "xml/c14n.h"
#include "wss/signedinfo.h"

/** The prefix that the new Envelope of fmpi_output_wrap() declares. */
#define FMPI_NAMESPACE_CONTEXT_PREFIX "env"

/** fmpi_namespace_context_prefixes() - read the InclusiveNamespaces of a Reference */
void fmpi_namespace_context_prefixes(const struct fmpi_signedinfo *info, unsigned reference,
				     struct fmpi_prefixes *out);

/**
 * struct fmpi_namespace_context - a signed part, and what binds its prefixes
 *
 * @top: the part: a Body, or a header block
 * @listed: prefixes whose namespaces are signed wherever they are in scope
 * @soap_ns: the namespace of FMPI_NAMESPACE_CONTEXT_PREFIX around the part
 * @qnames: the schema has types whose values are names
 */
struct fmpi_namespace_context {
	const xmlNode *top;
	struct fmpi_prefixes listed;
	const char *soap_ns;
	bool qnames;
};

/**
 * fmpi_namespace_context_check() - is each prefix in a value bound by what is signed?
 *
 * An xml:lang, xml:base or xml:space above the part is refused too: it applies to the part, but is
 * not forwarded. Return: 0, FMPI_REFUSED, FMP_ERR_NOMEM.
 */
int fmpi_namespace_context_check(const struct fmpi_namespace_context *c, struct fmp_inspection *v);

#endif
