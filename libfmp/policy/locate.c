// SPDX-License-Identifier: GPL-2.0
/* Finds line and column of an element or attribute in the text. */
#include <policy/locate.h>

#include <string.h>

struct scan {
	const char *text, *end, *p;
};

/* Move p behind the next occurrence of @mark, or to the end. */
static void skip_past(struct scan *s, const char *mark)
{
	const char *at = memmem(s->p, (size_t)(s->end - s->p), mark, strlen(mark));

	s->p = at ? at + strlen(mark) : s->end;
}

static bool starts_with(const struct scan *s, const char *mark)
{
	size_t len = strlen(mark);

	return (size_t)(s->end - s->p) >= len && !memcmp(s->p, mark, len);
}

/* Move p to the '<' of the next start tag. Return: false at the end. */
static bool find_next_tag(struct scan *s)
{
	while (s->p < s->end) {
		if (*s->p != '<')
			s->p++;
		else if (starts_with(s, "<!--"))
			s->p += 4, skip_past(s, "-->");
		else if (starts_with(s, "<![CDATA["))
			skip_past(s, "]]>");
		else if (starts_with(s, "<?"))
			skip_past(s, "?>");
		else if (starts_with(s, "</"))
			skip_past(s, ">");
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
 * Scan a start tag from its '<' to behind its '>'.
 * Return: the position of the attribute; NULL if the tag has none of that name.
 */
static const char *scan_tag(struct scan *s, const char *attribute)
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

			skip_past(s, quote);
		}
	}
	if (s->p < s->end)
		s->p++;
	return found;
}

/* The number of elements that begin before @node, in document order. */
static size_t count_preceding(const xmlNode *node)
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

static struct fmp_position compute_position(const char *text, const char *at)
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

	for (size_t n = count_preceding(node); n; n--) {
		if (!find_next_tag(&s))
			return unknown;
		(void)scan_tag(&s, NULL);
	}
	if (!find_next_tag(&s))
		return unknown;
	tag = s.p;
	attr = scan_tag(&s, attribute);
	return compute_position(text, attr ? attr : tag);
}
