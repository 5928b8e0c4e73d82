/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A WSDL with its imports, prepared for clients: locations of imports and addresses of ports are
 * left open, and filled in with the URL by which a client sees the service. It is read once, and
 * answered without any XML library.
 */
#ifndef FMP_DESCRIPTION_H
#define FMP_DESCRIPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fmp/error.h>

#define FMP_DESCRIPTION_BYTES	  (16u << 20) /**< of all documents of one WSDL */
#define FMP_DESCRIPTION_DOCUMENTS 512u

struct fmp_description;

/** struct fmp_description_source - what is read, as for fmp_inspector_new() */
struct fmp_description_source {
	const char *path;
	const char *port; /**< offer only this port; "": all SOAP ports */
	bool literal; /**< leave out ports of an encoded binding, which a gateway that validates refuses */
	const char *catalog; /**< XML catalog for its imports; NULL: none */
	const char *folder; /**< imports may be files *.xsd and *.wsdl below it, too; NULL: none */
};

/**
 * fmp_description_load() - read a WSDL, and the files that it imports
 *
 * Ports that are not offered are removed: their addresses are internal ones, and their messages
 * would be refused. An import that is no WSDL or XML Schema in these places keeps its location, but a
 * local one of a built-in document, which is offered.
 * Return: 0, with *out NULL if the file is an XML Schema; FMP_ERR_IO, FMP_ERR_SCHEMA,
 * FMP_ERR_LIMIT, FMP_ERR_NOMEM.
 */
FMP_MUST_CHECK int fmp_description_load(const struct fmp_description_source *source,
					struct fmp_description **out, struct fmp_error *err);
void fmp_description_free(struct fmp_description *d);

/**
 * fmp_description_find() - a document by the name in a query
 * @schema: the query was xsd=, not wsdl=
 * @name: a number that stands in the documents, or a file's path below the WSDL's folder; compared only
 *
 * Return: its index; 0 for the WSDL itself (n is 0); -1: none.
 */
int fmp_description_find(const struct fmp_description *d, bool schema, const char *name, size_t n);
/** fmp_description_size() - bytes of a document with this URL. */
size_t fmp_description_size(const struct fmp_description *d, unsigned i, const char *url);
/** fmp_description_write() - write it. @out: of fmp_description_size() bytes */
void fmp_description_write(const struct fmp_description *d, unsigned i, const char *url, char *out);
/** fmp_description_tag() - differs for other contents and for another URL. */
uint64_t fmp_description_tag(const struct fmp_description *d, unsigned i, const char *url);

#endif
