// SPDX-License-Identifier: GPL-2.0
#include "backend.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>

#include <event2/event.h>
#include <event2/event_struct.h>

#include "backend_conn.h"
#include "backend_url.h"
#include <fmp/internal/job.h>

/* What stands in a request's header beside what it is given. */
#define FIXED_FIELDS 160

struct gw_call {
	TAILQ_ENTRY(gw_call) list; /* of those that wait for a line */
	struct gw_backend *backend;
	struct gw_backend_conn *line; /* NULL: waits for one */
	struct event timer;
	unsigned tries; /* addresses where nobody was */
	const struct gw_call_ops *ops;
	void *ctx;
	size_t len;
	char bytes[]; /* the request; kept until a line is open to send it on */
};
TAILQ_HEAD(calls, gw_call);

struct gw_backend {
	struct event_base *base;
	const struct gw_backend_url *url;
	struct gw_backend_conns idle, busy;
	unsigned n_lines, n_idle, max_idle;
	unsigned address; /* that answered last */
	struct timeval answer; /* the time for one */
	struct calls waiting;
	struct event *pump;
};

static void pump_later(struct gw_backend *b)
{
	event_active(b->pump, EV_TIMEOUT, 0);
}

static void free_call(struct gw_call *call)
{
	event_del(&call->timer);
	free(call);
}

static void finish(struct gw_call *call, const struct gw_reply *reply)
{
	event_del(&call->timer);
	call->ops->done(call->ctx, reply);
	free_call(call);
}

static void fail(struct gw_call *call, int status, const char *why)
{
	const struct gw_reply reply = { .why = why, .status = status };

	finish(call, &reply);
}

static void wait_first(struct gw_call *call)
{
	call->line = NULL;
	TAILQ_INSERT_HEAD(&call->backend->waiting, call, list);
	pump_later(call->backend);
}

/* ---- lines ---- */

static void close_line(struct gw_backend *b, struct gw_backend_conn *l, bool idle)
{
	TAILQ_REMOVE(idle ? &b->idle : &b->busy, l, list);
	b->n_idle -= idle;
	b->n_lines--;
	gw_backend_conn_free(l);
	if (!TAILQ_EMPTY(&b->waiting))
		pump_later(b);
}

/* It has no request any more. */
static void release(struct gw_backend *b, struct gw_backend_conn *l, bool keep)
{
	l->call = NULL;
	if (!keep || (b->n_idle >= b->max_idle && TAILQ_EMPTY(&b->waiting))) {
		close_line(b, l, false);
		return;
	}
	gw_backend_conn_release_body(l);
	TAILQ_REMOVE(&b->busy, l, list);
	TAILQ_INSERT_HEAD(&b->idle, l, list);
	b->n_idle++;
	if (!TAILQ_EMPTY(&b->waiting))
		pump_later(b);
}

static void put_on(struct gw_call *call, struct gw_backend_conn *l)
{
	struct gw_backend *b = call->backend;

	call->line = l;
	l->call = call;
	TAILQ_INSERT_TAIL(&b->busy, l, list);
	gw_backend_conn_send(l, call->bytes, call->len);
}

/* Whoever keeps a connection may close it, and the loop may not have come to that yet. */
static struct gw_backend_conn *take_idle(struct gw_backend *b)
{
	struct gw_backend_conn *l;

	while ((l = TAILQ_FIRST(&b->idle)) && !gw_backend_conn_is_usable(l))
		close_line(b, l, true);
	if (l) {
		TAILQ_REMOVE(&b->idle, l, list);
		b->n_idle--;
	}
	return l;
}

/* Nobody listens at this address: the next one, if there is one that was not tried. */
static void unreached(struct gw_call *call, unsigned address, const char *why)
{
	struct gw_backend *b = call->backend;

	if (++call->tries >= b->url->n) {
		fail(call, 503, why);
		return;
	}
	b->address = (address + 1) % b->url->n;
	wait_first(call);
}

static void on_answered(struct gw_backend_conn *l, const struct fmp_http *h, bool keep)
{
	struct gw_backend *b = l->owner;
	const struct gw_reply reply = { .status = h->code,
					.content_type = h->content_type,
					.body = h->body ? h->body : (const void *)"",
					.len = h->body_len,
					.address = b->url->address[l->address],
					.port = b->url->port };

	finish(l->call, &reply);
	release(b, l, keep);
}

static void on_ended(struct gw_backend_conn *l, enum gw_backend_conn_end end, const char *why)
{
	struct gw_backend *b = l->owner;
	struct gw_call *call = l->call;
	unsigned address = l->address;

	close_line(b, l, !call);
	if (!call)
		return;
	/* What was sent may have been obeyed: a POST is never sent again (RFC 9110 9.2.2). */
	if (end == GW_BACKEND_CONN_UNREACHABLE)
		unreached(call, address, why);
	else
		fail(call, 502, why);
}

static bool on_room(struct gw_backend_conn *l, size_t have, size_t most)
{
	const struct gw_call *call = l->call;

	return !call->ops->room || call->ops->room(call->ctx, have, most);
}

static const struct gw_backend_conn_ops line_ops = { .answered = on_answered,
						     .room = on_room,
						     .ended = on_ended };

static struct gw_backend_conn *open_line(struct gw_backend *b)
{
	struct gw_backend_conn *l = gw_backend_conn_new(b->base, b->url, b->address, &line_ops, b);

	b->n_lines += l != NULL;
	return l;
}

static void pump(evutil_socket_t fd, short what, void *arg)
{
	struct gw_backend *b = arg;
	struct gw_call *call;

	while ((call = TAILQ_FIRST(&b->waiting))) {
		struct gw_backend_conn *l = take_idle(b);

		if (!b->url->n) {
			TAILQ_REMOVE(&b->waiting, call, list);
			fail(call, 503, "its name is not resolved");
			continue;
		}
		if (!l && b->n_lines >= GW_BACKEND_CONNS_MAX) {
			if (!b->n_idle)
				return;
			close_line(b, TAILQ_FIRST(&b->idle), true);
		}
		if (!l)
			l = open_line(b);
		TAILQ_REMOVE(&b->waiting, call, list);
		if (l)
			put_on(call, l);
		else
			unreached(call, b->address, "not reached");
	}
}

/* ---- calls ---- */

static void on_timer(evutil_socket_t fd, short what, void *arg)
{
	struct gw_call *call = arg;
	bool unsent = !call->line || gw_backend_conn_is_unsent(call->line),
	     waits = call->line && gw_backend_conn_is_paused(call->line);

	if (call->line)
		close_line(call->backend, call->line, false);
	else
		TAILQ_REMOVE(&call->backend->waiting, call, list);
	if (unsent)
		fail(call, 503, "not reached in time");
	else
		fail(call, 504, waits ? "no room for its answer in time" : "no answer in time");
}

static struct gw_call *new_call(struct gw_backend *b, const struct gw_request *r)
{
	static const char *const coding[] = {
		[FMP_CONTENT_CODING_IDENTITY] = "",
		[FMP_CONTENT_CODING_GZIP] = "Content-Encoding: gzip\r\n",
		[FMP_CONTENT_CODING_DEFLATE] = "Content-Encoding: deflate\r\n",
	};
	const char *action = r->soap_action ? r->soap_action : "";
	size_t most = strlen(b->url->path) + strlen(b->url->host) + strlen(r->content_type) +
		      strlen(action) + FIXED_FIELDS;
	struct gw_call *call = malloc(sizeof(*call) + most + r->len);
	int n;

	if (!call)
		return NULL;
	memset(call, 0, sizeof(*call));
	/* SOAPAction quoted, as SOAP 1.1 (WS-I BP 1.1, R2745) has it, however it came. */
	n = snprintf(call->bytes, most,
		     "POST %s HTTP/1.1\r\nHost: %s\r\nContent-Type: %s\r\n%s%s%s%s"
		     "Content-Length: %zu\r\n\r\n",
		     b->url->path, b->url->host, r->content_type,
		     r->soap_action ? "SOAPAction: \"" : "", action, r->soap_action ? "\"\r\n" : "",
		     coding[r->coding], r->len);
	if (n < 0 || (size_t)n >= most) {
		free(call);
		return NULL;
	}
	memcpy(call->bytes + n, r->body, r->len);
	call->len = (size_t)n + r->len;
	call->backend = b;
	event_assign(&call->timer, b->base, -1, 0, on_timer, call);
	return call;
}

struct gw_call *gw_backend_send(struct gw_backend *b, const struct gw_request *r,
				const struct gw_call_ops *ops, void *ctx)
{
	struct gw_call *call = new_call(b, r);
	struct gw_backend_conn *l;

	if (!call)
		return NULL;
	call->ops = ops;
	call->ctx = ctx;
	event_add(&call->timer, &b->answer);
	l = TAILQ_EMPTY(&b->waiting) ? take_idle(b) : NULL;
	if (l) {
		put_on(call, l);
	} else {
		TAILQ_INSERT_TAIL(&b->waiting, call, list);
		pump_later(b);
	}
	return call;
}

void gw_backend_resume(struct gw_call *call)
{
	gw_backend_conn_resume(call->line);
}

size_t gw_backend_request_size(const struct gw_call *call)
{
	return call->len;
}

struct gw_backend *gw_backend_new(struct event_base *base, const struct gw_backend_url *url,
				  unsigned idle, unsigned answer_ms)
{
	struct gw_backend *b = calloc(1, sizeof(*b));

	if (!b)
		return NULL;
	b->base = base;
	b->url = url;
	b->max_idle = idle;
	b->answer = (struct timeval){ .tv_sec = answer_ms / 1000,
				      .tv_usec = (suseconds_t)(answer_ms % 1000 * 1000) };
	TAILQ_INIT(&b->idle);
	TAILQ_INIT(&b->busy);
	TAILQ_INIT(&b->waiting);
	b->pump = event_new(base, -1, 0, pump, b);
	if (!b->pump) {
		free(b);
		return NULL;
	}
	return b;
}

void gw_backend_free(struct gw_backend *b)
{
	struct gw_call *call;
	struct gw_backend_conn *l;

	while ((call = TAILQ_FIRST(&b->waiting))) {
		TAILQ_REMOVE(&b->waiting, call, list);
		free_call(call);
	}
	while ((l = TAILQ_FIRST(&b->busy))) {
		free_call(l->call);
		close_line(b, l, false);
	}
	while ((l = TAILQ_FIRST(&b->idle)))
		close_line(b, l, true);
	event_free(b->pump);
	free(b);
}
