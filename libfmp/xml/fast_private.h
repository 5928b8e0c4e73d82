/* SPDX-License-Identifier: GPL-2.0 */
/* What the files of the fast parser share: one pass over the bytes, what is open, what is in scope. */
#ifndef FMPI_XML_FAST_PRIVATE_H
#define FMPI_XML_FAST_PRIVATE_H

#include "base/arena.h"
#include "fast_parser.h"

/* Beyond these a document is not plain. */
#define FAST_MAX_LINE	    65535u /* where libxml2 begins to keep lines elsewhere */
#define FAST_MAX_DEPTH	    128u
#define FAST_MAX_NAME	    256u
#define FAST_MAX_ATTRIBUTES 32u
#define FAST_MAX_IN_SCOPE   64u

struct fast_name {
	const uint8_t *p;
	uint32_t len;
	uint32_t prefix; /* length; 0: none */
};

struct fast_attribute {
	struct fast_name name;
	const uint8_t *value;
	size_t len;
	unsigned line; /* of its end */
	bool refers; /* a declaration with references in its value */
};

struct fast_scope {
	const xmlChar *prefix; /* of the dictionary; NULL: the default namespace */
	const xmlChar *href; /* of the dictionary: one namespace, one address */
	xmlNs *ns;
};

struct fast_open {
	struct fast_name name;
	unsigned n_ns; /* in scope outside */
	unsigned line; /* of its '<' */
};

struct fast_state {
	struct fmpi_fast_parser *fast;
	xmlDictPtr dict;
	xmlDocPtr doc;
	struct fmpi_arena *arena; /* NULL: nodes are libxml2's to free */
	xmlNode *parent;
	const uint8_t *p, *end; /* the last byte is a '>': what stops there needs no look at end */
	struct fmp_inspection *v;
	bool refused; /* with *v */
	unsigned line;
	unsigned depth, n_ns, n_attributes;
	struct fast_open open[FAST_MAX_DEPTH];
	struct fast_scope ns[FAST_MAX_IN_SCOPE];
	struct fast_attribute attribute[FAST_MAX_ATTRIBUTES];
};

/* All that return a bool: false leaves the document to libxml2, unless it is refused. */

/* In libxml2's words; all that stands before must be right. Returns false. */
#define fast_refuse(q, line, ...)                                                       \
	((q)->refused = fmpi_refuse((q)->v, FMP_STEP_PARSE, FMP_EVENT_WELLFORMED, line, \
				    __VA_ARGS__) == FMPI_REFUSED,                       \
	 false)

/** fmpi_fast_next_line() - may there be one more? */
static inline bool fmpi_fast_next_line(struct fast_state *q)
{
	return ++q->line < FAST_MAX_LINE;
}

/** fmpi_fast_skip_some() - white space, and how much; where the lines are too many it stops in front of one. */
size_t fmpi_fast_skip_some(struct fast_state *q);

/* In most places where there may be some there is none. p is not the end. */
static inline size_t fmpi_fast_skip_blanks(struct fast_state *q)
{
	return *q->p > ' ' ? 0 : fmpi_fast_skip_some(q);
}

/** fmpi_fast_start_tag(), fmpi_fast_end_tag() - p is behind '<', behind '</' */
bool fmpi_fast_start_tag(struct fast_state *q);
bool fmpi_fast_end_tag(struct fast_state *q);

/** fmpi_fast_text() - up to the next tag or comment */
bool fmpi_fast_text(struct fast_state *q);
/** fmpi_fast_markup() - a comment, or a text that begins with a CDATA section; p is on its '<' */
bool fmpi_fast_markup(struct fast_state *q);

/** fmpi_fast_alloc() - memory for what the tree is made of; NULL: there was none. */
static inline void *fmpi_fast_alloc(const struct fast_state *q, size_t n)
{
	return q->arena ? fmpi_arena_alloc(q->arena, n) : xmlMalloc(n);
}

/** fmpi_fast_node() - of that name of the dictionary, without a place in the tree; NULL: no memory. */
static inline xmlNode *fmpi_fast_node(const struct fast_state *q, xmlElementType type,
				      const xmlChar *name, unsigned line)
{
	xmlNode *n = fmpi_fast_alloc(q, sizeof(*n));

	if (n)
		*n = (xmlNode){ .type = type, .name = name, .doc = q->doc, .line = (uint16_t)line };
	return n;
}
/** fmpi_fast_text_node() - the same, with so many bytes of text */
xmlNode *fmpi_fast_text_node(const struct fast_state *q, const uint8_t *p, size_t len,
			     unsigned line);
/** fmpi_fast_append() - a node without a place becomes the last child */
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
