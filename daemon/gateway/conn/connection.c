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
#include "relay.h"
#include "upload.h"
#include <fmp/internal/evtimer.h>
#include <fmp/internal/forwarded.h>

#define LINGER_MS	    1000 /* after a refusal, discard input for so long */
#define LINGER_BYTES	    (256u << 10) /* and so many bytes */
#define BROWSER_CONNECTIONS 6 /* that a browser opens to one host */
#define NEW_CONNECTION_NS   1000000000u /* a connection without a byte is new for so long */
#define CHARGED_SHARE	    4u /* a source with more than 1/4 of per-source is charged */

void gw_connection_charge_peer(struct gw_shared *s, const struct gw_peer *peer, const char *detail)
{
	struct gw_connection c = { .shared = s, .peer = *peer };

	gw_connection_charge(&c, FMP_EVENT_CONNECTION, 0, detail);
	free(c.verdict.reason);
}

/* Proxies and local programs act for others: the duration is not their choice. */
static enum gw_evict_class get_evict_class(const struct gw_connection *c,
					   enum gw_connection_state state)
{
	switch (state) {
	case CONN_HANDSHAKE:
		return GW_EVICT_SILENT;
	case CONN_IDLE:
		return c->served ? GW_EVICT_IDLE : GW_EVICT_SILENT;
	case CONN_UPLOADING:
		if (gw_upload_is_blocked(c))
			return GW_EVICT_NEVER;
		/* fall through */
	case CONN_READING:
	case CONN_RESPONDING:
	case CONN_LINGERING:
		return c->peer.forwarded || c->peer.local ? GW_EVICT_NEVER : GW_EVICT_SLOW;
	default:
		return GW_EVICT_NEVER;
	}
}

static void schedule_loop_check(struct gw_shared *s)
{
	gw_loop_delay_check(&s->loop_delay, gw_clock_ns(CLOCK_MONOTONIC));
	fmp_evtimer_arm(s->loop_check, GW_LOOP_DELAY_PERIOD_MS);
}

void gw_connection_check_loop(int fd, short what, void *shared)
{
	struct gw_shared *s = shared;

	if (s->n_timed)
		schedule_loop_check(s);
	else
		gw_loop_delay_stop(&s->loop_delay);
}

/* Check the loop's delay only while a deadline is set that a source can be charged for. */
static void set_timed(struct gw_connection *c, bool timed)
{
	struct gw_shared *s = c->shared;

	if (timed == c->timed)
		return;
	c->timed = timed;
	s->n_timed += timed ? 1u : -1u;
	if (timed && !event_pending(s->loop_check, EV_TIMEOUT, NULL))
		schedule_loop_check(s);
}

static bool is_timed(const struct gw_connection *c, enum gw_connection_state state)
{
	return state == CONN_HANDSHAKE || state == CONN_READING || state == CONN_UPLOADING ||
	       state == CONN_RESPONDING || (state == CONN_IDLE && !c->served);
}

void gw_connection_enter(struct gw_connection *c, enum gw_connection_state state)
{
	enum gw_evict_class in = get_evict_class(c, state);

	c->state = state;
	set_timed(c, is_timed(c, state));
	if (in != c->evict.in)
		gw_source_limits_set_class(c->shared->limits, c->usage, &c->evict, in);
}

void gw_connection_arm(struct gw_connection *c, uint64_t ms)
{
	c->lost_ns = c->shared->loop_delay.lost_ns;
	fmp_evtimer_arm(c->timer, ms);
}

static void drop_body(struct gw_connection *c)
{
	fmp_http_next(&c->http);
	/* The next request may be for another service. */
	c->http.limits.body_bytes = c->shared->body_max;
	gw_buffer_budget_update(c);
}

void gw_connection_destroy(struct gw_connection *c)
{
	struct gw_shared *s = c->shared;

	gw_relay_cancel(c);
	gw_upload_cancel(c);
	drop_body(c);
	gw_exchange_reset(c);
	TAILQ_REMOVE(&s->open, c, list);
	event_free(c->timer);
	set_timed(c, false);
	gw_source_limits_set_class(s->limits, c->usage, &c->evict, GW_EVICT_NEVER);
	gw_source_limits_remove(s->limits, c->usage);
	s->n_open--;
	free(c->verdict.reason);
	free(c);
	s->closed(s);
}

void gw_connection_close(struct gw_connection *c, bool reset)
{
	static const struct linger at_once = { .l_onoff = 1, .l_linger = 0 };

	if (c->state == CONN_DETACHED)
		return;
	if (reset)
		setsockopt(gw_stream_fd(c->stream), SOL_SOCKET, SO_LINGER, &at_once,
			   sizeof(at_once));
	else
		gw_tls_close(gw_stream_tls(c->stream));
	gw_stream_free(c->stream);
	c->stream = NULL;
	event_del(c->timer);
	/* A client that disconnects after its request is charged all the same. */
	if (c->state == CONN_FORWARDED ||
	    (c->state == CONN_WORKING &&
	     (c->task.job.replay_remove.n || !gw_pool_withdraw(c->shared->pool, &c->task))))
		gw_connection_enter(c, CONN_DETACHED);
	else
		gw_connection_destroy(c);
}

void gw_connection_discard(struct gw_connection *c)
{
	gw_stream_free(c->stream);
	c->stream = NULL;
	c->relay.open = false; /* its call has ended with the backend */
	c->call.handle = NULL;
	gw_connection_destroy(c);
}

/*
 * Each part of a request has a deadline of its own. Some clients send an empty line behind a body:
 * a connection that was served stays idle then.
 */
static void update_deadline(struct gw_connection *c, bool was_between, bool had_headers)
{
	const struct fmp_policy_gateway *g = &c->shared->settings->policy->gateway;

	if (!had_headers && c->http.headers_done)
		gw_connection_arm(c, g->body_timeout_ms);
	else if (c->served && fmp_http_is_between_messages(&c->http))
		gw_connection_enter(c, CONN_IDLE);
	else if (was_between && c->served) /* for the first request it runs since the accept */
		gw_connection_arm(c, g->header_timeout_ms);
}

/*
 * Record whose bytes are being read, in case that crashes us. A proxy's client must be known first.
 */
static void begin_crash_page(struct gw_connection *c)
{
	struct fmp_crash_note *note = c->shared->settings->crash_page;

	if (c->client.family)
		fmp_crash_note_begin(note, &c->client, 0, c->peer.dest_port);
	else if (!c->peer.forwarded)
		fmp_crash_note_begin(note, &c->peer.source, c->peer.source_port, c->peer.dest_port);
}

static void clear_crash_page(struct gw_connection *c)
{
	fmp_crash_note_end(c->shared->settings->crash_page);
}

/* Without X-Forwarded-For a proxy's request is its own. Return: false: the field has no address. */
static bool apply_forwarded_for(struct gw_connection *c)
{
	const struct fmp_policy *policy = c->shared->settings->policy;
	bool known = !c->peer.forwarded || !c->http.has_forwarded ||
		     fmp_forwarded_for(&policy->gateway, c->http.forwarded, &c->client);

	if (c->client.family)
		c->client_key = gw_source_key(&c->shared->prefixes, policy, &c->client, -1);
	begin_crash_page(c);
	return known;
}

/* Packet filters see only the proxy's address, so check its client here. */
static bool is_blocked(const struct gw_connection *c)
{
	return c->client.family && gw_blocklist_contains(c->shared->blocklist, &c->client,
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
 * Respond to a refusal that waited for the end of the header. The client is charged. If the header
 * has no end, a client could have written another host's address: then charge the proxy.
 */
static void respond_pending_refusal(struct gw_connection *c)
{
	if (c->http.state == FMP_HTTP_REFUSED && apply_forwarded_for(c) && is_blocked(c))
		gw_respond_blocked(c);
	else
		gw_respond_refusal(c, c->http.kind, c->http.status, true, c->http.detail);
}

/* What is held is passed first. */
static void read_upload(struct gw_connection *c, struct evbuffer *in)
{
	begin_crash_page(c);
	gw_upload_pass(c);
	while (evbuffer_get_length(in) && gw_upload_can_read(c)) {
		size_t n = evbuffer_get_contiguous_space(in), used;

		fmp_http_feed(&c->http, evbuffer_pullup(in, (ssize_t)n), n, &used);
		evbuffer_drain(in, used);
		gw_upload_pass(c);
	}
}

/* Parse the input until a request is complete or the input is empty. */
static void read_requests(struct gw_connection *c)
{
	struct evbuffer *in = gw_stream_input(c->stream);

	if (!evbuffer_get_length(in) && c->state != CONN_UPLOADING)
		return;
	c->cpu_start = gw_clock_ns(CLOCK_THREAD_CPUTIME_ID);
	c->described = 0;
	if (gw_upload_can_read(c))
		read_upload(c, in);
	while (evbuffer_get_length(in) && (c->state == CONN_IDLE || c->state == CONN_READING)) {
		bool between = fmp_http_is_between_messages(&c->http),
		     headers = c->http.headers_done;
		size_t n = evbuffer_get_contiguous_space(in), used;

		gw_connection_enter(c, CONN_READING);
		c->verdict.step = FMP_STEP_HTTP;
		begin_crash_page(c);
		fmp_http_feed(&c->http, evbuffer_pullup(in, (ssize_t)n), n, &used);
		evbuffer_drain(in, used);
		gw_buffer_budget_update(c);
		if (c->http.refusal_pending && c->http.state == FMP_HTTP_REFUSED)
			respond_pending_refusal(c);
		else if (!headers && c->http.headers_done && !apply_forwarded_for(c))
			gw_respond_refusal(
				c, fmp_http_is_read(&c->http) ? FMP_EVENT_BROWSER : FMP_EVENT_HTTP,
				400, true, "X-Forwarded-For is no address");
		else if (!headers && c->http.headers_done && is_blocked(c))
			gw_respond_blocked(c);
		else if (!headers && c->http.headers_done && !gw_exchange_route(c))
			continue;
		else if (c->upload && !gw_upload_find_root(c))
			continue;
		else if (c->http.state == FMP_HTTP_DONE)
			gw_exchange_begin(c);
		else if (c->http.state == FMP_HTTP_REFUSED)
			gw_respond_refusal(c, c->http.kind, c->http.status, c->http.status != 503,
					   c->http.detail);
		else
			update_deadline(c, between, headers);
	}
	if (c->state == CONN_READING)
		send_continue(c);
	clear_crash_page(c);
	c->cpu_ns = gw_connection_cpu_ns(c);
	c->cpu_start = 0;
}

void gw_connection_read_on(struct gw_connection *c)
{
	read_requests(c);
}

static void start_linger(struct gw_connection *c)
{
	gw_connection_enter(c, CONN_LINGERING);
	gw_tls_close(gw_stream_tls(c->stream));
	shutdown(gw_stream_fd(c->stream), SHUT_WR);
	evbuffer_drain(gw_stream_input(c->stream), evbuffer_get_length(gw_stream_input(c->stream)));
	gw_stream_resume(c->stream);
	gw_connection_arm(c, LINGER_MS);
}

static void on_read(void *arg)
{
	struct gw_connection *c = arg;

	/* With TLS the bytes are decrypted now, and no request is being parsed yet. */
	clear_crash_page(c);
	if (c->state == CONN_LINGERING) {
		struct evbuffer *in = gw_stream_input(c->stream);

		c->drained += evbuffer_get_length(in);
		evbuffer_drain(in, evbuffer_get_length(in));
		if (c->drained > LINGER_BYTES)
			gw_connection_close(c, true);
		return;
	}
	read_requests(c);
}

void gw_connection_response_started(struct gw_connection *c)
{
	gw_exchange_release_reply(c);
	drop_body(c);
	/* A client that does not read its reply is disconnected. */
	gw_connection_arm(c, c->shared->settings->policy->gateway.body_timeout_ms);
}

void gw_connection_response_sent(struct gw_connection *c)
{
	gw_buffer_budget_update(c);
	if (!c->keep_alive) {
		start_linger(c);
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
	gw_connection_enter(c, CONN_IDLE);
	/* The list is in order of last use: the first is evicted first. */
	TAILQ_REMOVE(&c->shared->open, c, list);
	TAILQ_INSERT_TAIL(&c->shared->open, c, list);
	gw_connection_arm(c, c->shared->settings->policy->gateway.idle_timeout_ms);
	gw_stream_resume(c->stream);
	c->shared->idle(c->shared);
	/* A description is answered while requests are read: the loop there goes on. */
	if (!c->cpu_start)
		read_requests(c);
}

static void on_written(void *arg)
{
	struct gw_connection *c = arg;

	if (c->relay.open)
		gw_relay_resume(c);
	else if (c->state == CONN_RESPONDING) /* otherwise "100 Continue" was sent */
		gw_connection_response_sent(c);
}

/* Failures that a link in a page or a wrong configuration of the client causes. */
static bool is_not_charged(struct gw_connection *c, enum gw_tls_fault fault)
{
	return fault == GW_TLS_FAULT_PLAIN_HTTP ||
	       (fault == GW_TLS_FAULT_UNTRUSTED &&
		fmp_handshake_pardon_take(&c->shared->handshake_pardon, &c->peer.group,
					  gw_clock_ns(CLOCK_BOOTTIME)));
}

/* A client that connects and sends nothing is not charged; one that breaks off a handshake is. */
static void handle_handshake_error(struct gw_connection *c)
{
	char buf[160];
	enum gw_tls_fault fault;
	const char *why = gw_tls_error(gw_stream_tls(c->stream), &fault, buf, sizeof(buf));

	if (why && gw_tls_crl_missing(gw_stream_tls(c->stream)))
		gw_exchange_count_crl_missing(c->shared, why);
	else if (why)
		gw_connection_charge(
			c, is_not_charged(c, fault) ? FMP_EVENT_BROWSER : FMP_EVENT_CONNECTION, 0,
			why);
	gw_connection_close(c, false);
}

static void on_connected(void *arg)
{
	struct gw_connection *c = arg;

	clear_crash_page(c);
	gw_tls_meter_reset(&c->handshake.meter);
	/* The first request is charged for the handshake. */
	gw_connection_enter(c, CONN_IDLE);
}

/*
 * Why a client that closes now is charged for what it cost us: otherwise it could repeat that for
 * nothing. Return: NULL: it is not, for example if it has its reply and sends no more.
 */
static const char *get_abort_reason(const struct gw_connection *c)
{
	if (c->state != CONN_IDLE && c->state != CONN_READING)
		return NULL;
	if (!fmp_http_is_between_messages(&c->http))
		return c->http.headers_done ? "the body was broken off"
					    : "the header was broken off";
	return c->shared->settings->tls && !c->served ? "a TLS handshake without a request" : NULL;
}

/* The client closed before we read: did it send anything? */
static bool has_sent(const struct gw_connection *c)
{
	uint8_t first;

	return recv(gw_stream_fd(c->stream), &first, sizeof(first), MSG_PEEK | MSG_DONTWAIT) > 0;
}

static void on_ended(void *arg, bool cleanly)
{
	struct gw_connection *c = arg;
	const char *what = get_abort_reason(c);

	clear_crash_page(c);
	if (c->handshake.meter.why) {
		gw_connection_charge(c, FMP_EVENT_CONNECTION, 0, c->handshake.meter.why);
		gw_connection_close(c, true);
		return;
	}
	if (c->handshake.presence) {
		if (c->handshake.presence == GW_TLS_CLIENT_LEFT && has_sent(c))
			gw_connection_charge(c, FMP_EVENT_CONNECTION, 0,
					     "a TLS handshake was begun and given up");
		gw_connection_close(c, true);
		return;
	}
	if (c->state == CONN_HANDSHAKE) {
		handle_handshake_error(c);
		return;
	}
	if (what)
		gw_connection_charge(c, FMP_EVENT_CONNECTION, 0, what);
	else if (c->state == CONN_UPLOADING)
		gw_upload_broken_off(c);
	gw_connection_close(c, false);
}

/*
 * Browsers open up to six connections to a host in advance, also because a page asks for it
 * (preconnect), and may not use them. Without a TLS handshake they cost only their places.
 */
static bool is_preconnect(const struct gw_connection *c)
{
	return !c->shared->settings->tls &&
	       gw_source_limits_count(c->shared->limits, &c->peer.group) <= BROWSER_CONNECTIONS;
}

/* Extend the deadline by the time that the loop lost. Return: true: it has expired. */
static bool is_expired(struct gw_connection *c)
{
	struct gw_loop_delay *d = &c->shared->loop_delay;
	uint64_t owed;

	if (!c->timed)
		return true;
	/* After a delay this timer may run before the loop check that is due. */
	gw_loop_delay_check(d, gw_clock_ns(CLOCK_MONOTONIC));
	owed = gw_loop_delay_extension_ms(d, &c->lost_ns);
	if (owed)
		gw_connection_arm(c, owed);
	return !owed;
}

static void on_timer(evutil_socket_t fd, short what, void *arg)
{
	struct gw_connection *c = arg;

	if (!is_expired(c))
		return;
	switch (c->state) {
	case CONN_HANDSHAKE:
		gw_connection_charge(c, FMP_EVENT_CONNECTION, 0,
				     "the TLS handshake was not done in time");
		gw_connection_close(c, true);
		break;
	case CONN_IDLE:
		if (!c->served)
			gw_connection_charge(
				c, is_preconnect(c) ? FMP_EVENT_BROWSER : FMP_EVENT_CONNECTION, 0,
				"no byte came in time");
		gw_connection_close(c, false);
		break;
	case CONN_READING:
		if (c->http.refusal_pending) {
			respond_pending_refusal(c);
			clear_crash_page(c);
			break;
		}
		gw_respond_refusal(c, FMP_EVENT_CONNECTION, 408, true,
				   c->http.headers_done ? "the body did not come in time"
							: "the header did not come in time");
		break;
	case CONN_UPLOADING:
		gw_upload_check_progress(c);
		break;
	case CONN_RESPONDING:
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
		/* The handshake of a proxy is not a client's. */
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
		.target_bytes = s->settings->policy->gateway.http.target_bytes,
		.body_bytes = s->body_max,
		.compressed = s->settings->policy->gateway.http.compressed,
		.forwarded = peer->forwarded,
		.describe = s->describes,
	};
	struct gw_connection *c = calloc(1, sizeof(*c));

	if (!c) {
		close(fd);
		return false;
	}
	c->shared = s;
	c->peer = *peer;
	fmp_http_init(&c->http, &limits);
	c->evict.in = GW_EVICT_NEVER;
	c->accepted_ns = gw_clock_ns(CLOCK_BOOTTIME);
	c->stream = open_stream(c, fd);
	c->timer = c->stream ? event_new(s->base, -1, 0, on_timer, c) : NULL;
	c->usage = c->timer ? gw_source_limits_add(s->limits, &peer->group) : NULL;
	if (!c->usage) {
		gw_stream_free(c->stream);
		if (c->timer)
			event_free(c->timer);
		free(c);
		return false;
	}
	gw_connection_enter(c, s->settings->tls ? CONN_HANDSHAKE : CONN_IDLE);
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
	return gw_clock_ns(CLOCK_BOOTTIME) - c->accepted_ns < NEW_CONNECTION_NS;
}

static struct gw_connection *get_connection(struct gw_evict_entry *p)
{
	return (struct gw_connection *)((char *)p - offsetof(struct gw_connection, evict));
}

/* Every source has one slow connection at times: evict only if it has a second one. */
static struct gw_connection *find_evictable(struct gw_shared *s, unsigned *n)
{
	struct gw_evict_entry *silent =
				      gw_source_limits_find_largest(s->limits, GW_EVICT_SILENT, n),
			      *other;

	if (*n > 1 || (silent && !is_new(get_connection(silent))))
		return get_connection(silent);
	other = gw_source_limits_find_largest(s->limits, GW_EVICT_IDLE, n);
	if (other)
		return get_connection(other);
	other = gw_source_limits_find_largest(s->limits, GW_EVICT_SLOW, n);
	return *n > 1 ? get_connection(other) : NULL;
}

bool gw_connection_evict(struct gw_shared *s)
{
	const struct fmp_policy_gateway *g = &s->settings->policy->gateway;
	unsigned n;
	struct gw_connection *c = find_evictable(s, &n);

	if (!c)
		return false;
	/* Not charged: a browser's few preconnected connections, and idle ones that were served. */
	if (c->evict.in != GW_EVICT_IDLE && n > g->connections_per_source / CHARGED_SHARE &&
	    n > 1 && !fmp_forwarded_find_proxy(g, &c->peer.source))
		gw_connection_charge(
			c, FMP_EVENT_CONNECTION, 0,
			c->evict.in == GW_EVICT_SILENT
				? "held places without a request that others waited for"
				: "held places by slow requests that others waited for");
	gw_connection_close(c, c->evict.in != GW_EVICT_IDLE);
	return true;
}

bool gw_connection_can_abort(const struct gw_connection *c)
{
	return c->state == CONN_READING || c->state == CONN_UPLOADING ||
	       c->state == CONN_RESPONDING ||
	       (c->state == CONN_WORKING && c->task.waiting && !c->task.job.answer &&
		!fmp_job_is_evaluated(&c->task.job));
}

void gw_connection_abort(struct gw_connection *c)
{
	if (c->state == CONN_RESPONDING) {
		gw_connection_close(c, true);
		return;
	}
	if (c->state == CONN_UPLOADING) {
		gw_upload_abort(c);
		return;
	}
	if (c->state == CONN_WORKING)
		gw_pool_withdraw(c->shared->pool, &c->task);
	gw_respond_refusal(c, FMP_EVENT_GOOD, 503, false, "");
}

bool gw_connection_is_silent(const struct gw_connection *c)
{
	return c->state == CONN_IDLE || c->state == CONN_HANDSHAKE;
}
