// SPDX-License-Identifier: GPL-2.0
#include <fmp/internal/target.h>

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/hex.h"

/* Return: the byte that "%XY" stands for; -1: no hex digits. */
static int decode_byte(const char *p)
{
	int high = fmpi_hex_digit(p[1]), low = high < 0 ? -1 : fmpi_hex_digit(p[2]);

	return low < 0 ? -1 : high << 4 | low;
}

/* RFC 3986 2.3 */
static bool is_unreserved(int c)
{
	return (c < 0x80 && isalnum(c)) || (c && c < 0x80 && strchr("-._~", c));
}

static bool is_delimiter(int c)
{
	return c < 0x20 || c == 0x7f || c == '/' || c == '\\';
}

/* Decode or copy "%XY" at p to w. Return: NULL, or why it is refused. */
static const char *normalise_encoded(const char *p, char **w)
{
	static const char digits[] = "0123456789ABCDEF";
	int c = decode_byte(p), twice;

	if (c < 0)
		return "request target has a '%' without two hex digits";
	if (is_delimiter(c))
		return "request target has an encoded slash, backslash or control character";
	if (is_unreserved(c)) {
		*(*w)++ = (char)c;
		return NULL;
	}
	/* The service decodes once; what decodes again behind it would find another path. */
	twice = c == '%' && p[3] ? decode_byte(p + 2) : -1;
	if (twice == '.' || (twice >= 0 && is_delimiter(twice)))
		return "request target has a delimiter that is encoded twice";
	*(*w)++ = '%';
	*(*w)++ = digits[c >> 4];
	*(*w)++ = digits[c & 15];
	return NULL;
}

/* The segment from @start to @w is complete. Return: NULL, or why it is refused. */
static const char *end_segment(const char *start, char **w)
{
	size_t n = (size_t)(*w - start);

	if (!n || *start != '.')
		return NULL;
	if (n == 1)
		(*w)--;
	else if (start[1] == ';' || (start[1] == '.' && (n == 2 || start[2] == ';')))
		return "request target has a \"..\" segment";
	return NULL;
}

/* Most paths need no change. */
static bool is_normal(const char *path)
{
	size_t n = strcspn(path, "%\\?#");

	if (path[n] && path[n] != '?')
		return false;
	for (size_t i = 0; i + 1 < n; i++)
		if (path[i] == '/' && (path[i + 1] == '/' || path[i + 1] == '.'))
			return false;
	return true;
}

const char *fmp_target_normalise(char *target)
{
	const char *p = target, *why = NULL;
	char *w = target, *segment = target;

	if (strchr(target, '#'))
		return "request target has a fragment";
	if (is_normal(target))
		return NULL;
	while (*p && *p != '?' && !why) {
		if (*p == '\\')
			return "request target has a backslash";
		if (*p == '%') {
			why = normalise_encoded(p, &w);
			p += 3;
		} else if (*p == '/') {
			why = end_segment(segment, &w);
			/* An empty or "." segment ends: its slash stands already. */
			if (w == target || w[-1] != '/')
				*w++ = '/';
			segment = w;
			p++;
		} else {
			*w++ = *p++;
		}
	}
	if (!why)
		why = end_segment(segment, &w);
	if (why)
		return why;
	memmove(w, p, strlen(p) + 1);
	return NULL;
}

static bool append_text(struct fmp_field_list *out, const char *text)
{
	return fmp_field_list_append(out, text, strlen(text));
}

/* The part of the path that is appended; "": none. Its length: @n. */
static const char *rest_of_path(const char *to, const char *prefix, const char *target, size_t *n)
{
	size_t len = strcspn(target, "?"), fixed = prefix ? strlen(prefix) : 0;
	const char *rest = "";

	if (!prefix && !*to)
		rest = target;
	else if (fixed && prefix[fixed - 1] == '*' && len >= fixed - 1)
		rest = target + fixed - 1;
	*n = *rest ? (size_t)(target + len - rest) : 0;
	return rest;
}

bool fmp_target_map(struct fmp_field_list *out, const char *to, const char *prefix,
		    const char *target)
{
	size_t n, path = strcspn(to, "?");
	const char *rest = rest_of_path(to, prefix, target, &n), *query = strchr(target, '?');
	bool slash = n ? *rest == '/' : path != 0;

	if (!fmp_field_list_append(out, to, path))
		return false;
	/* Exactly one slash between both. */
	if (n && *rest == '/' && path && to[path - 1] == '/')
		rest++, n--;
	else if (!slash && (!path || to[path - 1] != '/') && !append_text(out, "/"))
		return false;
	if (n && !fmp_field_list_append(out, rest, n))
		return false;
	if (to[path] && !append_text(out, to + path))
		return false;
	if (!query || !query[1])
		return true;
	return append_text(out, to[path] ? "&" : "?") && append_text(out, query + 1);
}

/* ---- a service that names itself by a URL that only the gateway can reach ---- */

static bool begins_with(const char *p, size_t n, const char *text)
{
	size_t len = strlen(text);

	return n >= len && !strncasecmp(p, text, len);
}

/* ":PORT" or nothing; nothing is the scheme's port. Return: its length; n: it is another one. */
static size_t measure_port(const struct fmp_target_service *s, const char *p, size_t n)
{
	unsigned port = s->tls ? 443 : 80;
	size_t i = 0;

	if (n && *p == ':') {
		for (i = 1, port = 0; i < n && i < 7 && p[i] >= '0' && p[i] <= '9'; i++)
			port = port * 10 + (unsigned)(p[i] - '0');
	}
	return port == s->port && (i == n || strchr("/?#", p[i])) ? i : n + 1;
}

/* Length of scheme, host and port if they are the backend's, else 0. */
static size_t measure_origin(const struct fmp_target_service *s, const char *p, size_t n)
{
	const char *scheme = s->tls ? "https://" : "http://";
	bool bracket;
	size_t at, port;

	if (!begins_with(p, n, scheme))
		return 0;
	at = strlen(scheme);
	bracket = at < n && p[at] == '[';
	at += bracket;
	if (!begins_with(p + at, n - at, s->host))
		return 0;
	at += strlen(s->host);
	if (bracket && (at == n || p[at++] != ']'))
		return 0;
	port = measure_port(s, p + at, n - at);
	return port > n - at ? 0 : at + port;
}

bool fmp_target_unmap(struct fmp_field_list *out, const struct fmp_target_service *s,
		      const char *value, size_t n)
{
	size_t origin = measure_origin(s, value, n), to = strcspn(s->to, "?"),
	       prefix = s->prefix ? strlen(s->prefix) : 0;
	bool below = prefix && s->prefix[prefix - 1] == '*';

	if (!origin)
		return fmp_field_list_append(out, value, n);
	value += origin;
	n -= origin;
	if (prefix && n >= to && !memcmp(value, s->to, to) &&
	    (n == to || strchr("/?#", value[to]) || (to && s->to[to - 1] == '/'))) {
		value += to;
		n -= to;
		/* One slash between both. */
		if (below && n && *value == '/')
			value++, n--;
		if (!fmp_field_list_append(out, s->prefix, prefix - below))
			return false;
	} else if (n && *value == '/') {
		/* "//x" would be the host x (RFC 3986 4.2); browsers read "\\" as "/". */
		while (n > 1 && (value[1] == '/' || value[1] == '\\'))
			value++, n--;
	} else {
		if (!fmp_field_list_append(out, "/", 1))
			return false;
	}
	return fmp_field_list_append(out, value, n);
}
