// SPDX-License-Identifier: GPL-2.0
#include "supervisor.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <event2/buffer.h>
#include <event2/bufferevent.h>

#include <report/text.h>

#include "clock.h"
#include "listen.h"
#include "log.h"
#include "spawn.h"

#define STEADY_MS    10000u /* a gateway that lived this long does not crash in a loop */
#define BACKOFF_MS   250u /* before the second restart of a loop; doubles */
#define BACKOFF_MAX  30000u
#define STOP_MS	     5000u /* to finish what it works on */
#define READY_MS     30000u /* to read policy, schema and keys */
#define CUTS_MAX     65536u /* bytes of requests that wait for a gateway that does not read */
#define LOG_LINE_MAX 1000u

struct fmpd_supervisor {
	const struct fmpd_options *options;
	struct fmpd_plane *plane;
	struct event_base *base;
	struct fmpd_supervisor_hooks hooks;
	char program[512], policy[256];
	char listen[80]; /* the address that was bound: port 0 became a real one */
	int listen_fd;

	struct bufferevent *events, *logs;
	struct event *child_died, *timer;
	pid_t pid; /* 0: none runs */
	bool ready, stopping;
	bool renewing; /* it was told to finish, for a new policy */
	uint64_t started_ms, restarts, workers;
	unsigned crashes; /* in a row */
	uint64_t now[4], before[4]; /* GW_STATS of this gateway, and the sum of those before */
	void (*stopped)(void *ctx);
	void *stopped_ctx;
};

static void start(struct fmpd_supervisor *s);

static void tell(struct fmpd_supervisor *s, const char *what)
{
	struct fmpd_gateway_status st;

	if (!s->hooks.on_gateway)
		return;
	fmpd_supervisor_status(s, &st);
	s->hooks.on_gateway(s->hooks.ctx, &st, what);
}

static void arm(struct fmpd_supervisor *s, uint64_t ms)
{
	struct timeval tv = { (time_t)(ms / 1000), (suseconds_t)(ms % 1000) * 1000 };

	event_add(s->timer, &tv);
}

static void kill_gateway(struct fmpd_supervisor *s)
{
	if (!s->pid)
		return;
	/* The group: workers too. The gateway may not have its own group yet. */
	if (kill(-s->pid, SIGKILL))
		kill(s->pid, SIGKILL);
}

/* ---- what it says ---- */

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

static int on_ready(struct fmpd_supervisor *s, struct fmp_wire_in *in)
{
	uint64_t v[2] = { 0 };
	int rc = get_numbers(in, v, 2);

	if (rc)
		return rc;
	s->ready = true;
	s->workers = v[1];
	event_del(s->timer);
	fmpd_log(FMPD_INFO, "gateway", "the gateway serves %s (pid %d, %llu workers)", s->listen,
		 (int)s->pid, (unsigned long long)v[1]);
	tell(s, "ready");
	return 0;
}

static int on_message(struct fmpd_supervisor *s, struct fmp_wire_in *in)
{
	struct fmp_event ev;
	uint64_t v[4];
	int rc;

	switch (in->type) {
	case FMP_MSG_EVENT:
		rc = fmp_event_decode(in, &ev);
		if (!rc)
			fmpd_plane_event(s->plane, &ev);
		return rc;
	case FMP_MSG_GW_READY:
		return on_ready(s, in);
	case FMP_MSG_GW_STATS:
		memcpy(v, s->now, sizeof(v));
		rc = get_numbers(in, v, 4);
		if (!rc)
			memcpy(s->now, v, sizeof(v));
		return rc;
	default:
		return FMP_ERR_SYNTAX;
	}
}

/* Whole messages out of the buffer. Return: FMP_ERR_AGAIN, or why the rest can't be taken. */
static int take_messages(struct fmpd_supervisor *s, struct evbuffer *in)
{
	struct fmp_wire_in msg;
	size_t used;
	int rc;

	for (;;) {
		size_t len = evbuffer_get_length(in);

		rc = fmp_wire_parse(evbuffer_pullup(in, -1), len, FMP_WIRE_MAX, &msg, &used);
		if (!rc)
			rc = on_message(s, &msg);
		if (rc)
			break;
		evbuffer_drain(in, used);
	}
	/* What was decided so far holds, whatever came behind it. */
	fmpd_plane_flush(s->plane);
	return rc;
}

static void on_events(struct bufferevent *bev, void *ctx)
{
	struct fmpd_supervisor *s = ctx;

	if (take_messages(s, bufferevent_get_input(bev)) == FMP_ERR_AGAIN)
		return;
	fmpd_log(FMPD_ERROR, "gateway", "the gateway sent what does not decode: it is replaced");
	bufferevent_disable(bev, EV_READ | EV_WRITE);
	kill_gateway(s);
}

static void on_events_end(struct bufferevent *bev, short what, void *ctx)
{
	struct fmpd_supervisor *s = ctx;

	/* Closed by a gateway that ends, or that is broken: it is over either way. */
	bufferevent_disable(bev, EV_READ | EV_WRITE);
	if (!s->stopping && !s->renewing)
		kill_gateway(s);
}

static void on_logs(struct bufferevent *bev, void *ctx)
{
	struct evbuffer *in = bufferevent_get_input(bev);
	char *line, rest[LOG_LINE_MAX + 1];

	while ((line = evbuffer_readln(in, NULL, EVBUFFER_EOL_LF))) {
		fmpi_text_clean(line);
		fmpd_log(FMPD_INFO, "gateway", "%s", line);
		free(line);
	}
	if (evbuffer_get_length(in) >= LOG_LINE_MAX) {
		evbuffer_remove(in, rest, LOG_LINE_MAX);
		rest[LOG_LINE_MAX] = '\0';
		rest[strnlen(rest, LOG_LINE_MAX)] = '\0';
		fmpi_text_clean(rest);
		fmpd_log(FMPD_INFO, "gateway", "%s", rest);
	}
}

static void on_logs_end(struct bufferevent *bev, short what, void *ctx)
{
	bufferevent_disable(bev, EV_READ);
}

/* ---- its life ---- */

/* What a dead gateway had still written counts: it may tell what killed it. */
static void last_words(struct fmpd_supervisor *s)
{
	struct evbuffer *rest = evbuffer_new();

	if (!rest)
		return;
	evbuffer_add_buffer(rest, bufferevent_get_input(s->events));
	while (evbuffer_read(rest, bufferevent_getfd(s->events), FMP_WIRE_MAX) > 0)
		if (take_messages(s, rest) != FMP_ERR_AGAIN)
			break;
	evbuffer_free(rest);
}

static void drop_channels(struct fmpd_supervisor *s)
{
	if (s->events) {
		last_words(s);
		bufferevent_free(s->events);
	}
	if (s->logs)
		bufferevent_free(s->logs);
	s->events = s->logs = NULL;
}

static void say_death(struct fmpd_supervisor *s, int status)
{
	if (WIFSIGNALED(status))
		fmpd_log(FMPD_ERROR, "gateway", "the gateway died of signal %d (%s)",
			 WTERMSIG(status), strsignal(WTERMSIG(status)));
	else if (WEXITSTATUS(status) == 127)
		fmpd_log(FMPD_ERROR, "gateway", "%s can't be run", s->program);
	else
		fmpd_log(WEXITSTATUS(status) ? FMPD_ERROR : FMPD_INFO, "gateway",
			 "the gateway ended with %d", WEXITSTATUS(status));
}

static void gone(struct fmpd_supervisor *s, int status)
{
	bool asked = s->renewing || s->stopping;
	uint64_t wait;

	if (!asked || !WIFEXITED(status) || WEXITSTATUS(status))
		say_death(s, status);
	s->pid = 0;
	s->ready = s->renewing = false;
	drop_channels(s);
	for (unsigned i = 0; i < 4; i++) {
		if (i != 2) /* connections open are over */
			s->before[i] += s->now[i];
		s->now[i] = 0;
	}
	tell(s, "ended");
	if (s->stopping) {
		event_del(s->timer);
		if (s->stopped)
			s->stopped(s->stopped_ctx);
		return;
	}
	if (asked || fmpd_now_ms() - s->started_ms >= STEADY_MS)
		s->crashes = 0;
	s->restarts++;
	wait = s->crashes ? BACKOFF_MS << (s->crashes > 7 ? 7 : s->crashes - 1) : 0;
	s->crashes++;
	if (wait > BACKOFF_MAX)
		wait = BACKOFF_MAX;
	if (wait >= 1000)
		fmpd_log(FMPD_WARNING, "gateway", "the next gateway starts in %llu ms",
			 (unsigned long long)wait);
	arm(s, wait);
}

static void on_child(evutil_socket_t sig, short what, void *ctx)
{
	struct fmpd_supervisor *s = ctx;
	siginfo_t info = { 0 };
	int status;

	if (!s->pid || waitid(P_PID, (id_t)s->pid, &info, WEXITED | WNOHANG | WNOWAIT) ||
	    !info.si_pid)
		return;
	/* Workers that it left behind; before its number may become another process's. */
	kill_gateway(s);
	if (waitpid(s->pid, &status, 0) == s->pid)
		gone(s, status);
}

static void on_timer(evutil_socket_t fd, short what, void *ctx)
{
	struct fmpd_supervisor *s = ctx;

	if (!s->pid && !s->stopping) {
		start(s);
		return;
	}
	fmpd_log(FMPD_ERROR, "gateway", "the gateway did not %s in time: it is killed",
		 s->stopping || s->renewing ? "finish" : "become ready");
	kill_gateway(s);
}

static int open_channels(struct fmpd_supervisor *s, const struct fmpd_child *c)
{
	s->events = bufferevent_socket_new(s->base, c->event_fd, BEV_OPT_CLOSE_ON_FREE);
	s->logs = bufferevent_socket_new(s->base, c->log_fd, BEV_OPT_CLOSE_ON_FREE);
	if (!s->events)
		close(c->event_fd);
	if (!s->logs)
		close(c->log_fd);
	if (!s->events || !s->logs)
		return FMP_ERR_NOMEM;
	bufferevent_setcb(s->events, on_events, NULL, on_events_end, s);
	bufferevent_setwatermark(s->events, EV_READ, 0, FMP_WIRE_MAX + 4);
	bufferevent_enable(s->events, EV_READ | EV_WRITE);
	bufferevent_setcb(s->logs, on_logs, NULL, on_logs_end, s);
	bufferevent_setwatermark(s->logs, EV_READ, 0, 4 * LOG_LINE_MAX);
	bufferevent_enable(s->logs, EV_READ);
	return 0;
}

static void start(struct fmpd_supervisor *s)
{
	struct fmpd_spawn how = { .program = s->program,
				  .policy = s->policy,
				  .backend = s->options->backend,
				  .listen_fd = s->listen_fd };
	struct fmpd_child child;
	struct fmp_error err;

	if (fmpd_spawn_gateway(&how, &child, &err)) {
		fmpd_log_error(FMPD_ERROR, "gateway", "no gateway", &err);
		s->crashes++;
		arm(s, BACKOFF_MAX);
		return;
	}
	s->pid = child.pid;
	s->started_ms = fmpd_now_ms();
	if (open_channels(s, &child)) {
		kill_gateway(s);
		return;
	}
	arm(s, READY_MS);
}

static void say(struct fmpd_supervisor *s, uint16_t type, const struct fmp_addr *addr)
{
	struct fmp_wire_out w;
	uint8_t buf[64];

	if (!s->events)
		return;
	fmp_wire_begin(&w, buf, sizeof(buf), type);
	if (addr)
		fmp_wire_put_addr(&w, 1, addr);
	if (!fmp_wire_end(&w))
		bufferevent_write(s->events, buf, w.len);
}

void fmpd_supervisor_cut(struct fmpd_supervisor *s, const struct fmp_addr *source)
{
	/* Its frames are dropped already; to close early only saves the gateway's memory. */
	if (s->events && evbuffer_get_length(bufferevent_get_output(s->events)) < CUTS_MAX)
		say(s, FMP_MSG_GW_CUT, source);
}

void fmpd_supervisor_policy(struct fmpd_supervisor *s, const char *policy)
{
	snprintf(s->policy, sizeof(s->policy), "%s", policy);
	if (!s->pid || s->stopping)
		return;
	s->renewing = true;
	say(s, FMP_MSG_GW_STOP, NULL);
	arm(s, STOP_MS);
}

void fmpd_supervisor_stop(struct fmpd_supervisor *s, void (*done)(void *ctx), void *ctx)
{
	s->stopping = true;
	s->stopped = done;
	s->stopped_ctx = ctx;
	if (!s->pid) {
		event_del(s->timer);
		done(ctx);
		return;
	}
	say(s, FMP_MSG_GW_STOP, NULL);
	arm(s, STOP_MS);
}

void fmpd_supervisor_status(const struct fmpd_supervisor *s, struct fmpd_gateway_status *st)
{
	*st = (struct fmpd_gateway_status){
		.running = s->pid != 0,
		.ready = s->ready,
		.pid = (uint64_t)s->pid,
		.restarts = s->restarts,
		.workers = s->workers,
		.up_since_ms = s->started_ms,
		.listen = s->listen,
		.accepted = s->before[0] + s->now[0],
		.rejected = s->before[1] + s->now[1],
		.connections = s->now[2],
		.lost = s->before[3] + s->now[3],
	};
}

/* ---- beginning and end ---- */

int fmpd_supervisor_new(const struct fmpd_options *o, struct fmpd_supervisor **out,
			struct fmp_error *err)
{
	struct fmpd_supervisor *s = calloc(1, sizeof(*s));
	int rc;

	if (!s)
		return fmp_error_set(err, FMP_ERR_NOMEM, "no memory");
	s->options = o;
	fmpd_spawn_find(o->gateway, s->program, sizeof(s->program));
	rc = fmpd_listen(o, &s->listen_fd, s->listen, sizeof(s->listen), err);
	if (rc) {
		free(s);
		return rc;
	}
	*out = s;
	return 0;
}

int fmpd_supervisor_run(struct fmpd_supervisor *s, struct event_base *base,
			struct fmpd_plane *plane, const char *policy,
			const struct fmpd_supervisor_hooks *hooks, struct fmp_error *err)
{
	s->base = base;
	s->plane = plane;
	s->hooks = *hooks;
	snprintf(s->policy, sizeof(s->policy), "%s", policy);
	s->child_died = evsignal_new(base, SIGCHLD, on_child, s);
	s->timer = evtimer_new(base, on_timer, s);
	if (!s->child_died || !s->timer || event_add(s->child_died, NULL))
		return fmp_error_set(err, FMP_ERR_NOMEM, "no memory for an event");
	start(s);
	return 0;
}

void fmpd_supervisor_free(struct fmpd_supervisor *s)
{
	if (!s)
		return;
	kill_gateway(s);
	if (s->events)
		bufferevent_free(s->events);
	if (s->logs)
		bufferevent_free(s->logs);
	if (s->child_died)
		event_free(s->child_died);
	if (s->timer)
		event_free(s->timer);
	close(s->listen_fd);
	free(s);
}
