// SPDX-License-Identifier: GPL-2.0
#include "describe_pass.h"

#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include <event2/event.h>

#include <fmp/internal/forward_fields.h>
#include <fmp/internal/forwarded.h>
#include <fmp/internal/text.h>

#include "../backend/backend.h"
#include "../backend/backend_url.h"
#include "../common/clock.h"
#include "../workers/fault.h"
#include "buffer_budget.h"
#include "connection_private.h"
#include "forwarding.h"

/* What making the service work for a request counts, in bytes: 512 at once, 32 a second. */
#define REQUEST_COST (64u << 10)

static const struct gw_service *get_service(const struct gw_connection *c)
{
	return &c->shared->settings->service[c->service];
}

/* An HTTP/1.0 client may have no Host: take the address that it connected to. */
static void read_local_host(const struct gw_connection *c, char *host, size_t size)
{
	struct sockaddr_storage sa;
	socklen_t len = sizeof(sa);
	char text[FMP_ADDR_STRLEN];
	struct fmp_addr own;
	uint16_t port;

	if (getsockname(gw_stream_fd(c->stream), (struct sockaddr *)&sa, &len) ||
	    fmp_addr_from_sockaddr((struct sockaddr *)&sa, &own, &port))
		return;
	fmp_addr_format(&own, text, sizeof(text));
	snprintf(host, size, strchr(text, ':') ? "[%s]:%u" : "%s:%u", text, port);
}

/* The URL by which the client sees the service. Return: false: its host is none. */
bool gw_describe_url(const struct gw_connection *c, const char *path, char url[FMP_DESCRIBE_URL])
{
	const struct fmp_forwarded_by by = {
		.tls = c->shared->settings->tls,
		.listed_proxy = c->peer.forwarded,
	};
	char host[FMP_HTTP_ORIGIN];
	const char *scheme = fmp_forward_origin(&c->http, &by, host);

	if (!*host && !*fmp_http_host(&c->http))
		read_local_host(c, host, sizeof(host));
	return fmp_describe_url(scheme, host, path, url);
}

bool gw_describe_take_budget(struct gw_connection *c, size_t bytes)
{
	const struct fmp_addr *source = c->client.family ? &c->client_key : &c->peer.group;

	return gw_describe_budget_take(&c->shared->describe_budget, source, bytes,
				       gw_clock_ns(CLOCK_BOOTTIME));
}

void gw_describe_report(struct gw_connection *c)
{
	c->arrived_ns = gw_clock_ns(CLOCK_BOOTTIME);
	gw_connection_charge(c, FMP_EVENT_BROWSER, 0, "asked for the WSDL, and was answered");
	gw_connection_set_reason(c, NULL);
	c->cpu_start = gw_clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

static void fail_pass(struct gw_connection *c, int status, const char *why)
{
	c->why = why;
	fmp_text_print(stderr, "fmp-gateway: backend%s%s: GET of its WSDL: %s\n",
		       *get_service(c)->evaluate->name ? " of " : "",
		       get_service(c)->evaluate->name, why);
	gw_respond_fault(c, 11, status, false, GW_REASON_BACKEND);
}

/* Return: NULL, or why it can't be forwarded. */
static const char *rewrite_reply(struct gw_connection *c, const struct gw_reply *r,
				 struct fmp_field_list *out)
{
	const struct gw_service *svc = get_service(c);
	const struct fmp_target_service service = {
		.host = svc->url->name,
		.port = svc->url->port,
		.tls = svc->url->tls,
		.to = svc->url->path,
		.prefix = svc->from ? svc->from->path : NULL,
	};
	const char *why;

	if (r->http->coding != FMP_CONTENT_CODING_IDENTITY)
		return "it has a Content-Encoding that was not asked for";
	why = fmp_describe_check(r->content_type, r->body, r->len);
	if (why)
		return why;
	return fmp_describe_rewrite(out, &service, c->reply.origin, r->body, r->len) ? NULL
										     : "no memory";
}

static void respond_passed(struct gw_connection *c, const struct gw_reply *r)
{
	struct fmp_field_list text = { 0 };
	const char *why = NULL;

	/* Another status is told without its page: nobody has looked at that. */
	if (r->status == 200)
		why = rewrite_reply(c, r, &text);
	if (!why && !gw_forwarding_of_reply(c, r, true, &c->reply.fields))
		why = "no memory";
	if (why)
		fail_pass(c, 502, why);
	else if (c->http.method == FMP_HTTP_GET && !gw_describe_take_budget(c, text.len))
		gw_respond_refusal(c, FMP_EVENT_BROWSER, 503, true,
				   "asks for more bytes of descriptions than a source may");
	else
		gw_respond_from_backend(c, r->status, r->status == 200 ? r->content_type : "",
					text.bytes, text.len);
	fmp_field_list_exit(&text);
}

static void on_passed_reply(void *ctx, const struct gw_reply *r)
{
	struct gw_connection *c = ctx;

	gw_buffer_budget_reply_received(c, r->len);
	if (c->state == CONN_DETACHED)
		gw_connection_destroy(c);
	else if (r->why)
		fail_pass(c, r->status, r->why);
	else
		respond_passed(c, r);
}

static bool on_reserve(void *ctx, size_t have, size_t max)
{
	return gw_buffer_budget_reserve_reply(ctx, have, max);
}

/* The fields of the request are freed once it is sent. Return: false without memory. */
static bool keep_origin(struct gw_connection *c)
{
	char origin[FMP_DESCRIBE_URL];

	c->reply.origin = gw_describe_url(c, "", origin) ? strdup(origin) : NULL;
	return c->reply.origin;
}

static struct gw_call *send_request(struct gw_connection *c)
{
	static const struct gw_call_ops ops = { .done = on_passed_reply, .reserve = on_reserve };
	struct gw_request r = { .get = true, .body = "", .content_type = "" };
	struct gw_forwarding f = { 0 };
	struct gw_call *call = NULL;

	if (keep_origin(c) && gw_forwarding_of_request(c, false, &f)) {
		r.target = f.target.bytes;
		r.fields = &f.fields;
		call = gw_backend_send(c->shared->backend[c->service], &r, &ops, c);
	}
	gw_forwarding_clear(&f);
	return call;
}

void gw_describe_pass(struct gw_connection *c)
{
	struct gw_call *call;

	if (!gw_describe_take_budget(c, REQUEST_COST)) {
		gw_respond_refusal(c, FMP_EVENT_BROWSER, 503, true,
				   "asks for more descriptions than a source may");
		return;
	}
	event_del(c->timer);
	gw_stream_pause(c->stream);
	gw_describe_report(c);
	gw_connection_enter(c, CONN_FORWARDED);
	call = send_request(c);
	if (call)
		gw_buffer_budget_request_sent(c, call);
	else
		fail_pass(c, 503, "no memory");
}
