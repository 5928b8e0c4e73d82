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

#include "backend_tls.h"
#include <fmp/internal/job.h>
#include "../common/stream.h"

#define ANSWER_HEADER (16 << 10) /* bytes */
#define ANSWER_FIELDS 100

/* Of an answer that is held without a question. */
#define SHORT_ANSWER (16 << 10)

static const char not_reached[] = "not reached";

static void send_now(struct gw_backend_conn *l)
{
	struct iovec part = { .iov_base = (void *)(uintptr_t)l->bytes, .iov_len = l->len };

	gw_stream_send(l->stream, &part, 1);
	l->bytes = NULL;
}

static void on_open(void *arg)
{
	struct gw_backend_conn *l = arg;

	l->open = true;
	gw_tls_meter_reset(&l->meter);
	if (l->bytes)
		send_now(l);
}

static void ask_for_room(struct gw_backend_conn *l)
{
	if (l->roomy || l->http.body_len <= SHORT_ANSWER)
		return;
	l->roomy = l->ops->room(l, l->http.body_cap, fmp_http_max_body(&l->http));
	l->waits = !l->roomy;
	if (l->waits)
		gw_stream_pause(l->stream);
}

static void on_read(void *arg)
{
	struct gw_backend_conn *l = arg;
	struct evbuffer *in = gw_stream_input(l->stream);
	size_t n;

	if (!l->busy || !l->open) {
		l->ops->ended(l,
			      l->busy ? GW_BACKEND_CONN_BAD_RESPONSE : GW_BACKEND_CONN_IDLE_CLOSED,
			      "bytes before a request");
		return;
	}
	while (l->http.state == FMP_HTTP_READING && (n = evbuffer_get_contiguous_space(in))) {
		size_t used;

		fmp_http_feed(&l->http, evbuffer_pullup(in, (ssize_t)n), n, &used);
		evbuffer_drain(in, used);
	}
	if (l->http.state == FMP_HTTP_DONE) {
		l->busy = false;
		/* Whatever stands behind the answer was not asked for: nothing is read into it. */
		l->ops->answered(l, &l->http,
				 l->http.keep_alive && !evbuffer_get_length(in) &&
					 !gw_stream_unsent(l->stream));
	} else if (l->http.state == FMP_HTTP_REFUSED) {
		l->ops->ended(l, GW_BACKEND_CONN_BAD_RESPONSE, l->http.detail);
	} else {
		ask_for_room(l);
	}
}

static void on_ended(void *arg, bool cleanly)
{
	struct gw_backend_conn *l = arg;

	if (!l->open) {
		l->ops->ended(l, GW_BACKEND_CONN_UNREACHABLE,
			      l->meter.why ? l->meter.why : not_reached);
	} else if (!l->busy) {
		l->ops->ended(l, GW_BACKEND_CONN_IDLE_CLOSED, "closed");
	} else if (l->meter.why) {
		l->ops->ended(l, GW_BACKEND_CONN_BAD_RESPONSE, l->meter.why);
	} else if (!l->http.started) {
		l->ops->ended(l, GW_BACKEND_CONN_BAD_RESPONSE, "closed before it began");
	} else if (cleanly && fmp_http_finish(&l->http) == FMP_HTTP_DONE) {
		l->busy = false;
		l->ops->answered(l, &l->http, false);
	} else {
		l->ops->ended(l, GW_BACKEND_CONN_BAD_RESPONSE, "broken off");
	}
}

static const struct gw_stream_ops stream_ops = {
	.read = on_read,
	.connected = on_open,
	.ended = on_ended,
};

static void on_connected(evutil_socket_t fd, short what, void *arg)
{
	struct gw_backend_conn *l = arg;
	struct bufferevent *bev = NULL;
	socklen_t len = sizeof(int);
	int error = 0;

	if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &len) || error) {
		l->ops->ended(l, GW_BACKEND_CONN_UNREACHABLE, not_reached);
		return;
	}
	if (l->url->tls) {
		bev = gw_backend_tls_connect(l->url->tls, l->base, fd, l->url->name, &l->meter);
		if (!bev) {
			l->ops->ended(l, GW_BACKEND_CONN_UNREACHABLE, "no memory for TLS");
			return;
		}
	}
	l->fd = -1;
	l->stream = gw_stream_new(l->base, fd, bev, &stream_ops, l);
	if (!l->stream)
		l->ops->ended(l, GW_BACKEND_CONN_UNREACHABLE, "no memory for a connection");
	else if (!bev)
		on_open(l);
}

static bool dial(struct gw_backend_conn *l)
{
	const struct sockaddr *sa = (const struct sockaddr *)&l->url->sa[l->address];
	int one = 1;

	l->fd = socket(sa->sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (l->fd < 0)
		return false;
	setsockopt(l->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	if (connect(l->fd, sa, l->url->sa_len[l->address]) && errno != EINPROGRESS)
		return false;
	l->connecting = event_new(l->base, l->fd, EV_WRITE, on_connected, l);
	return l->connecting && !event_add(l->connecting, NULL);
}

struct gw_backend_conn *gw_backend_conn_new(struct event_base *base,
					    const struct gw_backend_url *url, unsigned address,
					    const struct gw_backend_conn_ops *ops, void *owner)
{
	static const struct fmp_http_limits limits = { .header_bytes = ANSWER_HEADER,
						       .fields = ANSWER_FIELDS,
						       .body_bytes = FMP_JOB_REPLY_MAX,
						       .response = true };
	struct gw_backend_conn *l = calloc(1, sizeof(*l));

	if (!l)
		return NULL;
	l->owner = owner;
	l->base = base;
	l->url = url;
	l->address = address;
	l->ops = ops;
	l->fd = -1;
	fmp_http_init(&l->http, &limits);
	if (dial(l))
		return l;
	gw_backend_conn_free(l);
	return NULL;
}

void gw_backend_conn_free(struct gw_backend_conn *l)
{
	if (l->connecting)
		event_free(l->connecting);
	if (l->fd >= 0)
		close(l->fd);
	gw_stream_free(l->stream);
	fmp_http_exit(&l->http);
	free(l);
}

void gw_backend_conn_send(struct gw_backend_conn *l, const void *bytes, size_t len)
{
	fmp_http_next(&l->http);
	if (l->open)
		gw_tls_meter_reset(&l->meter);
	l->busy = true;
	l->roomy = false;
	l->bytes = bytes;
	l->len = len;
	if (l->open)
		send_now(l);
}

void gw_backend_conn_resume(struct gw_backend_conn *l)
{
	l->roomy = true;
	l->waits = false;
	gw_stream_resume(l->stream);
}

bool gw_backend_conn_is_paused(const struct gw_backend_conn *l)
{
	return l->waits;
}

bool gw_backend_conn_is_unsent(const struct gw_backend_conn *l)
{
	return l->bytes;
}

void gw_backend_conn_release_body(struct gw_backend_conn *l)
{
	fmp_http_next(&l->http);
}

bool gw_backend_conn_is_usable(const struct gw_backend_conn *l)
{
	uint8_t next;

	return recv(gw_stream_fd(l->stream), &next, sizeof(next), MSG_PEEK | MSG_DONTWAIT) < 0 &&
	       (errno == EAGAIN || errno == EINTR);
}
