// SPDX-License-Identifier: GPL-2.0
/* Location fields of a service that names itself by a URL that only the gateway can reach. */
#include <fmp/internal/target.h>

#include <stdlib.h>
#include <string.h>
#include <strings.h>

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
		/* "//x" would be the host x (RFC 3986 4.2). */
		while (n > 1 && value[1] == '/')
			value++, n--;
	} else {
		if (!fmp_field_list_append(out, "/", 1))
			return false;
	}
	return fmp_field_list_append(out, value, n);
}
