// SPDX-License-Identifier: GPL-2.0
#include "schema_number.h"

#include <libxml/xmlregexp.h>
#include <libxml/xmlschemastypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "xml/document.h"
#include "xml/names.h"
#include "decimal.h"

struct evaluation {
	const struct fmpi_schema_set *s;
	bool is_partial;
	bool is_number; /* a number type was met */
	const char *other; /* the other type that accepted the value last; NULL: a number type */
	bool needs_libxml2; /* it has facets that only libxml2 can check */
	char *why;
	size_t size;
};

static bool evaluate_type(struct evaluation *q, struct fmpi_type t, const char *text, size_t len,
			  unsigned depth);

static bool set_reason(struct evaluation *q, const char *what, const char *bound)
{
	if (q->size)
		snprintf(q->why, q->size, "%s%s%.60s", what, bound ? " " : "", bound ? bound : "");
	return false;
}

/* Limits of xs:integer and the types derived from it, as text; "": none. */
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

static int compare_with(const struct fmpi_decimal *x, const char *bound, bool *comparable)
{
	struct fmpi_decimal y;

	*comparable = fmpi_decimal_read(bound, strlen(bound), &y);
	return *comparable ? fmpi_decimal_compare(x, &y) : 0;
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

static bool evaluate_number(struct evaluation *q, const char *name, const char *text, size_t len)
{
	struct fmpi_decimal x;
	bool ok;

	q->is_number = true;
	q->other = NULL;
	if (!fmpi_decimal_read(text, len, &x))
		return set_reason(q, "is no number", NULL);
	if (strcmp(name, "decimal") == 0)
		return true;
	if (x.has_point)
		return set_reason(q, "is no integer", NULL);
	for (unsigned i = 0; i < sizeof(integers) / sizeof(integers[0]) && !q->is_partial; i++) {
		if (strcmp(integers[i].name, name) != 0)
			continue;
		if (compare_with(&x, integers[i].least, &ok) < 0)
			return set_reason(q, "is less than", integers[i].least);
		if (compare_with(&x, integers[i].most, &ok) > 0)
			return set_reason(q, "is more than", integers[i].most);
	}
	return true;
}

static bool evaluate_builtin(struct evaluation *q, const char *name, const char *text, size_t len)
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
	/* QName, ID and other types that depend on context are not valid without it. */
	ret = xmlSchemaValidatePredefinedType(t, (const xmlChar *)copy, NULL);
	free(copy);
	q->other = name;
	return ret == 0;
}

static xmlRegexpPtr pattern_of(const xmlNode *facet, const char *pattern)
{
	xmlNode *n = (xmlNode *)facet;

	if (!n->psvi)
		n->psvi = xmlRegexpCompile((const xmlChar *)pattern);
	return n->psvi;
}

static bool matches_pattern(const xmlNode *facet, const char *pattern, const char *text, size_t len)
{
	xmlRegexpPtr compiled = pattern_of(facet, pattern);
	char *copy = compiled ? strndup(text, len) : NULL;
	bool does = copy && xmlRegexpExec(compiled, (const xmlChar *)copy) == 1;

	free(copy);
	return does;
}

static bool is_equal(const char *value, const char *text, size_t len, bool is_number)
{
	struct fmpi_decimal x, y;

	if (is_number && fmpi_decimal_read(value, strlen(value), &y) &&
	    fmpi_decimal_read(text, len, &x))
		return fmpi_decimal_compare(&x, &y) == 0;
	return strlen(value) == len && memcmp(value, text, len) == 0;
}

/* Length as the facets count it: items of a list, characters otherwise. */
static size_t measure_length(const char *text, size_t len, bool is_list)
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

/* Check one facet other than patterns and enumerations, of which one match is enough. */
static bool facet_holds(struct evaluation *q, const xmlNode *facet, const char *text, size_t len,
			bool is_list)
{
	const char *value = fmpi_attribute(facet, NULL, "value");
	const char *name = (const char *)facet->name;
	size_t n = value ? strtoul(value, NULL, 10) : 0;
	struct fmpi_decimal x;
	int order;
	bool ok;

	if (!value)
		return true;
	if (strcmp(name, "length") == 0)
		return measure_length(text, len, is_list) == n ||
		       set_reason(q, "is not of the length", value);
	if (strcmp(name, "minLength") == 0)
		return measure_length(text, len, is_list) >= n ||
		       set_reason(q, "is shorter than", value);
	if (strcmp(name, "maxLength") == 0)
		return measure_length(text, len, is_list) <= n ||
		       set_reason(q, "is longer than", value);
	if (!fmpi_decimal_read(text, len, &x))
		return true;
	if (strcmp(name, "totalDigits") == 0)
		return fmpi_decimal_digits(&x) <= n ||
		       set_reason(q, "has more digits (totalDigits) than", value);
	if (strcmp(name, "fractionDigits") == 0)
		return x.n_fraction <= n ||
		       set_reason(q, "has more digits (fractionDigits) than", value);
	order = compare_with(&x, value, &ok);
	if (!ok)
		return true;
	if (strcmp(name, "minInclusive") == 0)
		return order >= 0 || set_reason(q, "is less than", value);
	if (strcmp(name, "maxInclusive") == 0)
		return order <= 0 || set_reason(q, "is more than", value);
	if (strcmp(name, "minExclusive") == 0)
		return order > 0 || set_reason(q, "is not more than", value);
	if (strcmp(name, "maxExclusive") == 0)
		return order < 0 || set_reason(q, "is not less than", value);
	return true;
}

/* Is it a list, through all derivations? */
static bool is_list_type(const struct fmpi_schema_set *s, struct fmpi_type t)
{
	for (unsigned i = 0; t.node && i < FMPI_NESTED_MAX; i++) {
		const xmlNode *content = fmpi_type_child(t.node, "simpleContent"), *inside;
		const xmlNode *n = fmpi_first(content ? content : t.node);

		if (fmpi_is(n, NS_XSD, "list"))
			return true;
		if (!n || fmpi_is(n, NS_XSD, "union"))
			return false;
		inside = fmpi_type_child(n, "simpleType");
		t = inside ? (struct fmpi_type){ inside, NULL } : fmpi_type_of(s, n, "base");
	}
	return false;
}

static bool has_facets(const xmlNode *restriction)
{
	for (const xmlNode *n = fmpi_first(restriction); n; n = fmpi_next(n))
		if (fmpi_attribute(n, NULL, "value"))
			return true;
	return false;
}

static bool facets_hold(struct evaluation *q, const xmlNode *restriction, const char *text,
			size_t len, bool is_list)
{
	bool has_patterns = false, any_pattern = false, has_values = false, any_value = false;

	if (q->is_partial)
		return true;
	/*
	 * Text equals value only for xs:token: other types may be compared in another way (times,
	 * binary data) or keep white space.
	 */
	if (q->other && !is_list && strcmp(q->other, "token") != 0 && has_facets(restriction))
		q->needs_libxml2 = true;
	for (const xmlNode *n = fmpi_first(restriction); n; n = fmpi_next(n)) {
		const char *value = fmpi_attribute(n, NULL, "value");

		if (fmpi_is(n, NS_XSD, "pattern") && value) {
			has_patterns = true;
			any_pattern = any_pattern || matches_pattern(n, value, text, len);
		} else if (fmpi_is(n, NS_XSD, "enumeration") && value) {
			has_values = true;
			any_value = any_value || is_equal(value, text, len, !q->other);
		} else if (fmpi_is(n, NS_XSD, (const char *)n->name) &&
			   !facet_holds(q, n, text, len, is_list)) {
			return false;
		}
	}
	if (has_patterns && !any_pattern)
		return set_reason(q, "is not accepted by the pattern", NULL);
	if (has_values && !any_value)
		return set_reason(q, "is not one of the enumeration", NULL);
	return true;
}

static bool evaluate_list(struct evaluation *q, struct fmpi_type item, const char *text, size_t len,
			  unsigned depth)
{
	for (size_t i = 0, n; i < len; i += n) {
		i += strspn(text + i, " \t\r\n");
		if (i >= len)
			break;
		n = strcspn(text + i, " \t\r\n");
		if (n > len - i)
			n = len - i;
		if (!evaluate_type(q, item, text + i, n, depth))
			return false;
	}
	return true;
}

/* libxml2 has tried the members already, but it was wrong about the number. */
static bool evaluate_union(struct evaluation *q, const xmlNode *n, const char *text, size_t len,
			   unsigned depth)
{
	const char *names = fmpi_attribute(n, NULL, "memberTypes");
	char name[256];

	while (fmpi_type_next_name(&names, name, sizeof(name)))
		if (evaluate_type(q, fmpi_type_named(q->s, n, name), text, len, depth))
			return true;
	for (n = fmpi_first(n); n; n = fmpi_next(n))
		if (fmpi_is(n, NS_XSD, "simpleType") &&
		    evaluate_type(q, (struct fmpi_type){ n, NULL }, text, len, depth))
			return true;
	return false;
}

/* @n: xs:restriction or xs:extension, of a simple type or of simple content */
static bool evaluate_derived(struct evaluation *q, const xmlNode *n, const char *text, size_t len,
			     unsigned depth)
{
	const xmlNode *inside = fmpi_type_child(n, "simpleType");
	struct fmpi_type base = inside ? (struct fmpi_type){ inside, NULL }
				       : fmpi_type_of(q->s, n, "base");

	return evaluate_type(q, base, text, len, depth) &&
	       (fmpi_is(n, NS_XSD, "extension") ||
		facets_hold(q, n, text, len, is_list_type(q->s, base)));
}

static bool evaluate_type(struct evaluation *q, struct fmpi_type t, const char *text, size_t len,
			  unsigned depth)
{
	const xmlNode *n;

	if (depth > FMPI_NESTED_MAX)
		return false;
	if (!t.node)
		return t.builtin && evaluate_builtin(q, t.builtin, text, len);
	n = fmpi_type_child(t.node, "simpleContent");
	n = fmpi_first(n ? n : t.node);
	if (fmpi_is(n, NS_XSD, "restriction") || fmpi_is(n, NS_XSD, "extension"))
		return evaluate_derived(q, n, text, len, depth + 1);
	if (fmpi_is(n, NS_XSD, "list"))
		return evaluate_list(q, fmpi_type_of(q->s, n, "itemType"), text, len, depth + 1);
	return fmpi_is(n, NS_XSD, "union") && evaluate_union(q, n, text, len, depth + 1);
}

/* ---- values ---- */

enum fmpi_decimal_verdict fmpi_schema_number(const struct fmpi_schema_set *s,
					     const xmlNode *payload, const xmlNode *node,
					     bool is_partial, struct fmpi_type_path *path,
					     char *why, size_t size)
{
	struct evaluation q = { .s = s, .is_partial = is_partial, .why = why, .size = size };
	const char *fixed = NULL;
	struct fmpi_type t = fmpi_type_of_value(s, payload, node, path, &fixed);
	char *text = t.node || t.builtin ? fmpi_value_copy_trimmed(node) : NULL;
	bool good;

	if (!text)
		return FMPI_DECIMAL_OTHER;
	snprintf(why, size, "%s", "is no valid value");
	good = evaluate_type(&q, t, text, strlen(text), 0);
	if (good && fixed && !is_partial && !is_equal(fixed, text, strlen(text), true))
		good = set_reason(&q, "is not the fixed value", fixed);
	xmlFree(text);
	if (!q.is_number || q.needs_libxml2 || (!good && q.other))
		return FMPI_DECIMAL_OTHER;
	return good ? FMPI_DECIMAL_GOOD : FMPI_DECIMAL_BAD;
}

/*
 * May the field select the node? Compares the last step of its path; a path with alternatives
 * matches any node.
 */
static bool may_select(const xmlNode *field, const xmlNode *node)
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
		if (may_select(s->fields[i], node))
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

/* Does the restriction derive from a number type, but not through lists and unions? */
static bool is_number_type(const struct fmpi_schema_set *s, const xmlNode *n)
{
	for (unsigned i = 0; n && i < FMPI_NESTED_MAX; i++) {
		const xmlNode *inside = fmpi_type_child(n, "simpleType"), *content;
		struct fmpi_type base = inside ? (struct fmpi_type){ inside, NULL }
					       : fmpi_type_of(s, n, "base");

		if (!base.node)
			return base.builtin && is_number_name(base.builtin);
		content = fmpi_type_child(base.node, "simpleContent");
		n = fmpi_first(content ? content : base.node);
		if (!fmpi_is(n, NS_XSD, "restriction") && !fmpi_is(n, NS_XSD, "extension"))
			return false;
	}
	return false;
}

static bool has_too_many_digits(const xmlNode *facet)
{
	const char *value = fmpi_attribute(facet, NULL, "value");
	struct fmpi_decimal x;
	size_t digits = 0;

	if (!value || fmpi_is(facet, NS_XSD, "pattern") ||
	    !fmpi_decimal_read(value, strlen(value), &x))
		return false;
	/* libxml2 counts trailing zeros too. */
	for (const char *p = value; *p; p++)
		digits += *p >= '0' && *p <= '9';
	return digits > FMPI_DECIMAL_MAX_DIGITS;
}

static bool contains_unreadable(const struct fmpi_schema_set *s, struct fmpi_type t,
				unsigned depth);

static bool has_unreadable_member(const struct fmpi_schema_set *s, const xmlNode *n, unsigned depth)
{
	const char *names = fmpi_attribute(n, NULL, "memberTypes");
	char name[256];

	while (fmpi_type_next_name(&names, name, sizeof(name)))
		if (contains_unreadable(s, fmpi_type_named(s, n, name), depth))
			return true;
	for (n = fmpi_first(n); n; n = fmpi_next(n))
		if (fmpi_is(n, NS_XSD, "simpleType") &&
		    contains_unreadable(s, (struct fmpi_type){ n, NULL }, depth))
			return true;
	return false;
}

static bool is_unreadable_derivation(const struct fmpi_schema_set *s, const xmlNode *n,
				     unsigned depth)
{
	const xmlNode *inside = fmpi_type_child(n, "simpleType");

	if (fmpi_is(n, NS_XSD, "restriction"))
		for (const xmlNode *f = fmpi_first(n); f; f = fmpi_next(f))
			if (fmpi_schema_is_facet(f) && has_too_many_digits(f) &&
			    is_number_type(s, n))
				return true;
	return contains_unreadable(
		s, inside ? (struct fmpi_type){ inside, NULL } : fmpi_type_of(s, n, "base"), depth);
}

static bool contains_unreadable(const struct fmpi_schema_set *s, struct fmpi_type t, unsigned depth)
{
	const xmlNode *n = t.node ? fmpi_type_child(t.node, "simpleContent") : NULL;

	if (!t.node || depth > FMPI_NESTED_MAX)
		return false;
	n = fmpi_first(n ? n : t.node);
	if (fmpi_is(n, NS_XSD, "restriction") || fmpi_is(n, NS_XSD, "extension"))
		return is_unreadable_derivation(s, n, depth + 1);
	if (fmpi_is(n, NS_XSD, "list"))
		return contains_unreadable(s, fmpi_type_of(s, n, "itemType"), depth + 1);
	return fmpi_is(n, NS_XSD, "union") && has_unreadable_member(s, n, depth + 1);
}

/*
 * Facet values must be valid for the base type too: a type derived from an unreadable one is
 * unreadable.
 */
bool fmpi_schema_is_unreadable(const struct fmpi_schema_set *s, const xmlNode *restriction)
{
	return fmpi_is(restriction, NS_XSD, "restriction") &&
	       is_unreadable_derivation(s, restriction, 0);
}

bool fmpi_schema_omits_value(const struct fmpi_schema_set *s, const xmlNode *n, const char *name)
{
	return (strcmp(name, "fixed") == 0 || strcmp(name, "default") == 0) &&
	       (fmpi_is(n, NS_XSD, "element") || fmpi_is(n, NS_XSD, "attribute")) &&
	       contains_unreadable(s, fmpi_type_of(s, n, "type"), 0);
}

void fmpi_schema_number_clear(struct fmpi_schema_set *s)
{
	for (unsigned i = 0; i < s->n; i++) {
		xmlNode *root = xmlDocGetRootElement(s->docs[i].doc);

		for (xmlNode *n = root; n; n = fmpi_walk_next(root, n)) {
			if (n->psvi)
				xmlRegFreeRegexp(n->psvi);
			n->psvi = NULL;
		}
	}
}
