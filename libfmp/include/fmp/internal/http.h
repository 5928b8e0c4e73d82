/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A strict HTTP/1.1 parser (RFC 9112): bytes in, one request or one response out.
 *
 * It is pure and incremental: the same bytes give the same message or the same refusal, however
 * they are split. Framing that two parsers could understand differently is refused: two lengths,
 * a length together with chunks, bare line feeds, folded lines, white space before a colon,
 * control characters. Memory grows with the bytes received, never with the bytes announced.
 */
#ifndef FMP_HTTP_H
#define FMP_HTTP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fmp/event.h>

#include <fmp/internal/field_list.h>

/** struct fmp_http_limits - upper bounds of one message */
struct fmp_http_limits {
	uint32_t header_bytes; /**< start line, fields, trailers and chunk framing, including line ends */
	uint32_t fields; /**< header and trailer fields */
	uint32_t body_bytes; /**< body without framing */
	uint32_t target_bytes; /**< request target; 0: FMP_HTTP_TARGET_BYTES */
	bool compressed; /**< accept gzip and deflate */
	bool forwarded; /**< read X-Forwarded-For: the client is a listed proxy */
	bool response; /**< parse a response to a POST instead of a request */
	bool describe; /**< read GET and HEAD without a body, which may ask for a WSDL; false: refuse them */
};

/** enum fmp_content_coding - RFC 9110 8.4.1 */
enum fmp_content_coding {
	FMP_CONTENT_CODING_IDENTITY = 0,
	FMP_CONTENT_CODING_GZIP,
	FMP_CONTENT_CODING_DEFLATE, /**< zlib's format, or raw deflate, which some senders use */
	FMP_CONTENT_CODING_OTHER, /**< of a response: not known here, forwarded unchanged or not at all */
};

/*
 * Limits of the header where no policy sets them: of responses, and of messages outside a policy.
 */
#define FMP_HTTP_HEADER_BYTES 16384
#define FMP_HTTP_FIELDS	      100
#define FMP_HTTP_TARGET_BYTES 8000 /**< as RFC 9112 3 recommends */

#define FMP_HTTP_NAME	64 /**< longest field name */
#define FMP_HTTP_TARGET 128 /**< bytes of the request target for logs */
#define FMP_HTTP_VALUE	512 /**< longest value of a known field */
#define FMP_HTTP_HOP_NAMES \
	32 /**< most names in all Connection fields, but for close and keep-alive */
#define FMP_HTTP_SKIP_BYTES \
	(256u << 10) /**< bytes read of a refused header beyond its limit; proxies forward less */
#define FMP_HTTP_ORIGIN 264 /**< bytes kept of Host and Origin: scheme, host name, port */

/** enum fmp_http_method - of a request (RFC 9110 9) */
enum fmp_http_method {
	FMP_HTTP_POST = 0,
	FMP_HTTP_GET,
	FMP_HTTP_HEAD,
	FMP_HTTP_OPTIONS,
	FMP_HTTP_OTHER_METHOD,
};

enum fmp_http_state {
	FMP_HTTP_READING = 0,
	FMP_HTTP_DONE, /**< the message is complete */
	FMP_HTTP_REFUSED, /**< status, kind and detail give the reason; close the connection */
};

/** struct fmp_http - one message being parsed; reset between messages of a connection */
struct fmp_http {
	struct fmp_http_limits limits;
	enum fmp_http_state state;

	bool started; /**< at least one byte has been received */
	bool headers_done; /**< all header fields have been read */
	bool keep_alive; /**< the connection may be reused after the response */
	enum fmp_http_method method; /**< of a request, once its first word was read */
	int code; /**< status of a response, 200 to 599 */
	bool expect_continue; /**< the client waits for "100 Continue" */
	char content_type[FMP_HTTP_VALUE];
	char soap_action[FMP_HTTP_VALUE]; /**< without quotes */
	bool has_action;
	char target[FMP_HTTP_TARGET]; /**< for logs; truncated if it is longer */
	enum fmp_content_coding coding; /**< of the body, which is stored encoded */
	char forwarded[FMP_HTTP_VALUE]; /**< addresses of X-Forwarded-For, separated by commas */
	bool has_forwarded; /**< false if the header does not end */
	bool cross_site; /**< a browser sent it for a page of another site (fmp_http_is_browser_request()) */
	/**
	 * All fields of the header but trailers; of a request the target stands before them, ended
	 * by a NUL.
	 */
	struct fmp_field_list fields;
	unsigned names_fields; /**< how many fields Connection names: all but close and keep-alive */
	uint8_t *body; /**< owned; NULL while empty */
	size_t body_len;
	uint64_t bytes; /**< received of this message so far */

	bool refusal_pending; /**< refused, but X-Forwarded-For may still follow: read to the end of the header */
	int status; /**< of a refusal: HTTP status of the response */
	enum fmp_event_kind kind;
	const char *detail; /**< static text */

	/* private */
	unsigned pos, version, n_fields, field, seen, tokens, connection_bytes;
	uint32_t header_used, digits;
	uint64_t length; /**< remaining bytes of the body or the chunk */
	bool skip_line, chunked, has_type, has_coding, target_too_long;
	enum {
		FMP_HTTP_FETCH_UNKNOWN, /* no Sec-Fetch-Site */
		FMP_HTTP_FETCH_SAME_SITE,
		FMP_HTTP_FETCH_CROSS_SITE
	} fetch_site;
	char host[FMP_HTTP_ORIGIN], origin[FMP_HTTP_ORIGIN];
	size_t body_cap, n_name, n_value, n_target;
	char name[FMP_HTTP_NAME];
	char value[FMP_HTTP_VALUE];
};

void fmp_http_init(struct fmp_http *h, const struct fmp_http_limits *limits);
/** fmp_http_next() - discard this message and prepare for the next one of the connection. */
void fmp_http_next(struct fmp_http *h);
/**
 * fmp_http_limit_body() - lower the limit once the header tells which service the request is for
 *
 * Return: the state; FMP_HTTP_REFUSED if the body is larger, or is announced as larger.
 */
enum fmp_http_state fmp_http_limit_body(struct fmp_http *h, uint32_t bytes);
/**
 * fmp_http_body_length() - length of a body that is being read, if the header tells it
 *
 * Return: false: it ends by chunks or with the connection.
 */
bool fmp_http_body_length(const struct fmp_http *h, uint64_t *len);
/** fmp_http_used() - how much of its limits the header took; 0: not known, as of chunked messages. */
struct fmp_http_limits fmp_http_used(const struct fmp_http *h);
/** fmp_http_drop_body() - the body so far was handled: read on without it. */
void fmp_http_drop_body(struct fmp_http *h);
/** fmp_http_drop_body_until() - the same for its first @n bytes; frees memory that is not needed. */
void fmp_http_drop_body_until(struct fmp_http *h, size_t n);
/** fmp_http_max_body() - upper bound of the body's length, as far as the header tells. */
size_t fmp_http_max_body(const struct fmp_http *h);
/**
 * fmp_http_is_between_messages() - nothing was received but an empty line, which may precede a
 * request (RFC 9112 2.2).
 */
bool fmp_http_is_between_messages(const struct fmp_http *h);
/**
 * fmp_http_path() - path and query of the target, normalised by fmp_target_normalise(); in
 * absolute-form (RFC 9112 3.2.2) the part behind the host. Valid until the fields are freed.
 */
const char *fmp_http_path(const struct fmp_http *h);
/** fmp_http_is_read() - the method is GET or HEAD. */
static inline bool fmp_http_is_read(const struct fmp_http *h)
{
	return h->method == FMP_HTTP_GET || h->method == FMP_HTTP_HEAD;
}
/** fmp_http_target_is_whole() - the target of fmp_http_path() is not truncated. */
bool fmp_http_target_is_whole(const struct fmp_http *h);
/**
 * fmp_http_is_browser_request() - can any web page make its reader's browser send this request?
 *
 * True for GET, HEAD, OPTIONS, and for a POST that needs no CORS preflight (Fetch standard: only
 * the fields and content types of forms). Such a request is not evidence against its sender, who
 * need not know about it. Valid once the header is complete.
 */
bool fmp_http_is_browser_request(const struct fmp_http *h);
/** fmp_http_has_origin() - a page sent it; "null" is the Origin of a page without a host. */
bool fmp_http_has_origin(const struct fmp_http *h);
/**
 * fmp_http_refusal_kind() - event kind of a refusal: BROWSER instead of @kind if a page may have
 * sent it
 */
enum fmp_event_kind fmp_http_refusal_kind(const struct fmp_http *h, enum fmp_event_kind kind);
/** fmp_http_host() - Host of a request, or of its target in absolute-form; "": none. */
const char *fmp_http_host(const struct fmp_http *h);
/** fmp_http_exit() - free the body and the fields. */
void fmp_http_exit(struct fmp_http *h);

/**
 * fmp_http_feed() - parse more bytes
 * @used: bytes consumed; the rest belongs to the next message
 *
 * Return: the state. After DONE or REFUSED no byte is consumed.
 */
enum fmp_http_state fmp_http_feed(struct fmp_http *h, const void *bytes, size_t n, size_t *used);

/**
 * fmp_http_finish() - the peer closed: this ends a response without a length and refuses any other
 * message
 *
 * Return: the state, never FMP_HTTP_READING.
 */
enum fmp_http_state fmp_http_finish(struct fmp_http *h);

#endif
