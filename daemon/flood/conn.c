// SPDX-License-Identifier: GPL-2.0
#include "conn.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "clock.h"

#define READ_BYTES 16384

static void on_event(evutil_socket_t fd, short what, void *arg);

void flood_conns_init(struct flood_conns *set)
{
	TAILQ_INIT(&set->free);
	TAILQ_INIT(&set->idle);
	TAILQ_INIT(&set->active);
}

static void close_list(struct flood_conn_list *list)
{
	struct flood_conn *c;

	while ((c = TAILQ_FIRST(list))) {
		TAILQ_REMOVE(list, c, link);
		if (c->fd >= 0) {
			event_del(&c->ev);
			close(c->fd);
		}
		flood_message_free(&c->msg);
		free(c);
	}
}

void flood_conns_exit(struct flood_conns *set)
{
	close_list(&set->free);
	close_list(&set->idle);
	close_list(&set->active);
}

/* Events are not persistent: each wait has its own timeout. */
static void wait_for(struct flood_conn *c, short what, const struct timeval *tv)
{
	event_assign(&c->ev, c->set->base, c->fd, what, on_event, c);
	event_add(&c->ev, tv);
}

static void release_conn(struct flood_conn *c, bool abort)
{
	/* A reset avoids TIME_WAIT, by which a flood would run out of ports. */
	static const struct linger now = { .l_onoff = 1, .l_linger = 0 };
	struct flood_conns *set = c->set;

	if (c->fd >= 0) {
		if (event_initialized(&c->ev))
			event_del(&c->ev);
		if (abort)
			(void)setsockopt(c->fd, SOL_SOCKET, SO_LINGER, &now, sizeof(now));
		close(c->fd);
		c->fd = -1;
		set->open--;
	}
	if (c->state == FLOOD_CONN_IDLE)
		TAILQ_REMOVE(&set->idle, c, link);
	else
		TAILQ_REMOVE(&set->active, c, link);
	c->state = FLOOD_CONN_FREE;
	TAILQ_INSERT_HEAD(&set->free, c, link);
}

static void keep_idle(struct flood_conn *c)
{
	struct flood_conns *set = c->set;

	c->state = FLOOD_CONN_IDLE;
	TAILQ_REMOVE(&set->active, c, link);
	TAILQ_INSERT_TAIL(&set->idle, c, link);
	wait_for(c, EV_READ, NULL);
}

static void report_outcome(struct flood_conn *c, enum flood_outcome o)
{
	struct flood_conns *set = c->set;

	if (c->probe)
		set->probes--;
	else
		set->requests--;
	set->done(c, o, set->ctx);
}

static void fail_request(struct flood_conn *c, enum flood_outcome o)
{
	report_outcome(c, o);
	release_conn(c, true);
}

static enum flood_outcome outcome_of_errno(int err, bool connected)
{
	switch (err) {
	case EADDRNOTAVAIL:
	case EADDRINUSE:
	case EAGAIN:
	case EMFILE:
	case ENFILE:
	case ENOBUFS:
	case ENOMEM:
		return FLOOD_LOCAL;
	case ETIMEDOUT:
		return connected ? FLOOD_TIMEOUT_RESPONSE : FLOOD_TIMEOUT_CONNECT;
	default:
		return connected ? FLOOD_RESET : FLOOD_REFUSED;
	}
}

static void finish_response(struct flood_conn *c, bool eof)
{
	struct flood_response *a = &c->response;
	bool whole = c->state == FLOOD_CONN_READING;
	enum flood_outcome o = FLOOD_RESPONSE_HTTP;

	if (flood_response_is_fault(a))
		o = FLOOD_RESPONSE_FAULT;
	else if (a->status >= 200 && a->status < 300)
		o = FLOOD_RESPONSE_GOOD;
	report_outcome(c, o);
	if (eof) {
		release_conn(c, false);
	} else if (!whole) {
		release_conn(c, true);
	} else if (c->set->keepalive && !a->close) {
		keep_idle(c);
	} else {
		/* The side that closes first holds the TIME_WAIT: wait for the server, which announced to close. */
		c->state = FLOOD_CONN_CLOSING;
		wait_for(c, EV_READ, c->set->close_tv);
	}
}

/* Return: false: the request has ended. */
static bool read_response(struct flood_conn *c)
{
	static char buf[READ_BYTES];
	enum flood_reading r;
	ssize_t n;

	for (;;) {
		n = recv(c->fd, buf, sizeof(buf), 0);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN)
			return true;
		if (n < 0) {
			fail_request(c, outcome_of_errno(errno, true));
			return false;
		}
		c->set->stats->bytes_in += (uint64_t)n;
		r = n ? flood_response_feed(&c->response, buf, (size_t)n)
		      : flood_response_eof(&c->response);
		if (r == FLOOD_READING_DONE) {
			finish_response(c, !n);
			return false;
		}
		if (r == FLOOD_READING_BAD) {
			fail_request(c, FLOOD_RESET);
			return false;
		}
		if ((size_t)n < sizeof(buf))
			return true;
	}
}

static void handle_write_error(struct flood_conn *c, int err)
{
	bool connected = c->state == FLOOD_CONN_SENDING;

	/* The server may have sent a refusal before it closed. */
	if (connected && !read_response(c))
		return;
	fail_request(c, outcome_of_errno(err, connected));
}

static ssize_t write_some(struct flood_conn *c)
{
	const struct flood_message *m = &c->msg;
	struct iovec iov[2];
	struct msghdr msg = { .msg_iov = iov };
	size_t body_at = 0;

	if (c->at < m->head.len) {
		iov[0].iov_base = m->head.data + c->at;
		iov[0].iov_len = m->head.len - c->at;
		msg.msg_iovlen = 1;
	} else {
		body_at = c->at - m->head.len;
	}
	iov[msg.msg_iovlen].iov_base = m->body->data + body_at;
	iov[msg.msg_iovlen++].iov_len = m->body->len - body_at;
	return sendmsg(c->fd, &msg, MSG_NOSIGNAL);
}

static void send_request(struct flood_conn *c)
{
	struct flood_conns *set = c->set;
	size_t total = c->msg.head.len + c->msg.body->len;

	while (c->at < total) {
		ssize_t n = write_some(c);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN)
			break;
		if (n < 0) {
			handle_write_error(c, errno);
			return;
		}
		if (!c->sent_ns) {
			c->sent_ns = flood_now_ns();
			set->stats->sent++;
			set->stats->kind_sent[c->kind]++;
		}
		c->state = FLOOD_CONN_SENDING;
		c->at += (size_t)n;
		set->stats->bytes_out += (uint64_t)n;
	}
	if (c->at == total) {
		c->state = FLOOD_CONN_READING;
		wait_for(c, EV_READ, set->response_tv);
	} else {
		c->state = FLOOD_CONN_SENDING;
		wait_for(c, EV_READ | EV_WRITE, set->response_tv);
	}
}

static void begin_request(struct flood_conn *c)
{
	c->at = 0;
	c->sent_ns = 0;
	flood_response_init(&c->response);
	if (c->state == FLOOD_CONN_IDLE)
		c->state = FLOOD_CONN_SENDING;
	if (c->set->fill(c, c->set->ctx))
		fail_request(c, FLOOD_LOCAL);
	else
		send_request(c);
}

static void on_timeout(struct flood_conn *c)
{
	switch (c->state) {
	case FLOOD_CONN_CLOSING:
		release_conn(c, true);
		break;
	case FLOOD_CONN_CONNECTING:
		fail_request(c, FLOOD_TIMEOUT_CONNECT);
		break;
	default:
		fail_request(c, FLOOD_TIMEOUT_RESPONSE);
	}
}

static void on_event(evutil_socket_t fd, short what, void *arg)
{
	struct flood_conn *c = arg;

	if (what & EV_TIMEOUT) {
		on_timeout(c);
		return;
	}
	switch (c->state) {
	case FLOOD_CONN_CONNECTING:
		begin_request(c);
		break;
	case FLOOD_CONN_SENDING:
		if ((what & EV_READ) && !read_response(c))
			break;
		send_request(c);
		break;
	case FLOOD_CONN_READING:
		if (read_response(c))
			wait_for(c, EV_READ, c->set->response_tv);
		break;
	default: /* idle or closing: the server closes, or sends bytes without a request */
		release_conn(c, false);
	}
}

static struct flood_conn *take_conn(struct flood_conns *set)
{
	struct flood_conn *c = TAILQ_FIRST(&set->free);

	if (c) {
		TAILQ_REMOVE(&set->free, c, link);
	} else {
		c = calloc(1, sizeof(*c));
		if (!c)
			return NULL;
		c->set = set;
		c->fd = -1;
	}
	TAILQ_INSERT_TAIL(&set->active, c, link);
	return c;
}

static void connect_conn(struct flood_conn *c)
{
	struct flood_conns *set = c->set;
	const struct flood_target *t = set->target;
	int fd = flood_source_socket(&set->sources->list[c->source], t->addr.family);

	c->state = FLOOD_CONN_CONNECTING;
	c->sent_ns = 0;
	set->stats->connects++;
	if (fd < 0) {
		fail_request(c, FLOOD_LOCAL);
		return;
	}
	c->fd = fd;
	set->open++;
	if (!connect(fd, (const struct sockaddr *)&t->sa, t->sa_len))
		begin_request(c);
	else if (errno == EINPROGRESS)
		wait_for(c, EV_WRITE, set->connect_tv);
	else
		fail_request(c, outcome_of_errno(errno, false));
}

bool flood_conn_start(struct flood_conns *set, uint32_t source, bool probe)
{
	struct flood_conn *c = TAILQ_FIRST(&set->idle);
	bool reuse = c && set->keepalive;

	if (reuse) {
		event_del(&c->ev);
		TAILQ_REMOVE(&set->idle, c, link);
		TAILQ_INSERT_TAIL(&set->active, c, link);
		probe = false;
	} else {
		c = take_conn(set);
		if (!c)
			return false;
		c->source = source;
	}
	c->probe = probe;
	c->began_ns = flood_now_ns();
	set->stats->tried++;
	if (probe)
		set->probes++;
	else
		set->requests++;
	if (reuse)
		begin_request(c);
	else
		connect_conn(c);
	return true;
}
