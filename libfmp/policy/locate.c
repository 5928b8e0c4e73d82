// SPDX-License-Identifier: GPL-2.0
/* Line and column of an element or attribute, found in the text. */
#include <policy/locate.h>

#include <string.h>

struct scan {
	const char *text, *end, *p;
};

/* Puts p behind the next occurrence of mark, or at the end. */
static void skip_to(struct scan *s, const char *mark)
{
	const char *at = memmem(s->p, (size_t)(s->end - s->p), mark, strlen(mark));

	s->p = at ? at + strlen(mark) : s->end;
}

static bool starts(const struct scan *s, const char *mark)
{
	size_t len = strlen(mark);

	return (size_t)(s->end - s->p) >= len && !memcmp(s->p, mark, len);
}

/* Puts p at the '<' of the next start tag. Return: false at the end. */
static bool next_tag(struct scan *s)
{
	while (s->p < s->end) {
		if (*s->p != '<')
			s->p++;
		else if (starts(s, "<!--"))
			s->p += 4, skip_to(s, "-->");
		else if (starts(s, "<![CDATA["))
			skip_to(s, "]]>");
		else if (starts(s, "<?"))
			skip_to(s, "?>");
		else if (starts(s, "</"))
			skip_to(s, ">");
		else
			return true;
	}
	return false;
}

static bool is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/*
 * From the '<' of a start tag to behind its '>'.
 * Return: where the attribute begins, NULL if the tag has none of that name.
 */
static const char *walk_tag(struct scan *s, const char *attribute)
{
	const char *found = NULL;

	while (s->p < s->end && !is_space(*s->p) && *s->p != '>' && *s->p != '/')
		s->p++;
	while (s->p < s->end && *s->p != '>') {
		const char *name = s->p;
		size_t len = 0;

		if (is_space(*s->p) || *s->p == '/') {
			s->p++;
			continue;
		}
		while (s->p < s->end && !is_space(*s->p) && *s->p != '=')
			s->p++, len++;
		if (attribute && strlen(attribute) == len && !memcmp(name, attribute, len))
			found = name;
		while (s->p < s->end && *s->p != '"' && *s->p != '\'')
			s->p++;
		if (s->p < s->end) {
			const char quote[2] = { *s->p++, '\0' };

			skip_to(s, quote);
		}
	}
	if (s->p < s->end)
		s->p++;
	return found;
}

/* How many elements begin before node, in document order. */
static size_t ordinal(const xmlNode *node)
{
	const xmlNode *n = xmlDocGetRootElement(node->doc);
	size_t count = 0;

	while (n && n != node) {
		const xmlNode *next = n->type == XML_ELEMENT_NODE ? n->children : NULL;

		count += n->type == XML_ELEMENT_NODE;
		for (; !next && n; n = n->parent)
			next = n->next;
		n = next;
	}
	return count;
}

static struct fmp_position position(const char *text, const char *at)
{
	struct fmp_position pos = { .line = 1, .column = 1 };

	for (; text < at; text++) {
		if (*text == '\n') {
			pos.line++;
			pos.column = 1;
		} else if (((unsigned char)*text & 0xc0) != 0x80) {
			pos.column++;
		}
	}
	return pos;
}

struct fmp_position fmpi_locate(const char *text, size_t len, const xmlNode *node,
				const char *attribute)
{
	struct scan s = { .text = text, .end = text + len, .p = text };
	struct fmp_position unknown = { .line = (unsigned)xmlGetLineNo((xmlNode *)node) };
	const char *tag, *attr;

	for (size_t n = ordinal(node); n; n--) {
		if (!next_tag(&s))
			return unknown;
		(void)walk_tag(&s, NULL);
	}
	if (!next_tag(&s))
		return unknown;
	tag = s.p;
	attr = walk_tag(&s, attribute);
	return position(text, attr ? attr : tag);
}
