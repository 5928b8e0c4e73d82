// SPDX-License-Identifier: GPL-2.0
#include "buffer_budget.h"

#include <stdio.h>

#include <event2/event.h>

#include "../common/clock.h"
#include "../backend/backend.h"
#include "connection_private.h"

/* To close a connection for less gains nothing; and a refusal has to get out. */
#define WORTH_BYTES 4096u
#define TELL_NS	    (60 * 1000000000ull)
/* So many answers may wait: each has a connection to the service, that others may need. */
#define WAIT_MOST   (GW_BACKEND_CONNS_MAX / 2)

static void count(struct gw_connection *c)
{
	struct gw_shared *s = c->shared;
	size_t now = c->http.body_cap + c->away.request + c->away.answer +
		     (c->stream ? gw_stream_unsent(c->stream) : 0);

	if (now < c->held && s->n_waiting)
		event_active(s->full, EV_TIMEOUT, 0);
	s->buffered += now - c->held;
	gw_source_limits_set_bytes(c->of, c->held, now);
	c->held = now;
}

void gw_buffer_budget_update(struct gw_connection *c)
{
	count(c);
	/* Whoever calls is in the middle of something with one that may have to go. */
	if (c->shared->buffered > c->shared->memory)
		event_active(c->shared->full, EV_TIMEOUT, 0);
}

/* What a worker or the service is busy with is waited for: it ends soon. */
static bool can_go(const struct gw_connection *c)
{
	if (c->held < WORTH_BYTES)
		return false;
	return c->state == READING || c->state == ANSWERING ||
	       (c->state == WORKING && c->task.waiting && !c->task.job.answer &&
		!fmp_job_is_evaluated(&c->task.job));
}

static bool holds_more(const struct gw_connection *a, const struct gw_connection *b)
{
	size_t of_a = gw_source_limits_bytes(a->of), of_b = gw_source_limits_bytes(b->of);

	return of_a != of_b ? of_a > of_b : a->held > b->held;
}

/* Return: NULL: none of them can go. */
static struct gw_connection *greediest(struct gw_shared *s)
{
	struct gw_connection *c, *most = NULL;

	/* What was sent meanwhile is not held any more. */
	TAILQ_FOREACH(c, &s->open, list)
	count(c);
	TAILQ_FOREACH(c, &s->open, list)
	if (can_go(c) && (!most || holds_more(c, most)))
		most = c;
	return most;
}

/* It is nobody's offence: a source may be many clients, or have much to say. */
static void give_way(struct gw_connection *c)
{
	if (c->state == ANSWERING) {
		gw_connection_close(c, true);
		return;
	}
	if (c->state == WORKING)
		gw_pool_withdraw(c->shared->pool, &c->task);
	gw_respond_refusal(c, FMP_EVENT_GOOD, 503, false, "");
}

static void one_gives_way(struct gw_shared *s, struct gw_connection *c)
{
	s->gave_way++;
	give_way(c);
}

/* ---- answers that are on their way in ---- */

static struct gw_connection *who_is_next(struct gw_shared *s)
{
	struct gw_connection *c, *next = NULL;

	TAILQ_FOREACH(c, &s->open, list)
	if (c->away.wanted &&
	    (!next || gw_source_limits_bytes(c->of) < gw_source_limits_bytes(next->of)))
		next = c;
	return next;
}

/* Whoever would hold more than all others makes no room for himself, unless too many wait. */
static bool makes_room(const struct gw_connection *other, const struct gw_connection *c)
{
	return gw_source_limits_bytes(other->of) >
		       gw_source_limits_bytes(c->of) + c->away.wanted - c->away.answer ||
	       c->shared->n_waiting > WAIT_MOST;
}

/* Requests are to have the other half. */
static bool may_come(const struct gw_shared *s, size_t most)
{
	return !s->n_coming || s->coming + most <= s->memory / 2;
}

static bool is_room(const struct gw_shared *s, size_t have, size_t most)
{
	return !s->n_coming || (may_come(s, most) && s->buffered - have + most <= s->memory);
}

static bool make_room(struct gw_connection *c)
{
	struct gw_shared *s = c->shared;
	struct gw_connection *other;

	while (may_come(s, c->away.wanted) &&
	       s->buffered - c->away.answer + c->away.wanted > s->memory) {
		other = greediest(s);
		if (!other || !makes_room(other, c))
			break;
		one_gives_way(s, other);
	}
	return is_room(s, c->away.answer, c->away.wanted);
}

static void allow(struct gw_connection *c, size_t most)
{
	struct gw_shared *s = c->shared;

	c->away.allowed = true;
	c->away.answer = most;
	s->coming += most;
	s->n_coming++;
	count(c);
}

static void let_next_come(struct gw_shared *s)
{
	struct gw_connection *c;

	while ((c = who_is_next(s)) && make_room(c)) {
		size_t most = c->away.wanted;

		c->away.wanted = 0;
		s->n_waiting--;
		allow(c, most);
		gw_backend_resume(c->away.call);
	}
}

void gw_buffer_budget_request_sent(struct gw_connection *c, struct gw_call *call)
{
	c->away.call = call;
	c->away.request = gw_backend_request_size(call);
	fmp_http_exit(&c->http);
	gw_buffer_budget_update(c);
}

bool gw_buffer_budget_reserve_reply(struct gw_connection *c, size_t have, size_t most)
{
	struct gw_shared *s = c->shared;

	/* Nobody comes before those that wait. */
	if (!s->n_waiting && is_room(s, 0, most)) {
		allow(c, most);
	} else {
		c->away.answer = have;
		c->away.wanted = most;
		s->n_waiting++;
		event_active(s->full, EV_TIMEOUT, 0);
	}
	gw_buffer_budget_update(c);
	return c->away.allowed;
}

static void set_answer(struct gw_connection *c, size_t bytes)
{
	if (c->away.allowed)
		c->shared->coming += bytes - c->away.answer;
	c->away.answer = bytes;
}

void gw_buffer_budget_reply_received(struct gw_connection *c, size_t answer)
{
	c->shared->n_waiting -= c->away.wanted != 0;
	c->away.call = NULL;
	c->away.request = c->away.wanted = 0;
	set_answer(c, answer);
	count(c);
}

void gw_buffer_budget_reply_forwarded(struct gw_connection *c)
{
	set_answer(c, 0);
	c->shared->n_coming -= c->away.allowed;
	c->away.allowed = false;
	count(c);
	/* What it holds need not have become less: its client has it to read now. */
	if (c->shared->n_waiting)
		event_active(c->shared->full, EV_TIMEOUT, 0);
}

/* ---- the limit ---- */

static void tell(struct gw_shared *s)
{
	uint64_t now = gw_clock_ns(CLOCK_BOOTTIME);

	if (s->told_ns && now - s->told_ns < TELL_NS)
		return;
	s->told_ns = now;
	fprintf(stderr, "fmp-gateway: memory=\"%zu\" is full: %llu connections have given way\n",
		s->memory, (unsigned long long)s->gave_way);
}

static void on_full(evutil_socket_t fd, short what, void *arg)
{
	struct gw_shared *s = arg;
	uint64_t before = s->gave_way;
	struct gw_connection *c;

	while (s->buffered > s->memory && (c = greediest(s)) && s->buffered > s->memory)
		one_gives_way(s, c);
	let_next_come(s);
	if (s->gave_way != before)
		tell(s);
}

bool gw_buffer_budget_init(struct gw_shared *s)
{
	s->full = event_new(s->base, -1, 0, on_full, s);
	return s->full;
}

void gw_buffer_budget_exit(struct gw_shared *s)
{
	if (s->full)
		event_free(s->full);
}
