// SPDX-License-Identifier: GPL-2.0
/* The document level of the fast parser: XML declaration, root element, freeing a tree. */
#include "fast_private.h"

#include <libxml/parserInternals.h>
#include <string.h>

/* libxml2 refuses texts of 10 MB. */
#define MAX_BYTES (8u << 20)

static const struct {
	const char *text, *encoding;
} declarations[] = {
	{ "<?xml version=\"1.0\"?>", NULL },
	{ "<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "UTF-8" },
	{ "<?xml version=\"1.0\" encoding=\"utf-8\"?>", "utf-8" },
	{ "<?xml version='1.0'?>", NULL },
	{ "<?xml version='1.0' encoding='UTF-8'?>", "UTF-8" },
	{ "<?xml version='1.0' encoding='utf-8'?>", "utf-8" },
};

/* libxml2's values: a declaration without standalone, and no declaration. */
enum {
	STANDALONE_UNSAID = -2,
	STANDALONE_UNDECLARED = -1
};

static bool read_declaration(struct fast_state *q)
{
	size_t left = (size_t)(q->end - q->p);

	q->doc->standalone = STANDALONE_UNDECLARED;
	if (left < 5 || memcmp(q->p, "<?xml", 5) != 0)
		return true;
	q->doc->standalone = STANDALONE_UNSAID;
	for (size_t i = 0; i < sizeof(declarations) / sizeof(declarations[0]); i++) {
		size_t n = strlen(declarations[i].text);
		const char *encoding = declarations[i].encoding;

		if (left <= n || memcmp(q->p, declarations[i].text, n) != 0)
			continue;
		q->p += n;
		if (encoding)
			q->doc->encoding = xmlStrdup((const xmlChar *)encoding);
		return !encoding || q->doc->encoding;
	}
	return false;
}

static bool read_root(struct fast_state *q)
{
	fmpi_fast_skip_some(q);
	if (q->p == q->end || *q->p++ != '<' || !fmpi_fast_start_tag(q))
		return false;
	while (q->depth) {
		bool good;

		if (q->p == q->end)
			return false;
		if (*q->p != '<') {
			good = fmpi_fast_text(q);
		} else if (q->p[1] == '/') {
			q->p += 2;
			good = fmpi_fast_end_tag(q);
		} else if (q->p[1] == '!') {
			good = fmpi_fast_markup(q);
		} else {
			q->p++;
			good = fmpi_fast_start_tag(q);
		}
		if (!good)
			return false;
	}
	return q->p == q->end;
}

/* doc->_private is the arena of its nodes; NULL: they come from malloc(). */
static xmlDocPtr new_doc(xmlDictPtr dict, int flags, bool use_arena)
{
	xmlDocPtr doc = xmlNewDoc((const xmlChar *)"1.0");

	if (!doc)
		return NULL;
	if (use_arena) {
		doc->_private = fmpi_arena_new();
		if (!doc->_private) {
			xmlFreeDoc(doc);
			return NULL;
		}
	}
	doc->dict = dict;
	xmlDictReference(dict);
	doc->parseFlags = flags;
	doc->properties = XML_DOC_WELLFORMED | XML_DOC_DTDVALID | XML_DOC_NSVALID;
	return doc;
}

/*
 * A program that has registered a callback for new nodes needs libxml2's parser. From 2.14 on such
 * callbacks are deprecated, but called.
 */
static bool has_node_callback(void)
{
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
	return xmlRegisterNodeDefaultValue;
#pragma GCC diagnostic pop
}

int fmpi_fast_parse(struct fmpi_fast_parser *fast, xmlDictPtr dict, const void *bytes, size_t len,
		    int flags, xmlDocPtr *out, struct fmp_inspection *v)
{
	const uint8_t *p = bytes;
	struct fast_state q;

	*out = NULL;
	while (len && fmpi_fast_is_blank(p[len - 1]))
		len--;
	if (!len || len > MAX_BYTES || p[len - 1] != '>' || has_node_callback())
		return FMP_ERR_UNSUPPORTED;
	/* Set only these members: the tables are large and written before they are read. */
	q.fast = fast;
	q.dict = dict;
	q.doc = new_doc(dict, flags, fast->use_arena);
	q.arena = q.doc ? q.doc->_private : NULL;
	q.parent = (xmlNode *)q.doc;
	q.p = p;
	q.end = p + len;
	q.v = v;
	q.refused = false;
	q.line = 1;
	q.depth = q.n_ns = 0;
	if (q.doc && read_declaration(&q) && read_root(&q)) {
		*out = q.doc;
		return 0;
	}
	fmpi_fast_free(q.doc);
	return q.refused ? FMPI_REFUSED : FMP_ERR_UNSUPPORTED;
}

void fmpi_fast_free(xmlDocPtr doc)
{
	struct fmpi_arena *arena = doc ? doc->_private : NULL;

	if (arena)
		doc->children = doc->last = NULL;
	xmlFreeDoc(doc);
	fmpi_arena_free(arena);
}

void fmpi_fast_free_nodes(xmlNode *list)
{
	if (list && !list->doc->_private)
		xmlFreeNodeList(list);
}
