// SPDX-License-Identifier: GPL-2.0
#include "schema_type.h"

#include <libxml/xmlschemastypes.h>
#include <stdio.h>
#include <string.h>

#include "xml/document.h"
#include "xml/names.h"

/* A type in xs:redefine derives from the type of the same name in the redefined document. */
static xmlNode *find_redefined(const struct fmpi_schema_set *s, const xmlNode *at,
			       const xmlNode *type)
{
	const struct fmpi_schema_doc *d = fmpi_schema_target(s, type->parent);
	const char *name = fmpi_attribute(type, NULL, "name");

	for (; at && at != type; at = at->parent)
		;
	if (!at || !d || !fmpi_is(type->parent, NS_XSD, "redefine"))
		return (xmlNode *)type;
	for (xmlNode *n = fmpi_first(xmlDocGetRootElement(d->doc)); n; n = fmpi_next(n)) {
		const char *is = fmpi_attribute(n, NULL, "name");

		if (is && strcmp(is, name) == 0 &&
		    strcmp((const char *)n->name, (const char *)type->name) == 0)
			return n;
	}
	return NULL;
}

struct fmpi_type fmpi_type_named(const struct fmpi_schema_set *s, const xmlNode *at,
				 const char *text)
{
	const char *ns, *local = text ? fmpi_schema_qname(s, at, text, &ns) : NULL;
	const xmlNode *n;

	if (!local)
		return (struct fmpi_type){ NULL, NULL };
	if (strcmp(ns, NS_XSD) == 0)
		return (struct fmpi_type){ NULL, local };
	n = fmpi_schema_component(s, "type", ns, local);
	return (struct fmpi_type){ n ? find_redefined(s, at, n) : NULL, NULL };
}

const xmlNode *fmpi_type_child(const xmlNode *n, const char *local)
{
	for (n = fmpi_first(n); n; n = fmpi_next(n))
		if (fmpi_is(n, NS_XSD, local))
			return n;
	return NULL;
}

struct fmpi_type fmpi_type_of(const struct fmpi_schema_set *s, const xmlNode *n,
			      const char *attribute)
{
	const char *name = fmpi_attribute(n, NULL, attribute);
	const xmlNode *inside = fmpi_type_child(n, "simpleType");

	if (name)
		return fmpi_type_named(s, n, name);
	return (struct fmpi_type){ inside ? inside : fmpi_type_child(n, "complexType"), NULL };
}

const xmlNode *fmpi_type_derivation(const xmlNode *type)
{
	const xmlNode *content = fmpi_type_child(type, "simpleContent");

	return fmpi_first(content ? content : type);
}

struct fmpi_type fmpi_type_base(const struct fmpi_schema_set *s, const xmlNode *derivation)
{
	const xmlNode *inside = fmpi_type_child(derivation, "simpleType");

	return inside ? (struct fmpi_type){ inside, NULL } : fmpi_type_of(s, derivation, "base");
}

bool fmpi_type_is_derived(const xmlNode *n)
{
	return fmpi_is(n, NS_XSD, "restriction") || fmpi_is(n, NS_XSD, "extension");
}

const char *fmpi_type_root(const struct fmpi_schema_set *s, struct fmpi_type t)
{
	for (unsigned i = 0; t.node && i < FMPI_NESTED_MAX; i++) {
		const xmlNode *n = fmpi_type_derivation(t.node);

		if (!fmpi_type_is_derived(n))
			return "";
		t = fmpi_type_base(s, n);
	}
	return t.builtin ? t.builtin : "";
}

bool fmpi_type_next_name(const char **names, char *out, size_t size)
{
	size_t n;

	if (!*names)
		return false;
	*names += strspn(*names, " \t\r\n");
	n = strcspn(*names, " \t\r\n");
	snprintf(out, size, "%.*s", (int)(n < size ? n : size - 1), *names);
	*names += n;
	return n;
}

/* The unknown type: its name is that of no type. */
static const struct fmpi_type unknown_type = { NULL, "?" };

static bool has_facets(const xmlNode *derivation)
{
	for (const xmlNode *n = fmpi_first(derivation); n; n = fmpi_next(n))
		if (!fmpi_is(n, NS_XSD, "annotation") && !fmpi_is(n, NS_XSD, "simpleType") &&
		    !fmpi_is(n, NS_XSD, "attribute") && !fmpi_is(n, NS_XSD, "attributeGroup") &&
		    !fmpi_is(n, NS_XSD, "anyAttribute"))
			return true;
	return false;
}

bool fmpi_type_has_facets(const struct fmpi_schema_set *s, struct fmpi_type t)
{
	for (unsigned i = 0; t.node; i++) {
		const xmlNode *n = fmpi_type_derivation(t.node);

		if (i == FMPI_NESTED_MAX)
			return true;
		if (!fmpi_type_is_derived(n))
			return false;
		if (has_facets(n))
			return true;
		t = fmpi_type_base(s, n);
	}
	return false;
}

bool fmpi_type_is_unknown(const struct fmpi_type *t)
{
	return t->builtin && strcmp(t->builtin, unknown_type.builtin) == 0;
}

static bool is_collapse(const xmlNode *facet)
{
	const char *value = facet ? fmpi_attribute(facet, NULL, "value") : NULL;

	return value && strcmp(value, "collapse") == 0;
}

bool fmpi_type_collapses(const struct fmpi_schema_set *s, struct fmpi_type t)
{
	for (unsigned i = 0; t.node && i < FMPI_NESTED_MAX; i++) {
		const xmlNode *n = fmpi_type_child(t.node, "simpleContent"), *inside;

		n = fmpi_first(n ? n : t.node);
		if (fmpi_is(n, NS_XSD, "list") || is_collapse(fmpi_type_child(n, "whiteSpace")))
			return true;
		if (!fmpi_is(n, NS_XSD, "restriction") && !fmpi_is(n, NS_XSD, "extension"))
			return false;
		inside = fmpi_type_child(n, "simpleType");
		t = inside ? (struct fmpi_type){ inside, NULL } : fmpi_type_of(s, n, "base");
	}
	return t.builtin && !fmpi_type_is_unknown(&t) && strcmp(t.builtin, "string") != 0 &&
	       strcmp(t.builtin, "normalizedString") != 0 &&
	       strcmp(t.builtin, "anySimpleType") != 0 && strcmp(t.builtin, "anyType") != 0;
}

static struct fmpi_type find_element_type(const struct fmpi_schema_set *s, const xmlNode *n)
{
	struct fmpi_type t = { NULL, NULL };

	for (unsigned i = 0; n && i < FMPI_NESTED_MAX; i++) {
		const char *head = fmpi_attribute(n, NULL, "substitutionGroup"), *ns;
		const char *local;

		t = fmpi_type_of(s, n, "type");
		if (t.node || t.builtin || !head)
			break;
		local = fmpi_schema_qname(s, n, head, &ns);
		n = local ? fmpi_schema_component(s, "element", ns, local) : NULL;
	}
	return t;
}

/* ---- declarations ---- */

/**
 * struct lookup - an "element" or "attribute" of the message to find a declaration for; local NULL: a
 * wildcard
 */
struct lookup {
	const char *kind, *ns, *local;
	const char *fixed; /* out: value required by a declaration; NULL: any */
	bool is_ambiguous; /* out: another declaration may apply */
};

static bool is_qualified(const xmlNode *n, const char *kind)
{
	const char *form = fmpi_attribute(n, NULL, "form");

	if (!form)
		form = fmpi_attribute(xmlDocGetRootElement(n->doc), NULL,
				      *kind == 'e' ? "elementFormDefault" : "attributeFormDefault");
	return form && strcmp(form, "qualified") == 0;
}

/* Does a local declaration, or a reference to a global one, match? Return: the declaration. */
static const xmlNode *match_declaration(const struct fmpi_schema_set *s, const xmlNode *n,
					struct lookup *lookup)
{
	const char *ref = fmpi_attribute(n, NULL, "ref"), *name, *ns;

	if (ref) {
		name = fmpi_schema_qname(s, n, ref, &ns);
		if (!name || strcmp(name, lookup->local) != 0 || strcmp(ns, lookup->ns) != 0)
			return NULL;
		lookup->fixed = fmpi_attribute(n, NULL, "fixed");
		return fmpi_schema_component(s, lookup->kind, ns, name);
	}
	name = fmpi_attribute(n, NULL, "name");
	if (!name || strcmp(name, lookup->local) != 0)
		return NULL;
	ns = is_qualified(n, lookup->kind) ? fmpi_schema_set_of(s, n)->ns : "";
	return strcmp(ns, lookup->ns) == 0 ? n : NULL;
}

static const xmlNode *find_group(const struct fmpi_schema_set *s, const xmlNode *n)
{
	const char *ref = fmpi_attribute(n, NULL, "ref"), *ns;
	const char *local = ref ? fmpi_schema_qname(s, n, ref, &ns) : NULL;

	return local ? fmpi_schema_component(s, (const char *)n->name, ns, local) : NULL;
}

/* Does one word of a wildcard's namespace attribute admit the namespace? */
static bool admits_word(const char *word, const char *target, const char *ns)
{
	if (strcmp(word, "##any") == 0)
		return true;
	if (strcmp(word, "##other") == 0)
		return *ns && strcmp(ns, target) != 0;
	if (strcmp(word, "##local") == 0)
		return !*ns;
	return strcmp(strcmp(word, "##targetNamespace") == 0 ? target : word, ns) == 0;
}

/* Does the wildcard admit names of that namespace without validation? */
static bool is_skipping_wildcard(const struct fmpi_schema_set *s, const xmlNode *wildcard,
				 const char *ns)
{
	const char *how = fmpi_attribute(wildcard, NULL, "processContents");
	const char *words = fmpi_attribute(wildcard, NULL, "namespace");
	const char *target = fmpi_schema_set_of(s, wildcard)->ns;
	char word[256];

	if (!how || strcmp(how, "skip") != 0)
		return false;
	if (!words)
		return true;
	while (fmpi_type_next_name(&words, word, sizeof(word)))
		/* A word too long for the buffer counts as a match. */
		if (strlen(word) == sizeof(word) - 1 || admits_word(word, target, ns))
			return true;
	return false;
}

/*
 * Find a declaration below a complex type or a part of one. A content model has one type per name
 * (Element Declarations Consistent), so the first declaration will do.
 */
static const xmlNode *find_below(const struct fmpi_schema_set *s, const xmlNode *top,
				 struct lookup *lookup, unsigned depth)
{
	const xmlNode *found = NULL;

	if (!top || depth > FMPI_NESTED_MAX)
		return NULL;
	for (const xmlNode *n = fmpi_first(top); n && !found; n = fmpi_next(n)) {
		if (fmpi_is(n, NS_XSD, lookup->kind))
			found = lookup->local ? match_declaration(s, n, lookup)
				: is_skipping_wildcard(s, n, lookup->ns) ? n
									 : NULL;
		else if (fmpi_is(n, NS_XSD, "group") || fmpi_is(n, NS_XSD, "attributeGroup"))
			found = find_below(s, find_group(s, n), lookup, depth + 1);
		else if (fmpi_is(n, NS_XSD, (const char *)n->name) &&
			 !fmpi_is(n, NS_XSD, "element") && !fmpi_is(n, NS_XSD, "attribute") &&
			 !fmpi_is(n, NS_XSD, "simpleType"))
			found = find_below(s, n, lookup, depth + 1);
	}
	/* Restrictions inherit attributes, but repeat their elements. */
	if (!found && (fmpi_is(top, NS_XSD, "extension") ||
		       (*lookup->kind == 'a' && fmpi_is(top, NS_XSD, "restriction"))))
		found = find_below(s, fmpi_type_of(s, top, "base").node, lookup, depth + 1);
	return found;
}

/* Could a wildcard with processContents="skip" admit it? */
static bool may_be_skipped(const struct fmpi_schema_set *s, const struct fmpi_type *in,
			   const struct lookup *lookup)
{
	struct lookup wildcard = { .kind = *lookup->kind == 'e' ? "any" : "anyAttribute",
				   .ns = lookup->ns };

	return in->node && find_below(s, in->node, &wildcard, 0);
}

/*
 * Find the declaration that applies. Behind a wildcard, or in place of another element
 * (substitution group), it is a global one. If there is a local one too, or there are several
 * wildcards, only libxml2 knows which one applies.
 */
static const xmlNode *find_declaration(const struct fmpi_schema_set *s, const struct fmpi_type *in,
				       struct lookup *lookup)
{
	const xmlNode *n = in->node ? find_below(s, in->node, lookup, 0) : NULL;
	const xmlNode *global = fmpi_schema_component(s, lookup->kind, lookup->ns, lookup->local);

	lookup->is_ambiguous = fmpi_type_is_unknown(in) || (n && global && n != global) ||
			       (!n && may_be_skipped(s, in, lookup));
	n = n ? n : global;
	if (n && !lookup->fixed)
		lookup->fixed = fmpi_attribute(n, NULL, "fixed");
	return n;
}

/* ---- from the message to its types ---- */

static const char *namespace_of(const xmlNs *ns)
{
	return ns && ns->href ? (const char *)ns->href : "";
}

/* Read xsi:type, with the namespaces of the message. */
static bool read_own_type(const struct fmpi_schema_set *s, const xmlNode *n, struct fmpi_type *out)
{
	const char *text = fmpi_attribute(n, NS_XSI, "type"), *colon;
	char name[256], *local;
	const xmlNs *ns;

	if (!text)
		return false;
	text += strspn(text, " \t\r\n");
	*out = unknown_type;
	if (strcspn(text, " \t\r\n") >= sizeof(name))
		return true;
	*out = (struct fmpi_type){ NULL, NULL };
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(text, " \t\r\n"), text);
	colon = strchr(name, ':');
	local = colon ? name + (colon - name) + 1 : name;
	if (colon)
		local[-1] = '\0';
	ns = xmlSearchNs(n->doc, (xmlNode *)n, colon ? (const xmlChar *)name : NULL);
	if (strcmp(namespace_of(ns), NS_XSD) == 0) {
		const xmlSchemaTypePtr built =
			xmlSchemaGetPredefinedType((const xmlChar *)local, (const xmlChar *)NS_XSD);

		out->builtin = built ? (const char *)built->name : NULL;
	} else {
		out->node = fmpi_schema_component(s, "type", namespace_of(ns), local);
	}
	return true;
}

/*
 * Find the type of an element from the payload down. Reuses the part of the path that it shares
 * with the previous value.
 */
static struct fmpi_type find_type_in_message(const struct fmpi_schema_set *s,
					     const xmlNode *payload, const xmlNode *n,
					     struct fmpi_type_path *path)
{
	const xmlNode *step[FMPI_TYPE_PATH_MAX];
	unsigned depth = 0, at;
	bool is_same = true;

	for (; n && depth < FMPI_TYPE_PATH_MAX; n = n->parent) {
		step[depth++] = n;
		if (n == payload)
			break;
	}
	if (n != payload)
		return (struct fmpi_type){ NULL, NULL };
	for (at = 0; at < depth; at++) {
		const xmlNode *e = step[depth - 1 - at], *declared;
		struct fmpi_type t = at ? path->step[at - 1].type
					: (struct fmpi_type){ NULL, NULL };
		struct lookup lookup = { .kind = "element",
					 .ns = namespace_of(e->ns),
					 .local = (const char *)e->name };

		is_same = is_same && at < path->n && path->step[at].node == e;
		if (is_same)
			continue;
		declared = find_declaration(s, &t, &lookup);
		if (!read_own_type(s, e, &t))
			t = lookup.is_ambiguous ? unknown_type
			    : declared		? find_element_type(s, declared)
						: (struct fmpi_type){ NULL, NULL };
		path->step[at].node = e;
		path->step[at].type = t;
		path->step[at].fixed = lookup.fixed;
	}
	path->n = depth;
	return path->step[depth - 1].type;
}

struct fmpi_type fmpi_type_of_value(const struct fmpi_schema_set *s, const xmlNode *payload,
				    const xmlNode *node, struct fmpi_type_path *path,
				    const char **fixed)
{
	struct lookup lookup = { .kind = "attribute",
				 .ns = namespace_of(node->ns),
				 .local = (const char *)node->name };
	bool is_attribute = node->type == XML_ATTRIBUTE_NODE;
	struct fmpi_type t =
		find_type_in_message(s, payload, is_attribute ? node->parent : node, path);
	const xmlNode *declared;

	if (!is_attribute) {
		*fixed = t.node || t.builtin ? path->step[path->n - 1].fixed : NULL;
		return t;
	}
	declared = find_declaration(s, &t, &lookup);
	*fixed = lookup.fixed;
	if (lookup.is_ambiguous)
		return unknown_type;
	return declared ? fmpi_type_of(s, declared, "type") : (struct fmpi_type){ NULL, NULL };
}

/* ---- values ---- */

char *fmpi_value_copy(const xmlNode *node)
{
	if (node->type == XML_ATTRIBUTE_NODE)
		return (char *)xmlStrdup(
			(const xmlChar *)fmpi_attribute_value((const xmlAttr *)node));
	return (char *)xmlNodeGetContent(node);
}

char *fmpi_value_copy_trimmed(const xmlNode *node)
{
	char *text = fmpi_value_copy(node);
	size_t n, skip;

	if (!text)
		return NULL;
	skip = strspn(text, " \t\r\n");
	n = strlen(text);
	while (n > skip && strchr(" \t\r\n", text[n - 1]))
		n--;
	memmove(text, text + skip, n - skip);
	text[n - skip] = '\0';
	return text;
}
