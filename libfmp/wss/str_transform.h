/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The STR-Transform of WS-Security 1.1, 8.3: a Reference names a SecurityTokenReference, and what is
 * digested is the token that it refers to.
 */
#ifndef FMPI_WSS_STR_TRANSFORM_H
#define FMPI_WSS_STR_TRANSFORM_H

#include "signedinfo.h"
#include "xml/c14n.h"

/** fmpi_str_is_transform() - is this Transform an STR-Transform? */
bool fmpi_str_is_transform(const xmlNode *transform);

/**
 * fmpi_str_method() - the CanonicalizationMethod among its TransformationParameters
 *
 * Return: NULL: there is none, or more than that.
 */
const xmlNode *fmpi_str_method(const xmlNode *transform);

/**
 * fmpi_str_resolve() - find what a Reference with an STR-Transform signs
 * @id: that it names
 * @str: out: the SecurityTokenReference: of this Signature's KeyInfo, or a child of the Security header
 *
 * A token that is only named, not in the header, must be the signer's certificate: the target is the
 * SecurityTokenReference then. Return: NULL: there is no such reference, or it is to anything else.
 */
xmlNode *fmpi_str_resolve(const char *id, const struct fmpi_wsse *w, xmlNode **str);

/** fmpi_str_kind() - what a SecurityTokenReference that does not resolve is: unsupported, or wrapping */
enum fmp_event_kind fmpi_str_kind(const xmlNode *str, const struct fmpi_wsse *w);

/**
 * fmpi_str_canonicalize() - append the canonical form of what is signed
 * @str: from fmpi_str_resolve()
 * @target: likewise
 * @signer: the signer's certificate, for a target that is only named
 * @plain: exclusive canonicalization as it is, as some signers do, in place of that of 8.3, which
 *	   declares the default namespace at the apex whether there is one or not
 *
 * Return: as fmpi_c14n_exclusive(), and FMP_ERR_UNSUPPORTED where a certificate is needed and not given.
 */
int fmpi_str_canonicalize(const xmlNode *str, const xmlNode *target,
			  const struct fmpi_der_certificate *signer,
			  const struct fmpi_prefixes *prefixes, bool plain, size_t *budget,
			  struct fmpi_buffer *out);

#endif
