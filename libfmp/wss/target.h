/* SPDX-License-Identifier: GPL-2.0 */
/* Resolving the References of a message's signature to elements, and which targets are accepted. */
#ifndef FMPI_WSS_TARGET_H
#define FMPI_WSS_TARGET_H

#include "wsse.h"

/** fmpi_target_id() - the attribute by which a signature of a message names this element; NULL. */
xmlAttr *fmpi_target_id(const xmlNode *element);

/** fmpi_target_id_of() - its value; NULL: it has none, or there is no element. */
const char *fmpi_target_id_of(const xmlNode *element);

/** fmpi_target_datum() - the EncryptedData of an EncryptedHeader; NULL: it is none. */
xmlNode *fmpi_target_datum(const xmlNode *encrypted);

/**
 * fmpi_target_find() - find the element with this Id that can be verified
 *
 * The Body, parts of our Security header, and all header blocks except Security: signing more than
 * is required is no attack. A Timestamp or token among the header blocks does not count.
 * Return: NULL: there is none.
 */
xmlNode *fmpi_target_find(const char *id, const struct fmpi_wsse *w, const struct fmpi_soap *soap);

/** fmpi_target_is_block() - is it a header block for us? One of WS-Addressing is, whatever its role. */
bool fmpi_target_is_block(const xmlNode *target, const struct fmpi_wsse *w,
			  const struct fmpi_soap *soap);

/**
 * fmpi_target_other() - another element that a Reference with this Id may mean
 *
 * By wsu:Id, xml:id or an Id of the element's own schema. An element that a receiver could take for
 * a required part counts only where its kind belongs; elsewhere it may have been moved (wrapping).
 * Return: NULL: there is none, or more than one.
 */
const xmlNode *fmpi_target_other(const char *id, const struct fmpi_wsse *w,
				 const struct fmpi_soap *soap);

/** fmpi_target_is_part() - is it of a kind that a policy may require to be signed? */
bool fmpi_target_is_part(const xmlNode *n, const struct fmpi_soap *soap);

#endif
