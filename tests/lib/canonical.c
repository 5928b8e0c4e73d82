// SPDX-License-Identifier: GPL-2.0
#include "canonical.h"

#include <libxml/c14n.h>

static int is_inside(void *apex, xmlNodePtr node, xmlNodePtr parent)
{
	/* A namespace has no parent; the element stands for it. */
	for (const xmlNode *n = node->type == XML_NAMESPACE_DECL ? parent : node; n; n = n->parent)
		if (n == apex)
			return 1;
	return 0;
}

xmlOutputBuffer *canonical_form(const xmlNode *apex, xmlChar **prefixes)
{
	xmlOutputBuffer *out = apex ? xmlAllocOutputBuffer(NULL) : NULL;

	if (out && xmlC14NExecute(apex->doc, is_inside, (void *)apex, XML_C14N_EXCLUSIVE_1_0,
				  prefixes, 0, out) < 0) {
		xmlOutputBufferClose(out);
		out = NULL;
	}
	return out;
}
