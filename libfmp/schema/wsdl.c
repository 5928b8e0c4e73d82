// SPDX-License-Identifier: GPL-2.0
/* Reads the files and types of a WSDL, and looks up elements and actions. */
#include "wsdl.h"

#include <errno.h>
#include <libxml/parser.h>
#include <stdlib.h>
#include <string.h>

#include "xml/document.h"
#include "xml/names.h"
#include "schema_builtin.h"
#include "schema_unread.h"
#include "wsdl_reader.h"

static bool has_file(const struct fmpi_wsdl *w, const char *real)
{
	for (unsigned i = 0; i < w->n_files; i++)
		if (strcmp(w->file[i].path, real) == 0)
			return true;
	return false;
}

/* An import of a WSDL; the first file has none. */
struct import_site {
	struct fmpi_wsdl *w;
	const char *from;
	const xmlNode *n; /* NULL: the first file */
	struct fmp_error *err;
};

#define FAIL(a, ...)                                                                         \
	fmp_error_at((a)->err, FMP_ERR_SCHEMA, (a)->from, (a)->n ? fmpi_line((a)->n) : 0, 0, \
		     __VA_ARGS__)

/* Keep a parsed file. Both are freed on failure. */
static int keep_file(const struct import_site *a, const char *location, xmlDoc *doc, char *path)
{
	const xmlNode *root = xmlDocGetRootElement(doc);
	struct fmpi_wsdl *w = a->w;
	int ret = 0;

	if (!path)
		ret = fmp_error_set(a->err, FMP_ERR_NOMEM, "no memory");
	else if (w->n_files == FMPI_WSDL_FILES)
		ret = fmp_error_at(a->err, FMP_ERR_LIMIT, a->from, a->n ? fmpi_line(a->n) : 0, 0,
				   "more than %d files", FMPI_WSDL_FILES);
	else if (!fmpi_is(root, NS_WSDL, "definitions"))
		ret = FAIL(a, "imports %s: that is no WSDL 1.1, its root element is %.60s%s",
			   location, (const char *)root->name,
			   fmpi_is(root, NS_XSD, "schema")
				   ? "; a schema is imported by xs:import in types"
				   : "");
	if (ret) {
		xmlFreeDoc(doc);
		free(path);
		return ret;
	}
	w->file[w->n_files].doc = doc;
	w->file[w->n_files++].path = path;
	return 0;
}

/* @real: freed, or kept */
static int add_file(const struct import_site *a, const char *location, char *real)
{
	char *kept;
	xmlDoc *doc;
	int ret;

	if (has_file(a->w, real)) {
		free(real);
		return 0;
	}
	fmpi_places_confine(a->w->types.places, real, &kept);
	ret = fmpi_schema_read(real, "WSDL", &doc, a->err);
	fmpi_places_restore(a->w->types.places, kept);
	if (!ret)
		return keep_file(a, location, doc, real);
	free(real);
	return ret;
}

/* Its namespace stands for a path. */
static int add_builtin(const struct import_site *a, const char *ns)
{
	const char *text = fmpi_wsdl_find_builtin(ns);
	xmlDoc *doc;

	if (has_file(a->w, ns))
		return 0;
	doc = xmlReadMemory(text, (int)strlen(text), NULL, NULL, XML_PARSE_NONET);
	return doc ? keep_file(a, ns, doc, strdup(ns))
		   : fmp_error_set(a->err, FMP_ERR_NOMEM, "no memory");
}

static int read_import(struct fmpi_wsdl *w, unsigned from, const xmlNode *n, struct fmp_error *err)
{
	const char *location = fmpi_attribute(n, NULL, "location");
	const char *ns = fmpi_attribute(n, NULL, "namespace");
	const struct import_site a = { w, w->file[from].path, n, err };
	const char *folder = w->types.places->folder;
	enum fmpi_place place;
	char *real;

	place = fmpi_places_find(w->types.places, a.from, location, ns, &real);
	if (place == FMPI_PLACE_FILE)
		return add_file(&a, location ? location : ns, real);
	if (place != FMPI_PLACE_NO_MEMORY && ns && fmpi_wsdl_find_builtin(ns))
		return add_builtin(&a, ns);
	switch (place) {
	case FMPI_PLACE_MISSING:
		return FAIL(&a,
			    "imports %s: there is no such file; put it there, or correct location",
			    location);
	case FMPI_PLACE_OUTSIDE:
		return FAIL(&a,
			    "imports %s: that is not below %s, the folder of the first WSDL; copy "
			    "it there",
			    location, folder);
	case FMPI_PLACE_REMOTE:
		return FAIL(&a, "imports %s: nothing is fetched; %s, or map it in a catalog",
			    location ? location : "no file",
			    location
				    ? "save a copy below the folder of the first WSDL and name that"
				    : "name it in location");
	default:
		return fmp_error_set(err, FMP_ERR_NOMEM, "no memory");
	}
}

/* w->file grows in this loop: each file is read once, however the files import one another. */
static int read_files(struct fmpi_wsdl *w, struct fmp_error *err)
{
	int ret = 0;

	for (unsigned i = 0; i < w->n_files && !ret; i++) {
		const xmlNode *n = fmpi_first(xmlDocGetRootElement(w->file[i].doc));

		for (; n && !ret; n = fmpi_next(n))
			if (fmpi_is(n, NS_WSDL, "import"))
				ret = read_import(w, i, n, err);
	}
	return ret;
}

/* Copy a schema into a document of its own, with the namespaces that its QNames need. */
static xmlDoc *copy_schema(const xmlNode *n)
{
	xmlDoc *doc = xmlNewDoc((const xmlChar *)"1.0");
	xmlNode *root = doc ? xmlDocCopyNode((xmlNode *)n, doc, 1) : NULL;
	xmlNs **scope = xmlGetNsList(n->doc, n);

	if (root) {
		xmlDocSetRootElement(doc, root);
		/* xmlNewNs() does not replace a declaration of the schema itself. */
		for (unsigned i = 0; scope && scope[i]; i++)
			xmlNewNs(root, scope[i]->href, scope[i]->prefix);
	}
	xmlFree(scope);
	if (root)
		return doc;
	xmlFreeDoc(doc);
	return NULL;
}

static int read_schema(struct fmpi_wsdl *w, const char *file, const xmlNode *n,
		       struct fmp_error *err)
{
	xmlDoc *doc = copy_schema(n);

	return doc ? fmpi_schema_set_add(&w->types, doc, file, err)
		   : fmp_error_set(err, FMP_ERR_NOMEM, "no memory");
}

static int read_types(struct fmpi_wsdl *w, unsigned i, struct fmp_error *err)
{
	const xmlNode *types = fmpi_first(xmlDocGetRootElement(w->file[i].doc));
	int ret = 0;

	for (; types && !ret; types = fmpi_next(types)) {
		if (!fmpi_is(types, NS_WSDL, "types"))
			continue;
		for (const xmlNode *n = fmpi_first(types); n && !ret; n = fmpi_next(n))
			if (fmpi_is(n, NS_XSD, "schema"))
				ret = read_schema(w, w->file[i].path, n, err);
	}
	return ret;
}

/* No operation is usable: report the first one left out, or that there is none. */
static int refuse_empty(const struct fmpi_wsdl *w, const char *path, struct fmp_error *err)
{
	if (!w->n_notes)
		return fmp_error_at(err, FMP_ERR_SCHEMA, path, 0, 0,
				    "has no SOAP binding with an operation");
	if (err)
		*err = w->note[0];
	return FMP_ERR_SCHEMA;
}

/* What the messages and headers of the operations are of must be here. */
static int use_namespaces(struct fmpi_wsdl *w, struct fmp_error *err)
{
	int ret = 0;

	for (unsigned i = 0; i < 2 * w->n_operations && !ret; i++) {
		const struct fmpi_wsdl_operation *o = &w->operation[i / 2];
		const struct fmpi_wsdl_name *n = i % 2 ? &o->out : &o->in;

		ret = n->local ? fmpi_schema_unread_use(&w->types, n->ns) : 0;
	}
	for (unsigned i = 0; i < w->n_headers && !ret; i++)
		ret = fmpi_schema_unread_use(&w->types, w->header[i].ns);
	return ret ? fmp_error_set(err, FMP_ERR_NOMEM, "no memory") : 0;
}

int fmpi_wsdl_read(const char *path, const struct fmpi_schema_places *places, const char *port,
		   struct fmpi_wsdl **out, struct fmp_error *err)
{
	struct fmpi_wsdl *w = calloc(1, sizeof(*w));
	const struct import_site first = { w, path, NULL, err };
	char *real;
	int ret;

	*out = NULL;
	if (!w)
		return fmp_error_set(err, FMP_ERR_NOMEM, "no memory");
	w->types.places = places;
	real = realpath(path, NULL);
	ret = real ? add_file(&first, path, real)
		   : fmp_error_sys(err, FMP_ERR_IO, errno, "cannot read the WSDL %s", path);
	if (!ret)
		ret = read_files(w, err);
	for (unsigned i = 0; i < w->n_files && !ret; i++)
		ret = read_types(w, i, err);
	if (!ret)
		ret = fmpi_wsdl_read_bindings(w, port, err);
	if (!ret && w->n_operations == w->n_unusable)
		ret = refuse_empty(w, path, err);
	if (!ret)
		ret = use_namespaces(w, err);
	if (!ret)
		ret = fmpi_schema_set_complete(&w->types, err);
	if (!ret)
		ret = fmpi_schema_unread_check(&w->types, err);
	if (ret)
		fmpi_wsdl_free(w);
	else
		*out = w;
	return ret;
}

static void free_name(struct fmpi_wsdl_name *n)
{
	free(n->ns);
	free(n->local);
}

void fmpi_wsdl_close(struct fmpi_wsdl *w)
{
	fmpi_schema_set_clear(&w->types);
	for (unsigned i = 0; i < w->n_files; i++) {
		xmlFreeDoc(w->file[i].doc);
		free(w->file[i].path);
	}
	w->n_files = 0;
}

void fmpi_wsdl_free(struct fmpi_wsdl *w)
{
	if (!w)
		return;
	for (unsigned i = 0; i < w->n_operations; i++) {
		free(w->operation[i].action);
		free(w->operation[i].wsa_action);
		free_name(&w->operation[i].in);
		free_name(&w->operation[i].out);
	}
	for (unsigned i = 0; i < w->n_headers; i++)
		free_name(&w->header[i]);
	free(w->operation);
	free(w->note);
	fmpi_wsdl_close(w);
	free(w);
}

static bool is_name(const struct fmpi_wsdl_name *n, const char *ns, const char *local)
{
	if (!local)
		return n->empty;
	return n->local && strcmp(n->local, local) == 0 && strcmp(n->ns, ns) == 0;
}

bool fmpi_wsdl_has_element(const struct fmpi_wsdl *w, const char *ns, const char *local,
			   bool answer)
{
	for (unsigned i = 0; i < w->n_operations; i++) {
		const struct fmpi_wsdl_operation *o = &w->operation[i];

		if (is_name(answer ? &o->out : &o->in, ns, local))
			return true;
	}
	return false;
}

bool fmpi_wsdl_action_matches(const struct fmpi_wsdl *w, const char *ns, const char *local,
			      const char *action)
{
	bool any = false, others = false;

	for (unsigned i = 0; i < w->n_operations; i++) {
		const struct fmpi_wsdl_operation *o = &w->operation[i];
		bool same = strcmp(o->action, action) == 0 || strcmp(o->wsa_action, action) == 0;

		if (!is_name(&o->in, ns, local)) {
			others = others || same;
			continue;
		}
		if (same)
			return true;
		any = any || !*o->action;
	}
	return any && !others && (local || w->n_empty == 1);
}
