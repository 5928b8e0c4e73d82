// SPDX-License-Identifier: GPL-2.0
#include "document.h"

#include <libxml/SAX2.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <string.h>

#include <fmp/internal/xml_error_arg.h>

#include "oom.h"

/*
 * Names kept in the dictionary from one document to the next: of elements and attributes, and short
 * texts.
 */
#define MAX_NAMES 1024

#define OPTIONS (XML_PARSE_NONET | XML_PARSE_NOCDATA | XML_PARSE_BIG_LINES | XML_PARSE_COMPACT)

/* Keep the first error: the others follow from it. */
static void on_error(void *ctx, fmpi_xml_error_arg e)
{
	xmlParserCtxtPtr p = ctx;
	struct fmp_inspection *v = p->_private;

	if (v->kind == FMP_EVENT_GOOD && e->level > XML_ERR_WARNING)
		fmpi_refuse(v, FMP_STEP_PARSE, FMP_EVENT_WELLFORMED,
			    e->line > 0 ? (unsigned)e->line : 0, "%s",
			    e->message ? e->message : "not well-formed");
}

/*
 * An xml:id has no meaning here, and indexing thousands of them is expensive. libxml2 has an option
 * for this from 2.14 on; before, it resets the flag at the start of each document.
 */
#if LIBXML_VERSION >= 21400
#define SKIP_IDS XML_PARSE_SKIP_IDS
#else
#define SKIP_IDS 0
static void on_start(void *ctx)
{
	xmlParserCtxtPtr p = ctx;

	p->loadsubset |= XML_SKIP_IDS;
	xmlSAX2StartDocument(ctx);
}
#endif

void fmpi_parser_clear(struct fmpi_parser *p)
{
	if (p->ctxt)
		xmlFreeParserCtxt(p->ctxt);
	p->ctxt = NULL;
	memset(p->fast.cache, 0, sizeof(p->fast.cache));
}

static bool prepare_context(struct fmpi_parser *p)
{
	if (!p->ctxt)
		p->ctxt = xmlNewParserCtxt();
	if (!p->ctxt)
		return false;
	p->ctxt->sax->serror = on_error;
#if LIBXML_VERSION < 21400
	p->ctxt->sax->startDocument = on_start;
#endif
	return true;
}

/* Limit the dictionary, or one sender's names would slow down the lookups of all others. */
static bool too_many_names(const struct fmpi_parser *p)
{
	return xmlDictSize(p->ctxt->dict) > MAX_NAMES;
}

static int parse_document(struct fmpi_parser *p, const void *bytes, size_t len, int options,
			  xmlDocPtr *out, struct fmp_inspection *v)
{
	xmlParserCtxtPtr ctxt;
	xmlDocPtr doc;
	bool good, nomem;

	*out = NULL;
	if (!prepare_context(p))
		return FMP_ERR_NOMEM;
	ctxt = p->ctxt;
	v->kind = FMP_EVENT_GOOD;
	ctxt->_private = v;
	doc = xmlCtxtReadMemory(ctxt, bytes, (int)len, NULL, NULL, options | SKIP_IDS);
	nomem = fmpi_oom_happened() || ctxt->errNo == XML_ERR_NO_MEMORY;
	good = doc && ctxt->wellFormed && ctxt->nsWellFormed && v->kind == FMP_EVENT_GOOD && !nomem;
	ctxt->_private = NULL;
#if LIBXML_VERSION < 21200
	/*
	 * After a document that ends inside an element, libxml2 keeps its namespaces in scope for
	 * the next one.
	 */
	ctxt->nsNr = 0;
#endif
	if (nomem || too_many_names(p))
		fmpi_parser_clear(p);

	/* The screen refuses every DTD; a tree with one would be a bug of ours. */
	if (good && !doc->intSubset && !doc->extSubset) {
		*out = doc;
		return 0;
	}
	xmlFreeDoc(doc);
	if (nomem)
		return FMP_ERR_NOMEM;
	if (v->kind == FMP_EVENT_GOOD)
		return fmpi_refuse(v, FMP_STEP_PARSE, FMP_EVENT_WELLFORMED, 0, "not well-formed");
	return FMPI_REFUSED;
}

int fmpi_parser_read(struct fmpi_parser *p, const void *bytes, size_t len, xmlDocPtr *out,
		     struct fmp_inspection *v)
{
	return parse_document(p, bytes, len, OPTIONS, out, v);
}

int fmpi_parser_plaintext(struct fmpi_parser *p, const void *bytes, size_t len, xmlDocPtr *out,
			  struct fmp_inspection *v)
{
	return parse_document(p, bytes, len, OPTIONS | XML_PARSE_RECOVER, out, v);
}

int fmpi_parser_fast(struct fmpi_parser *p, const void *bytes, size_t len, xmlDocPtr *out,
		     struct fmp_inspection *v)
{
	int ret;

	if (p->libxml2_only)
		return fmpi_parser_read(p, bytes, len, out, v);
	*out = NULL;
	if (!prepare_context(p))
		return FMP_ERR_NOMEM;
	v->kind = FMP_EVENT_GOOD;
	ret = fmpi_fast_parse(&p->fast, p->ctxt->dict, bytes, len, OPTIONS, out, v);
	if (too_many_names(p))
		fmpi_parser_clear(p);
	return ret == FMP_ERR_UNSUPPORTED ? fmpi_parser_read(p, bytes, len, out, v) : ret;
}

int fmpi_document_parse(const void *bytes, size_t len, xmlDocPtr *out, struct fmp_inspection *v)
{
	struct fmpi_parser p = { 0 };
	int ret = fmpi_parser_read(&p, bytes, len, out, v);

	fmpi_parser_clear(&p);
	return ret;
}

unsigned fmpi_line(const xmlNode *node)
{
	long line = node ? xmlGetLineNo(node) : 0;

	return line > 0 ? (unsigned)line : 0;
}

bool fmpi_is(const xmlNode *node, const char *ns, const char *local)
{
	return node && node->type == XML_ELEMENT_NODE && node->ns &&
	       strcmp((const char *)node->name, local) == 0 &&
	       strcmp((const char *)node->ns->href, ns) == 0;
}

bool fmpi_is_in_namespace(const xmlNode *node, const char *ns)
{
	return node && node->type == XML_ELEMENT_NODE && node->ns &&
	       strcmp((const char *)node->ns->href, ns) == 0;
}

static xmlNode *element_from(xmlNode *node)
{
	while (node && node->type != XML_ELEMENT_NODE)
		node = node->next;
	return node;
}

xmlNode *fmpi_first(const xmlNode *parent)
{
	return element_from(parent->children);
}

xmlNode *fmpi_next(const xmlNode *node)
{
	return element_from(node->next);
}

bool fmpi_has_only_elements(const xmlNode *parent)
{
	for (xmlNode *n = parent->children; n; n = n->next) {
		if (n->type == XML_ELEMENT_NODE || n->type == XML_COMMENT_NODE)
			continue;
		if (n->type != XML_TEXT_NODE || !xmlIsBlankNode(n))
			return false;
	}
	return true;
}

const char *fmpi_text(const xmlNode *element)
{
	const xmlNode *text = element->children;

	if (!text)
		return "";
	if (text->type != XML_TEXT_NODE || text->next)
		return NULL;
	return (const char *)text->content;
}

xmlAttr *fmpi_attribute_node(const xmlNode *element, const char *ns, const char *local)
{
	for (xmlAttr *a = element->properties; a; a = a->next) {
		if (strcmp((const char *)a->name, local) != 0)
			continue;
		if (ns ? a->ns && strcmp((const char *)a->ns->href, ns) == 0 : !a->ns)
			return a;
	}
	return NULL;
}

const char *fmpi_attribute_value(const xmlAttr *attr)
{
	/* Without a DTD an attribute has one text node, or none if it is empty. */
	if (!attr->children)
		return "";
	return attr->children->next ? NULL : (const char *)attr->children->content;
}

const char *fmpi_attribute(const xmlNode *element, const char *ns, const char *local)
{
	const xmlAttr *a = fmpi_attribute_node(element, ns, local);

	return a ? fmpi_attribute_value(a) : NULL;
}

const xmlNode *fmpi_find_duplicate_attribute(const xmlNode *top)
{
	for (const xmlNode *n = top; n; n = fmpi_walk_next(top, n))
		for (const xmlAttr *a = n->properties; a; a = a->next)
			for (const xmlAttr *b = a->next; b; b = b->next)
				if (strcmp((const char *)a->name, (const char *)b->name) == 0)
					return n;
	return NULL;
}

xmlNode *fmpi_walk_next(const xmlNode *top, const xmlNode *node)
{
	xmlNode *next = fmpi_first(node);

	if (next)
		return next;
	for (; node != top; node = node->parent) {
		next = fmpi_next(node);
		if (next)
			return next;
	}
	return NULL;
}
