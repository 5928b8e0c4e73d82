/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The Web service behind the gateway: an HTTP client in the listener's event loop. No worker
 * waits for the service: a slow one delays its own answers, and inspection goes on. Its answers
 * are read as strictly as requests are.
 */
#ifndef GW_BACKEND_H
#define GW_BACKEND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fmp/error.h>

#include <fmp/internal/http.h>

struct event_base;

#define GW_BACKEND_TIMEOUT_MS 30000 /**< for a message's answer to be there */
#define GW_BACKEND_CONNS_MAX \
	64 /**< connections to the service at most; more messages wait for one */

/** struct gw_backend_url - what is a name is resolved by others, see service/dns_helper.h */
struct gw_backend_url;

/**
 * gw_backend_url_new()
 * @ca: PEM file of the CAs that vouch for an https URL; "": http only
 */
FMP_MUST_CHECK int gw_backend_url_new(const char *url, const char *ca, struct gw_backend_url **out,
				      struct fmp_error *err);
void gw_backend_url_free(struct gw_backend_url *url);

struct gw_backend;

/**
 * gw_backend_new() - connects at the first message
 * @url: must outlive it
 * @idle: connections that are kept open with nothing to do
 * @answer_ms: for a message's answer to be there, connecting and waiting for a connection included
 *
 * Return: NULL without memory.
 */
struct gw_backend *gw_backend_new(struct event_base *base, const struct gw_backend_url *url,
				  unsigned idle, unsigned answer_ms);
/** gw_backend_free() - no callback is called any more. */
void gw_backend_free(struct gw_backend *b);

/** struct gw_request - copied by gw_backend_send() */
struct gw_request {
	const void *body;
	size_t len;
	const char *content_type; /**< with charset */
	const char *soap_action; /**< NULL: no SOAPAction field */
	enum fmp_content_coding coding; /**< of the body, which is sent as it is */
};

/** struct gw_reply - the service's answer, or why there is none; lives for the callback */
struct gw_reply {
	const char *why; /**< NULL: an answer; else in words for a log, and only status counts */
	/** Without an answer: 503 not a byte was sent; else 502 no good one, 504 not in time. */
	int status;
	const char *content_type; /**< "" if it has none */
	const void *body;
	size_t len;
	const char *address; /**< that it came from, in text */
	uint16_t port;
};

/** struct gw_call - a message that is with the service, until done() */
struct gw_call;

/** struct gw_call_ops - none is called from within a call of below */
struct gw_call_ops {
	void (*done)(void *ctx, const struct gw_reply *reply); /**< called once */
	/**
	 * room() - the answer is not a short one, and has to be held until it is whole.
	 * @have: bytes that it takes up now
	 * @most: that it may become
	 *
	 * Return: true; false: no more of it is read until gw_backend_resume(). NULL: all is read.
	 */
	bool (*room)(void *ctx, size_t have, size_t most);
};

/**
 * gw_backend_send() - one message to the service
 * @ops: must outlive the call
 *
 * A kept connection is looked at before it is used. What was sent is never sent again: whoever
 * closed the connection without an answer may have done what the message says.
 *
 * Return: NULL without memory; nothing is called then.
 */
FMP_MUST_CHECK struct gw_call *gw_backend_send(struct gw_backend *b,
					       const struct gw_request *request,
					       const struct gw_call_ops *ops, void *ctx);
/** gw_backend_resume() - there is room for the answer now. */
void gw_backend_resume(struct gw_call *call);
/** gw_backend_request_size() - bytes that the call holds of what is sent. */
size_t gw_backend_request_size(const struct gw_call *call);

#endif
