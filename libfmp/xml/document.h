/* SPDX-License-Identifier: GPL-2.0 */
/* XML documents: parse bytes to a libxml2 tree, and read elements and attributes from it. */
#ifndef FMPI_XML_DOCUMENT_H
#define FMPI_XML_DOCUMENT_H

#include <libxml/parser.h>

#include "fast_parser.h"
#include "verdict/refuse.h"

/**
 * fmpi_document_parse() - parse screened UTF-8 to a tree
 *
 * No network, no DTD, no entities but the five predefined ones; CDATA sections become text.
 * Namespace errors, which libxml2 reports separately, count as not well-formed.
 * Return: 0 with *out (xmlFreeDoc), FMPI_REFUSED, FMP_ERR_NOMEM.
 */
int fmpi_document_parse(const void *bytes, size_t len, xmlDocPtr *out, struct fmp_inspection *v);

/** struct fmpi_parser - parser state kept between documents; starts zeroed except for options */
struct fmpi_parser {
	xmlParserCtxtPtr ctxt;
	bool libxml2_only; /**< option: fmpi_parser_fast() uses libxml2's parser */
	struct fmpi_fast_parser fast;
};
void fmpi_parser_clear(struct fmpi_parser *p);

/** fmpi_parser_read() - fmpi_document_parse() with kept state. */
int fmpi_parser_read(struct fmpi_parser *p, const void *bytes, size_t len, xmlDocPtr *out,
		     struct fmp_inspection *v);

/**
 * fmpi_parser_plaintext() - the same, for decrypted text: costs the same whether it is well-formed
 * or not
 *
 * Continues behind an error, and discards the tree.
 */
int fmpi_parser_plaintext(struct fmpi_parser *p, const void *bytes, size_t len, xmlDocPtr *out,
			  struct fmp_inspection *v);

/**
 * fmpi_parser_fast() - the same at less cost for most documents (fast_parser.h)
 *
 * Free *out with fmpi_fast_free() if fast.use_arena is set. Not for decrypted text: the time would
 * tell which of the two parsers read it.
 */
int fmpi_parser_fast(struct fmpi_parser *p, const void *bytes, size_t len, xmlDocPtr *out,
		     struct fmp_inspection *v);

/** fmpi_line() - line number of a node for the verdict; 0: unknown. */
unsigned fmpi_line(const xmlNode *node);

/** fmpi_is() - is node an element of that namespace and local name? NULL is not. */
bool fmpi_is(const xmlNode *node, const char *ns, const char *local);

/** fmpi_is_in_namespace() - is node an element of that namespace? */
bool fmpi_is_in_namespace(const xmlNode *node, const char *ns);

/** fmpi_first() / fmpi_next() - child elements, in order; NULL behind the last. */
xmlNode *fmpi_first(const xmlNode *parent);
xmlNode *fmpi_next(const xmlNode *node);

/** fmpi_has_only_elements() - is there only white space and comments between the child elements? */
bool fmpi_has_only_elements(const xmlNode *parent);

/**
 * fmpi_text() - the text of an element without children
 *
 * Return: text inside the tree, "" for an empty element; NULL: there are elements, comments or more
 * than one text node.
 */
const char *fmpi_text(const xmlNode *element);

/**
 * fmpi_attribute() - the value of an attribute; ns NULL: an attribute in no namespace. Return:
 * NULL: not there.
 */
const char *fmpi_attribute(const xmlNode *element, const char *ns, const char *local);
/** fmpi_attribute_node() - the attribute itself. */
xmlAttr *fmpi_attribute_node(const xmlNode *element, const char *ns, const char *local);
/** fmpi_attribute_value() - its value, inside the tree. */
const char *fmpi_attribute_value(const xmlAttr *attr);

/**
 * fmpi_find_duplicate_attribute() - the first element, top or below, with two attributes of one
 * local name
 *
 * xmlsec1 and others take the first of them, whatever its namespace. Return: NULL: there is none.
 */
const xmlNode *fmpi_find_duplicate_attribute(const xmlNode *top);

/** fmpi_walk_next() - the element behind node in document order, inside top; NULL at the end. */
xmlNode *fmpi_walk_next(const xmlNode *top, const xmlNode *node);

#endif
