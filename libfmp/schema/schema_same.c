// SPDX-License-Identifier: GPL-2.0
#include "schema_same.h"

#include <string.h>

#include "xml/document.h"
#include "xml/names.h"

static bool have_same_text(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

static const char *find_namespace(const xmlNode *n, const char *word, size_t len)
{
	const char *colon = memchr(word, ':', len);
	xmlChar *prefix = colon ? xmlStrndup((const xmlChar *)word, (int)(colon - word)) : NULL;
	const xmlNs *ns = xmlSearchNs(n->doc, (xmlNode *)n, prefix);

	xmlFree(prefix);
	return ns && ns->href ? (const char *)ns->href : NULL;
}

/* Is the attribute a QName or a list of them (XSD 1.0 part 1, 3.15.3)? */
static bool is_qname(const char *name)
{
	static const char *const all[] = { "type",     "ref",	      "base",
					   "itemType", "memberTypes", "substitutionGroup",
					   "refer" };

	for (unsigned i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (strcmp(name, all[i]) == 0)
			return true;
	return false;
}

/* Does each QName mean the same in both places? */
static bool mean_same(const xmlNode *a, const xmlNode *b, const char *text)
{
	static const char space[] = " \t\r\n";
	size_t len;

	for (text += strspn(text, space); *text; text += len + strspn(text + len, space)) {
		len = strcspn(text, space);
		if (!have_same_text(find_namespace(a, text, len), find_namespace(b, text, len)))
			return false;
	}
	return true;
}

static bool have_same_attributes(const xmlNode *a, const xmlNode *b)
{
	unsigned n = 0;

	for (const xmlAttr *of = b->properties; of; of = of->next)
		n++;
	for (const xmlAttr *of = a->properties; of; of = of->next, n--) {
		const char *ns = of->ns ? (const char *)of->ns->href : NULL;
		const char *name = (const char *)of->name, *text = fmpi_attribute(a, ns, name);

		if (!n || !text || !have_same_text(text, fmpi_attribute(b, ns, name)) ||
		    (is_qname(name) && !mean_same(a, b, text)))
			return false;
	}
	return !n;
}

static bool is_same_tree(const xmlNode *a, const xmlNode *b)
{
	const xmlNode *in_a, *in_b;

	/* Prefixes inside of an XPath are not compared. */
	if (!fmpi_is(a, NS_XSD, (const char *)b->name) ||
	    !fmpi_is(b, NS_XSD, (const char *)a->name) || fmpi_attribute(a, NULL, "xpath") ||
	    !have_same_attributes(a, b))
		return false;
	in_a = fmpi_first(a);
	in_b = fmpi_first(b);
	while (in_a && in_b && is_same_tree(in_a, in_b)) {
		in_a = fmpi_next(in_a);
		in_b = fmpi_next(in_b);
	}
	return !in_a && !in_b;
}

bool fmpi_schema_is_same(const xmlNode *a, const xmlNode *b)
{
	/* Without a target namespace, names without prefix are of the includer's. */
	static const char *const defaults[] = { "targetNamespace", "elementFormDefault",
						"attributeFormDefault", "blockDefault",
						"finalDefault" };

	for (unsigned i = 0; i < sizeof(defaults) / sizeof(defaults[0]); i++)
		if (!have_same_text(fmpi_attribute(xmlDocGetRootElement(a->doc), NULL, defaults[i]),
				    fmpi_attribute(xmlDocGetRootElement(b->doc), NULL,
						   defaults[i])))
			return false;
	return is_same_tree(a, b);
}
