/* SPDX-License-Identifier: GPL-2.0 */
/* What a WSDL demands of messages, as far as a policy can say it. */
#ifndef FMPI_DESCRIBE_NEEDS_H
#define FMPI_DESCRIBE_NEEDS_H

#include <libxml/tree.h>
#include <stdbool.h>

#define FMPI_NEEDS_HEADERS 24 /* as many as <headers> may name */

/** struct fmpi_needs - starts zeroed; names point into the trees */
struct fmpi_needs {
	bool is_signed, is_encrypted, is_symmetric, transport, username, password_digest, saml,
		other_token, addressing, attachments, one_way, sign_all_headers;
	struct {
		const char *ns, *local;
	} header[FMPI_NEEDS_HEADERS];
	unsigned n_headers;
};

/**
 * fmpi_needs_of_policies() - read the WS-Policy assertions of a document, wherever they are attached
 *
 * All of a document count for all of its ports: a policy that demands too much is noticed at the
 * first message, one that demands too little never.
 */
void fmpi_needs_of_policies(const xmlDoc *doc, struct fmpi_needs *out);
/** fmpi_needs_of_binding() - header bindings, MIME and one-way operations of a wsdl:binding. */
void fmpi_needs_of_binding(const xmlNode *binding, const xmlDoc *const *trees, unsigned n,
			   struct fmpi_needs *out);

#endif
