// SPDX-License-Identifier: GPL-2.0
#include "namespace_context.h"

#include <stdlib.h>
#include <string.h>

#include "xml/names.h"
#include "xml/screen.h"

#define refuse(v, node, ...) \
	fmpi_refuse(v, FMP_STEP_SIGNATURE, FMP_EVENT_UNSUPPORTED, fmpi_line(node), __VA_ARGS__)

/* A declaration that is in scope. The screen bounds how many are (FMPI_MAX_NAMESPACES). */
struct binding {
	const char *prefix, *href;
	unsigned depth;
};

struct scope {
	unsigned n;
	struct binding binding[FMPI_MAX_NAMESPACES + 2];
};

struct walk {
	const struct fmpi_namespace_context *of;
	struct scope declared; /* in the message */
	struct scope rendered; /* in the part's canonical form, and in the Envelope around it */
	unsigned depth;
	bool overflow;
	struct fmp_inspection *v;
};

#define or_empty(s) ((s) ? (const char *)(s) : "")

void fmpi_namespace_context_prefixes(const struct fmpi_signedinfo *info, unsigned reference,
				     struct fmpi_prefixes *out)
{
	const xmlNode *n = fmpi_first(info->info), *top;
	unsigned n_before = reference;

	while (!fmpi_is(n, NS_DS, "Reference") || n_before--)
		n = fmpi_next(n);
	out->n = 0;
	for (top = n; n; n = fmpi_walk_next(top, n)) {
		const char *list = fmpi_is(n, NS_EXC, "InclusiveNamespaces")
					   ? fmpi_attribute(n, NULL, "PrefixList")
					   : NULL;

		/* A list that is too long was refused by signedinfo.c. */
		if (list && fmpi_prefixes_read(list, out))
			out->n = 0;
	}
}

/* ---- scopes ---- */

/* Return: the namespace; "": none; NULL: the prefix is not declared. */
static const char *lookup_prefix(const struct scope *s, const char *prefix, size_t len)
{
	for (unsigned i = s->n; i; i--) {
		const struct binding *b = &s->binding[i - 1];

		if (strncmp(b->prefix, prefix, len) == 0 && !b->prefix[len])
			return b->href;
	}
	return len ? NULL : "";
}

static void declare_prefix(struct walk *w, struct scope *s, const char *prefix, const char *href)
{
	if (s->n == sizeof(s->binding) / sizeof(*s->binding)) {
		w->overflow = true;
		return;
	}
	s->binding[s->n++] = (struct binding){ prefix, href, w->depth };
}

static void declare_all(struct walk *w, const xmlNode *element)
{
	for (const xmlNs *ns = element->nsDef; ns; ns = ns->next)
		declare_prefix(w, &w->declared, or_empty(ns->prefix), or_empty(ns->href));
}

/* Canonicalization declares a namespace on the element that first uses it. */
static void render_namespace(struct walk *w, const xmlNs *ns)
{
	const char *prefix = ns ? or_empty(ns->prefix) : "", *href = ns ? or_empty(ns->href) : "";
	const char *now = lookup_prefix(&w->rendered, prefix, strlen(prefix));

	if (!now || strcmp(now, href) != 0)
		declare_prefix(w, &w->rendered, prefix, href);
}

static void enter_element(struct walk *w, const xmlNode *element)
{
	w->depth++;
	declare_all(w, element);
	render_namespace(w, element->ns);
	for (const xmlAttr *a = element->properties; a; a = a->next)
		if (a->ns)
			render_namespace(w, a->ns);
}

static void leave_scope(struct scope *s, unsigned depth)
{
	while (s->n && s->binding[s->n - 1].depth >= depth)
		s->n--;
}

static void leave_element(struct walk *w)
{
	leave_scope(&w->declared, w->depth);
	leave_scope(&w->rendered, w->depth);
	w->depth--;
}

/* Outermost first. The depth of the path is bounded by the screen. */
static void declare_above(struct walk *w, const xmlNode *top)
{
	const xmlNode *above[8]; /* Envelope and Header, and what held an encrypted block */
	unsigned n = 0;

	for (const xmlNode *p = top->parent; p && p->type == XML_ELEMENT_NODE; p = p->parent) {
		if (n == sizeof(above) / sizeof(*above)) {
			w->overflow = true;
			return;
		}
		above[n++] = p;
	}
	while (n)
		declare_all(w, above[--n]);
}

/* ---- names in values ---- */

static bool is_start(unsigned char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c >= 0x80;
}

static bool is_inside(unsigned char c)
{
	return is_start(c) || (c >= '0' && c <= '9') || c == '-' || c == '.';
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* A text such as "urn:a" is a URI, even if a prefix "urn" is declared. */
static bool is_scheme(const char *p, size_t len)
{
	static const char *const schemes[] = { "urn", "http", "https", "uuid", "mailto", "tel",
					       "tag", "cid",  "mid",   "data", "file",	 "ftp",
					       "sip", "sips", "ldap",  "xmpp" };

	for (size_t i = 0; i < sizeof(schemes) / sizeof(*schemes); i++)
		if (strlen(schemes[i]) == len && strncmp(schemes[i], p, len) == 0)
			return true;
	return false;
}

static bool is_listed(const struct fmpi_namespace_context *c, const char *prefix, size_t len)
{
	for (unsigned i = 0; i < c->listed.n; i++)
		if (c->listed.prefix[i].len == len &&
		    memcmp(c->listed.prefix[i].p, prefix, len) == 0)
			return true;
	return false;
}

/* Is the prefix bound differently in the message and in what is forwarded? */
static bool prefix_differs(const struct walk *w, const char *prefix, size_t len)
{
	const char *in, *out;

	if (is_listed(w->of, prefix, len) || (len == 3 && memcmp(prefix, "xml", 3) == 0))
		return false;
	in = lookup_prefix(&w->declared, prefix, len);
	out = lookup_prefix(&w->rendered, prefix, len);
	/* An undeclared prefix makes no name in the message. */
	return in && (!out || strcmp(in, out) != 0);
}

static int refuse_name(const struct walk *w, const xmlNode *element, const char *value,
		       size_t prefix_len)
{
	if (!prefix_len)
		return refuse(w->v, element,
			      "the default namespace, in which the value of %.40s is a name, is "
			      "declared where it is not signed",
			      (const char *)element->name);
	return refuse(w->v, element,
		      "prefix %.*s in a value of %.40s is declared where it is not signed; list it "
		      "in InclusiveNamespaces",
		      (int)(prefix_len < 40 ? prefix_len : 40), value, (const char *)element->name);
}

/*
 * Return: length of the prefix of the name around the colon; 0: no name. In an XPath "1-p:x" is a difference,
 * "child::p:x" a step and "p:*" all names of a namespace; "a:b:c" is nowhere a name.
 */
static size_t prefix_before(const char *text, const char *colon)
{
	const char *p = colon, *end = colon + 1;

	while (p > text && is_inside((unsigned char)p[-1]))
		p--;
	while (p < colon && !is_start((unsigned char)*p))
		p++;
	if (p == colon || (p > text && p[-1] == ':' && (p - 1 == text || p[-2] != ':')))
		return 0;
	if (*end != '*' && !is_start((unsigned char)*end))
		return 0;
	while (is_inside((unsigned char)*end))
		end++;
	return *end == ':' ? 0 : (size_t)(colon - p);
}

/* Check all prefixed names in a text: in lists, XPaths, topic expressions. */
static int check_prefixes(const struct walk *w, const xmlNode *element, const char *text,
			  bool is_name)
{
	for (const char *colon = strchr(text, ':'); colon; colon = strchr(colon + 1, ':')) {
		size_t len = prefix_before(text, colon);
		const char *prefix = colon - len;

		if (len && (is_name || !is_scheme(prefix, len)) && prefix_differs(w, prefix, len))
			return refuse_name(w, element, prefix, len);
	}
	return 0;
}

/* May the text be a name without a prefix, or a list of such names? */
static bool is_bare(const char *text)
{
	bool any = false;

	for (; *text; text++) {
		bool begins = !is_blank(*text) && (!any || is_blank(text[-1]));

		if (begins && !is_start((unsigned char)*text))
			return false;
		if (!begins && !is_blank(*text) && !is_inside((unsigned char)*text))
			return false;
		any = any || begins;
	}
	return any;
}

/* Does xsi:type say QName? Where the schema allows any type, it need not declare this one. */
static bool is_typed_name(const xmlNode *element)
{
	const char *type = fmpi_attribute(element, NS_XSI, "type");
	const char *local = type ? strrchr(type, ':') : NULL;

	local = local ? local + 1 : type;
	return local && strncmp(local, "QName", 5) == 0 && !local[5 + strspn(local + 5, " \t\r\n")];
}

/* @is_name: the value is a name or a list of names; false: it may contain prefixed names */
static int check_value(const struct walk *w, const xmlNode *element, const char *text, bool is_name)
{
	int ret = check_prefixes(w, element, text, is_name);

	if (!ret && is_name && prefix_differs(w, "", 0) && is_bare(text))
		ret = refuse_name(w, element, text, 0);
	return ret;
}

static int check_attributes(const struct walk *w, const xmlNode *element)
{
	int ret = 0;

	for (const xmlAttr *a = element->properties; a && !ret; a = a->next) {
		bool is_type = a->ns && xmlStrEqual(a->ns->href, BAD_CAST NS_XSI) &&
			       xmlStrEqual(a->name, BAD_CAST "type");
		const char *value = fmpi_attribute_value(a);

		ret = value ? check_value(w, element, value, is_type || w->of->qnames) : 0;
	}
	return ret;
}

/* Texts separated by comments are one text in the canonical form, which has no comments. */
static int check_split_text(const struct walk *w, const xmlNode *element, const xmlNode *first,
			    const xmlNode *end, bool is_name)
{
	size_t len = 0;
	char *all, *p;
	int ret;

	for (const xmlNode *n = first; n != end; n = n->next)
		len += n->type == XML_TEXT_NODE ? strlen((const char *)n->content) : 0;
	all = p = malloc(len + 1);
	if (!all)
		return FMP_ERR_NOMEM;
	*p = '\0';
	for (const xmlNode *n = first; n != end; n = n->next)
		if (n->type == XML_TEXT_NODE)
			p = stpcpy(p, (const char *)n->content);
	ret = check_value(w, element, all, is_name);
	free(all);
	return ret;
}

static int check_texts(const struct walk *w, const xmlNode *element)
{
	bool is_name = w->of->qnames || is_typed_name(element);
	const xmlNode *n = element->children, *end;
	int ret = 0;

	for (; n && !ret; n = end) {
		bool split = false;

		if (n->type != XML_TEXT_NODE) {
			end = n->next;
			continue;
		}
		for (end = n->next; end && end->type != XML_ELEMENT_NODE; end = end->next)
			split = split || end->type == XML_TEXT_NODE;
		ret = split ? check_split_text(w, element, n, end, is_name)
			    : check_value(w, element, (const char *)n->content, is_name);
	}
	return ret;
}

/* ---- the part ---- */

/* xml:lang, xml:base and xml:space apply to all descendants (XML 1.0 2.10 and 2.12, XML Base). */
static int check_inherited(const struct fmpi_namespace_context *c, struct fmp_inspection *v)
{
	static const char *const names[] = { "lang", "base", "space" };

	for (const xmlNode *p = c->top->parent; p && p->type == XML_ELEMENT_NODE; p = p->parent)
		for (size_t i = 0; p->properties && i < sizeof(names) / sizeof(*names); i++)
			if (fmpi_attribute_node(p, (const char *)XML_XML_NAMESPACE, names[i]) &&
			    !fmpi_attribute_node(c->top, (const char *)XML_XML_NAMESPACE, names[i]))
				return refuse(
					v, p,
					"xml:%s of %s holds for %.40s, but is not signed with it",
					names[i], (const char *)p->name,
					(const char *)c->top->name);
	return 0;
}

static bool has_prefix(const char *text)
{
	for (const char *colon = strchr(text, ':'); colon; colon = strchr(colon + 1, ':'))
		if (prefix_before(text, colon))
			return true;
	return false;
}

/* Most messages have no such value; then the scopes need not be tracked. */
static bool may_have_names(const struct fmpi_namespace_context *c)
{
	if (c->qnames)
		return true;
	for (const xmlNode *n = c->top; n; n = fmpi_walk_next(c->top, n)) {
		for (const xmlAttr *a = n->properties; a; a = a->next) {
			const char *value = fmpi_attribute_value(a);

			if ((a->ns && xmlStrEqual(a->ns->href, BAD_CAST NS_XSI)) ||
			    (value && has_prefix(value)))
				return true;
		}
		for (const xmlNode *t = n->children; t; t = t->next)
			if (t->type == XML_TEXT_NODE &&
			    (n->children->next ? strchr((const char *)t->content, ':') != NULL
					       : has_prefix((const char *)t->content)))
				return true;
	}
	return false;
}

static int check_part(struct walk *w)
{
	const xmlNode *top = w->of->top, *n = top;
	int ret;

	for (;;) {
		enter_element(w, n);
		ret = w->overflow ? refuse(w->v, n, "too many namespaces in scope")
				  : check_attributes(w, n);
		if (!ret)
			ret = check_texts(w, n);
		if (ret)
			return ret;
		if (fmpi_first(n)) {
			n = fmpi_first(n);
			continue;
		}
		leave_element(w);
		while (n != top && !fmpi_next(n)) {
			n = n->parent;
			leave_element(w);
		}
		if (n == top)
			return 0;
		n = fmpi_next(n);
	}
}

int fmpi_namespace_context_check(const struct fmpi_namespace_context *c, struct fmp_inspection *v)
{
	struct walk w;
	int ret = check_inherited(c, v);

	if (ret || !may_have_names(c))
		return ret;
	/* Do not clear the large scopes: they are written before they are read. */
	w.of = c;
	w.v = v;
	w.declared.n = w.rendered.n = 0;
	w.depth = 0;
	w.overflow = false;
	declare_above(&w, c->top);
	declare_prefix(&w, &w.rendered, FMPI_NAMESPACE_CONTEXT_PREFIX, c->soap_ns);
	return check_part(&w);
}
