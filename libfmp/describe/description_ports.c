// SPDX-License-Identifier: GPL-2.0
#include "describe/description_ports.h"

#include <string.h>

#include "xml/document.h"
#include "xml/names.h"

struct choice {
	const char *port;
	bool literal;
	const xmlDoc *const *trees;
	unsigned n;
};

/* The address of SOAP 1.1 or 1.2; NULL: the port is of another protocol. */
static xmlNode *find_address(const xmlNode *port)
{
	for (xmlNode *n = fmpi_first(port); n; n = fmpi_next(n))
		if (fmpi_is(n, NS_WSDL_SOAP, "address") || fmpi_is(n, NS_WSDL_SOAP12, "address"))
			return n;
	return NULL;
}

static const char *local_part(const char *qname)
{
	const char *colon = strchr(qname, ':');

	return colon ? colon + 1 : qname;
}

static bool is_named(const xmlNode *n, const char *kind, const char *name)
{
	const char *is = fmpi_attribute(n, NULL, "name");

	return fmpi_is(n, NS_WSDL, kind) && is && strcmp(is, name) == 0;
}

/* Is each operation of the binding encoded? Single ones are left out when messages are checked. */
static bool is_encoded_binding(const xmlNode *binding)
{
	bool encoded = false;

	for (const xmlNode *n = binding; n; n = fmpi_walk_next(binding, n)) {
		const char *use = fmpi_attribute(n, NULL, "use");

		if (!fmpi_is(n, NS_WSDL_SOAP, "body") && !fmpi_is(n, NS_WSDL_SOAP12, "body"))
			continue;
		if (!use || strcmp(use, "encoded") != 0)
			return false;
		encoded = true;
	}
	return encoded;
}

static bool is_encoded(const struct choice *c, const xmlNode *port)
{
	const char *binding = fmpi_attribute(port, NULL, "binding");

	for (unsigned i = 0; i < c->n && binding; i++) {
		const xmlNode *root = xmlDocGetRootElement(c->trees[i]);

		for (const xmlNode *n = fmpi_first(root); n; n = fmpi_next(n))
			if (is_named(n, "binding", local_part(binding)))
				return is_encoded_binding(n);
	}
	return false;
}

static bool is_offered(const struct choice *c, const xmlNode *port)
{
	const char *name = fmpi_attribute(port, NULL, "name");

	if (!find_address(port) || (*c->port && (!name || strcmp(name, c->port) != 0)))
		return false;
	return !c->literal || !is_encoded(c, port);
}

/* The address, and the one of an endpoint reference beside it (WS-Addressing 1.0 Metadata 4.1). */
static bool open_address(xmlNode *port)
{
	const xmlChar *here = (const xmlChar *)FMPI_DESCRIPTION_HERE;

	for (xmlNode *n = port; n; n = fmpi_walk_next(port, n))
		if (fmpi_is(n, NS_WSA, "Address") || fmpi_is(n, NS_WSA2004, "Address"))
			xmlNodeSetContent(n, here);
	return xmlSetProp(find_address(port), (const xmlChar *)"location", here);
}

static bool keep_ports_of(xmlNode *service, const struct choice *c)
{
	xmlNode *next;

	for (xmlNode *n = fmpi_first(service); n; n = next) {
		next = fmpi_next(n);
		if (!fmpi_is(n, NS_WSDL, "port"))
			continue;
		if (is_offered(c, n)) {
			if (!open_address(n))
				return false;
			continue;
		}
		xmlUnlinkNode(n);
		xmlFreeNode(n);
	}
	return true;
}

bool fmpi_description_keep_ports(xmlDoc *doc, const char *port, bool literal,
				 const xmlDoc *const *trees, unsigned n)
{
	const struct choice c = { .port = port, .literal = literal, .trees = trees, .n = n };
	xmlNode *root = xmlDocGetRootElement(doc);

	for (xmlNode *s = fmpi_first(root); s; s = fmpi_next(s))
		if (fmpi_is(root, NS_WSDL, "definitions") && fmpi_is(s, NS_WSDL, "service") &&
		    !keep_ports_of(s, &c))
			return false;
	return true;
}
