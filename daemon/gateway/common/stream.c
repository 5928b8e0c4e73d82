// SPDX-License-Identifier: GPL-2.0
#include "stream.h"

#include <errno.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/event_struct.h>

struct gw_stream {
	const struct gw_stream_ops *ops;
	void *ctx;
	struct bufferevent *tls; /* NULL: the members below are used */
	int fd;
	struct event reading, writing;
	struct evbuffer *in, *out;
	bool paused;
	bool registered; /* for reading; may be true while paused */
	bool broken; /* nothing more can be sent */
	bool peer_closed; /* because the peer closed; reading notices it, too */
};

/* ---- without TLS ---- */

static void on_readable(evutil_socket_t fd, short what, void *arg)
{
	struct gw_stream *s = arg;
	struct evbuffer_iovec room;
	ssize_t n;
	int error;

	if (s->paused) {
		event_del(&s->reading);
		s->registered = false;
		return;
	}
	if (evbuffer_reserve_space(s->in, GW_STREAM_READ, &room, 1) < 1) {
		s->ops->ended(s->ctx, false);
		return;
	}
	n = recv(s->fd, room.iov_base, room.iov_len, 0);
	error = errno;
	room.iov_len = n > 0 ? (size_t)n : 0;
	evbuffer_commit_space(s->in, &room, 1);
	if (n > 0)
		s->ops->read(s->ctx);
	else if (!n || (error != EAGAIN && error != EINTR))
		s->ops->ended(s->ctx, !n);
}

static void set_send_error(struct gw_stream *s)
{
	s->broken = errno != EAGAIN && errno != EINTR;
	s->peer_closed = errno == EPIPE || errno == ECONNRESET;
}

static void on_writable(evutil_socket_t fd, short what, void *arg)
{
	struct gw_stream *s = arg;

	if (!s->broken && evbuffer_write(s->out, s->fd) < 0)
		set_send_error(s);
	/* The peer's last bytes may still be unread. */
	if (s->broken && s->peer_closed && !s->paused)
		return;
	if (s->broken)
		s->ops->ended(s->ctx, false);
	else if (evbuffer_get_length(s->out))
		event_add(&s->writing, NULL);
	else if (s->ops->written)
		s->ops->written(s->ctx);
}

/* Remove the sent bytes from the parts. Return: bytes left. */
static size_t consume_parts(struct iovec *part, size_t n, size_t sent)
{
	size_t left = 0;

	for (size_t i = 0; i < n; i++) {
		size_t gone = sent < part[i].iov_len ? sent : part[i].iov_len;

		part[i].iov_base = (uint8_t *)part[i].iov_base + gone;
		part[i].iov_len -= gone;
		sent -= gone;
		left += part[i].iov_len;
	}
	return left;
}

/* The loop reports an error: the caller is not prepared for a callback. */
static bool send_plain(struct gw_stream *s, struct iovec *part, size_t n)
{
	struct msghdr m = { .msg_iov = part, .msg_iovlen = n };
	ssize_t sent = 0;

	if (!evbuffer_get_length(s->out)) {
		sent = sendmsg(s->fd, &m, MSG_DONTWAIT | MSG_NOSIGNAL);
		if (sent < 0)
			set_send_error(s);
	}
	if (!consume_parts(part, n, sent > 0 ? (size_t)sent : 0) && !s->broken)
		return !evbuffer_get_length(s->out);
	for (size_t i = 0; i < n && !s->broken; i++)
		s->broken = evbuffer_add(s->out, part[i].iov_base, part[i].iov_len) != 0;
	if (s->broken)
		event_active(&s->writing, EV_WRITE, 0);
	else
		event_add(&s->writing, NULL);
	return false;
}

/* ---- with TLS ---- */

static void on_tls_read(struct bufferevent *bev, void *arg)
{
	struct gw_stream *s = arg;

	s->ops->read(s->ctx);
}

static void on_tls_written(struct bufferevent *bev, void *arg)
{
	struct gw_stream *s = arg;

	if (s->ops->written)
		s->ops->written(s->ctx);
}

static void on_tls_event(struct bufferevent *bev, short what, void *arg)
{
	struct gw_stream *s = arg;

	if (what & BEV_EVENT_CONNECTED) {
		if (s->ops->connected)
			s->ops->connected(s->ctx);
	} else if (what & (BEV_EVENT_EOF | BEV_EVENT_ERROR)) {
		s->ops->ended(s->ctx, what & BEV_EVENT_EOF);
	}
}

/* ---- both ---- */

struct gw_stream *gw_stream_new(struct event_base *base, int fd, struct bufferevent *tls,
				const struct gw_stream_ops *ops, void *ctx)
{
	struct gw_stream *s = calloc(1, sizeof(*s));

	if (s && !tls) {
		s->in = evbuffer_new();
		s->out = evbuffer_new();
	}
	if (!s || (!tls && (!s->in || !s->out))) {
		if (s && s->in)
			evbuffer_free(s->in);
		free(s);
		if (tls)
			bufferevent_free(tls);
		else
			close(fd);
		return NULL;
	}
	s->ops = ops;
	s->ctx = ctx;
	s->fd = fd;
	s->tls = tls;
	if (tls) {
		bufferevent_setcb(tls, on_tls_read, on_tls_written, on_tls_event, s);
		bufferevent_setwatermark(tls, EV_READ, 0, GW_STREAM_READ);
		bufferevent_enable(tls, EV_READ | EV_WRITE);
		return s;
	}
	event_assign(&s->reading, base, fd, EV_READ | EV_PERSIST, on_readable, s);
	event_assign(&s->writing, base, fd, EV_WRITE, on_writable, s);
	event_add(&s->reading, NULL);
	s->registered = true;
	return s;
}

void gw_stream_free(struct gw_stream *s)
{
	if (!s)
		return;
	if (s->tls) {
		bufferevent_free(s->tls);
	} else {
		event_del(&s->reading);
		event_del(&s->writing);
		evbuffer_free(s->in);
		evbuffer_free(s->out);
		close(s->fd);
	}
	free(s);
}

struct evbuffer *gw_stream_input(struct gw_stream *s)
{
	return s->tls ? bufferevent_get_input(s->tls) : s->in;
}

void gw_stream_pause(struct gw_stream *s)
{
	s->paused = true;
	if (s->tls)
		bufferevent_disable(s->tls, EV_READ);
}

void gw_stream_resume(struct gw_stream *s)
{
	s->paused = false;
	if (s->tls) {
		bufferevent_enable(s->tls, EV_READ);
	} else if (!s->registered) {
		event_add(&s->reading, NULL);
		s->registered = true;
	}
}

bool gw_stream_send(struct gw_stream *s, struct iovec *part, size_t n)
{
	if (!s->tls)
		return send_plain(s, part, n);
	for (size_t i = 0; i < n; i++)
		bufferevent_write(s->tls, part[i].iov_base, part[i].iov_len);
	return false;
}

size_t gw_stream_unsent(struct gw_stream *s)
{
	return evbuffer_get_length(s->tls ? bufferevent_get_output(s->tls) : s->out);
}

/*
 * The output buffer tells less: the kernel accepts more only when much of its own buffer is free.
 */
uint64_t gw_stream_acknowledged(const struct gw_stream *s)
{
	struct tcp_info info = { 0 };
	socklen_t len = sizeof(info);

	return getsockopt(gw_stream_fd(s), IPPROTO_TCP, TCP_INFO, &info, &len)
		       ? 0
		       : info.tcpi_bytes_acked;
}

int gw_stream_fd(const struct gw_stream *s)
{
	return s->tls ? bufferevent_getfd(s->tls) : s->fd;
}

struct bufferevent *gw_stream_tls(struct gw_stream *s)
{
	return s->tls;
}
