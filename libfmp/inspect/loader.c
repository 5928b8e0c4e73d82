// SPDX-License-Identifier: GPL-2.0
#include "inspect/loader.h"

#include <libxml/parser.h>
#include <libxml/xmlIO.h>
#include <stddef.h>
#include <string.h>

static xmlExternalEntityLoader before;
static __thread bool loader_shut;

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

void fmpi_loader_shut(bool shut)
{
	loader_shut = shut;
}
