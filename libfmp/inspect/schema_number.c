// SPDX-License-Identifier: GPL-2.0
#include "inspect/schema_number.h"

#include <libxml/xmlregexp.h>
#include <libxml/xmlschemastypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inspect/document.h"
#include "inspect/names.h"
#include "inspect/number.h"

/* Derivations and groups in one another; libxml2 has refused circles, but for redefined groups. */
#define MAX_NESTED 64
/* Digits of the numbers that libxml2 can read. */
#define READABLE   24

/** struct type - an xs:simpleType or xs:complexType of the set, or one that is built in */
struct type {
	const xmlNode *node; /* NULL: built in */
	const char *builtin; /* NULL, without node: there is none */
};

struct question {
	const struct fmpi_schema_set *s;
	bool part;
	bool is_number; /* a type of numbers was met */
	char *why;
	size_t size;
};

/* ---- types of the schema ---- */

/* What xs:redefine derives from has the name of what it makes. */
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

static struct type type_named(const struct fmpi_schema_set *s, const xmlNode *at, const char *text)
{
	const char *ns, *local = text ? fmpi_schema_qname(s, at, text, &ns) : NULL;
	const xmlNode *n;

	if (!local)
		return (struct type){ NULL, NULL };
	if (strcmp(ns, NS_XSD) == 0)
		return (struct type){ NULL, local };
	n = fmpi_schema_component(s, "type", ns, local);
	return (struct type){ n ? find_redefined(s, at, n) : NULL, NULL };
}

static const xmlNode *child_of(const xmlNode *n, const char *local)
{
	for (n = fmpi_first(n); n; n = fmpi_next(n))
		if (fmpi_is(n, NS_XSD, local))
			return n;
	return NULL;
}

/* By the attribute, or the anonymous type inside. */
static struct type type_of(const struct fmpi_schema_set *s, const xmlNode *n, const char *attribute)
{
	const char *name = fmpi_attribute(n, NULL, attribute);
	const xmlNode *inside = child_of(n, "simpleType");

	if (name)
		return type_named(s, n, name);
	return (struct type){ inside ? inside : child_of(n, "complexType"), NULL };
}

static struct type type_of_element(const struct fmpi_schema_set *s, const xmlNode *n)
{
	struct type t = { NULL, NULL };

	for (unsigned i = 0; n && i < MAX_NESTED; i++) {
		const char *head = fmpi_attribute(n, NULL, "substitutionGroup"), *ns;
		const char *local;

		t = type_of(s, n, "type");
		if (t.node || t.builtin || !head)
			break;
		local = fmpi_schema_qname(s, n, head, &ns);
		n = local ? fmpi_schema_component(s, "element", ns, local) : NULL;
	}
	return t;
}

/* ---- declarations ---- */

/** struct want - a name in the message: an "element" or an "attribute" */
struct want {
	const char *kind, *ns, *local;
	const char *fixed; /* out: the value that it must have, where a declaration says so */
};

static bool is_qualified(const xmlNode *n, const char *kind)
{
	const char *form = fmpi_attribute(n, NULL, "form");

	if (!form)
		form = fmpi_attribute(xmlDocGetRootElement(n->doc), NULL,
				      *kind == 'e' ? "elementFormDefault" : "attributeFormDefault");
	return form && strcmp(form, "qualified") == 0;
}

/* A local declaration, or a reference to a global one. */
static const xmlNode *match(const struct fmpi_schema_set *s, const xmlNode *n, struct want *want)
{
	const char *ref = fmpi_attribute(n, NULL, "ref"), *name, *ns;

	if (ref) {
		name = fmpi_schema_qname(s, n, ref, &ns);
		if (!name || strcmp(name, want->local) != 0 || strcmp(ns, want->ns) != 0)
			return NULL;
		want->fixed = fmpi_attribute(n, NULL, "fixed");
		return fmpi_schema_component(s, want->kind, ns, name);
	}
	name = fmpi_attribute(n, NULL, "name");
	if (!name || strcmp(name, want->local) != 0)
		return NULL;
	ns = is_qualified(n, want->kind) ? fmpi_schema_set_of(s, n)->ns : "";
	return strcmp(ns, want->ns) == 0 ? n : NULL;
}

static const xmlNode *group_of(const struct fmpi_schema_set *s, const xmlNode *n)
{
	const char *ref = fmpi_attribute(n, NULL, "ref"), *ns;
	const char *local = ref ? fmpi_schema_qname(s, n, ref, &ns) : NULL;

	return local ? fmpi_schema_component(s, (const char *)n->name, ns, local) : NULL;
}

/*
 * Below a complex type, or a part of one. Of one name a content model has one type (Element
 * Declarations Consistent), so the first declaration is as good as any other.
 */
static const xmlNode *find_below(const struct fmpi_schema_set *s, const xmlNode *top,
				 struct want *want, unsigned depth)
{
	const xmlNode *found = NULL;

	if (!top || depth > MAX_NESTED)
		return NULL;
	for (const xmlNode *n = fmpi_first(top); n && !found; n = fmpi_next(n)) {
		if (fmpi_is(n, NS_XSD, want->kind))
			found = match(s, n, want);
		else if (fmpi_is(n, NS_XSD, "group") || fmpi_is(n, NS_XSD, "attributeGroup"))
			found = find_below(s, group_of(s, n), want, depth + 1);
		else if (fmpi_is(n, NS_XSD, (const char *)n->name) &&
			 !fmpi_is(n, NS_XSD, "element") && !fmpi_is(n, NS_XSD, "attribute") &&
			 !fmpi_is(n, NS_XSD, "simpleType"))
			found = find_below(s, n, want, depth + 1);
	}
	/* Attributes are inherited by restrictions, too; their elements are said anew. */
	if (!found && (fmpi_is(top, NS_XSD, "extension") ||
		       (*want->kind == 'a' && fmpi_is(top, NS_XSD, "restriction"))))
		found = find_below(s, type_of(s, top, "base").node, want, depth + 1);
	return found;
}

/* Behind a wildcard, or in the place of another (substitution group), stands a global one. */
static const xmlNode *find_declaration(const struct fmpi_schema_set *s, const struct type *in,
				       struct want *want)
{
	const xmlNode *n = in->node ? find_below(s, in->node, want, 0) : NULL;

	if (!n)
		n = fmpi_schema_component(s, want->kind, want->ns, want->local);
	if (n && !want->fixed)
		want->fixed = fmpi_attribute(n, NULL, "fixed");
	return n;
}

/* ---- from the message to its types ---- */

static const char *namespace_of(const xmlNs *ns)
{
	return ns && ns->href ? (const char *)ns->href : "";
}

/* xsi:type, in the message's own words. */
static bool read_own_type(const struct fmpi_schema_set *s, const xmlNode *n, struct type *out)
{
	const char *text = fmpi_attribute(n, NS_XSI, "type"), *colon;
	char name[256], *local;
	const xmlNs *ns;

	if (!text)
		return false;
	text += strspn(text, " \t\r\n");
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(text, " \t\r\n"), text);
	colon = strchr(name, ':');
	local = colon ? name + (colon - name) + 1 : name;
	if (colon)
		local[-1] = '\0';
	ns = xmlSearchNs(n->doc, (xmlNode *)n, colon ? (const xmlChar *)name : NULL);
	*out = (struct type){ NULL, NULL };
	if (strcmp(namespace_of(ns), NS_XSD) == 0) {
		const xmlSchemaTypePtr built =
			xmlSchemaGetPredefinedType((const xmlChar *)local, (const xmlChar *)NS_XSD);

		out->builtin = built ? (const char *)built->name : NULL;
	} else {
		out->node = fmpi_schema_component(s, "type", namespace_of(ns), local);
	}
	return true;
}

/* What was found on the way to the value before is not looked for again. */
static struct type type_in_message(const struct fmpi_schema_set *s, const xmlNode *payload,
				   const xmlNode *n, struct fmpi_way *way)
{
	const xmlNode *step[FMPI_WAY_MAX];
	unsigned depth = 0, at;
	bool is_same = true;

	for (; n && depth < FMPI_WAY_MAX; n = n->parent) {
		step[depth++] = n;
		if (n == payload)
			break;
	}
	if (n != payload)
		return (struct type){ NULL, NULL };
	for (at = 0; at < depth; at++) {
		const xmlNode *e = step[depth - 1 - at], *declared;
		struct type t =
			at ? (struct type){ way->step[at - 1].type, way->step[at - 1].builtin }
			   : (struct type){ NULL, NULL };
		struct want want = { .kind = "element",
				     .ns = namespace_of(e->ns),
				     .local = (const char *)e->name };

		is_same = is_same && at < way->n && way->step[at].node == e;
		if (is_same)
			continue;
		declared = find_declaration(s, &t, &want);
		if (!read_own_type(s, e, &t))
			t = declared ? type_of_element(s, declared) : (struct type){ NULL, NULL };
		way->step[at].node = e;
		way->step[at].type = t.node;
		way->step[at].builtin = t.builtin;
		way->step[at].fixed = want.fixed;
	}
	way->n = depth;
	return (struct type){ way->step[depth - 1].type, way->step[depth - 1].builtin };
}

/* ---- values ---- */

static bool evaluate(struct question *q, struct type t, const char *text, size_t len,
		     unsigned depth);

static bool fail(struct question *q, const char *what, const char *bound)
{
	if (q->size)
		snprintf(q->why, q->size, "%s%s%.60s", what, bound ? " " : "", bound ? bound : "");
	return false;
}

/* Of xs:integer and its children: limits as text; "": none. */
static const struct {
	const char *name, *least, *most;
} integers[] = {
	{ "integer", "", "" },
	{ "nonNegativeInteger", "0", "" },
	{ "positiveInteger", "1", "" },
	{ "nonPositiveInteger", "", "0" },
	{ "negativeInteger", "", "-1" },
	{ "long", "-9223372036854775808", "9223372036854775807" },
	{ "int", "-2147483648", "2147483647" },
	{ "short", "-32768", "32767" },
	{ "byte", "-128", "127" },
	{ "unsignedLong", "0", "18446744073709551615" },
	{ "unsignedInt", "0", "4294967295" },
	{ "unsignedShort", "0", "65535" },
	{ "unsignedByte", "0", "255" },
};

static int compare_with(const struct fmpi_number *x, const char *bound, bool *comparable)
{
	struct fmpi_number y;

	*comparable = fmpi_number_read(bound, strlen(bound), &y);
	return *comparable ? fmpi_number_compare(x, &y) : 0;
}

static bool is_number_name(const char *name)
{
	if (strcmp(name, "decimal") == 0)
		return true;
	for (unsigned i = 0; i < sizeof(integers) / sizeof(integers[0]); i++)
		if (strcmp(integers[i].name, name) == 0)
			return true;
	return false;
}

static bool evaluate_number(struct question *q, const char *name, const char *text, size_t len)
{
	struct fmpi_number x;
	bool ok;

	q->is_number = true;
	if (!fmpi_number_read(text, len, &x))
		return fail(q, "is no number", NULL);
	if (strcmp(name, "decimal") == 0)
		return true;
	if (x.has_point)
		return fail(q, "is no integer", NULL);
	for (unsigned i = 0; i < sizeof(integers) / sizeof(integers[0]) && !q->part; i++) {
		if (strcmp(integers[i].name, name) != 0)
			continue;
		if (compare_with(&x, integers[i].least, &ok) < 0)
			return fail(q, "is less than", integers[i].least);
		if (compare_with(&x, integers[i].most, &ok) > 0)
			return fail(q, "is more than", integers[i].most);
	}
	return true;
}

static bool evaluate_builtin(struct question *q, const char *name, const char *text, size_t len)
{
	xmlSchemaTypePtr t;
	char *copy;
	int ret;

	if (is_number_name(name))
		return evaluate_number(q, name, text, len);
	t = xmlSchemaGetPredefinedType((const xmlChar *)name, (const xmlChar *)NS_XSD);
	copy = t ? strndup(text, len) : NULL;
	if (!copy)
		return false;
	/* Those that need to know where they stand (QName, ID) are not valid then. */
	ret = xmlSchemaValidatePredefinedType(t, (const xmlChar *)copy, NULL);
	free(copy);
	return ret == 0;
}

static xmlRegexpPtr pattern_of(const xmlNode *facet, const char *pattern)
{
	xmlNode *n = (xmlNode *)facet;

	if (!n->psvi)
		n->psvi = xmlRegexpCompile((const xmlChar *)pattern);
	return n->psvi;
}

static bool matches(const xmlNode *facet, const char *pattern, const char *text, size_t len)
{
	xmlRegexpPtr compiled = pattern_of(facet, pattern);
	char *copy = compiled ? strndup(text, len) : NULL;
	bool does = copy && xmlRegexpExec(compiled, (const xmlChar *)copy) == 1;

	free(copy);
	return does;
}

static bool is_equal(const char *value, const char *text, size_t len, bool is_number)
{
	struct fmpi_number x, y;

	if (is_number && fmpi_number_read(value, strlen(value), &y) &&
	    fmpi_number_read(text, len, &x))
		return fmpi_number_compare(&x, &y) == 0;
	return strlen(value) == len && memcmp(value, text, len) == 0;
}

/* Items of a list, characters else. */
static size_t measure(const char *text, size_t len, bool is_list)
{
	size_t n = 0;

	for (size_t i = 0; i < len && !is_list; i++)
		n += ((unsigned char)text[i] & 0xc0) != 0x80;
	if (!is_list)
		return n;

	for (size_t i = 0; i < len; i++)
		n += !strchr(" \t\r\n", text[i]) && (!i || strchr(" \t\r\n", text[i - 1]));
	return n;
}

/* One that is not a pattern or an enumeration, of which one is enough. */
static bool holds(struct question *q, const xmlNode *facet, const char *text, size_t len,
		  bool is_list)
{
	const char *value = fmpi_attribute(facet, NULL, "value");
	const char *name = (const char *)facet->name;
	size_t n = value ? strtoul(value, NULL, 10) : 0;
	struct fmpi_number x;
	int order;
	bool ok;

	if (!value)
		return true;
	if (strcmp(name, "length") == 0)
		return measure(text, len, is_list) == n || fail(q, "is not of the length", value);
	if (strcmp(name, "minLength") == 0)
		return measure(text, len, is_list) >= n || fail(q, "is shorter than", value);
	if (strcmp(name, "maxLength") == 0)
		return measure(text, len, is_list) <= n || fail(q, "is longer than", value);
	if (!fmpi_number_read(text, len, &x))
		return true;
	if (strcmp(name, "totalDigits") == 0)
		return fmpi_number_digits(&x) <= n ||
		       fail(q, "has more digits (totalDigits) than", value);
	if (strcmp(name, "fractionDigits") == 0)
		return x.n_fraction <= n || fail(q, "has more digits (fractionDigits) than", value);
	order = compare_with(&x, value, &ok);
	if (!ok)
		return true;
	if (strcmp(name, "minInclusive") == 0)
		return order >= 0 || fail(q, "is less than", value);
	if (strcmp(name, "maxInclusive") == 0)
		return order <= 0 || fail(q, "is more than", value);
	if (strcmp(name, "minExclusive") == 0)
		return order > 0 || fail(q, "is not more than", value);
	if (strcmp(name, "maxExclusive") == 0)
		return order < 0 || fail(q, "is not less than", value);
	return true;
}

/* Through all derivations. */
static bool is_list_type(const struct fmpi_schema_set *s, struct type t)
{
	for (unsigned i = 0; t.node && i < MAX_NESTED; i++) {
		const xmlNode *content = child_of(t.node, "simpleContent"), *inside;
		const xmlNode *n = fmpi_first(content ? content : t.node);

		if (fmpi_is(n, NS_XSD, "list"))
			return true;
		if (!n || fmpi_is(n, NS_XSD, "union"))
			return false;
		inside = child_of(n, "simpleType");
		t = inside ? (struct type){ inside, NULL } : type_of(s, n, "base");
	}
	return false;
}

static bool holds_all(struct question *q, const xmlNode *restriction, const char *text, size_t len,
		      bool is_list)
{
	bool has_patterns = false, any_pattern = false, has_values = false, any_value = false;

	if (q->part)
		return true;
	for (const xmlNode *n = fmpi_first(restriction); n; n = fmpi_next(n)) {
		const char *value = fmpi_attribute(n, NULL, "value");

		if (fmpi_is(n, NS_XSD, "pattern") && value) {
			has_patterns = true;
			any_pattern = any_pattern || matches(n, value, text, len);
		} else if (fmpi_is(n, NS_XSD, "enumeration") && value) {
			has_values = true;
			any_value = any_value || is_equal(value, text, len, q->is_number);
		} else if (fmpi_is(n, NS_XSD, (const char *)n->name) &&
			   !holds(q, n, text, len, is_list)) {
			return false;
		}
	}
	if (has_patterns && !any_pattern)
		return fail(q, "is not accepted by the pattern", NULL);
	if (has_values && !any_value)
		return fail(q, "is not one of the enumeration", NULL);
	return true;
}

static bool evaluate_list(struct question *q, struct type item, const char *text, size_t len,
			  unsigned depth)
{
	for (size_t i = 0, n; i < len; i += n) {
		i += strspn(text + i, " \t\r\n");
		if (i >= len)
			break;
		n = strcspn(text + i, " \t\r\n");
		if (n > len - i)
			n = len - i;
		if (!evaluate(q, item, text + i, n, depth))
			return false;
	}
	return true;
}

/* Of a list of names. @names: what is left of it; NULL: nothing */
static bool next_name(const char **names, char *out, size_t size)
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

/* libxml2 has tried them, but it is about numbers that it was wrong, and here they meet. */
static bool evaluate_union(struct question *q, const xmlNode *n, const char *text, size_t len,
			   unsigned depth)
{
	const char *names = fmpi_attribute(n, NULL, "memberTypes");
	char name[256];

	while (next_name(&names, name, sizeof(name)))
		if (evaluate(q, type_named(q->s, n, name), text, len, depth))
			return true;
	for (n = fmpi_first(n); n; n = fmpi_next(n))
		if (fmpi_is(n, NS_XSD, "simpleType") &&
		    evaluate(q, (struct type){ n, NULL }, text, len, depth))
			return true;
	return false;
}

/* @n: xs:restriction or xs:extension, of a simple type or of simple content */
static bool evaluate_derived(struct question *q, const xmlNode *n, const char *text, size_t len,
			     unsigned depth)
{
	const xmlNode *inside = child_of(n, "simpleType");
	struct type base = inside ? (struct type){ inside, NULL } : type_of(q->s, n, "base");

	return evaluate(q, base, text, len, depth) &&
	       (fmpi_is(n, NS_XSD, "extension") ||
		holds_all(q, n, text, len, is_list_type(q->s, base)));
}

static bool evaluate(struct question *q, struct type t, const char *text, size_t len,
		     unsigned depth)
{
	const xmlNode *n;

	if (depth > MAX_NESTED)
		return false;
	if (!t.node)
		return t.builtin && evaluate_builtin(q, t.builtin, text, len);
	n = child_of(t.node, "simpleContent");
	n = fmpi_first(n ? n : t.node);
	if (fmpi_is(n, NS_XSD, "restriction") || fmpi_is(n, NS_XSD, "extension"))
		return evaluate_derived(q, n, text, len, depth + 1);
	if (fmpi_is(n, NS_XSD, "list"))
		return evaluate_list(q, type_of(q->s, n, "itemType"), text, len, depth + 1);
	return fmpi_is(n, NS_XSD, "union") && evaluate_union(q, n, text, len, depth + 1);
}

/* ---- */

/* Without the white space around it: numbers, and lists of them, are collapsed. */
static char *value_of(const xmlNode *node)
{
	xmlChar *all =
		node->type == XML_ATTRIBUTE_NODE
			? xmlStrdup((const xmlChar *)fmpi_attribute_value((const xmlAttr *)node))
			: xmlNodeGetContent(node);
	char *text = (char *)all;
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

static struct type type_of_value(const struct fmpi_schema_set *s, const xmlNode *payload,
				 const xmlNode *node, struct fmpi_way *way, const char **fixed)
{
	struct want want = { .kind = "attribute",
			     .ns = namespace_of(node->ns),
			     .local = (const char *)node->name };
	bool is_attribute = node->type == XML_ATTRIBUTE_NODE;
	struct type t = type_in_message(s, payload, is_attribute ? node->parent : node, way);
	const xmlNode *declared;

	if (!is_attribute) {
		*fixed = t.node || t.builtin ? way->step[way->n - 1].fixed : NULL;
		return t;
	}
	declared = find_declaration(s, &t, &want);
	*fixed = want.fixed;
	return declared ? type_of(s, declared, "type") : (struct type){ NULL, NULL };
}

enum fmpi_number_verdict fmpi_schema_number(const struct fmpi_schema_set *s, const xmlNode *payload,
					    const xmlNode *node, bool part, struct fmpi_way *way,
					    char *why, size_t size)
{
	struct question q = { .s = s, .part = part, .why = why, .size = size };
	const char *fixed = NULL;
	struct type t = type_of_value(s, payload, node, way, &fixed);
	char *text = t.node || t.builtin ? value_of(node) : NULL;
	bool good;

	if (!text)
		return FMPI_NUMBER_OTHER;
	snprintf(why, size, "%s", "is no valid value");
	good = evaluate(&q, t, text, strlen(text), 0);
	if (good && fixed && !part && !is_equal(fixed, text, strlen(text), true))
		good = fail(&q, "is not the fixed value", fixed);
	xmlFree(text);
	return !q.is_number ? FMPI_NUMBER_OTHER : good ? FMPI_NUMBER_GOOD : FMPI_NUMBER_BAD;
}

/* By the last step of its paths; one of several paths is not looked at closely. */
static bool may_be_of(const xmlNode *field, const xmlNode *node)
{
	const char *path = fmpi_attribute(field, NULL, "xpath"), *name = path;

	if (strchr(path, '|'))
		return true;
	for (; *path; path++)
		if (strchr("/:@", *path))
			name = path + 1;
	name += strspn(name, " \t\r\n");
	return strchr(".*", *name) ||
	       strncmp(name, (const char *)node->name, strlen((const char *)node->name)) == 0;
}

bool fmpi_schema_is_key(const struct fmpi_schema_set *s, const xmlNode *node)
{
	for (unsigned i = 0; i < s->n_fields; i++)
		if (may_be_of(s->fields[i], node))
			return true;
	return false;
}

/* ---- what libxml2 is not given ---- */

bool fmpi_schema_is_facet(const xmlNode *n)
{
	static const char *const names[] = { "pattern",	     "enumeration",  "minInclusive",
					     "maxInclusive", "minExclusive", "maxExclusive" };

	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (fmpi_is(n, NS_XSD, names[i]))
			return true;
	return false;
}

/* Is it of a type of numbers, through all derivations, not through lists and unions? */
static bool derives_number(const struct fmpi_schema_set *s, const xmlNode *n)
{
	for (unsigned i = 0; n && i < MAX_NESTED; i++) {
		const xmlNode *inside = child_of(n, "simpleType"), *content;
		struct type base = inside ? (struct type){ inside, NULL } : type_of(s, n, "base");

		if (!base.node)
			return base.builtin && is_number_name(base.builtin);
		content = child_of(base.node, "simpleContent");
		n = fmpi_first(content ? content : base.node);
		if (!fmpi_is(n, NS_XSD, "restriction") && !fmpi_is(n, NS_XSD, "extension"))
			return false;
	}
	return false;
}

static bool is_too_long(const xmlNode *facet)
{
	const char *value = fmpi_attribute(facet, NULL, "value");
	struct fmpi_number x;
	size_t digits = 0;

	if (!value || fmpi_is(facet, NS_XSD, "pattern") ||
	    !fmpi_number_read(value, strlen(value), &x))
		return false;
	/* libxml2 counts zeros at the end, too. */
	for (const char *p = value; *p; p++)
		digits += *p >= '0' && *p <= '9';
	return digits > READABLE;
}

static bool contains_unreadable(const struct fmpi_schema_set *s, struct type t, unsigned depth);

static bool has_unreadable_member(const struct fmpi_schema_set *s, const xmlNode *n, unsigned depth)
{
	const char *names = fmpi_attribute(n, NULL, "memberTypes");
	char name[256];

	while (next_name(&names, name, sizeof(name)))
		if (contains_unreadable(s, type_named(s, n, name), depth))
			return true;
	for (n = fmpi_first(n); n; n = fmpi_next(n))
		if (fmpi_is(n, NS_XSD, "simpleType") &&
		    contains_unreadable(s, (struct type){ n, NULL }, depth))
			return true;
	return false;
}

static bool is_unreadable(const struct fmpi_schema_set *s, const xmlNode *n, unsigned depth)
{
	const xmlNode *inside = child_of(n, "simpleType");

	if (fmpi_is(n, NS_XSD, "restriction"))
		for (const xmlNode *f = fmpi_first(n); f; f = fmpi_next(f))
			if (fmpi_schema_is_facet(f) && is_too_long(f) && derives_number(s, n))
				return true;
	return contains_unreadable(
		s, inside ? (struct type){ inside, NULL } : type_of(s, n, "base"), depth);
}

static bool contains_unreadable(const struct fmpi_schema_set *s, struct type t, unsigned depth)
{
	const xmlNode *n = t.node ? child_of(t.node, "simpleContent") : NULL;

	if (!t.node || depth > MAX_NESTED)
		return false;
	n = fmpi_first(n ? n : t.node);
	if (fmpi_is(n, NS_XSD, "restriction") || fmpi_is(n, NS_XSD, "extension"))
		return is_unreadable(s, n, depth + 1);
	if (fmpi_is(n, NS_XSD, "list"))
		return contains_unreadable(s, type_of(s, n, "itemType"), depth + 1);
	return fmpi_is(n, NS_XSD, "union") && has_unreadable_member(s, n, depth + 1);
}

/* Facets of a type must be values of its base, too: what is derived from such a type is as bad. */
bool fmpi_schema_is_unreadable(const struct fmpi_schema_set *s, const xmlNode *restriction)
{
	return fmpi_is(restriction, NS_XSD, "restriction") && is_unreadable(s, restriction, 0);
}

bool fmpi_schema_hides_value(const struct fmpi_schema_set *s, const xmlNode *n, const char *name)
{
	return (strcmp(name, "fixed") == 0 || strcmp(name, "default") == 0) &&
	       (fmpi_is(n, NS_XSD, "element") || fmpi_is(n, NS_XSD, "attribute")) &&
	       contains_unreadable(s, type_of(s, n, "type"), 0);
}

void fmpi_schema_number_clear(struct fmpi_schema_set *s)
{
	for (unsigned i = 0; i < s->n; i++) {
		xmlNode *root = xmlDocGetRootElement(s->docs[i].doc);

		for (xmlNode *n = root; n; n = fmpi_walk(root, n)) {
			if (n->psvi)
				xmlRegFreeRegexp(n->psvi);
			n->psvi = NULL;
		}
	}
}
