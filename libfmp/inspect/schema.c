// SPDX-License-Identifier: GPL-2.0
#include "inspect/schema.h"

#include <errno.h>
#include <libxml/schemasInternals.h>
#include <libxml/xmlschemas.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "inspect/loader.h"
#include "inspect/names.h"

struct fmpi_schema {
	xmlSchemaPtr compiled;
};

struct load_error {
	struct fmp_error *err;
	const char *path;
	bool set;
};

static void on_load_error(void *ctx, xmlErrorPtr e)
{
	struct load_error *l = ctx;
	char text[256];
	size_t n;

	/* An import that is not found is only a warning to libxml2, but a hole to us. */
	if (l->set || (e->level <= XML_ERR_WARNING && e->code != XML_SCHEMAP_WARN_UNLOCATED_SCHEMA))
		return;
	l->set = true;
	n = strcspn(e->message ? e->message : "invalid schema", "\n");
	if (n > sizeof(text) - 1)
		n = sizeof(text) - 1;
	memcpy(text, e->message ? e->message : "invalid schema", n);
	text[n] = '\0';
	fmp_error_at(l->err, FMP_ERR_SCHEMA, e->file ? e->file : l->path,
		     e->line > 0 ? (unsigned)e->line : 0, 0, "%s", text);
}

/* Who may write one file of a schema need not name all others that we can read. */
static char *folder_of(const char *path)
{
	char *real = realpath(path, NULL), *slash = real ? strrchr(real, '/') : NULL;

	if (slash)
		slash[slash == real] = '\0';
	return real;
}

/* libxml2 has said that there was nothing, and where. */
static void refuse_stray(struct load_error *l, const char *folder)
{
	struct fmp_error at = { 0 };

	if (l->set && l->err)
		at = *l->err;
	l->set = true;
	fmp_error_at(l->err, FMP_ERR_SCHEMA, *at.file ? at.file : l->path, at.line, 0,
		     "imports or includes a file that is not below %s, the folder of the schema",
		     folder);
}

static xmlSchemaPtr compile(xmlSchemaParserCtxtPtr ctxt, struct load_error *l)
{
	char *folder = folder_of(l->path);
	xmlSchemaPtr out = NULL;

	if (folder) {
		fmpi_loader_confine(folder);
		out = xmlSchemaParse(ctxt);
		if (fmpi_loader_confine(NULL))
			refuse_stray(l, folder);
	}
	free(folder);
	return out;
}

int fmpi_schema_load(const char *path, struct fmpi_schema **out, struct fmp_error *err)
{
	struct load_error l = { .err = err, .path = path };
	struct fmpi_schema *s;
	xmlSchemaParserCtxtPtr ctxt;

	*out = NULL;
	if (access(path, R_OK) != 0)
		return fmp_error_sys(err, FMP_ERR_IO, errno, "cannot read the schema %s", path);
	s = calloc(1, sizeof(*s));
	ctxt = s ? xmlSchemaNewParserCtxt(path) : NULL;
	if (!ctxt) {
		free(s);
		return fmp_error_set(err, FMP_ERR_NOMEM, "no memory for the schema %s", path);
	}
	xmlSchemaSetParserStructuredErrors(ctxt, on_load_error, &l);
	s->compiled = compile(ctxt, &l);
	xmlSchemaFreeParserCtxt(ctxt);
	if (s->compiled && !l.set) {
		*out = s;
		return 0;
	}
	if (!l.set)
		fmp_error_at(err, FMP_ERR_SCHEMA, path, 0, 0, "not a usable schema");
	fmpi_schema_free(s);
	return FMP_ERR_SCHEMA;
}

void fmpi_schema_free(struct fmpi_schema *s)
{
	if (!s)
		return;
	xmlSchemaFree(s->compiled);
	free(s);
}

/* libxml2 would look there, and keep what it was told for the life of the schema. */
static int refuse_locations(xmlNode *payload, struct fmp_inspection *v)
{
	for (xmlNode *n = payload; n; n = fmpi_walk(payload, n)) {
		if (!n->properties)
			continue;
		if (fmpi_attribute_node(n, NS_XSI, "schemaLocation") ||
		    fmpi_attribute_node(n, NS_XSI, "noNamespaceSchemaLocation"))
			return fmpi_refuse(v, FMP_STEP_SCHEMA, FMP_EVENT_SCHEMA, fmpi_line(n),
					   "the message names a schema of its own");
	}
	return 0;
}

static void on_error(void *ctx, xmlErrorPtr e)
{
	struct fmp_inspection *v = ctx;
	unsigned line;

	if (v->kind != FMP_EVENT_GOOD)
		return;
	line = e->node ? fmpi_line(e->node) : e->line > 0 ? (unsigned)e->line : 0;
	fmpi_refuse(v, FMP_STEP_SCHEMA, FMP_EVENT_SCHEMA, line, "%s",
		    e->message ? e->message : "not valid");
}

int fmpi_schema_check(struct fmpi_schema *s, xmlNode *payload, struct fmp_inspection *v)
{
	xmlSchemaValidCtxtPtr ctxt;
	int ret = refuse_locations(payload, v);

	if (ret)
		return ret;
	ctxt = xmlSchemaNewValidCtxt(s->compiled);
	if (!ctxt)
		return FMP_ERR_NOMEM;
	v->kind = FMP_EVENT_GOOD;
	xmlSchemaSetValidStructuredErrors(ctxt, on_error, v);
	ret = xmlSchemaValidateOneElement(ctxt, payload);
	xmlSchemaFreeValidCtxt(ctxt);
	if (ret == 0 && v->kind == FMP_EVENT_GOOD)
		return 0;
	if (v->kind == FMP_EVENT_GOOD)
		return fmpi_refuse(v, FMP_STEP_SCHEMA, FMP_EVENT_SCHEMA, fmpi_line(payload),
				   "not valid against the schema");
	return FMPI_REFUSED;
}

bool fmpi_schema_declares(const struct fmpi_schema *s, const char *element)
{
	return xmlHashLookup(s->compiled->elemDecl, (const xmlChar *)element) != NULL;
}
