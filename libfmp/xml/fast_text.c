// SPDX-License-Identifier: GPL-2.0
/* Text of the fast parser: references, CDATA sections, comments. */
#include "fast_private.h"

#include <libxml/parserInternals.h>
#include <string.h>

#include "encoding.h"
#include "swar.h"

struct text {
	const uint8_t *from;
	size_t len;
	bool to_resolve; /* it has references or CDATA sections */
	unsigned line; /* line that libxml2 gives the node: that of its first piece */
};

/* ---- references ---- */

/* libxml2 refuses some longer hexadecimal references, with leading zeros or without. */
#define MAX_DECIMAL 20
#define MAX_HEX	    10

static bool is_char(uint32_t c)
{
	return c == '\t' || c == '\n' || c == '\r' || (c >= ' ' && c < 0xd800) ||
	       (c > 0xdfff && c < 0xfffe) || (c > 0xffff && c < 0x110000);
}

static bool read_number(struct fast_state *q, const char **at, unsigned line, uint32_t *out)
{
	bool hex = **at == 'x';
	unsigned n, most = hex ? MAX_HEX : MAX_DECIMAL;
	const char *p = *at + hex;
	uint32_t c = 0;

	for (n = 0; *p != ';' && n < most; p++, n++) {
		unsigned char lower = (unsigned char)*p | 0x20;

		if (*p >= '0' && *p <= '9')
			c = c * (hex ? 16 : 10) + (uint32_t)(*p - '0');
		else if (hex && lower >= 'a' && lower <= 'f')
			c = c * 16 + lower - 'a' + 10;
		else
			return false;
		if (c > 0x110000)
			c = 0x110000;
	}
	if (*p != ';' || !n)
		return false;
	*at = p + 1;
	*out = c;
	if (c == 0x110000)
		return fast_refuse(q, line, "xmlParseCharRef: character reference out of bounds");
	return is_char(c) || fast_refuse(q, line, "xmlParseCharRef: invalid xmlChar value %u", c);
}

static bool read_entity(struct fast_state *q, const char **at, unsigned line, uint32_t *out)
{
	static const struct {
		const char *name;
		char c;
	} entities[] = {
		{ "lt;", '<' },	  { "gt;", '>' },    { "amp;", '&' },
		{ "quot;", '"' }, { "apos;", '\'' },
	};
	const char *p = *at;
	size_t n;

	for (size_t i = 0; i < sizeof(entities) / sizeof(entities[0]); i++) {
		n = strlen(entities[i].name);
		if (strncmp(p, entities[i].name, n) == 0) {
			*at += n;
			*out = (uint32_t)entities[i].c;
			return true;
		}
	}
	n = strspn(p, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
	if (!n || n > 64 || p[n] != ';')
		return false;
	return fast_refuse(q, line, "Entity '%.*s' not defined", (int)n, p);
}

static unsigned lines_in(const char *p, const char *end)
{
	unsigned n = 0;

	for (; (p = memchr(p, '\n', (size_t)(end - p))); p++)
		n++;
	return n;
}

/*
 * Replace references and CDATA sections by what they stand for, in place: the result is never
 * longer. @line is the line where the text starts.
 */
static bool resolve_references(struct fast_state *q, char *s, unsigned line)
{
	const char *from = s, *end;

	while (*from) {
		uint32_t c;

		if (*from == '<') {
			from += strlen("<![CDATA[");
			end = strstr(from, "]]>");
			line += lines_in(from, end);
			memmove(s, from, (size_t)(end - from));
			s += end - from;
			from = end + strlen("]]>");
			continue;
		}
		if (*from != '&') {
			line += *from == '\n';
			*s++ = *from++;
			continue;
		}
		from++;
		if (*from == '#' ? (from++, !read_number(q, &from, line, &c))
				 : !read_entity(q, &from, line, &c))
			return false;
		s += fmpi_utf8_put(c, (uint8_t *)s);
	}
	*s = '\0';
	return true;
}

/* ---- text ---- */

static const uint8_t *skip_plain(const uint8_t *p, const uint8_t *end)
{
	size_t w, hit;

	for (; (size_t)(end - p) >= sizeof(w); p += sizeof(w)) {
		memcpy(&w, p, sizeof(w));
		hit = w | fmpi_match_control(w) | fmpi_match_byte(w, '<') |
		      fmpi_match_byte(w, '&') | fmpi_match_byte(w, ']');
		if (hit & fmpi_repeat_byte(0x80))
			break;
	}
	while (p < end && *p >= ' ' && *p < 0x80 && *p != '<' && *p != '&' && *p != ']')
		p++;
	return p;
}

/* Skip a byte that is not plain. libxml2 gives a text the line where its first piece ends. */
static bool skip_other(struct fast_state *q, struct text *t)
{
	unsigned n = 1;

	switch (*q->p) {
	case '\n':
		/* How libxml2 splits a text that starts so depends on the size of its buffer. */
		if (!t->line && *t->from >= 0x80)
			return false;
		if (!fmpi_fast_next_line(q))
			return false;
		break;
	case '\t':
		break;
	case '&':
		t->to_resolve = true;
		if (!t->line)
			t->line = q->line;
		break;
	case ']':
		/* A reference in front of it may be an error as well, and comes first. */
		if ((size_t)(q->end - q->p) > 2 && q->p[1] == ']' && q->p[2] == '>')
			return !t->to_resolve &&
			       fast_refuse(q, q->line, "Sequence ']]>' not allowed in content");
		break;
	default:
		n = *q->p >= 0x80 ? fmpi_utf8_length(q->p, q->end) : 0;
		if (!t->line && *t->from < 0x80)
			t->line = q->line;
	}
	q->p += n;
	return n != 0;
}

static bool looking_at(const struct fast_state *q, const char *what)
{
	size_t n = strlen(what);

	return (size_t)(q->end - q->p) >= n && memcmp(q->p, what, n) == 0;
}

/* Skip a comment or CDATA section. libxml2 reads it as one piece and takes the line of its end. */
static bool skip_until(struct fast_state *q, const char *open, const char *close)
{
	for (q->p += strlen(open); !looking_at(q, close);) {
		unsigned n = 1;

		if (q->p == q->end || (*q->p < ' ' && *q->p != '\t' && *q->p != '\n'))
			return false;
		if (*q->p == '\n' && !fmpi_fast_next_line(q))
			return false;
		if (*q->p >= 0x80)
			n = fmpi_utf8_length(q->p, q->end);
		if (!n)
			return false;
		q->p += n;
	}
	q->p += strlen(close);
	return true;
}

/* Skip a CDATA section, which is a piece of the text. */
static bool skip_section(struct fast_state *q, struct text *t)
{
	if (!t->line && q->p > t->from)
		t->line = q->line;
	if (!skip_until(q, "<![CDATA[", "]]>"))
		return false;
	t->to_resolve = true;
	if (!t->line)
		t->line = q->line;
	return true;
}

/* Skip to the next markup that is not a CDATA section. */
static bool read_text(struct fast_state *q, struct text *t)
{
	*t = (struct text){ .from = q->p };
	for (;;) {
		q->p = skip_plain(q->p, q->end);
		if (q->p == q->end)
			return false;
		if (*q->p != '<') {
			if (!skip_other(q, t))
				return false;
		} else if (!looking_at(q, "<![CDATA[")) {
			break;
		} else if (!skip_section(q, t)) {
			return false;
		}
	}
	t->len = (size_t)(q->p - t->from);
	if (!t->line)
		t->line = q->line;
	return true;
}

bool fmpi_fast_text(struct fast_state *q)
{
	unsigned first = q->line;
	struct text t;
	xmlNode *n;

	if (!read_text(q, &t))
		return false;
	n = fmpi_fast_text_node(q, t.from, t.len, t.line);
	if (!n)
		return false;
	fmpi_fast_append(q->parent, n);
	return !t.to_resolve || resolve_references(q, (char *)n->content, first);
}

/* ---- comments ---- */

/*
 * Refuse a comment with two hyphens inside. libxml2's message for other malformed comments depends
 * on its buffer, so those are left to it.
 */
static bool refuse_hyphens(struct fast_state *q, const uint8_t *from)
{
	size_t len = (size_t)(q->p - from) - 3;

	for (size_t i = 0; i < len; i++)
		if (from[i] < ' ' || from[i] >= 0x7f || from[i] == '-')
			return false;
	return len && fast_refuse(q, q->line, "Double hyphen within comment: <!--%.*s",
				  len < 50 ? (int)len : 50, (const char *)from);
}

/* libxml2 frees no comment's name, and deprecates its own. */
static const xmlChar comment_name[] = "comment";

static bool read_comment(struct fast_state *q)
{
	const uint8_t *from = q->p + strlen("<!--");
	size_t len;
	xmlNode *n;

	if (!skip_until(q, "<!--", "--") || q->p == q->end)
		return false;
	if (*q->p++ != '>')
		return refuse_hyphens(q, from);
	n = fmpi_fast_node(q, XML_COMMENT_NODE, comment_name, q->line);
	if (!n)
		return false;
	fmpi_fast_append(q->parent, n);
	len = (size_t)(q->p - from) - strlen("-->");
	n->content = fmpi_fast_alloc(q, len + 1);
	if (!n->content)
		return false;
	memcpy(n->content, from, len);
	n->content[len] = '\0';
	return true;
}

bool fmpi_fast_markup(struct fast_state *q)
{
	if (looking_at(q, "<!--"))
		return read_comment(q);
	return looking_at(q, "<![CDATA[") && fmpi_fast_text(q);
}
