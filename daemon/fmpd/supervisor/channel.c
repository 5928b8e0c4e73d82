// SPDX-License-Identifier: GPL-2.0
/* Messages from a gateway process (events, statistics, its log) and to it (orders, blocks, prefixes). */
#include "supervisor_private.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <event2/buffer.h>
#include <event2/bufferevent.h>

#include <fmp/internal/text.h>

#include "../common/clock.h"
#include "../common/log.h"

#define WAIT_MAX     65536u /* bytes of orders buffered for a gateway that does not read */
#define ORDER_MAX    64u /* bytes of one order */
#define LOG_LINE_MAX 1000u
#define SHARED_ROOM  (ORDER_MAX * (1 + FMP_TRANSLATORS_MAX)) /* reserved for other fields */
#define REFUSED_MS   60000u /* between two lines of the log about refused events */

void supervisor_send_order(struct gateway_process *g, uint16_t type)
{
	struct fmp_wire_out w;
	uint8_t buf[ORDER_MAX];

	fmp_wire_begin(&w, buf, sizeof(buf), type);
	if (!fmp_wire_end(&w))
		bufferevent_write(g->events, buf, w.len);
}

static int get_numbers(struct fmp_wire_in *in, uint64_t *v, unsigned n)
{
	struct fmp_wire_field f;
	int rc;

	while ((rc = fmp_wire_next(in, &f)) > 0) {
		if (f.id < 1 || f.id > n)
			continue;
		rc = fmp_wire_get_u64(&f, &v[f.id - 1]);
		if (rc)
			return rc;
	}
	return rc;
}

static int on_ready(struct gateway_process *g, struct fmp_wire_in *in)
{
	uint64_t v[2] = { 0 };
	int rc = get_numbers(in, v, 2);

	if (!rc)
		g->s->channel_hooks->on_ready(g, v[1]);
	return rc;
}

static int on_clock(struct gateway_process *g, struct fmp_wire_in *in)
{
	uint64_t unset = 0;
	int rc = get_numbers(in, &unset, 1);

	if (!rc)
		g->clock_unset = unset;
	return rc;
}

/* Clients that cause such events must not fill the log: one line a minute, with the number. */
static void count_refused_event(struct fmpd_supervisor *s)
{
	uint64_t now = fmpd_now_ms();

	s->events_refused++;
	if (s->refused_logged_ms && now < s->refused_logged_ms + REFUSED_MS)
		return;
	s->refused_logged_ms = now;
	fmpd_log(
		FMPD_WARNING, "gateway",
		"an event of the gateway has a value that no event may have, and is dropped (%llu so far)",
		(unsigned long long)s->events_refused);
}

static int on_event(struct gateway_process *g, struct fmp_wire_in *in)
{
	struct fmp_event ev;
	int rc = fmp_event_decode(in, &ev);

	if (rc == FMP_ERR_INVALID) {
		count_refused_event(g->s);
		return 0;
	}
	if (!rc)
		fmpd_plane_event(g->s->plane, &ev);
	return rc;
}

static int on_message(struct gateway_process *g, struct fmp_wire_in *in)
{
	uint64_t v[GW_STATS];
	int rc;

	switch (in->type) {
	case FMP_MSG_EVENT:
		return on_event(g, in);
	case FMP_MSG_GW_READY:
		return g->ready ? FMP_ERR_SYNTAX : g->replaced ? 0 : on_ready(g, in);
	case FMP_MSG_GW_STATS:
		memcpy(v, g->stats, sizeof(v));
		rc = get_numbers(in, v, GW_STATS);
		if (!rc)
			memcpy(g->stats, v, sizeof(v));
		return rc;
	case FMP_MSG_GW_CLOCK:
		return on_clock(g, in);
	default:
		return FMP_ERR_SYNTAX;
	}
}

/* Handle the whole messages in the buffer. Return: FMP_ERR_AGAIN, or why the rest does not decode. */
static int handle_messages(struct gateway_process *g, struct evbuffer *in)
{
	struct fmp_wire_in msg;
	size_t used;
	int rc;

	for (;;) {
		size_t len = evbuffer_get_length(in);

		rc = fmp_wire_parse(evbuffer_pullup(in, -1), len, FMP_WIRE_MAX, &msg, &used);
		if (!rc)
			rc = on_message(g, &msg);
		if (rc)
			break;
		evbuffer_drain(in, used);
	}
	/* Decisions so far hold, even if the rest does not decode. */
	fmpd_plane_flush(g->s->plane);
	return rc;
}

static void on_events(struct bufferevent *bev, void *ctx)
{
	struct gateway_process *g = ctx;

	if (handle_messages(g, bufferevent_get_input(bev)) == FMP_ERR_AGAIN)
		return;
	fmpd_log(FMPD_ERROR, "gateway", "the gateway sent what does not decode: it is replaced");
	bufferevent_disable(bev, EV_READ | EV_WRITE);
	g->s->channel_hooks->on_broken(g);
}

/* The gateway has read its whole buffer. */
static void on_written(struct bufferevent *bev, void *ctx)
{
	struct gateway_process *g = ctx;

	if (g->prefixes_due)
		supervisor_send_shared_prefixes(g);
}

static void on_events_end(struct bufferevent *bev, short what, void *ctx)
{
	struct gateway_process *g = ctx;

	/* The gateway ends, or is broken: kill it unless it was sent a stop. */
	bufferevent_disable(bev, EV_READ | EV_WRITE);
	if (!g->stop_sent)
		g->s->channel_hooks->on_broken(g);
}

static void on_logs(struct bufferevent *bev, void *ctx)
{
	struct evbuffer *in = bufferevent_get_input(bev);
	/* Before it serves, its lines tell what is wrong with its policy: warnings. */
	enum fmpd_level level = ((struct gateway_process *)ctx)->ready ? FMPD_INFO : FMPD_WARNING;
	char *line, rest[LOG_LINE_MAX + 1];

	while ((line = evbuffer_readln(in, NULL, EVBUFFER_EOL_LF))) {
		fmp_text_clean(line);
		fmpd_log(level, "gateway", "%s", line);
		free(line);
	}
	if (evbuffer_get_length(in) >= LOG_LINE_MAX) {
		evbuffer_remove(in, rest, LOG_LINE_MAX);
		rest[LOG_LINE_MAX] = '\0';
		rest[strnlen(rest, LOG_LINE_MAX)] = '\0';
		fmp_text_clean(rest);
		fmpd_log(level, "gateway", "%s", rest);
	}
}

static void on_logs_end(struct bufferevent *bev, short what, void *ctx)
{
	bufferevent_disable(bev, EV_READ);
}

/* Events that a dead gateway had written count: they may tell what killed it. */
void supervisor_read_rest(struct gateway_process *g)
{
	struct evbuffer *rest = evbuffer_new();

	if (!rest)
		return;
	evbuffer_add_buffer(rest, bufferevent_get_input(g->events));
	while (evbuffer_read(rest, bufferevent_getfd(g->events), FMP_WIRE_MAX) > 0)
		if (handle_messages(g, rest) != FMP_ERR_AGAIN)
			break;
	evbuffer_free(rest);
}

int supervisor_open_channel(struct gateway_process *g, const struct fmp_gateway_process *ends)
{
	struct event_base *base = g->s->base;

	g->events = bufferevent_socket_new(base, ends->event_fd, BEV_OPT_CLOSE_ON_FREE);
	g->logs = bufferevent_socket_new(base, ends->log_fd, BEV_OPT_CLOSE_ON_FREE);
	if (!g->events)
		close(ends->event_fd);
	if (!g->logs)
		close(ends->log_fd);
	if (!g->events || !g->logs)
		return FMP_ERR_NOMEM;
	bufferevent_setcb(g->events, on_events, on_written, on_events_end, g);
	bufferevent_setwatermark(g->events, EV_READ, 0, FMP_WIRE_MAX + 4);
	bufferevent_enable(g->events, EV_READ | EV_WRITE);
	bufferevent_setcb(g->logs, on_logs, NULL, on_logs_end, g);
	bufferevent_setwatermark(g->logs, EV_READ, 0, 4 * LOG_LINE_MAX);
	bufferevent_enable(g->logs, EV_READ);
	return 0;
}

/*
 * Frames of a blocked source are dropped already: closing its connections early only saves memory of the gateway, and may
 * be left out. But if proxies forward for clients, only the gateway refuses blocked ones: a gateway that does not read its
 * blocks is killed, and the next one gets all of them.
 */
static void send_or_drop(struct gateway_process *g, const uint8_t *bytes, size_t len)
{
	struct fmpd_plane_view v;
	size_t most = WAIT_MAX;

	fmpd_plane_view(g->s->plane, &v);
	if (v.policy->gateway.n_proxies)
		most += 4 * ORDER_MAX * (size_t)v.policy->enforce.max_blocks;
	if (!g->events)
		return;
	if (evbuffer_get_length(bufferevent_get_output(g->events)) < most)
		bufferevent_write(g->events, bytes, len);
	else if (v.policy->gateway.n_proxies)
		g->s->channel_hooks->on_broken(g);
}

static size_t encode_block(uint8_t buf[ORDER_MAX], const struct fmp_addr *source, uint64_t left_ms,
			   uint16_t port)
{
	struct fmp_wire_out w;

	fmp_wire_begin(&w, buf, ORDER_MAX, FMP_MSG_GW_CUT);
	fmp_wire_put_addr(&w, 1, source);
	fmp_wire_put_u64(&w, 2, left_ms);
	fmp_wire_put_u64(&w, 3, port);
	return fmp_wire_end(&w) ? 0 : w.len;
}

void fmpd_supervisor_block(struct fmpd_supervisor *s, const struct fmp_addr *source,
			   uint64_t left_ms, uint16_t port)
{
	uint8_t buf[ORDER_MAX];
	size_t len = encode_block(buf, source, left_ms, port);
	struct gateway_process *g;

	LIST_FOREACH(g, &s->gateways, list)
	send_or_drop(g, buf, len);
}

void fmpd_supervisor_unblock(struct fmpd_supervisor *s, const struct fmp_addr *source)
{
	struct fmp_wire_out w;
	uint8_t buf[ORDER_MAX];
	struct gateway_process *g;

	fmp_wire_begin(&w, buf, sizeof(buf), FMP_MSG_GW_FREE);
	fmp_wire_put_addr(&w, 1, source);
	if (fmp_wire_end(&w))
		return;
	LIST_FOREACH(g, &s->gateways, list)
	send_or_drop(g, buf, w.len);
}

void fmpd_supervisor_send_block(struct fmpd_supervisor *s, const struct fmp_addr *source,
				uint64_t left_ms, uint16_t port)
{
	uint8_t buf[ORDER_MAX];

	if (s->current)
		send_or_drop(s->current, buf, encode_block(buf, source, left_ms, port));
}

void fmpd_supervisor_send_blocks_end(struct fmpd_supervisor *s)
{
	if (s->current && s->current->events)
		supervisor_send_order(s->current, FMP_MSG_GW_TOLD);
}

/*
 * The engine looks whether a source's prefix contains a protected address, and the gateway must decide the same for a
 * connection: send each protected entry, masked to the prefix of a source. Prefixes without room in the message are one
 * source there; the gateway knows by itself the address that a client connected to.
 */
void supervisor_send_shared_prefixes(struct gateway_process *g)
{
	static uint8_t buf[FMP_WIRE_MAX + 4];
	struct fmp_addr last = { 0 }, prefix;
	const struct fmp_protect_entry *set;
	struct fmpd_plane_view v;
	struct fmp_wire_out w;
	size_t n;

	fmpd_plane_view(g->s->plane, &v);
	if (!g->events || !v.protect)
		return;
	n = fmp_protect_list(v.protect, &set);
	fmp_wire_begin(&w, buf, sizeof(buf), FMP_MSG_GW_SHARED);
	for (size_t i = 0; i < n && w.cap - w.len > SHARED_ROOM; i++) {
		prefix = fmp_addr_mask(set[i].addr, v.policy->suspicion.ipv6_prefix);
		if (prefix.family != FMP_FAMILY_IPV6 || fmp_addr_equal(&prefix, &last))
			continue;
		fmp_wire_put_addr(&w, 1, &prefix);
		last = prefix;
	}
	/* SHARED_ROOM was reserved for these. */
	for (uint32_t i = 0; i < v.translators->n; i++)
		fmp_wire_put_addr(&w, 2, &v.translators->prefix[i]);
	g->prefixes_due = evbuffer_get_length(bufferevent_get_output(g->events)) >= 4 * WAIT_MAX;
	if (!g->prefixes_due && !fmp_wire_end(&w))
		bufferevent_write(g->events, buf, w.len);
}

void fmpd_supervisor_send_shared_prefixes(struct fmpd_supervisor *s)
{
	struct gateway_process *g;

	LIST_FOREACH(g, &s->gateways, list)
	{
		if (g->ready)
			supervisor_send_shared_prefixes(g);
	}
}
