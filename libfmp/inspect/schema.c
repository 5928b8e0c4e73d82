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

/* Bytes of one text: up to there patterns cost less than a look without them would. */
#define LONG_TEXT 4096

/*
 * libxml2 tries all patterns of a type on a text even if that is too long for the type. So
 * messages with long texts must be valid without any pattern first.
 */
struct fmpi_schema {
	xmlSchemaPtr compiled;
	xmlSchemaPtr lean; /* without patterns; NULL: has none, or no largest lengths */
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

static xmlSchemaPtr read_schema(struct load_error *l)
{
	xmlSchemaParserCtxtPtr ctxt = xmlSchemaNewParserCtxt(l->path);
	xmlSchemaPtr out;

	if (!ctxt)
		return NULL;
	xmlSchemaSetParserStructuredErrors(ctxt, on_load_error, l);
	out = compile(ctxt, l);
	xmlSchemaFreeParserCtxt(ctxt);
	return out;
}

static xmlSchemaPtr read_lean(struct load_error *l)
{
	struct fmpi_loader_lean lean = { 0 };
	xmlSchemaPtr out;

	fmpi_loader_lean(&lean);
	out = read_schema(l);
	fmpi_loader_lean(NULL);
	if (lean.patterns && lean.lengths)
		return out;
	xmlSchemaFree(out);
	return NULL;
}

int fmpi_schema_load(const char *path, struct fmpi_schema **out, struct fmp_error *err)
{
	struct load_error l = { .err = err, .path = path };
	struct fmpi_schema *s;

	*out = NULL;
	if (access(path, R_OK) != 0)
		return fmp_error_sys(err, FMP_ERR_IO, errno, "cannot read the schema %s", path);
	s = calloc(1, sizeof(*s));
	if (!s)
		return fmp_error_set(err, FMP_ERR_NOMEM, "no memory for the schema %s", path);
	s->compiled = read_schema(&l);
	if (s->compiled && !l.set)
		s->lean = read_lean(&l);
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
	xmlSchemaFree(s->lean);
	free(s);
}

static size_t text_length(const xmlNode *n)
{
	size_t len = 0;

	for (; n; n = n->next)
		if (n->type == XML_TEXT_NODE)
			len += strlen((const char *)n->content);
	return len;
}

static bool has_long_text(const xmlNode *element)
{
	if (text_length(element->children) > LONG_TEXT)
		return true;
	for (const xmlAttr *a = element->properties; a; a = a->next)
		if (text_length(a->children) > LONG_TEXT)
			return true;
	return false;
}

/* libxml2 would look at a location, and keep what it was told for the life of the schema. */
static int refuse_locations(xmlNode *payload, bool *is_long, struct fmp_inspection *v)
{
	for (xmlNode *n = payload; n; n = fmpi_walk(payload, n)) {
		*is_long = *is_long || has_long_text(n);
		if (!n->properties)
			continue;
		if (fmpi_attribute_node(n, NS_XSI, "schemaLocation") ||
		    fmpi_attribute_node(n, NS_XSI, "noNamespaceSchemaLocation"))
			return fmpi_refuse(v, FMP_STEP_SCHEMA, FMP_EVENT_SCHEMA, fmpi_line(n),
					   "the message names a schema of its own");
	}
	return 0;
}

struct validation {
	struct fmp_inspection *v;
	xmlNode *payload;
	xmlNode *cut; /* a list, to be freed */
};

/* From node on, the list of its parent's children. */
static void cut_off(struct validation *c, xmlNode *node)
{
	xmlNode *last;

	if (!node)
		return;
	last = node->parent->last;
	node->parent->last = node->prev;
	if (node->prev)
		node->prev->next = NULL;
	else
		node->parent->children = NULL;
	last->next = c->cut;
	c->cut = node;
}

/* One fault is enough: libxml2 would look at all that follows, and write a sentence a fault. */
static void end_behind(struct validation *c, xmlNode *node)
{
	if (node->type == XML_ATTRIBUTE_NODE)
		node = node->parent;
	if (node->type == XML_ELEMENT_NODE)
		cut_off(c, node->children);
	for (; node != c->payload && node->parent; node = node->parent)
		cut_off(c, node->next);
}

static void on_error(void *ctx, xmlErrorPtr e)
{
	struct validation *c = ctx;
	unsigned line;

	if (c->v->kind != FMP_EVENT_GOOD)
		return;
	line = e->node ? fmpi_line(e->node) : e->line > 0 ? (unsigned)e->line : 0;
	fmpi_refuse(c->v, FMP_STEP_SCHEMA, FMP_EVENT_SCHEMA, line, "%s",
		    e->message ? e->message : "not valid");
	if (e->node)
		end_behind(c, e->node);
}

static int validate(xmlSchemaPtr s, xmlNode *payload, struct fmp_inspection *v)
{
	struct validation c = { .v = v, .payload = payload };
	xmlSchemaValidCtxtPtr ctxt = xmlSchemaNewValidCtxt(s);
	int ret;

	if (!ctxt)
		return FMP_ERR_NOMEM;
	v->kind = FMP_EVENT_GOOD;
	xmlSchemaSetValidStructuredErrors(ctxt, on_error, &c);
	ret = xmlSchemaValidateOneElement(ctxt, payload);
	xmlSchemaFreeValidCtxt(ctxt);
	xmlFreeNodeList(c.cut);
	if (ret == 0 && v->kind == FMP_EVENT_GOOD)
		return 0;
	if (v->kind == FMP_EVENT_GOOD)
		return fmpi_refuse(v, FMP_STEP_SCHEMA, FMP_EVENT_SCHEMA, fmpi_line(payload),
				   "not valid against the schema");
	return FMPI_REFUSED;
}

int fmpi_schema_check(struct fmpi_schema *s, xmlNode *payload, struct fmp_inspection *v)
{
	bool is_long = !s->lean; /* no need to look */
	int ret = refuse_locations(payload, &is_long, v);

	if (!ret && s->lean && is_long)
		ret = validate(s->lean, payload, v);
	return ret ? ret : validate(s->compiled, payload, v);
}

bool fmpi_schema_declares(const struct fmpi_schema *s, const char *element)
{
	return xmlHashLookup(s->compiled->elemDecl, (const xmlChar *)element) != NULL;
}
