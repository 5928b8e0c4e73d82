/* SPDX-License-Identifier: GPL-2.0 */
/* Private to fast_*.c: the position in the document, open elements, namespaces in scope. */
#ifndef FMPI_XML_FAST_PRIVATE_H
#define FMPI_XML_FAST_PRIVATE_H

#include "base/arena.h"
#include "fast_parser.h"

/* A document that exceeds these limits is not plain. */
#define FAST_MAX_LINE	    65535u /* from here on libxml2 keeps the line elsewhere */
#define FAST_MAX_DEPTH	    128u
#define FAST_MAX_NAME	    256u
#define FAST_MAX_ATTRIBUTES 32u
#define FAST_MAX_IN_SCOPE   64u

struct fast_name {
	const uint8_t *p;
	uint32_t len;
	uint32_t prefix; /* length of the prefix; 0: none */
};

struct fast_attribute {
	struct fast_name name;
	const uint8_t *value;
	size_t len;
	unsigned line; /* line of the end of the value */
	bool refers; /* a declaration whose value has character references */
};

struct fast_scope {
	const xmlChar *prefix; /* from the dictionary; NULL: the default namespace */
	const xmlChar *href; /* from the dictionary: equal URIs are equal pointers */
	xmlNs *ns;
};

struct fast_open {
	struct fast_name name;
	unsigned n_ns; /* declarations in scope outside of it */
	unsigned line; /* line of its '<' */
};

struct fast_state {
	struct fmpi_fast_parser *fast;
	xmlDictPtr dict;
	xmlDocPtr doc;
	struct fmpi_arena *arena; /* NULL: nodes come from xmlMalloc() */
	xmlNode *parent;
	const uint8_t *p,
		*end; /* the last byte is '>': a loop that stops there need not compare with end */
	struct fmp_inspection *v;
	bool refused; /* *v is filled */
	unsigned line;
	unsigned depth, n_ns, n_attributes;
	struct fast_open open[FAST_MAX_DEPTH];
	struct fast_scope ns[FAST_MAX_IN_SCOPE];
	struct fast_attribute attribute[FAST_MAX_ATTRIBUTES];
};

/* Functions that return bool: false leaves the document to libxml2, unless refused is set. */

/* Refuse with libxml2's wording; everything up to here must be well-formed. Evaluates to false. */
#define fast_refuse(q, line, ...)                                                       \
	((q)->refused = fmpi_refuse((q)->v, FMP_STEP_PARSE, FMP_EVENT_WELLFORMED, line, \
				    __VA_ARGS__) == FMPI_REFUSED,                       \
	 false)

/** fmpi_fast_is_blank() - is it white space, which a CR is not here? */
static inline bool fmpi_fast_is_blank(uint8_t c)
{
	return c == ' ' || c == '\t' || c == '\n';
}

/** fmpi_fast_next_line() - count a line. Return: false: too many. */
static inline bool fmpi_fast_next_line(struct fast_state *q)
{
	return ++q->line < FAST_MAX_LINE;
}

/**
 * fmpi_fast_skip_some() - skip white space. Stops in front of the newline that would be one too
 * many. Return: bytes skipped.
 */
size_t fmpi_fast_skip_some(struct fast_state *q);

/* Inline test: most places that allow white space have none. p is not at the end. */
static inline size_t fmpi_fast_skip_blanks(struct fast_state *q)
{
	return *q->p > ' ' ? 0 : fmpi_fast_skip_some(q);
}

/** fmpi_fast_start_tag(), fmpi_fast_end_tag() - p is behind '<' or '</' */
bool fmpi_fast_start_tag(struct fast_state *q);
bool fmpi_fast_end_tag(struct fast_state *q);

/** fmpi_fast_text() - read up to the next tag or comment */
bool fmpi_fast_text(struct fast_state *q);
/**
 * fmpi_fast_markup() - read a comment, or a text that starts with a CDATA section; p is at the '<'
 */
bool fmpi_fast_markup(struct fast_state *q);

/** fmpi_fast_alloc() - allocate a part of the tree. Return: NULL: out of memory. */
static inline void *fmpi_fast_alloc(const struct fast_state *q, size_t n)
{
	return q->arena ? fmpi_arena_alloc(q->arena, n) : xmlMalloc(n);
}

/**
 * fmpi_fast_node() - a new node, not linked yet; name is from the dictionary. Return: NULL: out of
 * memory.
 */
static inline xmlNode *fmpi_fast_node(const struct fast_state *q, xmlElementType type,
				      const xmlChar *name, unsigned line)
{
	xmlNode *n = fmpi_fast_alloc(q, sizeof(*n));

	if (n)
		*n = (xmlNode){ .type = type, .name = name, .doc = q->doc, .line = (uint16_t)line };
	return n;
}
/** fmpi_fast_text_node() - a new text node with a copy of len bytes */
xmlNode *fmpi_fast_text_node(const struct fast_state *q, const uint8_t *p, size_t len,
			     unsigned line);
/** fmpi_fast_append() - link a node as the last child */
static inline void fmpi_fast_append(xmlNode *parent, xmlNode *n)
{
	n->parent = parent;
	n->prev = parent->last;
	if (n->prev)
		n->prev->next = n;
	else
		parent->children = n;
	parent->last = n;
}

#endif
