/* SPDX-License-Identifier: GPL-2.0 */
/* What the parts of the HTTP reader share: bytes (http.c), what fields say (http_field.c), and
 * what is an answer's own (http_response.c). */
#ifndef FMPI_HTTP_HTTP_PRIVATE_H
#define FMPI_HTTP_HTTP_PRIVATE_H

#include <fmp/internal/http.h>

/* Where the reader stands: before the byte that the name says. */
enum at {
	AT_START,
	AT_START_LF, /* of one empty line in front of the request, as RFC 9112 2.2 allows */
	AT_METHOD,
	AT_TARGET,
	AT_VERSION,
	AT_RESPONSE_VERSION,
	AT_RESPONSE_CODE,
	AT_RESPONSE_REASON,
	AT_LINE_LF,
	AT_FIELD,
	AT_NAME,
	AT_BEFORE_VALUE,
	AT_VALUE,
	AT_VALUE_LF,
	AT_HEADERS_LF,
	AT_SKIP_HEADER, /* of a header that is refused */
	AT_BODY,
	AT_UNTIL_CLOSED,
	AT_CHUNK_SIZE,
	AT_CHUNK_EXT,
	AT_CHUNK_SIZE_LF,
	AT_CHUNK_DATA,
	AT_CHUNK_CR,
	AT_CHUNK_LF,
	AT_TRAILERS_LF,
};

/** fmp_http_refuse() - the request is lost, and the connection. Return: FMP_HTTP_REFUSED. */
enum fmp_http_state fmp_http_refuse(struct fmp_http *h, int status, const char *detail);
enum fmp_http_state fmp_http_refuse_as(struct fmp_http *h, int status, enum fmp_event_kind kind,
				       const char *detail);
enum fmp_http_state fmp_http_oversize(struct fmp_http *h);

/** fmp_http_is_value() - RFC 9110 5.5: may stand in a field's value. */
static inline bool fmp_http_is_value(uint8_t c)
{
	return c >= 0x20 ? c != 0x7f : c == '\t';
}

/** fmp_http_response_byte() - of the status line */
enum fmp_http_state fmp_http_response_byte(struct fmp_http *h, uint8_t c);
/** fmp_http_response_end() - fmp_http_fields_complete() of an answer. @has_length: with Content-Length */
enum fmp_http_state fmp_http_response_end(struct fmp_http *h, bool has_length);

/** fmp_http_field_lookup() - a name stands in h->name: does it matter? In trailers none does. */
void fmp_http_field_lookup(struct fmp_http *h);
bool fmp_http_field_is_known(const struct fmp_http *h);
/** fmp_http_field_apply() - a field that matters is complete in h->value. */
enum fmp_http_state fmp_http_field_apply(struct fmp_http *h);
/** fmp_http_is_persistent() - by version and Connection, the connection may go on. */
bool fmp_http_is_persistent(const struct fmp_http *h);
/** fmp_http_start_body() - a length or chunks, and not both: what comes next. */
enum fmp_http_state fmp_http_start_body(struct fmp_http *h, bool has_length);
/** fmp_http_add_forwarded() - X-Forwarded-For stands in h->value. */
enum fmp_http_state fmp_http_add_forwarded(struct fmp_http *h);
/** fmp_http_authority() - of a target in absolute-form: where its host begins, and how long it is. Return: NULL: it has none. */
const char *fmp_http_authority(const struct fmp_http *h, size_t *len);
/** fmp_http_fields_complete() - all fields are there: what they say together. */
enum fmp_http_state fmp_http_fields_complete(struct fmp_http *h);

#endif
