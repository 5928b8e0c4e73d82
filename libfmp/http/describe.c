// SPDX-License-Identifier: GPL-2.0
#include <fmp/internal/describe.h>

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/hex.h"

#define LETTERS_DIGITS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
#define BOM	       "\xef\xbb\xbf"
/* Of a name that is escaped more often, no one knows what it means. */
#define DECODINGS      3u

/* ---- requests ---- */

/* @text: a parameter of the query, n bytes. */
static bool read_parameter(const char *text, size_t n, struct fmp_describe_request *out)
{
	static const struct {
		const char *name;
		bool schema;
	} known[] = { { "wsdl", false }, { "singlewsdl", false }, { "xsd", true } };
	const char *equals = memchr(text, '=', n);
	size_t name_len = equals ? (size_t)(equals - text) : n;

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
		if (strlen(known[i].name) != name_len ||
		    strncasecmp(text, known[i].name, name_len) != 0)
			continue;
		out->schema = known[i].schema;
		out->name = equals ? equals + 1 : text + n;
		out->name_len = equals ? n - name_len - 1 : 0;
		return !out->schema || out->name_len;
	}
	return false;
}

static bool read_query(const char *query, struct fmp_describe_request *out)
{
	while (*query) {
		size_t n = strcspn(query, "&");

		if (read_parameter(query, n, out))
			return true;
		query += n + (query[n] == '&');
	}
	return false;
}

bool fmp_describe_parse(const char *target, struct fmp_describe_request *out)
{
	static const char suffix[] = ".wsdl";
	size_t n = strcspn(target, "?");

	*out = (struct fmp_describe_request){ .name = target + n };
	if (target[n] != '?' || !read_query(target + n + 1, out)) {
		if (n <= sizeof(suffix) || target[n] ||
		    strncasecmp(target + n - (sizeof(suffix) - 1), suffix, sizeof(suffix) - 1) != 0)
			return false;
		n -= sizeof(suffix) - 1;
	}
	if (n >= sizeof(out->path) || !n)
		return false;
	memcpy(out->path, target, n);
	out->path[n] = '\0';
	return !out->path[strspn(out->path, LETTERS_DIGITS "/%-._~!$*+,;:@=()")];
}

/* ---- names that lead out of the folder ---- */

/* Decode %XX in place, once. Return: false: nothing was to be decoded. */
static bool decode_escapes(char *text, size_t *n)
{
	size_t from = 0, to = 0;

	while (from < *n) {
		int high = text[from] == '%' && from + 2 < *n ? fmpi_hex_digit(text[from + 1]) : -1;
		int low = high < 0 ? -1 : fmpi_hex_digit(text[from + 2]);

		text[to++] = low < 0 ? text[from] : (char)(high << 4 | low);
		from += low < 0 ? 1 : 3;
	}
	*n = to;
	return to != from;
}

/* An absolute path, a URL or a drive is elsewhere; before a NUL some see the end. */
static bool is_elsewhere(const char *text, size_t n)
{
	if (n && (*text == '/' || *text == '\\'))
		return true;
	return memchr(text, 0, n) || memmem(text, n, ":/", 2) || memmem(text, n, ":\\", 2);
}

static bool climbs_out(const char *text, size_t n)
{
	const char *end = text + n;
	int depth = 0;

	for (const char *p = text; p < end; p++) {
		const char *at = p;

		while (p < end && *p != '/' && *p != '\\')
			p++;
		if (p - at == 2 && !memcmp(at, "..", 2))
			depth--;
		else if (p != at && !(p - at == 1 && *at == '.'))
			depth++;
		if (depth < 0)
			return true;
	}
	return false;
}

static bool ends_as_document(const char *text, size_t n)
{
	static const char *const suffixes[] = { ".xsd", ".wsdl" };
	const char *slash = memrchr(text, '/', n);
	const char *name = slash ? slash + 1 : text;
	size_t len = n - (size_t)(name - text);

	for (size_t i = 0; i < sizeof(suffixes) / sizeof(*suffixes); i++) {
		size_t end = strlen(suffixes[i]);

		if (len > end && !strncasecmp(name + len - end, suffixes[i], end))
			return true;
	}
	return false;
}

/*
 * Services publish imports from beside their folder so: xsd=../schemas/a.xsd. The suffix tells only
 * if every reader sees the same end of the name: escaped once at most, no delimiters.
 */
static bool is_document_beside(const char *value, size_t n)
{
	char text[FMP_DESCRIBE_NAME];

	memcpy(text, value, n);
	decode_escapes(text, &n);
	for (size_t i = 0; i < n; i++)
		if ((uint8_t)text[i] <= ' ' || text[i] == 0x7f ||
		    strchr("%\\:;?#&\"'<>|*", text[i]))
			return false;
	return ends_as_document(text, n);
}

/*
 * A service may decode a name once more than it should: each reading counts.
 * @is_document: it is the value of wsdl= or xsd=
 */
static bool is_value_outside(const char *value, size_t n, bool is_document)
{
	char text[FMP_DESCRIBE_NAME];
	unsigned left = DECODINGS;
	size_t len = n;
	bool climbs = false;

	if (n >= sizeof(text))
		return true;
	memcpy(text, value, n);
	do {
		if (is_elsewhere(text, len))
			return true;
		climbs = climbs || climbs_out(text, len);
	} while (decode_escapes(text, &len) && left--);
	if (left > DECODINGS)
		return true;
	return climbs && !(is_document && is_document_beside(value, n));
}

bool fmp_describe_is_outside(const char *target)
{
	const char *query = strchr(target, '?');

	for (query += query != NULL; query && *query;) {
		size_t n = strcspn(query, "&;");
		const char *equals = memchr(query, '=', n);
		const char *value = equals ? equals + 1 : query;
		struct fmp_describe_request ask;
		bool is_document = equals && read_parameter(query, n, &ask);

		if (is_value_outside(value, n - (size_t)(value - query), is_document))
			return true;
		query += n + (query[n] != '\0');
	}
	return false;
}

/* ---- the URL of a service ---- */

/* A registered name or an IPv4 address, or an IPv6 address in brackets; and a port. */
static bool is_host(const char *host)
{
	size_t n = *host == '[' ? strspn(host + 1, "0123456789abcdefABCDEF:.") + 1
				: strspn(host, LETTERS_DIGITS "-._");

	if (*host == '[' && host[n++] != ']')
		return false;
	if (!n || !host[n])
		return n;
	return host[n] == ':' && host[n + 1] && strlen(host + n + 1) <= 5 &&
	       !host[n + 1 + strspn(host + n + 1, "0123456789")];
}

bool fmp_describe_url(const char *scheme, const char *host, const char *path,
		      char out[FMP_DESCRIBE_URL])
{
	if (!is_host(host))
		return false;
	return snprintf(out, FMP_DESCRIBE_URL, "%s://%s%s", scheme, host, path) < FMP_DESCRIBE_URL;
}

/* ---- what a service sends ---- */

static bool is_xml_type(const char *type)
{
	static const char *const types[] = { "text/xml", "application/xml", "application/wsdl+xml",
					     "text/wsdl" };
	size_t n = strcspn(type, "; \t");

	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
		if (strlen(types[i]) == n && !strncasecmp(type, types[i], n))
			return true;
	return false;
}

const char *fmp_describe_check(const char *type, const char *body, size_t len)
{
	const char *end = body + len, *at = body;

	if (!is_xml_type(type))
		return "its Content-Type is not that of a WSDL or XML Schema";
	if (len >= 3 && !memcmp(body, BOM, 3))
		at += 3;
	while (at < end && strchr(" \t\r\n", *at) && *at)
		at++;
	/* Encodings of wider units, and EBCDIC, do not begin so. */
	if (at == end || *at != '<' || memchr(body, 0, len))
		return "it is not XML in UTF-8 or another superset of ASCII";
	if (memmem(body, len, "<!DOCTYPE", 9) || memmem(body, len, "<!ENTITY", 8))
		return "it has a DOCTYPE";
	if (memmem(body, len < 200 ? len : 200, "UTF-7", 5) ||
	    memmem(body, len < 200 ? len : 200, "utf-7", 5))
		return "it is not XML in UTF-8 or another superset of ASCII";
	return NULL;
}

/* Is [at, at + n) a location of the backend? Then append it as the client reaches it. */
static bool append_location(struct fmp_field_list *out, const struct fmp_target_service *s,
			    const char *origin, const char *at, size_t n)
{
	struct fmp_field_list mapped = { 0 };
	bool ok = fmp_target_unmap(&mapped, s, at, n);

	if (ok && mapped.len && *mapped.bytes == '/' && *at != '/')
		ok = fmp_field_list_append(out, origin, strlen(origin));
	ok = ok && fmp_field_list_append(out, mapped.bytes, mapped.len);
	fmp_field_list_exit(&mapped);
	return ok;
}

static bool ends_with(const char *body, const char *at, const char *word)
{
	size_t n = strlen(word);

	return (size_t)(at - body) >= n && !memcmp(at - n, word, n);
}

/*
 * From an equals sign or a '>' at @at: where a location begins behind it, and by what it ends. NULL:
 * none begins there.
 */
static const char *find_value(const char *body, const char *at, const char *end, char *stop)
{
	const char *p = at;

	*stop = '<';
	if (*at == '>')
		return ends_with(body, at, "Address") ? at + 1 : NULL;
	while (p > body && strchr(" \t\r\n", p[-1]))
		p--;
	if (!ends_with(body, p, "location") && !ends_with(body, p, "Location"))
		return NULL;
	for (at++; at < end && *at && strchr(" \t\r\n", *at); at++)
		;
	if (at == end || (*at != '"' && *at != '\''))
		return NULL;
	*stop = *at;
	return at + 1;
}

bool fmp_describe_rewrite(struct fmp_field_list *out, const struct fmp_target_service *s,
			  const char *origin, const char *body, size_t len)
{
	const char *end = body + len, *kept = body;
	/* Searched for in vain: not again, or a long text of such places would take forever. */
	bool lacks[256] = { false };

	for (const char *at = body; at < end; at++) {
		const char *value, *behind;
		char stop;

		if (*at != '=' && *at != '>')
			continue;
		value = find_value(body, at, end, &stop);
		if (!value || lacks[(uint8_t)stop])
			continue;
		behind = memchr(value, stop, (size_t)(end - value));
		lacks[(uint8_t)stop] = !behind;
		if (!behind)
			continue;
		while (value < behind && *value && strchr(" \t\r\n", *value))
			value++;
		while (behind > value && behind[-1] && strchr(" \t\r\n", behind[-1]))
			behind--;
		if (!fmp_field_list_append(out, kept, (size_t)(value - kept)) ||
		    !append_location(out, s, origin, value, (size_t)(behind - value)))
			return false;
		kept = behind;
		at = behind;
	}
	return fmp_field_list_append(out, kept, (size_t)(end - kept));
}
