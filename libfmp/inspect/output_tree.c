// SPDX-License-Identifier: GPL-2.0
#include "output_tree.h"

#include <string.h>

#include "base/arena.h"
#include "xml/c14n.h"
#include "named_headers.h"
#include "namespace_context.h"
#include "xml/names.h"

/* Return: the next node of any kind in document order. */
static xmlNode *walk_all(xmlNode *node)
{
	if (node->type == XML_ELEMENT_NODE && node->children)
		return node->children;
	while (node && !node->next)
		node = node->parent;
	return node ? node->next : NULL;
}

/* Return: the arena that owns the node and frees it; NULL: libxml2 does. */
static struct fmpi_arena *arena_of(const xmlNode *node)
{
	return node->doc->_private;
}

static void drop_node(xmlNode *node)
{
	xmlUnlinkNode(node);
	if (!arena_of(node))
		xmlFreeNode(node);
}

static void drop_attributes(xmlNode *element)
{
	if (!arena_of(element))
		xmlFreePropList(element->properties);
	element->properties = NULL;
}

static bool is_text_or_comment(const xmlNode *n)
{
	return n && (n->type == XML_TEXT_NODE || n->type == XML_COMMENT_NODE);
}

static bool set_text(xmlNode *text, xmlChar *content)
{
	if (arena_of(text)) {
		text->content = content;
		return true;
	}
	xmlNodeSetContent(text, content);
	xmlFree(content);
	return text->content;
}

/*
 * Join all texts up to the next element. Each is copied once, however many comments stand between
 * them. Return: false: out of memory.
 */
static bool join_texts(xmlNode *first)
{
	struct fmpi_arena *arena = arena_of(first);
	xmlNode *next;
	size_t len = 0;
	xmlChar *all;

	for (const xmlNode *n = first; is_text_or_comment(n); n = n->next)
		len += n->type == XML_TEXT_NODE ? strlen((const char *)n->content) : 0;
	all = arena ? fmpi_arena_alloc(arena, len + 1) : xmlMalloc(len + 1);
	if (!all)
		return false;
	len = 0;
	for (xmlNode *n = first; is_text_or_comment(n); n = next) {
		size_t more = n->type == XML_TEXT_NODE ? strlen((const char *)n->content) : 0;

		memcpy(all + len, n->content, more);
		len += more;
		next = n->next;
		if (n != first)
			drop_node(n);
	}
	all[len] = '\0';
	return set_text(first, all);
}

/* Return: false: out of memory. */
static bool drop_comments(xmlDocPtr doc)
{
	xmlNode *next;

	for (xmlNode *n = doc->children; n; n = next) {
		if (n->type == XML_TEXT_NODE && is_text_or_comment(n->next) && !join_texts(n))
			return false;
		next = walk_all(n);
		if (n->type == XML_COMMENT_NODE)
			drop_node(n);
	}
	return true;
}

/* ---- namespaces ---- */

static char used; /* its address marks */

static void mark_used(const xmlNode *top)
{
	for (const xmlNode *n = top; n; n = fmpi_walk_next(top, n)) {
		if (n->ns)
			n->ns->_private = &used;
		for (const xmlAttr *a = n->properties; a; a = a->next)
			if (a->ns)
				a->ns->_private = &used;
	}
}

static bool is_listed(const struct fmpi_prefixes *list, const xmlNs *ns)
{
	const char *prefix = ns->prefix ? (const char *)ns->prefix : "";
	size_t len = strlen(prefix);

	for (unsigned i = 0; i < list->n; i++)
		if (list->prefix[i].len == len && memcmp(list->prefix[i].p, prefix, len) == 0)
			return true;
	return false;
}

static void drop_unused_of(xmlNode *element)
{
	for (xmlNs **at = &element->nsDef; *at;) {
		xmlNs *ns = *at;

		if (ns->_private == &used) {
			at = &ns->next;
			continue;
		}
		*at = ns->next;
		if (!arena_of(element))
			xmlFreeNs(ns);
	}
}

static void drop_unused(xmlNode *top)
{
	for (xmlNode *n = top; n; n = fmpi_walk_next(top, n))
		drop_unused_of(n);
}

/* ---- header blocks ---- */

static bool is_signed(const struct fmpi_signedinfo *info, const xmlNode *node)
{
	for (unsigned i = 0; i < info->n_references; i++)
		if (info->target[i] == node)
			return true;
	return false;
}

/* Those of WS-Addressing, unless the policy says not to forward one. */
static void keep_signed(const struct fmp_inspector *i, const struct fmpi_soap *soap,
			const struct fmpi_verified_signature *p, struct fmp_tree *out)
{
	for (unsigned k = FMP_PART_TO; k < FMP_PARTS; k++) {
		xmlNode *n = p->sec.addressing[k];

		out->header[k] = n && is_signed(&p->info, n) &&
						 !fmpi_named_headers_is_dropped(i, soap, n)
					 ? n
					 : NULL;
	}
}

/* The header blocks that stay: of WS-Addressing, and those that the policy names. */
struct kept {
	xmlNode *block[FMP_PARTS + FMPI_MAX_REFERENCES + FMP_HEADER_BLOCKS_MAX];
	unsigned n;
};

static void collect_kept(const struct fmpi_verified_signature *p, const struct fmp_tree *tree,
			 struct kept *out)
{
	out->n = 0;
	for (unsigned k = 0; k < FMP_PARTS; k++)
		if (tree->header[k])
			out->block[out->n++] = tree->header[k];
	for (unsigned r = 0; r < p->info.n_references; r++)
		if (fmpi_signedinfo_is_forwarded(&p->info, r))
			out->block[out->n++] = p->info.target[r];
	for (unsigned k = 0; k < p->n_unsigned; k++)
		out->block[out->n++] = p->unsigned_block[k];
}

static bool is_kept(const struct kept *kept, const xmlNode *block)
{
	for (unsigned k = 0; k < kept->n; k++)
		if (kept->block[k] == block)
			return true;
	return false;
}

static void drop_blocks(xmlNode *header, const struct kept *kept)
{
	xmlNode *next;

	for (xmlNode *n = fmpi_first(header); n; n = next) {
		next = fmpi_next(n);
		if (!is_kept(kept, n))
			drop_node(n);
	}
}

/* ---- the tree ---- */

int fmpi_output_tree(xmlDocPtr *doc, const struct fmpi_soap *soap, struct fmp_inspection *v)
{
	if (!drop_comments(*doc))
		return FMP_ERR_NOMEM;
	/* Header and Body may come from two documents: the signed one and the plaintext view. */
	v->own_doc[v->own_doc[0] ? 1 : 0] = *doc;
	v->tree.doc = *doc;
	v->tree.body = soap->body;
	v->tree.payload = soap->payload;
	*doc = NULL;
	return 0;
}

/* A namespace in an InclusiveNamespaces is signed wherever it is in scope, used or not. */
static void mark_listed(const xmlNode *top, const struct fmpi_prefixes *list)
{
	for (const xmlNode *n = top; list->n && n; n = fmpi_walk_next(top, n))
		for (xmlNs *ns = n->nsDef; ns; ns = ns->next)
			if (is_listed(list, ns))
				ns->_private = &used;
	for (const xmlNode *n = top->parent; list->n && n && n->type == XML_ELEMENT_NODE;
	     n = n->parent)
		for (xmlNs *ns = n->nsDef; ns; ns = ns->next)
			if (is_listed(list, ns))
				ns->_private = &used;
}

/* Mark the namespaces of a Body or header block that its Reference signs. */
static void mark_signed(const struct fmpi_signedinfo *info, const xmlNode *part)
{
	struct fmpi_prefixes listed;

	mark_used(part);
	for (unsigned r = 0; r < info->n_references; r++) {
		if (info->target[r] != part)
			continue;
		fmpi_namespace_context_prefixes(info, r, &listed);
		mark_listed(part, &listed);
	}
}

static void cut_down(const struct fmpi_soap *soap, const struct fmpi_signedinfo *info,
		     const struct kept *kept)
{
	xmlNode *envelope = soap->body->parent;

	envelope->ns->_private = &used;
	mark_signed(info, soap->body);
	for (unsigned k = 0; k < kept->n; k++)
		mark_signed(info, kept->block[k]);
	if (soap->header)
		soap->header->ns->_private = &used;

	drop_unused(soap->body);
	for (unsigned k = 0; k < kept->n; k++)
		drop_unused(kept->block[k]);
	drop_attributes(envelope);
	if (soap->header) {
		drop_attributes(soap->header);
		drop_unused_of(soap->header);
	}
	drop_unused_of(envelope);
	if (soap->header)
		drop_blocks(soap->header, kept);
}

int fmpi_output_tree_signed(const struct fmp_inspector *i, xmlDocPtr *doc,
			    const struct fmpi_soap *soap, const struct fmpi_verified_signature *p,
			    struct fmp_inspection *v)
{
	struct kept kept;

	v->tree.is_signed = true;
	memcpy(v->tree.signer, p->who.id, sizeof(v->tree.signer));
	keep_signed(i, soap, p, &v->tree);
	collect_kept(p, &v->tree, &kept);
	cut_down(soap, &p->info, &kept);
	return fmpi_output_tree(doc, soap, v);
}

void fmpi_output_tree_user(const xmlNode *username, struct fmp_inspection *v)
{
	const xmlNode *n = username ? fmpi_first(username) : NULL;
	const char *name;

	while (n && !fmpi_is(n, NS_WSSE, "Username"))
		n = fmpi_next(n);
	name = n ? fmpi_text(n) : NULL;
	if (name && strlen(name) < sizeof(v->tree.user))
		strcpy(v->tree.user, name);
}
