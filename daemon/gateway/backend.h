/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The Web service behind the gateway: an HTTP client in the listener's event loop. No worker
 * waits for the service: a slow one delays its own answers, and inspection goes on.
 */
#ifndef GW_BACKEND_H
#define GW_BACKEND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fmp/error.h>

struct event_base;

#define GW_BACKEND_ANSWER_S 30 /**< seconds for a message's answer to be there */
#define GW_BACKEND_LINES    64 /**< connections to the service at most; more messages wait for one */

/** struct gw_backend_url - resolved while names can still be resolved: before the sandbox */
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
 *
 * Return: NULL without memory.
 */
struct gw_backend *gw_backend_new(struct event_base *base, const struct gw_backend_url *url,
				  unsigned idle);
/** gw_backend_free() - no callback is called any more. */
void gw_backend_free(struct gw_backend *b);

/** struct gw_request - copied by gw_backend_send() */
struct gw_request {
	const void *body;
	size_t len;
	const char *content_type; /**< with charset */
	const char *soap_action; /**< NULL: no SOAPAction field */
};

/** struct gw_reply - the service's answer; lives for the callback */
struct gw_reply {
	int status;
	const char *content_type; /**< "" if it has none */
	const void *body;
	size_t len;
	const char *address; /**< that it came from, in text */
	uint16_t port;
};

/**
 * gw_backend_send() - one message to the service
 * @done: called once, never from within gw_backend_send(); reply NULL: there is none, why says
 *	  the reason in words for a log
 *
 * Return: false without memory; done is not called then.
 */
FMP_MUST_CHECK bool
gw_backend_send(struct gw_backend *b, const struct gw_request *request,
		void (*done)(void *ctx, const struct gw_reply *reply, const char *why), void *ctx);

#endif
