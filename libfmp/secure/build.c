// SPDX-License-Identifier: GPL-2.0
#include "secure/build.h"

#include <openssl/evp.h>
#include <openssl/rand.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "xml/names.h"

/* Attempts to find a free prefix. */
#define PREFIXES 10

xmlNode *fmpi_build_element(struct fmpi_build *b, xmlNode *parent, xmlNs *ns, const char *name,
			    const char *text)
{
	xmlNode *n = NULL;

	/* Escapes the text; xmlNewChild() does not. */
	if (parent && ns)
		n = xmlNewTextChild(parent, ns, (const xmlChar *)name, (const xmlChar *)text);
	b->failed |= !n;
	return n;
}

xmlNode *fmpi_build_base64(struct fmpi_build *b, xmlNode *parent, xmlNs *ns, const char *name,
			   const void *bytes, size_t len)
{
	char *text = malloc((len + 2) / 3 * 4 + 1);
	xmlNode *n = NULL;

	b->failed |= !text;
	if (text) {
		EVP_EncodeBlock((uint8_t *)text, bytes, (int)len);
		n = fmpi_build_element(b, parent, ns, name, text);
	}
	free(text);
	return n;
}

void fmpi_build_attribute(struct fmpi_build *b, xmlNode *element, xmlNs *ns, const char *name,
			  const char *value)
{
	b->failed |= !element ||
		     !xmlSetNsProp(element, ns, (const xmlChar *)name, (const xmlChar *)value);
}

xmlNs *fmpi_build_prefix(struct fmpi_build *b, xmlNode *element, const char *uri,
			 const char *prefix)
{
	char name[16];
	xmlNs *ns;

	if (!element) {
		b->failed = true;
		return NULL;
	}
	ns = xmlSearchNsByHref(element->doc, element, (const xmlChar *)uri);
	if (ns && ns->prefix)
		return ns;
	/* Redeclaring a prefix would break its uses below. */
	for (unsigned i = 0; i < PREFIXES; i++) {
		snprintf(name, sizeof(name), i ? "%.12s%u" : "%.12s", prefix, i);
		if (!xmlSearchNs(element->doc, element, (const xmlChar *)name)) {
			ns = xmlNewNs(element, (const xmlChar *)uri, (const xmlChar *)name);
			b->failed |= !ns;
			return ns;
		}
	}
	b->failed = true;
	return NULL;
}

void fmpi_build_name(struct fmpi_build *b, char id[FMPI_ID])
{
	uint8_t bytes[12];

	b->failed |= RAND_bytes(bytes, sizeof(bytes)) != 1;
	/* No NCName begins with a digit. */
	id[0] = 'f';
	id[1] = '-';
	for (size_t i = 0; i < sizeof(bytes); i++)
		snprintf(id + 2 + 2 * i, 3, "%02x", bytes[i]);
}

void fmpi_build_id(struct fmpi_build *b, xmlNode *element, char id[FMPI_ID])
{
	xmlNs *wsu = fmpi_build_prefix(b, element, NS_WSU, "wsu");
	xmlAttr *attr;

	fmpi_build_name(b, id);
	if (b->failed)
		return;
	attr = xmlSetNsProp(element, wsu, (const xmlChar *)"Id", (const xmlChar *)id);
	/* sign.c looks elements up by Id. */
	b->failed |= !attr || !xmlAddID(NULL, element->doc, (const xmlChar *)id, attr);
}

void fmpi_build_reference(struct fmpi_build *b, xmlNode *parent, const char *id,
			  const char *value_type, const char *token_type)
{
	xmlNode *info = fmpi_build_element(b, parent, b->ds, "KeyInfo", NULL);
	xmlNode *str = fmpi_build_element(b, info, b->wsse, "SecurityTokenReference", NULL);
	xmlNode *ref = fmpi_build_element(b, str, b->wsse, "Reference", NULL);
	char uri[FMPI_ID + 1];

	snprintf(uri, sizeof(uri), "#%s", id);
	if (token_type)
		fmpi_build_attribute(b, str, b->wsse11, "TokenType", token_type);
	fmpi_build_attribute(b, ref, NULL, "URI", uri);
	if (value_type)
		fmpi_build_attribute(b, ref, NULL, "ValueType", value_type);
}
