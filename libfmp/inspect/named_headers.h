/* SPDX-License-Identifier: GPL-2.0 */
/* Header blocks: what the policy demands of those that it names, which are forwarded, and what is observed of them. */
#ifndef FMPI_INSPECT_NAMED_HEADERS_H
#define FMPI_INSPECT_NAMED_HEADERS_H

#include "inspector.h"
#include "verified_signature.h"

struct fmpi_wsdl;

/**
 * fmpi_named_headers_add_bound() - name the blocks of the WSDL's header bindings, unless the policy
 * does; @w: NULL: none. Return: 0, FMP_ERR_NOMEM.
 */
int fmpi_named_headers_add_bound(struct fmp_inspector *i, const struct fmpi_wsdl *w);

/**
 * fmpi_named_headers_check() - are the required blocks there, and those signed that must be?
 * @info: the signature; NULL: this security verifies none
 *
 * Return: 0, FMPI_REFUSED.
 */
int fmpi_named_headers_check(const struct fmp_inspector *i, const struct fmpi_soap *soap,
			     const struct fmpi_signedinfo *info, struct fmp_inspection *v);

/**
 * fmpi_named_headers_is_application() - is it no namespace of blocks that the gateway reads itself? Those stay with it,
 * whatever a binding says.
 */
bool fmpi_named_headers_is_application(const char *ns);

/** fmpi_named_headers_forward_all() - are all signed blocks forwarded, unless named otherwise? */
bool fmpi_named_headers_forward_all(const struct fmp_inspector *i);

/** fmpi_named_headers_select() - the References whose header blocks are forwarded as signed */
uint64_t fmpi_named_headers_select(const struct fmp_inspector *i, const struct fmpi_soap *soap,
				   const struct fmpi_signedinfo *info);

/**
 * fmpi_named_headers_add_unsigned() - add the blocks that are forwarded though nobody signed them
 * @p: out: unsigned_block, and their bytes behind signed_bytes.blocks
 *
 * Return: 0, FMPI_REFUSED, FMP_ERR_NOMEM.
 */
int fmpi_named_headers_add_unsigned(const struct fmp_inspector *i, const struct fmpi_soap *soap,
				    struct fmpi_verified_signature *p, struct fmp_inspection *v);

/** fmpi_named_headers_is_forwarded() - is the block forwarded where no signature is verified? */
bool fmpi_named_headers_is_forwarded(const struct fmp_inspector *i, const struct fmpi_soap *soap,
				     const xmlNode *block);

/** fmpi_named_headers_is_dropped() - does the policy say not to forward this block? */
bool fmpi_named_headers_is_dropped(const struct fmp_inspector *i, const struct fmpi_soap *soap,
				   const xmlNode *block);

/** fmpi_named_headers_has_dropped() - does the message have a block that is not to be forwarded? */
bool fmpi_named_headers_has_dropped(const struct fmp_inspector *i, const struct fmpi_soap *soap);

/** enum fmpi_header_output - which header blocks are forwarded, where no signature is verified */
enum fmpi_header_output {
	FMPI_HEADER_OUTPUT_ALL, /**< all but those that the policy drops */
	FMPI_HEADER_OUTPUT_NAMED, /**< those alone that the policy names */
};

/**
 * fmpi_observe_headers() - add "header={NAMESPACE}LOCAL" for each block of an application
 * @o: NULL: nobody asked, nothing is done
 *
 * ":must" follows for mustUnderstand, ":dropped" for a block that is not forwarded.
 */
void fmpi_observe_headers(struct fmp_observation *o, const struct fmp_inspector *i,
			  const struct fmpi_soap *soap, enum fmpi_header_output output);

/** fmpi_observe_signed_headers() - the same behind a signature; ":signed" for what it covers */
void fmpi_observe_signed_headers(struct fmp_observation *o, const struct fmpi_soap *soap,
				 const struct fmpi_verified_signature *p);

#endif
