// SPDX-License-Identifier: GPL-2.0
#include "backend.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <event2/event.h>
#include <event2/event_struct.h>

#include "backend_conn.h"
#include "backend_url.h"
#include <fmp/internal/evtimer.h>
#include <fmp/internal/forward_fields.h>
#include <fmp/internal/job.h>
#include <fmp/internal/queue.h>

/* Length of the fixed part of a request header. */
#define FIXED_FIELDS 160
/* The size of a chunk and two line ends. */
#define CHUNK_FRAME  24

struct gw_call {
	TAILQ_ENTRY(gw_call) list; /* of the calls that wait for a connection */
	struct gw_backend *backend;
	struct gw_backend_conn *conn; /* NULL: waits for one */
	struct event timer;
	unsigned tries; /* addresses that could not be reached */
	const struct gw_call_ops *ops;
	void *ctx;
	struct fmp_addr source; /* {0}: not limited */
	bool of_connection; /* it logs in on the connection, which nobody else may get */
	bool feeding, chunked; /* the rest of the request is to come, in chunks */
	size_t len;
	char bytes[]; /* the request; kept until a connection is open */
};
TAILQ_HEAD(calls, gw_call);

struct gw_backend {
	struct event_base *base;
	const struct gw_backend_url *url;
	struct gw_backend_conns idle, busy;
	unsigned n_conns, n_idle, max_idle;
	unsigned address; /* of the latest reply */
	unsigned timeout_ms; /* for a reply */
	struct fmp_http_limits limits; /* of a reply */
	struct calls waiting;
	struct event *dispatch;
};

static void schedule_dispatch(struct gw_backend *b)
{
	event_active(b->dispatch, EV_TIMEOUT, 0);
}

static void free_call(struct gw_call *call)
{
	event_del(&call->timer);
	free(call);
}

static void finish_call(struct gw_call *call, const struct gw_reply *reply)
{
	event_del(&call->timer);
	call->ops->done(call->ctx, reply);
	free_call(call);
}

static void fail_call(struct gw_call *call, int status, const char *why)
{
	const struct gw_reply reply = { .why = why, .status = status };

	finish_call(call, &reply);
}

static void requeue_call(struct gw_call *call)
{
	call->conn = NULL;
	TAILQ_INSERT_HEAD(&call->backend->waiting, call, list);
	schedule_dispatch(call->backend);
}

/* ---- connections ---- */

static void close_conn(struct gw_backend *b, struct gw_backend_conn *conn, bool idle)
{
	TAILQ_REMOVE(idle ? &b->idle : &b->busy, conn, list);
	b->n_idle -= idle;
	b->n_conns--;
	gw_backend_conn_free(conn);
	if (!TAILQ_EMPTY(&b->waiting))
		schedule_dispatch(b);
}

/* The connection has no request any more. */
static void release_conn(struct gw_backend *b, struct gw_backend_conn *conn, bool keep)
{
	conn->call = NULL;
	if (!keep || (b->n_idle >= b->max_idle && TAILQ_EMPTY(&b->waiting))) {
		close_conn(b, conn, false);
		return;
	}
	gw_backend_conn_release_body(conn);
	TAILQ_REMOVE(&b->busy, conn, list);
	TAILQ_INSERT_HEAD(&b->idle, conn, list);
	b->n_idle++;
	if (!TAILQ_EMPTY(&b->waiting))
		schedule_dispatch(b);
}

/*
 * Messages may be with a service for long (long polling), so a source must not take all connections
 * to it: it may have as many as it leaves for others, i.e. half of them, and less the more other
 * sources have.
 */
static bool is_share_used(const struct gw_backend *b, const struct fmp_addr *source)
{
	unsigned busy = b->n_conns - b->n_idle, own = 0;
	const struct gw_backend_conn *conn;

	/* Counting is needed only if more than half are busy. */
	if (!source->family || busy < GW_BACKEND_CONNS_MAX / 2)
		return false;
	TAILQ_FOREACH(conn, &b->busy, list)
	own += fmp_addr_equal(&((const struct gw_call *)conn->call)->source, source);
	return own >= GW_BACKEND_CONNS_MAX - busy;
}

static struct gw_call *find_next_waiting(struct gw_backend *b)
{
	struct gw_call *call;

	TAILQ_FOREACH(call, &b->waiting, list)
	if (!is_share_used(b, &call->source))
		return call;
	return NULL;
}

static void assign_call(struct gw_call *call, struct gw_backend_conn *conn)
{
	struct gw_backend *b = call->backend;

	call->conn = conn;
	conn->call = call;
	TAILQ_INSERT_TAIL(&b->busy, conn, list);
	gw_backend_conn_send(conn, call->bytes, call->len, call->feeding);
}

/* The service may have closed an idle connection before the loop noticed. */
static struct gw_backend_conn *pop_idle_conn(struct gw_backend *b)
{
	struct gw_backend_conn *conn;

	while ((conn = TAILQ_FIRST(&b->idle)) && !gw_backend_conn_is_usable(conn))
		close_conn(b, conn, true);
	if (conn) {
		TAILQ_REMOVE(&b->idle, conn, list);
		b->n_idle--;
	}
	return conn;
}

/* This address is not reachable: try the next one that was not tried. */
static void try_next_address(struct gw_call *call, unsigned address, const char *why)
{
	struct gw_backend *b = call->backend;

	if (++call->tries >= b->url->n) {
		fail_call(call, 503, why);
		return;
	}
	b->address = (address + 1) % b->url->n;
	requeue_call(call);
}

static void on_reply(struct gw_backend_conn *conn, const struct fmp_http *h, bool keep)
{
	struct gw_backend *b = conn->owner;
	const struct gw_reply reply = { .status = h->code,
					.content_type = h->content_type,
					.http = h,
					.body = h->body ? h->body : (const void *)"",
					.len = h->body_len,
					.address = b->url->address[conn->address],
					.port = b->url->port };

	keep &= !((const struct gw_call *)conn->call)->of_connection;
	finish_call(conn->call, &reply);
	release_conn(b, conn, keep);
}

static void on_ended(struct gw_backend_conn *conn, enum gw_backend_conn_end end, const char *why)
{
	struct gw_backend *b = conn->owner;
	struct gw_call *call = conn->call;
	unsigned address = conn->address;

	close_conn(b, conn, !call);
	if (!call)
		return;
	/*
	 * The service may have acted on what was sent: a POST is never repeated (RFC 9110 9.2.2).
	 */
	if (end == GW_BACKEND_CONN_UNREACHABLE)
		try_next_address(call, address, why);
	else
		fail_call(call, 502, why);
}

static bool on_stream(struct gw_backend_conn *conn, const struct fmp_http *h)
{
	const struct gw_call *call = conn->call;
	const struct gw_reply reply = { .status = h->code,
					.content_type = h->content_type,
					.http = h };

	return call->ops->stream && call->ops->stream(call->ctx, &reply);
}

static void on_data(struct gw_backend_conn *conn, const void *bytes, size_t len)
{
	struct gw_call *call = conn->call;

	/* From now on the time limit is one for each piece. */
	fmp_evtimer_arm(&call->timer, call->backend->timeout_ms);
	call->ops->data(call->ctx, bytes, len);
}

static bool on_reserve(struct gw_backend_conn *conn, size_t have, size_t max)
{
	const struct gw_call *call = conn->call;

	return !call->ops->reserve || call->ops->reserve(call->ctx, have, max);
}

static void on_drained(struct gw_backend_conn *conn)
{
	struct gw_call *call = conn->call;

	call->ops->drained(call->ctx);
}

static const struct gw_backend_conn_ops conn_ops = { .reply = on_reply,
						     .drained = on_drained,
						     .reserve = on_reserve,
						     .stream = on_stream,
						     .data = on_data,
						     .ended = on_ended };

static struct gw_backend_conn *open_conn(struct gw_backend *b)
{
	struct gw_backend_conn *conn =
		gw_backend_conn_new(b->base, b->url, b->address, &b->limits, &conn_ops, b);

	b->n_conns += conn != NULL;
	return conn;
}

static void dispatch_waiting(evutil_socket_t fd, short what, void *arg)
{
	struct gw_backend *b = arg;
	struct gw_call *call;

	while (!b->url->n && (call = TAILQ_FIRST(&b->waiting))) {
		TAILQ_REMOVE(&b->waiting, call, list);
		fail_call(call, 503, "its name is not resolved");
	}
	while ((call = find_next_waiting(b))) {
		struct gw_backend_conn *conn = pop_idle_conn(b);

		if (!conn && b->n_conns >= GW_BACKEND_CONNS_MAX) {
			if (!b->n_idle)
				return;
			close_conn(b, TAILQ_FIRST(&b->idle), true);
		}
		if (!conn)
			conn = open_conn(b);
		TAILQ_REMOVE(&b->waiting, call, list);
		if (conn)
			assign_call(call, conn);
		else
			try_next_address(call, b->address, "not reached");
		if (conn && call->feeding && gw_backend_conn_is_ready(conn))
			call->ops->drained(call->ctx);
	}
}

/* ---- calls ---- */

static void on_timer(evutil_socket_t fd, short what, void *arg)
{
	struct gw_call *call = arg;
	bool unsent = !call->conn || gw_backend_conn_is_unsent(call->conn),
	     paused = call->conn && gw_backend_conn_is_paused(call->conn);

	/* A piece of the request started it while the reply waits: gw_backend_resume() does again. */
	if (paused && call->conn->streaming)
		return;
	/* The client is slow to send, which is limited there as well. */
	if (!unsent && call->feeding && !gw_backend_conn_unsent(call->conn)) {
		fmp_evtimer_arm(&call->timer, call->backend->timeout_ms);
		return;
	}
	if (call->conn)
		close_conn(call->backend, call->conn, false);
	else
		TAILQ_REMOVE(&call->backend->waiting, call, list);
	if (unsent)
		fail_call(call, 503, "not reached in time");
	else
		fail_call(call, 504,
			  paused	  ? "no room for its answer in time"
			  : call->feeding ? "it did not read the request in time"
					  : "no answer in time");
}

/* The field that tells how long the body is. */
static void format_length(const struct gw_request *r, char *out, size_t size)
{
	if (r->pieces && r->rest == GW_BACKEND_CHUNKED)
		snprintf(out, size, "Transfer-Encoding: chunked");
	else
		snprintf(out, size, "Content-Length: %llu",
			 (unsigned long long)r->len + (r->pieces ? r->rest : 0));
}

static char *put_body(char *p, const struct gw_request *r)
{
	bool chunked = r->pieces && r->rest == GW_BACKEND_CHUNKED;

	if (chunked)
		p += sprintf(p, "%zx\r\n", r->len);
	p = mempcpy(p, r->body, r->len);
	return chunked ? mempcpy(p, "\r\n", 2) : p;
}

static struct gw_call *create_call(struct gw_backend *b, const struct gw_request *r)
{
	static const char *const coding[] = {
		[FMP_CONTENT_CODING_IDENTITY] = "",
		[FMP_CONTENT_CODING_GZIP] = "Content-Encoding: gzip\r\n",
		[FMP_CONTENT_CODING_DEFLATE] = "Content-Encoding: deflate\r\n",
	};
	const char *action = r->soap_action ? r->soap_action : "";
	const char *target = r->target ? r->target : *b->url->path ? b->url->path : "/";
	size_t fields = r->fields ? r->fields->len : 0;
	size_t max = strlen(target) + fields + strlen(b->url->host) + strlen(r->content_type) +
		     strlen(action) + FIXED_FIELDS;
	struct gw_call *call = malloc(sizeof(*call) + max + r->len + CHUNK_FRAME);
	char *p, length[64];
	int n;

	if (!call)
		return NULL;
	memset(call, 0, sizeof(*call));
	format_length(r, length, sizeof(length));
	/* SOAPAction is always quoted, as SOAP 1.1 demands (WS-I BP 1.1, R2745). */
	n = r->get ? snprintf(call->bytes, max, "GET %s HTTP/1.1\r\nHost: %s\r\n", target,
			      b->url->host)
		   : snprintf(call->bytes, max,
			      "POST %s HTTP/1.1\r\nHost: %s\r\nContent-Type: %s\r\n%s%s%s%s"
			      "%s\r\n",
			      target, b->url->host, r->content_type,
			      r->soap_action ? "SOAPAction: \"" : "", action,
			      r->soap_action ? "\"\r\n" : "", coding[r->coding], length);
	if (n < 0 || (size_t)n + fields + 2 >= max) {
		free(call);
		return NULL;
	}
	p = call->bytes + n;
	if (fields)
		p = mempcpy(p, r->fields->bytes, fields);
	p = mempcpy(p, "\r\n", 2);
	p = put_body(p, r);
	call->len = (size_t)(p - call->bytes);
	call->feeding = r->pieces;
	call->chunked = r->pieces && r->rest == GW_BACKEND_CHUNKED;
	call->backend = b;
	call->of_connection = fields && fmp_forward_is_of_connection(r->fields);
	event_assign(&call->timer, b->base, -1, 0, on_timer, call);
	return call;
}

struct gw_call *gw_backend_send(struct gw_backend *b, const struct gw_request *r,
				const struct gw_call_ops *ops, void *ctx)
{
	struct gw_call *call = create_call(b, r);
	struct gw_backend_conn *conn;

	if (!call)
		return NULL;
	call->ops = ops;
	call->ctx = ctx;
	fmp_evtimer_arm(&call->timer, b->timeout_ms);
	if (r->source)
		call->source = *r->source;
	conn = TAILQ_EMPTY(&b->waiting) && !is_share_used(b, &call->source) ? pop_idle_conn(b)
									    : NULL;
	if (conn) {
		assign_call(call, conn);
	} else {
		TAILQ_INSERT_TAIL(&b->waiting, call, list);
		schedule_dispatch(b);
	}
	return call;
}

void gw_backend_cancel(struct gw_call *call)
{
	if (call->conn)
		close_conn(call->backend, call->conn, false);
	else
		TAILQ_REMOVE(&call->backend->waiting, call, list);
	free_call(call);
}

bool gw_backend_is_ready(const struct gw_call *call)
{
	return call->conn && gw_backend_conn_is_ready(call->conn);
}

void gw_backend_feed(struct gw_call *call, const void *bytes, size_t len)
{
	char size[CHUNK_FRAME];
	static char end[] = "\r\n";
	struct iovec part[3] = { { .iov_base = size },
				 { .iov_base = (void *)(uintptr_t)bytes, .iov_len = len },
				 { .iov_base = end } };

	if (call->chunked) {
		part[0].iov_len = (size_t)snprintf(size, sizeof(size), "%zx\r\n", len);
		part[2].iov_len = 2;
	}
	/* From now on the time limit is one for each piece. */
	fmp_evtimer_arm(&call->timer, call->backend->timeout_ms);
	gw_backend_conn_feed(call->conn, part, 3);
}

void gw_backend_fed(struct gw_call *call)
{
	static char last[] = "0\r\n\r\n";
	struct iovec part = { .iov_base = last, .iov_len = sizeof(last) - 1 };

	if (call->chunked)
		gw_backend_conn_feed(call->conn, &part, 1);
	gw_backend_conn_fed(call->conn);
	call->feeding = false;
	fmp_evtimer_arm(&call->timer, call->backend->timeout_ms);
}

size_t gw_backend_unsent(const struct gw_call *call)
{
	return call->conn ? gw_backend_conn_unsent(call->conn) : 0;
}

/* The client is slow to read, which is limited there: its time is not the service's. */
void gw_backend_pause(struct gw_call *call)
{
	event_del(&call->timer);
	gw_backend_conn_pause(call->conn);
}

void gw_backend_resume(struct gw_call *call)
{
	if (call->conn->streaming)
		fmp_evtimer_arm(&call->timer, call->backend->timeout_ms);
	gw_backend_conn_resume(call->conn);
}

size_t gw_backend_request_size(const struct gw_call *call)
{
	return call->len;
}

struct gw_backend *gw_backend_new(struct event_base *base, const struct gw_backend_url *url,
				  unsigned idle, unsigned timeout_ms)
{
	struct gw_backend *b = calloc(1, sizeof(*b));

	if (!b)
		return NULL;
	b->base = base;
	b->url = url;
	b->max_idle = idle;
	b->timeout_ms = timeout_ms;
	b->limits =
		(struct fmp_http_limits){ .header_bytes = FMP_HTTP_HEADER_BYTES,
					  .fields = FMP_HTTP_FIELDS,
					  .body_bytes = UINT32_MAX, /* until its header is read */
					  .response = true };
	TAILQ_INIT(&b->idle);
	TAILQ_INIT(&b->busy);
	TAILQ_INIT(&b->waiting);
	b->dispatch = event_new(base, -1, 0, dispatch_waiting, b);
	if (!b->dispatch) {
		free(b);
		return NULL;
	}
	return b;
}

void gw_backend_limit_answers(struct gw_backend *b, uint32_t header_bytes, uint32_t fields)
{
	b->limits.header_bytes = header_bytes;
	b->limits.fields = fields;
}

void gw_backend_free(struct gw_backend *b)
{
	struct gw_call *call;
	struct gw_backend_conn *conn;

	while ((call = TAILQ_FIRST(&b->waiting))) {
		TAILQ_REMOVE(&b->waiting, call, list);
		free_call(call);
	}
	while ((conn = TAILQ_FIRST(&b->busy))) {
		free_call(conn->call);
		close_conn(b, conn, false);
	}
	while ((conn = TAILQ_FIRST(&b->idle)))
		close_conn(b, conn, true);
	event_free(b->dispatch);
	free(b);
}
