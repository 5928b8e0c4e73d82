/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Output as a tree: only what was verified, so that a service may read the tree as it would read the
 * bytes of output.c.
 */
#ifndef FMPI_INSPECT_OUTPUT_TREE_H
#define FMPI_INSPECT_OUTPUT_TREE_H

#include "inspector.h"
#include "verified_signature.h"

/**
 * fmpi_output_tree() - move the tree into the verdict
 * @doc: NULL afterwards
 *
 * Comments are removed and the texts around them joined, as in the signed form.
 * Return: 0 or FMP_ERR_NOMEM; *doc is still the caller's then.
 */
int fmpi_output_tree(xmlDocPtr *doc, const struct fmpi_soap *soap, struct fmp_inspection *v);

/**
 * fmpi_output_tree_signed() - the same, without what the signature does not cover
 *
 * Removes header blocks that are not signed and not named by the policy, those of WS-Addressing that it
 * says not to forward, attributes of Envelope and Header, and namespaces that no name in
 * the tree uses. Exclusive canonicalization leaves those out, so an intermediary could have changed
 * them, and a prefix in a text or an xsi:type would be resolved by them.
 */
int fmpi_output_tree_signed(const struct fmp_inspector *i, xmlDocPtr *doc,
			    const struct fmpi_soap *soap, const struct fmpi_verified_signature *p,
			    struct fmp_inspection *v);

/** fmpi_output_tree_user() - record the user of a verified UsernameToken; NULL: none */
void fmpi_output_tree_user(const xmlNode *username, struct fmp_inspection *v);

#endif
