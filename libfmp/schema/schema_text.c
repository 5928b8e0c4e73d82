// SPDX-License-Identifier: GPL-2.0
#include "schema_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "xml/document.h"
#include "xml/names.h"
#include "schema_number.h"
#include "schema_particle.h"

/* URL of all documents of a namespace; the number is that of its first document. */
#define NS_URL "fmp:ns%u"

struct writer {
	const struct fmpi_schema_set *s;
	const struct fmpi_schema_doc *d;
	const char
		*main_ns; /* namespace at which libxml2 starts, which nothing imports; NULL: none */
	FILE *f;
	size_t len; /* set when f is closed */
	unsigned line;
	bool has_unreadable;
	bool no_patterns; /* leave patterns out */
	bool no_memory;
};

static unsigned first_of(const struct fmpi_schema_set *s, const char *ns)
{
	unsigned i = 0;

	while (i < s->n && strcmp(s->docs[i].ns, ns) != 0)
		i++;
	return i;
}

static void put_escaped(struct writer *w, const char *text, bool in_value)
{
	for (; *text; text++) {
		if (*text == '<')
			fputs("&lt;", w->f);
		else if (*text == '&')
			fputs("&amp;", w->f);
		else if (*text == '>')
			fputs("&gt;", w->f);
		else if (*text == '"' || *text == '\r' ||
			 (in_value && (*text == '\n' || *text == '\t')))
			fprintf(w->f, "&#%d;", *text);
		else
			fputc(*text, w->f);
		w->line += !in_value && *text == '\n';
	}
}

static void put_attribute(struct writer *w, const char *prefix, const char *name, const char *value)
{
	fprintf(w->f, " %s%s%s=\"", prefix ? prefix : "", prefix ? ":" : "", name);
	put_escaped(w, value, true);
	fputc('"', w->f);
}

static void put_namespaces(struct writer *w, const xmlNode *n)
{
	for (const xmlNs *ns = n->nsDef; ns; ns = ns->next)
		put_attribute(w, ns->prefix ? "xmlns" : NULL,
			      ns->prefix ? (const char *)ns->prefix : "xmlns",
			      ns->href ? (const char *)ns->href : "");
}

/*
 * Write the location for an import (all documents of its namespace) or for an include or redefine
 * (one document).
 */
static void put_location(struct writer *w, const xmlNode *n)
{
	const struct fmpi_schema_doc *d = fmpi_schema_target(w->s, n);
	const char *ns = fmpi_attribute(n, NULL, "namespace");
	char url[24];
	unsigned at;

	if (!fmpi_is(n, NS_XSD, "import")) {
		if (d)
			put_attribute(w, NULL, "schemaLocation", d->url);
		return;
	}
	at = first_of(w->s, ns ? ns : "");
	if (at == w->s->n || (w->main_ns && strcmp(ns ? ns : "", w->main_ns) == 0))
		return;
	snprintf(url, sizeof(url), NS_URL, at);
	put_attribute(w, NULL, "schemaLocation", url);
}

/*
 * libxml2 2.9.14 takes only the first and the last character of each block of ideographs and
 * syllables for a letter (\\p{L}, \\p{Lo}). These are the blocks of Unicode 13.
 */
#define IDEOGRAPHS                                            \
	"\xe3\x90\x80-\xe4\xb6\xbf" /* U+3400-4DBF */         \
	"\xe4\xb8\x80-\xe9\xbf\xbc" /* 4E00-9FFC */           \
	"\xea\xb0\x80-\xed\x9e\xa3" /* AC00-D7A3: Hangul */   \
	"\xf0\xa0\x80\x80-\xf0\xaa\x9b\x9d" /* 20000-2A6DD */ \
	"\xf0\xaa\x9c\x80-\xf0\xae\xaf\xa0" /* 2A700-2EBE0 */ \
	"\xf0\xb0\x80\x80-\xf0\xb1\x8d\x8a" /* 30000-3134A */

/* Length of "\\p{L}", "\\p{Lo}" or the same with P; 0: something else. */
static size_t measure_letters(const char *p)
{
	if (p[0] != '\\' || (p[1] != 'p' && p[1] != 'P') || p[2] != '{' || p[3] != 'L')
		return 0;
	return p[4] == '}' ? 5 : p[4] == 'o' && p[5] == '}' ? 6 : 0;
}

/* Add the ideographs: in a character class of their own, or in the class around it. */
static void put_letters(FILE *f, const char *p, size_t len, bool is_in_class)
{
	bool is_not = p[1] == 'P', is_before = is_in_class && p[len] == '-';

	/* A negated property inside a class can't be extended. */
	if (is_in_class && is_not) {
		fprintf(f, "%.*s", (int)len, p);
		return;
	}
	/* A '-' behind the last of them would make a range. */
	fprintf(f, "%s%s\\p%.*s%s%s",
		is_in_class ? ""
		: is_not    ? "[^"
			    : "[",
		is_before ? IDEOGRAPHS : "", (int)len - 2, p + 2, is_before ? "" : IDEOGRAPHS,
		is_in_class ? "" : "]");
}

/* Return: the pattern for libxml2, for free(); NULL: out of memory. */
static char *rewrite_pattern(const char *p)
{
	unsigned classes = 0;
	char *out = NULL;
	size_t size, len;
	FILE *f = open_memstream(&out, &size);

	if (!f)
		return NULL;
	for (; *p; p += len) {
		len = measure_letters(p);
		if (len) {
			put_letters(f, p, len, classes);
			continue;
		}
		len = *p == '\\' && p[1] ? 2 : 1;
		classes += *p == '[';
		classes -= *p == ']' && classes;
		fwrite(p, 1, len, f);
	}
	if (fclose(f) == 0)
		return out;
	free(out);
	return NULL;
}

static void put_pattern(struct writer *w, const char *pattern)
{
	char *text = rewrite_pattern(pattern);

	w->no_memory = w->no_memory || !text;
	put_attribute(w, NULL, "value", text ? text : pattern);
	free(text);
}

static bool is_reference(const xmlNode *n)
{
	return fmpi_is(n, NS_XSD, "import") || fmpi_is(n, NS_XSD, "include") ||
	       fmpi_is(n, NS_XSD, "redefine");
}

static void put_occurs(struct writer *w, const xmlNode *n)
{
	const char *min = fmpi_attribute(n, NULL, "minOccurs");

	if (fmpi_particle_of(w->s, w->d->ns, n) == FMPI_PARTICLE_REPEATED) {
		fputs(" minOccurs=\"0\" maxOccurs=\"unbounded\"", w->f);
		return;
	}
	if (min)
		put_attribute(w, NULL, "minOccurs", min);
	put_attribute(w, NULL, "maxOccurs", fmpi_attribute(n, NULL, "maxOccurs"));
}

static void put_attributes(struct writer *w, const xmlNode *n)
{
	bool is_import = is_reference(n);
	bool is_repeated = fmpi_particle_is_wrapped(w->s, w->d->ns, n);
	enum fmpi_particle particle = fmpi_particle_of(w->s, w->d->ns, n);

	for (const xmlAttr *a = n->properties; a; a = a->next) {
		const char *prefix = a->ns ? (const char *)a->ns->prefix : NULL;

		if (is_import && !a->ns && strcmp((const char *)a->name, "schemaLocation") == 0)
			continue;
		if (!a->ns && (is_repeated || particle == FMPI_PARTICLE_REPEATED) &&
		    strstr((const char *)a->name, "Occurs"))
			continue;
		if (!a->ns && particle == FMPI_PARTICLE_ONCE &&
		    strcmp((const char *)a->name, "maxOccurs") == 0)
			continue;
		if (!a->ns && fmpi_schema_omits_value(w->s, n, (const char *)a->name))
			continue;
		if (!a->ns && fmpi_is(n, NS_XSD, "pattern") &&
		    strcmp((const char *)a->name, "value") == 0)
			put_pattern(w, fmpi_attribute_value(a));
		else
			put_attribute(w, prefix, (const char *)a->name, fmpi_attribute_value(a));
	}
	if (is_import)
		put_location(w, n);
	if (particle == FMPI_PARTICLE_REPEATED && !is_repeated)
		put_occurs(w, n);
	if (particle == FMPI_PARTICLE_ONCE && fmpi_attribute(n, NULL, "minOccurs"))
		put_attribute(w, NULL, "maxOccurs", fmpi_attribute(n, NULL, "minOccurs"));
}

/* libxml2 gives an element the line where its start tag ends. */
static void put_start(struct writer *w, const xmlNode *n)
{
	const char *prefix = n->ns ? (const char *)n->ns->prefix : NULL;

	fprintf(w->f, "<%s%s%s", prefix ? prefix : "", prefix ? ":" : "", (const char *)n->name);
	put_namespaces(w, n);
	put_attributes(w, n);
	for (; w->line < fmpi_line(n); w->line++)
		fputc('\n', w->f);
	fputs(n->children ? ">" : "/>", w->f);
}

static void put_end(struct writer *w, const xmlNode *n)
{
	const char *prefix = n->ns ? (const char *)n->ns->prefix : NULL;

	fprintf(w->f, "</%s%s%s>", prefix ? prefix : "", prefix ? ":" : "", (const char *)n->name);
}

/*
 * A document that includes itself adds nothing. An import of its own namespace does neither: the
 * document is one of that namespace (write_namespace()), and libxml2 refuses the import.
 */
static bool is_self_include(const struct writer *w, const xmlNode *n)
{
	const char *ns = fmpi_attribute(n, NULL, "namespace");

	if (fmpi_is(n, NS_XSD, "import"))
		return strcmp(ns ? ns : "", w->d->ns) == 0;
	return fmpi_is(n, NS_XSD, "include") && fmpi_schema_target(w->s, n) == w->d;
}

/*
 * Replace facets with numbers that libxml2 can't read by a pattern that no value matches.
 * schema_number.c, which has all facets, then checks each value.
 */
static void put_unreadable(struct writer *w, const xmlNode *n)
{
	const char *prefix = n->ns ? (const char *)n->ns->prefix : NULL;

	w->has_unreadable = true;
	if (w->no_patterns)
		return;
	fprintf(w->f, "<%s%spattern value=\"" FMPI_UNREADABLE "\"/>", prefix ? prefix : "",
		prefix ? ":" : "");
}

static void put_tree(struct writer *w, const xmlNode *n);

static void put_children(struct writer *w, const xmlNode *n)
{
	bool is_unreadable = fmpi_schema_is_unreadable(w->s, n), is_written = false;

	for (const xmlNode *c = n->children; c; c = c->next) {
		if (!is_unreadable || !fmpi_schema_is_facet(c))
			put_tree(w, c);
		else if (!is_written)
			put_unreadable(w, c);
		is_written = is_written || (is_unreadable && fmpi_schema_is_facet(c));
	}
}

static void put_around_wildcard(struct writer *w, const xmlNode *n, bool is_start)
{
	const char *prefix = n->ns ? (const char *)n->ns->prefix : NULL;

	fprintf(w->f, "<%s%s%ssequence", is_start ? "" : "/", prefix ? prefix : "",
		prefix ? ":" : "");
	/* The wildcard may declare the prefix that it has. */
	if (is_start) {
		put_namespaces(w, n);
		put_occurs(w, n);
	}
	fputc('>', w->f);
}

static void put_tree(struct writer *w, const xmlNode *n)
{
	if (n->type == XML_TEXT_NODE)
		put_escaped(w, (const char *)n->content, false);
	if (n->type != XML_ELEMENT_NODE || is_self_include(w, n) ||
	    fmpi_particle_of(w->s, w->d->ns, n) == FMPI_PARTICLE_LEFT_OUT ||
	    (w->no_patterns && fmpi_is(n, NS_XSD, "pattern")))
		return;
	if (fmpi_particle_is_wrapped(w->s, w->d->ns, n))
		put_around_wildcard(w, n, true);
	put_start(w, n);
	put_children(w, n);
	if (n->children)
		put_end(w, n);
	if (fmpi_particle_is_wrapped(w->s, w->d->ns, n))
		put_around_wildcard(w, n, false);
}

static void put_imports(struct writer *w, const char *but)
{
	for (unsigned i = 0; i < w->s->n; i++) {
		const char *ns = w->s->docs[i].ns;
		char url[24];

		if (first_of(w->s, ns) != i || (but && strcmp(ns, but) == 0))
			continue;
		fputs("<xs:import", w->f);
		if (*ns)
			put_attribute(w, NULL, "namespace", ns);
		snprintf(url, sizeof(url), NS_URL, i);
		put_attribute(w, NULL, "schemaLocation", url);
		fputs("/>", w->f);
	}
}

static void put_root(struct writer *w, const char *ns)
{
	fputs("<xs:schema xmlns:xs=\"" NS_XSD "\"", w->f);
	if (*ns)
		put_attribute(w, NULL, "targetNamespace", ns);
	fputs(">", w->f);
}

static void put_includes(struct writer *w, const char *ns)
{
	for (unsigned i = 0; i < w->s->n; i++)
		if (w->s->docs[i].is_top && strcmp(w->s->docs[i].ns, ns) == 0)
			fprintf(w->f, "<xs:include schemaLocation=\"%s\"/>", w->s->docs[i].url);
}

/* ---- texts ---- */

static bool open_writer(struct writer *w, char **text)
{
	*text = NULL;
	w->line = 1;
	w->f = open_memstream(text, &w->len);
	return w->f;
}

static bool close_writer(struct writer *w, int *out)
{
	bool good = !ferror(w->f) && !w->no_memory;

	good = !fclose(w->f) && good;
	*out = (int)w->len;
	return good;
}

static bool write_doc(struct writer *w, struct fmpi_entity_loader_text *out)
{
	snprintf(out->path, sizeof(out->path), "%s", w->d->url);
	if (!open_writer(w, &out->bytes))
		return false;
	put_tree(w, xmlDocGetRootElement(w->d->doc));
	return close_writer(w, &out->len);
}

static bool write_namespace(struct writer *w, unsigned i, struct fmpi_entity_loader_text *out)
{
	snprintf(out->path, sizeof(out->path), NS_URL, i);
	if (!open_writer(w, &out->bytes))
		return false;
	put_root(w, w->d->ns);
	put_includes(w, w->d->ns);
	fputs("</xs:schema>", w->f);
	return close_writer(w, &out->len);
}

static bool write_whole(struct writer *w, struct fmpi_schema_texts *out)
{
	if (!open_writer(w, &out->whole))
		return false;
	/* Its own namespace: a schema without one can't import documents without one. */
	put_root(w, w->main_ns ? w->main_ns : "urn:fmp:wsdl");
	if (w->main_ns)
		put_includes(w, w->main_ns);
	put_imports(w, w->main_ns);
	fputs("</xs:schema>", w->f);
	return close_writer(w, &out->whole_len);
}

int fmpi_schema_texts_make(const struct fmpi_schema_set *s, const char *ns, bool no_patterns,
			   struct fmpi_schema_texts *out)
{
	struct writer w = { .s = s, .main_ns = ns, .no_patterns = no_patterns };
	bool good;

	*out = (struct fmpi_schema_texts){ .part = calloc(2 * s->n + 1, sizeof(*out->part)) };
	good = out->part && write_whole(&w, out);
	for (unsigned i = 0; i < s->n && good; i++) {
		w.d = &s->docs[i];
		good = write_doc(&w, &out->part[out->n++]);
		if (good && first_of(s, w.d->ns) == i)
			good = write_namespace(&w, i, &out->part[out->n++]);
	}
	out->has_unreadable = w.has_unreadable;
	if (good)
		return 0;
	fmpi_schema_texts_clear(out);
	return FMP_ERR_NOMEM;
}

void fmpi_schema_texts_clear(struct fmpi_schema_texts *t)
{
	for (unsigned i = 0; i < t->n; i++)
		free(t->part[i].bytes);
	free(t->part);
	free(t->whole);
	*t = (struct fmpi_schema_texts){ 0 };
}
