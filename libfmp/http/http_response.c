// SPDX-License-Identifier: GPL-2.0
/* The parts that only responses have: status line, end of the body, interim responses. */
#include "http_private.h"

#include <ctype.h>
#include <string.h>

enum fmp_http_state fmp_http_response_byte(struct fmp_http *h, uint8_t c)
{
	static const char version[] = "HTTP/1.";
	static const char no_http[] = "no HTTP/1.1", no_status[] = "no status";

	switch (h->pos) {
	case AT_RESPONSE_VERSION:
		if (h->n_value < sizeof(version) - 1) {
			if (c != (uint8_t)version[h->n_value++])
				return fmp_http_refuse(h, 502, no_http);
		} else if (h->n_value == sizeof(version) - 1 && (c == '0' || c == '1')) {
			h->version = 10u + (unsigned)(c - '0');
			h->n_value++;
		} else if (h->n_value == sizeof(version) && c == ' ') {
			h->pos = AT_RESPONSE_CODE;
			h->code = 0;
			h->digits = 0;
		} else {
			return fmp_http_refuse(h, 502, no_http);
		}
		break;
	case AT_RESPONSE_CODE:
		if (h->digits < 3 && isdigit(c)) {
			h->code = h->code * 10 + (c - '0');
			h->digits++;
		} else if (h->digits == 3 && (c == ' ' || c == '\r')) {
			if (h->code < 100 || h->code > 599)
				return fmp_http_refuse(h, 502, no_status);
			h->pos = c == ' ' ? AT_RESPONSE_REASON : AT_LINE_LF;
			h->digits = 0; /* reused for the chunk size */
		} else {
			return fmp_http_refuse(h, 502, no_status);
		}
		break;
	default: /* AT_RESPONSE_REASON */
		if (c == '\r')
			h->pos = AT_LINE_LF;
		else if (!fmp_http_is_value(c))
			return fmp_http_refuse(h, 502,
					       c == '\n' ? "bare line feed"
							 : "control character in the status line");
	}
	return FMP_HTTP_READING;
}

/* RFC 9110 15.2: the final response follows; its header counts together with this one. */
static enum fmp_http_state skip_interim_response(struct fmp_http *h, bool has_length)
{
	if (h->code == 101)
		return fmp_http_refuse(h, 502, "change to another protocol");
	if (has_length || h->chunked)
		return fmp_http_refuse(h, 502, "interim answer with a body");
	h->pos = AT_RESPONSE_VERSION;
	h->n_value = 0;
	h->seen = h->tokens = 0;
	h->content_type[0] = 0;
	h->coding = FMP_CONTENT_CODING_IDENTITY;
	h->has_coding = false;
	h->names_fields = 0;
	fmp_field_list_drop(&h->fields);
	return FMP_HTTP_READING;
}

enum fmp_http_state fmp_http_response_end(struct fmp_http *h)
{
	bool has_length = fmp_http_has_length(h);

	if (h->code < 200)
		return skip_interim_response(h, has_length);
	h->headers_done = true;
	h->keep_alive = fmp_http_is_persistent(h);
	if (h->code == 204 || h->code == 304) {
		/* A 304 may announce the length that a 200 would have. */
		if (h->chunked || (h->code == 204 && h->length))
			return fmp_http_refuse(h, 502, "body where none may be");
		return h->state = FMP_HTTP_DONE;
	}
	if (h->chunked || has_length)
		return fmp_http_start_body(h, has_length);
	h->keep_alive = false;
	h->length = h->limits.body_bytes; /* upper bound */
	h->pos = AT_UNTIL_CLOSED;
	return FMP_HTTP_READING;
}

enum fmp_http_state fmp_http_finish(struct fmp_http *h)
{
	if (h->state != FMP_HTTP_READING)
		return h->state;
	if (h->pos == AT_UNTIL_CLOSED)
		return h->state = FMP_HTTP_DONE;
	return fmp_http_refuse(h, 502, h->started ? "broken off" : "closed before it began");
}
