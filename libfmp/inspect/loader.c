// SPDX-License-Identifier: GPL-2.0
#include "inspect/loader.h"

#include <libxml/parser.h>
#include <libxml/uri.h>
#include <libxml/xmlIO.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static xmlExternalEntityLoader before;
static __thread bool loader_shut;
static __thread const char *confined;
static __thread bool strayed;

/* Where it really is: neither dots nor a link lead out. */
static bool is_below(const char *url, const char *folder)
{
	const char *path = strncmp(url, "file:///", 8) == 0 ? url + 7 : url;
	char *plain = xmlURIUnescapeString(path, 0, NULL), *real;
	size_t n = strlen(folder);
	bool below;

	real = plain ? realpath(plain, NULL) : NULL;
	/* What is nowhere is not found, and is told so. */
	below = plain && (!real || (strncmp(real, folder, n) == 0 && (n == 1 || real[n] == '/')));
	free(real);
	xmlFree(plain);
	return below;
}

/*
 * Every file that libxml2 opens on its own passes here: imports of a schema, but
 * also what a message asks for (xsi:schemaLocation). Options of a parser context
 * don't reach all of these places; this does.
 */
static xmlParserInputPtr load(const char *url, const char *id, xmlParserCtxtPtr ctxt)
{
	if (loader_shut || !url)
		return NULL;
	if (strstr(url, "://") && strncmp(url, "file:///", 8) != 0)
		return NULL;
	if (confined && !is_below(url, confined)) {
		strayed = true;
		return NULL;
	}
	return before(url, id, ctxt);
}

void fmpi_loader_install(void)
{
	before = xmlGetExternalEntityLoader();
	xmlSetExternalEntityLoader(load);
}

void fmpi_loader_remove(void)
{
	xmlSetExternalEntityLoader(before);
}

bool fmpi_loader_confine(const char *folder)
{
	bool before_now = strayed;

	confined = folder;
	strayed = false;
	return before_now;
}

void fmpi_loader_shut(bool shut)
{
	loader_shut = shut;
}
