// SPDX-License-Identifier: GPL-2.0
#include "schema_set.h"

#include <errno.h>
#include <libxml/parser.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "xml/document.h"
#include "xml/names.h"
#include "schema_builtin.h"
#include "schema_same.h"

/* Entities of a schema's DTD are replaced, as libxml2's schema parser does. */
#define OPTIONS                                                                      \
	(XML_PARSE_NONET | XML_PARSE_NOENT | XML_PARSE_NOCDATA | XML_PARSE_NOERROR | \
	 XML_PARSE_NOWARNING | XML_PARSE_BIG_LINES)

static int set_no_memory(struct fmp_error *err)
{
	return fmp_error_set(err, FMP_ERR_NOMEM, "no memory for the schema");
}

/* ---- one file ---- */

/* Documentation may be most of a schema, and may contain anything. */
static void remove_annotations(xmlNode *top)
{
	for (xmlNode *n = top ? top->children : NULL, *next; n; n = next) {
		next = n->next;
		if (fmpi_is(n, NS_XSD, "annotation") || n->type == XML_COMMENT_NODE) {
			xmlUnlinkNode(n);
			xmlFreeNode(n);
		} else if (n->type == XML_ELEMENT_NODE) {
			remove_annotations(n);
		}
	}
}

static int set_parse_error(const char *path, const char *what, const xmlError *e,
			   struct fmp_error *err)
{
	const char *why = e && e->message ? e->message : "it can't be read";
	size_t n = strcspn(why, "\r\n");

	return fmp_error_at(err, FMP_ERR_SCHEMA, path, e && e->line > 0 ? (unsigned)e->line : 0,
			    e && e->line > 0 && e->int2 > 0 ? (unsigned)e->int2 : 0,
			    "the %s is not well-formed XML: %.*s", what, (int)(n < 300 ? n : 300),
			    why);
}

int fmpi_schema_read(const char *path, const char *what, xmlDoc **out, struct fmp_error *err)
{
	xmlParserCtxtPtr ctxt;
	struct stat st;
	int ret = 0;

	*out = NULL;
	if (stat(path, &st))
		return fmp_error_sys(err, FMP_ERR_IO, errno, "cannot read the %s %s", what, path);
	/* Opening a FIFO would block. */
	if (!S_ISREG(st.st_mode))
		return fmp_error_set(err, FMP_ERR_IO, "cannot read the %s %s: it is %s", what, path,
				     S_ISDIR(st.st_mode) ? "a folder" : "no regular file");
	ctxt = xmlNewParserCtxt();
	if (!ctxt)
		return set_no_memory(err);
	*out = xmlCtxtReadFile(ctxt, path, NULL, OPTIONS);
	if (!*out || !xmlDocGetRootElement(*out))
		ret = set_parse_error(path, what, xmlCtxtGetLastError(ctxt), err);
	else if (fmpi_is(xmlDocGetRootElement(*out), NS_XSD, "schema"))
		remove_annotations(xmlDocGetRootElement(*out));
	xmlFreeParserCtxt(ctxt);
	if (ret) {
		xmlFreeDoc(*out);
		*out = NULL;
	}
	return ret;
}

/* ---- the set ---- */

static const char *target_namespace(const xmlDoc *doc)
{
	const char *ns = fmpi_attribute(xmlDocGetRootElement(doc), NULL, "targetNamespace");

	return ns ? ns : "";
}

static const char *namespace_of(const struct fmpi_schema_doc *d)
{
	return d->ns;
}

/*
 * Add a document, read as of namespace @ns. The set owns doc from here on; it is freed on failure.
 */
static struct fmpi_schema_doc *add_document(struct fmpi_schema_set *s, xmlDoc *doc,
					    const char *file, const char *ns, struct fmp_error *err)
{
	struct fmpi_schema_doc *d, *more;

	if (s->n == FMPI_SCHEMA_DOCS) {
		xmlFreeDoc(doc);
		(void)fmp_error_at(err, FMP_ERR_LIMIT, file, 0, 0,
				   "more than %u documents in one schema", FMPI_SCHEMA_DOCS);
		return NULL;
	}
	if (s->n == s->capacity) {
		more = realloc(s->docs, (s->capacity + 16) * sizeof(*more));
		if (!more) {
			xmlFreeDoc(doc);
			(void)set_no_memory(err);
			return NULL;
		}
		s->docs = more;
		s->capacity += 16;
	}
	d = &s->docs[s->n];
	*d = (struct fmpi_schema_doc){ .doc = doc, .file = strdup(file), .ns = strdup(ns) };
	d->is_chameleon = strcmp(target_namespace(doc), ns) != 0;
	snprintf(d->url, sizeof(d->url), "fmp:%u", s->n);
	/* Lets fmpi_schema_set_of() find the document of a node. */
	doc->_private = (void *)(uintptr_t)(s->n + 1);
	s->n++;
	if (d->file && d->ns)
		return d;
	(void)set_no_memory(err);
	return NULL;
}

int fmpi_schema_set_add(struct fmpi_schema_set *s, xmlDoc *doc, const char *file,
			struct fmp_error *err)
{
	struct fmpi_schema_doc *d;

	remove_annotations(xmlDocGetRootElement(doc));
	d = add_document(s, doc, file, target_namespace(doc), err);
	if (!d)
		return err && err->code == FMP_ERR_LIMIT ? FMP_ERR_LIMIT : FMP_ERR_NOMEM;
	d->is_top = d->is_plain = true;
	return 0;
}

const struct fmpi_schema_doc *fmpi_schema_set_of(const struct fmpi_schema_set *s, const xmlNode *n)
{
	uintptr_t index = (uintptr_t)n->doc->_private;

	return index && index <= s->n ? &s->docs[index - 1] : NULL;
}

const struct fmpi_schema_doc *fmpi_schema_set_by_url(const struct fmpi_schema_set *s,
						     const char *url)
{
	for (unsigned i = 0; i < s->n; i++)
		if (strcmp(s->docs[i].url, url) == 0)
			return &s->docs[i];
	return NULL;
}

bool fmpi_schema_set_has(const struct fmpi_schema_set *s, const char *ns)
{
	for (unsigned i = 0; i < s->n; i++)
		if (strcmp(s->docs[i].ns, ns) == 0)
			return true;
	return false;
}

const struct fmpi_schema_doc *fmpi_schema_target(const struct fmpi_schema_set *s, const xmlNode *n)
{
	uintptr_t index = (uintptr_t)n->_private;

	return index && index <= s->n ? &s->docs[index - 1] : NULL;
}

void fmpi_schema_set_clear(struct fmpi_schema_set *s)
{
	for (unsigned i = 0; i < s->n; i++) {
		xmlFreeDoc(s->docs[i].doc);
		free(s->docs[i].file);
		free(s->docs[i].ns);
	}
	free(s->docs);
	free(s->fields);
	xmlHashFree(s->components, NULL);
	xmlHashFree(s->used, NULL);
	free(s->note);
	*s = (struct fmpi_schema_set){ 0 };
}

/* ---- what a document asks for ---- */

/**
 * struct import_site - the xs:import, include or redefine in document number `doc`, because s->docs
 * may move
 */
struct import_site {
	struct fmpi_schema_set *s;
	unsigned doc;
	xmlNode *n;
	struct fmp_error *err;
};

#define FAIL(a, ...)                                                                              \
	fmp_error_at((a)->err, FMP_ERR_SCHEMA, (a)->s->docs[(a)->doc].file, fmpi_line((a)->n), 0, \
		     __VA_ARGS__)

/* Set an error about a location that leads to no file. */
static int refuse_place(const struct import_site *a, enum fmpi_place place, const char *location)
{
	const char *name = (const char *)a->n->name, *folder = a->s->places->folder;

	switch (place) {
	case FMPI_PLACE_MISSING:
		return FAIL(a,
			    "%s \"%s\": there is no such file; put it there, or correct "
			    "schemaLocation",
			    name, location);
	case FMPI_PLACE_OUTSIDE:
		return FAIL(
			a,
			"%s \"%s\": that file is not below %s, the folder of the schema; copy it "
			"there",
			name, location, folder);
	case FMPI_PLACE_REMOTE:
		return FAIL(
			a,
			"%s \"%.200s\": nothing is fetched; save a copy below %s and name that, or "
			"map it in a catalog",
			name, location, folder);
	default:
		return set_no_memory(a->err);
	}
}

static int read_schema_file(const struct import_site *a, const char *real, xmlDoc **doc)
{
	const xmlNode *root;
	char *kept;
	int ret;

	fmpi_places_confine(a->s->places, real, &kept);
	ret = fmpi_schema_read(real, "schema", doc, a->err);
	fmpi_places_restore(a->s->places, kept);
	if (ret)
		return ret;
	root = xmlDocGetRootElement(*doc);
	if (fmpi_is(root, NS_XSD, "schema"))
		return 0;
	ret = FAIL(a, "%s \"%s\": that is no XML Schema, its root element is %.60s%s",
		   (const char *)a->n->name, real, (const char *)root->name,
		   fmpi_is(root, NS_WSDL, "definitions") ? "; a WSDL is imported by wsdl:import"
							 : "");
	xmlFreeDoc(*doc);
	*doc = NULL;
	return ret;
}

/* Find the document that was read from this file as of namespace @ns; NULL: none yet. */
static struct fmpi_schema_doc *find_document(const struct import_site *a, const char *real,
					     const char *ns)
{
	for (unsigned i = 0; i < a->s->n; i++) {
		struct fmpi_schema_doc *d = &a->s->docs[i];

		/* Schemas inside a WSDL are not files, and have no URL. */
		if (!d->doc->URL || strcmp(d->file, real) != 0 || strcmp(d->ns, ns) != 0)
			continue;
		return d;
	}
	return NULL;
}

/*
 * Add the file at @location, read as of namespace @ns. @is_import: its targetNamespace must be @ns;
 * otherwise it may have none. @real: its path, freed here
 */
static int add_file(const struct import_site *a, const char *location, char *real, const char *ns,
		    bool is_import)
{
	const char *name = (const char *)a->n->name, *is;
	bool is_plain = a->s->docs[a->doc].is_plain && strcmp(name, "redefine") != 0;
	struct fmpi_schema_doc *d = find_document(a, real, ns);
	xmlDoc *doc;
	int ret;

	if (!d) {
		ret = read_schema_file(a, real, &doc);
		if (ret) {
			free(real);
			return ret;
		}
		is = target_namespace(doc);
		if (strcmp(is, ns) != 0 && (is_import || *is)) {
			ret = FAIL(
				a,
				"%s \"%s\" as of namespace \"%s\", but that file is of \"%s\": %s",
				name, location, ns, is,
				is_import && !strcmp(is, namespace_of(&a->s->docs[a->doc]))
					? "it is the schema's own, write xs:include"
				: is_import ? "correct namespace="
					    : "write xs:import");
			xmlFreeDoc(doc);
			free(real);
			return ret;
		}
		d = add_document(a->s, doc, real, ns, a->err);
	}
	free(real);
	if (!d)
		return a->err && a->err->code == FMP_ERR_LIMIT ? FMP_ERR_LIMIT : FMP_ERR_NOMEM;
	a->n->_private = (void *)(uintptr_t)(d - a->s->docs + 1);
	d->is_top = d->is_top || is_import;
	d->is_plain = d->is_plain || is_plain;
	return 0;
}

static int add_builtin_text(struct fmpi_schema_set *s, const char *text, const char *ns,
			    struct fmp_error *err)
{
	xmlDoc *doc = xmlReadMemory(text, (int)strlen(text), NULL, NULL, OPTIONS);
	struct fmpi_schema_doc *d = doc ? add_document(s, doc, ns, ns, err) : NULL;

	if (!doc)
		return set_no_memory(err);
	if (!d)
		return err && err->code == FMP_ERR_LIMIT ? FMP_ERR_LIMIT : FMP_ERR_NOMEM;
	d->is_top = d->is_plain = d->is_builtin = true;
	return 0;
}

/* Remove what the other document, its root is @wider, defines as well. */
static void remove_replaced(xmlNode *n, const xmlNode *wider)
{
	for (xmlNode *next; n; n = next) {
		const char *name = fmpi_attribute(n, NULL, "name");
		const xmlNode *w = fmpi_first(wider);

		next = fmpi_next(n);
		while (w &&
		       !(name && xmlStrEqual(w->name, n->name) && fmpi_attribute(w, NULL, "name") &&
			 strcmp(fmpi_attribute(w, NULL, "name"), name) == 0))
			w = fmpi_next(w);
		if (w) {
			xmlUnlinkNode(n);
			xmlFreeNode(n);
		}
	}
}

static int add_builtin(struct fmpi_schema_set *s, const char *ns, struct fmp_error *err);

/*
 * Put the wider text of a built-in schema beside it, s->docs[doc]. It needs those of the namespaces
 * that it imports, whether these are built in or not.
 */
static int add_wider(struct fmpi_schema_set *s, unsigned doc, const char *ns, struct fmp_error *err)
{
	const char *text = fmpi_schema_find_wider(ns);
	const xmlNode *wider;
	int ret = text ? add_builtin_text(s, text, ns, err) : 0;

	if (!text || ret)
		return ret;
	wider = xmlDocGetRootElement(s->docs[s->n - 1].doc);
	remove_replaced(fmpi_first(xmlDocGetRootElement(s->docs[doc].doc)), wider);
	for (const xmlNode *n = fmpi_first(wider); n && !ret; n = fmpi_next(n)) {
		const char *of = fmpi_attribute(n, NULL, "namespace");

		if (!fmpi_is(n, NS_XSD, "import"))
			continue;
		ret = add_builtin(s, of, err);
		if (!ret)
			ret = add_builtin_text(s, fmpi_schema_find_wider(of), of, err);
	}
	return ret;
}

static int add_builtin(struct fmpi_schema_set *s, const char *ns, struct fmp_error *err)
{
	const char *text = fmpi_schema_find_builtin(ns);
	int ret;

	if (!text || fmpi_schema_set_has(s, ns))
		return 0;
	ret = add_builtin_text(s, text, ns, err);
	/* Only that one: the wider texts of its imports are for it alone. */
	return !ret && strcmp(ns, "http://schemas.xmlsoap.org/ws/2005/02/rm") == 0
		       ? add_wider(s, s->n - 1, ns, err)
		       : ret;
}

/*
 * XSD 1.0 part 1, 4.2.3. A location is only a hint: another document may replace one on the
 * network.
 */
static int add_import(const struct import_site *a)
{
	const char *own = namespace_of(&a->s->docs[a->doc]);
	const char *location = fmpi_attribute(a->n, NULL, "schemaLocation");
	const char *ns = fmpi_attribute(a->n, NULL, "namespace");
	enum fmpi_place place;
	char *real;

	if (!ns)
		ns = "";
	if (!*ns && !*own)
		return FAIL(a, "an import of no namespace into a schema of none: name the "
			       "namespace, or write xs:include");
	/* XSD 1.0 forbids its own namespace; Xerces and others read it like an include. */
	if (strcmp(ns, own) == 0 && !location)
		return 0;
	if (strcmp(ns, NS_XSD) == 0)
		return 0;
	place = fmpi_places_find(a->s->places, a->s->docs[a->doc].file, location, ns, &real);
	if (place == FMPI_PLACE_FILE)
		return add_file(a, location ? location : ns, real, ns, true);
	/* What is not here may still be replaced: see schema_unread.h. */
	if (place == FMPI_PLACE_REMOTE ||
	    (place != FMPI_PLACE_NO_MEMORY && fmpi_schema_find_builtin(ns)))
		return 0;
	return refuse_place(a, place, location ? location : ns);
}

static int add_include(const struct import_site *a)
{
	const char *location = fmpi_attribute(a->n, NULL, "schemaLocation");
	const char *name = (const char *)a->n->name;
	enum fmpi_place place;
	char *own, *real;
	int ret;

	if (!location)
		return FAIL(a, "%s has no schemaLocation: name the file", name);
	place = fmpi_places_find(a->s->places, a->s->docs[a->doc].file, location, NULL, &real);
	if (place != FMPI_PLACE_FILE)
		return refuse_place(a, place, location);
	/* s->docs may move. */
	own = strdup(namespace_of(&a->s->docs[a->doc]));
	if (own)
		ret = add_file(a, location, real, own, false);
	else {
		free(real);
		ret = set_no_memory(a->err);
	}
	free(own);
	return ret;
}

static int read_imports(struct fmpi_schema_set *s, unsigned from, struct fmp_error *err)
{
	int ret = 0;

	/* s->docs grows in this loop. */
	for (unsigned i = from; i < s->n && !ret; i++) {
		xmlNode *n = fmpi_first(xmlDocGetRootElement(s->docs[i].doc));

		for (; n && !ret; n = fmpi_next(n)) {
			const struct import_site a = { s, i, n, err };

			if (fmpi_is(n, NS_XSD, "import"))
				ret = add_import(&a);
			else if (fmpi_is(n, NS_XSD, "include") || fmpi_is(n, NS_XSD, "redefine"))
				ret = add_include(&a);
		}
	}
	return ret;
}

/* A built-in document replaces one that is not here, when all local ones are known. */
static int add_builtins(struct fmpi_schema_set *s, struct fmp_error *err)
{
	int ret = 0;

	for (unsigned i = 0; i < s->n && !ret; i++) {
		xmlNode *n = fmpi_first(xmlDocGetRootElement(s->docs[i].doc));

		for (; n && !ret; n = fmpi_next(n)) {
			const char *ns = fmpi_attribute(n, NULL, "namespace");

			if (fmpi_is(n, NS_XSD, "import") && !n->_private)
				ret = add_builtin(s, ns ? ns : "", err);
		}
	}
	return ret;
}

/* ---- components ---- */

static const char *kind_of(const xmlNode *n)
{
	static const char *const same[] = { "element", "attribute", "group", "attributeGroup",
					    "notation" };

	if (!fmpi_is(n, NS_XSD, (const char *)n->name))
		return NULL;
	if (strcmp((const char *)n->name, "simpleType") == 0 ||
	    strcmp((const char *)n->name, "complexType") == 0)
		return "type";
	for (unsigned i = 0; i < sizeof(same) / sizeof(same[0]); i++)
		if (strcmp((const char *)n->name, same[i]) == 0)
			return same[i];
	return NULL;
}

/* The message names the namespace: two schemas in one WSDL may have components of one name. */
static int refuse_duplicate(const struct import_site *a, const xmlNode *first)
{
	const struct fmpi_schema_doc *d = fmpi_schema_set_of(a->s, first);
	const char *ns = namespace_of(&a->s->docs[a->doc]);

	return FAIL(
		a,
		"a second %s \"%.80s\" of namespace \"%.80s\": the first is at %s:%u; remove or "
		"rename one",
		(const char *)a->n->name, fmpi_attribute(a->n, NULL, "name"), ns, d->file,
		fmpi_line(first));
}

static int add_component(const struct import_site *a, bool is_plain)
{
	const char *kind = kind_of(a->n), *name = fmpi_attribute(a->n, NULL, "name");
	const xmlChar *ns = (const xmlChar *)namespace_of(&a->s->docs[a->doc]);
	const xmlNode *first;

	if (!kind || !name)
		return 0;
	first = xmlHashLookup3(a->s->components, (const xmlChar *)kind, ns, (const xmlChar *)name);
	if (first && is_plain && fmpi_schema_set_of(a->s, first)->is_plain &&
	    fmpi_is(first->parent, NS_XSD, "schema")) {
		if (!fmpi_schema_is_same(first, a->n))
			return refuse_duplicate(a, first);
		xmlUnlinkNode(a->n);
		xmlFreeNode(a->n);
		return 0;
	}
	/* A redefinition replaces the component that it redefines. */
	if (first && !fmpi_is(a->n->parent, NS_XSD, "redefine"))
		return 0;
	return xmlHashUpdateEntry3(a->s->components, (const xmlChar *)kind, ns,
				   (const xmlChar *)name, a->n, NULL)
		       ? set_no_memory(a->err)
		       : 0;
}

static int find_components(struct fmpi_schema_set *s, struct fmp_error *err)
{
	int ret = 0;

	s->components = xmlHashCreate(256);
	if (!s->components)
		return set_no_memory(err);
	for (unsigned i = 0; i < s->n && !ret; i++) {
		xmlNode *n = fmpi_first(xmlDocGetRootElement(s->docs[i].doc)), *next;

		for (; n && !ret; n = next) {
			struct import_site a = { s, i, n, err };

			/* A second one of the same definition is removed. */
			next = fmpi_next(n);
			if (!fmpi_is(n, NS_XSD, "redefine")) {
				ret = add_component(&a, s->docs[i].is_plain);
				continue;
			}
			for (a.n = fmpi_first(n); a.n && !ret; a.n = fmpi_next(a.n))
				ret = add_component(&a, false);
		}
	}
	return ret;
}

/* .NET's DataSet refers to the schema for schemas without importing it (XSD 1.0 part 1, 4.2.3). */
static bool wants_schema_of_schemas(const struct fmpi_schema_set *s)
{
	for (unsigned i = 0; i < s->n; i++) {
		const xmlNode *root = xmlDocGetRootElement(s->docs[i].doc);

		for (const xmlNode *n = root; n; n = fmpi_walk_next(root, n)) {
			const char *ref = fmpi_attribute(n, NULL, "ref"), *ns;

			if (ref && fmpi_is(n, NS_XSD, "element") &&
			    fmpi_schema_qname(s, n, ref, &ns) && strcmp(ns, NS_XSD) == 0)
				return true;
		}
	}
	return false;
}

const char *fmpi_schema_qname(const struct fmpi_schema_set *s, const xmlNode *n, const char *text,
			      const char **ns)
{
	const struct fmpi_schema_doc *d = fmpi_schema_set_of(s, n);
	const char *colon = strchr(text, ':');
	xmlChar *prefix = colon ? xmlStrndup((const xmlChar *)text, (int)(colon - text)) : NULL;
	const xmlNs *of = xmlSearchNs(n->doc, (xmlNode *)n, prefix);

	xmlFree(prefix);
	*ns = of && of->href ? (const char *)of->href : d && d->is_chameleon ? d->ns : "";
	return of || !colon ? (colon ? colon + 1 : text) : NULL;
}

xmlNode *fmpi_schema_component(const struct fmpi_schema_set *s, const char *kind, const char *ns,
			       const char *local)
{
	return xmlHashLookup3(s->components, (const xmlChar *)kind, (const xmlChar *)ns,
			      (const xmlChar *)local);
}

static int find_fields(struct fmpi_schema_set *s, struct fmp_error *err)
{
	for (unsigned i = 0; i < s->n; i++) {
		const xmlNode *root = xmlDocGetRootElement(s->docs[i].doc), **more;

		for (const xmlNode *n = root; n; n = fmpi_walk_next(root, n)) {
			if (!fmpi_is(n, NS_XSD, "field") || !fmpi_attribute(n, NULL, "xpath"))
				continue;
			more = reallocarray(s->fields, s->n_fields + 1, sizeof(*more));
			if (!more)
				return set_no_memory(err);
			s->fields = more;
			s->fields[s->n_fields++] = n;
		}
	}
	return 0;
}

int fmpi_schema_set_complete(struct fmpi_schema_set *s, struct fmp_error *err)
{
	int ret = read_imports(s, 0, err);

	if (!ret)
		ret = add_builtins(s, err);
	if (!ret && wants_schema_of_schemas(s)) {
		ret = add_builtin(s, NS_XSD, err);
		if (!ret)
			ret = add_builtin(s, NS_DIFFGRAM, err);
	}
	if (!ret)
		ret = find_components(s, err);
	return ret ? ret : find_fields(s, err);
}
