// SPDX-License-Identifier: GPL-2.0
#include "inspect/schema_strict.h"

#include <libxml/xmlschemastypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inspect/document.h"
#include "inspect/moment.h"
#include "inspect/names.h"
#include "inspect/number.h"

static bool is_one_of(const char *name, const char *const *all)
{
	for (; *all; all++)
		if (strcmp(*all, name) == 0)
			return true;
	return false;
}

static const char *const lists[] = { "NMTOKENS", "IDREFS", "ENTITIES", NULL };

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* ---- types ---- */

/* The part of a type that says what it is made of: xs:restriction, extension, list or union. */
static const xmlNode *derivation_of(const xmlNode *type)
{
	const xmlNode *content = fmpi_type_child(type, "simpleContent");

	return fmpi_first(content ? content : type);
}

static struct fmpi_type base_of(const struct fmpi_schema_set *s, const xmlNode *derivation)
{
	const xmlNode *inside = fmpi_type_child(derivation, "simpleType");

	return inside ? (struct fmpi_type){ inside, NULL } : fmpi_type_of(s, derivation, "base");
}

static bool is_derived(const xmlNode *n)
{
	return fmpi_is(n, NS_XSD, "restriction") || fmpi_is(n, NS_XSD, "extension");
}

/* The built-in type at its root; "": it has none, or is a list or union. */
static const char *root_of(const struct fmpi_schema_set *s, struct fmpi_type t)
{
	for (unsigned i = 0; t.node && i < FMPI_NESTED_MAX; i++) {
		const xmlNode *n = derivation_of(t.node);

		if (!is_derived(n))
			return "";
		t = base_of(s, n);
	}
	return t.builtin ? t.builtin : "";
}

/* Of a list of names. @names: what is left of it */
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

/* ---- what a schema makes doubtful ---- */

static bool is_range(const xmlNode *facet)
{
	static const char *const names[] = { "minInclusive", "maxInclusive", "minExclusive",
					     "maxExclusive", NULL };

	return fmpi_is(facet, NS_XSD, (const char *)facet->name) &&
	       is_one_of((const char *)facet->name, names);
}

/* xs:ID, or xs:IDREF where a list of these is one, too; NULL: another. */
static const char *reference_of(const struct fmpi_schema_set *s, struct fmpi_type t)
{
	const xmlNode *n = t.node ? derivation_of(t.node) : NULL;
	const char *root;

	if (fmpi_is(n, NS_XSD, "list"))
		t = fmpi_type_of(s, n, "itemType");
	root = root_of(s, t);
	if (strncmp(root, "IDREF", 5) == 0)
		return "IDREF";
	return strcmp(root, "ID") == 0 ? "ID" : NULL;
}

static void note_lists(const struct fmpi_schema_set *s, const xmlNode *n, const char *attribute,
		       struct fmpi_strict *out)
{
	const char *names = fmpi_attribute(n, NULL, attribute);
	char name[256];

	while (next_name(&names, name, sizeof(name))) {
		struct fmpi_type t = fmpi_type_named(s, n, name);

		out->has_lists = out->has_lists || (t.builtin && is_one_of(t.builtin, lists));
	}
}

/* @is_needed: IDs of attributes alone libxml2 has compared */
static int note_id(const struct fmpi_schema_set *s, const xmlNode *n, struct fmpi_strict *out,
		   bool *is_needed)
{
	const char *name = fmpi_attribute(n, NULL, "name"), *reference;
	bool is_attribute = fmpi_is(n, NS_XSD, "attribute");

	if (!name || (!is_attribute && !fmpi_is(n, NS_XSD, "element")))
		return 0;
	reference = reference_of(s, fmpi_type_of(s, n, "type"));
	if (!reference)
		return 0;
	*is_needed = *is_needed || !is_attribute || strcmp(reference, "ID") != 0;
	return xmlHashUpdateEntry(out->ids, (const xmlChar *)name, (void *)n, NULL) ? FMP_ERR_NOMEM
										    : 0;
}

int fmpi_strict_of(const struct fmpi_schema_set *s, struct fmpi_strict *out)
{
	bool is_needed = false;
	int ret;

	*out = (struct fmpi_strict){ .ids = xmlHashCreate(16) };
	ret = out->ids ? 0 : FMP_ERR_NOMEM;
	for (unsigned i = 0; i < s->n && !ret; i++) {
		const xmlNode *root = xmlDocGetRootElement(s->docs[i].doc);

		for (const xmlNode *n = root; n && !ret; n = fmpi_walk(root, n)) {
			note_lists(s, n, "type", out);
			note_lists(s, n, "base", out);
			note_lists(s, n, "itemType", out);
			note_lists(s, n, "memberTypes", out);
			if (is_range(n) && fmpi_moment_is_type(root_of(s, base_of(s, n->parent))))
				out->has_ranges = true;
			ret = note_id(s, n, out, &is_needed);
		}
	}
	if (ret || !is_needed) {
		xmlHashFree(out->ids, NULL);
		out->ids = NULL;
	}
	return ret;
}

void fmpi_strict_clear(struct fmpi_strict *s)
{
	xmlHashFree(s->ids, NULL);
	s->ids = NULL;
}

bool fmpi_strict_is_id(const struct fmpi_strict *s, const xmlChar *local)
{
	return s->ids && xmlHashLookup(s->ids, local);
}

/* ---- values in doubt ---- */

static bool is_word_in_doubt(const struct fmpi_doubt *d)
{
	if (d->first == 'N')
		return d->before == 'a' && d->last == 'N';
	if (d->last == 'S')
		return d->before == '.';
	if (d->of->has_ranges && (d->first == '-' || (d->first >= '0' && d->first <= '9')))
		return true;
	return strchr("eE+-", d->last) && d->last != d->first;
}

static void end_word(struct fmpi_doubt *d)
{
	d->is_found = d->is_found || (d->first && is_word_in_doubt(d));
	d->first = d->before = d->last = '\0';
}

void fmpi_doubt_feed(struct fmpi_doubt *d, const char *text, size_t len)
{
	for (; len && !d->is_text && !d->is_found; text++, len--) {
		if (is_blank(*text)) {
			end_word(d);
			continue;
		}
		if (!d->first) {
			d->first = *text;
			d->is_text = !d->has_word && !strchr("+-.0123456789PNI", *text);
			d->has_word = true;
		}
		d->before = d->last;
		d->last = *text;
	}
}

bool fmpi_doubt_end(struct fmpi_doubt *d)
{
	bool is_found;

	if (!d->is_text)
		end_word(d);
	is_found = d->is_found || (d->of->has_lists && !d->has_word);
	*d = (struct fmpi_doubt){ .of = d->of };
	return is_found;
}

/* ---- one value ---- */

struct place {
	unsigned depth;
	bool is_member; /* of a union */
};

static bool takes(const struct fmpi_schema_set *s, struct fmpi_type t, const char *text, size_t len,
		  struct place at);

static bool is_float(const char *text, size_t len)
{
	static const char *const names[] = { "INF", "-INF", "NaN" };
	const char *p = text, *end = text + len;
	size_t n = 0;

	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strlen(names[i]) == len && memcmp(names[i], text, len) == 0)
			return true;
	p += p < end && (*p == '+' || *p == '-');
	for (; p < end && *p >= '0' && *p <= '9'; p++)
		n++;
	for (p += p < end && *p == '.'; p < end && *p >= '0' && *p <= '9'; p++)
		n++;
	if (!n || p == end || (*p != 'e' && *p != 'E'))
		return n && p == end;
	p++;
	p += p < end && (*p == '+' || *p == '-');
	for (n = 0; p < end && *p >= '0' && *p <= '9'; p++)
		n++;
	return n && p == end;
}

static bool is_floating(const char *type)
{
	return strcmp(type, "float") == 0 || strcmp(type, "double") == 0;
}

/* Where there are other members, the text may be of one of these: not all of it is said then. */
static bool takes_as_member(const char *type, const char *text, size_t len)
{
	/* Where they stand tells whether they are valid. */
	static const char *const placed[] = { "QName", "NOTATION", "ENTITY", "ENTITIES", NULL };
	xmlSchemaTypePtr t =
		xmlSchemaGetPredefinedType((const xmlChar *)type, (const xmlChar *)NS_XSD);
	struct fmpi_number number;
	bool is_good = true;
	char *copy;

	if (fmpi_number_read(text, len, &number))
		return true;
	copy = t && !is_one_of(type, placed) ? strndup(text, len) : NULL;
	if (copy)
		is_good = xmlSchemaValidatePredefinedType(t, (const xmlChar *)copy, NULL) == 0;
	free(copy);
	return is_good;
}

static bool takes_builtin(const char *type, const char *text, size_t len, bool is_member)
{
	if (is_floating(type))
		return is_float(text, len);
	if (strcmp(type, "duration") == 0 && len > 1 && memcmp(text + len - 2, ".S", 2) == 0)
		return false;
	if (is_one_of(type, lists) && !len)
		return false;
	return !is_member || takes_as_member(type, text, len);
}

/* Of times. Without an order it is in no range. */
static bool is_in_range(const char *type, const xmlNode *facet, const char *text, size_t len)
{
	const char *value = fmpi_attribute(facet, NULL, "value"), *name = (const char *)facet->name;
	struct fmpi_moment x, bound;
	enum fmpi_order order;

	/* libxml2 has compared those. */
	if (!value || !fmpi_moment_read(type, value, strlen(value), &bound) ||
	    !fmpi_moment_read(type, text, len, &x))
		return true;
	order = fmpi_moment_compare(&x, &bound);
	if (order == FMPI_SAME)
		return strstr(name, "Inclusive");
	return order == (strncmp(name, "min", 3) == 0 ? FMPI_AFTER : FMPI_BEFORE);
}

static bool holds(const struct fmpi_schema_set *s, const xmlNode *restriction, const char *text,
		  size_t len)
{
	const char *type = root_of(s, base_of(s, restriction));
	bool is_time = fmpi_moment_is_type(type);
	bool is_nan = is_floating(type) && len == 3 && memcmp(text, "NaN", 3) == 0;

	for (const xmlNode *n = fmpi_first(restriction); n; n = fmpi_next(n))
		if (is_range(n) && (is_nan || (is_time && !is_in_range(type, n, text, len))))
			return false;
	return true;
}

static bool takes_list(const struct fmpi_schema_set *s, struct fmpi_type item, const char *text,
		       size_t len, struct place at)
{
	for (size_t i = 0, n; i < len; i += n) {
		for (n = 0; i + n < len && !is_blank(text[i + n]);)
			n++;
		if (n && !takes(s, item, text + i, n, at))
			return false;
		n += !n;
	}
	return true;
}

static bool takes_union(const struct fmpi_schema_set *s, const xmlNode *n, const char *text,
			size_t len, struct place at)
{
	const char *names = fmpi_attribute(n, NULL, "memberTypes");
	char name[256];

	at.is_member = true;
	while (next_name(&names, name, sizeof(name)))
		if (takes(s, fmpi_type_named(s, n, name), text, len, at))
			return true;
	for (n = fmpi_first(n); n; n = fmpi_next(n))
		if (fmpi_is(n, NS_XSD, "simpleType") &&
		    takes(s, (struct fmpi_type){ n, NULL }, text, len, at))
			return true;
	return false;
}

/* But for what libxml2 has seen to. @text: without white space around it */
static bool takes(const struct fmpi_schema_set *s, struct fmpi_type t, const char *text, size_t len,
		  struct place at)
{
	const xmlNode *n;

	if (at.depth++ > FMPI_NESTED_MAX)
		return true;
	if (!t.node)
		return !t.builtin || takes_builtin(t.builtin, text, len, at.is_member);
	n = derivation_of(t.node);
	if (is_derived(n))
		return takes(s, base_of(s, n), text, len, at) &&
		       (fmpi_is(n, NS_XSD, "extension") || holds(s, n, text, len));
	if (fmpi_is(n, NS_XSD, "list"))
		return takes_list(s, fmpi_type_of(s, n, "itemType"), text, len, at);
	return !fmpi_is(n, NS_XSD, "union") || takes_union(s, n, text, len, at);
}

/* XSD 1.0's first edition wrote --MM--, and so did Java up to 8. */
static bool is_old_month(const char *text, size_t len)
{
	struct fmpi_moment m;
	char now[32];

	if (len < 6 || len >= sizeof(now) || memcmp(text + 4, "--", 2) != 0)
		return false;
	snprintf(now, sizeof(now), "%.4s%.*s", text, (int)(len - 6), text + 6);
	return fmpi_moment_read("gMonth", now, strlen(now), &m);
}

/* XSD 1.0 part 1, cvc-elt 5.2.2.2.2; NULL: it is none of the type. */
static xmlSchemaValPtr read_built_in(const char *type, const char *text)
{
	xmlSchemaTypePtr t =
		xmlSchemaGetPredefinedType((const xmlChar *)type, (const xmlChar *)NS_XSD);
	xmlChar *plain = xmlSchemaCollapseString((const xmlChar *)text);
	xmlSchemaValPtr value = NULL;

	/* NULL: there is nothing to collapse. */
	if (t)
		(void)xmlSchemaValidatePredefinedType(t, plain ? plain : (const xmlChar *)text,
						      &value);
	xmlFree(plain);
	return value;
}

bool fmpi_strict_is_same(const struct fmpi_schema_set *s, struct fmpi_type t, const char *x,
			 const char *y)
{
	const char *type = root_of(s, t);
	xmlSchemaValPtr a = NULL, b = NULL;
	bool is_same;

	if (fmpi_type_collapses(s, t)) {
		a = read_built_in(type, x);
		b = read_built_in(type, y);
	}
	is_same = a && b && xmlSchemaCompareValues(a, b) == 0;
	xmlSchemaFreeValue(a);
	xmlSchemaFreeValue(b);
	return is_same;
}

/* libxml2 looks at the others behind them, if at all. */
static bool has_only_ranges(const struct fmpi_schema_set *s, struct fmpi_type t)
{
	for (unsigned i = 0; t.node && i < FMPI_NESTED_MAX; i++) {
		const xmlNode *n = derivation_of(t.node);

		for (const xmlNode *f = fmpi_first(n); f; f = fmpi_next(f))
			if (fmpi_attribute(f, NULL, "value") && !is_range(f))
				return false;
		t = base_of(s, n);
	}
	return true;
}

const char *fmpi_strict_excuse(const struct fmpi_schema_set *s, struct fmpi_type t,
			       bool is_of_range, const char *text)
{
	const char *type = root_of(s, t);
	size_t skip = strspn(text, " \t\r\n"), len = strlen(text);

	text += skip;
	for (len -= skip; len && is_blank(text[len - 1]);)
		len--;
	if (!is_of_range)
		return strcmp(type, "gMonth") == 0 && is_old_month(text, len)
			       ? "a month as XSD 1.0's first edition wrote it (--MM--): it is --MM"
			       : NULL;
	if (!fmpi_moment_is_type(type) || !takes(s, t, text, len, (struct place){ 0 }))
		return NULL;
	return has_only_ranges(s, t)
		       ? ""
		       : "a time that can't be compared with the limits of its type here";
}

/* ---- a payload ---- */

struct check {
	const struct fmpi_schema_set *s;
	const struct fmpi_strict *of;
	const xmlNode *payload;
	struct fmp_inspection *v;
	xmlHashTable *ids; /* with the node that has it */
	const xmlNode *unbound; /* a reference whose ID was not met */
	bool is_untold; /* some value may be an ID, and nobody knows */
	struct fmpi_way way;
};

static bool is_in_doubt(const struct fmpi_strict *of, const xmlNode *value)
{
	struct fmpi_doubt d = { .of = of };

	for (const xmlNode *n = value->children; n; n = n->next)
		if (n->type == XML_TEXT_NODE)
			fmpi_doubt_feed(&d, (const char *)n->content,
					strlen((const char *)n->content));
	return fmpi_doubt_end(&d);
}

static char *value_of(const xmlNode *node)
{
	char *text = (char *)(node->type == XML_ATTRIBUTE_NODE
				      ? xmlStrdup((const xmlChar *)fmpi_attribute_value(
						(const xmlAttr *)node))
				      : xmlNodeGetContent(node));
	size_t n = text ? strlen(text) : 0, skip = text ? strspn(text, " \t\r\n") : 0;

	while (n > skip && is_blank(text[n - 1]))
		n--;
	if (text) {
		memmove(text, text + skip, n - skip);
		text[n - skip] = '\0';
	}
	return text;
}

static int refuse(struct check *c, const xmlNode *value, const char *what)
{
	return fmpi_refuse(c->v, FMP_STEP_SCHEMA, FMP_EVENT_SCHEMA, fmpi_line(value),
			   "%s '%s': the value %s",
			   value->type == XML_ATTRIBUTE_NODE ? "Attribute" : "Element", value->name,
			   what);
}

/* An ID, or one of a list of references; @is_first: the pass in which IDs are gathered */
static int look_at_name(struct check *c, const xmlNode *value, const char *type, char *text,
			bool is_first)
{
	char *rest = NULL;

	if (strcmp(type, "ID") == 0) {
		if (!is_first)
			return 0;
		if (xmlHashLookup(c->ids, (const xmlChar *)text))
			return refuse(c, value, "is the ID of something else, too");
		return xmlHashAddEntry(c->ids, (const xmlChar *)text, (void *)value) ? FMP_ERR_NOMEM
										     : 0;
	}
	for (char *word = is_first ? NULL : strtok_r(text, " \t\r\n", &rest); word;
	     word = strtok_r(NULL, " \t\r\n", &rest))
		if (!xmlHashLookup(c->ids, (const xmlChar *)word))
			c->unbound = c->unbound ? c->unbound : value;
	return 0;
}

static int look_at(struct check *c, const xmlNode *value, bool is_first)
{
	bool is_doubt = is_first && is_in_doubt(c->of, value);
	bool is_id = fmpi_strict_is_id(c->of, value->name);
	const char *fixed, *reference;
	struct fmpi_type t;
	char *text;
	int ret = 0;

	if (!is_doubt && !is_id)
		return 0;
	t = fmpi_type_of_value(c->s, c->payload, value, &c->way, &fixed);
	if (fmpi_type_is_untold(&t)) {
		c->is_untold = true;
		return 0;
	}
	reference = is_id ? reference_of(c->s, t) : NULL;
	if (!is_doubt && !reference)
		return 0;
	text = value_of(value);
	if (!text)
		return FMP_ERR_NOMEM;
	/* An empty element may have a default. */
	if (is_doubt && (*text || value->type == XML_ATTRIBUTE_NODE) &&
	    !takes(c->s, t, text, strlen(text), (struct place){ 0 }))
		ret = refuse(c, value, "is not one of its type");
	if (!ret && reference)
		ret = look_at_name(c, value, reference, text, is_first);
	xmlFree(text);
	return ret;
}

static int look_at_all(struct check *c, bool is_first)
{
	int ret = 0;

	for (const xmlNode *n = c->payload; n && !ret; n = fmpi_walk(c->payload, n)) {
		for (xmlAttr *a = n->properties; a && !ret; a = a->next)
			if (!a->ns || strcmp((const char *)a->ns->href, NS_XSI) != 0)
				ret = look_at(c, (xmlNode *)a, is_first);
		if (!ret && !fmpi_first(n))
			ret = look_at(c, n, is_first);
	}
	return ret;
}

int fmpi_strict_check(const struct fmpi_schema_set *s, const struct fmpi_strict *of,
		      const xmlNode *payload, struct fmp_inspection *v)
{
	struct check c;
	int ret;

	/* Not cleared whole: the way is large, and seldom gone. */
	memset(&c, 0, offsetof(struct check, way));
	c.s = s;
	c.of = of;
	c.payload = payload;
	c.v = v;
	c.way.n = 0;
	c.ids = of->ids ? xmlHashCreate(64) : NULL;
	if (of->ids && !c.ids)
		return FMP_ERR_NOMEM;
	ret = look_at_all(&c, true);
	if (!ret && of->ids) {
		ret = look_at_all(&c, false);
		if (!ret && c.unbound && !c.is_untold)
			ret = refuse(&c, c.unbound, "refers to an ID that is nowhere");
	}
	xmlHashFree(c.ids, NULL);
	return ret;
}
