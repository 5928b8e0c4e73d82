/* SPDX-License-Identifier: GPL-2.0 */
/* Private to wsdl*.c: how bindings are read, when all files are. */
#ifndef FMPI_SCHEMA_WSDL_READER_H
#define FMPI_SCHEMA_WSDL_READER_H

#include <libxml/hash.h>

#include "wsdl.h"

/** struct fmpi_wsdl_reader - and what an error is told of: a file and a place in it */
struct fmpi_wsdl_reader {
	struct fmpi_wsdl *w;
	const char *file;
	struct fmp_error *err;
	xmlHashTable *components; /**< by kind, namespace and name: the first */
	xmlHashTable *operations; /**< by namespace and name of the port type, and their own */
	xmlHashTable *wrappers; /**< of rpc, by namespace and name: the operation's direction */
	const xmlNode *binding;
	unsigned n_left_out; /**< of this binding */
	struct fmp_error first; /**< of these */
};

/** struct fmpi_wsdl_qname - a QName in an attribute: points into the tree */
struct fmpi_wsdl_qname {
	const char *ns, *local;
};

/* ---- wsdl_ports.c ---- */

/** fmpi_wsdl_read_bindings() - when all files are read. @port: NULL: all. Return: 0, FMP_ERR_*. */
FMP_MUST_CHECK int fmpi_wsdl_read_bindings(struct fmpi_wsdl *w, const char *port,
					   struct fmp_error *err);

/** fmpi_wsdl_fail() - Return: FMP_ERR_SCHEMA. */
int fmpi_wsdl_fail(const struct fmpi_wsdl_reader *r, const xmlNode *at, const char *what,
		   const char *name);
int fmpi_wsdl_no_memory(const struct fmpi_wsdl_reader *r);
/** fmpi_wsdl_file_of() - what a binding speaks of may stand in another file. */
const char *fmpi_wsdl_file_of(const struct fmpi_wsdl_reader *r, const xmlNode *n);
bool fmpi_wsdl_qname(const xmlNode *n, const char *attribute, struct fmpi_wsdl_qname *out);
/** fmpi_wsdl_find() - a component of WSDL by its name, in whatever file it stands. */
const xmlNode *fmpi_wsdl_find(const struct fmpi_wsdl_reader *r, const char *kind,
			      const struct fmpi_wsdl_qname *name);
/** fmpi_wsdl_find_operation() - the first of that name in the port type. */
const xmlNode *fmpi_wsdl_find_operation(const struct fmpi_wsdl_reader *r, const xmlNode *port,
					const char *name);
const xmlNode *fmpi_wsdl_child(const xmlNode *parent, const char *ns, const char *local);
/** fmpi_wsdl_soap() - an extension of SOAP 1.1 or 1.2. */
const xmlNode *fmpi_wsdl_soap(const xmlNode *parent, const char *local);

/* ---- wsdl_parts.c ---- */

/** fmpi_wsdl_soap_body() - soap:body, or that of the root part of a MIME message (WSDL 1.1 5.11). */
const xmlNode *fmpi_wsdl_soap_body(const xmlNode *bound);
/** fmpi_wsdl_part_from() - from n on, the next part of a message that stands in the Body. */
const xmlNode *fmpi_wsdl_part_from(const struct fmpi_wsdl_reader *r, const xmlNode *n,
				   const xmlNode *body);
/**
 * fmpi_wsdl_read_direction() - one of an operation, as the binding and as the port type have it
 * @rpc_name: of the wrapper; NULL: document style
 */
int fmpi_wsdl_read_direction(const struct fmpi_wsdl_reader *r, const xmlNode *bound,
			     const xmlNode *abstract, const char *rpc_name,
			     struct fmpi_wsdl_name *out);

/* ---- wsdl_operation.c ---- */

int fmpi_wsdl_read_binding(struct fmpi_wsdl_reader *r, const xmlNode *b);

#endif
