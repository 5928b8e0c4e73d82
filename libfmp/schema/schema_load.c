// SPDX-License-Identifier: GPL-2.0
/*
 * Loading a schema: compile files with libxml2, and turn its errors into messages for
 * administrators.
 */
#include <errno.h>
#include <libxml/schemasInternals.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <fmp/internal/xml_error_arg.h>

#include "xml/entity_loader.h"
#include "xml/names.h"
#include "places/catalog.h"
#include "schema_features.h"
#include "schema_number.h"
#include "places/schema_path.h"
#include "schema_private.h"
#include "schema_text.h"
#include "schema_unread.h"
#include "wsdl.h"

struct load {
	struct fmp_error *err;
	const char *path;
	const struct fmpi_schema_set *set;
	const struct fmpi_schema_texts *texts;
	bool is_set;
	struct fmpi_schema_set
		*ambiguous; /* where ambiguous types are listed; NULL: they are errors */
	bool is_again; /* one was listed: compile again */
	struct fmpi_schema_places places;
};

/* Copy a message of libxml2 without its internal terms. */
static void put_sentence(const char *message, char *out, size_t size)
{
	static const char xsd[] = "{" NS_XSD "}";
	size_t n = 0;

	if (strncmp(message, "Internal error", strlen("Internal error")) == 0)
		message = "libxml2 can't compile this schema; remove unused parts of it, or "
			  "split it";
	for (; *message && *message != '\n' && n + 4 < size; message++) {
		if (strncmp(message, xsd, sizeof(xsd) - 1) == 0) {
			memcpy(out + n, "xs:", 3);
			n += 3;
			message += sizeof(xsd) - 2;
		} else {
			out[n++] = *message;
		}
	}
	/* Drop the full stop: a hint may follow. */
	out[n - (n && out[n - 1] == '.')] = '\0';
}

static const char *find_hint(const struct load *l, const char *text)
{
	const char *at = strstr(text, "The QName value '{"), *end;
	char ns[256];

	if (!at || !strstr(text, "does not resolve"))
		return "";
	at += strlen("The QName value '{");
	end = strchr(at, '}');
	if (!end || end - at >= (ptrdiff_t)sizeof(ns))
		return "";
	snprintf(ns, sizeof(ns), "%.*s", (int)(end - at), at);
	return fmpi_schema_set_has(l->set, ns)
		       ? "; no document of that namespace that is imported here defines it"
		       : "; no document of that namespace is here: xs:import it with a schemaLocation";
}

/* Number of a complex type in its document; the text that libxml2 reads has them in our order. */
static unsigned count_types(const xmlNode *root, const xmlNode *until)
{
	unsigned count = 0;

	for (const xmlNode *n = root; n && n != until; n = fmpi_walk_next(root, n))
		count += fmpi_is(n, NS_XSD, "complexType");
	return count;
}

/* List a type whose content model libxml2 calls ambiguous. Return: false: that does not help. */
static bool list_ambiguous(struct fmpi_schema_set *s, const xmlNode *n,
			   const struct fmpi_schema_doc *d)
{
	const xmlNode *root;
	unsigned count;

	if (!d || !n || !fmpi_is(n, NS_XSD, "complexType") ||
	    s->n_ambiguous == FMPI_SCHEMA_AMBIGUOUS)
		return false;
	count = count_types(xmlDocGetRootElement(n->doc), n);
	root = xmlDocGetRootElement(d->doc);
	for (n = root; n; n = fmpi_walk_next(root, n))
		if (fmpi_is(n, NS_XSD, "complexType") && !count--)
			break;
	/* Twice: writing it otherwise did not help. */
	for (unsigned i = 0; n && i < s->n_ambiguous; i++)
		if (s->ambiguous[i] == n)
			return false;
	if (!n)
		return false;
	s->ambiguous[s->n_ambiguous++] = n;
	return true;
}

/*
 * May an ambiguous content model be written otherwise? libxml2 does not see the ambiguity of some
 * wildcards as they are. Return: false: it is an error.
 */
static bool keep_ambiguous(struct load *l, const xmlError *e, const struct fmpi_schema_doc *d)
{
	struct fmpi_schema_set *s = l->ambiguous;

	if (!s || e->code != XML_SCHEMAP_NOT_DETERMINISTIC)
		return false;
	if (!list_ambiguous(s, e->node, d)) {
		if (s->plain_wildcards)
			return false;
		s->plain_wildcards = true;
	}
	return l->is_again = true;
}

static void on_schema_error(void *ctx, fmpi_xml_error_arg e)
{
	struct load *l = ctx;
	const struct fmpi_schema_doc *d = e->file ? fmpi_schema_set_by_url(l->set, e->file) : NULL;
	char text[400];

	/*
	 * A missing import is a warning for libxml2, but would leave a part of the schema
	 * unchecked.
	 */
	if (l->is_set ||
	    (e->level <= XML_ERR_WARNING && e->code != XML_SCHEMAP_WARN_UNLOCATED_SCHEMA))
		return;
	if (keep_ambiguous(l, e, d))
		return;
	l->is_set = true;
	put_sentence(e->message ? e->message : "invalid schema", text, sizeof(text));
	fmp_error_at(l->err, FMP_ERR_SCHEMA, d ? d->file : l->path,
		     d && e->line > 0 ? (unsigned)e->line : 0, 0, "%s%s", text, find_hint(l, text));
}

static xmlSchemaPtr compile_schema(struct load *l)
{
	xmlSchemaParserCtxtPtr ctxt =
		xmlSchemaNewMemParserCtxt(l->texts->whole, l->texts->whole_len);
	xmlSchemaPtr out;

	if (!ctxt)
		return NULL;
	xmlSchemaSetParserStructuredErrors(ctxt, on_schema_error, l);
	fmpi_entity_loader_serve(l->texts->part, l->texts->n);
	out = xmlSchemaParse(ctxt);
	fmpi_entity_loader_serve(NULL, 0);
	xmlSchemaFreeParserCtxt(ctxt);
	return out;
}

/*
 * Compile a second time without patterns, only if long texts need that: it takes as much memory as
 * the first.
 */
static int compile_without_patterns(struct load *l, struct fmpi_schema_set *set, const char *ns,
				    struct fmpi_schema *s)
{
	const struct fmpi_schema_features features = fmpi_schema_features_find(set);
	struct fmpi_schema_texts texts;

	s->ids = features.ids;
	s->qnames = features.qnames;
	if (!features.lengths || !(features.patterns || s->has_unreadable))
		return 0;
	if (fmpi_schema_texts_make(set, ns, true, &texts))
		return fmp_error_set(l->err, FMP_ERR_NOMEM, "no memory for the schema %s", l->path);
	l->texts = &texts;
	s->no_patterns = compile_schema(l);
	fmpi_schema_texts_clear(&texts);
	return 0;
}

/* @ns: as for fmpi_schema_texts_make() */
static int compile_both(struct load *l, struct fmpi_schema_set *set, const char *ns,
			struct fmpi_schema *s)
{
	struct fmpi_schema_texts texts;

	l->set = set;
	l->texts = &texts;
	l->ambiguous = set;
	do {
		if (fmpi_schema_texts_make(set, ns, false, &texts))
			return fmp_error_set(l->err, FMP_ERR_NOMEM, "no memory for the schema %s",
					     l->path);
		s->has_unreadable = texts.has_unreadable;
		l->is_again = false;
		s->compiled = compile_schema(l);
		/*
		 * Each turn lists at least one type more, at most FMPI_SCHEMA_AMBIGUOUS, or gives up
		 * on wildcards.
		 */
		if (!l->is_again || l->is_set)
			break;
		xmlSchemaFree(s->compiled);
		s->compiled = NULL;
		fmpi_schema_texts_clear(&texts);
	} while (true);
	l->ambiguous = NULL;
	fmpi_schema_texts_clear(&texts);
	if (s->compiled && !l->is_set && compile_without_patterns(l, set, ns, s))
		return FMP_ERR_NOMEM;
	if (fmpi_strict_collect(set, &s->strict))
		return fmp_error_set(l->err, FMP_ERR_NOMEM, "no memory for the schema %s", l->path);
	if (s->compiled && !l->is_set)
		return 0;
	if (!l->is_set)
		fmp_error_at(l->err, FMP_ERR_SCHEMA, l->path, 0, 0,
			     "libxml2 can't compile this schema");
	return FMP_ERR_SCHEMA;
}

static int load_wsdl(struct load *l, const char *port, struct fmpi_schema *s)
{
	int ret;

	fmpi_entity_loader_confine(l->places.folder);
	ret = fmpi_wsdl_read(l->path, &l->places, port, &s->wsdl, l->err);
	fmpi_entity_loader_confine(NULL);
	if (ret)
		return ret;
	s->set = s->wsdl->types;
	s->wsdl->types = (struct fmpi_schema_set){ 0 };
	fmpi_wsdl_close(s->wsdl);
	return compile_both(l, &s->set, NULL, s);
}

static int load_xsd(struct load *l, xmlDoc *doc, const char *real, struct fmpi_schema *s)
{
	const char *ns = fmpi_attribute(xmlDocGetRootElement(doc), NULL, "targetNamespace");
	int ret;

	s->set.places = &l->places;
	ret = fmpi_schema_set_add(&s->set, doc, real, l->err);
	fmpi_entity_loader_confine(l->places.folder);
	if (!ret)
		ret = fmpi_schema_set_complete(&s->set, l->err);
	if (!ret)
		ret = fmpi_schema_unread_check(&s->set, l->err);
	fmpi_entity_loader_confine(NULL);
	return ret ? ret : compile_both(l, &s->set, ns ? ns : "", s);
}

static int refuse_root(const struct load *l, const xmlNode *root)
{
	const char *ns = root->ns ? (const char *)root->ns->href : "";

	return fmp_error_at(l->err, FMP_ERR_SCHEMA, l->path, fmpi_line(root), 0,
			    "its root element is %.60s of namespace \"%.100s\": %s",
			    (const char *)root->name, ns,
			    strcmp(ns, NS_WSDL20) == 0
				    ? "WSDL 2.0 is not read, give a WSDL 1.1 or an XML Schema"
				    : "give an XML Schema (xs:schema) or a WSDL 1.1 (definitions)");
}

static int load_root(struct load *l, xmlDoc *doc, const char *real, const char *port,
		     struct fmpi_schema *s)
{
	const xmlNode *root = xmlDocGetRootElement(doc);
	int ret;

	if (fmpi_is(root, NS_XSD, "schema"))
		return load_xsd(l, doc, real, s);
	ret = fmpi_is(root, NS_WSDL, "definitions") ? 0 : refuse_root(l, root);
	xmlFreeDoc(doc);
	return ret ? ret : load_wsdl(l, port, s);
}

static int load_document(struct load *l, const struct fmpi_schema_source *source,
			 struct fmpi_schema *s)
{
	char *real = realpath(l->path, NULL), *folder = real ? fmpi_path_parent(real) : NULL;
	char *around = source->around ? realpath(source->around, NULL) : NULL;
	struct fmpi_catalog *catalog = NULL;
	xmlDoc *doc;
	int ret = 0;

	if (!real)
		return fmp_error_sys(l->err, FMP_ERR_IO, errno, "cannot read the schema %s",
				     l->path);
	if (source->catalog)
		ret = fmpi_catalog_load(source->catalog, &catalog, l->err);
	l->places = (struct fmpi_schema_places){ folder, around, catalog };
	fmpi_entity_loader_confine(folder);
	if (!ret)
		ret = folder ? fmpi_schema_read(real, "schema", &doc, l->err)
			     : fmp_error_set(l->err, FMP_ERR_NOMEM, "no memory for the schema %s",
					     l->path);
	fmpi_entity_loader_confine(NULL);
	if (!ret)
		ret = load_root(l, doc, real, source->port, s);
	s->set.places = NULL;
	fmpi_catalog_free(catalog);
	free(around);
	free(folder);
	free(real);
	return ret;
}

int fmpi_schema_load(const struct fmpi_schema_source *source, struct fmpi_schema **out,
		     struct fmp_error *err)
{
	const char *path = source->path;
	struct load l = { .err = err, .path = path };
	struct fmpi_schema *s;
	int ret;

	*out = NULL;
	if (access(path, R_OK) != 0)
		return fmp_error_sys(err, FMP_ERR_IO, errno, "cannot read the schema %s", path);
	s = calloc(1, sizeof(*s));
	ret = s ? load_document(&l, source, s)
		: fmp_error_set(err, FMP_ERR_NOMEM, "no memory for the schema %s", path);
	if (ret)
		fmpi_schema_free(s);
	else
		*out = s;
	return ret;
}

void fmpi_schema_free(struct fmpi_schema *s)
{
	if (!s)
		return;
	xmlSchemaFree(s->compiled);
	xmlSchemaFree(s->no_patterns);
	fmpi_wsdl_free(s->wsdl);
	fmpi_strict_clear(&s->strict);
	fmpi_schema_number_clear(&s->set);
	fmpi_schema_set_clear(&s->set);
	free(s);
}

bool fmpi_schema_has_unreadable(const struct fmpi_schema *s)
{
	return s->has_unreadable;
}

const struct fmpi_strict *fmpi_schema_strict(const struct fmpi_schema *s)
{
	return &s->strict;
}

bool fmpi_schema_has_ids(const struct fmpi_schema *s)
{
	return s->ids;
}

bool fmpi_schema_has_qnames(const struct fmpi_schema *s)
{
	return s->qnames;
}

bool fmpi_schema_declares(const struct fmpi_schema *s, const char *element)
{
	return xmlHashLookup(s->compiled->elemDecl, (const xmlChar *)element) != NULL;
}

const struct fmpi_wsdl *fmpi_schema_wsdl(const struct fmpi_schema *s)
{
	return s->wsdl;
}

bool fmpi_schema_note(const struct fmpi_schema *s, unsigned n, struct fmp_error *out)
{
	unsigned of_wsdl = s->wsdl ? s->wsdl->n_notes : 0;

	if (n >= of_wsdl + s->set.n_notes)
		return false;
	*out = n < of_wsdl ? s->wsdl->note[n] : s->set.note[n - of_wsdl];
	return true;
}
