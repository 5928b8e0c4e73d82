// SPDX-License-Identifier: GPL-2.0
/* White space and text nodes: what the other files of the fast parser share. */
#include "fast_private.h"

#include <libxml/parserInternals.h>
#include <string.h>

size_t fmpi_fast_skip_some(struct fast_state *q)
{
	const uint8_t *from = q->p;

	for (; q->p < q->end && fmpi_fast_is_blank(*q->p); q->p++)
		if (*q->p == '\n' && !fmpi_fast_next_line(q))
			break;
	return (size_t)(q->p - from);
}

/*
 * Allocate len bytes and a NUL. A short text is kept inside the node, in members that only elements
 * use.
 */
static xmlChar *reserve_text(const struct fast_state *q, xmlNode *n, size_t len)
{
	n->content = len < 2 * sizeof(void *) ? (xmlChar *)&n->properties
					      : fmpi_fast_alloc(q, len + 1);
	return n->content;
}

xmlNode *fmpi_fast_text_node(const struct fast_state *q, const uint8_t *p, size_t len,
			     unsigned line)
{
	xmlNode *n = fmpi_fast_node(q, XML_TEXT_NODE, xmlStringText, line);

	if (!n)
		return NULL;
	if (!reserve_text(q, n, len)) {
		if (!q->arena)
			xmlFree(n);
		return NULL;
	}
	memcpy(n->content, p, len);
	n->content[len] = '\0';
	return n;
}
