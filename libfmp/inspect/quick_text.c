// SPDX-License-Identifier: GPL-2.0
#include "inspect/quick_private.h"

#include <string.h>

#include "inspect/encoding.h"
#include "inspect/words.h"

struct text {
	const uint8_t *from;
	size_t len;
	bool has_references;
	unsigned line; /* where libxml2 has the first piece of it */
};

/* ---- references ---- */

/* Digits up to the ';'. Return: the character; 0: none that XML knows. */
static uint32_t number(const char **at, unsigned base)
{
	const char *p = *at;
	uint32_t c = 0;

	for (; *p != ';'; p++) {
		unsigned char lower = (unsigned char)*p | 0x20;

		if (*p >= '0' && *p <= '9')
			c = c * base + (uint32_t)(*p - '0');
		else if (base == 16 && lower >= 'a' && lower <= 'f')
			c = c * base + lower - 'a' + 10;
		else
			return 0;
		if (c > 0x10ffff)
			return 0;
	}
	*at = p + 1;
	if (c < ' ' && c != '\t' && c != '\n' && c != '\r')
		return 0;
	return (c >= 0xd800 && c <= 0xdfff) || c == 0xfffe || c == 0xffff ? 0 : c;
}

/* What is behind a '&'. */
static uint32_t reference(const char **at)
{
	static const struct {
		const char *name;
		char c;
	} entities[] = {
		{ "lt;", '<' },	  { "gt;", '>' },    { "amp;", '&' },
		{ "quot;", '"' }, { "apos;", '\'' },
	};

	if (**at == '#') {
		bool hex = (*at)[1] == 'x';

		*at += 1 + hex;
		return number(at, hex ? 16 : 10);
	}
	for (size_t i = 0; i < sizeof(entities) / sizeof(entities[0]); i++) {
		size_t n = strlen(entities[i].name);

		if (strncmp(*at, entities[i].name, n) == 0) {
			*at += n;
			return (uint32_t)entities[i].c;
		}
	}
	return 0;
}

/* In its place: no character is longer than a reference to it. */
static bool resolve(char *s)
{
	const char *from = s;

	while (*from) {
		uint32_t c;

		if (*from != '&') {
			*s++ = *from++;
			continue;
		}
		from++;
		c = reference(&from);
		if (!c)
			return false;
		s += fmpi_utf8_put(c, (uint8_t *)s);
	}
	*s = '\0';
	return true;
}

/* ---- text ---- */

static const uint8_t *pass_plain(const uint8_t *p, const uint8_t *end)
{
	size_t w, hit;

	for (; (size_t)(end - p) >= sizeof(w); p += sizeof(w)) {
		memcpy(&w, p, sizeof(w));
		hit = w | fmpi_below_blank(w) | fmpi_equal(w, '<') | fmpi_equal(w, '&') |
		      fmpi_equal(w, ']');
		if (hit & fmpi_bytes_of(0x80))
			break;
	}
	while (p < end && *p >= ' ' && *p < 0x80 && *p != '<' && *p != '&' && *p != ']')
		p++;
	return p;
}

/* Passes a byte that is not plain. The line of a text is that of the end of its first piece. */
static bool pass_other(struct quick_parser *q, struct text *t)
{
	unsigned n = 1;

	switch (*q->p) {
	case '\n':
		/* Pieces of a text that starts so depend on a buffer's size. */
		if (!t->line && *t->from >= 0x80)
			return false;
		if (!fmpi_quick_next_line(q))
			return false;
		break;
	case '\t':
		break;
	case '&':
		t->has_references = true;
		if (!t->line)
			t->line = q->line;
		break;
	case ']':
		if ((size_t)(q->end - q->p) > 2 && q->p[1] == ']' && q->p[2] == '>')
			return false;
		break;
	default:
		n = *q->p >= 0x80 ? fmpi_utf8_length(q->p, q->end) : 0;
		if (!t->line && *t->from < 0x80)
			t->line = q->line;
	}
	q->p += n;
	return n != 0;
}

/* Up to the '<'. */
static bool read_text(struct quick_parser *q, struct text *t)
{
	*t = (struct text){ .from = q->p };
	for (;;) {
		q->p = pass_plain(q->p, q->end);
		if (q->p == q->end)
			return false;
		if (*q->p == '<')
			break;
		if (!pass_other(q, t))
			return false;
	}
	t->len = (size_t)(q->p - t->from);
	if (!t->line)
		t->line = q->line;
	return true;
}

bool fmpi_quick_text(struct quick_parser *q)
{
	struct text t;
	xmlNode *n;

	if (!read_text(q, &t))
		return false;
	n = fmpi_quick_text_node(q, t.from, t.len, t.line);
	if (!n)
		return false;
	fmpi_quick_append(q->parent, n);
	return !t.has_references || resolve((char *)n->content);
}
