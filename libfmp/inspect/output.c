// SPDX-License-Identifier: GPL-2.0
/* The last stage: content rules, then bytes or a tree for the service. */
#include "output.h"

#include <stdlib.h>
#include <string.h>

#include "xml/c14n.h"
#include "named_headers.h"
#include "namespace_context.h"
#include "output_tree.h"

static const char header_start[] = "<env:Header>", header_end[] = "</env:Header>";

static size_t header_size(const struct fmpi_buffer *blocks)
{
	return blocks && blocks->len ? strlen(header_start) + blocks->len + strlen(header_end) : 0;
}

static char *put_header(char *p, const struct fmpi_buffer *blocks)
{
	p = stpcpy(p, header_start);
	p = mempcpy(p, blocks->p, blocks->len);
	return mempcpy(p, header_end, strlen(header_end));
}

int fmpi_output_wrap(const char *soap_ns, const struct fmpi_buffer *blocks,
		     const struct fmpi_buffer *body, struct fmpi_buffer *out)
{
	static const char head[] = "<env:Envelope xmlns:env=\"", mid[] = "\">",
			  tail[] = "</env:Envelope>";
	size_t cap = sizeof(head) + strlen(soap_ns) + sizeof(mid) + header_size(blocks) +
		     body->len + sizeof(tail);
	char *p = malloc(cap);

	*out = (struct fmpi_buffer){ .p = p };
	if (!p)
		return FMP_ERR_NOMEM;
	p = stpcpy(stpcpy(stpcpy(p, head), soap_ns), mid);
	if (header_size(blocks))
		p = put_header(p, blocks);
	p = mempcpy(p, body->p, body->len);
	p = stpcpy(p, tail);
	out->len = (size_t)(p - out->p);
	return 0;
}

void fmpi_output_bytes(struct fmp_inspection *v, struct fmpi_buffer *o, size_t skip)
{
	v->own = o->p;
	v->forward = o->p + skip;
	v->forward_len = o->len - skip;
	*o = (struct fmpi_buffer){ 0 };
}

/* An empty Body is forwarded too, with its attributes. */
static const xmlNode *get_content(const struct fmpi_soap *soap)
{
	return soap->payload ? soap->payload : soap->body;
}

/* The elements that are forwarded; an XPath of a content rule starts at the first. */
struct output_roots {
	const xmlNode *node[1 + FMPI_MAX_REFERENCES + FMP_HEADER_BLOCKS_MAX];
	unsigned n;
};

static int check_content(struct fmp_inspector *i, const struct output_roots *t,
			 struct fmp_inspection *v)
{
	int ret = i->content ? fmpi_content_check(i->content, t->node, t->n, v) : 0;

	if (i->content)
		fmpi_step_done(v, FMP_STEP_CONTENT);
	return ret;
}

static int check_content_of(struct fmp_inspector *i, const xmlNode *top, struct fmp_inspection *v)
{
	const struct output_roots t = { .node = { top }, .n = 1 };

	return check_content(i, &t, v);
}

/* Is the signed block of Reference @r forwarded? A tree always has those of WS-Addressing. */
static bool is_forwarded(const struct fmp_inspector *i, const struct fmpi_verified_signature *p,
			 unsigned r)
{
	return i->tree ? fmpi_signedinfo_is_block(&p->info, r)
		       : fmpi_signedinfo_is_forwarded(&p->info, r);
}

/* Add the header blocks that are forwarded. */
static void add_blocks(const struct fmp_inspector *i, const struct fmpi_verified_signature *p,
		       struct output_roots *t)
{
	for (unsigned r = 0; r < p->info.n_references; r++)
		if (is_forwarded(i, p, r))
			t->node[t->n++] = p->info.target[r];
	for (unsigned k = 0; k < p->n_unsigned; k++)
		t->node[t->n++] = p->unsigned_block[k];
}

/* Insert a Header behind the Envelope tag of fmpi_output_wrap(). */
static int add_header(const struct fmpi_buffer *blocks, struct fmpi_buffer *text)
{
	size_t n = header_size(blocks), tag;
	char *p;

	if (!n)
		return 0;
	p = realloc(text->p, text->len + n);
	if (!p)
		return FMP_ERR_NOMEM;
	tag = (size_t)((const char *)memchr(p, '>', text->len) + 1 - p);
	memmove(p + tag + n, p + tag, text->len - tag);
	put_header(p + tag, blocks);
	*text = (struct fmpi_buffer){ .p = p, .len = text->len + n };
	return 0;
}

/* Check the namespaces of Reference @r, whose target is forwarded as it was signed. */
static int check_context(const struct fmp_inspector *i, const struct fmpi_view *w,
			 const struct fmpi_signedinfo *info, unsigned r, struct fmp_inspection *v)
{
	struct fmpi_namespace_context c = { .top = info->target[r],
					    .soap_ns = w->soap.ns,
					    .qnames = i->schema &&
						      fmpi_schema_has_qnames(i->schema) };

	fmpi_namespace_context_prefixes(info, r, &c.listed);
	return fmpi_namespace_context_check(&c, v);
}

static int check_block_contexts(const struct fmp_inspector *i, const struct fmpi_view *w,
				const struct fmpi_verified_signature *p, struct fmp_inspection *v)
{
	int ret = 0;

	for (unsigned r = 0; r < p->info.n_references && !ret; r++)
		if (is_forwarded(i, p, r))
			ret = check_context(i, w, &p->info, r, v);
	return ret;
}

static int tree_signed(struct fmp_inspector *i, struct fmpi_view *w,
		       const struct fmpi_verified_signature *p, struct fmp_inspection *v)
{
	if (i->passwords)
		fmpi_output_tree_user(p->sec.username, v);
	return fmpi_output_tree_signed(i, &w->doc, &w->soap, p, v);
}

int fmpi_output_signed(struct fmp_inspector *i, struct fmpi_view *w,
		       const struct fmpi_verified_signature *p, struct fmp_inspection *v)
{
	struct output_roots t = { .node = { get_content(&w->soap) }, .n = 1 };
	struct fmpi_buffer out;
	int ret;

	ret = check_context(i, w, &p->info, p->info.body, v);
	if (!ret)
		ret = check_block_contexts(i, w, p, v);
	if (ret)
		return ret;
	add_blocks(i, p, &t);
	ret = check_content(i, &t, v);
	if (ret)
		return ret;
	if (i->tree)
		return tree_signed(i, w, p, v);
	ret = fmpi_output_wrap(w->soap.ns, &p->signed_bytes.blocks, &p->signed_bytes.body, &out);
	if (!ret)
		fmpi_output_bytes(v, &out, 0);
	return ret;
}

static void drop_header(struct fmpi_view *w)
{
	if (!w->soap.header)
		return;
	xmlUnlinkNode(w->soap.header);
	fmpi_fast_free_nodes(w->soap.header);
}

/*
 * Copy the signed header blocks into the plaintext document, because an XPath sees only one document.
 * The signed document is not changed.
 */
static int copy_blocks(struct fmpi_view *inner, struct output_roots *t)
{
	xmlNode *envelope = inner->soap.body->parent;

	if (t->n > 1 && !inner->soap.header) {
		inner->soap.header =
			xmlNewDocNode(inner->doc, envelope->ns, BAD_CAST "Header", NULL);
		if (!inner->soap.header)
			return FMP_ERR_NOMEM;
		xmlAddPrevSibling(inner->soap.body, inner->soap.header);
	}
	for (unsigned k = 1; k < t->n; k++) {
		xmlNode *copy = xmlDocCopyNode((xmlNode *)t->node[k], inner->doc, 1);

		if (!copy)
			return FMP_ERR_NOMEM;
		t->node[k] = xmlAddChild(inner->soap.header, copy);
	}
	return 0;
}

int fmpi_output_decrypted(struct fmp_inspector *i, struct fmpi_view *w,
			  const struct fmpi_verified_signature *p, struct fmpi_view *inner,
			  struct fmpi_buffer *text, struct fmp_inspection *v)
{
	struct output_roots t = { .node = { inner->soap.payload }, .n = 1 };
	int ret = check_block_contexts(i, w, p, v);

	if (!ret && i->content) {
		add_blocks(i, p, &t);
		ret = copy_blocks(inner, &t);
	}
	if (!ret)
		ret = check_content(i, &t, v);
	if (ret)
		return ret;
	if (i->tree) {
		ret = tree_signed(i, w, p, v);
		drop_header(inner);
		return ret ? ret : fmpi_output_tree(&inner->doc, &inner->soap, v);
	}
	ret = add_header(&p->signed_bytes.blocks, text);
	if (!ret)
		fmpi_output_bytes(v, text, 0);
	return ret;
}

/* Drop all header blocks but those that @keeps; without any, the Header too. */
static void drop_blocks(const struct fmp_inspector *i, struct fmpi_view *w,
			bool (*keeps)(const struct fmp_inspector *i, const struct fmpi_soap *soap,
				      const xmlNode *block))
{
	xmlNode *next, *header = w->soap.header;

	for (xmlNode *n = header ? fmpi_first(header) : NULL; n; n = next) {
		next = fmpi_next(n);
		if (keeps(i, &w->soap, n))
			continue;
		xmlUnlinkNode(n);
		fmpi_fast_free_nodes(n);
	}
	if (!header || !fmpi_first(header))
		drop_header(w);
}

/* The Body, and the named header blocks. */
static int check_content_of_body(struct fmp_inspector *i, const struct fmpi_soap *soap,
				 struct fmp_inspection *v)
{
	struct output_roots t = { .node = { get_content(soap) }, .n = 1 };
	const unsigned most = sizeof(t.node) / sizeof(t.node[0]);
	const xmlNode *n = i->named && soap->header ? fmpi_first(soap->header) : NULL;

	for (; n; n = fmpi_next(n)) {
		if (!fmpi_named_headers_is_forwarded(i, soap, n))
			continue;
		if (t.n == most)
			return fmpi_refuse(v, FMP_STEP_SOAP, FMP_EVENT_STRUCTURE, fmpi_line(n),
					   "more than %u header blocks to forward", most - 1);
		t.node[t.n++] = n;
	}
	return check_content(i, &t, v);
}

/* Forward what is left of the tree. */
static int output_rest(struct fmp_inspector *i, struct fmpi_view *w, struct fmp_inspection *v)
{
	struct fmpi_buffer out = { 0 };
	int ret;

	if (i->tree)
		return fmpi_output_tree(&w->doc, &w->soap, v);
	ret = fmpi_c14n_inclusive(xmlDocGetRootElement(w->doc), &out);
	if (ret) {
		free(out.p);
		return ret;
	}
	fmpi_output_bytes(v, &out, 0);
	return 0;
}

int fmpi_output_body(struct fmp_inspector *i, struct fmpi_view *w, const xmlNode *username,
		     struct fmp_inspection *v)
{
	int ret = check_content_of_body(i, &w->soap, v);

	if (ret)
		return ret;
	if (i->tree && i->passwords)
		fmpi_output_tree_user(username, v);
	if (i->named)
		drop_blocks(i, w, fmpi_named_headers_is_forwarded);
	else
		drop_header(w);
	return output_rest(i, w, v);
}

static bool is_not_dropped(const struct fmp_inspector *i, const struct fmpi_soap *soap,
			   const xmlNode *block)
{
	return !fmpi_named_headers_is_dropped(i, soap, block);
}

int fmpi_output_all(struct fmp_inspector *i, struct fmpi_view *w, struct fmp_inspection *v)
{
	int ret = check_content_of(i, w->soap.body->parent, v);

	if (ret)
		return ret;
	if (fmpi_named_headers_has_dropped(i, &w->soap)) {
		drop_blocks(i, w, is_not_dropped);
		return output_rest(i, w, v);
	}
	return i->tree ? fmpi_output_tree(&w->doc, &w->soap, v) : 0;
}

void fmp_inspection_clear(struct fmp_inspection *v)
{
	free(v->own);
	free(v->own_reply_context);
	v->own = v->own_reply_context = NULL;
	v->reply_context = (struct fmp_reply_context){ 0 };
	v->forward = NULL;
	v->forward_len = 0;
	for (unsigned n = 0; n < 2; n++) {
		fmpi_fast_free(v->own_doc[n]);
		v->own_doc[n] = NULL;
	}
	v->tree = (struct fmp_tree){ 0 };
}
