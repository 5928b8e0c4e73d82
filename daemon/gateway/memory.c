// SPDX-License-Identifier: GPL-2.0
#include "memory.h"

#include <stdio.h>

#include <event2/event.h>

#include "connection_private.h"

/* To close a connection for less gains nothing; and a refusal has to get out. */
#define WORTH_BYTES 4096u
#define TELL_NS	    (60 * 1000000000ull)

static void count(struct gw_connection *c)
{
	size_t now =
		c->http.body_cap + c->remote.len + (c->stream ? gw_stream_waiting(c->stream) : 0);

	c->shared->buffered += now - c->held;
	gw_crowd_hold(c->of, c->held, now);
	c->held = now;
}

void gw_memory_count(struct gw_connection *c)
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
		!gw_job_is_judged(&c->task.job));
}

static bool holds_more(const struct gw_connection *a, const struct gw_connection *b)
{
	size_t of_a = gw_crowd_held(a->of), of_b = gw_crowd_held(b->of);

	return of_a != of_b ? of_a > of_b : a->held > b->held;
}

/* Return: NULL: there is room, or none of them can go. */
static struct gw_connection *who_goes(struct gw_shared *s)
{
	struct gw_connection *c, *most = NULL;

	/* What was sent meanwhile is not held any more. */
	TAILQ_FOREACH(c, &s->open, list)
	count(c);
	if (s->buffered <= s->memory)
		return NULL;
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
	gw_answer_refusal(c, FMP_EVENT_GOOD, 503, false, "");
}

static void on_full(evutil_socket_t fd, short what, void *arg)
{
	struct gw_shared *s = arg;
	uint64_t before = s->gave_way, now = gw_clock_ns(CLOCK_BOOTTIME);
	struct gw_connection *c;

	for (; (c = who_goes(s)); s->gave_way++)
		give_way(c);
	if (s->gave_way == before || (s->told_ns && now - s->told_ns < TELL_NS))
		return;
	s->told_ns = now;
	fprintf(stderr, "fmp-gateway: memory=\"%zu\" is full: %llu connections have given way\n",
		s->memory, (unsigned long long)s->gave_way);
}

bool gw_memory_begin(struct gw_shared *s)
{
	s->full = event_new(s->base, -1, 0, on_full, s);
	return s->full;
}

void gw_memory_end(struct gw_shared *s)
{
	if (s->full)
		event_free(s->full);
}
