// SPDX-License-Identifier: GPL-2.0
/* Refusals of messages: event kind, and the rest of a header that may still name the client. */
#include "http_private.h"

#include <string.h>
#include <strings.h>

#include <fmp/inspect.h>

bool fmp_http_has_origin(const struct fmp_http *h)
{
	return *h->origin;
}

bool fmp_http_is_browser_request(const struct fmp_http *h)
{
	struct fmp_media media;

	if (h->cross_site || fmp_http_is_read(h))
		return true;
	if (!h->headers_done || h->limits.response || h->has_action || h->has_coding || h->chunked)
		return false;
	/* A script can omit the type, but not the Origin. */
	if (!h->has_type)
		return fmp_http_has_origin(h);
	fmp_media_read(h->content_type, &media);
	return media.kind == FMP_EVENT_BROWSER;
}

enum fmp_event_kind fmp_http_refusal_kind(const struct fmp_http *h, enum fmp_event_kind kind)
{
	bool in_http = kind == FMP_EVENT_HTTP || kind == FMP_EVENT_OVERSIZE ||
		       kind == FMP_EVENT_SOAP;

	return in_http && fmp_http_is_browser_request(h) ? FMP_EVENT_BROWSER : kind;
}

/*
 * Proxies append a field or an element. The end of the list decides, so drop the oldest if it is
 * full.
 */
enum fmp_http_state fmp_http_add_forwarded(struct fmp_http *h)
{
	size_t n = strlen(h->forwarded);

	if (n + 1 + h->n_value + 1 > sizeof(h->forwarded))
		n = 0;
	if (n)
		h->forwarded[n++] = ',';
	memcpy(h->forwarded + n, h->value, h->n_value + 1);
	h->has_forwarded = true;
	return FMP_HTTP_READING;
}

#define FORWARDED   "x-forwarded-for:"
#define N_FORWARDED (sizeof(FORWARDED) - 1)
#define TAIL	    256u /* bytes kept of a long list: its last address decides */

static bool is_forwarded_line(const struct fmp_http *h)
{
	return h->n_value >= N_FORWARDED && !strncasecmp(h->value, FORWARDED, N_FORWARDED);
}

/* Keep the end of the address list in h->value, from @from on, behind the field name. */
static void keep_list_tail(struct fmp_http *h, size_t from)
{
	size_t n = h->n_value - from < TAIL ? h->n_value - from : TAIL;

	memmove(h->value + N_FORWARDED, h->value + h->n_value - n, n);
	memcpy(h->value, FORWARDED, N_FORWARDED);
	h->n_value = N_FORWARDED + n;
}

/* Keep what was already read of the line with the refused byte in h->value. */
static void defer_refusal(struct fmp_http *h)
{
	bool forwarded = h->n_name == N_FORWARDED - 1 &&
			 !strncasecmp(h->name, FORWARDED, N_FORWARDED - 1);
	bool value = h->pos == AT_VALUE && forwarded,
	     before = h->pos == AT_BEFORE_VALUE && forwarded;

	h->refusal_pending = true;
	h->skip_line = false;
	if (!value)
		h->n_value = 0;
	if (value || before) {
		keep_list_tail(h, 0);
	} else if (h->pos == AT_NAME) {
		memcpy(h->value, h->name, h->n_name);
		h->n_value = h->n_name;
	} else if (h->pos == AT_HEADERS_LF) {
		h->value[h->n_value++] = '\r';
	} else {
		h->skip_line = h->pos != AT_FIELD;
	}
	h->pos = AT_SKIP_HEADER;
}

static void parse_skipped_line(struct fmp_http *h)
{
	size_t from = N_FORWARDED;

	if (!is_forwarded_line(h))
		return;
	while (h->n_value && strchr(" \t\r", h->value[h->n_value - 1]))
		h->n_value--;
	while (from < h->n_value && strchr(" \t", h->value[from]))
		from++;
	h->n_value = h->n_value > from ? h->n_value - from : 0;
	memmove(h->value, h->value + from, h->n_value);
	h->value[h->n_value] = '\0';
	if (strlen(h->value) == h->n_value)
		fmp_http_add_forwarded(h);
}

/*
 * Skip the rest of a refused header, except for the field that names the client. The last such
 * field decides: a proxy may append its own behind all fields of the client, which may name
 * another host.
 */
enum fmp_http_state fmp_http_skip_header_byte(struct fmp_http *h, uint8_t c)
{
	if (++h->header_used > h->limits.header_bytes + FMP_HTTP_SKIP_BYTES) {
		h->has_forwarded = false;
		return h->state = FMP_HTTP_REFUSED;
	}
	if (c != '\n') {
		if (h->n_value + 1 >= sizeof(h->value)) {
			h->skip_line |= !is_forwarded_line(h);
			keep_list_tail(h, 0);
		}
		h->value[h->n_value++] = (char)c;
		return FMP_HTTP_READING;
	}
	if (!h->skip_line) {
		if (!h->n_value || (h->n_value == 1 && h->value[0] == '\r'))
			return h->state = FMP_HTTP_REFUSED;
		parse_skipped_line(h);
	}
	h->skip_line = false;
	h->n_value = 0;
	return FMP_HTTP_READING;
}

enum fmp_http_state fmp_http_refuse_as(struct fmp_http *h, int status, enum fmp_event_kind kind,
				       const char *detail)
{
	h->status = status;
	/* A link makes a browser send it, and where no service is described it is not read at all. */
	h->kind = fmp_http_is_read(h) ? FMP_EVENT_BROWSER : kind;
	h->detail = detail;
	h->keep_alive = false;
	if (!h->limits.forwarded || h->headers_done || h->limits.response)
		return h->state = FMP_HTTP_REFUSED;
	/* X-Forwarded-For may still follow. */
	defer_refusal(h);
	return FMP_HTTP_READING;
}

enum fmp_http_state fmp_http_refuse(struct fmp_http *h, int status, const char *detail)
{
	return fmp_http_refuse_as(h, status, FMP_EVENT_HTTP, detail);
}

enum fmp_http_state fmp_http_oversize(struct fmp_http *h)
{
	/* A browser sends a length and is refused before the body. Chunks were read up to here. */
	return fmp_http_refuse_as(h, 413,
				  h->chunked ? FMP_EVENT_OVERSIZE
					     : fmp_http_refusal_kind(h, FMP_EVENT_OVERSIZE),
				  "body is larger than allowed");
}
