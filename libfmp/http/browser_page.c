// SPDX-License-Identifier: GPL-2.0
#include <fmp/internal/browser_page.h>

#include <ctype.h>
#include <string.h>
#include <strings.h>

struct reader {
	const char *p, *end;
};

static bool is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f';
}

static bool skip_space(struct reader *r)
{
	const char *from = r->p;

	while (r->p < r->end && is_space(*r->p))
		r->p++;
	return r->p > from;
}

/* HTML keywords and names are case-insensitive. */
static bool skip_word(struct reader *r, const char *word)
{
	size_t n = strlen(word);

	if ((size_t)(r->end - r->p) < n || strncasecmp(r->p, word, n) != 0)
		return false;
	r->p += n;
	return true;
}

static bool skip_past(struct reader *r, const char *close)
{
	const char *at = memmem(r->p, (size_t)(r->end - r->p), close, strlen(close));

	if (at)
		r->p = at + strlen(close);
	return at;
}

/* Skip white space and comments. Return: false if a comment does not end. */
static bool skip_misc(struct reader *r)
{
	for (;;) {
		skip_space(r);
		if (!skip_word(r, "<!--"))
			return true;
		if (!skip_past(r, "-->"))
			return false;
	}
}

static bool begins_with_any(const char *text, size_t len, const char *const *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (len >= strlen(list[i]) && !strncasecmp(text, list[i], strlen(list[i])))
			return true;
	return false;
}

static bool read_literal(struct reader *r, const char **text, size_t *len)
{
	const char *close;

	skip_space(r);
	if (r->p == r->end || (*r->p != '"' && *r->p != '\''))
		return false;
	*text = r->p + 1;
	close = memchr(*text, *r->p, (size_t)(r->end - *text));
	if (!close)
		return false;
	*len = (size_t)(close - *text);
	r->p = close + 1;
	return true;
}

/* Behind PUBLIC: owner of the document type, and optionally its location. */
static bool read_public_id(struct reader *r)
{
	static const char *const owners[] = { "-//W3C//DTD ", "-//IETF//DTD ",
					      "-//WAPFORUM//DTD " };
	static const char *const places[] = { "http://www.w3.org/", "https://www.w3.org/",
					      "http://www.wapforum.org/",
					      "http://www.openmobilealliance.org/" };
	const char *text;
	size_t len;

	if (!read_literal(r, &text, &len) ||
	    !begins_with_any(text, len, owners, sizeof(owners) / sizeof(*owners)))
		return false;
	return !read_literal(r, &text, &len) ||
	       begins_with_any(text, len, places, sizeof(places) / sizeof(*places));
}

/* Parse behind "<!DOCTYPE". */
static bool read_doctype(struct reader *r)
{
	static const char *const legacy[] = { "about:legacy-compat" };
	const char *text;
	size_t len;

	if (!skip_space(r) || !skip_word(r, "html"))
		return false;
	if (skip_space(r) && skip_word(r, "public")) {
		if (!read_public_id(r))
			return false;
	} else if (skip_word(r, "system")) {
		if (!read_literal(r, &text, &len) || !begins_with_any(text, len, legacy, 1))
			return false;
	}
	skip_space(r);
	return skip_word(r, ">");
}

/* HTML lets most elements be omitted. Without a document type only <html> counts. */
static bool begins_with_page_element(const struct reader *r, bool declared)
{
	static const char *const first[] = { "<html", "<head", "<body", "<title", "<meta" };

	for (size_t i = 0; i < (declared ? sizeof(first) / sizeof(*first) : 1); i++) {
		struct reader at = *r;

		if (skip_word(&at, first[i]))
			return at.p < at.end && (is_space(*at.p) || *at.p == '>' || *at.p == '/');
	}
	return false;
}

/* One byte of an XML 1.0 name, colon and non-ASCII included. */
static bool is_name_byte(char c)
{
	return isalnum((unsigned char)c) || (c && strchr("_-.:", c)) || (unsigned char)c >= 0x80;
}

/* Is there an element Envelope with any prefix? @p: at a '<', which ends each scan backwards. */
static bool has_envelope(const char *p, const char *end)
{
	static const char name[] = "Envelope";
	const size_t n = sizeof(name) - 1;

	for (; (p = memmem(p, (size_t)(end - p), name, n)); p += n) {
		const char *before = p, *behind = p + n;

		/* Scan backwards only from the end of a name: each name is scanned once. */
		if (behind < end && is_name_byte(*behind))
			continue;
		while (is_name_byte(before[-1]))
			before--;
		if (before[-1] == '<' && (before == p || p[-1] == ':'))
			return true;
	}
	return false;
}

bool fmp_browser_page_is(const void *bytes, size_t len, size_t *rest)
{
	struct reader r = { .p = bytes, .end = (const char *)bytes + len };
	bool declared;

	*rest = 0;
	skip_word(&r, "\xef\xbb\xbf");
	skip_space(&r);
	if (skip_word(&r, "<?xml ") && !skip_past(&r, "?>"))
		return false;
	if (!skip_misc(&r))
		return false;
	declared = skip_word(&r, "<!doctype");
	if (declared) {
		if (!read_doctype(&r))
			return false;
		*rest = (size_t)(r.p - (const char *)bytes);
		if (!skip_misc(&r))
			return false;
	}
	return begins_with_page_element(&r, declared) && !has_envelope(r.p, r.end);
}

bool fmp_browser_page_explains(enum fmp_event_kind kind)
{
	/* UNSUPPORTED: an old charset, which in a message is no attack either. */
	return kind == FMP_EVENT_WELLFORMED || kind == FMP_EVENT_SOAP ||
	       kind == FMP_EVENT_ENCODING || kind == FMP_EVENT_UNSUPPORTED;
}
