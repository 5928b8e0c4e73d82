/* SPDX-License-Identifier: GPL-2.0 */
/* Building XML trees. Errors are sticky: the caller checks `failed` once, at the end. */
#ifndef FMPI_SECURE_BUILD_H
#define FMPI_SECURE_BUILD_H

#include <libxml/tree.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Bytes of an Id, its NUL included. */
#define FMPI_ID 32

/** struct fmpi_build - starts with its namespaces as NULL */
struct fmpi_build {
	bool failed; /**< there was no memory */
	xmlNode *security;
	/** declared on security, for it and what is inside */
	xmlNs *wsse, *wsu, *wsse11, *ds, *xenc, *xenc11;
};

/** fmpi_build_element() - the last child of parent; text NULL: empty. Return: NULL without memory. */
xmlNode *fmpi_build_element(struct fmpi_build *b, xmlNode *parent, xmlNs *ns, const char *name,
			    const char *text);
/** fmpi_build_base64() - the same, of bytes. */
xmlNode *fmpi_build_base64(struct fmpi_build *b, xmlNode *parent, xmlNs *ns, const char *name,
			   const void *bytes, size_t len);
/** fmpi_build_attribute() - ns NULL: one without. */
void fmpi_build_attribute(struct fmpi_build *b, xmlNode *element, xmlNs *ns, const char *name,
			  const char *value);

/** fmpi_build_prefix() - a namespace with a prefix, for use on element; declared there if need be. */
xmlNs *fmpi_build_prefix(struct fmpi_build *b, xmlNode *element, const char *uri,
			 const char *prefix);

/**
 * fmpi_build_id() - set a random, unique wsu:Id
 * @id: out
 *
 * An existing wsu:Id is replaced.
 */
void fmpi_build_id(struct fmpi_build *b, xmlNode *element, char id[FMPI_ID]);
/** fmpi_build_name() - make such an Id without setting it */
void fmpi_build_name(struct fmpi_build *b, char id[FMPI_ID]);

/** fmpi_build_reference() - wsse:SecurityTokenReference to an Id, in a new ds:KeyInfo. */
void fmpi_build_reference(struct fmpi_build *b, xmlNode *parent, const char *id,
			  const char *value_type, const char *token_type);

#endif
