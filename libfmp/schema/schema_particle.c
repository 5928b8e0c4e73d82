// SPDX-License-Identifier: GPL-2.0
/* How an element or wildcard of an ambiguous content model is written, so that libxml2 compiles it. */
#include "schema_particle.h"

#include <string.h>

#include "xml/document.h"
#include "xml/names.h"

static bool is_in_ambiguous(const struct fmpi_schema_set *s, const xmlNode *n)
{
	while (n && !fmpi_is(n, NS_XSD, "complexType"))
		n = n->parent && n->parent->type == XML_ELEMENT_NODE ? n->parent : NULL;
	for (unsigned i = 0; n && i < s->n_ambiguous; i++)
		if (s->ambiguous[i] == n)
			return true;
	return false;
}

static const char *namespace_of_element(const struct fmpi_schema_set *s, const char *own,
					const xmlNode *n)
{
	const char *ref = fmpi_attribute(n, NULL, "ref"), *form = fmpi_attribute(n, NULL, "form");
	const char *ns = "";

	if (ref)
		return fmpi_schema_qname(s, n, ref, &ns) ? ns : "";
	if (!form)
		form = fmpi_attribute(xmlDocGetRootElement(n->doc), NULL, "elementFormDefault");
	return form && strcmp(form, "qualified") == 0 ? own : "";
}

/* Does the wildcard cover elements of that namespace? */
static bool is_covered(const char *own, const xmlNode *any, const char *ns)
{
	const char *list = fmpi_attribute(any, NULL, "namespace");
	size_t n;

	if (!list || strcmp(list, "##any") == 0)
		return true;
	if (strcmp(list, "##other") == 0)
		return *ns && strcmp(ns, own) != 0;
	for (; *(list += strspn(list, " \t\r\n")); list += n) {
		n = strcspn(list, " \t\r\n");
		if ((n == strlen(ns) && strncmp(list, ns, n) == 0) ||
		    (n == 17 && strncmp(list, "##targetNamespace", n) == 0 &&
		     strcmp(ns, own) == 0) ||
		    (n == 7 && strncmp(list, "##local", n) == 0 && !*ns))
			return true;
	}
	return false;
}

static bool is_optional(const xmlNode *n)
{
	const char *min = fmpi_attribute(n, NULL, "minOccurs");

	return min && strcmp(min, "0") == 0;
}

static enum fmpi_particle particle_of_element(const struct fmpi_schema_set *s, const char *own,
					      const xmlNode *n)
{
	const char *min = fmpi_attribute(n, NULL, "minOccurs");
	const char *max = fmpi_attribute(n, NULL, "maxOccurs");
	const xmlNode *any = fmpi_next(n);

	while (any && fmpi_is(any, NS_XSD, "element") && is_optional(any))
		any = fmpi_next(any);
	if (!any || !fmpi_is(any, NS_XSD, "any"))
		return FMPI_PARTICLE_AS_IT_IS;
	for (const xmlNode *m = n; m != any; m = fmpi_next(m))
		if (!is_covered(own, any, namespace_of_element(s, own, m)))
			return FMPI_PARTICLE_AS_IT_IS;
	if (is_optional(n))
		return FMPI_PARTICLE_LEFT_OUT;
	return strcmp(min ? min : "1", max ? max : "1") ? FMPI_PARTICLE_ONCE
							: FMPI_PARTICLE_AS_IT_IS;
}

enum fmpi_particle fmpi_particle_of(const struct fmpi_schema_set *s, const char *own,
				    const xmlNode *n)
{
	const xmlNode *before = n->prev;

	if (!s->n_ambiguous || !n->parent || !fmpi_is(n->parent, NS_XSD, "sequence") ||
	    !is_in_ambiguous(s, n))
		return FMPI_PARTICLE_AS_IT_IS;
	if (fmpi_is(n, NS_XSD, "element"))
		return particle_of_element(s, own, n);
	while (before && before->type != XML_ELEMENT_NODE)
		before = before->prev;
	return fmpi_is(n, NS_XSD, "any") && before && fmpi_is(before, NS_XSD, "element") &&
			       particle_of_element(s, own, before) != FMPI_PARTICLE_AS_IT_IS
		       ? FMPI_PARTICLE_REPEATED
		       : FMPI_PARTICLE_AS_IT_IS;
}

bool fmpi_particle_is_wrapped(const struct fmpi_schema_set *s, const char *own, const xmlNode *n)
{
	const char *max = fmpi_is(n, NS_XSD, "any") ? fmpi_attribute(n, NULL, "maxOccurs") : NULL;

	return !s->plain_wildcards && (fmpi_particle_of(s, own, n) == FMPI_PARTICLE_REPEATED ||
				       (max && strcmp(max, "0") != 0 && strcmp(max, "1") != 0));
}
