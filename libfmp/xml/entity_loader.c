// SPDX-License-Identifier: GPL-2.0
#include "entity_loader.h"

#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/uri.h>
#include <libxml/xmlIO.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "document.h"
#include "names.h"

static xmlExternalEntityLoader default_loader;
static __thread bool loading_denied;
static __thread const char *confined;
static __thread bool escaped;
static __thread struct fmpi_schema_features *features;
static __thread const struct fmpi_entity_loader_text *served;
static __thread unsigned n_served;

/* Compare real paths: neither dots nor symbolic links lead out of the folder. */
static bool is_below(const char *url, const char *folder)
{
	const char *path = strncmp(url, "file:///", 8) == 0 ? url + 7 : url;
	char *plain = xmlURIUnescapeString(path, 0, NULL), *real;
	size_t n = strlen(folder);
	bool below;

	real = plain ? realpath(plain, NULL) : NULL;
	/* A file that does not exist gets "not found" from libxml2. */
	below = plain && (!real || (strncmp(real, folder, n) == 0 && (n == 1 || real[n] == '/')));
	free(real);
	xmlFree(plain);
	return below;
}

/* Compare local names in any namespace: a false match only costs an additional check. */
static bool contains_type(const char *s, const char *type)
{
	size_t want = strlen(type);

	while (*s) {
		size_t n = strcspn(s, " \t\r\n");

		if (n >= want && memcmp(s + n - want, type, want) == 0 &&
		    (n == want || s[n - want - 1] == ':'))
			return true;
		s += n;
		s += strspn(s, " \t\r\n");
	}
	return false;
}

static void record_types(const xmlNode *e)
{
	static const char *const attributes[] = { "type", "base", "itemType", "memberTypes" };

	for (size_t i = 0; i < sizeof(attributes) / sizeof(*attributes); i++) {
		xmlChar *names = xmlGetNoNsProp(e, (const xmlChar *)attributes[i]);

		if (!names)
			continue;
		features->ids = features->ids || contains_type((const char *)names, "ID");
		features->qnames = features->qnames ||
				   contains_type((const char *)names, "QName") ||
				   contains_type((const char *)names, "NOTATION");
		xmlFree(names);
	}
}

static void remove_patterns(xmlNode *top)
{
	for (xmlNode *n = top, *next; n; n = next) {
		next = fmpi_walk_next(top, n);
		record_types(n);
		if (fmpi_is(n, NS_XSD, "maxLength") || fmpi_is(n, NS_XSD, "length"))
			features->lengths = true;
		if (n == top || !fmpi_is(n, NS_XSD, "pattern"))
			continue;
		features->patterns = true;
		while (next && next->parent == n)
			next = fmpi_walk_next(top, next);
		xmlUnlinkNode(n);
		xmlFreeNode(n);
	}
}

static xmlParserInputPtr make_input(const char *url, const char *text, int len,
				    xmlParserCtxtPtr ctxt)
{
	xmlParserInputBufferPtr buffer =
		xmlParserInputBufferCreateMem(text, len, XML_CHAR_ENCODING_NONE);
	xmlParserInputPtr in = buffer ? xmlNewIOInputStream(ctxt, buffer, XML_CHAR_ENCODING_NONE)
				      : NULL;

	if (in)
		in->filename = (char *)xmlStrdup((const xmlChar *)url);
	else
		xmlFreeParserInputBuffer(buffer);
	return in;
}

static const struct fmpi_entity_loader_text *find_text(const char *url)
{
	for (unsigned i = 0; i < n_served; i++)
		if (strcmp(served[i].path, url) == 0)
			return &served[i];
	return NULL;
}

/* Return NULL if the file can't be read here: the compilation with patterns reports why. */
static xmlParserInputPtr load_without_patterns(const char *url, xmlParserCtxtPtr ctxt)
{
	struct fmpi_schema_features *const kept = features;
	xmlParserInputPtr in = NULL;
	xmlChar *text = NULL;
	int len = 0;
	xmlDoc *doc;

	features = NULL;
	doc = xmlReadFile(url, NULL, XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
	features = kept;
	if (doc && xmlDocGetRootElement(doc)) {
		remove_patterns(xmlDocGetRootElement(doc));
		xmlDocDumpMemory(doc, &text, &len);
	}
	xmlFreeDoc(doc);
	if (text)
		in = make_input(url, (char *)text, len, ctxt);
	xmlFree(text);
	return in;
}

/*
 * Every file that libxml2 opens by itself passes here: imports of a schema, but also what a message
 * asks for (xsi:schemaLocation). Options of a parser context do not reach all of these places.
 */
static xmlParserInputPtr load_entity(const char *url, const char *id, xmlParserCtxtPtr ctxt)
{
	const struct fmpi_entity_loader_text *text;

	if (loading_denied || !url)
		return NULL;
	if (strstr(url, "://") && strncmp(url, "file:///", 8) != 0)
		return NULL;
	if (served && features)
		return load_without_patterns(url, ctxt);
	if (served) {
		text = find_text(url);
		return text ? make_input(url, text->bytes, text->len, ctxt) : NULL;
	}
	if (confined && !is_below(url, confined)) {
		escaped = true;
		return NULL;
	}
	return default_loader(url, id, ctxt);
}

void fmpi_entity_loader_install(void)
{
	default_loader = xmlGetExternalEntityLoader();
	xmlSetExternalEntityLoader(load_entity);
}

void fmpi_entity_loader_remove(void)
{
	xmlSetExternalEntityLoader(default_loader);
}

bool fmpi_entity_loader_confine(const char *folder)
{
	bool escaped_before = escaped;

	confined = folder;
	escaped = false;
	return escaped_before;
}

void fmpi_entity_loader_strip_patterns(struct fmpi_schema_features *out)
{
	features = out;
}

void fmpi_entity_loader_serve(const struct fmpi_entity_loader_text *texts, unsigned n)
{
	served = texts;
	n_served = n;
}

void fmpi_entity_loader_forbid(bool forbid)
{
	loading_denied = forbid;
}
