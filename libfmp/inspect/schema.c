// SPDX-License-Identifier: GPL-2.0
#include "inspect/schema.h"

#include <libxml/xmlschemas.h>
#include <stdlib.h>
#include <string.h>

#include "inspect/names.h"
#include "inspect/schema_number.h"
#include "inspect/schema_private.h"

/* Bytes of one text: from here on libxml2's copies of it count. One of a message is so long. */
#define HUGE_TEXT (128u << 10)
/* Pieces of one text, times its bytes: libxml2 measures what it has of it anew at each. */
#define PARTED	  (16u << 20)

struct longest {
	size_t of; /* bytes of the longest content or value, all its texts together */
	xmlNode *text; /* the longest one ... */
	size_t len; /* ... and its bytes */
	const xmlNode *parted; /* a piece of one that is in too many; NULL: none is */
};

static void take_longer(xmlNode *n, struct longest *out)
{
	size_t sum = 0, pieces = 0;

	for (; n; n = n->next) {
		size_t len = n->type == XML_TEXT_NODE ? strlen((const char *)n->content) : 0;

		sum += len;
		pieces += len != 0;
		if (pieces > 1 && sum > PARTED / pieces)
			out->parted = n;
		if (len > out->len) {
			out->text = n;
			out->len = len;
		}
	}
	if (sum > out->of)
		out->of = sum;
}

/*
 * xsi:schemaLocation and xsi:noNamespaceSchemaLocation are hints (XSD 1.0 part 1, 4.3.2) that we
 * do not follow. libxml2 would: it asks for the file, and keeps what it was told for the life of
 * the schema. So it validates the tree without these attributes; then they return to their places.
 */
struct hints {
	struct hint {
		xmlAttr *attribute, *before;
	} * list; /* in document order */
	size_t n, room;
};

static bool is_hint(const xmlAttr *a)
{
	return a->ns && strcmp((const char *)a->ns->href, NS_XSI) == 0 &&
	       (strcmp((const char *)a->name, "schemaLocation") == 0 ||
		strcmp((const char *)a->name, "noNamespaceSchemaLocation") == 0);
}

static int add_hint(struct hints *h, xmlAttr *a)
{
	if (h->n == h->room) {
		size_t room = h->room ? 2 * h->room : 4;
		struct hint *list = reallocarray(h->list, room, sizeof(*list));

		if (!list)
			return FMP_ERR_NOMEM;
		h->list = list;
		h->room = room;
	}
	h->list[h->n++].attribute = a;
	return 0;
}

static void hide_hints(struct hints *h)
{
	for (size_t i = 0; i < h->n; i++) {
		xmlAttr *a = h->list[i].attribute;

		h->list[i].before = a->prev;
		if (a->prev)
			a->prev->next = a->next;
		else
			a->parent->properties = a->next;
		if (a->next)
			a->next->prev = a->prev;
	}
}

/* In the other order: what stood before an attribute is back before the attribute is. */
static void restore_hints(struct hints *h)
{
	for (size_t i = h->n; i--;) {
		xmlAttr *a = h->list[i].attribute, *before = h->list[i].before;

		a->prev = before;
		a->next = before ? before->next : a->parent->properties;
		if (before)
			before->next = a;
		else
			a->parent->properties = a;
		if (a->next)
			a->next->prev = a;
	}
}

/* Look at all texts, and list the hints. Return: 0, FMP_ERR_NOMEM. */
static int look_through(xmlNode *payload, struct longest *out, struct hints *hints)
{
	int ret = 0;

	for (xmlNode *n = payload; n && !ret; n = fmpi_walk(payload, n)) {
		take_longer(n->children, out);
		for (xmlAttr *a = n->properties; a && !ret; a = a->next) {
			take_longer(a->children, out);
			ret = is_hint(a) ? add_hint(hints, a) : 0;
		}
	}
	return ret;
}

struct validation {
	struct fmp_inspection *v;
	const struct fmpi_schema_set *set;
	const xmlNode *unjudged; /* a value that nobody can check; NULL: there is none */
	xmlNode *payload;
	xmlNode *cut; /* a list, to be freed */
	const xmlNode *short_of; /* whose text is not all there; NULL: none */
	bool has_waived; /* libxml2 was wrong about a value */
	unsigned unjudged_line;
	struct fmpi_way way;
};

/* From node on, the list of its parent's children. */
static void cut_off(struct validation *c, xmlNode *node)
{
	xmlNode *last;

	if (!node)
		return;
	last = node->parent->last;
	node->parent->last = node->prev;
	if (node->prev)
		node->prev->next = NULL;
	else
		node->parent->children = NULL;
	last->next = c->cut;
	c->cut = node;
}

/* One fault is enough: libxml2 would look at all that follows, and write a sentence a fault. */
static void end_behind(struct validation *c, xmlNode *node)
{
	if (node->type == XML_ATTRIBUTE_NODE)
		node = node->parent;
	if (node->type == XML_ELEMENT_NODE)
		cut_off(c, node->children);
	for (; node != c->payload && node->parent; node = node->parent)
		cut_off(c, node->next);
}

/*
 * Is all of a text wrong if its beginning is? Where no type knows it for a number or the like,
 * or it is none of a list of texts. Of other rules that hold elsewhere all but keys, yes.
 */
static bool is_sure(const struct validation *c, const xmlError *e)
{
	const xmlNode *of = c->short_of;

	if (!of)
		return true;
	if (e->node == of || (of->type == XML_ATTRIBUTE_NODE && e->node == of->parent))
		return e->code == XML_SCHEMAV_CVC_DATATYPE_VALID_1_2_1 ||
		       e->code == XML_SCHEMAV_CVC_ENUMERATION_VALID;
	return e->code != XML_SCHEMAV_CVC_IDC;
}

bool fmpi_schema_is_of_value(int code)
{
	return (code >= XML_SCHEMAV_CVC_DATATYPE_VALID_1_2_1 &&
		code <= XML_SCHEMAV_CVC_DATATYPE_VALID_1_2_3) ||
	       (code >= XML_SCHEMAV_CVC_FACET_VALID && code <= XML_SCHEMAV_CVC_ENUMERATION_VALID);
}

static void leave_unjudged(struct validation *c, const xmlNode *node)
{
	c->unjudged = node;
	c->unjudged_line = fmpi_line(node);
}

/* Behind "{namespace}name", as libxml2 writes it; NULL: it is another. */
static const char *skip_name(const char *text, const xmlNs *ns, const xmlChar *local)
{
	const char *href = ns && ns->href ? (const char *)ns->href : NULL;
	size_t n = href ? strlen(href) : 0, len = strlen((const char *)local);

	if (href) {
		if (*text != '{' || strncmp(text + 1, href, n) != 0 || text[n + 1] != '}')
			return NULL;
		text += n + 2;
	}
	return strncmp(text, (const char *)local, len) == 0 ? text + len : NULL;
}

/* libxml2 gives the element of an attribute, and says the attribute's name. NULL: can't be told. */
static xmlNode *find_node(const xmlError *e)
{
	static const char begin[] = "Element '", middle[] = "', attribute '";
	xmlNode *n = e->node;
	const char *at, *end;

	if (!n || n->type != XML_ELEMENT_NODE || !e->message ||
	    strncmp(e->message, begin, strlen(begin)) != 0)
		return n;
	at = skip_name(e->message + strlen(begin), n->ns, n->name);
	if (!at)
		return NULL;
	if (strncmp(at, middle, strlen(middle)) != 0)
		return n;
	at += strlen(middle);
	for (xmlAttr *a = n->properties; a; a = a->next) {
		end = skip_name(at, a->ns, a->name);
		if (end && strncmp(end, "': ", 3) == 0)
			return (xmlNode *)a;
	}
	return NULL;
}

/* A copy of it would be a third one, beside those of libxml2. */
static bool is_huge(const xmlNode *value)
{
	size_t len = 0;

	for (const xmlNode *n = value->children; n; n = n->next)
		len += n->type == XML_TEXT_NODE ? strlen((const char *)n->content) : 0;
	return len > HUGE_TEXT;
}

/*
 * libxml2 reads numbers of up to 24 digits; XSD 1.0 lets a type say how many there may be. The
 * rest of the message is validated by libxml2 all the same. Return: is all said?
 */
static bool judge_number(struct validation *c, const xmlError *e)
{
	bool is_unreadable = e->message && strstr(e->message, FMPI_UNREADABLE);
	xmlNode *node = find_node(e);
	char why[160];

	if (!node || !fmpi_schema_is_of_value(e->code) || is_huge(node))
		return false;
	switch (fmpi_schema_number(c->set, c->payload, node, node == c->short_of, &c->way, why,
				   sizeof(why))) {
	case FMPI_NUMBER_GOOD:
		if (node == c->short_of) {
			/* libxml2 would complain of it in sentences that hold all of it. */
			fmpi_refuse(c->v, FMP_STEP_SCHEMA, FMP_EVENT_STRUCTURE, fmpi_line(node),
				    "a number of more than %u digits", HUGE_TEXT);
			end_behind(c, node);
			return true;
		}
		c->has_waived = true;
		if (fmpi_schema_is_key(c->set, node))
			leave_unjudged(c, node);
		return true;
	case FMPI_NUMBER_BAD:
		if (!is_unreadable && strncmp(why, "is no ", strlen("is no ")) == 0)
			return false;
		fmpi_refuse(c->v, FMP_STEP_SCHEMA, FMP_EVENT_SCHEMA, fmpi_line(node),
			    "%s '%s': the value %s",
			    node->type == XML_ATTRIBUTE_NODE ? "Attribute" : "Element", node->name,
			    why);
		end_behind(c, node);
		return true;
	default:
		if (is_unreadable)
			leave_unjudged(c, node);
		return is_unreadable;
	}
}

static void on_error(void *ctx, xmlErrorPtr e)
{
	struct validation *c = ctx;
	unsigned line;

	if (c->v->kind != FMP_EVENT_GOOD || !is_sure(c, e) || judge_number(c, e))
		return;
	/* It knows of no value that it could not read. */
	if (c->unjudged && e->code == XML_SCHEMAV_CVC_IDC)
		return;
	line = e->node ? fmpi_line(e->node) : e->line > 0 ? (unsigned)e->line : 0;
	fmpi_refuse(c->v, FMP_STEP_SCHEMA, FMP_EVENT_SCHEMA, line, "%s",
		    e->message ? e->message : "not valid");
	if (e->node)
		end_behind(c, e->node);
}

static int validate(const struct fmpi_schema *schema, xmlSchemaPtr s, xmlNode *payload,
		    struct hints *hints, const xmlNode *short_of, struct fmp_inspection *v)
{
	struct validation c;
	xmlSchemaValidCtxtPtr ctxt = xmlSchemaNewValidCtxt(s);
	int ret;

	if (!ctxt)
		return FMP_ERR_NOMEM;
	/* Not cleared whole: the way is large, and seldom gone. */
	c.v = v;
	c.set = &schema->set;
	c.payload = payload;
	c.short_of = short_of;
	c.cut = NULL;
	c.unjudged = NULL;
	c.has_waived = false;
	c.unjudged_line = 0;
	c.way.n = 0;
	v->kind = FMP_EVENT_GOOD;
	xmlSchemaSetValidStructuredErrors(ctxt, on_error, &c);
	hide_hints(hints);
	ret = xmlSchemaValidateOneElement(ctxt, payload);
	xmlSchemaFreeValidCtxt(ctxt);
	/* Before what was cut off is freed: a hint may stand there. */
	restore_hints(hints);
	fmpi_quick_free_nodes(c.cut);
	if (v->kind != FMP_EVENT_GOOD)
		return FMPI_REFUSED;
	if (c.unjudged && !short_of)
		return fmpi_refuse(v, FMP_STEP_SCHEMA, FMP_EVENT_GOOD, c.unjudged_line,
				   "a key of more digits than can be compared here");
	if (ret == 0 || short_of || (ret > 0 && c.has_waived))
		return 0;
	return fmpi_refuse(v, FMP_STEP_SCHEMA, FMP_EVENT_SCHEMA, fmpi_line(payload),
			   "not valid against the schema");
}

/*
 * So many bytes that are right if all are: no character, no reference of a URI, no group of
 * base64 or hexBinary is broken. 0: they are all blank.
 */
static size_t beginning_of(const char *text)
{
	size_t n = FMPI_LONG_TEXT, solid = 0;

	for (size_t i = 0; i < n; i++)
		solid += !strchr(" \t\r\n", text[i]);
	while (n > 2 && (solid % 4 || ((uint8_t)text[n] & 0xc0) == 0x80 || text[n - 1] == '%' ||
			 text[n - 2] == '%'))
		solid -= !strchr(" \t\r\n", text[--n]);
	return n > 2 && solid ? n : 0;
}

/* libxml2 says what is wrong in a sentence that holds the whole text, and keeps two of it. */
static int validate_beginning(const struct fmpi_schema *schema, xmlNode *payload,
			      struct hints *hints, xmlNode *text, struct fmp_inspection *v)
{
	char *p = (char *)text->content, next;
	size_t n = beginning_of(p);
	int ret;

	if (!n)
		return 0;
	next = p[n];
	p[n] = '\0';
	ret = validate(schema, fmpi_schema_compiled(schema, true), payload, hints, text->parent, v);
	/* What was refused may be gone already. */
	if (!ret)
		p[n] = next;
	return ret;
}

xmlSchemaPtr fmpi_schema_compiled(const struct fmpi_schema *s, bool is_long)
{
	return is_long && s->lean ? s->lean : s->compiled;
}

static int check(struct fmpi_schema *s, xmlNode *payload, struct hints *hints,
		 const struct longest *longest, struct fmp_inspection *v)
{
	int ret = 0;

	if (longest->parted)
		return fmpi_refuse(v, FMP_STEP_SCHEMA, FMP_EVENT_STRUCTURE,
				   fmpi_line(longest->parted),
				   "a long text that comments part too often");
	if (longest->len > HUGE_TEXT)
		ret = validate_beginning(s, payload, hints, longest->text, v);
	if (!ret && longest->of > FMPI_LONG_TEXT && s->lean)
		ret = validate(s, s->lean, payload, hints, NULL, v);
	return ret ? ret : validate(s, s->compiled, payload, hints, NULL, v);
}

int fmpi_schema_check(struct fmpi_schema *s, xmlNode *payload, struct fmp_inspection *v)
{
	struct longest longest = { 0 };
	struct hints hints = { 0 };
	int ret = look_through(payload, &longest, &hints);

	if (!ret)
		ret = check(s, payload, &hints, &longest, v);
	free(hints.list);
	return ret;
}
