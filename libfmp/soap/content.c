// SPDX-License-Identifier: GPL-2.0
#include "content.h"

#include <libxml/xpath.h>
#include <libxml/xpathInternals.h>
#include <stdlib.h>
#include <string.h>

#include <fmp/internal/xml_error_arg.h>

#include "base/pattern.h"
#include "text_fold.h"

/*
 * Budget of PCRE2 steps for all rules together: those of content-injection.xml use 20 to 28 per
 * byte of prose.
 */
#define STEPS_BASE	20000u
#define STEPS_PER_BYTE	64u
/* Budget of libxml2 operations for each XPath. */
#define OPS_BASE	10000u
#define OPS_PER_ELEMENT 16u

struct rule {
	char name[32];
	xmlXPathCompExprPtr xpath;
	struct fmpi_pattern *pattern;
	bool fold;
	bool list;
	uint32_t max;
	xmlNsPtr *namespaces;
	unsigned n_namespaces;
};

struct fmpi_content {
	xmlXPathContextPtr ctx; /* NULL: no rule has an XPath */
	uint64_t ops;
	uint64_t steps; /* steps left for the current message */
	char *joined; /* joins a text that has several nodes */
	size_t joined_cap;
	struct fmpi_buffer folded; /* the current text, folded */
	bool has_plain; /* there is a rule without an XPath */
	bool has_fold; /* one of these folds text */
	unsigned n;
	struct rule rules[];
};

/* ---- compiling ---- */

static xmlNsPtr new_namespace(const struct fmp_policy_namespace *ns)
{
	return xmlNewNs(NULL, (const xmlChar *)ns->uri, (const xmlChar *)ns->prefix);
}

static int compile_rule(const struct fmp_policy_rule *in, struct fmpi_content *c, struct rule *out,
			struct fmp_error *err)
{
	char why[256] = "";
	int ret = 0;

	memcpy(out->name, in->name, sizeof(out->name));
	out->fold = in->fold;
	out->list = in->list;
	out->max = in->max;
	if (in->regex)
		ret = fmpi_pattern_new(in->regex, &out->pattern, why, sizeof(why));
	if (!ret && in->xpath && !c->ctx)
		c->ctx = xmlXPathNewContext(NULL);
	if (!ret && in->xpath) {
		out->namespaces = calloc(in->n_namespaces + 1u, sizeof(xmlNsPtr));
		out->xpath = c->ctx && out->namespaces
				     ? xmlXPathCtxtCompile(c->ctx, (const xmlChar *)in->xpath)
				     : NULL;
		ret = out->xpath ? 0 : c->ctx && out->namespaces ? FMP_ERR_SYNTAX : FMP_ERR_NOMEM;
	}
	for (unsigned i = 0; !ret && in->xpath && i < in->n_namespaces; i++) {
		out->namespaces[i] = new_namespace(&in->namespaces[i]);
		if (!out->namespaces[i])
			ret = FMP_ERR_NOMEM;
		else
			out->n_namespaces++;
	}
	return ret ? fmp_error_set(err, ret, "rule \"%s\" of the content: %s", in->name,
				   ret == FMP_ERR_NOMEM ? "out of memory"
				   : *why		? why
							: "not an XPath")
		   : 0;
}

/* Errors are reported in the verdict. */
static void ignore_error(void *ctx, fmpi_xml_error_arg e)
{
}

int fmpi_content_new(const struct fmp_policy_content *rules, const struct fmp_policy_limits *limits,
		     struct fmpi_content **out, struct fmp_error *err)
{
	struct fmpi_content *c = calloc(1, sizeof(*c) + rules->n_rules * sizeof(c->rules[0]));
	int ret = 0;

	*out = NULL;
	if (!c)
		return fmp_error_set(err, FMP_ERR_NOMEM, "no memory for the rules");
	c->ops = OPS_BASE + (uint64_t)OPS_PER_ELEMENT * limits->elements;
	while (!ret && c->n < rules->n_rules) {
		const struct fmp_policy_rule *in = &rules->rules[c->n];

		c->has_plain = c->has_plain || !in->xpath;
		c->has_fold = c->has_fold || (!in->xpath && in->fold);
		ret = compile_rule(in, c, &c->rules[c->n++], err);
	}
	if (ret) {
		fmpi_content_destroy(c);
		return ret;
	}
	if (c->ctx)
		c->ctx->error = ignore_error;
	*out = c;
	return 0;
}

void fmpi_content_destroy(struct fmpi_content *c)
{
	if (!c)
		return;
	for (unsigned i = 0; i < c->n; i++) {
		struct rule *r = &c->rules[i];

		xmlXPathFreeCompExpr(r->xpath);
		fmpi_pattern_free(r->pattern);
		for (unsigned k = 0; k < r->n_namespaces; k++)
			xmlFreeNs(r->namespaces[k]);
		free(r->namespaces);
	}
	if (c->ctx)
		xmlXPathFreeContext(c->ctx);
	free(c->joined);
	free(c->folded.p);
	free(c);
}

/* ---- texts ---- */

struct text {
	const char *p;
	size_t len;
	const xmlNode *element; /* element that contains it */
	const xmlAttr *attr; /* attribute that contains it, or NULL */
};

static int refuse_text(struct fmp_inspection *v, const struct rule *r, const struct text *t,
		       const char *what)
{
	return fmpi_refuse(v, FMP_STEP_CONTENT, FMP_EVENT_CONTENT, fmpi_line(t->element),
			   "%s of the rule \"%s\" in %.40s%s%.40s", what, r->name,
			   t->element ? (const char *)t->element->name : "the message",
			   t->attr ? "/@" : "", t->attr ? (const char *)t->attr->name : "");
}

static bool grow_joined(struct fmpi_content *c, size_t need)
{
	char *more;

	if (need <= c->joined_cap)
		return true;
	more = realloc(c->joined, need * 2);
	if (!more)
		return false;
	c->joined = more;
	c->joined_cap = need * 2;
	return true;
}

/* Join text nodes as the service does: a comment inside a word does not split the word. */
static int join_text(struct fmpi_content *c, const xmlNode *first, const xmlNode *end,
		     struct text *out)
{
	size_t len = 0;

	out->p = "";
	out->len = 0;
	for (const xmlNode *n = first; n != end; n = n->next) {
		const char *piece = (const char *)n->content;
		bool ours = out->p == c->joined; /* false until the first joining */
		size_t size;

		if (n->type != XML_TEXT_NODE || !piece)
			continue;
		size = strlen(piece);
		if (!len) {
			out->p = piece;
			out->len = len = size;
			continue;
		}
		if (!grow_joined(c, len + size))
			return FMP_ERR_NOMEM;
		if (!ours)
			memcpy(c->joined, out->p, len);
		memcpy(c->joined + len, piece, size);
		out->p = c->joined;
		out->len = len += size;
	}
	return 0;
}

/* @only: NULL: all rules without XPath; @folded: only rules with fold */
static int try_rules(struct fmpi_content *c, const struct rule *only, const struct text *t,
		     bool folded, struct fmp_inspection *v)
{
	c->steps += (uint64_t)STEPS_PER_BYTE * t->len;
	for (unsigned i = 0; i < c->n; i++) {
		const struct rule *r = &c->rules[i];
		int found;

		if ((only ? r != only : r->xpath != NULL) || (folded && !r->fold))
			continue;
		found = fmpi_pattern_match(r->pattern, t->p, t->len, &c->steps);
		if (found == FMPI_MATCH_FOUND)
			return refuse_text(v, r, t, "a match");
		if (found == FMPI_MATCH_LIMIT)
			return refuse_text(v, r, t, "too many steps");
		if (found)
			return found;
	}
	return 0;
}

/* Try the text as written first: folding may remove what a rule looks for. */
static int try_text(struct fmpi_content *c, const struct rule *only, const struct text *t,
		    struct fmp_inspection *v)
{
	struct text folded = *t;
	int ret;

	if (!t->len)
		return 0;
	ret = try_rules(c, only, t, false, v);
	if (ret || !(only ? only->fold : c->has_fold))
		return ret;
	ret = fmpi_text_fold(t->p, t->len, &c->folded);
	if (ret || !c->folded.len)
		return ret;
	folded.p = c->folded.p;
	folded.len = c->folded.len;
	return try_rules(c, only, &folded, true, v);
}

static int try_attribute(struct fmpi_content *c, const struct rule *only, const xmlAttr *a,
			 struct fmp_inspection *v)
{
	struct text t = { .element = a->parent, .attr = a };
	int ret = join_text(c, a->children, NULL, &t);

	return ret ? ret : try_text(c, only, &t, v);
}

static int try_element(struct fmpi_content *c, const struct rule *only, const xmlNode *e,
		       struct fmp_inspection *v)
{
	struct text t = { .element = e };
	int ret = join_text(c, e->children, NULL, &t);

	if (!ret)
		ret = try_text(c, only, &t, v);
	for (const xmlAttr *a = e->properties; a && !ret; a = a->next)
		ret = try_attribute(c, only, a, v);
	return ret;
}

static int try_inside(struct fmpi_content *c, const struct rule *only, const xmlNode *top,
		      struct fmp_inspection *v)
{
	int ret = 0;

	for (const xmlNode *n = top; n && !ret; n = fmpi_walk_next(top, n))
		ret = try_element(c, only, n, v);
	return ret;
}

/* ---- XPath ---- */

static bool is_inside(const xmlNode *node, const xmlNode *top)
{
	while (node && node != top)
		node = node->parent;
	return node && top;
}

/*
 * Try the run of text nodes up to the next element, and skip nodes of the set that are in it. @at:
 * index of the first one, then of the last one
 */
static int try_run(struct fmpi_content *c, const struct rule *r, xmlNodeSetPtr set, int *at,
		   struct fmp_inspection *v)
{
	const xmlNode *first = set->nodeTab[*at], *end = first->next;
	struct text t = { .element = first->parent };
	int ret;

	for (; end && (end->type == XML_TEXT_NODE || end->type == XML_COMMENT_NODE);
	     end = end->next)
		if (*at + 1 < set->nodeNr && set->nodeTab[*at + 1] == end)
			(*at)++;
	ret = join_text(c, first, end, &t);
	return ret ? ret : try_text(c, r, &t, v);
}

static int try_nodes(struct fmpi_content *c, const struct rule *r, xmlNodeSetPtr set,
		     struct fmp_inspection *v)
{
	const xmlNode *looked_into = NULL;
	int ret = 0;

	/* In document order a node inside another follows it, and has been tried with it. */
	xmlXPathNodeSetSort(set);
	for (int i = 0; set && i < set->nodeNr && !ret; i++) {
		const xmlNode *n = set->nodeTab[i];

		if (n->type == XML_DOCUMENT_NODE)
			n = xmlDocGetRootElement((xmlDocPtr)n);
		if (n->type == XML_ATTRIBUTE_NODE) {
			ret = try_attribute(c, r, (const xmlAttr *)n, v);
		} else if (n->type == XML_TEXT_NODE) {
			ret = try_run(c, r, set, &i, v);
		} else if (n->type == XML_ELEMENT_NODE && !is_inside(n, looked_into)) {
			looked_into = n;
			ret = try_inside(c, r, n, v);
		}
	}
	return ret;
}

static int check_result(struct fmpi_content *c, const struct rule *r, const xmlNode *top,
			xmlXPathObjectPtr found, struct fmp_inspection *v)
{
	bool is_set = found->type == XPATH_NODESET;
	int n = is_set && found->nodesetval ? found->nodesetval->nodeNr : 0;
	struct text t = { .element = n && found->nodesetval->nodeTab[0]->type == XML_ELEMENT_NODE
					     ? found->nodesetval->nodeTab[0]
					     : top };
	xmlChar *text;
	int ret;

	if (r->list)
		return is_set && (uint32_t)n > r->max ? refuse_text(v, r, &t, "too many") : 0;
	if (!r->pattern)
		return xmlXPathCastToBoolean(found) ? refuse_text(v, r, &t, "a match") : 0;
	if (is_set)
		return try_nodes(c, r, found->nodesetval, v);
	text = xmlXPathCastToString(found);
	if (!text)
		return FMP_ERR_NOMEM;
	t.p = (const char *)text;
	t.len = strlen(t.p);
	ret = try_text(c, r, &t, v);
	xmlFree(text);
	return ret;
}

static int try_xpath(struct fmpi_content *c, const struct rule *r, const xmlNode *top,
		     struct fmp_inspection *v)
{
	xmlXPathContextPtr ctx = c->ctx;
	const struct text whole = { .element = top };
	xmlXPathObjectPtr found;
	int ret;

	ctx->doc = top->doc;
	ctx->node = (xmlNode *)top;
	ctx->namespaces = r->namespaces;
	ctx->nsNr = (int)r->n_namespaces;
	ctx->opLimit = c->ops;
	ctx->opCount = 0;
	found = xmlXPathCompiledEval(r->xpath, ctx);
	if (found)
		ret = check_result(c, r, top, found, v);
	else
		ret = refuse_text(v, r, &whole, "too many steps of the XPath");
	xmlXPathFreeObject(found);
	/* The tree is freed before the next message. */
	ctx->doc = NULL;
	ctx->node = NULL;
	ctx->namespaces = NULL;
	ctx->nsNr = 0;
	return ret;
}

int fmpi_content_check(struct fmpi_content *c, const xmlNode *const *top, unsigned n,
		       struct fmp_inspection *v)
{
	int ret = 0;

	c->steps = STEPS_BASE;
	for (unsigned i = 0; c->has_plain && i < n && !ret; i++)
		ret = try_inside(c, NULL, top[i], v);
	for (unsigned i = 0; i < c->n && !ret; i++)
		if (c->rules[i].xpath)
			ret = try_xpath(c, &c->rules[i], top[0], v);
	return ret;
}
