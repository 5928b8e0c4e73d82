// SPDX-License-Identifier: GPL-2.0
#include "backend_conn.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include <event2/buffer.h>
#include <event2/event.h>

#include <fmp/internal/job.h>

#include "backend_tls.h"
#include "../common/stream.h"

/* A reply up to this size is buffered without asking for room. */
#define SHORT_REPLY (16 << 10)

static const char not_reachable[] = "not reached";

static void send_request(struct gw_backend_conn *conn)
{
	struct iovec part = { .iov_base = (void *)(uintptr_t)conn->bytes, .iov_len = conn->len };

	gw_stream_send(conn->stream, &part, 1);
	conn->bytes = NULL;
}

static void on_open(void *arg)
{
	struct gw_backend_conn *conn = arg;

	conn->open = true;
	gw_tls_meter_reset(&conn->meter);
	if (conn->bytes)
		send_request(conn);
	if (conn->feeding)
		conn->ops->drained(conn);
}

static void reserve_body(struct gw_backend_conn *conn)
{
	if (conn->reserved || conn->http.body_len <= SHORT_REPLY)
		return;
	conn->reserved =
		conn->ops->reserve(conn, conn->http.body_cap, fmp_http_max_body(&conn->http));
	conn->paused = !conn->reserved;
	if (conn->paused)
		gw_stream_pause(conn->stream);
}

/* Ask once whether the body is streamed; if not, its limit is that of what is held. */
static void choose_streaming(struct gw_backend_conn *conn)
{
	if (conn->asked || !conn->http.headers_done)
		return;
	conn->asked = true;
	conn->streaming = conn->http.state == FMP_HTTP_READING &&
			  conn->ops->stream(conn, &conn->http);
	if (!conn->streaming)
		fmp_http_limit_body(&conn->http, FMP_JOB_REPLY_MAX);
}

static void stream_body(struct gw_backend_conn *conn)
{
	choose_streaming(conn);
	if (!conn->streaming || !conn->http.body_len)
		return;
	conn->ops->data(conn, conn->http.body, conn->http.body_len);
	fmp_http_drop_body(&conn->http);
}

static void on_read(void *arg)
{
	struct gw_backend_conn *conn = arg;
	struct evbuffer *in = gw_stream_input(conn->stream);
	size_t n;

	if (!conn->busy || !conn->open) {
		conn->ops->ended(conn,
				 conn->busy ? GW_BACKEND_CONN_BAD_RESPONSE
					    : GW_BACKEND_CONN_IDLE_CLOSED,
				 "bytes before a request");
		return;
	}
	while (conn->http.state == FMP_HTTP_READING && (n = evbuffer_get_contiguous_space(in))) {
		size_t used;

		fmp_http_feed(&conn->http, evbuffer_pullup(in, (ssize_t)n), n, &used);
		evbuffer_drain(in, used);
	}
	stream_body(conn);
	if (conn->http.state == FMP_HTTP_DONE) {
		conn->busy = false;
		/* Its last piece may have paused the stream, which the next reply needs. */
		if (conn->paused)
			gw_backend_conn_resume(conn);
		/* Bytes behind the reply belong to no request: do not reuse the connection. */
		conn->ops->reply(conn, &conn->http,
				 conn->http.keep_alive && !evbuffer_get_length(in) &&
					 !conn->feeding && !gw_stream_unsent(conn->stream));
	} else if (conn->http.state == FMP_HTTP_REFUSED) {
		conn->ops->ended(conn, GW_BACKEND_CONN_BAD_RESPONSE, conn->http.detail);
	} else if (!conn->streaming) {
		reserve_body(conn);
	}
}

/* Return: static text; NULL: not due to TLS. */
static const char *find_tls_error(const struct gw_backend_conn *conn)
{
	struct bufferevent *tls = gw_stream_tls(conn->stream);

	return conn->meter.why || !tls ? conn->meter.why : gw_backend_tls_error(tls);
}

static void on_ended(void *arg, bool cleanly)
{
	struct gw_backend_conn *conn = arg;
	const char *why = find_tls_error(conn);

	if (!conn->open) {
		conn->ops->ended(conn, GW_BACKEND_CONN_UNREACHABLE, why ? why : not_reachable);
	} else if (!conn->busy) {
		conn->ops->ended(conn, GW_BACKEND_CONN_IDLE_CLOSED, "closed");
	} else if (conn->meter.why) {
		conn->ops->ended(conn, GW_BACKEND_CONN_BAD_RESPONSE, conn->meter.why);
	} else if (!conn->http.started) {
		/* In TLS 1.3 it reads our certificate after we have begun to send. */
		conn->ops->ended(conn, GW_BACKEND_CONN_BAD_RESPONSE,
				 why ? why : "closed before it began");
	} else if (cleanly && fmp_http_finish(&conn->http) == FMP_HTTP_DONE) {
		conn->busy = false;
		conn->ops->reply(conn, &conn->http, false);
	} else {
		conn->ops->ended(conn, GW_BACKEND_CONN_BAD_RESPONSE, "broken off");
	}
}

static void on_written(void *arg)
{
	struct gw_backend_conn *conn = arg;

	if (conn->feeding && gw_backend_conn_is_ready(conn))
		conn->ops->drained(conn);
}

static const struct gw_stream_ops stream_ops = {
	.read = on_read,
	.written = on_written,
	.connected = on_open,
	.ended = on_ended,
};

static void on_connected(evutil_socket_t fd, short what, void *arg)
{
	struct gw_backend_conn *conn = arg;
	struct bufferevent *bev = NULL;
	socklen_t len = sizeof(int);
	int error = 0;

	if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &len) || error) {
		conn->ops->ended(conn, GW_BACKEND_CONN_UNREACHABLE, not_reachable);
		return;
	}
	if (conn->url->tls) {
		bev = gw_backend_tls_connect(conn->url->tls, conn->base, fd, conn->url->server_name,
					     &conn->meter);
		if (!bev) {
			conn->ops->ended(conn, GW_BACKEND_CONN_UNREACHABLE, "no memory for TLS");
			return;
		}
	}
	conn->fd = -1;
	conn->stream = gw_stream_new(conn->base, fd, bev, &stream_ops, conn);
	if (!conn->stream)
		conn->ops->ended(conn, GW_BACKEND_CONN_UNREACHABLE, "no memory for a connection");
	else if (!bev)
		on_open(conn);
}

static bool start_connect(struct gw_backend_conn *conn)
{
	const struct sockaddr *sa = (const struct sockaddr *)&conn->url->sa[conn->address];
	int one = 1;

	conn->fd = socket(sa->sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (conn->fd < 0)
		return false;
	setsockopt(conn->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	if (connect(conn->fd, sa, conn->url->sa_len[conn->address]) && errno != EINPROGRESS)
		return false;
	conn->connecting = event_new(conn->base, conn->fd, EV_WRITE, on_connected, conn);
	return conn->connecting && !event_add(conn->connecting, NULL);
}

struct gw_backend_conn *gw_backend_conn_new(struct event_base *base,
					    const struct gw_backend_url *url, unsigned address,
					    const struct fmp_http_limits *limits,
					    const struct gw_backend_conn_ops *ops, void *owner)
{
	struct gw_backend_conn *conn = calloc(1, sizeof(*conn));

	if (!conn)
		return NULL;
	conn->owner = owner;
	conn->base = base;
	conn->url = url;
	conn->address = address;
	conn->ops = ops;
	conn->fd = -1;
	fmp_http_init(&conn->http, limits);
	if (start_connect(conn))
		return conn;
	gw_backend_conn_free(conn);
	return NULL;
}

void gw_backend_conn_free(struct gw_backend_conn *conn)
{
	if (conn->connecting)
		event_free(conn->connecting);
	if (conn->fd >= 0)
		close(conn->fd);
	gw_stream_free(conn->stream);
	fmp_http_exit(&conn->http);
	free(conn);
}

void gw_backend_conn_send(struct gw_backend_conn *conn, const void *bytes, size_t len, bool more)
{
	fmp_http_next(&conn->http);
	conn->http.limits.body_bytes = UINT32_MAX;
	conn->asked = conn->streaming = false;
	if (conn->open)
		gw_tls_meter_reset(&conn->meter);
	conn->busy = true;
	conn->reserved = false;
	conn->feeding = more;
	conn->bytes = bytes;
	conn->len = len;
	if (conn->open)
		send_request(conn);
}

bool gw_backend_conn_is_ready(const struct gw_backend_conn *conn)
{
	return conn->open && !conn->bytes;
}

void gw_backend_conn_feed(struct gw_backend_conn *conn, struct iovec *part, size_t n)
{
	gw_stream_send(conn->stream, part, n);
}

void gw_backend_conn_fed(struct gw_backend_conn *conn)
{
	conn->feeding = false;
}

size_t gw_backend_conn_unsent(const struct gw_backend_conn *conn)
{
	return conn->stream ? gw_stream_unsent(conn->stream) : 0;
}

void gw_backend_conn_pause(struct gw_backend_conn *conn)
{
	conn->paused = true;
	gw_stream_pause(conn->stream);
}

void gw_backend_conn_resume(struct gw_backend_conn *conn)
{
	conn->reserved = true;
	conn->paused = false;
	gw_stream_resume(conn->stream);
}

bool gw_backend_conn_is_paused(const struct gw_backend_conn *conn)
{
	return conn->paused;
}

bool gw_backend_conn_is_unsent(const struct gw_backend_conn *conn)
{
	return conn->bytes;
}

void gw_backend_conn_release_body(struct gw_backend_conn *conn)
{
	fmp_http_next(&conn->http);
}

bool gw_backend_conn_is_usable(const struct gw_backend_conn *conn)
{
	uint8_t next;

	return recv(gw_stream_fd(conn->stream), &next, sizeof(next), MSG_PEEK | MSG_DONTWAIT) < 0 &&
	       (errno == EAGAIN || errno == EINTR);
}
