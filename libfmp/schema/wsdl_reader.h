/* SPDX-License-Identifier: GPL-2.0 */
/* Private to wsdl*.c: reads the bindings once all files are parsed. */
#ifndef FMPI_SCHEMA_WSDL_READER_H
#define FMPI_SCHEMA_WSDL_READER_H

#include <libxml/hash.h>

#include "wsdl.h"

/** struct fmpi_wsdl_reader - state of the reader; file and err are for messages */
struct fmpi_wsdl_reader {
	struct fmpi_wsdl *w;
	const char *file;
	struct fmp_error *err;
	xmlHashTable *components; /**< by kind, namespace and name: the first one */
	xmlHashTable *operations; /**< by namespace and name of the port type, and their own name */
	xmlHashTable *
		wrappers; /**< rpc wrappers by namespace and name: index of the operation's direction */
	const xmlNode *binding;
	unsigned n_left_out; /**< operations of this binding */
	struct fmp_error first; /**< note about the first of these */
};

/** struct fmpi_wsdl_qname - a resolved QName; points into the tree */
struct fmpi_wsdl_qname {
	const char *ns, *local;
};

/* ---- wsdl_find.c ---- */

/** fmpi_wsdl_add_components() - add the components of a file; the first one of a name counts. */
void fmpi_wsdl_add_components(struct fmpi_wsdl_reader *r, const xmlNode *root);
/** fmpi_wsdl_fail() - set an error at a node. Return: FMP_ERR_SCHEMA. */
int fmpi_wsdl_fail(const struct fmpi_wsdl_reader *r, const xmlNode *at, const char *what,
		   const char *name);
int fmpi_wsdl_no_memory(const struct fmpi_wsdl_reader *r);
/**
 * fmpi_wsdl_file_of() - path of the file that contains the node; it may differ from the binding's.
 */
const char *fmpi_wsdl_file_of(const struct fmpi_wsdl_reader *r, const xmlNode *n);
bool fmpi_wsdl_qname(const xmlNode *n, const char *attribute, struct fmpi_wsdl_qname *out);
/** fmpi_wsdl_find() - find a WSDL component by name, in any file. */
const xmlNode *fmpi_wsdl_find(const struct fmpi_wsdl_reader *r, const char *kind,
			      const struct fmpi_wsdl_qname *name);
/** fmpi_wsdl_find_operation() - the first operation of that name in the port type. */
const xmlNode *fmpi_wsdl_find_operation(const struct fmpi_wsdl_reader *r, const xmlNode *port,
					const char *name);
const xmlNode *fmpi_wsdl_child(const xmlNode *parent, const char *ns, const char *local);
/** fmpi_wsdl_soap() - child element of the SOAP 1.1 or 1.2 binding extension. */
const xmlNode *fmpi_wsdl_soap(const xmlNode *parent, const char *local);

/* ---- wsdl_parts.c ---- */

/**
 * fmpi_wsdl_soap_body() - soap:body, or that of the root part of a MIME message (WSDL 1.1 5.11).
 */
const xmlNode *fmpi_wsdl_soap_body(const xmlNode *bound);
/**
 * fmpi_wsdl_is_empty() - is the Body empty on purpose: no parts, all elsewhere, or an empty list?
 */
bool fmpi_wsdl_is_empty(const struct fmpi_wsdl_reader *r, const xmlNode *message,
			const xmlNode *body);
/** fmpi_wsdl_part_from() - from n on, the next part of a message that is in the Body. */
const xmlNode *fmpi_wsdl_part_from(const struct fmpi_wsdl_reader *r, const xmlNode *n,
				   const xmlNode *body);
/**
 * fmpi_wsdl_read_direction() - read the input or output of an operation, from binding and port type
 * @rpc_name: name of the wrapper; NULL: document style
 */
int fmpi_wsdl_read_direction(const struct fmpi_wsdl_reader *r, const xmlNode *bound,
			     const xmlNode *abstract, const char *rpc_name,
			     struct fmpi_wsdl_name *out);

/** fmpi_wsdl_read_headers() - add the header blocks that the input or output of an operation binds. */
int fmpi_wsdl_read_headers(const struct fmpi_wsdl_reader *r, const xmlNode *bound);

/* ---- wsdl_operation.c ---- */

int fmpi_wsdl_read_binding(struct fmpi_wsdl_reader *r, const xmlNode *b);

/* ---- wsdl_ports.c ---- */

/**
 * fmpi_wsdl_read_bindings() - read the bindings once all files are parsed. @port: NULL: all.
 * Return: 0, FMP_ERR_*.
 */
FMP_MUST_CHECK int fmpi_wsdl_read_bindings(struct fmpi_wsdl *w, const char *port,
					   struct fmp_error *err);

#endif
