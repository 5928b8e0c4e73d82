// SPDX-License-Identifier: GPL-2.0
#include "same_tree.h"

#include <libxml/parserInternals.h>
#include <stdbool.h>

/* Newer versions of libxml2 deprecate members that are compared here: they must be the same none the less. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#define CHECK(condition, what)       \
	do {                         \
		if (!(condition))    \
			return what; \
	} while (0)

/* From 2.14 on libxml2 counts the lines of some nodes otherwise, and of values of attributes not at all. */
static bool is_same_line(const xmlNode *a, const xmlNode *b)
{
	return LIBXML_VERSION >= 21400 ||
	       (a->line == b->line && xmlGetLineNo(a) == xmlGetLineNo(b));
}

static bool is_same_text(const xmlChar *a, const xmlChar *b)
{
	return xmlStrEqual(a, b);
}

static bool same_ns(const xmlNs *a, const xmlNs *b)
{
	return !a == !b &&
	       (!a || (is_same_text(a->prefix, b->prefix) && is_same_text(a->href, b->href)));
}

static bool has_name(const xmlDoc *doc, const xmlChar *name)
{
	return name == xmlStringText || name == xmlStringTextNoenc ||
	       xmlDictOwns(doc->dict, name) == 1;
}

/* Is the namespace the same declaration in scope, not another of the same name? */
static bool is_in_scope(const xmlNode *e, const xmlNs *ns)
{
	for (; ns && e && e->type == XML_ELEMENT_NODE; e = e->parent)
		for (const xmlNs *n = e->nsDef; n; n = n->next) {
			if (n == ns)
				return true;
			if (xmlStrEqual(n->prefix, ns->prefix))
				return false;
		}
	return !ns || xmlStrEqual(ns->prefix, (const xmlChar *)"xml");
}

static const char *differing_ns(const xmlNode *a, const xmlNode *b)
{
	const xmlNs *m = a->nsDef, *n = b->nsDef;

	for (; m && n; m = m->next, n = n->next) {
		CHECK(same_ns(m, n), "a declaration");
		CHECK(m->type == n->type && !m->_private && m->context == n->context,
		      "a field of a declaration");
	}
	CHECK(!m && !n, "how many declarations");
	CHECK(same_ns(a->ns, b->ns), "the namespace");
	CHECK(is_in_scope(a, a->ns), "where the namespace is declared");
	return NULL;
}

static const char *differing_text(const xmlDoc *doc, const xmlNode *a, const xmlNode *b)
{
	CHECK(a->content && is_same_text(a->content, b->content), "the text");
	CHECK(!doc->dict || !xmlDictOwns(doc->dict, a->content) ||
		      xmlDictOwns(b->doc->dict, b->content),
	      "where the text is");
	CHECK(a->psvi == b->psvi || a->content == (const xmlChar *)&a->properties ||
		      b->content == (const xmlChar *)&b->properties,
	      "psvi");
	return NULL;
}

/* Compare what every node has. */
static const char *differing_node(const xmlDoc *doc, const xmlNode *a, const xmlNode *b)
{
	CHECK(a->type == b->type, "the type");
	CHECK(is_same_text(a->name, b->name) &&
		      (a->type == XML_COMMENT_NODE || has_name(doc, a->name)),
	      "the name");
	CHECK(a->doc == doc && !a->_private, "a field");
	CHECK(!a->children == !b->children && !a->next == !b->next && !a->prev == !b->prev &&
		      !a->last == !b->last,
	      "a link");
	CHECK((a->next ? a->next->prev == a : true) && (a->last ? !a->last->next : true),
	      "a link back");
	for (const xmlNode *n = a->children; n; n = n->next)
		CHECK(n->parent == a, "a parent");
	return NULL;
}

static const char *differing_attribute(const xmlDoc *doc, const xmlAttr *a, const xmlAttr *b)
{
	const char *d = differing_node(doc, (const xmlNode *)a, (const xmlNode *)b);

	if (d)
		return d;
	CHECK(same_ns(a->ns, b->ns) && is_in_scope(a->parent, a->ns), "an attribute's namespace");
	CHECK(a->atype == b->atype && a->psvi == b->psvi, "an attribute's field");
	CHECK(a->children && !a->children->next && !b->children->next, "an attribute's value");
	d = differing_node(doc, a->children, b->children);
	CHECK(d || is_same_line(a->children, b->children), "an attribute's line");
	return d ? d : differing_text(doc, a->children, b->children);
}

static const char *differing_element(const xmlDoc *doc, const xmlNode *a, const xmlNode *b)
{
	const xmlAttr *m = a->properties, *n = b->properties;
	const char *d = differing_ns(a, b);

	CHECK(d || (!a->content && a->psvi == b->psvi && a->extra == b->extra),
	      "an element's field");
	for (; !d && m && n; m = m->next, n = n->next) {
		CHECK(m->parent == a, "an attribute's parent");
		d = differing_attribute(doc, m, n);
	}
	CHECK(d || (!m && !n), "how many attributes");
	return d;
}

static const char *differing_here(const xmlDoc *doc, const xmlNode *a, const xmlNode *b)
{
	const char *d = differing_node(doc, a, b);

	CHECK(d || is_same_line(a, b), "the line");
	if (!d)
		d = a->type == XML_ELEMENT_NODE ? differing_element(doc, a, b)
						: differing_text(doc, a, b);
	return d;
}

static const char *differing_doc(const xmlDoc *a, const xmlDoc *b)
{
	CHECK(is_same_text(a->version, b->version) && is_same_text(a->encoding, b->encoding) &&
		      is_same_text(a->URL, b->URL),
	      "version, encoding or URL");
	CHECK(a->standalone == b->standalone && a->compression == b->compression, "standalone");
	CHECK(a->charset == b->charset && a->properties == b->properties &&
		      a->parseFlags == b->parseFlags,
	      "charset, properties or flags");
	CHECK(!a->intSubset && !a->extSubset && !a->oldNs && !a->ids && !a->refs && !a->psvi &&
		      !a->name && a->doc == a && !a->parent && !a->next && !a->prev,
	      "a field of the document");
	CHECK(a->dict && a->children && a->children->parent == (const xmlNode *)a &&
		      a->last == a->children,
	      "the root");
	return NULL;
}

const char *differing(const xmlDoc *a, const xmlDoc *b, const xmlNode **where)
{
	const xmlNode *m = a->children, *n = b->children;
	const char *d = differing_doc(a, b);

	*where = NULL;
	if (d)
		return d;
	for (;;) {
		*where = m;
		d = differing_here(a, m, n);
		if (d)
			return d;
		if (m->children) {
			m = m->children;
			n = n->children;
			continue;
		}
		while (!m->next) {
			m = m->parent;
			n = n->parent;
			if (m == (const xmlNode *)a)
				return NULL;
		}
		m = m->next;
		n = n->next;
	}
}
