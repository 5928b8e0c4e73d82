/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A strict reader of HTTP/1.1: bytes in, one request out, or one answer (RFC 9112).
 *
 * Pure and incremental: the same bytes give the same message or the same refusal
 * however they are cut. What two readers could take two ways is refused: two
 * lengths, a length beside chunks, bare line feeds, folded lines, white space
 * before a colon, control characters. Memory grows with the bytes that came,
 * never with those that were promised.
 */
#ifndef FMP_HTTP_H
#define FMP_HTTP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fmp/event.h>

/** struct fmp_http_limits - what a message may have at most */
struct fmp_http_limits {
	uint32_t header_bytes; /**< start line, fields, trailers and chunk framing, line ends included */
	uint32_t fields; /**< header and trailer fields */
	uint32_t body_bytes; /**< of the body, framing not counted */
	bool compressed; /**< gzip and deflate may be */
	bool forwarded; /**< X-Forwarded-For is read: the client is a listed proxy */
	bool answer; /**< it is no request but the answer to a POST */
};

/** enum fmp_content_coding - RFC 9110 8.4.1 */
enum fmp_content_coding {
	FMP_CONTENT_CODING_IDENTITY = 0,
	FMP_CONTENT_CODING_GZIP,
	FMP_CONTENT_CODING_DEFLATE, /**< zlib's format, or without its header, as some send it */
};

/* What is taken of a message before its body where no policy says it: of an answer, or without one. */
#define FMP_HTTP_HEADER_BYTES 8192
#define FMP_HTTP_FIELDS	      64

#define FMP_HTTP_NAME	64 /**< longest field name */
#define FMP_HTTP_TARGET 128 /**< as much of the target as is kept */
#define FMP_HTTP_VALUE	512 /**< longest value of a field that is understood */
#define FMP_HTTP_SKIP_BYTES \
	(256u << 10) /**< read of a refused header beyond its limit: more than proxies hand on */
#define FMP_HTTP_ORIGIN \
	264 /**< as much of Host and Origin as is kept: a host name, its port, a scheme */

enum fmp_http_state {
	FMP_HTTP_READING = 0,
	FMP_HTTP_DONE, /**< a whole message stands in the struct */
	FMP_HTTP_REFUSED, /**< status, kind and detail say why; the connection is lost */
};

/** struct fmp_http - one message being read; reset between messages of a connection */
struct fmp_http {
	struct fmp_http_limits limits;
	enum fmp_http_state state;

	bool started; /**< the first byte of it came */
	bool headers_done; /**< all fields were read */
	bool keep_alive; /**< the connection may go on after the answer */
	int code; /**< of an answer: its status, 200 to 599 */
	bool expect_continue; /**< the client waits for "100 Continue" */
	char content_type[FMP_HTTP_VALUE];
	char soap_action[FMP_HTTP_VALUE]; /**< without its quotes */
	bool has_action;
	char target[FMP_HTTP_TARGET]; /**< for logs; cut where it is longer */
	enum fmp_content_coding coding; /**< of the body, which is as it came */
	char forwarded[FMP_HTTP_VALUE]; /**< addresses of X-Forwarded-For, by commas */
	bool has_forwarded; /**< of a header that has no end: false */
	bool cross_site; /**< a browser sent it for a page of another site (fmp_http_is_browser_request()) */
	uint8_t *body; /**< owned; NULL while empty */
	size_t body_len;
	uint64_t bytes; /**< of the whole message so far */

	bool held; /**< refused by a proxy's client, who is told of further behind: read on to the header's end */
	int status; /**< of a refusal: the HTTP status to answer a request with */
	enum fmp_event_kind kind;
	const char *detail; /**< static text */

	/* private */
	unsigned at, version, n_fields, field, seen, tokens;
	uint32_t header_used, digits;
	uint64_t length; /**< of the body or of the chunk: what is still to come */
	bool skip_line, chunked, has_type, has_coding, long_target;
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
/** fmp_http_next() - forget this request, be ready for the next one of the connection. */
void fmp_http_next(struct fmp_http *h);
/**
 * fmp_http_limit_body() - a smaller limit, once the headers say whom the request is for
 *
 * Return: the state; FMP_HTTP_REFUSED if the body is larger, or is said to be.
 */
enum fmp_http_state fmp_http_limit_body(struct fmp_http *h, uint32_t bytes);
/** fmp_http_max_body() - by what the headers say the body becomes no longer. */
size_t fmp_http_max_body(const struct fmp_http *h);
/** fmp_http_is_between_messages() - nothing of a message came, or an empty line, which may stand in front of one (RFC 9112 2.2). */
bool fmp_http_is_between_messages(const struct fmp_http *h);
/** fmp_http_path() - the target, of one in absolute-form (RFC 9112 3.2.2) what is behind the host; for fmp_route(). */
const char *fmp_http_path(const struct fmp_http *h);
/** fmp_http_target_is_whole() - it was not cut. */
bool fmp_http_target_is_whole(const struct fmp_http *h);
/**
 * fmp_http_is_browser_request() - could any web page have made its reader's browser send it?
 *
 * GET, HEAD, OPTIONS, and a POST that needs no permission of ours (Fetch standard: no field and no
 * content type but those of forms). Asked once the header is there. Whoever sends it need not know of it.
 */
bool fmp_http_is_browser_request(const struct fmp_http *h);
/** fmp_http_has_origin() - a page sent it, "null" one of no host that a browser would name. */
bool fmp_http_has_origin(const struct fmp_http *h);
/** fmp_http_refusal_kind() - what a request is refused as: BROWSER for @kind, if it could be a page's */
enum fmp_event_kind fmp_http_refusal_kind(const struct fmp_http *h, enum fmp_event_kind kind);
/** fmp_http_exit() - frees the body. */
void fmp_http_exit(struct fmp_http *h);

/**
 * fmp_http_feed() - read on
 * @used: bytes taken; what is behind them belongs to the next request
 *
 * Return: the state. After DONE or REFUSED nothing is taken any more.
 */
enum fmp_http_state fmp_http_feed(struct fmp_http *h, const void *bytes, size_t n, size_t *used);

/**
 * fmp_http_finish() - no more bytes come: the end of an answer without a length, else a refusal
 *
 * Return: the state, not FMP_HTTP_READING.
 */
enum fmp_http_state fmp_http_finish(struct fmp_http *h);

#endif
