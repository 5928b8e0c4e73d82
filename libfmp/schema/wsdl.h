/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A service's WSDL 1.1: the schemas of its types, and the elements that a Body may hold under each
 * action. Supports bindings of SOAP 1.1 and 1.2, document/literal and rpc/literal.
 */
#ifndef FMPI_SCHEMA_WSDL_H
#define FMPI_SCHEMA_WSDL_H

#include "schema_set.h"

#define FMPI_WSDL_FILES	     256
#define FMPI_WSDL_OPERATIONS 16384
/** Maximum notes about operations that are left out; of more only the number is reported. */
#define FMPI_WSDL_NOTES	     8
/** Maximum header blocks that bindings name; further ones are as those that no binding names. */
#define FMPI_WSDL_HEADERS    24

/** struct fmpi_wsdl_name - name of an element; local NULL: none */
struct fmpi_wsdl_name {
	char *ns, *local;
	bool empty; /**< the Body is empty: the message has no part */
	/* Origin of an rpc wrapper, while the files are open. */
	const xmlNode *message, *body;
};

struct fmpi_wsdl_operation {
	char *action; /**< "": none */
	char *wsa_action; /**< value of wsa:Action; "": the same as action */
	struct fmpi_wsdl_name in, out; /**< child of the Body; none: it is left out */
	const xmlNode *abstract; /* in the port type, while the files are open */
};

struct fmpi_wsdl {
	struct {
		xmlDoc *doc;
		char *path;
	} file[FMPI_WSDL_FILES];
	struct fmpi_schema_set types;
	struct fmpi_wsdl_operation *operation;
	/** header blocks of the bindings, each once */
	struct fmpi_wsdl_name header[FMPI_WSDL_HEADERS];
	unsigned n_headers;
	struct fmp_error *note; /**< what is left out, why and where */
	unsigned n_files, n_operations, capacity, n_notes;
	unsigned n_unusable; /**< operations that are left out: only their actions are known */
	unsigned n_left_out; /**< n_notes, and those beyond FMPI_WSDL_NOTES */
	unsigned n_empty; /**< operations with an empty Body, each counted once for all its bindings */
};

/**
 * fmpi_wsdl_read() - read a WSDL and its imports; the entity loader must be confined to its folder
 * @places: no file outside of them is read
 * @port: read only the binding of this port, which must be usable; NULL: all literal SOAP bindings
 *
 * Reads at most FMPI_WSDL_FILES files, each once; no URLs. Operations that a gateway can't check
 * (encoded, output only, a raw MIME part), or whose port type or message is not there, are left out
 * with a note, unless no operation remains.
 * Return: 0; FMP_ERR_SCHEMA with file:line in err, FMP_ERR_LIMIT, FMP_ERR_NOMEM.
 */
FMP_MUST_CHECK int fmpi_wsdl_read(const char *path, const struct fmpi_schema_places *places,
				  const char *port, struct fmpi_wsdl **out, struct fmp_error *err);
void fmpi_wsdl_free(struct fmpi_wsdl *w);
/** fmpi_wsdl_close() - free files and schemas; operations and notes remain. */
void fmpi_wsdl_close(struct fmpi_wsdl *w);

/**
 * fmpi_wsdl_has_element() - may a Body hold this element?
 * @local: NULL: the Body is empty; ns is ignored
 * @answer: a message of the service
 */
bool fmpi_wsdl_has_element(const struct fmpi_wsdl *w, const char *ns, const char *local,
			   bool answer);
/**
 * fmpi_wsdl_action_matches() - does the element belong to an operation with that action?
 * @local: NULL: the Body is empty; ns is ignored
 * @action: not ""
 *
 * An operation without an action takes any action that no other operation has; with an empty Body
 * only if just one operation takes an empty Body.
 */
bool fmpi_wsdl_action_matches(const struct fmpi_wsdl *w, const char *ns, const char *local,
			      const char *action);

#endif
