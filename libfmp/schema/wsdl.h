/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A service's WSDL 1.1: the schemas of its types, and which of their elements a Body holds
 * under which action. Bindings of SOAP 1.1 and 1.2, document/literal and rpc/literal.
 */
#ifndef FMPI_SCHEMA_WSDL_H
#define FMPI_SCHEMA_WSDL_H

#include "schema_set.h"

#define FMPI_WSDL_FILES	     256
#define FMPI_WSDL_OPERATIONS 16384
/** Operations and ports that are left out, and said to be; of more the number alone is. */
#define FMPI_WSDL_NOTES	     8

/** struct fmpi_wsdl_name - of an element; local NULL: none */
struct fmpi_wsdl_name {
	char *ns, *local;
	bool empty; /**< nothing at all: the message has no part */
	/* What a wrapper of rpc was made of, while the files are open. */
	const xmlNode *message, *body;
};

struct fmpi_wsdl_operation {
	char *action; /**< "": none */
	char *wsa_action; /**< what wsa:Action says in its place; "": the same */
	struct fmpi_wsdl_name in, out; /**< children of the Body */
	const xmlNode *abstract; /* in the port type, while the files are open */
};

struct fmpi_wsdl {
	struct {
		xmlDoc *doc;
		char *path;
	} file[FMPI_WSDL_FILES];
	struct fmpi_schema_set types;
	struct fmpi_wsdl_operation *operation;
	struct fmp_error *note; /**< what is left out, why and where */
	unsigned n_files, n_operations, room, n_notes;
	unsigned n_left_out; /**< n_notes, and those for which there was no room */
	unsigned n_empty; /**< operations, however many bindings they have, that take an empty Body */
};

/**
 * fmpi_wsdl_read() - with what it imports; the loader must be confined to its folder
 * @folder: real path: nothing above it is read
 * @port: its binding alone is taken, and must be usable; NULL: of all SOAP bindings what is literal
 *
 * At most FMPI_WSDL_FILES files, each once; no URLs. Operations that a gateway can't check (encoded,
 * output only, a raw MIME part) are left out with a note, unless none else is there.
 * Return: 0; FMP_ERR_SCHEMA with file:line in err, FMP_ERR_LIMIT, FMP_ERR_NOMEM.
 */
FMP_MUST_CHECK int fmpi_wsdl_read(const char *path, const char *folder, const char *port,
				  struct fmpi_wsdl **out, struct fmp_error *err);
void fmpi_wsdl_free(struct fmpi_wsdl *w);
/** fmpi_wsdl_close() - its files and schemas go; operations and notes stay. */
void fmpi_wsdl_close(struct fmpi_wsdl *w);

/**
 * fmpi_wsdl_has_element() - is that element what a Body holds that goes with that action?
 * @local: NULL: nothing, the Body is empty; ns is not looked at then
 * @action: not "". One that no operation has is for no empty Body, unless just one operation takes that
 * @answer: of what the service sends
 */
bool fmpi_wsdl_has_element(const struct fmpi_wsdl *w, const char *ns, const char *local,
			   bool answer);
bool fmpi_wsdl_action_matches(const struct fmpi_wsdl *w, const char *ns, const char *local,
			      const char *action);

#endif
