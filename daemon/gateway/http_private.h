/* SPDX-License-Identifier: GPL-2.0 */
/* What the two halves of the HTTP reader share: bytes (http.c) and what fields say (http_field.c). */
#ifndef GW_HTTP_PRIVATE_H
#define GW_HTTP_PRIVATE_H

#include "http.h"

/* Where the reader stands: before the byte that the name says. */
enum at {
	AT_START,
	AT_START_LF, /* of one empty line in front of the request, as RFC 9112 2.2 allows */
	AT_METHOD,
	AT_TARGET,
	AT_VERSION,
	AT_LINE_LF,
	AT_FIELD,
	AT_NAME,
	AT_BEFORE_VALUE,
	AT_VALUE,
	AT_VALUE_LF,
	AT_HEADERS_LF,
	AT_BODY,
	AT_CHUNK_SIZE,
	AT_CHUNK_EXT,
	AT_CHUNK_SIZE_LF,
	AT_CHUNK_DATA,
	AT_CHUNK_CR,
	AT_CHUNK_LF,
	AT_TRAILERS_LF,
};

/** gw_http_refuse() - the request is lost, and the connection. Return: GW_HTTP_REFUSED. */
enum gw_http_state gw_http_refuse(struct gw_http *h, int status, const char *detail);
enum gw_http_state gw_http_refuse_as(struct gw_http *h, int status, enum fmp_event_kind kind,
				     const char *detail);
enum gw_http_state gw_http_oversize(struct gw_http *h);

/** gw_http_field_know() - a name stands in h->name: does it matter? In trailers none does. */
void gw_http_field_know(struct gw_http *h);
bool gw_http_field_matters(const struct gw_http *h);
/** gw_http_field_take() - a field that matters is complete in h->value. */
enum gw_http_state gw_http_field_take(struct gw_http *h);
/** gw_http_field_end() - all fields are there: what they say together. */
enum gw_http_state gw_http_field_end(struct gw_http *h);

#endif
