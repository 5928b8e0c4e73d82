/* SPDX-License-Identifier: GPL-2.0 */
/* References of a message to its attachments: xop:Include (XOP 1.0) and cid: URLs (SwA). */
#ifndef FMPI_SOAP_XOP_H
#define FMPI_SOAP_XOP_H

#include "schema/schema.h"

/**
 * fmpi_xop_resolve() - put the Base64 of its part in the place of each xop:Include
 *
 * So all later stages see the message that the sender optimized: schema, signatures, content rules.
 * An xop:Include is the only child of its element, has an href and nothing else, and names a part
 * that no other one names: so all of them are no longer than the parts that came. Counts the
 * references to each part, and refuses parts without one as struct fmp_attachments says.
 * @doc: of either parser
 *
 * Return: 0, FMPI_REFUSED, FMP_ERR_NOMEM.
 */
int fmpi_xop_resolve(xmlDocPtr doc, struct fmp_attachments *a, struct fmp_inspection *v);

/**
 * fmpi_xop_resolve_again() - the same for the document with decrypted text in place of EncryptedData
 *
 * A part whose bytes were cipher text is not forwarded. Return: as fmpi_xop_resolve().
 */
int fmpi_xop_resolve_again(xmlDocPtr doc, struct fmp_attachments *a, struct fmp_inspection *v);

/**
 * fmpi_xop_check_strays() - refuse an xop:Include where none was resolved: the message is not of XOP
 *
 * A service that resolves it all the same fetches what its href names (CVE-2022-46364). One that names a
 * part of a message of SOAP with Attachments passes.
 * @top: the Header, the Body, or NULL
 * @a: NULL: no attachments
 *
 * Return: 0, FMPI_REFUSED.
 */
int fmpi_xop_check_strays(const xmlNode *top, struct fmp_attachments *a, struct fmp_inspection *v);

/**
 * fmpi_xop_check_types() - refuse an xop:Include in an element that the schema knows and that is not
 * of type base64Binary
 *
 * A receiver takes the bytes themselves for the value there, and content rules saw their Base64.
 * Return: 0, FMPI_REFUSED.
 */
int fmpi_xop_check_types(const struct fmp_attachments *a, const struct fmpi_schema *s,
			 const xmlNode *payload, struct fmp_inspection *v);

/**
 * fmpi_xop_needs_parts() - do the parts, which are still to come, have to be there to evaluate the
 * message? @s: NULL: no schema
 */
bool fmpi_xop_needs_parts(const struct fmp_attachments *a, const struct fmpi_schema *s,
			  const xmlNode *payload, bool content_rules);

/** fmpi_xop_find_part() - the part that a cid: URL names. Return: NULL: none. */
struct fmp_attachment *fmpi_xop_find_part(struct fmp_attachments *a, const char *url);

/** fmpi_xop_has_include() - may the text hold an xop:Include? Cheap; true for its namespace. */
bool fmpi_xop_has_include(const void *text, size_t len);

#endif
