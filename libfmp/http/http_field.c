// SPDX-License-Identifier: GPL-2.0
/* Meaning of the header fields, each alone and all together. */
#include "http_private.h"

#include <string.h>
#include <strings.h>

#include <fmp/inspect.h>

#include <fmp/internal/target.h>

/* Known fields; every other field is checked and kept. */
enum field {
	F_OTHER,
	F_HOST,
	F_CONTENT_LENGTH,
	F_TRANSFER_ENCODING,
	F_CONTENT_TYPE,
	F_CONTENT_ENCODING,
	F_CONNECTION,
	F_EXPECT,
	F_SOAP_ACTION,
	F_FORWARDED_FOR,
	F_ORIGIN,
	F_FETCH_SITE,
};

static const char *const field_names[] = {
	[F_HOST] = "host",
	[F_CONTENT_LENGTH] = "content-length",
	[F_TRANSFER_ENCODING] = "transfer-encoding",
	[F_CONTENT_TYPE] = "content-type",
	[F_CONTENT_ENCODING] = "content-encoding",
	[F_CONNECTION] = "connection",
	[F_EXPECT] = "expect",
	[F_SOAP_ACTION] = "soapaction",
	[F_FORWARDED_FOR] = "x-forwarded-for",
	[F_ORIGIN] = "origin",
	[F_FETCH_SITE] = "sec-fetch-site",
};

#define CONNECTION_MAX 1024u /* bytes of all Connection fields */

#define SEEN(h, f) ((h)->seen & (1u << (f)))

static enum fmp_http_state parse_content_length(struct fmp_http *h)
{
	const char *p = h->value;

	if (!*p)
		return fmp_http_refuse(h, 400, "Content-Length is empty");
	for (; *p; p++) {
		if (*p < '0' || *p > '9')
			return fmp_http_refuse(h, 400, "Content-Length is not a number");
		if (h->length > (UINT64_MAX - 9) / 10)
			return fmp_http_refuse_as(h, 413, FMP_EVENT_OVERSIZE,
						  "Content-Length overflows");
		h->length = h->length * 10 + (uint64_t)(*p - '0');
	}
	return FMP_HTTP_READING;
}

static const char stands_twice[] = "a field that may stand once stands twice";

static enum fmp_http_state parse_soap_action(struct fmp_http *h)
{
	size_t n = h->n_value;

	if (n >= 2 && h->value[0] == '"' && h->value[n - 1] == '"') {
		memmove(h->value, h->value + 1, n - 2);
		h->value[n - 2] = 0;
	}
	/* A URI has no backslash, and some parsers drop it. */
	if (strpbrk(h->value, "\"\\"))
		return fmp_http_refuse(h, 400, "SOAPAction is not well quoted");
	/* Some clients and their proxies add it both: the same text twice says one thing. */
	if (h->has_action && strcmp(h->soap_action, h->value) != 0)
		return fmp_http_refuse(h, 400, stands_twice);
	memcpy(h->soap_action, h->value, sizeof(h->soap_action));
	h->has_action = true;
	return FMP_HTTP_READING;
}

/*
 * What Connection names is not forwarded (RFC 9110 7.6.1). A client that names a field that all on
 * the way need wants a proxy to lose it.
 */
static bool is_end_to_end(const char *name, size_t n)
{
	static const char *const names[] = { "host",	   "content-length",   "content-type",
					     "soapaction", "content-encoding", "authorization",
					     "cookie",	   "origin",	       "via",
					     "forwarded",  "expect",	       "date" };

	if (n > 12 && fmp_field_name_is(name, 12, "x-forwarded-"))
		return true;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (fmp_field_name_is(name, n, names[i]))
			return true;
	return false;
}

/*
 * RFC 9110 7.6.1; further Connection fields add to the first. Each field is looked for in all of
 * them when it is forwarded: they must not be long.
 */
static enum fmp_http_state parse_connection(struct fmp_http *h)
{
	const char *p = h->value;

	h->connection_bytes += (unsigned)h->n_value;
	if (h->connection_bytes > CONNECTION_MAX)
		return fmp_http_refuse(h, h->limits.response ? 502 : 431,
				       "the Connection fields are too long");
	for (p += strspn(p, ", \t"); *p; p += strspn(p, ", \t")) {
		size_t n = strcspn(p, ", \t");

		if (fmp_field_name_is(p, n, "close"))
			h->tokens |= 1;
		else if (fmp_field_name_is(p, n, "keep-alive"))
			h->tokens |= 2;
		else
			h->names_fields++;
		if (!h->limits.response && is_end_to_end(p, n))
			return fmp_http_refuse(h, 400,
					       "Connection names a field that is not of one hop");
		p += n;
	}
	if (h->names_fields > FMP_HTTP_HOP_NAMES)
		return fmp_http_refuse(h, h->limits.response ? 502 : 431,
				       "Connection names too many fields");
	return FMP_HTTP_READING;
}

static enum fmp_http_state parse_content_encoding(struct fmp_http *h)
{
	static const struct {
		const char *name;
		enum fmp_content_coding coding;
	} known[] = { { "gzip", FMP_CONTENT_CODING_GZIP },
		      { "x-gzip", FMP_CONTENT_CODING_GZIP },
		      { "deflate", FMP_CONTENT_CODING_DEFLATE } };

	if (!strcasecmp(h->value, "identity"))
		return FMP_HTTP_READING;
	for (size_t i = 0;
	     (h->limits.compressed || h->limits.response) && i < sizeof(known) / sizeof(*known);
	     i++) {
		if (!strcasecmp(h->value, known[i].name)) {
			h->coding = known[i].coding;
			return FMP_HTTP_READING;
		}
	}
	if (h->limits.response) {
		h->coding = FMP_CONTENT_CODING_OTHER;
		return FMP_HTTP_READING;
	}
	return fmp_http_refuse(h, 415, "Content-Encoding is not allowed");
}

/* Fetch Metadata: was it a page of this site or the user, or a page of another site? */
static void parse_fetch_site(struct fmp_http *h)
{
	bool own = !strcasecmp(h->value, "same-origin") || !strcasecmp(h->value, "none");

	h->fetch_site = own ? FMP_HTTP_FETCH_SAME_SITE : FMP_HTTP_FETCH_CROSS_SITE;
}

/* A truncated value equals no host of ours. */
static void keep_origin(char out[FMP_HTTP_ORIGIN], const char *value)
{
	size_t n = strnlen(value, FMP_HTTP_ORIGIN - 1);

	memcpy(out, value, n);
	out[n] = '\0';
}

static bool is_host_name(const char *value)
{
	return !strpbrk(value, " \t,/@");
}

const char *fmp_http_authority(const struct fmp_http *h, size_t *len)
{
	static const char *const schemes[] = { "http://", "https://" };

	const char *target = h->fields.bytes;

	/* Fast path: nearly all targets are in origin-form. */
	if (!h->fields.first || *target == '/')
		return NULL;
	for (size_t i = 0; i < sizeof(schemes) / sizeof(*schemes); i++) {
		size_t n = strlen(schemes[i]);

		if (strncasecmp(target, schemes[i], n) != 0)
			continue;
		*len = strcspn(target + n, "/?#");
		return target + n;
	}
	return NULL;
}

const char *fmp_http_host(const struct fmp_http *h)
{
	return h->host;
}

const char *fmp_http_path(const struct fmp_http *h)
{
	size_t len;
	const char *host = fmp_http_authority(h, &len);

	if (!host)
		return h->fields.first ? h->fields.bytes : "";
	return host[len] == '/' ? host + len : host[len] ? "" : "/";
}

/*
 * In absolute-form the target's host replaces the Host field (RFC 9112 3.2.2). Return: is it valid?
 */
static bool apply_authority(struct fmp_http *h)
{
	size_t len;
	const char *host = fmp_http_authority(h, &len);

	if (!host)
		return true;
	if (len >= sizeof(h->host))
		return false;
	memcpy(h->host, host, len);
	h->host[len] = '\0';
	return len && is_host_name(h->host);
}

/*
 * The Origin names the host that served the page (RFC 6454 7). "null" and schemes of apps prove
 * nothing. Behind a proxy, Host may not be what the browser sent: do not compare.
 */
static bool is_cross_site(const struct fmp_http *h)
{
	static const char *const schemes[] = { "http://", "https://" };

	if (h->fetch_site != FMP_HTTP_FETCH_UNKNOWN || h->limits.forwarded)
		return h->fetch_site == FMP_HTTP_FETCH_CROSS_SITE;
	for (size_t i = 0; i < sizeof(schemes) / sizeof(*schemes); i++) {
		size_t n = strlen(schemes[i]);

		if (!strncasecmp(h->origin, schemes[i], n))
			return strcasecmp(h->origin + n, h->host) != 0;
	}
	return false;
}

enum fmp_http_state fmp_http_field_apply(struct fmp_http *h)
{
	bool again = SEEN(h, h->field), list = h->field == F_CONNECTION ||
					       h->field == F_FORWARDED_FOR ||
					       h->field == F_SOAP_ACTION;

	h->value[h->n_value] = 0;
	h->seen |= 1u << h->field;
	if (again && !list)
		return fmp_http_refuse(h, 400, stands_twice);
	switch (h->field) {
	case F_HOST:
		if (!is_host_name(h->value))
			return fmp_http_refuse(h, 400, "Host is not a host");
		keep_origin(h->host, h->value);
		break;
	case F_CONTENT_LENGTH:
		return parse_content_length(h);
	case F_TRANSFER_ENCODING:
		if (strcasecmp(h->value, "chunked"))
			return fmp_http_refuse(h, 501, "Transfer-Encoding is not chunked");
		h->chunked = true;
		break;
	case F_CONTENT_TYPE:
		memcpy(h->content_type, h->value, sizeof(h->content_type));
		h->has_type = *h->value;
		break;
	case F_CONTENT_ENCODING:
		h->has_coding = true;
		return parse_content_encoding(h);
	case F_CONNECTION:
		return parse_connection(h);
	case F_EXPECT:
		if (strcasecmp(h->value, "100-continue"))
			return fmp_http_refuse(h, 417, "Expect is not 100-continue");
		h->expect_continue = true;
		break;
	case F_SOAP_ACTION:
		return parse_soap_action(h);
	case F_FORWARDED_FOR:
		return fmp_http_add_forwarded(h);
	case F_ORIGIN:
		keep_origin(h->origin, h->value);
		break;
	case F_FETCH_SITE:
		parse_fetch_site(h);
		break;
	default:
		break;
	}
	return FMP_HTTP_READING;
}

void fmp_http_field_lookup(struct fmp_http *h)
{
	h->name[h->n_name] = 0;
	h->field = F_OTHER;
	h->n_value = 0;
	if (h->headers_done)
		return;
	for (unsigned f = F_HOST; f < sizeof(field_names) / sizeof(*field_names); f++)
		if (!strcasecmp(h->name, field_names[f]))
			h->field = f;
	if (h->field == F_FORWARDED_FOR && !h->limits.forwarded)
		h->field = F_OTHER; /* any client can send it */
	if (h->limits.response &&
	    (h->field == F_HOST || h->field == F_EXPECT || h->field == F_SOAP_ACTION ||
	     h->field == F_ORIGIN || h->field == F_FETCH_SITE))
		h->field = F_OTHER; /* only requests have it */
}

bool fmp_http_field_is_known(const struct fmp_http *h)
{
	return h->field != F_OTHER;
}

bool fmp_http_is_persistent(const struct fmp_http *h)
{
	return h->version == 11 ? !(h->tokens & 1) : (h->tokens & 3) == 2;
}

bool fmp_http_has_length(const struct fmp_http *h)
{
	return SEEN(h, F_CONTENT_LENGTH);
}

enum fmp_http_state fmp_http_start_body(struct fmp_http *h, bool has_length)
{
	if (h->chunked && has_length)
		return fmp_http_refuse(h, 400,
				       "Content-Length and Transfer-Encoding stand together");
	if (h->chunked && h->version == 10)
		return fmp_http_refuse(h, 400, "Transfer-Encoding in HTTP/1.0");
	if (h->chunked) {
		h->pos = AT_CHUNK_SIZE;
		return FMP_HTTP_READING;
	}
	if (h->length > h->limits.body_bytes)
		return fmp_http_oversize(h);
	h->pos = AT_BODY;
	return h->length ? FMP_HTTP_READING : (h->state = FMP_HTTP_DONE);
}

/* Other forms of a target than paths are of no service. Return: why it is refused; NULL. */
static const char *normalise_path(struct fmp_http *h)
{
	const char *path = fmp_http_path(h);

	/* Not the "/" that stands for an empty path of an absolute-form. */
	if (*path != '/' || path < h->fields.bytes || path >= h->fields.bytes + h->fields.first)
		return NULL;
	return fmp_target_normalise(h->fields.bytes + (path - h->fields.bytes));
}

enum fmp_http_state fmp_http_fields_complete(struct fmp_http *h)
{
	const char *why;

	h->headers_done = true;
	h->keep_alive = fmp_http_is_persistent(h);
	/* An HTTP/1.0 client does not know 100 (RFC 9110 10.1.1). */
	h->expect_continue &= h->version == 11;
	if (!apply_authority(h))
		return fmp_http_refuse(h, 400, "the host of the request target is no host");
	h->cross_site = is_cross_site(h);
	if (h->target_too_long)
		return fmp_http_refuse_as(h, 414, fmp_http_refusal_kind(h, FMP_EVENT_HTTP),
					  "request target is too long");
	why = normalise_path(h);
	if (why)
		return fmp_http_refuse_as(h, 400, fmp_http_refusal_kind(h, FMP_EVENT_HTTP), why);
	if (h->version == 11 && !SEEN(h, F_HOST))
		return fmp_http_refuse(h, 400, "Host is missing");
	if (fmp_http_is_read(h))
		return h->chunked || h->length
			       ? fmp_http_refuse(h, 405, "a body with a method that is not POST")
			       : (h->state = FMP_HTTP_DONE);
	if (!h->chunked && !SEEN(h, F_CONTENT_LENGTH))
		return fmp_http_refuse(h, 411, "Content-Length is missing");
	return fmp_http_start_body(h, SEEN(h, F_CONTENT_LENGTH));
}
