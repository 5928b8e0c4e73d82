// SPDX-License-Identifier: GPL-2.0
#include "screen.h"

#include <string.h>
#include <strings.h>

#include "encoding.h"
#include "ascii_run.h"

struct scan {
	const struct fmp_policy_limits *limits;
	enum fmpi_screen_mode mode;
	const uint8_t *start, *p, *end;
	uint32_t max_depth;
	uint32_t depth;
	uint32_t nodes; /* elements, attributes, comments, CDATA sections */
	size_t text; /* bytes since the last tag */
	uint32_t namespaces; /* declarations in scope */
	uint32_t children; /* children so far of the current element at depth 2 */
	bool root_seen;
	struct fmpi_shape *shape;
	struct fmp_inspection *v;
	uint16_t declared[FMPI_MAX_DEPTH + 1]; /* namespace declarations, by depth */
	uint32_t name_at[FMPI_MAX_DEPTH + 1]; /* offset of the name in the start tag, by depth */
};

static unsigned line_of(const struct scan *s, const uint8_t *at)
{
	unsigned line = 1;

	for (const uint8_t *p = s->start; (p = memchr(p, '\n', (size_t)(at - p))); p++)
		line++;
	return line;
}

#define refuse(s, kind, ...) \
	fmpi_refuse((s)->v, FMP_STEP_SCREEN, kind, line_of(s, (s)->p), __VA_ARGS__)

static bool looking_at(const struct scan *s, const char *word)
{
	size_t n = strlen(word);

	return (size_t)(s->end - s->p) >= n && memcmp(s->p, word, n) == 0;
}

static void skip_space(struct scan *s)
{
	while (s->p < s->end && class[*s->p] & SPACE)
		s->p++;
}

/* Skip to the next byte of the class `stop`; refuse characters that XML does not allow. */
static int skip_to(struct scan *s, unsigned stop)
{
	const uint8_t *p = s->p, *end = s->end;
	unsigned n;

	for (;;) {
		p = skip_plain(p, end, stop);
		s->p = p;
		if (p == end || !(class[*p] & (BAD | HIGH)))
			return 0;
		if (class[*p] & BAD)
			return refuse(s, *p ? FMP_EVENT_WELLFORMED : FMP_EVENT_ENCODING,
				      "control character 0x%02x", *p);
		n = fmpi_utf8_length(p, end);
		if (!n)
			return refuse(s, FMP_EVENT_ENCODING, "byte 0x%02x is not UTF-8", *p);
		p += n;
	}
}

static int add_text(struct scan *s, size_t n)
{
	s->text += n;
	if (s->text > s->shape->longest)
		s->shape->longest = s->text;
	if (s->text > s->limits->text_bytes)
		return refuse(s, FMP_EVENT_STRUCTURE, "text longer than %u bytes",
			      s->limits->text_bytes);
	return 0;
}

/* An attribute costs about as much as an element: its node has a text node below it. */
static int add_node(struct scan *s)
{
	s->shape->nodes++;
	if (++s->nodes > s->limits->elements)
		return refuse(s, FMP_EVENT_STRUCTURE, "more than %u elements and attributes",
			      s->limits->elements);
	return 0;
}

/*
 * Accept the five predefined entities and character references, which the parser decodes: without a
 * DTD there are no others.
 */
static int scan_reference(struct scan *s)
{
	static const char *const known[] = { "&lt;", "&gt;", "&amp;", "&quot;", "&apos;", "&#" };

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (looking_at(s, known[i])) {
			s->p += strlen(known[i]);
			return 0;
		}
	}
	return refuse(s, FMP_EVENT_WELLFORMED, "reference to an entity that is not declared");
}

static int scan_text(struct scan *s)
{
	const uint8_t *from = s->p;
	int ret;

	if (s->depth == 0) {
		skip_space(s);
		if (s->p < s->end && *s->p != '<')
			return refuse(s, FMP_EVENT_WELLFORMED, "text outside the root element");
	}
	ret = skip_to(s, IN_TEXT);
	while (!ret && s->p < s->end && *s->p == '&') {
		ret = scan_reference(s);
		if (!ret)
			ret = skip_to(s, IN_TEXT);
	}
	s->shape->nodes++;
	return ret ? ret : add_text(s, (size_t)(s->p - from));
}

/* Find the first occurrence of a text of three characters that ends with '>'. */
static const uint8_t *find_close(const uint8_t *p, const uint8_t *end, const char *close)
{
	const uint8_t *at = p;

	for (; (at = memchr(at, '>', (size_t)(end - at))); at++)
		if (at - p >= 2 && memcmp(at - 2, close, 3) == 0)
			return at - 2;
	return NULL;
}

/* Scan a comment or a CDATA section; p is at its '<'. */
static int scan_section(struct scan *s, const char *open, const char *close, const char *what)
{
	const uint8_t *from = s->p, *body = s->p + strlen(open), *stop, *end = s->end;
	int ret;

	stop = find_close(body, end, close);
	if (!stop)
		return refuse(s, FMP_EVENT_WELLFORMED, "%s without an end", what);
	/*
	 * libxml2 would continue behind each double hyphen and report the text in front of it every
	 * time.
	 */
	if (*close == '-' && memmem(body, (size_t)(stop + 2 - body), "--", 2) != stop)
		return refuse(s, FMP_EVENT_WELLFORMED, "two hyphens inside a comment");
	ret = add_node(s);
	if (!ret)
		ret = add_text(s, (size_t)(stop - from) + strlen(close));
	if (ret)
		return ret;
	s->p = body;
	s->end = stop;
	while (!ret && s->p < stop) {
		ret = skip_to(s, IN_TEXT);
		if (!ret && s->p < stop)
			s->p++; /* skip '<' and '&', which are plain here */
	}
	s->end = end;
	if (!ret)
		s->p = stop + strlen(close);
	return ret;
}

static int scan_declaration(struct scan *s)
{
	if (looking_at(s, "<!--"))
		return scan_section(s, "<!--", "-->", "comment");
	if (looking_at(s, "<![CDATA[")) {
		if (s->depth == 0)
			return refuse(s, FMP_EVENT_WELLFORMED,
				      "CDATA section outside the root element");
		return scan_section(s, "<![CDATA[", "]]>", "CDATA section");
	}
	if ((size_t)(s->end - s->p) < 9 && !looking_at(s, "<!D"))
		return refuse(s, FMP_EVENT_WELLFORMED, "markup cut short");
	return refuse(s, FMP_EVENT_DTD, "document type declaration");
}

static int scan_name(struct scan *s, const uint8_t **name, size_t *len)
{
	int ret;

	*name = s->p;
	while (s->p < s->end && !(class[*s->p] & IN_NAME))
		s->p++;
	ret = s->p < s->end && class[*s->p] & (BAD | HIGH) ? skip_to(s, IN_NAME) : 0;
	*len = (size_t)(s->p - *name);
	if (ret)
		return ret;
	if (*len == 0)
		return refuse(s, FMP_EVENT_WELLFORMED, "a name is missing");
	if (*len > s->limits->name_bytes)
		return refuse(s, FMP_EVENT_STRUCTURE, "name longer than %u bytes",
			      s->limits->name_bytes);
	return 0;
}

static int scan_value(struct scan *s)
{
	const uint8_t *from;
	uint8_t quote;
	int ret;

	if (s->p == s->end || (*s->p != '"' && *s->p != '\''))
		return refuse(s, FMP_EVENT_WELLFORMED, "attribute value without quotes");
	quote = *s->p++;
	from = s->p;
	for (;;) {
		ret = skip_to(s, IN_VALUE);
		if (ret)
			return ret;
		if (s->p == s->end || *s->p == '<')
			return refuse(s, FMP_EVENT_WELLFORMED, "attribute value without an end");
		if (*s->p == quote)
			break;
		if (*s->p != '&')
			s->p++; /* skip the other kind of quote */
		else if (scan_reference(s))
			return FMPI_REFUSED;
	}
	if ((size_t)(s->p - from) > s->shape->longest)
		s->shape->longest = (size_t)(s->p - from);
	if ((size_t)(s->p - from) > s->limits->text_bytes)
		return refuse(s, FMP_EVENT_STRUCTURE, "attribute value longer than %u bytes",
			      s->limits->text_bytes);
	s->p++;
	return 0;
}

static int scan_attribute(struct scan *s, uint32_t *count)
{
	const uint8_t *name;
	size_t len;
	int ret;

	if (++*count > s->limits->attributes)
		return refuse(s, FMP_EVENT_STRUCTURE, "more than %u attributes in one tag",
			      s->limits->attributes);
	ret = add_node(s);
	s->shape->nodes++;
	if (!ret)
		ret = scan_name(s, &name, &len);
	if (ret)
		return ret;
	skip_space(s);
	if (s->p == s->end || *s->p != '=')
		return refuse(s, FMP_EVENT_WELLFORMED, "attribute without a value");
	s->p++;
	skip_space(s);
	if (len >= 5 && memcmp(name, "xmlns", 5) == 0 && (len == 5 || name[5] == ':')) {
		s->declared[s->depth]++;
		if (++s->namespaces > FMPI_MAX_NAMESPACES)
			return refuse(s, FMP_EVENT_STRUCTURE,
				      "more than %u namespace declarations in scope",
				      FMPI_MAX_NAMESPACES);
	}
	return scan_value(s);
}

static int close_element(struct scan *s)
{
	s->namespaces -= s->declared[s->depth];
	s->declared[s->depth] = 0;
	s->depth--;
	if (s->depth == 2)
		s->shape->payload_end = (size_t)(s->p - s->start);
	return 0;
}

/* The Body's child is the last element at its depth: remember the latest. */
static int note_payload(struct scan *s)
{
	if (s->nodes > FMPI_MAX_HEADER)
		return refuse(s, FMP_EVENT_STRUCTURE,
			      "more than %u elements and attributes before the payload",
			      FMPI_MAX_HEADER);
	s->shape->payload_start = (size_t)(s->p - s->start);
	s->shape->siblings = s->children++;
	return 0;
}

static int scan_start_tag(struct scan *s)
{
	uint32_t attributes = 0;
	const uint8_t *name;
	size_t len;
	int ret;

	if (s->depth == 0 && s->root_seen)
		return refuse(s, FMP_EVENT_WELLFORMED, "an element behind the root element");
	if (s->depth == s->max_depth)
		return refuse(s, FMP_EVENT_NESTING, "elements nest deeper than %u", s->max_depth);
	ret = add_node(s);
	if (!ret && s->depth == 2)
		ret = note_payload(s);
	if (ret)
		return ret;
	if (s->depth == 1)
		s->children = 0;
	s->root_seen = true;
	s->depth++;
	s->text = 0;
	s->p++;
	ret = scan_name(s, &name, &len);
	s->name_at[s->depth] = (uint32_t)(name - s->start);
	while (!ret) {
		skip_space(s);
		if (s->p == s->end)
			return refuse(s, FMP_EVENT_WELLFORMED, "tag without an end");
		if (*s->p == '>') {
			s->p++;
			return 0;
		}
		if (*s->p == '/') {
			s->p++;
			if (s->p == s->end || *s->p != '>')
				return refuse(s, FMP_EVENT_WELLFORMED, "'/' inside a tag");
			s->p++;
			return close_element(s);
		}
		ret = scan_attribute(s, &attributes);
	}
	return ret;
}

/*
 * Compare two names. Up to the byte that ends the first one, both are known to be inside the
 * document.
 */
static bool is_same_name(const uint8_t *first, const uint8_t *second, size_t len)
{
	return memcmp(first, second, len) == 0 && (class[first[len]] & (IN_NAME | HIGH)) == IN_NAME;
}

static int scan_end_tag(struct scan *s)
{
	const uint8_t *name;
	size_t len;
	int ret;

	if (s->depth == 0)
		return refuse(s, FMP_EVENT_WELLFORMED, "end tag without a start tag");
	s->text = 0;
	s->p += 2;
	ret = scan_name(s, &name, &len);
	if (ret)
		return ret;
	if (!is_same_name(s->start + s->name_at[s->depth], name, len))
		return refuse(s, FMP_EVENT_WELLFORMED, "end tag of another element");
	skip_space(s);
	if (s->p == s->end || *s->p != '>')
		return refuse(s, FMP_EVENT_WELLFORMED, "tag without an end");
	s->p++;
	return close_element(s);
}

/* Results of declared_value() other than a length. */
enum {
	ABSENT = -1,
	MALFORMED = -2
};

/*
 * Read one `name="value"` of the XML declaration. Return: length of the value, ABSENT or MALFORMED.
 */
static int declared_value(struct scan *s, const char *name, const char **value)
{
	const uint8_t *q;
	uint8_t quote;

	skip_space(s);
	if (!looking_at(s, name))
		return ABSENT;
	s->p += strlen(name);
	skip_space(s);
	if (s->p == s->end || *s->p != '=')
		return MALFORMED;
	s->p++;
	skip_space(s);
	if (s->p == s->end || (*s->p != '"' && *s->p != '\''))
		return MALFORMED;
	quote = *s->p++;
	q = memchr(s->p, quote, (size_t)(s->end - s->p) < 64 ? (size_t)(s->end - s->p) : 64);
	if (!q)
		return MALFORMED;
	*value = (const char *)s->p;
	s->p = q + 1;
	return (int)(q - (const uint8_t *)*value);
}

static bool is_word(const char *value, int len, const char *word)
{
	return len == (int)strlen(word) && strncasecmp(value, word, strlen(word)) == 0;
}

/* "utf8" is not a registered name, but Python, PHP and libxml2 use it. */
static int check_encoding(struct scan *s, const char *value, int len)
{
	bool is_wide = s->mode == FMPI_SCREEN_UTF16;

	if (is_word(value, len, is_wide ? "UTF-16" : "UTF-8") ||
	    (!is_wide && is_word(value, len, "utf8")))
		return 0;
	if (!is_wide && fmpi_encoding_is_plain(value, (size_t)len))
		return refuse(s, FMP_EVENT_UNSUPPORTED,
			      "declared encoding %.*s is not supported, only UTF-8 and UTF-16", len,
			      value);
	return refuse(s, FMP_EVENT_ENCODING, "declared encoding %.*s", len, value);
}

static int scan_xml_declaration(struct scan *s)
{
	const char *value = NULL;
	int len;

	s->p += strlen("<?xml");
	len = declared_value(s, "version", &value);
	if (len < 0)
		return refuse(s, FMP_EVENT_WELLFORMED, "XML declaration without a version");
	if (!is_word(value, len, "1.0"))
		return refuse(s, FMP_EVENT_ENCODING, "XML version %.*s", len, value);
	len = declared_value(s, "encoding", &value);
	if (len >= 0 && check_encoding(s, value, len))
		return FMPI_REFUSED;
	if (len != MALFORMED)
		len = declared_value(s, "standalone", &value);
	skip_space(s);
	if (len == MALFORMED || !looking_at(s, "?>"))
		return refuse(s, FMP_EVENT_WELLFORMED, "malformed XML declaration");
	s->p += 2;
	return 0;
}

static int scan_prolog(struct scan *s)
{
	int ret = 0;

	/* A parser would read this as UTF-16, UTF-32 or EBCDIC without a byte order mark. */
	if (s->end - s->p >= 2 && (s->p[0] == 0 || s->p[1] == 0 || s->p[0] == 0x4c))
		return refuse(s, FMP_EVENT_ENCODING, "neither UTF-8 nor UTF-16 with a mark");
	if (s->mode != FMPI_SCREEN_UTF16 && looking_at(s, "\xef\xbb\xbf"))
		s->p += 3;
	if (looking_at(s, "<?xml") && s->end - s->p > 5 && class[s->p[5]] & SPACE)
		ret = scan_xml_declaration(s);
	s->shape->prolog = (size_t)(s->p - s->start);
	return ret;
}

static int scan_markup(struct scan *s)
{
	if (s->end - s->p < 2)
		return refuse(s, FMP_EVENT_WELLFORMED, "markup cut short");
	switch (s->p[1]) {
	case '!':
		return scan_declaration(s);
	case '?':
		return refuse(s, FMP_EVENT_STRUCTURE, "processing instruction");
	case '/':
		return scan_end_tag(s);
	default:
		return scan_start_tag(s);
	}
}

int fmpi_screen(const struct fmp_policy_limits *limits, enum fmpi_screen_mode mode,
		const uint8_t *bytes, size_t len, struct fmpi_shape *shape,
		struct fmp_inspection *v)
{
	struct scan s = {
		.limits = limits,
		.mode = mode,
		.start = bytes,
		.p = bytes,
		.end = bytes + len,
		.max_depth = limits->depth < FMPI_MAX_DEPTH ? limits->depth : FMPI_MAX_DEPTH,
		.shape = shape,
		.v = v,
	};
	int ret;

	*shape = (struct fmpi_shape){ 0 };
	ret = scan_prolog(&s);
	while (!ret && s.p < s.end)
		ret = *s.p == '<' ? scan_markup(&s) : scan_text(&s);
	if (ret)
		return ret;
	if (!s.root_seen)
		return refuse(&s, FMP_EVENT_WELLFORMED, "no element");
	if (s.depth)
		return refuse(&s, FMP_EVENT_WELLFORMED, "ends inside an element");
	return 0;
}
