/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A service's WSDL 1.1: the schemas of its types, and which of their elements a Body holds
 * under which action. Bindings of SOAP 1.1 and 1.2, document/literal and rpc/literal.
 */
#ifndef FMPI_INSPECT_WSDL_H
#define FMPI_INSPECT_WSDL_H

#include <libxml/tree.h>
#include <stdbool.h>

#include <fmp/error.h>

#define FMPI_WSDL_FILES	     16
#define FMPI_WSDL_SCHEMAS    32
#define FMPI_WSDL_OPERATIONS 256

/** struct fmpi_wsdl_schema - one of the types, or the wrappers of rpc in a namespace */
struct fmpi_wsdl_schema {
	xmlDoc *doc;
	char *url; /**< a name beside its file; there is no file of that name */
	const char *file; /**< where it stands */
	unsigned line;
};

/** struct fmpi_wsdl_name - of an element; local NULL: none */
struct fmpi_wsdl_name {
	char *ns, *local;
	bool empty; /**< nothing at all: the message has no part */
	/* What a wrapper of rpc was made of, while the files are open. */
	const xmlNode *message, *body;
};

struct fmpi_wsdl_operation {
	char *action; /**< "": none */
	char *addressed; /**< what wsa:Action says in its place; "": the same */
	struct fmpi_wsdl_name in, out; /**< children of the Body */
	const xmlNode *abstract; /* in the port type, while the files are open */
};

struct fmpi_wsdl {
	struct {
		xmlDoc *doc;
		char *path;
	} file[FMPI_WSDL_FILES];
	struct fmpi_wsdl_schema schema[FMPI_WSDL_SCHEMAS];
	struct fmpi_wsdl_operation operation[FMPI_WSDL_OPERATIONS];
	unsigned n_files, n_schemas, n_operations;
	unsigned n_empty; /**< operations, however many bindings they have, that take an empty Body */
};

/** fmpi_wsdl_is() - is that file a WSDL, going by its root element? */
bool fmpi_wsdl_is(const char *path);

/**
 * fmpi_wsdl_read() - with what it imports; the loader must be confined to its folder
 *
 * At most FMPI_WSDL_FILES files, each once; no URLs. Two schemas of one namespace are refused.
 * Return: 0; FMP_ERR_SCHEMA with file:line in err, FMP_ERR_LIMIT, FMP_ERR_NOMEM.
 */
FMP_MUST_CHECK int fmpi_wsdl_read(const char *path, struct fmpi_wsdl **out, struct fmp_error *err);
void fmpi_wsdl_free(struct fmpi_wsdl *w);
/** fmpi_wsdl_close() - its files and schemas go; operations stay. */
void fmpi_wsdl_close(struct fmpi_wsdl *w);

/**
 * fmpi_wsdl_knows() - is that element what a Body holds that goes with that action?
 * @local: NULL: nothing, the Body is empty; ns is not looked at then
 * @action: not "". One that no operation has is for no empty Body, unless just one operation takes that
 * @answer: of what the service sends
 */
bool fmpi_wsdl_knows(const struct fmpi_wsdl *w, const char *ns, const char *local, bool answer);
bool fmpi_wsdl_goes_with(const struct fmpi_wsdl *w, const char *ns, const char *local,
			 const char *action);

#endif
