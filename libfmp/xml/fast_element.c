// SPDX-License-Identifier: GPL-2.0
/* Elements of the fast parser: names, attributes, namespaces, start and end tags. */
#include "fast_private.h"

#include <libxml/uri.h>
#include <string.h>

#include "swar.h"

#define XML_NAMESPACE	"http://www.w3.org/XML/1998/namespace"
#define XMLNS_NAMESPACE "http://www.w3.org/2000/xmlns/"

enum {
	STARTS_NAME = 1,
	IN_NAME = 2
};

static const uint8_t class[256] = {
	['-'] = IN_NAME,
	['.'] = IN_NAME,
	['0' ... '9'] = IN_NAME,
	['A' ... 'Z'] = IN_NAME | STARTS_NAME,
	['_'] = IN_NAME | STARTS_NAME,
	['a' ... 'z'] = IN_NAME | STARTS_NAME,
};

/* ---- names ---- */

static bool is_namespace(const xmlChar *name)
{
	xmlURIPtr uri = xmlParseURI((const char *)name);
	bool good = uri && strcmp((const char *)name, XML_NAMESPACE) != 0 &&
		    strcmp((const char *)name, XMLNS_NAMESPACE) != 0;

	xmlFreeURI(uri);
	return good;
}

/*
 * Find a name in the dictionary. A word already met as a name needs no check as a namespace: every
 * name without a colon is a valid URI. Return: NULL: libxml2 must check that namespace, or out of
 * memory.
 */
static const xmlChar *find_in_dictionary(struct fast_state *q, const uint8_t *p, size_t len,
					 bool as_namespace)
{
	size_t slot = len * 7 + p[0] + p[len / 2] * 5u + p[len - 1] * 3u;
	struct fmpi_fast_cache_entry *k = &q->fast->cache[slot % FMPI_FAST_CACHE];
	const xmlChar *found;

	if (k->word && k->len == len && memcmp(k->word, p, len) == 0)
		return k->word;
	found = xmlDictLookup(q->dict, p, (int)len);
	if (!found || (as_namespace && !is_namespace(found)))
		return NULL;
	*k = (struct fmpi_fast_cache_entry){ found, (uint32_t)len };
	return found;
}

static const xmlChar *find_prefix(struct fast_state *q, const struct fast_name *n)
{
	return find_in_dictionary(q, n->p, n->prefix, false);
}

static const xmlChar *find_local_name(struct fast_state *q, const struct fast_name *n)
{
	uint32_t skip = n->prefix ? n->prefix + 1 : 0;

	return find_in_dictionary(q, n->p + skip, n->len - skip, false);
}

/* ---- reading ---- */

static bool read_ncname(struct fast_state *q)
{
	const uint8_t *p = q->p;

	if (!(class[*p] & STARTS_NAME))
		return false;
	while (class[*p] & IN_NAME)
		p++;
	q->p = p;
	return true;
}

static bool read_name(struct fast_state *q, struct fast_name *out)
{
	out->p = q->p;
	out->prefix = 0;
	if (!read_ncname(q))
		return false;
	if (*q->p == ':') {
		out->prefix = (uint32_t)(q->p - out->p);
		q->p++;
		if (!read_ncname(q))
			return false;
	}
	out->len = (uint32_t)(q->p - out->p);
	return out->len <= FAST_MAX_NAME;
}

static bool is_declaration(const struct fast_attribute *a)
{
	uint32_t len = a->name.prefix ? a->name.prefix : a->name.len;

	return len == 5 && memcmp(a->name.p, "xmlns", 5) == 0;
}

static const uint8_t *skip_plain_value(const uint8_t *p, const uint8_t *end, uint8_t quote)
{
	size_t w, hit;

	for (; (size_t)(end - p) >= sizeof(w); p += sizeof(w)) {
		memcpy(&w, p, sizeof(w));
		hit = w | fmpi_match_control(w) | fmpi_match_byte(w, '<') |
		      fmpi_match_byte(w, '&') | fmpi_match_byte(w, quote);
		if (hit & fmpi_repeat_byte(0x80))
			break;
	}
	while (p < end && *p != quote && *p >= ' ' && *p < 0x80 && *p != '<' && *p != '&')
		p++;
	return p;
}

static bool read_value(struct fast_state *q, struct fast_attribute *a)
{
	const uint8_t *p = q->p + 1;
	uint8_t quote = *q->p;

	if (quote != '"' && quote != '\'')
		return false;
	a->refers = false;
	while ((p = skip_plain_value(p, q->end, quote)) < q->end && *p == '&' &&
	       is_declaration(a)) {
		a->refers = true;
		p++;
	}
	if (p == q->end || *p != quote)
		return false;
	a->value = q->p + 1;
	a->len = (size_t)(p - a->value);
	q->p = p + 1;
	return true;
}

/*
 * Decode "&#115;" or "&#x73;" to a character that is usual in URIs. @at points behind the '&'; the
 * closing quote is somewhere behind it. Return: 0: not such a reference.
 */
static uint8_t resolve_reference(const uint8_t **at)
{
	bool hex = (*at)[0] == '#' && (*at)[1] == 'x';
	const uint8_t *p = *at + 1 + hex;
	unsigned c = 0;

	if ((*at)[0] != '#')
		return 0;
	for (; *p != ';' && c < 0x80; p++) {
		if (*p >= '0' && *p <= '9')
			c = c * (hex ? 16 : 10) + *p - '0';
		else if (hex && (*p | 0x20) >= 'a' && (*p | 0x20) <= 'f')
			c = c * 16 + (*p | 0x20) - 'a' + 10;
		else
			return 0;
		/* libxml2 limits leading zeros. */
		if (!c)
			return 0;
	}
	*at = p + 1;
	return *p == ';' && (c == ':' || c == '/' || (c < 0x80 && class[c] & IN_NAME)) ? (uint8_t)c
										       : 0;
}

/* ---- tags ---- */

static bool is_reserved(const xmlChar *prefix)
{
	return strcmp((const char *)prefix, "xml") == 0 ||
	       strcmp((const char *)prefix, "xmlns") == 0;
}

static bool refuse_empty_namespace(struct fast_state *q, const struct fast_attribute *a,
				   const xmlChar *prefix)
{
	return prefix && fast_refuse(q, a->line, "xmlns:%s: Empty XML namespace is not allowed",
				     (const char *)prefix);
}

/* Append a namespace declaration to an element. */
static xmlNs *new_ns(const struct fast_state *q, xmlNode *e, const xmlChar *href,
		     const xmlChar *prefix)
{
	xmlNs **at, *ns;

	if (!q->arena)
		return xmlNewNs(e, href, prefix);
	for (at = &e->nsDef; *at; at = &(*at)->next)
		;
	*at = ns = fmpi_arena_alloc(q->arena, sizeof(*ns));
	if (ns)
		*ns = (xmlNs){ .type = XML_LOCAL_NAMESPACE, .href = href, .prefix = prefix };
	return ns;
}

/*
 * Declaring a reserved prefix with its own URI, or its URI for another prefix, is left to libxml2.
 */
static bool refuse_reserved(struct fast_state *q, const struct fast_attribute *a,
			    const xmlChar *prefix)
{
	if (a->len == strlen(XML_NAMESPACE))
		return false;
	return fast_refuse(q, a->line, "%s",
			   strcmp((const char *)prefix, "xml") == 0
				   ? "xml namespace prefix mapped to wrong URI"
				   : "redefinition of the xmlns prefix is forbidden");
}

static bool is_declared(const xmlNode *e, const xmlChar *prefix)
{
	for (const xmlNs *ns = e->nsDef; ns; ns = ns->next)
		if (xmlStrEqual(ns->prefix, prefix))
			return true;
	return false;
}

static bool refuse_redeclared(struct fast_state *q, const struct fast_attribute *a,
			      const xmlChar *prefix)
{
	return fast_refuse(q, a->line, "Attribute xmlns%s%s redefined", prefix ? ":" : "",
			   prefix ? (const char *)prefix : "");
}

/* Return: the declared URI; NULL: libxml2 must check it, or out of memory. */
static const xmlChar *find_href(struct fast_state *q, const struct fast_attribute *a)
{
	const uint8_t *p = a->value, *end = p + a->len;
	uint8_t text[FAST_MAX_NAME];
	size_t n = 0;

	if (!a->refers)
		return find_in_dictionary(q, p, a->len, true);
	while (p < end) {
		uint8_t c = *p++;

		if (c == '&')
			c = resolve_reference(&p);
		if (!c)
			return NULL;
		text[n++] = c;
	}
	return find_in_dictionary(q, text, n, true);
}

static bool declare_namespace(struct fast_state *q, xmlNode *e, const struct fast_attribute *a)
{
	struct fast_scope *s = &q->ns[q->n_ns];

	if (q->n_ns == FAST_MAX_IN_SCOPE || a->len > FAST_MAX_NAME)
		return false;
	s->prefix = a->name.prefix ? find_local_name(q, &a->name) : NULL;
	if (a->name.prefix && !s->prefix)
		return false;
	if (s->prefix && is_reserved(s->prefix))
		return !a->refers && refuse_reserved(q, a, s->prefix);
	if (a->len == 0)
		return refuse_empty_namespace(q, a, s->prefix);
	s->href = find_href(q, a);
	if (!s->href)
		return false;
	if (is_declared(e, s->prefix))
		return refuse_redeclared(q, a, s->prefix);
	s->ns = new_ns(q, e, s->href, s->prefix);
	q->n_ns++;
	return s->ns != NULL;
}

static const struct fast_scope *find_ns(const struct fast_state *q, const xmlChar *prefix)
{
	for (unsigned i = q->n_ns; i; i--)
		if (q->ns[i - 1].prefix == prefix)
			return &q->ns[i - 1];
	return NULL;
}

/* Find an attribute of this local name and namespace (or of none). */
static const xmlAttr *find_duplicate(const xmlNode *e, const xmlChar *name, const xmlNs *ns)
{
	for (const xmlAttr *a = e->properties; a; a = a->next)
		if (a->name == name &&
		    (a->ns == ns || (a->ns && ns && xmlStrEqual(a->ns->href, ns->href))))
			return a;
	return NULL;
}

static bool refuse_duplicate(struct fast_state *q, const xmlChar *name, const xmlNs *a,
			     const xmlNs *b)
{
	const char *local = (const char *)name;

	if (a != b)
		return fast_refuse(q, q->line, "Namespaced Attribute %s in '%s' redefined", local,
				   (const char *)b->href);
	if (!a)
		return fast_refuse(q, q->line, "Attribute %s redefined", local);
	return fast_refuse(q, q->line, "Attribute %s:%s redefined", (const char *)a->prefix, local);
}

static bool add_attribute(struct fast_state *q, xmlNode *e, xmlAttr *behind,
			  const struct fast_attribute *a, xmlAttr **out)
{
	const struct fast_scope *s = NULL;
	const xmlChar *name = find_local_name(q, &a->name);
	const xmlAttr *other;
	xmlAttr *attr;

	if (a->name.prefix) {
		const xmlChar *prefix = find_prefix(q, &a->name);

		s = prefix ? find_ns(q, prefix) : NULL;
		if (!s)
			return false;
	}
	if (!name)
		return false;
	other = find_duplicate(e, name, s ? s->ns : NULL);
	if (other)
		return refuse_duplicate(q, name, other->ns, s ? s->ns : NULL);
	attr = fmpi_fast_alloc(q, sizeof(*attr));
	if (!attr)
		return false;
	*attr = (xmlAttr){
		.type = XML_ATTRIBUTE_NODE,
		.name = name,
		.parent = e,
		.prev = behind,
		.doc = q->doc,
		.ns = s ? s->ns : NULL,
	};
	if (behind)
		behind->next = attr;
	else
		e->properties = attr;
	*out = attr;
	attr->children = attr->last = fmpi_fast_text_node(q, a->value, a->len, q->line);
	if (attr->children)
		attr->children->parent = (xmlNode *)attr;
	return attr->children != NULL;
}

/*
 * libxml2 reports errors of attributes first, so those are left to it. "xml" is bound everywhere.
 */
static bool refuse_unbound(struct fast_state *q, const xmlChar *prefix, const xmlChar *name)
{
	for (unsigned i = 0; i < q->n_attributes; i++)
		if (!is_declaration(&q->attribute[i]))
			return false;
	return strcmp((const char *)prefix, "xml") != 0 &&
	       fast_refuse(q, q->line, "Namespace prefix %s on %s is not defined",
			   (const char *)prefix, (const char *)name);
}

/* Read declarations first: attributes in front of them use them too. */
static bool fill_element(struct fast_state *q, xmlNode *e, const struct fast_name *name)
{
	const xmlChar *prefix = NULL;
	const struct fast_scope *s;
	xmlAttr *last = NULL;

	for (unsigned i = 0; i < q->n_attributes; i++)
		if (is_declaration(&q->attribute[i]) && !declare_namespace(q, e, &q->attribute[i]))
			return false;
	if (name->prefix) {
		prefix = find_prefix(q, name);
		if (!prefix)
			return false;
	}
	s = find_ns(q, prefix);
	if (!s && prefix)
		return refuse_unbound(q, prefix, e->name);
	e->ns = s ? s->ns : NULL;
	for (unsigned i = 0; i < q->n_attributes; i++)
		if (!is_declaration(&q->attribute[i]) &&
		    !add_attribute(q, e, last, &q->attribute[i], &last))
			return false;
	return true;
}

static bool read_attributes(struct fast_state *q)
{
	for (q->n_attributes = 0;; q->n_attributes++) {
		struct fast_attribute *a = &q->attribute[q->n_attributes];
		bool apart = fmpi_fast_skip_blanks(q) > 0;

		if (*q->p == '>' || *q->p == '/')
			return *q->p == '>' || q->p[1] == '>';
		if (!apart || q->n_attributes == FAST_MAX_ATTRIBUTES || !read_name(q, &a->name))
			return false;
		fmpi_fast_skip_blanks(q);
		if (*q->p++ != '=')
			return false;
		fmpi_fast_skip_blanks(q);
		if (!read_value(q, a))
			return false;
		a->line = q->line;
	}
}

/* p is behind the '<'. */
bool fmpi_fast_start_tag(struct fast_state *q)
{
	struct fast_open *o = &q->open[q->depth];
	const xmlChar *name;
	xmlNode *e;

	if (q->depth == FAST_MAX_DEPTH)
		return false;
	o->line = q->line;
	if (!read_name(q, &o->name))
		return false;
	if (*q->p == ':' && o->name.prefix)
		return fast_refuse(q, q->line, "Failed to parse QName '%.*s:'", (int)o->name.len,
				   (const char *)o->name.p);
	if (!read_attributes(q))
		return false;
	o->n_ns = q->n_ns;
	name = find_local_name(q, &o->name);
	e = name ? fmpi_fast_node(q, XML_ELEMENT_NODE, name, q->line) : NULL;
	if (!e)
		return false;
	fmpi_fast_append(q->parent, e);
	if (!fill_element(q, e, &o->name))
		return false;
	if (*q->p == '>') {
		q->p++;
		q->parent = e;
		q->depth++;
		return true;
	}
	q->n_ns = o->n_ns;
	q->p += 2;
	return true;
}

/*
 * p is behind the '</' of an end tag with another name. If the open element has a prefix, libxml2
 * reports local names only.
 */
static bool refuse_mismatch(struct fast_state *q, const struct fast_open *o)
{
	struct fast_name n;
	uint32_t skip = 0, open_skip = 0;

	if (!read_name(q, &n))
		return false;
	fmpi_fast_skip_blanks(q);
	if (*q->p != '>')
		return false;
	if (o->name.prefix) {
		open_skip = o->name.prefix + 1;
		skip = n.prefix ? n.prefix + 1 : 0;
	}
	return fast_refuse(q, q->line, "Opening and ending tag mismatch: %.*s line %u and %.*s",
			   (int)(o->name.len - open_skip), (const char *)o->name.p + open_skip,
			   o->line, (int)(n.len - skip), (const char *)n.p + skip);
}

/* p is behind the '</'. */
bool fmpi_fast_end_tag(struct fast_state *q)
{
	const struct fast_open *o;

	if (!q->depth)
		return false;
	o = &q->open[--q->depth];
	if ((size_t)(q->end - q->p) < o->name.len || memcmp(q->p, o->name.p, o->name.len) != 0 ||
	    class[q->p[o->name.len]] & IN_NAME)
		return refuse_mismatch(q, o);
	q->p += o->name.len;
	fmpi_fast_skip_blanks(q);
	q->n_ns = o->n_ns;
	q->parent = q->parent->parent;
	return q->p < q->end && *q->p++ == '>';
}
