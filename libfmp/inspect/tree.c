// SPDX-License-Identifier: GPL-2.0
#include "inspect/tree.h"

#include <string.h>

#include "inspect/c14n.h"
#include "inspect/names.h"

/* The node behind, of any kind, with what is inside it. */
static xmlNode *walk_all(xmlNode *node)
{
	if (node->type == XML_ELEMENT_NODE && node->children)
		return node->children;
	while (node && !node->next)
		node = node->parent;
	return node ? node->next : NULL;
}

/* Return: the node behind the comment. */
static xmlNode *drop_comment(xmlNode *comment)
{
	xmlNode *before = comment->prev, *next = walk_all(comment);

	xmlUnlinkNode(comment);
	xmlFreeNode(comment);
	if (before && before->type == XML_TEXT_NODE && next && next == before->next &&
	    next->type == XML_TEXT_NODE)
		next = walk_all(xmlTextMerge(before, next));
	return next;
}

static void drop_comments(xmlDocPtr doc)
{
	for (xmlNode *n = doc->children; n;)
		n = n->type == XML_COMMENT_NODE ? drop_comment(n) : walk_all(n);
}

static void drop_node(xmlNode *node)
{
	xmlUnlinkNode(node);
	xmlFreeNode(node);
}

static void drop_attributes(xmlNode *element)
{
	while (element->properties)
		xmlRemoveProp(element->properties);
}

/* ---- namespaces ---- */

static char used; /* its address marks */

static void mark_used(const xmlNode *top)
{
	for (const xmlNode *n = top; n; n = fmpi_walk(top, n)) {
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

static void drop_unused_of(xmlNode *element, const struct fmpi_prefixes *signed_too)
{
	for (xmlNs **at = &element->nsDef; *at;) {
		xmlNs *ns = *at;

		if (ns->_private == &used || is_listed(signed_too, ns)) {
			at = &ns->next;
			continue;
		}
		*at = ns->next;
		xmlFreeNs(ns);
	}
}

static void drop_unused(xmlNode *top, const struct fmpi_prefixes *signed_too)
{
	for (xmlNode *n = top; n; n = fmpi_walk(top, n))
		drop_unused_of(n, signed_too);
}

/* The InclusiveNamespaces of the Body's Reference, that the signature covers. */
static void read_listed(const struct fmpi_signedinfo *info, struct fmpi_prefixes *out)
{
	const xmlNode *reference = fmpi_first(info->info);
	unsigned n_before = info->body;

	while (!fmpi_is(reference, NS_DS, "Reference") || n_before--)
		reference = fmpi_next(reference);
	out->n = 0;
	for (const xmlNode *n = reference; n; n = fmpi_walk(reference, n)) {
		const char *list = fmpi_is(n, NS_EXC, "InclusiveNamespaces")
					   ? fmpi_attribute(n, NULL, "PrefixList")
					   : NULL;

		/* One that is too long was refused before. */
		if (list && fmpi_prefixes_read(list, out))
			out->n = 0;
	}
}

/* ---- header blocks ---- */

static bool is_signed(const struct fmpi_signedinfo *info, const xmlNode *node)
{
	for (unsigned i = 0; i < info->n_references; i++)
		if (info->target[i] == node)
			return true;
	return false;
}

static void keep_signed(const struct fmpi_signedinfo *info, const struct fmpi_wsse *sec,
			struct fmp_tree *out)
{
	for (unsigned p = FMP_PART_TO; p < FMP_PARTS; p++)
		out->header[p] = sec->addressing[p] && is_signed(info, sec->addressing[p])
					 ? sec->addressing[p]
					 : NULL;
}

static bool is_kept(const struct fmp_tree *tree, const xmlNode *block)
{
	for (unsigned p = 0; p < FMP_PARTS; p++)
		if (tree->header[p] == block)
			return true;
	return false;
}

static void drop_blocks(xmlNode *header, const struct fmp_tree *tree)
{
	xmlNode *next;

	for (xmlNode *n = fmpi_first(header); n; n = next) {
		next = fmpi_next(n);
		if (!is_kept(tree, n))
			drop_node(n);
	}
}

/* ---- the tree ---- */

void fmpi_tree_hand_on(xmlDocPtr *doc, const struct fmpi_soap *soap, struct fmp_inspection *v)
{
	drop_comments(*doc);
	/* What the header is of may be another document than what the Body is of. */
	v->own_doc[v->own_doc[0] ? 1 : 0] = *doc;
	v->tree.doc = *doc;
	v->tree.body = soap->body;
	v->tree.payload = soap->payload;
	*doc = NULL;
}

/* The blocks go last: the list of prefixes stands in one of them. */
static void cut_down(const struct fmpi_soap *soap, const struct fmpi_signedinfo *info,
		     const struct fmp_tree *tree)
{
	xmlNode *envelope = soap->body->parent;
	struct fmpi_prefixes listed;

	read_listed(info, &listed);
	envelope->ns->_private = &used;
	mark_used(soap->body);
	for (unsigned p = 0; p < FMP_PARTS; p++)
		if (tree->header[p])
			mark_used(tree->header[p]);
	if (soap->header)
		soap->header->ns->_private = &used;

	drop_unused(soap->body, &listed);
	for (unsigned p = 0; p < FMP_PARTS; p++)
		if (tree->header[p])
			drop_unused(tree->header[p], &listed);
	drop_attributes(envelope);
	if (soap->header) {
		drop_attributes(soap->header);
		drop_unused_of(soap->header, &listed);
	}
	drop_unused_of(envelope, &listed);
	if (soap->header)
		drop_blocks(soap->header, tree);
}

void fmpi_tree_signed(xmlDocPtr *doc, const struct fmpi_soap *soap,
		      const struct fmpi_signedinfo *info, const struct fmpi_wsse *sec,
		      const struct fmpi_signer *who, struct fmp_inspection *v)
{
	v->tree.is_signed = true;
	memcpy(v->tree.signer, who->id, sizeof(v->tree.signer));
	keep_signed(info, sec, &v->tree);
	cut_down(soap, info, &v->tree);
	fmpi_tree_hand_on(doc, soap, v);
}

void fmpi_tree_user(const xmlNode *username, struct fmp_inspection *v)
{
	const xmlNode *n = username ? fmpi_first(username) : NULL;
	const char *name;

	while (n && !fmpi_is(n, NS_WSSE, "Username"))
		n = fmpi_next(n);
	name = n ? fmpi_text(n) : NULL;
	if (name && strlen(name) < sizeof(v->tree.user))
		strcpy(v->tree.user, name);
}
