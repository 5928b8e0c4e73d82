// SPDX-License-Identifier: GPL-2.0
/* Validates a payload with libxml2, and corrects errors that libxml2 reports wrongly. */
#include "schema.h"

#include <libxml/xmlschemas.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <fmp/internal/xml_error_arg.h>

#include "xml/names.h"
#include "decimal.h"
#include "plain_base64.h"
#include "schema_hints.h"
#include "schema_number.h"
#include "schema_private.h"
#include "schema_stand_in.h"

/*
 * Bytes of a text from which on libxml2's copies of it matter. At most one text of a message is so
 * long.
 */
#define HUGE_TEXT	       (128u << 10)
/*
 * Limit on pieces of one text times its bytes: libxml2 measures the text read so far again at each
 * piece.
 */
#define MAX_PIECES_TIMES_BYTES (16u << 20)

struct text_stats {
	size_t longest_value; /* bytes of the longest element content or attribute value */
	xmlNode *text; /* the longest text node ... */
	size_t len; /* ... and its length */
	const xmlNode *fragmented; /* a text node of a value that is in too many pieces; NULL: none */
	struct fmpi_recheck recheck;
	bool needs_recheck; /* libxml2 may wrongly accept some value */
};

static void keep_longest(xmlNode *text, size_t len, struct text_stats *out)
{
	if (len > out->len) {
		out->text = text;
		out->len = len;
	}
}

/* A value with several text nodes, or with elements between them. */
static void measure_pieces(xmlNode *n, struct text_stats *out)
{
	size_t sum = 0, pieces = 0;

	for (; n; n = n->next) {
		size_t len = n->type == XML_TEXT_NODE ? strlen((const char *)n->content) : 0;

		sum += len;
		pieces += len != 0;
		if (len)
			fmpi_recheck_feed(&out->recheck, (const char *)n->content, len);
		if (pieces > 1 && sum > MAX_PIECES_TIMES_BYTES / pieces)
			out->fragmented = n;
		keep_longest(n, len, out);
	}
	if (sum > out->longest_value)
		out->longest_value = sum;
	out->needs_recheck = fmpi_recheck_end(&out->recheck) || out->needs_recheck;
}

static void measure_value(xmlNode *n, struct text_stats *out)
{
	size_t len;

	if (!n && !out->recheck.strict->has_lists)
		return;
	if (!n || n->next || n->type != XML_TEXT_NODE ||
	    !fmpi_recheck_is_needless(out->recheck.strict, (const char *)n->content)) {
		measure_pieces(n, out);
		return;
	}
	len = strlen((const char *)n->content);
	keep_longest(n, len, out);
	if (len > out->longest_value)
		out->longest_value = len;
}

/* Base64 that libxml2 only reads with what it skips must be checked again. */
static void measure_base64(const xmlNode *value, struct text_stats *out)
{
	out->needs_recheck = out->needs_recheck ||
			     (out->recheck.strict->base64 &&
			      fmpi_strict_is_stray_value(out->recheck.strict, value));
}

static bool is_blank(char ch)
{
	return ch == ' ' || ch == '\t' || ch == '\r' || ch == '\n';
}

/* Does the value start or end with white space? */
static bool is_padded(const xmlNode *value)
{
	const char *first = NULL, *last = NULL;

	for (const xmlNode *n = value->children; n; n = n->next) {
		if (n->type != XML_TEXT_NODE || !*n->content)
			continue;
		first = first ? first : (const char *)n->content;
		last = (const char *)n->content;
	}
	return first && (is_blank(*first) || is_blank(last[strlen(last) - 1]));
}

/* Changes to the tree while libxml2 validates it. */
struct tree_changes {
	struct fmpi_hints hints;
	struct fmpi_stand_ins names;
	struct fmpi_plain_base64 base64;
};

/* Is it an xsi:type with white space around it? libxml2 does not collapse this QName. */
static bool is_padded_name(const xmlAttr *a)
{
	return a->ns && strcmp((const char *)a->name, "type") == 0 &&
	       strcmp((const char *)a->ns->href, NS_XSI) == 0 && is_padded((const xmlNode *)a);
}

/* Measure all values; collect what is to be hidden or replaced. Return: 0, FMP_ERR_NOMEM. */
static int scan_payload(xmlNode *payload, struct text_stats *out, struct tree_changes *m)
{
	const struct fmpi_strict *strict = out->recheck.strict;
	int ret = 0;

	for (xmlNode *n = payload; n && !ret; n = fmpi_walk_next(payload, n)) {
		bool may_be_base64 = fmpi_strict_is_base64(strict, n->name);

		ret = may_be_base64 ? fmpi_plain_base64_hide(&m->base64, strict->plain_base64, n)
				    : 0;
		if (!ret) {
			measure_value(n->children, out);
			if (may_be_base64)
				measure_base64(n, out);
		}
		ret = ret < 0 ? ret : 0;
		for (xmlAttr *a = n->properties; a && !ret; a = a->next) {
			measure_value(a->children, out);
			measure_base64((const xmlNode *)a, out);
			ret = fmpi_hints_is(a) ? fmpi_hints_add(&m->hints, a)
			      : is_padded_name(a)
				      ? fmpi_stand_in_add(&m->names, (xmlNode *)a, false)
				      : 0;
		}
	}
	return ret;
}

struct validation {
	struct fmp_inspection *v;
	const struct fmpi_schema_set *set;
	const xmlNode *unchecked; /* a value that can't be checked; NULL: there is none */
	xmlNode *payload;
	xmlNode *cut; /* nodes cut off, to be freed */
	const xmlNode *truncated; /* node whose text is cut; NULL: none */
	bool has_waived; /* an error of libxml2 was waived */
	bool is_second; /* second pass, with the stand-ins in the tree */
	bool no_memory;
	unsigned unchecked_line;
	const char *unchecked_why;
	struct fmpi_stand_ins stand_ins; /* for values that libxml2 can't read */
	struct fmpi_type_path path;
};

/* Cut the node and all siblings behind it out of the tree. */
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

/*
 * Cut off everything behind the first error: libxml2 would validate all that follows and write a
 * message for each error.
 */
static void truncate_behind(struct validation *c, xmlNode *node)
{
	if (node->type == XML_ATTRIBUTE_NODE)
		node = node->parent;
	if (node->type == XML_ELEMENT_NODE)
		cut_off(c, node->children);
	for (; node != c->payload && node->parent; node = node->parent)
		cut_off(c, node->next);
}

/*
 * Is an error certain although the node's text is cut? About the text itself only errors of lexical
 * form and of enumerations are; errors elsewhere are certain unless they are about keys.
 */
static bool is_certain(const struct validation *c, const xmlError *e)
{
	const xmlNode *of = c->truncated;

	if (!of)
		return true;
	if (e->node == of || (of->type == XML_ATTRIBUTE_NODE && e->node == of->parent))
		return e->code == XML_SCHEMAV_CVC_DATATYPE_VALID_1_2_1 ||
		       e->code == XML_SCHEMAV_CVC_ENUMERATION_VALID;
	return e->code != XML_SCHEMAV_CVC_IDC;
}

bool fmpi_schema_is_value_error(int code)
{
	return (code >= XML_SCHEMAV_CVC_DATATYPE_VALID_1_2_1 &&
		code <= XML_SCHEMAV_CVC_DATATYPE_VALID_1_2_3) ||
	       (code >= XML_SCHEMAV_CVC_FACET_VALID && code <= XML_SCHEMAV_CVC_ENUMERATION_VALID);
}

bool fmpi_schema_is_fixed_error(int code)
{
	return code == XML_SCHEMAV_CVC_ELT_5_2_2_2_1 || code == XML_SCHEMAV_CVC_ELT_5_2_2_2_2 ||
	       code == XML_SCHEMAV_CVC_AU;
}

static void leave_unchecked(struct validation *c, const xmlNode *node, const char *why)
{
	c->unchecked = node;
	c->unchecked_line = fmpi_line(node);
	c->unchecked_why = why;
}

static void add_stand_in(struct validation *c, xmlNode *node, bool is_number)
{
	if (!c->truncated && fmpi_stand_in_add(&c->stand_ins, node, is_number))
		c->no_memory = true;
}

/* Skip "{namespace}name" as libxml2 writes it. Return: NULL: another name. */
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

/*
 * Find the node that an error is about. For an attribute libxml2 passes its element, and names the
 * attribute in the message. Return: NULL: unknown.
 */
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

/* Is the value too long to copy? libxml2 holds two copies already. */
static bool is_huge(const xmlNode *value)
{
	size_t len = 0;

	for (const xmlNode *n = value->children; n; n = n->next)
		len += n->type == XML_TEXT_NODE ? strlen((const char *)n->content) : 0;
	return len > HUGE_TEXT;
}

enum error_class {
	ERROR_OTHER, /* the error is about something else */
	ERROR_REAL, /* libxml2 is right */
	ERROR_HANDLED, /* reported or waived */
};

static void refuse_long_number(struct validation *c)
{
	fmpi_refuse(c->v, FMP_STEP_SCHEMA, FMP_EVENT_STRUCTURE, fmpi_line(c->truncated),
		    "a number of more than %u digits", HUGE_TEXT);
}

/* Has a number in the value more digits than older versions of libxml2 read? Leading zeros are none. */
static bool has_many_digits(const xmlNode *value)
{
	size_t digits = 0;
	bool begun = false;

	for (const xmlNode *n = value->children; n; n = n->next)
		for (const xmlChar *p = n->type == XML_TEXT_NODE ? n->content : NULL; p && *p;
		     p++) {
			if (is_blank((char)*p)) {
				begun = false;
				digits = 0;
			}
			begun = begun || *p == '.' || (*p >= '1' && *p <= '9');
			digits += begun && *p >= '0' && *p <= '9';
			if (digits > FMPI_DECIMAL_MAX_DIGITS)
				return true;
		}
	return false;
}

/*
 * Versions of libxml2 from 2.14 on read numbers of any length: no error asks whether the truncated
 * text is one.
 */
static void check_truncated(struct validation *c)
{
	char why[160];

	if (c->truncated && c->v->kind == FMP_EVENT_GOOD && !c->no_memory &&
	    has_many_digits(c->truncated) &&
	    fmpi_schema_number(c->set, c->payload, c->truncated, true, &c->path, why,
			       sizeof(why)) == FMPI_DECIMAL_GOOD)
		refuse_long_number(c);
}

/*
 * Decide about an error of libxml2 on a number: older versions read at most 24 digits, while XSD
 * 1.0 lets a type allow more. libxml2 still validates the rest of the message.
 */
static enum error_class check_number_error(struct validation *c, const xmlError *e)
{
	bool is_unreadable = e->message && strstr(e->message, FMPI_UNREADABLE);
	xmlNode *node = find_node(e);
	enum fmpi_decimal_verdict verdict;
	char why[160];

	if (!node || is_huge(node) ||
	    !(fmpi_schema_is_value_error(e->code) || fmpi_schema_is_fixed_error(e->code)))
		return ERROR_OTHER;
	verdict = fmpi_schema_number(c->set, c->payload, node, node == c->truncated, &c->path, why,
				     sizeof(why));
	/*
	 * A stand-in need not satisfy the facets that its number, checked in the first pass,
	 * satisfies.
	 */
	if (c->is_second && verdict != FMPI_DECIMAL_OTHER)
		verdict = FMPI_DECIMAL_GOOD;
	switch (verdict) {
	case FMPI_DECIMAL_GOOD:
		if (node == c->truncated) {
			/* libxml2's messages would contain the whole number. */
			refuse_long_number(c);
			truncate_behind(c, node);
			return ERROR_HANDLED;
		}
		c->has_waived = true;
		if (!fmpi_schema_is_key(c->set, node))
			return ERROR_HANDLED;
		if (c->is_second)
			leave_unchecked(c, node, "a key of more digits than can be compared here");
		else
			add_stand_in(c, node, true);
		return ERROR_HANDLED;
	case FMPI_DECIMAL_BAD:
		if (!is_unreadable && strncmp(why, "is no ", strlen("is no ")) == 0)
			return ERROR_REAL;
		fmpi_refuse(c->v, FMP_STEP_SCHEMA, FMP_EVENT_SCHEMA, fmpi_line(node),
			    "%s '%s': the value %s",
			    node->type == XML_ATTRIBUTE_NODE ? "Attribute" : "Element", node->name,
			    why);
		truncate_behind(c, node);
		return ERROR_HANDLED;
	default:
		if (is_unreadable)
			leave_unchecked(c, node,
					"a number of more digits than can be compared here");
		return is_unreadable ? ERROR_HANDLED : ERROR_OTHER;
	}
}

static bool is_range_error(int code)
{
	return code == XML_SCHEMAV_CVC_MININCLUSIVE_VALID ||
	       code == XML_SCHEMAV_CVC_MAXINCLUSIVE_VALID ||
	       code == XML_SCHEMAV_CVC_MINEXCLUSIVE_VALID ||
	       code == XML_SCHEMAV_CVC_MAXEXCLUSIVE_VALID;
}

/* fmpi_strict_waive() for a node. @fixed: the value required by its declaration; NULL: any */
static const char *waive_error(const struct validation *c, const xmlError *e, const xmlNode *node,
			       struct fmpi_type t, const char *fixed)
{
	bool is_attribute = node->type == XML_ATTRIBUTE_NODE;
	xmlChar *copy = is_attribute ? NULL : xmlNodeGetContent(node);
	const char *why = NULL, *text = is_attribute ? fmpi_attribute_value((const xmlAttr *)node)
						     : (const char *)copy;

	if (text && fmpi_schema_is_fixed_error(e->code))
		why = fixed && fmpi_strict_is_same(c->set, t, fixed, text) ? "" : NULL;
	else if (text)
		why = fmpi_strict_waive(c->set, t, is_range_error(e->code), text);
	xmlFree(copy);
	return why;
}

/*
 * Decide about an error of libxml2 on another value. For times and some other types libxml2 does
 * not collapse white space, or collapses it only in front, unless a facet demands it.
 */
static enum error_class check_other_error(struct validation *c, const xmlError *e)
{
	xmlNode *node = find_node(e);
	const char *fixed, *why;
	struct fmpi_type t;

	if (!node || node == c->truncated || is_huge(node) ||
	    (e->code != XML_SCHEMAV_CVC_DATATYPE_VALID_1_2_1 && !is_range_error(e->code) &&
	     !fmpi_schema_is_fixed_error(e->code)))
		return ERROR_REAL;
	t = fmpi_type_of_value(c->set, c->payload, node, &c->path, &fixed);
	why = waive_error(c, e, node, t, fixed);
	if (why && !*why && fmpi_schema_is_key(c->set, node))
		why = "a value as a key that can't be compared here";
	if (!why && !is_range_error(e->code) &&
	    (fmpi_schema_is_fixed_error(e->code) ? !c->is_second : is_padded(node))) {
		if (fmpi_type_is_unknown(&t))
			why = "a value whose type is not known here";
		else if (fmpi_type_collapses(c->set, t))
			why = "";
		if (why && !*why)
			add_stand_in(c, node, false);
	}
	if (!why)
		return ERROR_REAL;
	if (*why)
		leave_unchecked(c, node, why);
	c->has_waived = true;
	return ERROR_HANDLED;
}

/*
 * A key with a value that libxml2 could not read counts as missing, which causes errors of its own.
 */
static bool depends_on_unread_key(const struct validation *c, const xmlError *e)
{
	return e->code == XML_SCHEMAV_CVC_IDC &&
	       (c->unchecked || (!c->is_second && c->stand_ins.n));
}

/*
 * Refuse without the values of the key, which may be stand-ins: "Duplicate key-sequence ['5', 'a']
 * in ...".
 */
static void refuse_key(struct validation *c, const xmlError *e, unsigned line)
{
	const char *begin = strstr(e->message, " ['"), *end = begin ? strstr(begin, "'] ") : NULL;

	for (const char *more = end; more; more = strstr(more + 1, "'] "))
		end = more;
	if (end)
		fmpi_refuse(c->v, FMP_STEP_SCHEMA, FMP_EVENT_SCHEMA, line, "%.*s%s",
			    (int)(begin - e->message), e->message, end + 2);
	else
		fmpi_refuse(c->v, FMP_STEP_SCHEMA, FMP_EVENT_SCHEMA, line, "%s", e->message);
}

static void on_error(void *ctx, fmpi_xml_error_arg e)
{
	struct validation *c = ctx;
	enum error_class class;
	unsigned line;

	if (c->v->kind != FMP_EVENT_GOOD || !is_certain(c, e) || depends_on_unread_key(c, e))
		return;
	class = check_number_error(c, e);
	if (class == ERROR_OTHER)
		class = check_other_error(c, e);
	if (class == ERROR_HANDLED)
		return;
	line = e->node ? fmpi_line(e->node) : e->line > 0 ? (unsigned)e->line : 0;
	if (c->is_second && e->code == XML_SCHEMAV_CVC_IDC && e->message)
		refuse_key(c, e, line);
	else
		fmpi_refuse(c->v, FMP_STEP_SCHEMA, FMP_EVENT_SCHEMA, line, "%s",
			    e->message ? e->message : "not valid");
	if (e->node)
		truncate_behind(c, e->node);
}

/* Return: the result of xmlSchemaValidateOneElement(). */
static int run_libxml2(struct validation *c, xmlSchemaPtr s)
{
	xmlSchemaValidCtxtPtr ctxt = xmlSchemaNewValidCtxt(s);
	int ret;

	c->no_memory = c->no_memory || !ctxt;
	if (!ctxt)
		return -1;
	xmlSchemaSetValidStructuredErrors(ctxt, on_error, c);
	ret = xmlSchemaValidateOneElement(ctxt, c->payload);
	xmlSchemaFreeValidCtxt(ctxt);
	return ret;
}

/* One second pass for all stand-ins: there may be many. */
static int run_with_stand_ins(struct validation *c, xmlSchemaPtr s)
{
	c->no_memory = fmpi_stand_in_put(&c->stand_ins) != 0;
	c->is_second = true;
	c->unchecked = NULL;
	return c->no_memory ? -1 : run_libxml2(c, s);
}

static int validate_tree(const struct fmpi_schema *schema, xmlSchemaPtr s, xmlNode *payload,
			 struct tree_changes *m, const xmlNode *truncated, struct fmp_inspection *v)
{
	struct validation c;
	int ret;

	/* Not zeroed as a whole: the path is large and seldom used. */
	memset(&c, 0, offsetof(struct validation, path));
	c.v = v;
	c.set = &schema->set;
	c.payload = payload;
	c.truncated = truncated;
	c.path.n = 0;
	v->kind = FMP_EVENT_GOOD;
	if (fmpi_stand_in_put(&m->names))
		return FMP_ERR_NOMEM;
	fmpi_hints_hide(&m->hints);
	ret = run_libxml2(&c, s);
	check_truncated(&c);
	if (!c.no_memory && v->kind == FMP_EVENT_GOOD && c.stand_ins.n)
		ret = run_with_stand_ins(&c, s);
	/* Restore before the nodes cut off are freed: restored texts may be among them. */
	fmpi_stand_in_clear(&c.stand_ins);
	fmpi_hints_restore(&m->hints);
	fmpi_stand_in_restore(&m->names);
	if (c.cut)
		fmpi_plain_base64_show(&m->base64);
	fmpi_fast_free_nodes(c.cut);
	if (c.no_memory)
		return FMP_ERR_NOMEM;
	if (v->kind != FMP_EVENT_GOOD)
		return FMPI_REFUSED;
	if (c.unchecked && !truncated)
		return fmpi_refuse(v, FMP_STEP_SCHEMA, FMP_EVENT_GOOD, c.unchecked_line, "%s",
				   c.unchecked_why);
	if (ret == 0 || truncated || (ret > 0 && c.has_waived))
		return 0;
	return fmpi_refuse(v, FMP_STEP_SCHEMA, FMP_EVENT_SCHEMA, fmpi_line(payload),
			   "not valid against the schema");
}

/*
 * Length of a prefix that is valid if the whole text is: it splits no character, no percent escape,
 * no group of base64 or hexBinary. Return: 0: the prefix is blank.
 */
static size_t safe_prefix_length(const char *text)
{
	size_t n = FMPI_LONG_TEXT, solid = 0;

	for (size_t i = 0; i < n; i++)
		solid += !strchr(" \t\r\n", text[i]);
	while (n > 2 && (solid % 4 || ((uint8_t)text[n] & 0xc0) == 0x80 || text[n - 1] == '%' ||
			 text[n - 2] == '%'))
		solid -= !strchr(" \t\r\n", text[--n]);
	return n > 2 && solid ? n : 0;
}

/*
 * Validate with the beginning of the longest text only: libxml2's error message would contain the
 * whole text, in two copies.
 */
static int validate_beginning(const struct fmpi_schema *schema, xmlNode *payload,
			      struct tree_changes *m, xmlNode *text, struct fmp_inspection *v)
{
	char *p = (char *)text->content, next;
	size_t n = safe_prefix_length(p);
	int ret;

	if (!n)
		return 0;
	next = p[n];
	p[n] = '\0';
	ret = validate_tree(schema, fmpi_schema_compiled(schema, true), payload, m, text->parent,
			    v);
	/* After a refusal the text may have been cut off. */
	if (!ret)
		p[n] = next;
	return ret;
}

xmlSchemaPtr fmpi_schema_compiled(const struct fmpi_schema *s, bool is_long)
{
	return is_long && s->no_patterns ? s->no_patterns : s->compiled;
}

static int check_passes(struct fmpi_schema *s, xmlNode *payload, struct tree_changes *m,
			const struct text_stats *stats, struct fmp_inspection *v)
{
	int ret = 0;

	if (stats->fragmented)
		return fmpi_refuse(v, FMP_STEP_SCHEMA, FMP_EVENT_STRUCTURE,
				   fmpi_line(stats->fragmented),
				   "a long text split by too many comments");
	if (stats->len > HUGE_TEXT)
		ret = validate_beginning(s, payload, m, stats->text, v);
	if (!ret && stats->longest_value > FMPI_LONG_TEXT && s->no_patterns)
		ret = validate_tree(s, s->no_patterns, payload, m, NULL, v);
	if (!ret)
		ret = validate_tree(s, s->compiled, payload, m, NULL, v);
	if (!ret && (stats->needs_recheck || s->strict.ids))
		ret = fmpi_strict_check(&s->set, &s->strict, payload, v);
	return ret;
}

bool fmpi_schema_may_be_base64(const struct fmpi_schema *s, const xmlNode *payload,
			       const xmlNode *element)
{
	struct fmpi_type_path path = { .n = 0 };
	const char *fixed, *root;
	struct fmpi_type t = fmpi_type_of_value(&s->set, payload, element, &path, &fixed);

	if (fmpi_type_is_unknown(&t) || (!t.node && !t.builtin))
		return true;
	root = fmpi_type_root(&s->set, t);
	return strcmp(root, "base64Binary") == 0 || strcmp(root, "anyType") == 0 ||
	       strcmp(root, "anySimpleType") == 0;
}

bool fmpi_schema_needs_base64(const struct fmpi_schema *s, const xmlNode *payload,
			      const xmlNode *element)
{
	struct fmpi_type_path path = { .n = 0 };
	const char *fixed = NULL;
	struct fmpi_type t = fmpi_type_of_value(&s->set, payload, element, &path, &fixed);

	if (fmpi_type_is_unknown(&t) || fixed || s->strict.has_keys)
		return true;
	return fmpi_type_has_facets(&s->set, t);
}

int fmpi_schema_check(struct fmpi_schema *s, xmlNode *payload, struct fmp_inspection *v)
{
	struct text_stats stats = { .recheck.strict = &s->strict };
	struct tree_changes m = { 0 };
	int ret = scan_payload(payload, &stats, &m);

	if (!ret)
		ret = check_passes(s, payload, &m, &stats, v);
	fmpi_plain_base64_show(&m.base64);
	fmpi_stand_in_clear(&m.names);
	free(m.hints.list);
	return ret;
}
