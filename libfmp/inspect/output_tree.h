/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What is handed on as a tree: what was verified and nothing else, so that a service may
 * read it as it would read the bytes of output.c.
 */
#ifndef FMPI_INSPECT_OUTPUT_TREE_H
#define FMPI_INSPECT_OUTPUT_TREE_H

#include "wss/signedinfo.h"
#include "x509/trust.h"

/**
 * fmpi_output_tree() - the tree becomes the verdict's
 * @doc: NULL afterwards
 *
 * Comments are taken out: text on both sides of one becomes one text, as in what was signed.
 * Return: 0 or FMP_ERR_NOMEM; *doc is still the caller's then.
 */
int fmpi_output_tree(xmlDocPtr *doc, const struct fmpi_soap *soap, struct fmp_inspection *v);

/**
 * fmpi_output_tree_signed() - as above, but without what the signature does not vouch for
 *
 * Gone are header blocks that were not signed, attributes of Envelope and Header, and
 * namespaces that no name in the tree uses: exclusive canonicalization leaves them out,
 * whoever sent the message on could have changed them, and a prefix in a text or in an
 * xsi:type would be read in them.
 */
int fmpi_output_tree_signed(xmlDocPtr *doc, const struct fmpi_soap *soap,
			    const struct fmpi_signedinfo *info, const struct fmpi_wsse *sec,
			    const struct fmpi_signer *who, struct fmp_inspection *v);

/** fmpi_output_tree_user() - who a UsernameToken was of that was good; NULL: there was none. */
void fmpi_output_tree_user(const xmlNode *username, struct fmp_inspection *v);

#endif
