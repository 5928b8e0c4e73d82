// SPDX-License-Identifier: GPL-2.0
#include "describe/needs.h"

#include <stddef.h>
#include <string.h>

#include "xml/document.h"
#include "xml/names.h"

#define FLAG(member) offsetof(struct fmpi_needs, member)

/* Assertions of WS-SecurityPolicy 1.1 and 1.2. */
static const struct {
	const char *local;
	size_t flag;
} assertions[] = {
	{ "AsymmetricBinding", FLAG(is_signed) },
	{ "SymmetricBinding", FLAG(is_symmetric) },
	{ "TransportBinding", FLAG(transport) },
	{ "SignedParts", FLAG(is_signed) },
	{ "EncryptedParts", FLAG(is_encrypted) },
	{ "UsernameToken", FLAG(username) },
	{ "HashPassword", FLAG(password_digest) },
	{ "SamlToken", FLAG(saml) },
	{ "IssuedToken", FLAG(other_token) },
	{ "KerberosToken", FLAG(other_token) },
	{ "SecureConversationToken", FLAG(other_token) },
};

static void add_header(struct fmpi_needs *out, const char *ns, const char *local)
{
	if (!ns || !local || !*ns || out->n_headers == FMPI_NEEDS_HEADERS)
		return;
	for (unsigned i = 0; i < out->n_headers; i++)
		if (!strcmp(out->header[i].ns, ns) && !strcmp(out->header[i].local, local))
			return;
	out->header[out->n_headers].ns = ns;
	out->header[out->n_headers++].local = local;
}

/* A signed block of the application must reach the service; WS-Addressing is known anyway. */
static void read_signed_header(const xmlNode *n, struct fmpi_needs *out)
{
	const char *ns = fmpi_attribute(n, NULL, "Namespace");

	if (ns && strcmp(ns, NS_WSA) != 0 && strcmp(ns, NS_WSA2004) != 0)
		add_header(out, ns, fmpi_attribute(n, NULL, "Name"));
}

static void read_assertion(const xmlNode *n, struct fmpi_needs *out)
{
	const char *local = (const char *)n->name;

	for (size_t i = 0; i < sizeof(assertions) / sizeof(*assertions); i++)
		if (strcmp(local, assertions[i].local) == 0)
			*(bool *)((char *)out + assertions[i].flag) = true;
	if (strcmp(local, "Header") == 0 && n->parent &&
	    xmlStrEqual(n->parent->name, (const xmlChar *)"SignedParts"))
		read_signed_header(n, out);
}

void fmpi_needs_of_policies(const xmlDoc *doc, struct fmpi_needs *out)
{
	const xmlNode *root = xmlDocGetRootElement(doc);

	for (const xmlNode *n = root; n; n = fmpi_walk_next(root, n)) {
		if (fmpi_is_in_namespace(n, NS_SP11) || fmpi_is_in_namespace(n, NS_SP12))
			read_assertion(n, out);
		else if (fmpi_is(n, NS_WSAW, "UsingAddressing") ||
			 fmpi_is(n, NS_WSAM, "Addressing"))
			out->addressing = true;
		else if (fmpi_is(n, NS_WSOMA, "OptimizedMimeSerialization") ||
			 fmpi_attribute(n, NS_XMIME, "expectedContentTypes"))
			out->attachments = true;
	}
}

static const char *local_part(const char *qname)
{
	const char *colon = strchr(qname, ':');

	return colon ? colon + 1 : qname;
}

/* The component of this name in any document; its namespace is not compared. */
static const xmlNode *find_component(const xmlDoc *const *trees, unsigned n, const char *kind,
				     const char *qname)
{
	for (unsigned i = 0; i < n && qname; i++)
		for (const xmlNode *c = fmpi_first(xmlDocGetRootElement(trees[i])); c;
		     c = fmpi_next(c)) {
			const char *name = fmpi_attribute(c, NULL, "name");

			if (fmpi_is(c, NS_WSDL, kind) && name &&
			    strcmp(name, local_part(qname)) == 0)
				return c;
		}
	return NULL;
}

/* soap:header names a part of a message, and that an element. */
static void read_bound_header(const xmlNode *header, const xmlDoc *const *trees, unsigned n,
			      struct fmpi_needs *out)
{
	const xmlNode *message =
		find_component(trees, n, "message", fmpi_attribute(header, NULL, "message"));
	const char *want = fmpi_attribute(header, NULL, "part");

	for (const xmlNode *part = message ? fmpi_first(message) : NULL; part && want;
	     part = fmpi_next(part)) {
		const char *name = fmpi_attribute(part, NULL, "name"),
			   *element = fmpi_attribute(part, NULL, "element");
		const char *colon = element ? strchr(element, ':') : NULL;
		xmlChar *prefix;
		const xmlNs *ns;

		if (!name || strcmp(name, want) != 0 || !element)
			continue;
		prefix = colon ? xmlStrndup((const xmlChar *)element, (int)(colon - element))
			       : NULL;
		ns = xmlSearchNs(part->doc, (xmlNode *)part, prefix);
		xmlFree(prefix);
		add_header(out, ns ? (const char *)ns->href : NULL, local_part(element));
	}
}

static bool is_below(const xmlNode *n, const char *local)
{
	for (; n && n->type == XML_ELEMENT_NODE; n = n->parent)
		if (fmpi_is(n, NS_WSDL, local))
			return true;
	return false;
}

static bool is_one_way(const xmlNode *operation)
{
	for (const xmlNode *n = fmpi_first(operation); n; n = fmpi_next(n))
		if (fmpi_is(n, NS_WSDL, "output"))
			return false;
	return true;
}

void fmpi_needs_of_binding(const xmlNode *binding, const xmlDoc *const *trees, unsigned n,
			   struct fmpi_needs *out)
{
	for (const xmlNode *e = binding; e; e = fmpi_walk_next(binding, e)) {
		if ((fmpi_is(e, NS_WSDL_SOAP, "header") || fmpi_is(e, NS_WSDL_SOAP12, "header")) &&
		    is_below(e, "input"))
			read_bound_header(e, trees, n, out);
		else if (fmpi_is(e, NS_WSDL_MIME, "multipartRelated"))
			out->attachments = true;
		else if (fmpi_is(e, NS_WSDL, "operation") && is_one_way(e))
			out->one_way = true;
	}
}
