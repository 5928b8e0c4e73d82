// SPDX-License-Identifier: GPL-2.0
#include "text_span.h"

#include <stdlib.h>
#include <string.h>

#include "verdict/refuse.h"

enum tag_kind {
	NONE,
	START,
	EMPTY,
	END
};

/* Return: position behind the '>' that ends a tag, not one inside a value; NULL: there is none. */
static const uint8_t *skip_tag(const uint8_t *p, const uint8_t *end)
{
	for (; p < end && *p != '>'; p++) {
		if (*p != '"' && *p != '\'')
			continue;
		p = memchr(p + 1, *p, (size_t)(end - p - 1));
		if (!p)
			return NULL;
	}
	return p < end ? p + 1 : NULL;
}

/*
 * Skip a comment, CDATA section or processing instruction. Return: position behind it; p: it is
 * none of these; NULL: it does not end.
 */
static const uint8_t *skip_other(const uint8_t *p, const uint8_t *end)
{
	static const struct {
		const char *open, *close;
	} others[] = { { "<!--", "-->" }, { "<![CDATA[", "]]>" }, { "<?", "?>" } };

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		size_t open = strlen(others[i].open), close = strlen(others[i].close);

		if ((size_t)(end - p) < open || memcmp(p, others[i].open, open) != 0)
			continue;
		p = memmem(p + open, (size_t)(end - p) - open, others[i].close, close);
		return p ? p + close : NULL;
	}
	return p;
}

/* Find the next tag from *p on. Sets *at to its '<' and *p behind it. */
static enum tag_kind next_tag(const uint8_t **p, const uint8_t *end, const uint8_t **at)
{
	const uint8_t *behind;

	for (;; *p = behind) {
		*at = memchr(*p, '<', (size_t)(end - *p));
		behind = *at ? skip_other(*at, end) : NULL;
		if (!behind)
			return NONE;
		if (behind == *at)
			break;
	}
	*p = skip_tag(*at, end);
	if (!*p)
		return NONE;
	return (*at)[1] == '/' ? END : (*p)[-2] == '/' ? EMPTY : START;
}

/* An xop:Include, whose part took its place in the tree: the tree has no element where the text has one. */
static bool is_replaced(const xmlNode *element, unsigned at_depth, unsigned depth)
{
	return element && depth > at_depth && !fmpi_first(element);
}

int fmpi_text_spans_find(const uint8_t *text, size_t len, const xmlNode *const *node, unsigned n,
			 struct fmpi_text_span *out)
{
	const xmlNode *root = n ? xmlDocGetRootElement(node[0]->doc) : NULL, *element = NULL;
	const uint8_t *p = text, *end = text + len, *at;
	unsigned depth = 0, at_depth = 0, inside = 0, found = 0;

	/* Elements start in the text in document order, which is the order of the tree walk. */
	while (found < n) {
		enum tag_kind tag = next_tag(&p, end, &at);

		if (tag == START || tag == EMPTY) {
			depth++;
			if (!is_replaced(element, at_depth, depth)) {
				element = element ? fmpi_walk_next(root, element) : root;
				at_depth = depth;
			}
			if (element == node[found] && depth == at_depth && !inside) {
				out[found].start = (size_t)(at - text);
				inside = depth;
			}
		}
		if (tag == NONE || !element || !depth)
			return FMP_ERR_INVALID;
		if (tag == START)
			continue;
		if (depth-- == inside) {
			out[found++].end = (size_t)(p - text);
			inside = 0;
		}
	}
	return 0;
}

int fmpi_text_spans_fill(const uint8_t *text, size_t len, const struct fmpi_text_span *at,
			 const struct fmpi_buffer *with, unsigned n, struct fmpi_buffer *out,
			 struct fmpi_text_span *now)
{
	size_t from = 0;
	char *p;

	out->len = len;
	for (unsigned i = 0; i < n; i++)
		out->len += with[i].len - (at[i].end - at[i].start);
	out->p = p = malloc(out->len ? out->len : 1);
	if (!p)
		return FMP_ERR_NOMEM;
	for (unsigned i = 0; i < n; i++) {
		p = mempcpy(p, text + from, at[i].start - from);
		now[i].start = (size_t)(p - out->p);
		if (with[i].len)
			p = mempcpy(p, with[i].p, with[i].len);
		now[i].end = (size_t)(p - out->p);
		from = at[i].end;
	}
	memcpy(p, text + from, len - from);
	return 0;
}
