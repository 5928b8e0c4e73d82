// SPDX-License-Identifier: GPL-2.0
#include "inspect/schema.h"

#include <errno.h>
#include <libxml/schemasInternals.h>
#include <libxml/xmlschemas.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "inspect/loader.h"
#include "inspect/names.h"
#include "inspect/schema_number.h"
#include "inspect/schema_text.h"
#include "inspect/wsdl.h"

/* Bytes of one text: from here on libxml2's copies of it count. One of a message is so long. */
#define HUGE_TEXT (128u << 10)
/* Pieces of one text, times its bytes: libxml2 measures what it has of it anew at each. */
#define PARTED	  (16u << 20)

/*
 * libxml2 tries all patterns of a type on a text even if that is too long for the type. So
 * messages with long texts must be valid without any pattern first.
 */
struct fmpi_schema {
	xmlSchemaPtr compiled;
	xmlSchemaPtr lean; /* without patterns; NULL: has none, or no largest lengths */
	struct fmpi_wsdl *wsdl; /* NULL: an XSD */
	struct fmpi_schema_set set; /* what it was compiled of, for what libxml2 can't check */
	bool has_unreadable; /* of some types libxml2 takes no value at all */
	bool ids; /* some type in it is xs:ID */
	bool qnames; /* ... is xs:QName or xs:NOTATION */
};

struct load {
	struct fmp_error *err;
	const char *path;
	const struct fmpi_schema_set *set;
	const struct fmpi_schema_texts *texts;
	bool is_set;
};

/* What libxml2 says, without the names that only programmers know. */
static void put_sentence(const char *message, char *out, size_t size)
{
	static const char xsd[] = "{" NS_XSD "}";
	size_t n = 0;

	if (strncmp(message, "Internal error", strlen("Internal error")) == 0)
		message = "libxml2 can't compile this schema; leave out what is not needed of it, "
			  "or divide it";
	for (; *message && *message != '\n' && n + 4 < size; message++) {
		if (strncmp(message, xsd, sizeof(xsd) - 1) == 0) {
			memcpy(out + n, "xs:", 3);
			n += 3;
			message += sizeof(xsd) - 2;
		} else {
			out[n++] = *message;
		}
	}
	/* What to do may follow. */
	out[n - (n && out[n - 1] == '.')] = '\0';
}

static const char *hint_for(const struct load *l, const char *text)
{
	const char *at = strstr(text, "The QName value '{"), *end;
	char ns[256];

	if (!at || !strstr(text, "does not resolve"))
		return "";
	at += strlen("The QName value '{");
	end = strchr(at, '}');
	if (!end || end - at >= (ptrdiff_t)sizeof(ns))
		return "";
	snprintf(ns, sizeof(ns), "%.*s", (int)(end - at), at);
	return fmpi_schema_set_has(l->set, ns)
		       ? "; no document of that namespace that is imported here defines it"
		       : "; no document of that namespace is here: xs:import it with a schemaLocation";
}

static void on_load_error(void *ctx, xmlErrorPtr e)
{
	struct load *l = ctx;
	const struct fmpi_schema_doc *d = e->file ? fmpi_schema_set_by_url(l->set, e->file) : NULL;
	char text[400];

	/* An import that is not found is only a warning to libxml2, but a hole to us. */
	if (l->is_set ||
	    (e->level <= XML_ERR_WARNING && e->code != XML_SCHEMAP_WARN_UNLOCATED_SCHEMA))
		return;
	l->is_set = true;
	put_sentence(e->message ? e->message : "invalid schema", text, sizeof(text));
	fmp_error_at(l->err, FMP_ERR_SCHEMA, d ? d->file : l->path,
		     d && e->line > 0 ? (unsigned)e->line : 0, 0, "%s%s", text, hint_for(l, text));
}

/* Who may write one file of a schema need not name all others that we can read. */
static char *folder_of(const char *real)
{
	char *folder = strdup(real), *slash = folder ? strrchr(folder, '/') : NULL;

	if (slash)
		slash[slash == folder] = '\0';
	return folder;
}

static xmlSchemaPtr compile(struct load *l)
{
	xmlSchemaParserCtxtPtr ctxt =
		xmlSchemaNewMemParserCtxt(l->texts->whole, l->texts->whole_len);
	xmlSchemaPtr out;

	if (!ctxt)
		return NULL;
	xmlSchemaSetParserStructuredErrors(ctxt, on_load_error, l);
	fmpi_loader_serve(l->texts->part, l->texts->n);
	out = xmlSchemaParse(ctxt);
	fmpi_loader_serve(NULL, 0);
	xmlSchemaFreeParserCtxt(ctxt);
	return out;
}

static xmlSchemaPtr compile_lean(struct load *l, struct fmpi_schema *s)
{
	struct fmpi_loader_lean lean = { 0 };
	xmlSchemaPtr out;

	fmpi_loader_lean(&lean);
	out = compile(l);
	fmpi_loader_lean(NULL);
	s->ids = lean.ids;
	s->qnames = lean.qnames;
	if (lean.patterns && lean.lengths)
		return out;
	xmlSchemaFree(out);
	return NULL;
}

/* @ns: as for fmpi_schema_texts_make(). */
static int compile_both(struct load *l, const struct fmpi_schema_set *set, const char *ns,
			struct fmpi_schema *s)
{
	struct fmpi_schema_texts texts;

	if (fmpi_schema_texts_make(set, ns, &texts))
		return fmp_error_set(l->err, FMP_ERR_NOMEM, "no memory for the schema %s", l->path);
	l->set = set;
	l->texts = &texts;
	s->has_unreadable = texts.has_unreadable;
	s->compiled = compile(l);
	if (s->compiled && !l->is_set)
		s->lean = compile_lean(l, s);
	fmpi_schema_texts_clear(&texts);
	if (s->compiled && !l->is_set)
		return 0;
	if (!l->is_set)
		fmp_error_at(l->err, FMP_ERR_SCHEMA, l->path, 0, 0,
			     "libxml2 can't compile this schema");
	return FMP_ERR_SCHEMA;
}

static int load_wsdl(struct load *l, const char *folder, const char *port, struct fmpi_schema *s)
{
	int ret;

	fmpi_loader_confine(folder);
	ret = fmpi_wsdl_read(l->path, folder, port, &s->wsdl, l->err);
	fmpi_loader_confine(NULL);
	if (ret)
		return ret;
	s->set = s->wsdl->types;
	s->wsdl->types = (struct fmpi_schema_set){ 0 };
	fmpi_wsdl_close(s->wsdl);
	return compile_both(l, &s->set, NULL, s);
}

static int load_xsd(struct load *l, xmlDoc *doc, const char *real, const char *folder,
		    struct fmpi_schema *s)
{
	const char *ns = fmpi_attribute(xmlDocGetRootElement(doc), NULL, "targetNamespace");
	int ret;

	s->set.folder = folder;
	ret = fmpi_schema_set_add(&s->set, doc, real, l->err);
	fmpi_loader_confine(folder);
	if (!ret)
		ret = fmpi_schema_set_complete(&s->set, l->err);
	fmpi_loader_confine(NULL);
	return ret ? ret : compile_both(l, &s->set, ns ? ns : "", s);
}

static int fail_kind(const struct load *l, const xmlNode *root)
{
	const char *ns = root->ns ? (const char *)root->ns->href : "";

	return fmp_error_at(l->err, FMP_ERR_SCHEMA, l->path, fmpi_line(root), 0,
			    "its root element is %.60s of namespace \"%.100s\": %s",
			    (const char *)root->name, ns,
			    strcmp(ns, NS_WSDL20) == 0
				    ? "WSDL 2.0 is not read, give a WSDL 1.1 or an XML Schema"
				    : "give an XML Schema (xs:schema) or a WSDL 1.1 (definitions)");
}

static int load(struct load *l, const char *port, struct fmpi_schema *s)
{
	char *real = realpath(l->path, NULL), *folder = real ? folder_of(real) : NULL;
	const xmlNode *root;
	xmlDoc *doc;
	int ret;

	if (!real)
		return fmp_error_sys(l->err, FMP_ERR_IO, errno, "cannot read the schema %s",
				     l->path);
	fmpi_loader_confine(folder);
	ret = folder ? fmpi_schema_read(real, "schema", &doc, l->err)
		     : fmp_error_set(l->err, FMP_ERR_NOMEM, "no memory for the schema %s", l->path);
	fmpi_loader_confine(NULL);
	if (!ret) {
		root = xmlDocGetRootElement(doc);
		if (fmpi_is(root, NS_XSD, "schema")) {
			ret = load_xsd(l, doc, real, folder, s);
		} else {
			ret = fmpi_is(root, NS_WSDL, "definitions") ? 0 : fail_kind(l, root);
			xmlFreeDoc(doc);
			if (!ret)
				ret = load_wsdl(l, folder, port, s);
		}
	}
	s->set.folder = NULL;
	free(folder);
	free(real);
	return ret;
}

int fmpi_schema_load(const char *path, const char *port, struct fmpi_schema **out,
		     struct fmp_error *err)
{
	struct load l = { .err = err, .path = path };
	struct fmpi_schema *s;
	int ret;

	*out = NULL;
	if (access(path, R_OK) != 0)
		return fmp_error_sys(err, FMP_ERR_IO, errno, "cannot read the schema %s", path);
	s = calloc(1, sizeof(*s));
	ret = s ? load(&l, port, s)
		: fmp_error_set(err, FMP_ERR_NOMEM, "no memory for the schema %s", path);
	if (ret)
		fmpi_schema_free(s);
	else
		*out = s;
	return ret;
}

void fmpi_schema_free(struct fmpi_schema *s)
{
	if (!s)
		return;
	xmlSchemaFree(s->compiled);
	xmlSchemaFree(s->lean);
	fmpi_wsdl_free(s->wsdl);
	fmpi_schema_number_clear(&s->set);
	fmpi_schema_set_clear(&s->set);
	free(s);
}

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

/*
 * libxml2 reads numbers of up to 24 digits; XSD 1.0 lets a type say how many there may be. The
 * rest of the message is validated by libxml2 all the same. Return: is all said?
 */
static bool judge_number(struct validation *c, const xmlError *e)
{
	bool is_unreadable = e->message && strstr(e->message, FMPI_UNREADABLE);
	xmlNode *node = find_node(e);
	char why[160];

	if (!node || !fmpi_schema_is_of_value(e->code))
		return false;
	switch (fmpi_schema_number(c->set, c->payload, node, node == c->short_of, &c->way, why,
				   sizeof(why))) {
	case FMPI_NUMBER_GOOD:
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
	struct validation c = {
		.v = v, .set = &schema->set, .payload = payload, .short_of = short_of
	};
	xmlSchemaValidCtxtPtr ctxt = xmlSchemaNewValidCtxt(s);
	int ret;

	if (!ctxt)
		return FMP_ERR_NOMEM;
	/* The way is large, and seldom gone. */
	c.v = v;
	c.set = &schema->set;
	c.payload = payload;
	c.short_of = short_of;
	c.cut = NULL;
	c.unjudged = NULL;
	c.has_waived = false;
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

bool fmpi_schema_has_unreadable(const struct fmpi_schema *s)
{
	return s->has_unreadable;
}

bool fmpi_schema_has_ids(const struct fmpi_schema *s)
{
	return s->ids;
}

bool fmpi_schema_has_qnames(const struct fmpi_schema *s)
{
	return s->qnames;
}

bool fmpi_schema_declares(const struct fmpi_schema *s, const char *element)
{
	return xmlHashLookup(s->compiled->elemDecl, (const xmlChar *)element) != NULL;
}

const struct fmpi_wsdl *fmpi_schema_wsdl(const struct fmpi_schema *s)
{
	return s->wsdl;
}
