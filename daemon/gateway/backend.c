// SPDX-License-Identifier: GPL-2.0
#include "backend.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>

#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/http.h>
#include <event2/keyvalq_struct.h>

#include "backend_tls.h"
#include "backend_url.h"
#include "job.h"

#define ANSWER_FIELDS (16 << 10) /* bytes of an answer's header */

/* A connection to the service; it stays between messages if both sides like. */
struct line {
	TAILQ_ENTRY(line) list;
	struct evhttp_connection *http;
	unsigned address; /* of the URL's */
	bool broken; /* to be closed: never from within its own callbacks */
};
TAILQ_HEAD(lines, line);

struct call {
	TAILQ_ENTRY(call) list;
	struct gw_backend *backend;
	struct line *line; /* NULL: waits for one */
	struct evhttp_request *request;
	struct event *timer;
	struct evbuffer *body;
	char *content_type, *soap_action;
	unsigned tries;
	const char *why; /* what broke it off */
	void (*done)(void *ctx, const struct gw_reply *reply, const char *why);
	void *ctx;
};
TAILQ_HEAD(calls, call);

struct gw_backend {
	struct event_base *base;
	const struct gw_backend_url *url;
	struct lines idle, busy;
	unsigned n_lines, n_idle, max_idle;
	unsigned address; /* that answered last */
	struct calls waiting, sent;
	struct event *pump;
};

static void free_call(struct call *call)
{
	if (call->timer)
		event_free(call->timer);
	if (call->body)
		evbuffer_free(call->body);
	free(call->content_type);
	free(call->soap_action);
	free(call);
}

static void close_line(struct gw_backend *b, struct line *line)
{
	evhttp_connection_free(line->http);
	free(line);
	b->n_lines--;
}

/* The callbacks of a line end before anything else is done with it. */
static void pump_later(struct gw_backend *b)
{
	event_active(b->pump, EV_TIMEOUT, 0);
}

static void release(struct call *call)
{
	struct gw_backend *b = call->backend;
	struct line *line = call->line;

	if (!line)
		return;
	TAILQ_REMOVE(&b->busy, line, list);
	TAILQ_INSERT_HEAD(&b->idle, line, list);
	b->n_idle++;
	call->line = NULL;
	/* Idle, whole, and nobody waits for it: there is nothing to pump. */
	if (line->broken || b->n_idle > b->max_idle || !TAILQ_EMPTY(&b->waiting))
		pump_later(b);
}

static void finish(struct call *call, const struct gw_reply *reply)
{
	struct gw_backend *b = call->backend;

	TAILQ_REMOVE(call->line ? &b->sent : &b->waiting, call, list);
	release(call);
	call->done(call->ctx, reply, call->why);
	free_call(call);
}

/* Nobody listens at this address: the next one, if there is one that was not tried. */
static bool try_another(struct call *call)
{
	struct gw_backend *b = call->backend;

	if (call->why || ++call->tries >= b->url->n)
		return false;
	b->address = (call->line->address + 1) % b->url->n;
	TAILQ_REMOVE(&b->sent, call, list);
	release(call);
	TAILQ_INSERT_HEAD(&b->waiting, call, list);
	return true;
}

static void on_failure(enum evhttp_request_error error, void *arg)
{
	struct call *call = arg;

	switch (error) {
	case EVREQ_HTTP_TIMEOUT:
		call->why = "no answer in time";
		break;
	case EVREQ_HTTP_INVALID_HEADER:
		call->why = "the answer is not HTTP";
		break;
	case EVREQ_HTTP_DATA_TOO_LONG:
		call->why = "the answer is too long";
		break;
	default:
		call->why = "the answer was broken off";
	}
}

static void on_reply(struct evhttp_request *request, void *arg)
{
	struct call *call = arg;
	struct gw_reply reply;
	struct evbuffer *body;
	const char *type;

	call->request = NULL;
	if (!request || !evhttp_request_get_response_code(request)) {
		call->line->broken = true;
		if (try_another(call))
			return;
		call->why = call->why ? call->why : "not reached";
		finish(call, NULL);
		return;
	}
	reply.status = evhttp_request_get_response_code(request);
	type = evhttp_find_header(evhttp_request_get_input_headers(request), "Content-Type");
	body = evhttp_request_get_input_buffer(request);
	reply.address = call->backend->url->address[call->line->address];
	reply.port = call->backend->url->port;
	reply.content_type = type && strlen(type) < GW_TYPE_MAX ? type : "";
	reply.len = evbuffer_get_length(body);
	reply.body = reply.len ? evbuffer_pullup(body, -1) : (const void *)"";
	call->why = "the answer has no status";
	finish(call, reply.status < 200 || reply.status > 599 || !reply.body ? NULL : &reply);
}

static void on_timer(evutil_socket_t fd, short what, void *arg)
{
	struct call *call = arg;
	struct evhttp_request *request = call->request;

	call->request = NULL;
	if (call->line)
		call->line->broken = true;
	/* Calls on_failure(), not on_reply(). */
	if (request)
		evhttp_cancel_request(request);
	call->why = "no answer in time";
	finish(call, NULL);
}

/* A session of TLS can't be begun again. */
static void on_closed(struct evhttp_connection *http, void *arg)
{
	struct line *line = arg;

	line->broken = true;
}

static struct line *open_line(struct gw_backend *b)
{
	struct line *line = calloc(1, sizeof(*line));
	struct bufferevent *bev = NULL;

	if (!line)
		return NULL;
	line->address = b->address;
	/* Without TLS evhttp connects again by itself where the service has closed. */
	if (b->url->tls)
		bev = gw_backend_tls_connect(b->url->tls, b->base, b->url->name);
	if (bev || !b->url->tls)
		line->http = evhttp_connection_base_bufferevent_new(
			b->base, NULL, bev, b->url->address[line->address], b->url->port);
	if (!line->http) {
		if (bev)
			bufferevent_free(bev);
		free(line);
		return NULL;
	}
	if (bev)
		evhttp_connection_set_closecb(line->http, on_closed, line);
	evhttp_connection_set_timeout(line->http, GW_BACKEND_ANSWER_S);
	evhttp_connection_set_max_headers_size(line->http, ANSWER_FIELDS);
	evhttp_connection_set_max_body_size(line->http, GW_ANSWER_MAX);
	b->n_lines++;
	return line;
}

/* Return: a connection that has nothing to do; NULL: all are busy, or there is no memory. */
static struct line *get_line(struct gw_backend *b)
{
	struct line *line = TAILQ_FIRST(&b->idle);

	while (line && line->broken)
		line = TAILQ_NEXT(line, list);
	if (line) {
		TAILQ_REMOVE(&b->idle, line, list);
		b->n_idle--;
	} else if (b->n_lines < GW_BACKEND_LINES) {
		line = open_line(b);
	}
	if (line)
		TAILQ_INSERT_TAIL(&b->busy, line, list);
	return line;
}

static bool send_on(struct call *call)
{
	struct evhttp_request *request = evhttp_request_new(on_reply, call);
	struct evkeyvalq *fields;

	if (!request)
		return false;
	evhttp_request_set_error_cb(request, on_failure);
	fields = evhttp_request_get_output_headers(request);
	if (evhttp_add_header(fields, "Host", call->backend->url->host) ||
	    evhttp_add_header(fields, "Content-Type", call->content_type) ||
	    (call->soap_action && evhttp_add_header(fields, "SOAPAction", call->soap_action)) ||
	    /* Kept, in case that nobody listens at the first address. */
	    evbuffer_add_buffer_reference(evhttp_request_get_output_buffer(request), call->body)) {
		evhttp_request_free(request);
		return false;
	}
	call->request = request;
	/* On failure the request is gone, and no callback was called. */
	if (evhttp_make_request(call->line->http, request, EVHTTP_REQ_POST,
				call->backend->url->path)) {
		call->request = NULL;
		return false;
	}
	return true;
}

/* Return: false if the call waits as before: no line is free, or the one that was is broken. */
static bool send_at_once(struct gw_backend *b, struct call *call)
{
	struct line *line = get_line(b);

	if (!line)
		return false;
	call->line = line;
	if (!send_on(call)) {
		line->broken = true;
		release(call);
		return false;
	}
	TAILQ_REMOVE(&b->waiting, call, list);
	TAILQ_INSERT_TAIL(&b->sent, call, list);
	return true;
}

static void pump(evutil_socket_t fd, short what, void *arg)
{
	struct gw_backend *b = arg;
	struct line *line, *next;
	struct call *call;

	for (line = TAILQ_FIRST(&b->idle); line; line = next) {
		next = TAILQ_NEXT(line, list);
		if (!line->broken && b->n_idle <= b->max_idle)
			continue;
		TAILQ_REMOVE(&b->idle, line, list);
		b->n_idle--;
		close_line(b, line);
	}
	while ((call = TAILQ_FIRST(&b->waiting)) && (line = get_line(b))) {
		TAILQ_REMOVE(&b->waiting, call, list);
		TAILQ_INSERT_TAIL(&b->sent, call, list);
		call->line = line;
		if (!send_on(call)) {
			line->broken = true;
			call->why = "message not sent";
			finish(call, NULL);
		}
	}
}

struct gw_backend *gw_backend_new(struct event_base *base, const struct gw_backend_url *url,
				  unsigned idle)
{
	struct gw_backend *b = calloc(1, sizeof(*b));

	if (!b)
		return NULL;
	b->base = base;
	b->url = url;
	b->max_idle = idle;
	TAILQ_INIT(&b->idle);
	TAILQ_INIT(&b->busy);
	TAILQ_INIT(&b->waiting);
	TAILQ_INIT(&b->sent);
	b->pump = event_new(base, -1, 0, pump, b);
	if (!b->pump) {
		free(b);
		return NULL;
	}
	return b;
}

void gw_backend_free(struct gw_backend *b)
{
	struct calls *const queues[] = { &b->waiting, &b->sent };
	struct lines *const sets[] = { &b->idle, &b->busy };
	struct call *call;
	struct line *line;

	for (size_t i = 0; i < sizeof(queues) / sizeof(*queues); i++) {
		while ((call = TAILQ_FIRST(queues[i]))) {
			TAILQ_REMOVE(queues[i], call, list);
			if (call->request)
				evhttp_cancel_request(call->request);
			free_call(call);
		}
	}
	for (size_t i = 0; i < sizeof(sets) / sizeof(*sets); i++) {
		while ((line = TAILQ_FIRST(sets[i]))) {
			TAILQ_REMOVE(sets[i], line, list);
			close_line(b, line);
		}
	}
	event_free(b->pump);
	free(b);
}

bool gw_backend_send(struct gw_backend *b, const struct gw_request *r,
		     void (*done)(void *ctx, const struct gw_reply *reply, const char *why),
		     void *ctx)
{
	static const struct timeval most = { .tv_sec = GW_BACKEND_ANSWER_S };
	struct call *call = calloc(1, sizeof(*call));

	if (!call)
		return false;
	call->backend = b;
	call->done = done;
	call->ctx = ctx;
	call->timer = event_new(b->base, -1, 0, on_timer, call);
	call->body = evbuffer_new();
	call->content_type = strdup(r->content_type);
	/* Quoted, as SOAP 1.1 (WS-I BP 1.1, R2745) has it, however it came. */
	if (r->soap_action && asprintf(&call->soap_action, "\"%s\"", r->soap_action) < 0)
		call->soap_action = NULL;
	if (!call->timer || !call->body || !call->content_type ||
	    (r->soap_action && !call->soap_action) || evbuffer_add(call->body, r->body, r->len)) {
		free_call(call);
		return false;
	}
	event_add(call->timer, &most);
	TAILQ_INSERT_TAIL(&b->waiting, call, list);
	if (TAILQ_FIRST(&b->waiting) != call || !send_at_once(b, call))
		pump_later(b);
	return true;
}
