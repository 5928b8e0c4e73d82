// SPDX-License-Identifier: GPL-2.0
#include "attachment_header.h"

#include <string.h>
#include <strings.h>

#define MAX_PARAMETERS 16u

/* In the order of their canonical form. */
enum {
	FIELD_DESCRIPTION,
	FIELD_DISPOSITION,
	FIELD_ID,
	FIELD_LOCATION,
	FIELD_TYPE,
	FIELDS
};

static const char *const names[FIELDS] = {
	[FIELD_DESCRIPTION] = "Content-Description",
	[FIELD_DISPOSITION] = "Content-Disposition",
	[FIELD_ID] = "Content-ID",
	[FIELD_LOCATION] = "Content-Location",
	[FIELD_TYPE] = "Content-Type",
};

struct span {
	const char *p;
	size_t n;
};

struct parameter {
	struct span name, value;
};

static struct span trim_span(const char *p, const char *end)
{
	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	while (p < end && (end[-1] == ' ' || end[-1] == '\t'))
		end--;
	return (struct span){ p, (size_t)(end - p) };
}

static bool is_named(const char *p, size_t n, const char *name)
{
	return n == strlen(name) && strncasecmp(p, name, n) == 0;
}

bool fmpi_attachment_header_is(const char *field, size_t n_name)
{
	for (unsigned i = 0; i < FIELDS; i++)
		if (is_named(field, n_name, names[i]))
			return true;
	return false;
}

const char *fmpi_attachment_header_find(const char *header, size_t len, const char *name,
					size_t *n_value)
{
	const char *p = header, *end = header + len;

	while (p < end) {
		const char *stop = memchr(p, '\n', (size_t)(end - p));
		const char *colon = stop ? memchr(p, ':', (size_t)(stop - p)) : NULL;

		if (!colon)
			break;
		if (is_named(p, (size_t)(colon - p), name)) {
			struct span value = trim_span(
				colon + 1, stop > p && stop[-1] == '\r' ? stop - 1 : stop);

			*n_value = value.n;
			return value.p;
		}
		p = stop + 1;
	}
	*n_value = 0;
	return NULL;
}

bool fmpi_attachment_header_is_of_bytes(const char *field, size_t n_name)
{
	static const char *const list[] = { "Content-Length", "Content-MD5", "Content-Digest",
					    "Repr-Digest",    "Digest",	     "ETag" };

	for (size_t i = 0; i < sizeof(list) / sizeof(*list); i++)
		if (is_named(field, n_name, list[i]))
			return true;
	return false;
}

/* Has the value one reading, without decoding? */
static bool is_simple(struct span v)
{
	bool quoted = false;

	for (size_t i = 0; i < v.n; i++) {
		if ((unsigned char)v.p[i] >= 0x7f || v.p[i] == '\\' ||
		    (!quoted && (v.p[i] == '(' || v.p[i] == ')')) || (quoted && v.p[i] == ';'))
			return false;
		if (v.p[i] == '"')
			quoted = !quoted;
	}
	return !quoted && !memmem(v.p, v.n, "=?", 2);
}

static bool add_lower(struct fmpi_buffer *o, struct span s)
{
	bool good = true;

	for (size_t i = 0; i < s.n && good; i++) {
		char c = s.p[i] >= 'A' && s.p[i] <= 'Z' ? (char)(s.p[i] | 0x20) : s.p[i];

		good = fmpi_buffer_add(o, &c, 1);
	}
	return good;
}

/* Values of these have no case (5.4.1, 15). */
static bool is_caseless(struct span name)
{
	static const char *const list[] = { "charset",	"creation-date",
					    "filename", "modification-date",
					    "padding",	"read-date",
					    "size",	"type" };

	for (size_t i = 0; i < sizeof(list) / sizeof(*list); i++)
		if (is_named(name.p, name.n, list[i]))
			return true;
	return false;
}

static int compare_names(struct span a, struct span b)
{
	size_t n = a.n < b.n ? a.n : b.n;
	int order = strncasecmp(a.p, b.p, n);

	return order ? order : (a.n > b.n) - (a.n < b.n);
}

/* One parameter, of which quotes are around the whole value or nowhere. */
static bool read_parameter(const char *p, const char *end, struct parameter *out)
{
	const char *equals = memchr(p, '=', (size_t)(end - p));
	bool quoted;

	if (!equals)
		return false;
	out->name = trim_span(p, equals);
	out->value = trim_span(equals + 1, end);
	quoted = out->value.n >= 2 && out->value.p[0] == '"';
	if (quoted) {
		if (out->value.p[out->value.n - 1] != '"')
			return false;
		out->value.p++;
		out->value.n -= 2;
	}
	return out->name.n && out->value.n && !memchr(out->name.p, '*', out->name.n) &&
	       !memchr(out->name.p, '"', out->name.n) && !memchr(out->value.p, '"', out->value.n);
}

/* In the order of their names, of which none stands twice. */
static int read_parameters(const char *p, const char *end, struct parameter list[MAX_PARAMETERS],
			   unsigned *n)
{
	for (*n = 0; p < end; (*n)++) {
		const char *stop = memchr(p + 1, ';', (size_t)(end - p - 1));
		struct parameter one;
		unsigned i = *n;

		stop = stop ? stop : end;
		if (*n == MAX_PARAMETERS || !read_parameter(p + 1, stop, &one))
			return FMP_ERR_SYNTAX;
		for (; i && compare_names(list[i - 1].name, one.name) > 0; i--)
			list[i] = list[i - 1];
		if (i && compare_names(list[i - 1].name, one.name) == 0)
			return FMP_ERR_SYNTAX;
		list[i] = one;
		p = stop;
	}
	return 0;
}

/* Without parameters the value stays as it is: so WSS4J. */
static int add_structured(struct fmpi_buffer *o, struct span v)
{
	const char *end = v.p + v.n, *semicolon = memchr(v.p, ';', v.n);
	struct parameter list[MAX_PARAMETERS];
	unsigned n;
	bool good;
	int ret;

	if (!semicolon)
		return fmpi_buffer_add(o, v.p, v.n) ? 0 : FMP_ERR_NOMEM;
	ret = read_parameters(semicolon, end, list, &n);
	if (ret)
		return ret;
	good = add_lower(o, (struct span){ v.p, (size_t)(semicolon - v.p) });
	for (unsigned i = 0; i < n && good; i++)
		good = fmpi_buffer_add(o, ";", 1) && add_lower(o, list[i].name) &&
		       fmpi_buffer_add(o, "=\"", 2) &&
		       (is_caseless(list[i].name)
				? add_lower(o, list[i].value)
				: fmpi_buffer_add(o, list[i].value.p, list[i].value.n)) &&
		       fmpi_buffer_add(o, "\"", 1);
	return good ? 0 : FMP_ERR_NOMEM;
}

static int add_field(struct fmpi_buffer *o, unsigned field, struct span v)
{
	int ret;

	if (!is_simple(v))
		return FMP_ERR_SYNTAX;
	if (!fmpi_buffer_add(o, names[field], strlen(names[field])) || !fmpi_buffer_add(o, ":", 1))
		return FMP_ERR_NOMEM;
	if (field == FIELD_DISPOSITION || field == FIELD_TYPE)
		ret = add_structured(o, v);
	else
		ret = fmpi_buffer_add(o, v.p, v.n) ? 0 : FMP_ERR_NOMEM;
	return ret || fmpi_buffer_add(o, "\r\n", 2) ? ret : FMP_ERR_NOMEM;
}

int fmpi_attachment_header_canonical(const char *header, size_t len, struct fmpi_buffer *out)
{
	static const char none[] = "text/plain;charset=\"us-ascii\""; /* 5.4.1, 2 */
	int ret = 0;

	for (unsigned i = 0; i < FIELDS && !ret; i++) {
		struct span v;

		v.p = fmpi_attachment_header_find(header, len, names[i], &v.n);
		if (!v.p && i == FIELD_TYPE)
			v = (struct span){ none, sizeof(none) - 1 };
		if (v.p)
			ret = add_field(out, i, v);
	}
	return ret;
}
