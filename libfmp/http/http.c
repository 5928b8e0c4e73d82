// SPDX-License-Identifier: GPL-2.0
#include "http_private.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define CHUNK_DIGITS   8u /* hex digits of a chunk size */
#define FIRST_CAPACITY 4096u
#define LONG_TARGET    1024u /* programs use no longer ones; pages can */

void fmp_http_init(struct fmp_http *h, const struct fmp_http_limits *limits)
{
	memset(h, 0, sizeof(*h));
	h->limits = *limits;
	if (!h->limits.target_bytes)
		h->limits.target_bytes = FMP_HTTP_TARGET_BYTES;
	h->pos = limits->response ? AT_RESPONSE_VERSION : AT_START;
}

void fmp_http_next(struct fmp_http *h)
{
	struct fmp_http_limits limits = h->limits;

	fmp_http_exit(h);
	fmp_http_init(h, &limits);
}

void fmp_http_exit(struct fmp_http *h)
{
	free(h->body);
	h->body = NULL;
	h->body_len = h->body_cap = 0;
	fmp_field_list_exit(&h->fields);
}

static bool is_in_body(const struct fmp_http *h)
{
	return h->pos == AT_BODY || h->pos == AT_CHUNK_DATA || h->pos == AT_UNTIL_CLOSED;
}

enum fmp_http_state fmp_http_limit_body(struct fmp_http *h, uint32_t bytes)
{
	bool announced = h->state == FMP_HTTP_READING &&
			 (is_in_body(h) || h->pos == AT_CHUNK_SIZE_LF);

	h->limits.body_bytes = bytes;
	if (h->pos == AT_UNTIL_CLOSED && h->body_len <= bytes) {
		h->length = bytes - h->body_len;
		return h->state;
	}
	if (h->state != FMP_HTTP_REFUSED &&
	    (h->body_len > bytes || (announced && h->length > bytes - h->body_len)))
		return fmp_http_oversize(h);
	return h->state;
}

bool fmp_http_body_length(const struct fmp_http *h, uint64_t *len)
{
	*len = h->body_len + h->length;
	return h->pos == AT_BODY;
}

struct fmp_http_limits fmp_http_used(const struct fmp_http *h)
{
	/* The framing of chunks counts as header. */
	return (struct fmp_http_limits){ .header_bytes = h->chunked ? 0 : h->header_used,
					 .fields = h->n_fields,
					 .target_bytes = (uint32_t)h->n_target };
}

void fmp_http_drop_body(struct fmp_http *h)
{
	uint32_t framing = (uint32_t)(h->body_len / 8);

	/* What parse_byte() allows for the framing of these bytes. */
	h->header_used -= framing < h->header_used ? framing : h->header_used;
	h->body_len = 0;
}

void fmp_http_drop_body_until(struct fmp_http *h, size_t n)
{
	size_t rest = h->body_len - n;
	uint8_t *p = rest ? malloc(rest) : NULL;

	if (p)
		memcpy(p, h->body + n, rest);
	else if (rest)
		memmove(h->body, h->body + n, rest);
	h->body_len = n;
	fmp_http_drop_body(h);
	h->body_len = rest;
	if (rest && !p)
		return;
	free(h->body);
	h->body = p;
	h->body_cap = rest;
}

size_t fmp_http_max_body(const struct fmp_http *h)
{
	return h->pos == AT_BODY ? h->body_len + (size_t)h->length : h->limits.body_bytes;
}

bool fmp_http_is_between_messages(const struct fmp_http *h)
{
	return h->state == FMP_HTTP_READING &&
	       (h->pos == AT_START || h->pos == AT_START_LF || (h->pos == AT_METHOD && !h->n_name));
}

bool fmp_http_target_is_whole(const struct fmp_http *h)
{
	return !h->target_too_long;
}

static enum fmp_http_method find_method(const char *name)
{
	static const char *const names[] = { [FMP_HTTP_POST] = "POST",
					     [FMP_HTTP_GET] = "GET",
					     [FMP_HTTP_HEAD] = "HEAD",
					     [FMP_HTTP_OPTIONS] = "OPTIONS" };

	for (unsigned i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strcmp(name, names[i]) == 0)
			return (enum fmp_http_method)i;
	return FMP_HTTP_OTHER_METHOD;
}

/*
 * A page can make a browser use GET, HEAD and OPTIONS without CORS preflight; health checks and
 * clients that look for ?wsdl use them, too. Other methods come only from programs.
 */
static enum fmp_http_state refuse_method(struct fmp_http *h)
{
	if (h->method == FMP_HTTP_OTHER_METHOD)
		return fmp_http_refuse(h, 405, "method is not POST");
	return fmp_http_refuse_as(h, 405, FMP_EVENT_BROWSER, "method is not POST");
}

/* TLS (RFC 8446 5.1) and STUN (RFC 8489 5): a URL "https:" or "turn:" in a page causes them. */
static bool is_other_protocol(uint8_t first)
{
	return first == 0x16 || first <= 0x03;
}

/* Where a byte may stand: targets (visible), names (tokens, RFC 9110 5.6.2), values (5.5). */
enum {
	IN_TARGET = 1,
	IN_NAME = 2,
	IN_VALUE = 4
};

#define ANYWHERE (IN_TARGET | IN_NAME | IN_VALUE)
#define VISIBLE	 (IN_TARGET | IN_VALUE)

static const uint8_t byte_class[256] = {
	['\t'] = IN_VALUE,	   [' '] = IN_VALUE,
	['!'] = ANYWHERE,	   ['"'] = VISIBLE,
	['#' ... '\''] = ANYWHERE, ['(' ... ')'] = VISIBLE,
	['*' ... '+'] = ANYWHERE,  [','] = VISIBLE,
	['-' ... '.'] = ANYWHERE,  ['/'] = VISIBLE,
	['0' ... '9'] = ANYWHERE,  [':' ... '@'] = VISIBLE,
	['A' ... 'Z'] = ANYWHERE,  ['[' ... ']'] = VISIBLE,
	['^' ... 'z'] = ANYWHERE,  ['{'] = VISIBLE,
	['|'] = ANYWHERE,	   ['}'] = VISIBLE,
	['~'] = ANYWHERE,	   [0x80 ... 0xff] = IN_VALUE,
};

static bool is_token(uint8_t c)
{
	return byte_class[c] & IN_NAME;
}

/* A target that is too long is refused after the header, which tells the client. */
static enum fmp_http_state keep_target(struct fmp_http *h, const char *p, size_t n)
{
	size_t room = h->limits.target_bytes - h->n_target;

	if (h->target_too_long)
		return h->state;
	if (n > room) {
		h->target_too_long = true;
		n = room;
	}
	if (h->n_target + 1 < sizeof(h->target)) {
		room = sizeof(h->target) - 1 - h->n_target;
		memcpy(h->target + h->n_target, p, n < room ? n : room);
	}
	h->n_target += n;
	fmp_http_record(h, p, n);
	return h->state;
}

static enum fmp_http_state parse_start_line_byte(struct fmp_http *h, uint8_t c)
{
	static const char version[] = "HTTP/1.";

	switch (h->pos) {
	case AT_METHOD:
		if (c == ' ' && h->n_name) {
			h->name[h->n_name] = 0;
			h->method = find_method(h->name);
			if (h->method != FMP_HTTP_POST &&
			    !(h->limits.describe && fmp_http_is_read(h)))
				return refuse_method(h);
			h->pos = AT_TARGET;
		} else if (!h->n_name && is_other_protocol(c)) {
			return fmp_http_refuse_as(h, 400, FMP_EVENT_BROWSER,
						  "TLS or another protocol, not HTTP");
		} else if (!is_token(c) || h->n_name + 1 >= sizeof(h->name)) {
			return fmp_http_refuse(h, 400, "request line has no method");
		} else {
			h->name[h->n_name++] = (char)c;
		}
		break;
	case AT_TARGET:
		if (c == ' ' && h->n_target) {
			h->pos = AT_VERSION;
			h->n_value = 0;
			if (!fmp_http_record(h, "", 1))
				return h->state;
			h->fields.first = h->fields.len;
		} else if (c <= 0x20 || c >= 0x7f) {
			return fmp_http_refuse(
				h, 400, "request target has a character that may not be there");
		} else {
			return keep_target(h, (const char *)&c, 1);
		}
		break;
	default: /* AT_VERSION */
		if (h->n_value < sizeof(version) - 1) {
			if (c != (uint8_t)version[h->n_value++])
				return fmp_http_refuse(h, h->n_value > 5 ? 505 : 400,
						       "not HTTP/1.1");
		} else if (h->n_value == sizeof(version) - 1 && (c == '0' || c == '1')) {
			h->version = 10u + (unsigned)(c - '0');
			h->n_value++;
		} else if (h->n_value < sizeof(version)) {
			return fmp_http_refuse(h, 505, "not HTTP/1.1");
		} else if (c != '\r') {
			return fmp_http_refuse(h, 400,
					       c == '\n'
						       ? "bare line feed"
						       : "request line goes on behind the version");
		} else {
			h->pos = AT_LINE_LF;
		}
	}
	return FMP_HTTP_READING;
}

/* All fields but trailers are kept: they change nothing that was decided before the body. */
static bool is_recorded(const struct fmp_http *h)
{
	return !h->headers_done;
}

/* Keep n bytes of a value. */
static enum fmp_http_state keep_value(struct fmp_http *h, const uint8_t *p, size_t n)
{
	h->pos = AT_VALUE;
	if (is_recorded(h) && !fmp_http_record(h, p, n))
		return h->state;
	if (!fmp_http_field_is_known(h))
		return FMP_HTTP_READING;
	if (h->n_value + n >= sizeof(h->value))
		return fmp_http_refuse(h, 431, "field is too long");
	memcpy(h->value + h->n_value, p, n);
	h->n_value += n;
	return FMP_HTTP_READING;
}

static enum fmp_http_state parse_value_byte(struct fmp_http *h, uint8_t c)
{
	if (c == '\r') {
		h->pos = AT_VALUE_LF;
		if (is_recorded(h) && !fmp_field_list_end(&h->fields))
			return fmp_http_refuse(h, 503, "no memory for the fields");
		if (!fmp_http_field_is_known(h))
			return FMP_HTTP_READING;
		while (h->n_value &&
		       (h->value[h->n_value - 1] == ' ' || h->value[h->n_value - 1] == '\t'))
			h->n_value--;
		return fmp_http_field_apply(h);
	}
	if (!fmp_http_is_value(c))
		return fmp_http_refuse(
			h, 400, c == '\n' ? "bare line feed" : "control character in a field");
	return keep_value(h, &c, 1);
}

static enum fmp_http_state parse_field_byte(struct fmp_http *h, uint8_t c)
{
	switch (h->pos) {
	case AT_FIELD:
		if (c == '\r') {
			h->pos = h->headers_done ? AT_TRAILERS_LF : AT_HEADERS_LF;
			break;
		}
		if (c == ' ' || c == '\t')
			return fmp_http_refuse(h, 400, "folded field");
		if (++h->n_fields > h->limits.fields)
			return fmp_http_refuse(
				h, 431,
				h->limits.response
					? "too many fields"
					: "more fields than the policy's <http fields=\"\"> allows");
		h->n_name = 0;
		h->pos = AT_NAME;
		/* fall through */
	case AT_NAME:
		if (c == ':' && h->n_name) {
			fmp_http_field_lookup(h);
			h->pos = AT_BEFORE_VALUE;
			if (is_recorded(h) && !fmp_field_list_begin(&h->fields, h->name, h->n_name))
				return fmp_http_refuse(h, 503, "no memory for the fields");
		} else if (!is_token(c)) {
			return fmp_http_refuse(
				h, 400,
				c == '\n' ? "bare line feed"
					  : "field name has a character that may not be there");
		} else if (h->n_name + 1 >= sizeof(h->name)) {
			return fmp_http_refuse(h, 431, "field name is too long");
		} else {
			h->name[h->n_name++] = (char)c;
		}
		break;
	case AT_BEFORE_VALUE:
		if (c == ' ' || c == '\t')
			break;
		/* fall through */
	default: /* AT_VALUE */
		return parse_value_byte(h, c);
	}
	return FMP_HTTP_READING;
}

static enum fmp_http_state parse_line_feed(struct fmp_http *h, uint8_t c)
{
	if (c != '\n')
		return fmp_http_refuse(h, 400, "bare carriage return");
	switch (h->pos) {
	case AT_START_LF:
		h->pos = AT_METHOD;
		break;
	case AT_LINE_LF:
	case AT_VALUE_LF:
		h->pos = AT_FIELD;
		break;
	case AT_HEADERS_LF:
		return h->limits.response ? fmp_http_response_end(h) : fmp_http_fields_complete(h);
	case AT_CHUNK_SIZE_LF:
		h->pos = h->length ? AT_CHUNK_DATA : AT_FIELD;
		break;
	case AT_CHUNK_LF:
		h->pos = AT_CHUNK_SIZE;
		break;
	default: /* AT_TRAILERS_LF */
		return h->state = FMP_HTTP_DONE;
	}
	return FMP_HTTP_READING;
}

static enum fmp_http_state parse_chunk_byte(struct fmp_http *h, uint8_t c)
{
	if (h->pos == AT_CHUNK_CR) {
		if (c != '\r')
			return fmp_http_refuse(h, 400, "chunk is longer than its size");
		h->pos = AT_CHUNK_LF;
		h->length = h->digits = 0;
		return FMP_HTTP_READING;
	}
	if (h->pos == AT_CHUNK_SIZE && isxdigit(c)) {
		if (++h->digits > CHUNK_DIGITS)
			return fmp_http_oversize(h);
		h->length = h->length * 16 + (uint64_t)(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
		return FMP_HTTP_READING;
	}
	if (!h->digits)
		return fmp_http_refuse(h, 400, "chunk size is not a number");
	if (h->pos == AT_CHUNK_SIZE && c != '\r' && c != ';')
		return fmp_http_refuse(h, 400, "chunk size is not a number");
	h->pos = AT_CHUNK_EXT;
	if (c == '\r') {
		if (h->length > h->limits.body_bytes - h->body_len)
			return fmp_http_oversize(h);
		h->pos = AT_CHUNK_SIZE_LF;
	} else if (!fmp_http_is_value(c)) {
		return fmp_http_refuse(h, 400,
				       c == '\n' ? "bare line feed"
						 : "control character in a chunk extension");
	}
	return FMP_HTTP_READING;
}

/* Make room for n more bytes of the body. Return: false without memory. */
static bool grow_body(struct fmp_http *h, size_t n)
{
	size_t cap = h->body_cap ? h->body_cap : FIRST_CAPACITY;
	uint8_t *body;

	if (n <= h->body_cap - h->body_len && h->body)
		return true;
	while (cap < h->body_len + n)
		cap *= 2;
	body = realloc(h->body, cap);
	if (!body)
		return false;
	h->body = body;
	h->body_cap = cap;
	return true;
}

static enum fmp_http_state append_body(struct fmp_http *h, const uint8_t *p, size_t n)
{
	if (!grow_body(h, n))
		return fmp_http_refuse(h, 503, "no memory for the body");
	memcpy(h->body + h->body_len, p, n);
	h->body_len += n;
	h->length -= n;
	if (h->length)
		return FMP_HTTP_READING;
	if (h->pos == AT_BODY)
		return h->state = FMP_HTTP_DONE;
	if (h->pos == AT_CHUNK_DATA)
		h->pos = AT_CHUNK_CR;
	return FMP_HTTP_READING;
}

static bool is_long_target(const struct fmp_http *h)
{
	return h->target_too_long || h->n_target > LONG_TARGET;
}

/*
 * A page chooses the target, for example as a form's action. If it is too long, the fields that the
 * browser adds may not fit: do not charge the client for them.
 */
static enum fmp_http_state refuse_long_framing(struct fmp_http *h)
{
	if (h->pos == AT_TARGET || (is_long_target(h) && !h->headers_done))
		return fmp_http_refuse_as(h, 414, FMP_EVENT_BROWSER, "request target is too long");
	return fmp_http_refuse(
		h, 431,
		h->limits.response || h->headers_done
			? "header or chunk framing is too long"
			: "header is longer than the policy's <http header=\"\"> allows");
}

static enum fmp_http_state parse_byte(struct fmp_http *h, uint8_t c)
{
	/* Small chunks of a long body need framing: allow one eighth of the body for it. */
	if (++h->header_used > h->limits.header_bytes + h->body_len / 8)
		return refuse_long_framing(h);
	switch (h->pos) {
	case AT_RESPONSE_VERSION:
	case AT_RESPONSE_CODE:
	case AT_RESPONSE_REASON:
		return fmp_http_response_byte(h, c);
	case AT_START:
		if (c == '\r') {
			h->pos = AT_START_LF;
			return FMP_HTTP_READING;
		}
		h->pos = AT_METHOD;
		/* fall through */
	case AT_METHOD:
	case AT_TARGET:
	case AT_VERSION:
		return parse_start_line_byte(h, c);
	case AT_FIELD:
	case AT_NAME:
	case AT_BEFORE_VALUE:
	case AT_VALUE:
		return parse_field_byte(h, c);
	case AT_CHUNK_SIZE:
	case AT_CHUNK_EXT:
	case AT_CHUNK_CR:
		return parse_chunk_byte(h, c);
	default:
		return parse_line_feed(h, c);
	}
}

/* Length of the run at the start of n bytes. */
static size_t measure_run(const uint8_t *p, size_t n, uint8_t in)
{
	size_t i = 0;

	while (i < n && byte_class[p[i]] & in)
		i++;
	return i;
}

/*
 * Parse a run of bytes that do not change the position; 0: the next byte may do that, or be
 * refused, and is parsed alone. Return: bytes parsed.
 */
static size_t parse_run(struct fmp_http *h, const uint8_t *p, size_t n)
{
	size_t room = h->limits.header_bytes - h->header_used;

	if (h->header_used >= h->limits.header_bytes)
		return 0;
	if (n > room)
		n = room;
	if (h->pos == AT_VALUE) {
		n = measure_run(p, n, IN_VALUE);
		if (fmp_http_field_is_known(h) && n >= sizeof(h->value) - h->n_value)
			return 0;
		if (n)
			keep_value(h, p, n);
	} else if (h->pos == AT_NAME) {
		n = measure_run(p, n, IN_NAME);
		if (n >= sizeof(h->name) - h->n_name)
			return 0;
		memcpy(h->name + h->n_name, p, n);
		h->n_name += n;
	} else if (h->pos == AT_TARGET) {
		n = measure_run(p, n, IN_TARGET);
		if (n)
			keep_target(h, (const char *)p, n);
	} else {
		return 0;
	}
	h->header_used += (uint32_t)n;
	return n;
}

enum fmp_http_state fmp_http_feed(struct fmp_http *h, const void *bytes, size_t n, size_t *used)
{
	const uint8_t *p = bytes, *end = p + n;

	while (p < end && h->state == FMP_HTTP_READING) {
		size_t take = 1, run;

		h->started = true;
		if (h->pos == AT_UNTIL_CLOSED && !h->length) {
			fmp_http_oversize(h);
		} else if (is_in_body(h)) {
			take = h->length < (size_t)(end - p) ? (size_t)h->length
							     : (size_t)(end - p);
			append_body(h, p, take);
		} else if (h->pos == AT_SKIP_HEADER) {
			fmp_http_skip_header_byte(h, *p);
		} else if ((run = parse_run(h, p, (size_t)(end - p)))) {
			take = run;
		} else {
			parse_byte(h, *p);
			/* The refused byte belongs to the line that is skipped. */
			if (h->refusal_pending)
				fmp_http_skip_header_byte(h, *p);
		}
		p += take;
		h->bytes += take;
	}
	*used = (size_t)(p - (const uint8_t *)bytes);
	return h->state;
}
