// SPDX-License-Identifier: GPL-2.0
/* Reads the files and types of a WSDL, and looks up elements and actions. */
#include "wsdl.h"

#include <libxml/uri.h>
#include <stdlib.h>
#include <string.h>

#include "xml/document.h"
#include "xml/names.h"
#include "wsdl_reader.h"

static bool has_file(const struct fmpi_wsdl *w, const char *real)
{
	for (unsigned i = 0; i < w->n_files; i++)
		if (strcmp(w->file[i].path, real) == 0)
			return true;
	return false;
}

/* @at: the import; NULL: the first file */
static int add_file(struct fmpi_wsdl *w, const char *path, const char *from, const xmlNode *at,
		    struct fmp_error *err)
{
	char *real = realpath(path, NULL);
	const xmlNode *root;
	xmlDoc *doc;
	int ret;

	if (!real)
		return fmp_error_at(err, FMP_ERR_SCHEMA, from, fmpi_line(at), 0,
				    "imports %s: there is no such file; put it there, or correct "
				    "location",
				    path);
	if (has_file(w, real)) {
		free(real);
		return 0;
	}
	if (!fmpi_schema_is_below(real, w->types.folder))
		ret = fmp_error_at(
			err, FMP_ERR_SCHEMA, from, fmpi_line(at), 0,
			"imports %s: that is not below %s, the folder of the first WSDL; "
			"copy it there",
			path, w->types.folder);
	else if (w->n_files == FMPI_WSDL_FILES)
		ret = fmp_error_at(err, FMP_ERR_LIMIT, from, fmpi_line(at), 0, "more than %d files",
				   FMPI_WSDL_FILES);
	else
		ret = fmpi_schema_read(real, "WSDL", &doc, err);
	if (ret) {
		free(real);
		return ret;
	}
	root = xmlDocGetRootElement(doc);
	if (!fmpi_is(root, NS_WSDL, "definitions")) {
		ret = fmp_error_at(err, FMP_ERR_SCHEMA, from, fmpi_line(at), 0,
				   "imports %s: that is no WSDL 1.1, its root element is %.60s%s",
				   path, (const char *)root->name,
				   fmpi_is(root, NS_XSD, "schema")
					   ? "; a schema is imported by xs:import in types"
					   : "");
		xmlFreeDoc(doc);
		free(real);
		return ret;
	}
	w->file[w->n_files].doc = doc;
	w->file[w->n_files++].path = real;
	return 0;
}

static int read_import(struct fmpi_wsdl *w, unsigned from, const xmlNode *n, struct fmp_error *err)
{
	const char *location = fmpi_attribute(n, NULL, "location");
	const char *file = w->file[from].path;
	xmlChar *url;
	int ret;

	if (!location || strstr(location, ":/"))
		return fmp_error_at(
			err, FMP_ERR_SCHEMA, file, fmpi_line(n), 0,
			"imports %s: only files below the folder of the first WSDL can be imported; %s",
			location ? location : "no file",
			location ? "save a copy there and name that" : "name it in location");
	url = xmlBuildURI((const xmlChar *)location, (const xmlChar *)file);
	ret = url ? add_file(w, (const char *)url, file, n, err)
		  : fmp_error_at(err, FMP_ERR_SCHEMA, file, fmpi_line(n), 0, "imports %s: no path",
				 location);
	xmlFree(url);
	return ret;
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

int fmpi_wsdl_read(const char *path, const char *folder, const char *port, struct fmpi_wsdl **out,
		   struct fmp_error *err)
{
	struct fmpi_wsdl *w = calloc(1, sizeof(*w));
	int ret;

	*out = NULL;
	if (!w)
		return fmp_error_set(err, FMP_ERR_NOMEM, "no memory");
	w->types.folder = folder;
	ret = add_file(w, path, path, NULL, err);
	if (!ret)
		ret = read_files(w, err);
	for (unsigned i = 0; i < w->n_files && !ret; i++)
		ret = read_types(w, i, err);
	if (!ret)
		ret = fmpi_wsdl_read_bindings(w, port, err);
	if (!ret && !w->n_operations)
		ret = refuse_empty(w, path, err);
	if (!ret)
		ret = fmpi_schema_set_complete(&w->types, err);
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
