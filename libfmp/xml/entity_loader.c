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

void fmpi_entity_loader_serve(const struct fmpi_entity_loader_text *texts, unsigned n)
{
	served = texts;
	n_served = n;
}

void fmpi_entity_loader_forbid(bool forbid)
{
	loading_denied = forbid;
}
