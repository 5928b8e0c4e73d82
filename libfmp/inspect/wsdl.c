// SPDX-License-Identifier: GPL-2.0
#include "inspect/wsdl.h"

#include <libxml/parser.h>
#include <libxml/uri.h>
#include <stdlib.h>
#include <string.h>

#include "inspect/document.h"
#include "inspect/names.h"
#include "inspect/wsdl_binding.h"

#define OPTIONS (XML_PARSE_NONET | XML_PARSE_NOCDATA | XML_PARSE_NOERROR | XML_PARSE_NOWARNING)

bool fmpi_wsdl_is(const char *path)
{
	xmlDoc *doc = xmlReadFile(path, NULL, OPTIONS);
	bool is = doc && fmpi_is(xmlDocGetRootElement(doc), NS_WSDL, "definitions");

	xmlFreeDoc(doc);
	return is;
}

static bool has_file(const struct fmpi_wsdl *w, const char *real)
{
	for (unsigned i = 0; i < w->n_files; i++)
		if (strcmp(w->file[i].path, real) == 0)
			return true;
	return false;
}

/* at: the import; NULL: the first one. */
static int add_file(struct fmpi_wsdl *w, const char *path, const char *from, const xmlNode *at,
		    struct fmp_error *err)
{
	char *real = realpath(path, NULL);
	const xmlNode *root;
	xmlDoc *doc;

	if (real && has_file(w, real)) {
		free(real);
		return 0;
	}
	if (w->n_files == FMPI_WSDL_FILES) {
		free(real);
		return fmp_error_at(err, FMP_ERR_LIMIT, from, fmpi_line(at), 0,
				    "more than %d files", FMPI_WSDL_FILES);
	}
	doc = real ? xmlReadFile(real, NULL, OPTIONS) : NULL;
	root = doc ? xmlDocGetRootElement(doc) : NULL;
	if (!fmpi_is(root, NS_WSDL, "definitions")) {
		xmlFreeDoc(doc);
		free(real);
		return fmp_error_at(
			err, FMP_ERR_SCHEMA, from, fmpi_line(at), 0,
			"%s is not a WSDL that can be read below the folder of the first", path);
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
		return fmp_error_at(err, FMP_ERR_SCHEMA, file, fmpi_line(n), 0,
				    "imports %s: only files below the folder of the first can be",
				    location ? location : "no file");
	url = xmlBuildURI((const xmlChar *)location, (const xmlChar *)file);
	ret = url ? add_file(w, (const char *)url, file, n, err)
		  : fmp_error_at(err, FMP_ERR_SCHEMA, file, fmpi_line(n), 0, "imports %s: no path",
				 location);
	xmlFree(url);
	return ret;
}

/* The list grows while it is walked: each file once, however they import each other. */
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

static const char *target(const xmlDoc *doc)
{
	const char *ns = fmpi_attribute(xmlDocGetRootElement(doc), NULL, "targetNamespace");

	return ns ? ns : "";
}

struct fmpi_wsdl_schema *fmpi_wsdl_schema_of(struct fmpi_wsdl *w, const char *ns)
{
	for (unsigned i = 0; i < w->n_schemas; i++)
		if (strcmp(target(w->schema[i].doc), ns) == 0)
			return &w->schema[i];
	return NULL;
}

int fmpi_wsdl_add_schema(struct fmpi_wsdl *w, xmlDoc *doc, const char *file, const xmlNode *at,
			 struct fmp_error *err)
{
	struct fmpi_wsdl_schema *s = &w->schema[w->n_schemas];

	if (w->n_schemas == FMPI_WSDL_SCHEMAS) {
		xmlFreeDoc(doc);
		return fmp_error_at(err, FMP_ERR_LIMIT, file, fmpi_line(at), 0,
				    "more than %d schemas", FMPI_WSDL_SCHEMAS);
	}
	s->doc = doc;
	s->file = file;
	s->line = fmpi_line(at);
	if (asprintf(&s->url, "%s.types%u", file, w->n_schemas) < 0) {
		s->url = NULL;
		xmlFreeDoc(doc);
		return fmp_error_set(err, FMP_ERR_NOMEM, "no memory");
	}
	w->n_schemas++;
	return 0;
}

/* A document of its own, with the namespaces that its QNames are read in. */
static xmlDoc *copy_schema(const xmlNode *n)
{
	xmlDoc *doc = xmlNewDoc((const xmlChar *)"1.0");
	xmlNode *root = doc ? xmlDocCopyNode((xmlNode *)n, doc, 1) : NULL;
	xmlNs **scope = xmlGetNsList(n->doc, n);

	if (root) {
		xmlDocSetRootElement(doc, root);
		/* Not those that it has declared itself. */
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
	const char *ns = fmpi_attribute(n, NULL, "targetNamespace");
	const struct fmpi_wsdl_schema *other = fmpi_wsdl_schema_of(w, ns ? ns : "");
	xmlDoc *doc;

	if (other)
		return fmp_error_at(err, FMP_ERR_SCHEMA, file, fmpi_line(n), 0,
				    "a second schema of namespace \"%s\": the first is at %s:%u",
				    ns ? ns : "", other->file, other->line);
	doc = copy_schema(n);
	return doc ? fmpi_wsdl_add_schema(w, doc, file, n, err)
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

int fmpi_wsdl_read(const char *path, struct fmpi_wsdl **out, struct fmp_error *err)
{
	struct fmpi_wsdl *w = calloc(1, sizeof(*w));
	int ret;

	*out = NULL;
	if (!w)
		return fmp_error_set(err, FMP_ERR_NOMEM, "no memory");
	ret = add_file(w, path, path, NULL, err);
	if (!ret)
		ret = read_files(w, err);
	for (unsigned i = 0; i < w->n_files && !ret; i++)
		ret = read_types(w, i, err);
	for (unsigned i = 0; i < w->n_files && !ret; i++)
		ret = fmpi_wsdl_read_bindings(w, i, err);
	if (!ret && !w->n_operations)
		ret = fmp_error_at(err, FMP_ERR_SCHEMA, path, 0, 0,
				   "has no binding of SOAP with an operation");
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
	for (unsigned i = 0; i < w->n_schemas; i++) {
		xmlFreeDoc(w->schema[i].doc);
		free(w->schema[i].url);
	}
	for (unsigned i = 0; i < w->n_files; i++) {
		xmlFreeDoc(w->file[i].doc);
		free(w->file[i].path);
	}
	w->n_schemas = w->n_files = 0;
}

void fmpi_wsdl_free(struct fmpi_wsdl *w)
{
	if (!w)
		return;
	for (unsigned i = 0; i < w->n_operations; i++) {
		free(w->operation[i].action);
		free(w->operation[i].addressed);
		free_name(&w->operation[i].in);
		free_name(&w->operation[i].out);
	}
	fmpi_wsdl_close(w);
	free(w);
}

static bool is_name(const struct fmpi_wsdl_name *n, const char *ns, const char *local)
{
	if (!local)
		return n->empty;
	return n->local && strcmp(n->local, local) == 0 && strcmp(n->ns, ns) == 0;
}

bool fmpi_wsdl_knows(const struct fmpi_wsdl *w, const char *ns, const char *local, bool answer)
{
	for (unsigned i = 0; i < w->n_operations; i++) {
		const struct fmpi_wsdl_operation *o = &w->operation[i];

		if (is_name(answer ? &o->out : &o->in, ns, local))
			return true;
	}
	return false;
}

/* An operation without an action takes any that is not another's. */
bool fmpi_wsdl_goes_with(const struct fmpi_wsdl *w, const char *ns, const char *local,
			 const char *action)
{
	bool any = false, others = false;

	for (unsigned i = 0; i < w->n_operations; i++) {
		const struct fmpi_wsdl_operation *o = &w->operation[i];
		bool same = strcmp(o->action, action) == 0 || strcmp(o->addressed, action) == 0;

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
