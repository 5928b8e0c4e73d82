// SPDX-License-Identifier: GPL-2.0
/* Recheck of one value: does its type accept it, where libxml2 accepts or rejects too much? */
#include "schema_strict.h"

#include <libxml/xmlschemastypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "xml/document.h"
#include "date_time.h"
#include "xml/names.h"
#include "decimal.h"

static bool is_one_of(const char *name, const char *const *all)
{
	for (; *all; all++)
		if (strcmp(*all, name) == 0)
			return true;
	return false;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

bool fmpi_strict_is_list(const char *type)
{
	static const char *const lists[] = { "NMTOKENS", "IDREFS", "ENTITIES", NULL };

	return is_one_of(type, lists);
}

bool fmpi_strict_is_range(const xmlNode *facet)
{
	static const char *const names[] = { "minInclusive", "maxInclusive", "minExclusive",
					     "maxExclusive", NULL };

	return fmpi_is(facet, NS_XSD, (const char *)facet->name) &&
	       is_one_of((const char *)facet->name, names);
}

/* Of base64, or white space. */
static const unsigned char is_of_base64[256] = {
	[0 ... ' '] = 1,   ['+'] = 1,	      ['/'] = 1,	 ['='] = 1,
	['0' ... '9'] = 1, ['A' ... 'Z'] = 1, ['a' ... 'z'] = 1,
};

bool fmpi_strict_has_strays(const char *text, size_t len)
{
	const unsigned char *p = (const unsigned char *)text;
	unsigned good = 1;

	/* Such texts are long, and strays rare: no branch for each byte. */
	for (; len >= 8; len -= 8, p += 8)
		good &= is_of_base64[p[0]] & is_of_base64[p[1]] & is_of_base64[p[2]] &
			is_of_base64[p[3]] & is_of_base64[p[4]] & is_of_base64[p[5]] &
			is_of_base64[p[6]] & is_of_base64[p[7]];
	for (; len; len--)
		good &= is_of_base64[*p++];
	return !good;
}

struct nesting {
	unsigned depth;
	bool is_member; /* it is the member of a union */
};

static bool accepts_type(const struct fmpi_schema_set *s, struct fmpi_type t, const char *text,
			 size_t len, struct nesting at);

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

/*
 * Does a member of a union accept the text? Other members may, so all of its lexical rules are
 * checked.
 */
static bool accepts_as_member(const char *type, const char *text, size_t len)
{
	/* Whether these are valid depends on context. */
	static const char *const placed[] = { "QName", "NOTATION", "ENTITY", "ENTITIES", NULL };
	xmlSchemaTypePtr t =
		xmlSchemaGetPredefinedType((const xmlChar *)type, (const xmlChar *)NS_XSD);
	struct fmpi_decimal number;
	bool is_good = true;
	char *copy;

	if (fmpi_decimal_read(text, len, &number))
		return true;
	copy = t && !is_one_of(type, placed) ? strndup(text, len) : NULL;
	if (copy)
		is_good = xmlSchemaValidatePredefinedType(t, (const xmlChar *)copy, NULL) == 0;
	free(copy);
	return is_good;
}

static bool accepts_builtin(const char *type, const char *text, size_t len, bool is_member)
{
	if (is_floating(type))
		return is_float(text, len);
	if (strcmp(type, "duration") == 0 && len > 1 && memcmp(text + len - 2, ".S", 2) == 0)
		return false;
	if (fmpi_strict_is_list(type) && !len)
		return false;
	if (strcmp(type, "base64Binary") == 0 && fmpi_strict_has_strays(text, len))
		return false;
	return !is_member || accepts_as_member(type, text, len);
}

/* Check a range of times. A value that can't be ordered is outside of any range. */
static bool is_in_range(const char *type, const xmlNode *facet, const char *text, size_t len)
{
	const char *value = fmpi_attribute(facet, NULL, "value"), *name = (const char *)facet->name;
	struct fmpi_date_time x, bound;
	enum fmpi_order order;

	/* libxml2 has compared other values. */
	if (!value || !fmpi_date_time_read(type, value, strlen(value), &bound) ||
	    !fmpi_date_time_read(type, text, len, &x))
		return true;
	order = fmpi_date_time_compare(&x, &bound);
	if (order == FMPI_SAME)
		return strstr(name, "Inclusive");
	return order == (strncmp(name, "min", 3) == 0 ? FMPI_AFTER : FMPI_BEFORE);
}

static bool ranges_hold(const struct fmpi_schema_set *s, const xmlNode *restriction,
			const char *text, size_t len)
{
	const char *type = fmpi_type_root(s, fmpi_type_base(s, restriction));
	bool is_time = fmpi_date_time_is_type(type);
	bool is_nan = is_floating(type) && len == 3 && memcmp(text, "NaN", 3) == 0;

	for (const xmlNode *n = fmpi_first(restriction); n; n = fmpi_next(n))
		if (fmpi_strict_is_range(n) &&
		    (is_nan || (is_time && !is_in_range(type, n, text, len))))
			return false;
	return true;
}

static bool accepts_list(const struct fmpi_schema_set *s, struct fmpi_type item, const char *text,
			 size_t len, struct nesting at)
{
	for (size_t i = 0, n; i < len; i += n) {
		for (n = 0; i + n < len && !is_blank(text[i + n]);)
			n++;
		if (n && !accepts_type(s, item, text + i, n, at))
			return false;
		n += !n;
	}
	return true;
}

static bool accepts_union(const struct fmpi_schema_set *s, const xmlNode *n, const char *text,
			  size_t len, struct nesting at)
{
	const char *names = fmpi_attribute(n, NULL, "memberTypes");
	char name[256];

	at.is_member = true;
	while (fmpi_type_next_name(&names, name, sizeof(name)))
		if (accepts_type(s, fmpi_type_named(s, n, name), text, len, at))
			return true;
	for (n = fmpi_first(n); n; n = fmpi_next(n))
		if (fmpi_is(n, NS_XSD, "simpleType") &&
		    accepts_type(s, (struct fmpi_type){ n, NULL }, text, len, at))
			return true;
	return false;
}

static bool accepts_type(const struct fmpi_schema_set *s, struct fmpi_type t, const char *text,
			 size_t len, struct nesting at)
{
	const xmlNode *n;

	if (at.depth++ > FMPI_NESTED_MAX)
		return true;
	if (!t.node)
		return !t.builtin || accepts_builtin(t.builtin, text, len, at.is_member);
	n = fmpi_type_derivation(t.node);
	if (fmpi_type_is_derived(n))
		return accepts_type(s, fmpi_type_base(s, n), text, len, at) &&
		       (fmpi_is(n, NS_XSD, "extension") || ranges_hold(s, n, text, len));
	if (fmpi_is(n, NS_XSD, "list"))
		return accepts_list(s, fmpi_type_of(s, n, "itemType"), text, len, at);
	return !fmpi_is(n, NS_XSD, "union") || accepts_union(s, n, text, len, at);
}

/* The first edition of XSD 1.0 defined gMonth as --MM--; Java up to 8 writes it. */
static bool is_first_edition_month(const char *text, size_t len)
{
	struct fmpi_date_time m;
	char now[32];

	if (len < 6 || len >= sizeof(now) || memcmp(text + 4, "--", 2) != 0)
		return false;
	snprintf(now, sizeof(now), "%.4s%.*s", text, (int)(len - 6), text + 6);
	return fmpi_date_time_read("gMonth", now, strlen(now), &m);
}

/*
 * Parse a value for comparison with a fixed one (XSD 1.0 part 1, cvc-elt 5.2.2.2.2). Return: NULL:
 * not of the type.
 */
static xmlSchemaValPtr read_builtin(const char *type, const char *text)
{
	xmlSchemaTypePtr t =
		xmlSchemaGetPredefinedType((const xmlChar *)type, (const xmlChar *)NS_XSD);
	xmlChar *plain = xmlSchemaCollapseString((const xmlChar *)text);
	xmlSchemaValPtr value = NULL;

	/* NULL: nothing to collapse. */
	if (t)
		(void)xmlSchemaValidatePredefinedType(t, plain ? plain : (const xmlChar *)text,
						      &value);
	xmlFree(plain);
	return value;
}

bool fmpi_strict_is_same(const struct fmpi_schema_set *s, struct fmpi_type t, const char *x,
			 const char *y)
{
	const char *type = fmpi_type_root(s, t);
	xmlSchemaValPtr a = NULL, b = NULL;
	bool is_same;

	if (fmpi_type_collapses(s, t)) {
		a = read_builtin(type, x);
		b = read_builtin(type, y);
	}
	is_same = a && b && xmlSchemaCompareValues(a, b) == 0;
	xmlSchemaFreeValue(a);
	xmlSchemaFreeValue(b);
	return is_same;
}

/* Has the type no facets but ranges? libxml2 checks the others behind them, if at all. */
static bool has_only_ranges(const struct fmpi_schema_set *s, struct fmpi_type t)
{
	for (unsigned i = 0; t.node && i < FMPI_NESTED_MAX; i++) {
		const xmlNode *n = fmpi_type_derivation(t.node);

		for (const xmlNode *f = fmpi_first(n); f; f = fmpi_next(f))
			if (fmpi_attribute(f, NULL, "value") && !fmpi_strict_is_range(f))
				return false;
		t = fmpi_type_base(s, n);
	}
	return true;
}

const char *fmpi_strict_waive(const struct fmpi_schema_set *s, struct fmpi_type t, bool is_of_range,
			      const char *text)
{
	const char *type = fmpi_type_root(s, t);
	size_t skip = strspn(text, " \t\r\n"), len = strlen(text);

	text += skip;
	for (len -= skip; len && is_blank(text[len - 1]);)
		len--;
	if (!is_of_range)
		return strcmp(type, "gMonth") == 0 && is_first_edition_month(text, len)
			       ? "a month as XSD 1.0's first edition wrote it (--MM--): it is --MM"
			       : NULL;
	if (!fmpi_date_time_is_type(type) || !accepts_type(s, t, text, len, (struct nesting){ 0 }))
		return NULL;
	return has_only_ranges(s, t)
		       ? ""
		       : "a time that can't be compared with the limits of its type here";
}

bool fmpi_strict_accepts(const struct fmpi_schema_set *s, struct fmpi_type t, const char *text,
			 size_t len)
{
	return accepts_type(s, t, text, len, (struct nesting){ 0 });
}
