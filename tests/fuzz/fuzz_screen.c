// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzzes the byte pre-scan against libxml2, under libFuzzer, ASan and UBSan
 *
 * Input: a byte that chooses the limits, and a document. What must hold:
 *
 * - a document that passes gives libxml2 nothing but names, character references and
 *   namespaces to complain of: nesting and entities are right; no limit of its own, no DTD, PI, encoding, nothing to
 *   fetch, no markup without an end; and each limit holds as libxml2 counts
 * - a document that libxml2 takes for namespace-well-formed passes, unless it lies
 *   beyond a limit as libxml2 counts, or has what never passes: a DTD, a PI, XML 1.1,
 *   another encoding
 * - the payload's place is that of the last element at depth 3
 */
#include <iconv.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fmp/internal/xml_error_arg.h>

#include "xml/encoding.h"
#include "xml/screen.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define NAME_MAX_KEPT 512

/* What libxml2 has seen of a document. */
struct count {
	unsigned depth, max_depth, attributes, elements, namespaces, max_namespaces;
	unsigned declared[FMPI_MAX_DEPTH + 8];
	size_t name, text, max_text;
	bool dtd, pi, loaded;
	int first_error;
	char third[NAME_MAX_KEPT]; /* name of the last element at depth 3 */
};

static struct count *counting;

static void abort_unless(int line, bool holds, const char *what, const struct fmp_inspection *v,
			 const struct count *c)
{
	if (holds)
		return;
	fprintf(stderr, "fuzz_screen.c:%d: does not hold: %s (screen: %s; libxml2: error %d)\n",
		line, what, v->detail, c->first_error);
	abort();
}
#define MUST(x) abort_unless(__LINE__, (x), #x, v, c)

static void raise_max(unsigned *max, unsigned n)
{
	if (n > *max)
		*max = n;
}

static void most_bytes(size_t *max, size_t n)
{
	if (n > *max)
		*max = n;
}

static size_t name_length(const xmlChar *prefix, const xmlChar *local)
{
	return (prefix ? strlen((const char *)prefix) + 1 : 0) +
	       (local ? strlen((const char *)local) : 0);
}

static void count_namespaces(struct count *c, int n, const xmlChar **ns)
{
	for (int i = 0; i < n; i++)
		most_bytes(&c->name, ns[2 * i] ? name_length((const xmlChar *)"xmlns", ns[2 * i])
					       : strlen("xmlns"));
	if (c->depth < sizeof(c->declared) / sizeof(c->declared[0]))
		c->declared[c->depth] = (unsigned)n;
	c->namespaces += (unsigned)n;
	raise_max(&c->max_namespaces, c->namespaces);
}

static void on_start(void *ctx, const xmlChar *local, const xmlChar *prefix, const xmlChar *uri,
		     int n_ns, const xmlChar **ns, int n_attr, int defaulted, const xmlChar **attr)
{
	struct count *c = counting;

	raise_max(&c->max_depth, ++c->depth);
	raise_max(&c->attributes, (unsigned)(n_ns + n_attr));
	c->elements += (unsigned)(n_ns + n_attr);
	most_bytes(&c->name, name_length(prefix, local));
	count_namespaces(c, n_ns, ns);
	for (int i = 0; i < n_attr; i++) {
		most_bytes(&c->name, name_length(attr[5 * i + 1], attr[5 * i]));
		most_bytes(&c->max_text, (size_t)(attr[5 * i + 4] - attr[5 * i + 3]));
	}
	c->elements++;
	c->text = 0;
	if (c->depth == 3)
		snprintf(c->third, sizeof(c->third), "%s%s%s", prefix ? (const char *)prefix : "",
			 prefix ? ":" : "", (const char *)local);
}

static void on_end(void *ctx, const xmlChar *local, const xmlChar *prefix, const xmlChar *uri)
{
	struct count *c = counting;

	if (c->depth < sizeof(c->declared) / sizeof(c->declared[0]))
		c->namespaces -= c->declared[c->depth];
	c->depth--;
	c->text = 0;
}

static void on_text(void *ctx, const xmlChar *text, int len)
{
	/* Behind an error there is still text, but no tags any more. */
	if (counting->first_error)
		return;
	counting->text += (size_t)len;
	most_bytes(&counting->max_text, counting->text);
}

static void on_cdata(void *ctx, const xmlChar *text, int len)
{
	counting->elements++;
	on_text(ctx, text, len);
}

static void on_comment(void *ctx, const xmlChar *text)
{
	on_cdata(ctx, text, (int)strlen((const char *)text));
}

static void on_pi(void *ctx, const xmlChar *target, const xmlChar *data)
{
	counting->pi = true;
}

static void on_subset(void *ctx, const xmlChar *name, const xmlChar *id, const xmlChar *system)
{
	counting->dtd = true;
}

static void on_error(void *ctx, fmpi_xml_error_arg e)
{
	if (e->level > XML_ERR_WARNING && !counting->first_error)
		counting->first_error = e->code;
}

static xmlParserInputPtr on_load(const char *url, const char *id, xmlParserCtxtPtr ctxt)
{
	if (counting)
		counting->loaded = true;
	return NULL;
}

static bool no_other(const char *declared, const char *allowed)
{
	return !declared || strcasecmp(declared, allowed) == 0;
}

/* Return: is it namespace-well-formed, XML 1.0, in the encoding (or none) declared? */
static bool read_by_libxml2(const uint8_t *bytes, size_t len, const char *encoding, struct count *c)
{
	xmlParserCtxtPtr ctxt = xmlCreateMemoryParserCtxt((const char *)bytes, (int)len);
	bool good;

	*c = (struct count){ 0 };
	if (!ctxt)
		return false;
	counting = c;
	xmlCtxtUseOptions(ctxt, XML_PARSE_NONET);
	*ctxt->sax = (xmlSAXHandler){
		.initialized = XML_SAX2_MAGIC,
		.startElementNs = on_start,
		.endElementNs = on_end,
		.characters = on_text,
		.ignorableWhitespace = on_text,
		.cdataBlock = on_cdata,
		.comment = on_comment,
		.processingInstruction = on_pi,
		.internalSubset = on_subset,
		.externalSubset = on_subset,
		.serror = on_error,
	};
	xmlParseDocument(ctxt);
	good = ctxt->wellFormed && ctxt->nsWellFormed && !c->first_error &&
	       no_other((const char *)ctxt->version, "1.0") &&
	       no_other((const char *)ctxt->encoding, encoding) &&
	       no_other((const char *)ctxt->input->encoding, encoding);
	counting = NULL;
	/* Made where entities are declared, even without a tree. */
	xmlFreeDoc(ctxt->myDoc);
	xmlFreeParserCtxt(ctxt);
	return good;
}

static uint32_t max_depth(const struct fmp_policy_limits *l)
{
	return l->depth < FMPI_MAX_DEPTH ? l->depth : FMPI_MAX_DEPTH;
}

static bool is_within_limits(const struct fmp_policy_limits *l, const struct count *c)
{
	return c->max_depth <= max_depth(l) && c->attributes <= l->attributes &&
	       c->elements <= l->elements && c->name <= l->name_bytes &&
	       c->max_text <= l->text_bytes && c->max_namespaces <= FMPI_MAX_NAMESPACES;
}

static bool contains_word(const uint8_t *bytes, size_t len, const char *word)
{
	return memmem(bytes, len, word, strlen(word)) != NULL;
}

/* A NUL behind the root element is the end to libxml2, whatever follows. */
static bool has_nul(const uint8_t *bytes, size_t len)
{
	if (!fmpi_utf16_bom(bytes, len))
		return memchr(bytes, 0, len) != NULL;
	for (size_t i = 0; i + 1 < len; i += 2)
		if (!bytes[i] && !bytes[i + 1])
			return true;
	return false;
}

/* What the pre-scan is there to find; `bytes` is what a parser is given behind it. */
static bool for_the_screen(int error, const uint8_t *bytes, size_t len)
{
	switch (error) {
	case XML_ERR_INVALID_CHAR: /* of a character reference, too, which is the parser's */
		return !contains_word(bytes, len, "&#");
	case XML_ERR_INTERNAL_ERROR:
	case XML_ERR_NO_MEMORY:
	case XML_ERR_DOCUMENT_START:
	case XML_ERR_DOCUMENT_EMPTY:
	case XML_ERR_UNKNOWN_ENCODING:
	case XML_ERR_UNSUPPORTED_ENCODING:
	case XML_ERR_INVALID_ENCODING:
	case XML_ERR_ENCODING_NAME:
	case XML_ERR_LT_IN_ATTRIBUTE:
	case XML_ERR_ATTRIBUTE_NOT_STARTED:
	case XML_ERR_ATTRIBUTE_NOT_FINISHED:
	case XML_ERR_COMMENT_NOT_FINISHED:
	case XML_ERR_PI_NOT_STARTED:
	case XML_ERR_PI_NOT_FINISHED:
	case XML_ERR_XMLDECL_NOT_STARTED:
	case XML_ERR_XMLDECL_NOT_FINISHED:
	case XML_ERR_DOCTYPE_NOT_FINISHED:
	case XML_ERR_CDATA_NOT_FINISHED:
	case XML_ERR_RESERVED_XML_NAME:
	case XML_ERR_ENTITY_LOOP:
	case XML_ERR_ENTITYREF_NO_NAME:
	case XML_ERR_ENTITYREF_SEMICOL_MISSING:
	case XML_ERR_UNDECLARED_ENTITY:
	case XML_WAR_UNDECLARED_ENTITY:
	case XML_ERR_TAG_NAME_MISMATCH:
	case XML_ERR_TAG_NOT_FINISHED:
	case XML_ERR_NAME_TOO_LONG:
	case XML_ERR_UNKNOWN_VERSION:
	case XML_ERR_VERSION_MISSING:
	case XML_ERR_VERSION_MISMATCH:
		return true;
	default:
		return error >= XML_I18N_NO_NAME;
	}
}

static void check_passed(const struct fmp_policy_limits *l, const struct fmpi_shape *shape,
			 const uint8_t *bytes, size_t len, size_t skip,
			 const struct fmp_inspection *v)
{
	struct count count, *c = &count;
	const char *at = (const char *)bytes + shape->payload_start;
	size_t n;
	bool good = read_by_libxml2(bytes + skip, len - skip, "UTF-8", c);

	MUST(!c->dtd && !c->pi && !c->loaded);
	MUST(!for_the_screen(c->first_error, bytes, len));
	MUST(is_within_limits(l, c));
	if (!good)
		return;
	MUST(!shape->payload_end == !c->third[0]);
	if (!shape->payload_end)
		return;
	n = strlen(c->third);
	MUST(shape->payload_start < shape->payload_end && shape->payload_end <= len);
	MUST(at[0] == '<' && bytes[shape->payload_end - 1] == '>');
	MUST(n + 1 == sizeof(c->third) || strncmp(at + 1, c->third, n) == 0);
}

static void check_refused(const struct fmp_policy_limits *l, const uint8_t *bytes, size_t len,
			  const char *encoding, const struct fmp_inspection *v)
{
	struct count count, *c = &count;

	MUST(v->step == FMP_STEP_SCREEN && v->detail[0] && !v->accepted);
	if (!read_by_libxml2(bytes, len, encoding, c) || c->dtd || c->pi || !is_within_limits(l, c))
		return;
	if (has_nul(bytes, len))
		return;
	/* The screen counts text as it is written, the parser as it is meant. */
	if (v->kind == FMP_EVENT_STRUCTURE && strstr(v->detail, "longer than") &&
	    len > l->text_bytes)
		return;
	/* A declaration of the prefix xml is one for the screen; libxml2 does not count it. */
	if (v->kind == FMP_EVENT_STRUCTURE && contains_word(bytes, len, "xmlns:xml"))
		return;
	MUST(!"refused what libxml2 accepts");
}

static const struct fmp_policy_limits limits[] = {
	{ .depth = 64,
	  .attributes = 64,
	  .elements = 20000,
	  .name_bytes = 256,
	  .text_bytes = 1 << 20 },
	{ .depth = 5, .attributes = 4, .elements = 9, .name_bytes = 8, .text_bytes = 1 << 20 },
	{ .depth = 300, .attributes = 200, .elements = 3000, .name_bytes = 64, .text_bytes = 32 },
	{ .depth = 3, .attributes = 64, .elements = 64, .name_bytes = 16, .text_bytes = 8 },
};

static bool iconv_takes(const uint8_t *bytes, size_t len)
{
	iconv_t cd = iconv_open("UTF-8", bytes[0] == 0xfe ? "UTF-16BE" : "UTF-16LE");
	char *in = (char *)bytes + 2, *out = malloc(2 * len), *at = out;
	size_t left = len - 2, room = 2 * len;
	bool good;

	if (!out || cd == (iconv_t)-1)
		abort();
	good = iconv(cd, &in, &left, &at, &room) != (size_t)-1;
	iconv_close(cd);
	free(out);
	return good;
}

static void screen_utf16(const struct fmp_policy_limits *l, const uint8_t *bytes, size_t len)
{
	uint8_t *text = malloc(FMPI_UTF16_MAX(len));
	struct fmp_inspection v = { 0 };
	struct fmpi_shape shape;
	size_t n;

	if (!text)
		abort();
	if (fmpi_utf16_decode(bytes, len, text, &n) != 0) {
		/* libxml2 overlooks what is malformed behind the root element. */
		if (iconv_takes(bytes, len))
			abort();
	} else if (fmpi_screen(l, FMPI_SCREEN_UTF16, text, n, &shape, &v)) {
		check_refused(l, bytes, len, "UTF-16", &v);
	} else {
		check_passed(l, &shape, text, n, shape.prolog, &v);
	}
	free(text);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	xmlInitParser();
	xmlSetExternalEntityLoader(on_load);
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct fmp_policy_limits *l;
	struct fmp_inspection v = { 0 };
	struct fmpi_shape shape;
	uint8_t *bytes;
	size_t len;

	if (size < 1)
		return 0;
	l = &limits[data[0] % (sizeof(limits) / sizeof(limits[0]))];
	len = size - 1;
	/* Of its very size: a read behind it is seen. */
	bytes = malloc(len ? len : 1);
	if (!bytes)
		abort();
	memcpy(bytes, data + 1, len);
	if (fmpi_utf16_bom(bytes, len))
		screen_utf16(l, bytes, len);
	else if (fmpi_screen(l, FMPI_SCREEN_UTF8, bytes, len, &shape, &v))
		check_refused(l, bytes, len, "UTF-8", &v);
	else
		check_passed(l, &shape, bytes, len, 0, &v);
	free(bytes);
	return 0;
}
