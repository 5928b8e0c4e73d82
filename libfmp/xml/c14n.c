// SPDX-License-Identifier: GPL-2.0
#include "c14n.h"

#include <fmp/error.h>
#include <stdlib.h>

#include "swar.h"

/*
 * The screen limits declarations in scope to the same number (FMPI_MAX_NAMESPACES), and every
 * namespace rendered above an element has a declaration in scope.
 */
#define MAX_RENDERED   128
#define FEW_ATTRIBUTES 64
#define MAX_DEPTH      256 /* FMPI_MAX_DEPTH */

/* A namespace declaration that the start tag of this element or of one above has written. */
struct rendered {
	const xmlNs *ns;
	const char *prefix, *href;
	unsigned depth;
};

/* Position of an open element's name in the output. */
struct span {
	size_t at, len;
};

struct c14n {
	const struct fmpi_prefixes *inclusive; /* NULL: inclusive canonicalization */
	size_t *budget; /* bytes left for declarations; NULL: unlimited */
	struct fmpi_buffer *out; /* NULL: only count declarations */
	unsigned depth;
	unsigned n;
	struct rendered rendered[MAX_RENDERED];
	struct span open[MAX_DEPTH];
};

#define or_empty(s) ((s) ? (const char *)(s) : "")

/* ---- text ---- */

/* Contexts in which a byte is escaped: text, attribute value, processing instruction. */
enum context {
	IN_TEXT = 1,
	IN_VALUE = 2,
	IN_PI = 4
};

static const unsigned char special[256] = {
	['\t'] = IN_VALUE, ['\n'] = IN_VALUE,	       ['\r'] = IN_TEXT | IN_VALUE | IN_PI,
	['"'] = IN_VALUE,  ['&'] = IN_TEXT | IN_VALUE, ['<'] = IN_TEXT | IN_VALUE,
	['>'] = IN_TEXT,
};

static const char *escape_of(unsigned char c)
{
	switch (c) {
	case '\t':
		return "&#x9;";
	case '\n':
		return "&#xA;";
	case '\r':
		return "&#xD;";
	case '"':
		return "&quot;";
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	default:
		return "&gt;";
	}
}

static bool put_bytes(struct c14n *c, const void *p, size_t n)
{
	return fmpi_buffer_add(c->out, p, n);
}

static bool put_string(struct c14n *c, const char *s)
{
	return put_bytes(c, s, strlen(s));
}

/*
 * Copy up to the first byte to be escaped; the output has room. First by words, which contain no
 * byte that is escaped in any context: most texts are short, and memcpy() would cost more than the
 * copy.
 */
static const unsigned char *copy_plain(struct c14n *c, const unsigned char *s,
				       const unsigned char *end, enum context context)
{
	unsigned char *p = (unsigned char *)c->out->p + c->out->len;
	const unsigned char *from = s;
	size_t w, hit;

	for (; (size_t)(end - s) >= sizeof(w); s += sizeof(w), p += sizeof(w)) {
		memcpy(&w, s, sizeof(w));
		hit = fmpi_match_control(w) | fmpi_match_byte(w, '&') | fmpi_match_byte(w, '<') |
		      fmpi_match_byte(w, '>') | fmpi_match_byte(w, '"');
		if (hit & fmpi_repeat_byte(0x80))
			break;
		memcpy(p, &w, sizeof(w));
	}
	while (s < end && !(special[*s] & context))
		*p++ = *s++;
	c->out->len += (size_t)(s - from);
	return s;
}

static bool put_piece(struct c14n *c, const unsigned char *s, const unsigned char *end,
		      enum context context)
{
	for (;;) {
		if (!fmpi_buffer_reserve(c->out, (size_t)(end - s)))
			return false;
		s = copy_plain(c, s, end, context);
		if (s == end)
			return true;
		if (!put_string(c, escape_of(*s++)))
			return false;
	}
}

static bool put_text(struct c14n *c, const unsigned char *s, enum context context)
{
	return put_piece(c, s, s + strlen((const char *)s), context);
}

/* libxml2 2.9 keeps '&' in a namespace URI as the reference that the document has. */
static bool put_uri(struct c14n *c, const char *uri)
{
	static const char reference[] = "&#38;";
	const unsigned char *s = (const unsigned char *)uri;

	for (const char *hit; (hit = strstr((const char *)s, reference));
	     s = (const unsigned char *)hit + strlen(reference))
		if (!put_piece(c, s, (const unsigned char *)hit, IN_VALUE) ||
		    !put_string(c, "&amp;"))
			return false;
	return put_text(c, s, IN_VALUE);
}

static bool put_name(struct c14n *c, const xmlNs *ns, const xmlChar *name)
{
	if (ns && ns->prefix && *ns->prefix &&
	    (!put_string(c, (const char *)ns->prefix) || !put_bytes(c, ":", 1)))
		return false;
	return put_string(c, (const char *)name);
}

/* ---- namespaces ---- */

static bool is_xml(const xmlNs *ns)
{
	return ns->prefix && strcmp((const char *)ns->prefix, "xml") == 0;
}

static bool is_rendered(const struct c14n *c, const xmlNs *ns, const char *prefix, const char *href)
{
	for (unsigned i = c->n; i; i--) {
		const struct rendered *r = &c->rendered[i - 1];

		if (ns && r->ns == ns)
			return true;
		if (strcmp(r->prefix, prefix) == 0)
			return strcmp(r->href, href) == 0;
	}
	return !*prefix && !*href;
}

/* The usual case: the namespace rendered last. */
static bool is_rendered_last(const struct c14n *c, const xmlNs *ns)
{
	return c->n && c->rendered[c->n - 1].ns == ns;
}

/* @ns: NULL: the element is in no namespace */
static int add_namespace(struct c14n *c, const xmlNs *ns)
{
	const char *prefix = ns ? or_empty(ns->prefix) : "", *href = ns ? or_empty(ns->href) : "";

	if (is_rendered(c, ns, prefix, href) || (ns && is_xml(ns)))
		return 0;
	/*
	 * libxml2 writes these characters unescaped, and quotes a URI with '"' in another way.
	 * Signers compute digests of that, so the form is ambiguous.
	 */
	if (c->n == MAX_RENDERED || (c->inclusive && c->out && href[strcspn(href, "&<>\"\t\n\r")]))
		return FMP_ERR_UNSUPPORTED;
	c->rendered[c->n++] = (struct rendered){ ns, prefix, href, c->depth };
	return 0;
}

static bool is_inclusive(const struct c14n *c, const xmlNs *ns)
{
	const char *prefix = or_empty(ns->prefix);
	size_t len = strlen(prefix);

	if (!c->inclusive)
		return true;
	for (unsigned i = 0; i < c->inclusive->n; i++)
		if (c->inclusive->prefix[i].len == len &&
		    memcmp(c->inclusive->prefix[i].p, prefix, len) == 0)
			return true;
	return false;
}

static bool is_shadowed(const xmlNode *from, const xmlNode *until, const xmlNs *ns)
{
	for (; from != until; from = from->parent)
		for (const xmlNs *other = from->nsDef; other; other = other->next)
			if (xmlStrEqual(other->prefix, ns->prefix))
				return true;
	return false;
}

/*
 * Prefixes of an InclusiveNamespaces list are rendered wherever they are in scope. The apex takes
 * them from all elements above; below it only new declarations can change anything.
 */
static int add_inclusive(struct c14n *c, const xmlNode *e)
{
	const xmlNode *n = e;
	int ret = 0;

	if (c->inclusive && !c->inclusive->n)
		return 0;
	do {
		for (const xmlNs *ns = n->nsDef; ns && !ret; ns = ns->next)
			if (is_inclusive(c, ns) && !is_shadowed(e, n, ns))
				ret = add_namespace(c, ns);
		n = n->parent;
	} while (!ret && c->depth == 0 && n && n->type == XML_ELEMENT_NODE);
	return ret;
}

static void sort_namespaces(struct rendered *r, unsigned n)
{
	for (unsigned i = 1; i < n; i++) {
		struct rendered one = r[i];
		unsigned k = i;

		for (; k && strcmp(r[k - 1].prefix, one.prefix) > 0; k--)
			r[k] = r[k - 1];
		r[k] = one;
	}
}

static int put_namespace(struct c14n *c, const struct rendered *r)
{
	static const char start[] = " xmlns", prefixed[] = " xmlns:";
	size_t n_prefix = strlen(r->prefix), n_href = strlen(r->href);
	size_t n = strlen(prefixed) + n_prefix + strlen("=\"\"") + n_href;

	if (c->budget && n > *c->budget)
		return FMP_ERR_LIMIT;
	if (c->budget)
		*c->budget -= n;
	if (!c->out)
		return 0;
	if (!(n_prefix ? put_bytes(c, prefixed, strlen(prefixed)) &&
				 put_bytes(c, r->prefix, n_prefix)
		       : put_bytes(c, start, strlen(start))) ||
	    !put_bytes(c, "=\"", 2) || !put_uri(c, r->href) || !put_bytes(c, "\"", 1))
		return FMP_ERR_NOMEM;
	return 0;
}

static int put_namespaces(struct c14n *c, const xmlNode *e)
{
	unsigned first = c->n;
	int ret = c->depth && !e->nsDef ? 0 : add_inclusive(c, e);

	if (!ret && !is_rendered_last(c, e->ns))
		ret = add_namespace(c, e->ns);
	for (const xmlAttr *a = e->properties; a && !ret; a = a->next)
		if (a->ns)
			ret = add_namespace(c, a->ns);
	if (ret)
		return ret;
	if (c->n - first > 1)
		sort_namespaces(c->rendered + first, c->n - first);
	for (unsigned i = first; i < c->n && !ret; i++)
		ret = put_namespace(c, &c->rendered[i]);
	return ret;
}

/* ---- attributes ---- */

static int compare_attributes(const xmlAttr *a, const xmlAttr *b)
{
	int d;

	if (!a->ns || !b->ns)
		d = (a->ns != NULL) - (b->ns != NULL);
	else
		d = a->ns == b->ns ? 0 : strcmp(or_empty(a->ns->href), or_empty(b->ns->href));
	return d ? d : strcmp((const char *)a->name, (const char *)b->name);
}

static int put_attribute(struct c14n *c, const xmlAttr *a)
{
	const xmlNode *value = a->children;

	if (value && (value->type != XML_TEXT_NODE || value->next))
		return FMP_ERR_UNSUPPORTED;
	if (!put_bytes(c, " ", 1) || !put_name(c, a->ns, a->name) || !put_bytes(c, "=\"", 2) ||
	    (value && value->content && !put_text(c, value->content, IN_VALUE)) ||
	    !put_bytes(c, "\"", 1))
		return FMP_ERR_NOMEM;
	return 0;
}

static int compare_attribute_pointers(const void *a, const void *b)
{
	return compare_attributes(*(const xmlAttr *const *)a, *(const xmlAttr *const *)b);
}

/* Rare: an element with more attributes than fit on the stack. */
static int put_many_attributes(struct c14n *c, const xmlNode *e)
{
	const xmlAttr **sorted;
	size_t n = 0;
	int ret = 0;

	for (const xmlAttr *a = e->properties; a; a = a->next)
		n++;
	sorted = calloc(n, sizeof(*sorted));
	if (!sorted)
		return FMP_ERR_NOMEM;
	n = 0;
	for (const xmlAttr *a = e->properties; a; a = a->next)
		sorted[n++] = a;
	qsort(sorted, n, sizeof(*sorted), compare_attribute_pointers);
	for (size_t i = 0; i < n && !ret; i++)
		ret = put_attribute(c, sorted[i]);
	free(sorted);
	return ret;
}

static int put_attributes(struct c14n *c, const xmlNode *e)
{
	const xmlAttr *sorted[FEW_ATTRIBUTES];
	unsigned n = 0;
	int ret = 0;

	for (const xmlAttr *a = e->properties; a; a = a->next) {
		unsigned k = n++;

		if (k == FEW_ATTRIBUTES)
			return put_many_attributes(c, e);
		for (; k && compare_attributes(sorted[k - 1], a) > 0; k--)
			sorted[k] = sorted[k - 1];
		sorted[k] = a;
	}
	for (unsigned i = 0; i < n && !ret; i++)
		ret = put_attribute(c, sorted[i]);
	return ret;
}

/* ---- the tree ---- */

/* Write the start tag up to its name, and keep the name's position for the end tag. */
static bool put_start(struct c14n *c, const xmlNode *e)
{
	const char *prefix = e->ns ? or_empty(e->ns->prefix) : "", *name = (const char *)e->name;
	size_t n_prefix = strlen(prefix), n = strlen(name), at = c->out->len + 1;
	char *p;

	if (!fmpi_buffer_reserve(c->out, n_prefix + n + 2))
		return false;
	p = c->out->p + c->out->len;
	*p++ = '<';
	if (n_prefix) {
		p = mempcpy(p, prefix, n_prefix);
		*p++ = ':';
	}
	p = mempcpy(p, name, n);
	c->out->len = (size_t)(p - c->out->p);
	c->open[c->depth] = (struct span){ at, c->out->len - at };
	return true;
}

static bool put_end(struct c14n *c)
{
	const struct span *w = &c->open[c->depth];
	char *p;

	if (!fmpi_buffer_reserve(c->out, w->len + 3))
		return false;
	p = c->out->p + c->out->len;
	*p++ = '<';
	*p++ = '/';
	p = mempcpy(p, c->out->p + w->at, w->len);
	*p++ = '>';
	c->out->len = (size_t)(p - c->out->p);
	return true;
}

static int open_element(struct c14n *c, const xmlNode *e)
{
	int ret;

	if (c->depth == MAX_DEPTH)
		return FMP_ERR_UNSUPPORTED;
	if (!c->out)
		return put_namespaces(c, e);
	if (!put_start(c, e))
		return FMP_ERR_NOMEM;
	ret = put_namespaces(c, e);
	if (!ret && e->properties)
		ret = put_attributes(c, e);
	if (!ret && !put_bytes(c, ">", 1))
		ret = FMP_ERR_NOMEM;
	return ret;
}

static int close_element(struct c14n *c)
{
	while (c->n && c->rendered[c->n - 1].depth == c->depth)
		c->n--;
	return !c->out || put_end(c) ? 0 : FMP_ERR_NOMEM;
}

static int put_pi(struct c14n *c, const xmlNode *pi)
{
	if (!put_bytes(c, "<?", 2) || !put_string(c, (const char *)pi->name))
		return FMP_ERR_NOMEM;
	if (pi->content && *pi->content &&
	    (!put_bytes(c, " ", 1) || !put_text(c, pi->content, IN_PI)))
		return FMP_ERR_NOMEM;
	return put_bytes(c, "?>", 2) ? 0 : FMP_ERR_NOMEM;
}

static int put_leaf(struct c14n *c, const xmlNode *n)
{
	switch (n->type) {
	case XML_TEXT_NODE:
	case XML_CDATA_SECTION_NODE:
		return !n->content || put_text(c, n->content, IN_TEXT) ? 0 : FMP_ERR_NOMEM;
	case XML_PI_NODE:
		return put_pi(c, n);
	case XML_COMMENT_NODE:
		return 0;
	default:
		return FMP_ERR_UNSUPPORTED;
	}
}

static int canonicalize_tree(const xmlNode *apex, const struct fmpi_prefixes *inclusive,
			     size_t *budget, struct fmpi_buffer *out)
{
	struct c14n c;
	const xmlNode *n = apex;
	int ret;

	/* Set only these members: the tables are large and written before they are read. */
	c.inclusive = inclusive;
	c.budget = budget;
	c.out = out;
	c.depth = 0;
	c.n = 0;
	for (;;) {
		if (n->type == XML_ELEMENT_NODE) {
			ret = open_element(&c, n);
			if (!ret && n->children) {
				c.depth++;
				n = n->children;
				continue;
			}
			if (!ret)
				ret = close_element(&c);
		} else {
			ret = out ? put_leaf(&c, n) : 0;
		}
		while (!ret && n != apex && !n->next) {
			n = n->parent;
			c.depth--;
			ret = close_element(&c);
		}
		if (ret || n == apex)
			return ret;
		n = n->next;
	}
}

int fmpi_c14n_exclusive(const xmlNode *apex, const struct fmpi_prefixes *inclusive, size_t *budget,
			struct fmpi_buffer *out)
{
	return canonicalize_tree(apex, inclusive, budget, out);
}

int fmpi_c14n_inclusive(const xmlNode *root, struct fmpi_buffer *out)
{
	return canonicalize_tree(root, NULL, NULL, out);
}
