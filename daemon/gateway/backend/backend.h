/* SPDX-License-Identifier: GPL-2.0 */
/*
 * HTTP client for the Web service behind the gateway, in the listener's event loop. No worker waits
 * for the service: a slow service delays only its own replies. Replies are parsed as strictly as
 * requests.
 */
#ifndef GW_BACKEND_H
#define GW_BACKEND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fmp/error.h>
#include <fmp/source.h>

#include <fmp/internal/http.h>

struct event_base;
struct fmp_key_source;
struct fmp_policy_backend_tls;

#define GW_BACKEND_CONNS_MAX 64 /**< connections to one service at most; further messages wait */

/** struct gw_backend_url - a host name is resolved by service/dns_helper.h */
struct gw_backend_url;

/**
 * gw_backend_url_new() - parse a URL
 * @tls: for https; without CAs: http only
 * @keys: see gw_backend_tls_new()
 */
FMP_MUST_CHECK int gw_backend_url_new(const char *url, const struct fmp_policy_backend_tls *tls,
				      const struct fmp_key_source *keys,
				      struct gw_backend_url **out, struct fmp_error *err);
void gw_backend_url_free(struct gw_backend_url *url);

struct gw_backend;

/**
 * gw_backend_new() - connects with the first message
 * @url: must outlive it
 * @idle: idle connections to keep open
 * @timeout_ms: time for a reply, including connecting and waiting for a connection
 *
 * Return: NULL without memory.
 */
struct gw_backend *gw_backend_new(struct event_base *base, const struct gw_backend_url *url,
				  unsigned idle, unsigned timeout_ms);
/** gw_backend_limit_answers() - limits of the header of an answer, for new connections. */
void gw_backend_limit_answers(struct gw_backend *b, uint32_t header_bytes, uint32_t fields);
/** gw_backend_free() - calls no callback. */
void gw_backend_free(struct gw_backend *b);

#define GW_BACKEND_CHUNKED UINT64_MAX

/** struct gw_request - copied by gw_backend_send() */
struct gw_request {
	const void *body;
	size_t len;
	const char *content_type; /**< with charset */
	bool get; /**< GET, without a body; content_type and soap_action do not count */
	const char *soap_action; /**< NULL: no SOAPAction field */
	enum fmp_content_coding coding; /**< of the body, which is sent unchanged */
	bool pieces; /**< @body is its beginning; gw_backend_feed() sends the rest */
	uint64_t rest; /**< length of the rest; GW_BACKEND_CHUNKED: not known */
	const char *target; /**< path and query; NULL: the URL's */
	const struct fmp_field_list *fields; /**< further fields; NULL: none */
	/**
	 * Key of the sender, to share the connections fairly: a source gets no further one while it
	 * has as many as are left for others. NULL: not limited, it acts for others
	 */
	const struct fmp_addr *source;
};

/** struct gw_reply - the service's reply, or why there is none; valid during the callback */
struct gw_reply {
	const char *
		why; /**< NULL: there is a reply; otherwise the reason for a log, and only status is valid */
	/** Without a reply: 503: nothing was sent; 502: no valid reply, 504: none in time. */
	int status;
	const char *content_type; /**< "" if it has none */
	const struct fmp_http *http; /**< with its fields */
	const void *body;
	size_t len;
	const char *address; /**< of the service, as text */
	uint16_t port;
};

/** struct gw_call - a message at the service, until done() */
struct gw_call;

/** struct gw_call_ops - none is called from within a function below */
struct gw_call_ops {
	void (*done)(void *ctx, const struct gw_reply *reply); /**< called once */
	/**
	 * reserve() - a long reply has to be buffered completely
	 * @have: bytes buffered now
	 * @max: upper bound of its length
	 *
	 * Return: true: read on; false: stop reading until gw_backend_resume(). NULL: always read.
	 */
	bool (*reserve)(void *ctx, size_t have, size_t max);
	/**
	 * stream() - a reply with a body begins; it has no body here
	 *
	 * Return: true: it is passed to data() as it comes, and done() follows, without body or with
	 * why if it is not complete. NULL: never.
	 */
	bool (*stream)(void *ctx, const struct gw_reply *reply);
	void (*data)(void *ctx, const void *bytes, size_t len);
	/**
	 * drained() - of a request in pieces all that was given is with the kernel, also the first
	 * time: give more. May call gw_backend_cancel().
	 */
	void (*drained)(void *ctx);
};

/**
 * gw_backend_send() - send one message to the service
 * @ops: must outlive the call
 *
 * An idle connection is checked before it is used. A sent message is never repeated: the service
 * may have acted on it before it closed the connection. A connection on which a message logs in
 * (fmp_forward_is_of_connection()) is closed behind its reply.
 *
 * Return: NULL without memory; no callback follows.
 */
FMP_MUST_CHECK struct gw_call *gw_backend_send(struct gw_backend *b,
					       const struct gw_request *request,
					       const struct gw_call_ops *ops, void *ctx);
/** gw_backend_cancel() - give a message up; no callback follows. Not from within a callback. */
void gw_backend_cancel(struct gw_call *call);
/** gw_backend_is_ready() - the beginning of a request in pieces was sent; else drained() follows. */
bool gw_backend_is_ready(const struct gw_call *call);
/** gw_backend_feed() - send more of a request in pieces, whose beginning was sent. */
void gw_backend_feed(struct gw_call *call, const void *bytes, size_t len);
/** gw_backend_fed() - all of it was given. */
void gw_backend_fed(struct gw_call *call);
/** gw_backend_unsent() - bytes of it that wait to be sent */
size_t gw_backend_unsent(const struct gw_call *call);
/** gw_backend_pause() - read no more of a streamed reply until gw_backend_resume(). */
void gw_backend_pause(struct gw_call *call);
/** gw_backend_resume() - there is room for the reply now. */
void gw_backend_resume(struct gw_call *call);
/** gw_backend_request_size() - bytes that the call holds of the request. */
size_t gw_backend_request_size(const struct gw_call *call);

#endif
