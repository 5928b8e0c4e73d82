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

#include "../common/clock.h"
#include "exchange.h"
#include "receive.h"
#include "buffer_budget.h"
#include "relay.h"
#include "upload.h"
#include <fmp/internal/evtimer.h>

#define LINGER_MS	    1000 /* after a refusal, discard input for so long */
#define LINGER_BYTES	    (256u << 10) /* and so many bytes */
#define BROWSER_CONNECTIONS 6 /* that a browser opens to one host */

void gw_connection_charge_peer(struct gw_shared *s, const struct gw_peer *peer, const char *detail)
{
	struct gw_connection c = { .shared = s, .peer = *peer };

	gw_connection_charge(&c, FMP_EVENT_CONNECTION, 0, detail);
	free(c.verdict.reason);
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
	enum gw_evict_class in = gw_connection_evict_class(c, state);

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
	gw_receive_clear_crash_page(c);
	if (c->state == CONN_LINGERING) {
		struct evbuffer *in = gw_stream_input(c->stream);

		c->drained += evbuffer_get_length(in);
		evbuffer_drain(in, evbuffer_get_length(in));
		if (c->drained > LINGER_BYTES)
			gw_connection_close(c, true);
		return;
	}
	gw_receive_requests(c);
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
		gw_receive_requests(c);
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

	gw_receive_clear_crash_page(c);
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

	gw_receive_clear_crash_page(c);
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
			gw_receive_refuse_pending(c);
			gw_receive_clear_crash_page(c);
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
