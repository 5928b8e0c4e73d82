// SPDX-License-Identifier: GPL-2.0
#include "streaming_validate.h"

#include <libxml/parserInternals.h>
#include <libxml/xmlschemas.h>
#include <stdlib.h>
#include <string.h>

#include <fmp/internal/xml_error_arg.h>

#include "xml/names.h"
#include "schema/schema_strict.h"
#include "xml/oom.h"

/* Bytes of a large tree; with the memory of libxml2's validator at most 2 MiB. */
#define LARGE_TREE (3u << 19)

/* Pointers per attribute and per namespace in SAX2 callbacks. */
enum {
	ATTRIBUTE = 5,
	NAMESPACE = 2
};

/* From this number of digits on, libxml2 may be wrong about a number. */
#define MANY_DIGITS    25
#define DIGITS_AT_ONCE 64u

struct stream {
	xmlParserCtxtPtr parser;
	xmlSchemaValidCtxtPtr schema; /* NULL: there is none */
	xmlSAXHandler *valid; /* the validator's handlers, called with valid_data */
	void *valid_data;
	bool fault_passes;
	unsigned depth, n_payloads;
	const xmlChar *soap; /* namespace of the Envelope; NULL: it is none */
	bool had_body, in_body, in_payload, seen; /* seen: there was a payload */
	size_t text; /* bytes since the last tag */
	size_t digits; /* since the last tag or in its attributes; a sign or white space counts as many */
	bool has_unreadable; /* libxml2 rejects all values of some types */
	struct fmpi_recheck recheck; /* scans the text since the last tag ... */
	bool needs_recheck; /* ... and the result for those before */
	bool in_base64; /* the text since the last tag may be of base64Binary */
	bool is_truncated; /* the validator got only the beginning of some text */
	bool stopped; /* after the first error, or when no more can be decided */
	bool no_memory;
	/* Namespaces of Envelope and Body, in scope of the payload; from the dictionary. */
	const xmlChar *scope[NAMESPACE * FMPI_MAX_NAMESPACES];
	unsigned n_scope;
	/* Elements whose start, but not yet whose end, was passed to the validator. */
	struct {
		const xmlChar *local, *prefix, *ns;
	} open[FMPI_MAX_DEPTH];
	unsigned n_open;
	struct fmp_inspection *v;
};

bool fmpi_streaming_pays(const struct fmpi_shape *shape, size_t len)
{
	return shape->nodes * sizeof(xmlNode) + len > LARGE_TREE;
}

static unsigned current_line(const struct stream *s)
{
	return s->parser->input && s->parser->input->line > 0 ? (unsigned)s->parser->input->line
							      : 0;
}

static void stop_parser(struct stream *s)
{
	s->stopped = true;
	xmlStopParser(s->parser);
}

static void refuse_message(struct stream *s, enum fmp_step step, enum fmp_event_kind kind,
			   const char *text)
{
	if (s->stopped)
		return;
	fmpi_refuse(s->v, step, kind, current_line(s), "%s", text);
	stop_parser(s);
}

static void on_parser_error(void *ctx, fmpi_xml_error_arg e)
{
	if (e->level > XML_ERR_WARNING)
		refuse_message(ctx, FMP_STEP_PARSE, FMP_EVENT_WELLFORMED,
			       e->message ? e->message : "not well-formed");
}

static void on_schema_error(void *ctx, fmpi_xml_error_arg e)
{
	struct stream *s = ctx;

	/*
	 * Stop without a verdict, and leave it to the check of the tree, if the text was cut, if
	 * libxml2 may be unable to read the number, or if the value may be the fixed one in another
	 * form.
	 */
	if (s->text > FMPI_LONG_TEXT || fmpi_schema_is_fixed_error(e->code) ||
	    ((s->digits >= MANY_DIGITS || s->has_unreadable) &&
	     fmpi_schema_is_value_error(e->code)) ||
	    (s->is_truncated && e->code == XML_SCHEMAV_CVC_IDC))
		stop_parser(s);
	else
		refuse_message(s, FMP_STEP_SCHEMA, FMP_EVENT_SCHEMA,
			       e->message ? e->message : "not valid");
}

/*
 * After a failed allocation the validator has lost track of open elements and must not be called.
 */
static bool is_stopped(const struct stream *s)
{
	return s->stopped || fmpi_oom_happened();
}

/* ---- position in the envelope ---- */

static bool is_named(const xmlChar *local, const xmlChar *ns, const char *want_ns, const char *want)
{
	return ns && strcmp((const char *)ns, want_ns) == 0 &&
	       strcmp((const char *)local, want) == 0;
}

static void enter_envelope(struct stream *s, const xmlChar *local, const xmlChar *ns)
{
	s->soap = NULL;
	if (is_named(local, ns, NS_SOAP11, "Envelope"))
		s->v->soap_version = 11;
	else if (is_named(local, ns, NS_SOAP12, "Envelope"))
		s->v->soap_version = 12;
	else
		return;
	s->soap = ns;
}

/* Insert inner namespaces first: a lookup takes the first one of a prefix. */
static void add_scope(struct stream *s, int n, const xmlChar **ns)
{
	size_t more = NAMESPACE * (size_t)n;

	memmove(s->scope + more, s->scope, s->n_scope * sizeof(*s->scope));
	if (n)
		memcpy(s->scope, ns, more * sizeof(*ns));
	s->n_scope += (unsigned)more;
}

static void enter_part(struct stream *s, const xmlChar *local, const xmlChar *ns)
{
	s->in_body = s->soap && !s->had_body && is_named(local, ns, (const char *)s->soap, "Body");
	s->had_body = s->had_body || s->in_body;
}

static void enter_payload(struct stream *s, const xmlChar *local, const xmlChar *ns)
{
	if (++s->n_payloads > 1)
		refuse_message(s, FMP_STEP_SOAP, FMP_EVENT_SOAP,
			       "more than one element inside the Body");
	s->seen = s->in_payload =
		s->schema &&
		(!s->fault_passes || !is_named(local, ns, (const char *)s->soap, "Fault"));
}

/*
 * Is it a schema location hint (XSD 1.0 part 1, 4.3.2)? libxml2 would follow it (schema_hints.h).
 */
static bool is_hint(const xmlChar **a)
{
	return is_named(a[0], a[2], NS_XSI, "schemaLocation") ||
	       is_named(a[0], a[2], NS_XSI, "noNamespaceSchemaLocation");
}

static bool has_hints(int n, const xmlChar **a)
{
	for (; n--; a += ATTRIBUTE)
		if (is_hint(a))
			return true;
	return false;
}

/*
 * Copy the other attributes, because the array belongs to the parser. Return: for free(); NULL: out
 * of memory.
 */
static const xmlChar **without_hints(int *n, const xmlChar **a)
{
	const xmlChar **out = calloc((size_t)*n, ATTRIBUTE * sizeof(*out)), **to = out;

	for (int i = out ? *n : 0; i--; a += ATTRIBUTE) {
		if (is_hint(a)) {
			--*n;
			continue;
		}
		memcpy(to, a, ATTRIBUTE * sizeof(*a));
		to += ATTRIBUTE;
	}
	return out;
}

/* ---- calls to the validator ---- */

static void open_element(struct stream *s, const xmlChar *local, const xmlChar *prefix,
			 const xmlChar *ns)
{
	s->open[s->n_open].local = local;
	s->open[s->n_open].prefix = prefix;
	s->open[s->n_open].ns = ns;
	s->n_open++;
}

/* What a character adds to the digits. */
static const unsigned char digit_weight[256] = {
	['-'] = MANY_DIGITS,  ['+'] = MANY_DIGITS,  [' '] = MANY_DIGITS, ['\t'] = MANY_DIGITS,
	['\r'] = MANY_DIGITS, ['\n'] = MANY_DIGITS, ['0' ... '9'] = 1,
};

/* Most texts have no digits, and some are long: no branch for each byte. */
static void count_digits(struct stream *s, const xmlChar *text, size_t len)
{
	for (size_t i = 0; i < len && s->digits < MANY_DIGITS;) {
		size_t end = len - i > DIGITS_AT_ONCE ? i + DIGITS_AT_ONCE : len;

		for (; i < end; i++)
			s->digits += digit_weight[text[i]];
	}
}

/* Scan values: if some need a recheck, the tree is checked again (schema_strict.h). */
static void feed_recheck(struct stream *s, const xmlChar *text, size_t len)
{
	if (s->recheck.strict)
		fmpi_recheck_feed(&s->recheck, (const char *)text, len);
}

static void end_recheck(struct stream *s)
{
	if (s->recheck.strict)
		s->needs_recheck = fmpi_recheck_end(&s->recheck) || s->needs_recheck;
}

/* IDs and references can only be checked all together. */
static void recheck_name(struct stream *s, const xmlChar *local)
{
	s->needs_recheck = s->needs_recheck ||
			   (s->recheck.strict && fmpi_strict_is_id(s->recheck.strict, local));
}

/* Base64 that libxml2 only reads with what it skips (schema_strict.h). */
static void recheck_base64(struct stream *s, const xmlChar *text, size_t len)
{
	s->needs_recheck = s->needs_recheck || fmpi_strict_has_strays((const char *)text, len);
}

static bool may_be_base64(const struct stream *s, const xmlChar *local)
{
	return s->recheck.strict && fmpi_strict_is_base64(s->recheck.strict, local);
}

/*
 * Is it an xsi:type with white space around it? libxml2 does not collapse it; the check of the tree
 * replaces it (schema.c).
 */
static bool is_padded_name(const xmlChar **a)
{
	return is_named(a[0], a[2], NS_XSI, "type") && a[4] > a[3] &&
	       (strchr(" \t\r\n", a[3][0]) || strchr(" \t\r\n", a[4][-1]));
}

static void pass_start_tag(struct stream *s, const xmlChar *local, const xmlChar *prefix,
			   const xmlChar *ns, int n_scope, const xmlChar **scope, int n,
			   int n_defaulted, const xmlChar **attributes)
{
	const xmlChar **others = NULL;

	if (has_hints(n, attributes)) {
		others = without_hints(&n, attributes);
		if (!others) {
			s->no_memory = true;
			stop_parser(s);
			return;
		}
		attributes = others;
	}
	open_element(s, local, prefix, ns);
	recheck_name(s, local);
	s->in_base64 = may_be_base64(s, local);
	for (int i = 0; i < n; i++) {
		const xmlChar *value = attributes[ATTRIBUTE * i + 3];
		size_t len = (size_t)(attributes[ATTRIBUTE * i + 4] - value);

		if (is_padded_name(attributes + ATTRIBUTE * i)) {
			stop_parser(s);
			free(others);
			s->n_open--;
			return;
		}
		count_digits(s, value, len);
		feed_recheck(s, value, len);
		end_recheck(s);
		recheck_name(s, attributes[ATTRIBUTE * i]);
		if (may_be_base64(s, attributes[ATTRIBUTE * i]))
			recheck_base64(s, value, len);
	}
	s->valid->startElementNs(s->valid_data, local, prefix, ns, n_scope, scope, n, n_defaulted,
				 attributes);
	free(others);
}

static void close_element(struct stream *s)
{
	s->n_open--;
	s->valid->endElementNs(s->valid_data, s->open[s->n_open].local, s->open[s->n_open].prefix,
			       s->open[s->n_open].ns);
}

/* ---- callbacks of the parser ---- */

static void on_start(void *ctx, const xmlChar *local, const xmlChar *prefix, const xmlChar *uri,
		     int n_ns, const xmlChar **ns, int n_attributes, int n_defaulted,
		     const xmlChar **attributes)
{
	struct stream *s = ctx;

	s->text = s->digits = 0;
	end_recheck(s);
	s->depth++;
	if (s->depth == 1)
		enter_envelope(s, local, uri);
	else if (s->depth == 2)
		enter_part(s, local, uri);
	else if (s->depth == 3 && s->in_body)
		enter_payload(s, local, uri);
	if (is_stopped(s))
		return;
	if (s->depth == 1 || (s->in_body && s->depth <= 3)) {
		add_scope(s, n_ns, ns);
		ns = s->scope;
		n_ns = (int)s->n_scope / NAMESPACE;
	}
	if (!s->in_payload)
		return;
	pass_start_tag(s, local, prefix, uri, n_ns, ns, n_attributes, n_defaulted, attributes);
}

static void on_end(void *ctx, const xmlChar *local, const xmlChar *prefix, const xmlChar *uri)
{
	struct stream *s = ctx;

	if (s->in_payload && !is_stopped(s))
		close_element(s);
	s->text = s->digits = 0;
	end_recheck(s);
	s->in_base64 = false;
	s->depth--;
	if (s->depth < 3)
		s->in_payload = false;
	if (s->depth < 2)
		s->in_body = false;
}

/* Pass only the beginning of a long text: libxml2's error message would contain all of it. */
static void on_text(void *ctx, const xmlChar *text, int len)
{
	struct stream *s = ctx;
	size_t room = s->text < FMPI_LONG_TEXT ? FMPI_LONG_TEXT - s->text : 0;

	s->text += (size_t)len;
	if (!s->in_payload || is_stopped(s))
		return;
	count_digits(s, text, (size_t)len);
	feed_recheck(s, text, (size_t)len);
	if (s->in_base64)
		recheck_base64(s, text, (size_t)len);
	if ((size_t)len > room) {
		s->is_truncated = true;
		len = (int)room;
	}
	s->valid->characters(s->valid_data, text, len);
}

static int get_location(void *ctx, const char **file, unsigned long *line)
{
	struct stream *s = ctx;

	*file = NULL;
	*line = current_line(s);
	return 0;
}

/* ---- running ---- */

static int parse_message(struct stream *s)
{
	static const xmlSAXHandler handlers = {
		.initialized = XML_SAX2_MAGIC,
		.startElementNs = on_start,
		.endElementNs = on_end,
		.characters = on_text,
		.ignorableWhitespace = on_text,
		.serror = on_parser_error,
	};

	*s->parser->sax = handlers;
	s->parser->userData = s;
	s->v->kind = FMP_EVENT_GOOD;
	xmlParseDocument(s->parser);
	/* Close the open elements, or libxml2 leaks what it keeps of them for keys. */
	while (s->n_open && !fmpi_oom_happened())
		close_element(s);
	if (s->no_memory || fmpi_oom_happened() || s->parser->errNo == XML_ERR_NO_MEMORY)
		return FMP_ERR_NOMEM;
	return s->v->kind == FMP_EVENT_GOOD ? 0 : FMPI_REFUSED;
}

static int run_validator(struct stream *s)
{
	xmlSchemaSAXPlugPtr plug;
	int ret;

	if (!s->schema)
		return parse_message(s);
	xmlSchemaSetValidStructuredErrors(s->schema, on_schema_error, s);
	xmlSchemaValidateSetLocator(s->schema, get_location, s);
	plug = xmlSchemaSAXPlug(s->schema, &s->valid, &s->valid_data);
	if (!plug)
		return FMP_ERR_NOMEM;
	ret = parse_message(s);
	xmlSchemaSAXUnplug(plug);
	return ret;
}

int fmpi_streaming_validate(const struct fmpi_schema *schema, bool fault_passes,
			    const uint8_t *bytes, size_t len, const struct fmpi_shape *shape,
			    bool *valid, struct fmp_inspection *v)
{
	struct stream s = { .fault_passes = fault_passes,
			    .v = v,
			    .has_unreadable = schema && fmpi_schema_has_unreadable(schema),
			    .recheck.strict = schema ? fmpi_schema_strict(schema) : NULL };
	int ret = FMP_ERR_NOMEM;

	*valid = false;
	s.parser = xmlCreateMemoryParserCtxt((const char *)bytes, (int)len);
	if (schema)
		s.schema = xmlSchemaNewValidCtxt(
			fmpi_schema_compiled(schema, shape->longest > FMPI_LONG_TEXT));
	if (s.parser && !s.schema == !schema) {
		xmlCtxtUseOptions(s.parser, XML_PARSE_NONET | XML_PARSE_BIG_LINES);
		ret = run_validator(&s);
		*valid = !ret && !s.stopped && s.seen && shape->longest <= FMPI_LONG_TEXT &&
			 !s.needs_recheck && !fmpi_schema_has_ids(schema);
		xmlFreeDoc(s.parser->myDoc);
	}
	xmlSchemaFreeValidCtxt(s.schema);
	xmlFreeParserCtxt(s.parser);
	return ret;
}
