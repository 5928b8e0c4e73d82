/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Shared by the parts of the HTTP parser: bytes (http.c), what only responses have
 * (http_response.c), fields (http_field.c), refusals (http_refuse.c). Each calls only later ones.
 */
#ifndef FMPI_HTTP_HTTP_PRIVATE_H
#define FMPI_HTTP_HTTP_PRIVATE_H

#include <fmp/internal/http.h>

/* Position of the parser: the name tells which byte comes next. */
enum fmp_http_pos {
	AT_START,
	AT_START_LF, /* of an empty line before the request (RFC 9112 2.2) */
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
	AT_SKIP_HEADER, /* rest of a refused header */
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

/**
 * fmp_http_refuse() - refuse the message; the connection can't be reused. Return: the new state.
 */
enum fmp_http_state fmp_http_refuse(struct fmp_http *h, int status, const char *detail);
enum fmp_http_state fmp_http_refuse_as(struct fmp_http *h, int status, enum fmp_event_kind kind,
				       const char *detail);
enum fmp_http_state fmp_http_oversize(struct fmp_http *h);

/** fmp_http_skip_header_byte() - skip a byte of a refused header, but keep what names the client. */
enum fmp_http_state fmp_http_skip_header_byte(struct fmp_http *h, uint8_t c);

/** fmp_http_record() - append to the fields. Return: false: refused, without memory. */
static inline bool fmp_http_record(struct fmp_http *h, const void *bytes, size_t n)
{
	if (fmp_field_list_append(&h->fields, bytes, n))
		return true;
	fmp_http_refuse(h, 503, "no memory for the fields");
	return false;
}

/** fmp_http_is_value() - may the byte occur in a field value (RFC 9110 5.5)? */
static inline bool fmp_http_is_value(uint8_t c)
{
	return c >= 0x20 ? c != 0x7f : c == '\t';
}

/** fmp_http_response_byte() - parse a byte of the status line */
enum fmp_http_state fmp_http_response_byte(struct fmp_http *h, uint8_t c);
/** fmp_http_response_end() - like fmp_http_fields_complete(), for a response. */
enum fmp_http_state fmp_http_response_end(struct fmp_http *h);

/** fmp_http_field_lookup() - look up the name in h->name. No trailer field is known. */
void fmp_http_field_lookup(struct fmp_http *h);
bool fmp_http_field_is_known(const struct fmp_http *h);
/** fmp_http_field_apply() - apply a known field whose value is in h->value. */
enum fmp_http_state fmp_http_field_apply(struct fmp_http *h);
/**
 * fmp_http_is_persistent() - version and Connection allow to reuse the connection (RFC 9112 9.3).
 */
bool fmp_http_is_persistent(const struct fmp_http *h);
/** fmp_http_has_length() - a Content-Length was read. */
bool fmp_http_has_length(const struct fmp_http *h);
/** fmp_http_start_body() - set the position for the body: by length or by chunks, not both. */
enum fmp_http_state fmp_http_start_body(struct fmp_http *h, bool has_length);
/** fmp_http_add_forwarded() - append the X-Forwarded-For value in h->value. */
enum fmp_http_state fmp_http_add_forwarded(struct fmp_http *h);
/**
 * fmp_http_authority() - host of a target in absolute-form. @len: its length. Return: NULL: none.
 */
const char *fmp_http_authority(const struct fmp_http *h, size_t *len);
/** fmp_http_fields_complete() - check all fields together. */
enum fmp_http_state fmp_http_fields_complete(struct fmp_http *h);

#endif
