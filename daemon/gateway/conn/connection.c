// SPDX-License-Identifier: GPL-2.0
#include "connection_private.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>

#include <fmp/internal/crash_note.h>

#include "../common/clock.h"
#include "exchange.h"
#include "buffer_budget.h"
#include <fmp/internal/forwarded.h>

#define LINGER_MS	    1000 /* a refused client may go on sending so long, unread */
#define LINGER_BYTES	    (256u << 10) /* and so much */
#define BROWSER_CONNECTIONS 6 /* of a host, as browsers have it */
#define NEW_NS		    1000000000u /* a connection without a byte counts as new for so long */
#define CHARGED_PART	    4u /* a source that holds more than 1/4 of per-source is charged */

void gw_connection_charge_peer(struct gw_shared *s, const struct gw_peer *peer, const char *detail)
{
	struct gw_connection c = { .shared = s, .peer = *peer };

	gw_connection_charge(&c, FMP_EVENT_CONNECTION, 0, detail);
	free(c.verdict.reason);
}

/* A proxy and a local program work for others and do not choose how long that takes. */
static enum gw_evict_class place_of(const struct gw_connection *c, enum state state)
{
	switch (state) {
	case HANDSHAKE:
		return GW_EVICT_SILENT;
	case IDLE:
		return c->served ? GW_EVICT_IDLE : GW_EVICT_SILENT;
	case READING:
	case ANSWERING:
	case LINGERING:
		return c->peer.forwarded || c->peer.local ? GW_EVICT_NEVER : GW_EVICT_SLOW;
	default:
		return GW_EVICT_NEVER;
	}
}

static void look_later(struct gw_shared *s)
{
	static const struct timeval period = { .tv_usec = GW_LOOP_DELAY_PERIOD_MS * 1000 };

	gw_loop_delay_check(&s->delay, gw_clock_ns(CLOCK_MONOTONIC));
	event_add(s->look, &period);
}

void gw_connection_check_loop(int fd, short what, void *shared)
{
	struct gw_shared *s = shared;

	if (s->n_timed)
		look_later(s);
	else
		gw_loop_delay_stop(&s->delay);
}

/* The loop wakes up by itself only while a deadline runs that a source could be charged for. */
static void count_timed(struct gw_connection *c, bool timed)
{
	struct gw_shared *s = c->shared;

	if (timed == c->timed)
		return;
	c->timed = timed;
	s->n_timed += timed ? 1u : -1u;
	if (timed && !event_pending(s->look, EV_TIMEOUT, NULL))
		look_later(s);
}

static bool is_timed(const struct gw_connection *c, enum state state)
{
	return state == HANDSHAKE || state == READING || state == ANSWERING ||
	       (state == IDLE && !c->served);
}

void gw_connection_enter(struct gw_connection *c, enum state state)
{
	enum gw_evict_class in = place_of(c, state);

	c->state = state;
	count_timed(c, is_timed(c, state));
	if (in != c->place.in)
		gw_source_limits_set_class(c->shared->crowd, c->of, &c->place, in);
}

void gw_connection_arm(struct gw_connection *c, uint64_t ms)
{
	struct timeval t = { .tv_sec = (time_t)(ms / 1000),
			     .tv_usec = (suseconds_t)(ms % 1000 * 1000) };

	c->lost_ns = c->shared->delay.lost_ns;
	event_add(c->timer, &t);
}

void gw_connection_drop_body(struct gw_connection *c)
{
	fmp_http_next(&c->http);
	/* The next request may be for another service. */
	c->http.limits.body_bytes = c->shared->body_max;
	gw_buffer_budget_update(c);
}

void gw_connection_destroy(struct gw_connection *c)
{
	struct gw_shared *s = c->shared;

	gw_connection_drop_body(c);
	gw_exchange_reset(c);
	TAILQ_REMOVE(&s->open, c, list);
	event_free(c->timer);
	count_timed(c, false);
	gw_source_limits_set_class(s->crowd, c->of, &c->place, GW_EVICT_NEVER);
	gw_source_limits_remove(s->crowd, c->of);
	s->n_open--;
	free(c->verdict.reason);
	free(c);
	s->gone(s);
}

void gw_connection_close(struct gw_connection *c, bool reset)
{
	static const struct linger at_once = { .l_onoff = 1, .l_linger = 0 };

	if (c->state == ORPHAN)
		return;
	if (reset)
		setsockopt(gw_stream_fd(c->stream), SOL_SOCKET, SO_LINGER, &at_once,
			   sizeof(at_once));
	else
		gw_tls_close(gw_stream_tls(c->stream));
	gw_stream_free(c->stream);
	c->stream = NULL;
	event_del(c->timer);
	/* Whoever sends and runs away is charged all the same, and may come again where he is not. */
	if (c->state == FORWARDED ||
	    (c->state == WORKING &&
	     (c->task.job.replay_remove.n || !gw_pool_withdraw(c->shared->pool, &c->task))))
		gw_connection_enter(c, ORPHAN);
	else
		gw_connection_destroy(c);
}

void gw_connection_discard(struct gw_connection *c)
{
	gw_stream_free(c->stream);
	c->stream = NULL;
	gw_connection_destroy(c);
}

/*
 * The clock of each part of a request starts with the part. Some clients send an empty line behind a body: a connection
 * that was served stays idle with it.
 */
static void keep_time(struct gw_connection *c, bool was_between, bool had_headers)
{
	const struct fmp_policy_gateway *g = &c->shared->settings->policy->gateway;

	if (!had_headers && c->http.headers_done)
		gw_connection_arm(c, g->body_timeout_ms);
	else if (c->served && fmp_http_is_between_messages(&c->http))
		gw_connection_enter(c, IDLE);
	else if (was_between && c->served) /* of the first request it runs since the accept */
		gw_connection_arm(c, g->header_timeout_ms);
}

/* Whose bytes are looked at, should we die of them; before a proxy has told of whom, nobody's. */
static void take_note(struct gw_connection *c)
{
	struct fmp_crash_note *note = c->shared->settings->crash_page;

	if (c->client.family)
		fmp_crash_note_begin(note, &c->client, 0, c->peer.dest_port);
	else if (!c->peer.forwarded)
		fmp_crash_note_begin(note, &c->peer.source, c->peer.source_port, c->peer.dest_port);
}

static void end_note(struct gw_connection *c)
{
	fmp_crash_note_end(c->shared->settings->crash_page);
}

/* A request of a proxy that says nothing is the proxy's own. */
static bool know_client(struct gw_connection *c)
{
	bool known = !c->peer.forwarded || !c->http.has_forwarded ||
		     fmp_forwarded_for(&c->shared->settings->policy->gateway, c->http.forwarded,
				       &c->client);

	take_note(c);
	return known;
}

/* Whom the packet filters would drop, if they saw more than the proxy. */
static bool is_barred(const struct gw_connection *c)
{
	return c->client.family && gw_blocklist_contains(c->shared->barred, &c->client,
							 gw_clock_ns(CLOCK_BOOTTIME) / 1000000u);
}

static void send_continue(struct gw_connection *c)
{
	static char text[] = "HTTP/1.1 100 Continue\r\n\r\n";
	struct iovec part = { .iov_base = text, .iov_len = sizeof(text) - 1 };

	if (c->http.expect_continue && c->http.headers_done && !c->continued && !c->http.body_len) {
		c->continued = true;
		gw_stream_send(c->stream, &part, 1);
	}
}

/*
 * A refusal that waited for the end of the header: the client is charged. Without an end nobody knows which address the
 * proxy meant, and a client could have written another one's: it is the proxy's own.
 */
static void answer_held(struct gw_connection *c)
{
	if (c->http.state == FMP_HTTP_REFUSED && know_client(c) && is_barred(c))
		gw_respond_blocked(c);
	else
		gw_respond_refusal(c, c->http.kind, c->http.status, true, c->http.detail);
}

/* Takes bytes until a request is whole, or there are no more. */
static void read_on(struct gw_connection *c)
{
	struct evbuffer *in = gw_stream_input(c->stream);

	if (!evbuffer_get_length(in))
		return;
	c->cpu_since = gw_clock_ns(CLOCK_THREAD_CPUTIME_ID);
	while (evbuffer_get_length(in) && (c->state == IDLE || c->state == READING)) {
		bool between = fmp_http_is_between_messages(&c->http),
		     headers = c->http.headers_done;
		size_t n = evbuffer_get_contiguous_space(in), used;

		gw_connection_enter(c, READING);
		c->verdict.step = FMP_STEP_HTTP;
		take_note(c);
		fmp_http_feed(&c->http, evbuffer_pullup(in, (ssize_t)n), n, &used);
		evbuffer_drain(in, used);
		gw_buffer_budget_update(c);
		if (c->http.refusal_pending && c->http.state == FMP_HTTP_REFUSED)
			answer_held(c);
		else if (!headers && c->http.headers_done && !know_client(c))
			gw_respond_refusal(c, FMP_EVENT_HTTP, 400, true,
					   "X-Forwarded-For is no address");
		else if (!headers && c->http.headers_done && is_barred(c))
			gw_respond_blocked(c);
		else if (!headers && c->http.headers_done && !gw_exchange_route(c))
			continue;
		else if (c->http.state == FMP_HTTP_DONE)
			gw_exchange_begin(c);
		else if (c->http.state == FMP_HTTP_REFUSED)
			gw_respond_refusal(c, c->http.kind, c->http.status, c->http.status != 503,
					   c->http.detail);
		else
			keep_time(c, between, headers);
	}
	if (c->state == READING)
		send_continue(c);
	end_note(c);
	c->cpu_ns = gw_connection_cpu_ns(c);
	c->cpu_since = 0;
}

static void linger(struct gw_connection *c)
{
	gw_connection_enter(c, LINGERING);
	gw_tls_close(gw_stream_tls(c->stream));
	shutdown(gw_stream_fd(c->stream), SHUT_WR);
	evbuffer_drain(gw_stream_input(c->stream), evbuffer_get_length(gw_stream_input(c->stream)));
	gw_stream_resume(c->stream);
	gw_connection_arm(c, LINGER_MS);
}

static void on_read(void *arg)
{
	struct gw_connection *c = arg;

	/* With TLS: it is read, and of what it says nothing yet. */
	end_note(c);
	if (c->state == LINGERING) {
		struct evbuffer *in = gw_stream_input(c->stream);

		c->drained += evbuffer_get_length(in);
		evbuffer_drain(in, evbuffer_get_length(in));
		if (c->drained > LINGER_BYTES)
			gw_connection_close(c, true);
		return;
	}
	read_on(c);
}

void gw_connection_response_sent(struct gw_connection *c)
{
	gw_buffer_budget_update(c);
	if (!c->keep_alive) {
		linger(c);
		return;
	}
	c->served++;
	c->continued = false;
	c->arrived_ns = c->cpu_ns = 0;
	c->client = (struct fmp_addr){ 0 };
	free(c->verdict.reason);
	memset(&c->verdict, 0, sizeof(c->verdict));
	c->why = NULL;
	gw_exchange_reset(c);
	gw_connection_enter(c, IDLE);
	/* Most recently used last: the first is the one to give up when room is needed. */
	TAILQ_REMOVE(&c->shared->open, c, list);
	TAILQ_INSERT_TAIL(&c->shared->open, c, list);
	gw_connection_arm(c, c->shared->settings->policy->gateway.idle_timeout_ms);
	gw_stream_resume(c->stream);
	c->shared->idle(c->shared);
	read_on(c);
}

static void on_written(void *arg)
{
	struct gw_connection *c = arg;

	if (c->state == ANSWERING) /* else "100 Continue" went out */
		gw_connection_response_sent(c);
}

/* What a link in a page brings about, or a client that was set up wrongly. */
static bool is_slip(struct gw_connection *c, enum gw_tls_fault fault)
{
	return fault == GW_TLS_FAULT_PLAIN_HTTP ||
	       (fault == GW_TLS_FAULT_UNTRUSTED &&
		fmp_handshake_pardon_take(&c->shared->slips, &c->peer.group,
					  gw_clock_ns(CLOCK_BOOTTIME)));
}

/* Who connects and says nothing has done nothing yet; who begins and breaks off has cost us. */
static void handshake_failed(struct gw_connection *c)
{
	char buf[160];
	enum gw_tls_fault fault;
	const char *why = gw_tls_error(gw_stream_tls(c->stream), &fault, buf, sizeof(buf));

	if (why && gw_tls_crl_missing(gw_stream_tls(c->stream)))
		gw_exchange_count_crl_missing(c->shared, why);
	else if (why)
		gw_connection_charge(
			c, is_slip(c, fault) ? FMP_EVENT_BROWSER : FMP_EVENT_CONNECTION, 0, why);
	gw_connection_close(c, false);
}

static void on_connected(void *arg)
{
	struct gw_connection *c = arg;

	end_note(c);
	gw_tls_meter_reset(&c->handshake.meter);
	/* The first request pays for it. */
	gw_connection_enter(c, IDLE);
}

/*
 * What a client has cost us, and given up: else it could be had again and again for nothing. Return: NULL:
 * nothing, as of who has his answer and asks no more.
 */
static const char *given_up(const struct gw_connection *c)
{
	if (c->state != IDLE && c->state != READING)
		return NULL;
	if (!fmp_http_is_between_messages(&c->http))
		return c->http.headers_done ? "the body was broken off"
					    : "the header was broken off";
	return c->shared->settings->tls && !c->served ? "a TLS handshake without a request" : NULL;
}

/* Of a client that is gone before anything of it was read: was there something? */
static bool has_sent(const struct gw_connection *c)
{
	uint8_t first;

	return recv(gw_stream_fd(c->stream), &first, sizeof(first), MSG_PEEK | MSG_DONTWAIT) > 0;
}

static void on_ended(void *arg, bool cleanly)
{
	struct gw_connection *c = arg;
	const char *what = given_up(c);

	end_note(c);
	if (c->handshake.meter.why) {
		gw_connection_charge(c, FMP_EVENT_CONNECTION, 0, c->handshake.meter.why);
		gw_connection_close(c, true);
		return;
	}
	if (c->handshake.left) {
		if (c->handshake.left == GW_TLS_CLIENT_LEFT && has_sent(c))
			gw_connection_charge(c, FMP_EVENT_CONNECTION, 0,
					     "a TLS handshake was begun and given up");
		gw_connection_close(c, true);
		return;
	}
	if (c->state == HANDSHAKE) {
		handshake_failed(c);
		return;
	}
	if (what)
		gw_connection_charge(c, FMP_EVENT_CONNECTION, 0, what);
	gw_connection_close(c, false);
}

/*
 * Browsers open connections ahead of requests, a page can ask for that (preconnect), and leave them
 * silent: six of a host at most, and where no handshake was made they cost nothing but their places.
 */
static bool is_ahead(const struct gw_connection *c)
{
	return !c->shared->settings->tls &&
	       gw_source_limits_count(c->shared->crowd, &c->peer.group) <= BROWSER_CONNECTIONS;
}

/* Puts the deadline off by what the loop has lost of it. Return: true: it has come. */
static bool is_over(struct gw_connection *c)
{
	struct gw_loop_delay *d = &c->shared->delay;
	uint64_t owed;

	if (!c->timed)
		return true;
	/* Behind a delay this may come before the look that is due as well. */
	gw_loop_delay_check(d, gw_clock_ns(CLOCK_MONOTONIC));
	owed = gw_loop_delay_extension_ms(d, &c->lost_ns);
	if (owed)
		gw_connection_arm(c, owed);
	return !owed;
}

static void on_timer(evutil_socket_t fd, short what, void *arg)
{
	struct gw_connection *c = arg;

	if (!is_over(c))
		return;
	switch (c->state) {
	case HANDSHAKE:
		gw_connection_charge(c, FMP_EVENT_CONNECTION, 0,
				     "the TLS handshake was not done in time");
		gw_connection_close(c, true);
		break;
	case IDLE:
		if (!c->served)
			gw_connection_charge(c,
					     is_ahead(c) ? FMP_EVENT_BROWSER : FMP_EVENT_CONNECTION,
					     0, "no byte came in time");
		gw_connection_close(c, false);
		break;
	case READING:
		if (c->http.refusal_pending) {
			answer_held(c);
			end_note(c);
			break;
		}
		gw_respond_refusal(c, FMP_EVENT_CONNECTION, 408, true,
				   c->http.headers_done ? "the body did not come in time"
							: "the header did not come in time");
		break;
	case ANSWERING:
		if (!gw_respond_is_too_slow(c)) {
			gw_buffer_budget_update(c);
			gw_connection_arm(c, c->shared->settings->policy->gateway.body_timeout_ms);
			break;
		}
		gw_connection_charge(c, FMP_EVENT_CONNECTION, 0, "the answer was not read in time");
		gw_connection_close(c, true);
		break;
	default:
		gw_connection_close(c, false);
	}
}

static const struct gw_stream_ops stream_ops = {
	.read = on_read,
	.written = on_written,
	.connected = on_connected,
	.ended = on_ended,
};

/* Return: NULL (socket closed) without memory. */
static struct gw_stream *open_stream(struct gw_connection *c, int fd)
{
	struct gw_shared *s = c->shared;
	struct bufferevent *bev = NULL;

	if (s->settings->tls) {
		/* A proxy's own handshake is no client's. */
		c->handshake.crash_page = c->peer.forwarded ? NULL : s->settings->crash_page;
		c->handshake.peer = &c->peer;
		bev = gw_tls_accept(s->settings->tls, s->base, fd, &c->handshake);
		if (!bev) {
			close(fd);
			return NULL;
		}
	}
	return gw_stream_new(s->base, fd, bev, &stream_ops, c);
}

bool gw_connection_new(struct gw_shared *s, int fd, const struct gw_peer *peer)
{
	const struct fmp_http_limits limits = {
		.header_bytes = s->settings->policy->gateway.http.header_bytes,
		.fields = s->settings->policy->gateway.http.fields,
		.body_bytes = s->body_max,
		.compressed = s->settings->policy->gateway.http.compressed,
		.forwarded = peer->forwarded,
	};
	struct gw_connection *c = calloc(1, sizeof(*c));

	if (!c) {
		close(fd);
		return false;
	}
	c->shared = s;
	c->peer = *peer;
	fmp_http_init(&c->http, &limits);
	c->place.in = GW_EVICT_NEVER;
	c->since_ns = gw_clock_ns(CLOCK_BOOTTIME);
	c->stream = open_stream(c, fd);
	c->timer = c->stream ? event_new(s->base, -1, 0, on_timer, c) : NULL;
	c->of = c->timer ? gw_source_limits_add(s->crowd, &peer->group) : NULL;
	if (!c->of) {
		gw_stream_free(c->stream);
		if (c->timer)
			event_free(c->timer);
		free(c);
		return false;
	}
	gw_connection_enter(c, s->settings->tls ? HANDSHAKE : IDLE);
	TAILQ_INSERT_TAIL(&s->open, c, list);
	s->n_open++;
	gw_connection_arm(c, s->settings->policy->gateway.header_timeout_ms);
	return true;
}

const struct gw_peer *gw_connection_peer(const struct gw_connection *c)
{
	return &c->peer;
}

struct gw_connection *gw_connection_next(struct gw_connection *c)
{
	return TAILQ_NEXT(c, list);
}

/* A source with a single new connection may be about to send its request. */
static bool is_new(const struct gw_connection *c)
{
	return gw_clock_ns(CLOCK_BOOTTIME) - c->since_ns < NEW_NS;
}

static struct gw_connection *connection_of(struct gw_evict_entry *p)
{
	return (struct gw_connection *)((char *)p - offsetof(struct gw_connection, place));
}

/* Each source that is served has one slow place at times: only a second one is a reason to give way. */
static struct gw_connection *find_place_to_free(struct gw_shared *s, unsigned *n)
{
	struct gw_evict_entry *silent = gw_source_limits_find_largest(s->crowd, GW_EVICT_SILENT, n),
			      *other;

	if (*n > 1 || (silent && !is_new(connection_of(silent))))
		return connection_of(silent);
	other = gw_source_limits_find_largest(s->crowd, GW_EVICT_IDLE, n);
	if (other)
		return connection_of(other);
	other = gw_source_limits_find_largest(s->crowd, GW_EVICT_SLOW, n);
	return *n > 1 ? connection_of(other) : NULL;
}

bool gw_connection_evict(struct gw_shared *s)
{
	const struct fmp_policy_gateway *g = &s->settings->policy->gateway;
	unsigned n;
	struct gw_connection *c = find_place_to_free(s, &n);

	if (!c)
		return false;
	/* A browser opens a few connections ahead, and a client that was served may keep its own: neither is charged. */
	if (c->place.in != GW_EVICT_IDLE && n > g->connections_per_source / CHARGED_PART && n > 1 &&
	    !fmp_forwarded_find_proxy(g, &c->peer.source))
		gw_connection_charge(
			c, FMP_EVENT_CONNECTION, 0,
			c->place.in == GW_EVICT_SILENT
				? "held places without a request that others waited for"
				: "held places by slow requests that others waited for");
	gw_connection_close(c, c->place.in != GW_EVICT_IDLE);
	return true;
}

bool gw_connection_is_silent(const struct gw_connection *c)
{
	return c->state == IDLE || c->state == HANDSHAKE;
}
