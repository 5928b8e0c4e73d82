/* SPDX-License-Identifier: GPL-2.0 */
/* Bytes to a tree, and the few questions that the steps ask of a tree. */
#ifndef FMPI_XML_DOCUMENT_H
#define FMPI_XML_DOCUMENT_H

#include <libxml/parser.h>

#include "fast_parser.h"
#include "verdict/refuse.h"

/**
 * fmpi_document_parse() - screened UTF-8 to a tree
 *
 * No network, no DTD, no entities but the five of XML, CDATA sections become
 * text. Well-formed by the namespace rules too, which libxml2 reports apart.
 * Return: 0 with *out (xmlFreeDoc), FMPI_REFUSED, FMP_ERR_NOMEM.
 */
int fmpi_document_parse(const void *bytes, size_t len, xmlDocPtr *out, struct fmp_inspection *v);

/** struct fmpi_parser - what one document leaves to the next; starts as all 0 but for what it is told. */
struct fmpi_parser {
	xmlParserCtxtPtr ctxt;
	bool libxml2_only; /**< fmpi_parser_fast() is fmpi_parser_read() */
	struct fmpi_fast_parser fast;
};
void fmpi_parser_clear(struct fmpi_parser *p);

/** fmpi_parser_read() - as fmpi_document_parse(). */
int fmpi_parser_read(struct fmpi_parser *p, const void *bytes, size_t len, xmlDocPtr *out,
		     struct fmp_inspection *v);

/**
 * fmpi_parser_plaintext() - the same, at the same cost whether it is well-formed or not
 *
 * Behind a fault it goes on, and makes a tree that is thrown away.
 */
int fmpi_parser_plaintext(struct fmpi_parser *p, const void *bytes, size_t len, xmlDocPtr *out,
			  struct fmp_inspection *v);

/**
 * fmpi_parser_fast() - the same at less cost for most documents (fast_parser.h)
 *
 * For fmpi_fast_free(), where fast.use_arena is told.
 * Not for what was secret: which of the two parsers it was can be told by the time.
 */
int fmpi_parser_fast(struct fmpi_parser *p, const void *bytes, size_t len, xmlDocPtr *out,
		     struct fmp_inspection *v);

/** fmpi_line() - of a node, for the verdict. */
unsigned fmpi_line(const xmlNode *node);

/** fmpi_is() - is node an element of that namespace and local name? NULL is not. */
bool fmpi_is(const xmlNode *node, const char *ns, const char *local);

/** fmpi_is_in_namespace() - is node an element of that namespace? */
bool fmpi_is_in_namespace(const xmlNode *node, const char *ns);

/** fmpi_first() / fmpi_next() - child elements, in order; NULL behind the last. */
xmlNode *fmpi_first(const xmlNode *parent);
xmlNode *fmpi_next(const xmlNode *node);

/** fmpi_has_only_elements() - nothing between the child elements but white space and comments? */
bool fmpi_has_only_elements(const xmlNode *parent);

/**
 * fmpi_text() - the text of an element that has nothing else inside
 *
 * Return: text inside the tree, "" for an empty element; NULL if there are
 * elements, comments or more than one piece.
 */
const char *fmpi_text(const xmlNode *element);

/** fmpi_attribute() - value of an attribute; ns NULL: one without namespace. NULL: not there. */
const char *fmpi_attribute(const xmlNode *element, const char *ns, const char *local);
/** fmpi_attribute_node() - the attribute itself. */
xmlAttr *fmpi_attribute_node(const xmlNode *element, const char *ns, const char *local);
/** fmpi_attribute_value() - its value, inside the tree. */
const char *fmpi_attribute_value(const xmlAttr *attr);

/**
 * fmpi_find_duplicate_attribute() - an element, top or inside it, with two attributes of one local name
 *
 * xmlsec1 and others take the first of them, whatever its namespace. NULL: there is none.
 */
const xmlNode *fmpi_find_duplicate_attribute(const xmlNode *top);

/** fmpi_walk_next() - the element behind node in document order, inside top; NULL at the end. */
xmlNode *fmpi_walk_next(const xmlNode *top, const xmlNode *node);

#endif
