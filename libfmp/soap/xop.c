// SPDX-License-Identifier: GPL-2.0
#include "xop.h"

#include <libxml/parserInternals.h>
#include <limits.h>
#include <openssl/evp.h>
#include <string.h>
#include <strings.h>

#include <fmp/internal/mime.h>

#include "base/arena.h"
#include "xml/base64.h"
#include "xml/names.h"

#define refuse(v, kind, node, ...) fmpi_refuse(v, FMP_STEP_SOAP, kind, fmpi_line(node), __VA_ARGS__)

bool fmpi_xop_has_include(const void *text, size_t len)
{
	return memmem(text, len, NS_XOP, strlen(NS_XOP)) != NULL;
}

struct fmp_attachment *fmpi_xop_find_part(struct fmp_attachments *a, const char *url)
{
	char id[FMP_MIME_ID];

	if (!fmp_mime_cid(url, id))
		return NULL;
	for (size_t i = 0; i < a->n; i++)
		if (a->part[i].id[0] && strcmp(a->part[i].id, id) == 0)
			return &a->part[i];
	return NULL;
}

/*
 * The part is still to come: expect it. Return: 0 with *out; FMPI_REFUSED: more than are allowed;
 * FMP_ERR_NOMEM.
 */
static int expect_part(struct fmp_attachments *a, const char *url, struct fmp_attachment **out,
		       struct fmp_inspection *v)
{
	char id[FMP_MIME_ID];

	*out = fmpi_xop_find_part(a, url);
	if (*out || !a->pending || !fmp_mime_cid(url, id))
		return 0;
	if (a->n == a->most)
		return refuse(v, FMP_EVENT_STRUCTURE, NULL,
			      "references to more than %zu attachments", a->most);
	a->part[a->n] = (struct fmp_attachment){ .id = strdup(id),
						 .bytes = a->placeholder[a->n],
						 .len = FMP_ATTACHMENT_PLACEHOLDER };
	if (!a->part[a->n].id)
		return FMP_ERR_NOMEM;
	*out = &a->part[a->n++];
	return 0;
}

static char *reserve_text(xmlDocPtr doc, size_t n)
{
	return doc->_private ? fmpi_arena_alloc(doc->_private, n) : xmlMalloc(n);
}

/* A text node of the same memory as the document's others. */
static xmlNode *new_text(xmlDocPtr doc, const struct fmp_attachment *part)
{
	xmlNode *n = (xmlNode *)reserve_text(doc, sizeof(*n));
	char *text = n ? reserve_text(doc, 4 * ((part->len + 2) / 3) + 1) : NULL;

	if (!text) {
		if (n && !doc->_private)
			xmlFree(n);
		return NULL;
	}
	EVP_EncodeBlock((unsigned char *)text, part->bytes, (int)part->len);
	*n = (xmlNode){
		.type = XML_TEXT_NODE, .name = xmlStringText, .doc = doc, .content = (xmlChar *)text
	};
	return n;
}

/* XOP 1.0 2.1: the only child, with an href. No extension of it has a meaning here. */
static int check_include(const xmlNode *include, struct fmp_inspection *v)
{
	const xmlNode *in = include->parent;

	if (include->children || include->next || include->prev)
		return refuse(v, FMP_EVENT_SOAP, include, "content in or beside an xop:Include");
	if (in->type != XML_ELEMENT_NODE || !include->properties || include->properties->next ||
	    include->properties->ns || !xmlStrEqual(include->properties->name, BAD_CAST "href"))
		return refuse(v, FMP_EVENT_SOAP, include, "an xop:Include has more than an href");
	return 0;
}

static int replace_include(xmlNode *include, struct fmp_attachments *a, struct fmp_inspection *v)
{
	struct fmp_attachment *part;
	xmlNode *in = include->parent, *text = NULL;
	const char *href;
	int ret = check_include(include, v);

	if (ret)
		return ret;
	href = fmpi_attribute_value(include->properties);
	part = NULL;
	if (href && strlen(href) < sizeof(part->href))
		ret = expect_part(a, href, &part, v);
	if (ret)
		return ret;
	if (!part)
		return refuse(v, FMP_EVENT_SOAP, include,
			      "an xop:Include names no part of the message");
	if (part->element)
		return refuse(v, FMP_EVENT_STRUCTURE, include, "two xop:Include name one part");
	if (part->encoded || part->len > INT_MAX / 2)
		return refuse(v, FMP_EVENT_UNSUPPORTED, include,
			      "an xop:Include names a part with a Content-Transfer-Encoding");
	if (part->len) {
		text = new_text(in->doc, part);
		if (!text)
			return FMP_ERR_NOMEM;
		text->line = in->line;
		text->parent = in;
	}
	strcpy(part->href, href);
	xmlUnlinkNode(include);
	fmpi_fast_free_nodes(include);
	in->children = in->last = text;
	part->element = in;
	part->references++;
	part->included = ++a->included;
	return 0;
}

static int count_url(struct fmp_attachments *a, const char *text, struct fmp_inspection *v)
{
	struct fmp_attachment *part = NULL;
	int ret = 0;

	if (text)
		text += strspn(text, " \t\r\n");
	if (text && strncasecmp(text, "cid:", strlen("cid:")) == 0)
		ret = expect_part(a, text, &part, v);
	if (part)
		part->references++;
	return ret;
}

/* References by URL: of WS-I's swaRef, of ebMS, of signatures and EncryptedData. */
static int count_references(const xmlNode *n, struct fmp_attachments *a, struct fmp_inspection *v)
{
	int ret = 0;

	for (const xmlAttr *attr = n->properties; attr && !ret; attr = attr->next)
		ret = count_url(a, fmpi_attribute_value(attr), v);
	if (!ret && n->children && n->children->type == XML_TEXT_NODE && !n->children->next)
		ret = count_url(a, (const char *)n->children->content, v);
	return ret;
}

static int check_unreferenced(const struct fmp_attachments *a, struct fmp_inspection *v)
{
	for (size_t i = 0; i < a->n && !a->pending; i++) {
		const struct fmp_attachment *part = &a->part[i];

		if (part->references || (a->unreferenced && !a->xop))
			continue;
		return refuse(v, FMP_EVENT_SOAP, NULL, "nothing refers to attachment %zu (%s)",
			      i + 1, part->id[0] ? part->id : "without a Content-ID");
	}
	return 0;
}

int fmpi_xop_resolve(xmlDocPtr doc, struct fmp_attachments *a, struct fmp_inspection *v)
{
	xmlNode *root = xmlDocGetRootElement(doc), *next;
	int ret = 0;

	for (xmlNode *n = root; n && !ret; n = next) {
		bool include = a->xop && fmpi_is(n, NS_XOP, "Include");
		xmlNode *in = n->parent;

		next = include ? NULL : fmpi_walk_next(root, n);
		if (!include) {
			ret = count_references(n, a, v);
			continue;
		}
		ret = replace_include(n, a, v);
		/* Its element has only a text now: the walk goes on behind it. */
		next = ret ? NULL : fmpi_walk_next(root, in);
	}
	return ret ? ret : check_unreferenced(a, v);
}

int fmpi_xop_resolve_again(xmlDocPtr doc, struct fmp_attachments *a, struct fmp_inspection *v)
{
	xmlNode *root = xmlDocGetRootElement(doc), *next;
	int ret = 0;

	for (size_t i = 0; i < a->n; i++) {
		a->part[i].element = NULL;
		a->part[i].included = a->part[i].included ? SIZE_MAX : 0;
	}
	a->included = 0;
	for (xmlNode *n = a->xop ? root : NULL; n && !ret; n = next) {
		xmlNode *in = n->parent;

		next = fmpi_walk_next(root, n);
		if (!fmpi_is(n, NS_XOP, "Include"))
			continue;
		ret = replace_include(n, a, v);
		next = ret ? NULL : fmpi_walk_next(root, in);
	}
	return ret;
}

int fmpi_xop_check_strays(const xmlNode *top, struct fmp_attachments *a, struct fmp_inspection *v)
{
	xmlDictPtr dict = top && top->doc ? top->doc->dict : NULL;

	/* Parsers keep each namespace in the dictionary: without this one there is nothing to look for. */
	if (!top || (a && a->xop) || (dict && !xmlDictExists(dict, BAD_CAST NS_XOP, -1)))
		return 0;
	for (const xmlNode *n = top; n; n = fmpi_walk_next(top, n)) {
		const char *href;

		if (!fmpi_is(n, NS_XOP, "Include"))
			continue;
		href = fmpi_attribute(n, NULL, "href");
		if (!a || !href || !fmpi_xop_find_part(a, href))
			return refuse(v, FMP_EVENT_SOAP, n,
				      "an xop:Include in a message that is not of XOP");
	}
	return 0;
}

static bool is_below(const xmlNode *n, const xmlNode *top)
{
	while (n && n != top)
		n = n->parent;
	return n != NULL;
}

bool fmpi_xop_needs_parts(const struct fmp_attachments *a, const struct fmpi_schema *s,
			  const xmlNode *payload, bool content_rules)
{
	for (size_t i = 0; i < a->n; i++) {
		const xmlNode *n = a->part[i].element;

		/* What stands for the part must not be seen, nor be forwarded. */
		if (n && (content_rules || !payload || !is_below(n, payload) ||
			  (s && fmpi_schema_needs_base64(s, payload, n))))
			return true;
	}
	return false;
}

int fmpi_xop_check_types(const struct fmp_attachments *a, const struct fmpi_schema *s,
			 const xmlNode *payload, struct fmp_inspection *v)
{
	for (size_t i = 0; i < a->n; i++) {
		const xmlNode *n = a->part[i].element;

		if (n && is_below(n, payload) && !fmpi_schema_may_be_base64(s, payload, n))
			return fmpi_refuse(v, FMP_STEP_SCHEMA, FMP_EVENT_SCHEMA, fmpi_line(n),
					   "an xop:Include in %s, which is not base64Binary",
					   (const char *)n->name);
	}
	return 0;
}
