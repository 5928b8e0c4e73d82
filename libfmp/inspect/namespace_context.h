/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The namespaces in which the values of a signed part are read.
 *
 * Exclusive canonicalization leaves out each namespace that no name uses (exc-c14n 3): a prefix inside
 * a text or an xsi:type means in the message what the message declares, signed or not, and in the
 * octets that are forwarded something else or nothing. A message in which the two differ is refused.
 */
#ifndef FMPI_INSPECT_NAMESPACE_CONTEXT_H
#define FMPI_INSPECT_NAMESPACE_CONTEXT_H

#include "xml/c14n.h"
#include "wss/signedinfo.h"

/** The prefix that the new Envelope of fmpi_output_wrap() declares. */
#define FMPI_NAMESPACE_CONTEXT_PREFIX "env"

/** fmpi_namespace_context_prefixes() - the InclusiveNamespaces of a Reference, which the signature covers. */
void fmpi_namespace_context_prefixes(const struct fmpi_signedinfo *info, unsigned reference,
				     struct fmpi_prefixes *out);

/**
 * struct fmpi_namespace_context - of one signed part
 *
 * @top: the part: a Body, or a header block
 * @listed: prefixes whose namespaces are signed wherever they are in scope
 * @soap_ns: what FMPI_NAMESPACE_CONTEXT_PREFIX stands for in front of the part
 * @qnames: the schema has types whose values are names
 */
struct fmpi_namespace_context {
	const xmlNode *top;
	struct fmpi_prefixes listed;
	const char *soap_ns;
	bool qnames;
};

/**
 * fmpi_namespace_context_check() - is each name in a value signed together with what it means?
 *
 * Also refused is an xml:lang, xml:base or xml:space above the part, which holds for it and is not
 * forwarded. Return: 0, FMPI_REFUSED, FMP_ERR_NOMEM.
 */
int fmpi_namespace_context_check(const struct fmpi_namespace_context *c, struct fmp_inspection *v);

#endif
