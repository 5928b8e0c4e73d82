// SPDX-License-Identifier: GPL-2.0
#include "engine.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <fmp/internal/evtimer.h>

#include "clock.h"
#include "progress.h"

#define NS	       1000000000ull
#define CLOSE_WAIT_MS  500
#define ONE_SYN_MS     900 /* ends a connect before the kernel sends a second SYN */
#define PROBES_MAX     1024 /* connects of blocked sources at once */
#define STEADY_TICK_NS 20000000ull

static struct timeval timeval_of_ns(uint64_t ns)
{
	return (struct timeval){ .tv_sec = (time_t)(ns / NS),
				 .tv_usec = (suseconds_t)((ns % NS + 999) / 1000) };
}

static void stop_sending(struct flood_engine *e);

static int fill_request(struct flood_conn *c, void *ctx)
{
	struct flood_engine *e = ctx;
	int rc;

	c->kind = flood_scenario_next(&e->cfg->scenario);
	rc = flood_builder_build(e->builder, c->kind, (int64_t)time(NULL), &c->msg, &e->failure);
	if (rc)
		stop_sending(e);
	return rc;
}

static void count_good(struct flood_engine *e, uint64_t now)
{
	uint64_t second = (now - e->start_ns) / NS;

	if (second < e->seconds)
		e->good_in_second[second]++;
	if (!e->stopping && (double)(now - e->start_ns) / 1e9 >= e->cfg->warmup_s)
		e->stats.window_good++;
}

static void finish_if_drained(struct flood_engine *e)
{
	if (e->stopping && !e->conns.requests && !e->conns.probes)
		event_base_loopbreak(e->base);
}

static void on_request_done(struct flood_conn *c, enum flood_outcome o, void *ctx)
{
	struct flood_engine *e = ctx;
	uint64_t now = flood_now_ns();

	flood_stats_end(&e->stats, c->kind, o, c->sent_ns, now);
	flood_sources_end(&e->cfg->sources, c->source, o, c->sent_ns ? c->sent_ns : c->began_ns);
	if (flood_outcome_is_response(o))
		e->answers++;
	if (o == FLOOD_RESPONSE_GOOD)
		count_good(e, now);
	finish_if_drained(e);
}

/* Return: number of requests started. */
static uint32_t begin_requests(struct flood_engine *e, uint32_t n)
{
	uint32_t begun = 0;
	struct flood_config *cfg = e->cfg;
	uint32_t probes_max = cfg->steady_frames > 0 && cfg->connections < PROBES_MAX
				      ? PROBES_MAX
				      : cfg->connections;

	while (n--) {
		uint32_t at = flood_sources_next(&cfg->sources);
		bool probe = flood_block_is_blocked(&cfg->sources.list[at].block);
		bool room = probe ? e->conns.probes < probes_max
				  : e->conns.requests < cfg->connections;

		if (room && flood_conn_start(&e->conns, at, probe))
			begun++;
	}
	return begun;
}

static void on_tick(evutil_socket_t fd, short what, void *arg)
{
	struct flood_engine *e = arg;
	uint64_t now = flood_now_ns();
	uint32_t due = flood_pace_due(&e->pace, now);
	uint32_t allowed = due;
	uint64_t wait;
	struct timeval tv;

	if (e->steady) {
		bool all_blocked = e->cfg->sources.blocked == e->cfg->sources.n;

		allowed = flood_steady_allow(e->steady, now, e->conns.requests, e->answers, due,
					     all_blocked, &e->failure);
		if (e->failure.code) {
			stop_sending(e);
			return;
		}
	}
	due -= begin_requests(e, allowed);
	e->stats.held_back += due;
	flood_pace_give_back(&e->pace, due);
	wait = flood_pace_wait(&e->pace, now);
	if (wait == UINT64_MAX) {
		stop_sending(e);
		return;
	}
	if (e->steady && wait > STEADY_TICK_NS)
		wait = STEADY_TICK_NS;
	if (e->steady)
		flood_steady_fill(e->steady, now, e->conns.requests,
				  1 + (uint32_t)(e->cfg->rate * (double)wait / 1e9));
	tv = timeval_of_ns(wait);
	event_add(e->tick, &tv);
}

/* Start no more requests; the run ends when the last one is answered or times out. */
static void stop_sending(struct flood_engine *e)
{
	if (e->stopping)
		return;
	e->stopping = true;
	e->stop_ns = flood_now_ns();
	if (e->device.nl && flood_device_read(&e->device, &e->counts_end, NULL))
		e->counts_end = e->counts_start;
	event_del(e->tick);
	fmp_evtimer_arm(e->end, e->cfg->timeout_ms + 100);
	finish_if_drained(e);
}

static void on_end(evutil_socket_t fd, short what, void *arg)
{
	struct flood_engine *e = arg;

	if (e->stopping)
		event_base_loopbreak(e->base);
	else
		stop_sending(e);
}

static void on_signal(evutil_socket_t sig, short what, void *arg)
{
	struct flood_engine *e = arg;

	if (e->interrupted)
		event_base_loopbreak(e->base);
	e->interrupted = true;
	stop_sending(e);
}

static void on_second(evutil_socket_t fd, short what, void *arg)
{
	struct flood_engine *e = arg;

	flood_progress_line(e, flood_now_ns());
}

static int init_conns(struct flood_engine *e, struct fmp_error *err)
{
	struct flood_config *cfg = e->cfg;
	uint32_t connect_ms = cfg->timeout_ms;
	struct timeval tv;

	if (cfg->steady_frames > 0 && connect_ms > ONE_SYN_MS)
		connect_ms = ONE_SYN_MS;
	flood_conns_init(&e->conns);
	e->conns.base = e->base;
	e->conns.target = &cfg->target;
	e->conns.sources = &cfg->sources;
	e->conns.stats = &e->stats;
	e->conns.keepalive = cfg->keepalive;
	e->conns.fill = fill_request;
	e->conns.done = on_request_done;
	e->conns.ctx = e;
	tv = fmp_timeval_of_ms(connect_ms);
	e->conns.connect_tv = event_base_init_common_timeout(e->base, &tv);
	tv = fmp_timeval_of_ms(cfg->timeout_ms);
	e->conns.response_tv = event_base_init_common_timeout(e->base, &tv);
	tv = fmp_timeval_of_ms(CLOSE_WAIT_MS);
	e->conns.close_tv = event_base_init_common_timeout(e->base, &tv);
	if (!e->conns.connect_tv || !e->conns.response_tv || !e->conns.close_tv)
		return fmp_error_set(err, FMP_ERR_NOMEM, "no memory for timers");
	return 0;
}

static int init_events(struct flood_engine *e, struct fmp_error *err)
{
	e->base = event_base_new();
	if (!e->base)
		return fmp_error_set(err, FMP_ERR_NOMEM, "no memory for the event loop");
	e->tick = evtimer_new(e->base, on_tick, e);
	e->end = evtimer_new(e->base, on_end, e);
	e->second = event_new(e->base, -1, EV_PERSIST, on_second, e);
	e->signals[0] = evsignal_new(e->base, SIGINT, on_signal, e);
	e->signals[1] = evsignal_new(e->base, SIGTERM, on_signal, e);
	if (!e->tick || !e->end || !e->second || !e->signals[0] || !e->signals[1])
		return fmp_error_set(err, FMP_ERR_NOMEM, "no memory for the event loop");
	event_add(e->signals[0], NULL);
	event_add(e->signals[1], NULL);
	return init_conns(e, err);
}

int flood_engine_init(struct flood_engine *e, struct flood_config *cfg, struct fmp_error *err)
{
	int rc;

	memset(e, 0, sizeof(*e));
	e->cfg = cfg;
	flood_conns_init(&e->conns);
	rc = init_events(e, err);
	if (!rc)
		rc = flood_builder_new(&cfg->message, &e->builder, err);
	if (!rc && cfg->device)
		rc = flood_device_open(&e->device, cfg->device, err);
	if (!rc && cfg->steady_frames > 0)
		rc = flood_steady_new(e->base, &e->device, &cfg->target, &cfg->sources,
				      cfg->steady_frames, &e->steady, err);
	e->seconds = (uint32_t)(cfg->duration_s + 1 + cfg->timeout_ms / 1000.0 + 1);
	e->good_in_second = calloc(e->seconds, sizeof(*e->good_in_second));
	if (!rc && !e->good_in_second)
		rc = fmp_error_set(err, FMP_ERR_NOMEM, "no memory for %u seconds", e->seconds);
	if (rc)
		flood_engine_exit(e);
	return rc;
}

int flood_engine_run(struct flood_engine *e, struct fmp_error *err)
{
	struct timeval tv = { .tv_sec = 1 };
	int rc;

	e->start_ns = flood_now_ns();
	if (e->device.nl) {
		rc = flood_device_read(&e->device, &e->counts_start, err);
		if (rc)
			return rc;
	}
	if (e->steady) {
		rc = flood_steady_begin(e->steady, e->start_ns, err);
		if (rc)
			return rc;
	}
	flood_pace_init(&e->pace, e->cfg->rate, e->cfg->count, e->start_ns);
	if (e->cfg->progress)
		event_add(e->second, &tv);
	tv = timeval_of_ns((uint64_t)(e->cfg->duration_s * 1e9));
	event_add(e->end, &tv);
	event_active(e->tick, EV_TIMEOUT, 0);
	if (event_base_dispatch(e->base) < 0)
		return fmp_error_set(err, FMP_ERR_IO, "the event loop failed");
	if (!e->stopping)
		stop_sending(e);
	e->stats.window_ns = e->stop_ns - e->start_ns;
	if ((double)e->stats.window_ns / 1e9 > e->cfg->warmup_s)
		e->stats.window_ns -= (uint64_t)(e->cfg->warmup_s * 1e9);
	else
		e->stats.window_ns = 0;
	flood_progress_end(e);
	if (e->failure.code) {
		*err = e->failure;
		return (int)e->failure.code;
	}
	return 0;
}

static void free_event(struct event *ev)
{
	if (ev)
		event_free(ev);
}

void flood_engine_exit(struct flood_engine *e)
{
	flood_conns_exit(&e->conns);
	flood_steady_free(e->steady);
	flood_device_close(&e->device);
	flood_builder_free(e->builder);
	free_event(e->tick);
	free_event(e->end);
	free_event(e->second);
	free_event(e->signals[0]);
	free_event(e->signals[1]);
	if (e->base)
		event_base_free(e->base);
	free(e->good_in_second);
}
