// SPDX-License-Identifier: GPL-2.0
#include "buffer_budget.h"

#include <stdio.h>

#include <event2/event.h>

#include "../common/clock.h"
#include "../backend/backend.h"
#include "connection_private.h"
#include "upload.h"

/* Closing a connection that buffers less gains nothing; and a refusal needs some bytes itself. */
#define EVICT_MIN_BYTES 4096u
/* Each waiting reply occupies a connection to the service, which others may need. */
#define WAITING_MAX	(GW_BACKEND_CONNS_MAX / 2)

static void recount_buffers(struct gw_connection *c)
{
	struct gw_shared *s = c->shared;
	size_t now = c->http.body_cap + c->http.fields.cap + c->reply.fields.cap +
		     c->call.request_bytes + c->call.reply_bytes + gw_upload_size(c) +
		     (c->stream ? gw_stream_unsent(c->stream) : 0);

	if (now < c->buffered && s->n_waiting)
		event_active(s->rebalance, EV_TIMEOUT, 0);
	s->buffered += now - c->buffered;
	gw_source_limits_set_bytes(c->usage, c->buffered, now);
	c->buffered = now;
}

void gw_buffer_budget_update(struct gw_connection *c)
{
	recount_buffers(c);
	/* Not now: the caller may be using a connection that has to go. */
	if (c->shared->buffered > c->shared->buffer_max)
		event_active(c->shared->rebalance, EV_TIMEOUT, 0);
}

static bool buffers_more(const struct gw_connection *a, const struct gw_connection *b)
{
	size_t of_a = gw_source_limits_bytes(a->usage), of_b = gw_source_limits_bytes(b->usage);

	return of_a != of_b ? of_a > of_b : a->buffered > b->buffered;
}

/* Return: NULL: no connection can be evicted. */
static struct gw_connection *find_largest(struct gw_shared *s)
{
	struct gw_connection *c, *max = NULL;

	/* Data sent meanwhile is not buffered any more. */
	TAILQ_FOREACH(c, &s->open, list)
	recount_buffers(c);
	TAILQ_FOREACH(c, &s->open, list)
	if (c->buffered >= EVICT_MIN_BYTES && gw_connection_can_abort(c) &&
	    (!max || buffers_more(c, max)))
		max = c;
	return max;
}

static void evict_counted(struct gw_shared *s, struct gw_connection *c)
{
	s->n_evicted++;
	gw_connection_abort(c);
}

/* ---- reservations of replies ---- */

static struct gw_connection *find_next_waiting(struct gw_shared *s)
{
	struct gw_connection *c, *next = NULL;

	TAILQ_FOREACH(c, &s->open, list)
	if (c->call.reply_wanted &&
	    (!next || gw_source_limits_bytes(c->usage) < gw_source_limits_bytes(next->usage)))
		next = c;
	return next;
}

/* A source that would buffer more than the others gets no room from them, unless too many wait. */
static bool may_evict_for(const struct gw_connection *other, const struct gw_connection *c)
{
	return gw_source_limits_bytes(other->usage) > gw_source_limits_bytes(c->usage) +
							      c->call.reply_wanted -
							      c->call.reply_bytes ||
	       c->shared->n_waiting > WAITING_MAX;
}

/* The other half is for requests. */
static bool can_reserve(const struct gw_shared *s, size_t max)
{
	return !s->n_reserved || s->reserved + max <= s->buffer_max / 2;
}

static bool has_room(const struct gw_shared *s, size_t have, size_t max)
{
	return !s->n_reserved || (can_reserve(s, max) && s->buffered - have + max <= s->buffer_max);
}

static bool make_room(struct gw_connection *c)
{
	struct gw_shared *s = c->shared;
	struct gw_connection *other;

	while (can_reserve(s, c->call.reply_wanted) &&
	       s->buffered - c->call.reply_bytes + c->call.reply_wanted > s->buffer_max) {
		other = find_largest(s);
		if (!other || !may_evict_for(other, c))
			break;
		evict_counted(s, other);
	}
	return has_room(s, c->call.reply_bytes, c->call.reply_wanted);
}

static void reserve_reply(struct gw_connection *c, size_t max)
{
	struct gw_shared *s = c->shared;

	c->call.reserved = true;
	c->call.reply_bytes = max;
	s->reserved += max;
	s->n_reserved++;
	recount_buffers(c);
}

static void grant_reservations(struct gw_shared *s)
{
	struct gw_connection *c;

	while ((c = find_next_waiting(s)) && make_room(c)) {
		size_t max = c->call.reply_wanted;

		c->call.reply_wanted = 0;
		s->n_waiting--;
		reserve_reply(c, max);
		gw_backend_resume(c->call.handle);
	}
}

void gw_buffer_budget_request_sent(struct gw_connection *c, struct gw_call *call)
{
	c->call.handle = call;
	c->call.request_bytes = gw_backend_request_size(call);
	if (c->upload)
		gw_upload_root_sent(c);
	else
		fmp_http_exit(&c->http);
	gw_buffer_budget_update(c);
}

bool gw_buffer_budget_reserve_reply(struct gw_connection *c, size_t have, size_t max)
{
	struct gw_shared *s = c->shared;

	/* Waiting replies come first. */
	if (!s->n_waiting && has_room(s, 0, max)) {
		reserve_reply(c, max);
	} else {
		c->call.reply_bytes = have;
		c->call.reply_wanted = max;
		s->n_waiting++;
		event_active(s->rebalance, EV_TIMEOUT, 0);
	}
	gw_buffer_budget_update(c);
	return c->call.reserved;
}

static void set_reply_bytes(struct gw_connection *c, size_t bytes)
{
	if (c->call.reserved)
		c->shared->reserved += bytes - c->call.reply_bytes;
	c->call.reply_bytes = bytes;
}

void gw_buffer_budget_reply_received(struct gw_connection *c, size_t answer)
{
	c->shared->n_waiting -= c->call.reply_wanted != 0;
	c->call.handle = NULL;
	c->call.request_bytes = c->call.reply_wanted = 0;
	set_reply_bytes(c, answer);
	recount_buffers(c);
}

void gw_buffer_budget_reply_forwarded(struct gw_connection *c)
{
	set_reply_bytes(c, 0);
	c->shared->n_reserved -= c->call.reserved;
	c->call.reserved = false;
	recount_buffers(c);
	/* The total may be the same: the client has still to read the reply. */
	if (c->shared->n_waiting)
		event_active(c->shared->rebalance, EV_TIMEOUT, 0);
}

/* ---- the limit ---- */

static void warn_evicted(struct gw_shared *s)
{
	if (!gw_warning_is_due(&s->evicted_logged_ns))
		return;
	fprintf(stderr,
		"fmp-gateway: memory=\"%zu\" is full: %llu connections were closed for it\n",
		s->buffer_max, (unsigned long long)s->n_evicted);
}

static void on_rebalance(evutil_socket_t fd, short what, void *arg)
{
	struct gw_shared *s = arg;
	uint64_t before = s->n_evicted;
	struct gw_connection *c;

	while (s->buffered > s->buffer_max && (c = find_largest(s)) && s->buffered > s->buffer_max)
		evict_counted(s, c);
	grant_reservations(s);
	if (s->n_evicted != before)
		warn_evicted(s);
}

bool gw_buffer_budget_init(struct gw_shared *s)
{
	s->rebalance = event_new(s->base, -1, 0, on_rebalance, s);
	return s->rebalance;
}

void gw_buffer_budget_exit(struct gw_shared *s)
{
	if (s->rebalance)
		event_free(s->rebalance);
}
