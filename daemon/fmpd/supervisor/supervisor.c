// SPDX-License-Identifier: GPL-2.0
#include "supervisor_private.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <inttypes.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <event2/bufferevent.h>

#include <fmp/internal/crash_note.h>
#include <fmp/internal/evtimer.h>
#include <fmp/internal/socket_path.h>

#include "../common/clock.h"
#include "../common/listen.h"
#include "../common/log.h"
#include "../common/policy_file.h"

#define STEADY_MS    10000u /* a gateway that lived this long ends a series of crashes */
#define BACKOFF_MS   250u /* before the second restart in a series; doubles */
#define BACKOFF_MAX  30000u
#define STOP_MS	     5000u /* to finish its requests */
#define READY_MS     30000u /* to read policy, schema and keys */
#define DRAIN_MS     60000u /* to finish while the next gateway serves */
#define REPLACED_MAX 4u /* replaced gateways at once; beyond that the oldest must stop */

static void start_gateway(struct fmpd_supervisor *s);

static void notify_gateway(struct fmpd_supervisor *s, const char *what)
{
	struct fmpd_gateway_status st;

	if (!s->hooks.on_gateway)
		return;
	fmpd_supervisor_status(s, &st);
	s->hooks.on_gateway(s->hooks.ctx, &st, what);
}

static void kill_gateway(struct gateway_process *g)
{
	/* The group: workers too. The gateway may not have its own group yet. */
	if (kill(-g->pid, SIGKILL))
		kill(g->pid, SIGKILL);
}

static void send_stop(struct gateway_process *g, uint16_t type, uint64_t ms)
{
	g->stop_sent = true;
	supervisor_send_order(g, type);
	fmp_evtimer_arm(g->timer, ms);
}

/* A new gateway serves: those before it accept no more connections, and finish those that they have. */
static void drain_replaced(struct fmpd_supervisor *s)
{
	struct gateway_process *g;
	unsigned n = 0;

	LIST_FOREACH(g, &s->gateways, list)
	{
		if (!g->replaced)
			continue;
		if (++n > REPLACED_MAX)
			send_stop(g, FMP_MSG_GW_STOP, STOP_MS);
		else if (!g->stop_sent)
			send_stop(g, FMP_MSG_GW_DRAIN, DRAIN_MS);
	}
}

static void on_ready(struct gateway_process *g, uint64_t workers)
{
	struct fmpd_supervisor *s = g->s;

	g->ready = true;
	s->workers = workers;
	supervisor_send_shared_prefixes(g);
	event_del(g->timer);
	fmpd_log(FMPD_INFO, "gateway", "the gateway serves %s (pid %d, %llu workers)", s->listen,
		 (int)g->pid, (unsigned long long)workers);
	drain_replaced(s);
	notify_gateway(s, "ready");
}

/* ---- its life ---- */

static void free_gateway(struct gateway_process *g)
{
	if (g->events)
		bufferevent_free(g->events);
	if (g->logs)
		bufferevent_free(g->logs);
	if (g->timer)
		event_free(g->timer);
	fmp_spawn_note_free(g->crash_note);
	LIST_REMOVE(g, list);
	free(g);
}

static void log_exit(struct fmpd_supervisor *s, int status)
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

/* Signals that a process causes by itself; others are sent to end it, by us as well. */
static bool is_crash(int status)
{
	static const int own[] = { SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGSYS, SIGTRAP };

	for (size_t i = 0; WIFSIGNALED(status) && i < sizeof(own) / sizeof(*own); i++)
		if (WTERMSIG(status) == own[i])
			return true;
	return false;
}

/* Charge the source whose bytes the gateway was reading, as the gateway does itself when a worker dies. */
static void charge_crash(const struct gateway_process *g, int status)
{
	struct fmp_event ev = { .kind = FMP_EVENT_CRASH,
				.proven = true, /* its bytes came over a TCP connection */
				.time_ns = fmpd_now_ns(),
				.detail = "the gateway died over what it sent" };
	char text[FMP_ADDR_STRLEN];

	if (!is_crash(status) ||
	    !fmp_crash_note_read(g->crash_note, &ev.source, &ev.source_port, &ev.dest_port))
		return;
	fmpd_log(FMPD_ERROR, "gateway", "it died over what came from %s",
		 fmp_addr_format(&ev.source, text, sizeof(text)));
	fmpd_plane_event(g->s->plane, &ev);
	fmpd_plane_flush(g->s->plane);
}

/* The gateway that served died: start the next one, each time later if they keep dying. */
static void schedule_restart(struct fmpd_supervisor *s, uint64_t started_ms)
{
	uint64_t wait;

	if (fmpd_now_ms() - started_ms >= STEADY_MS)
		s->crashes = 0;
	s->restarts++;
	wait = s->crashes ? BACKOFF_MS << (s->crashes > 7 ? 7 : s->crashes - 1) : 0;
	s->crashes++;
	if (wait > BACKOFF_MAX)
		wait = BACKOFF_MAX;
	if (wait >= 1000)
		fmpd_log(FMPD_WARNING, "gateway", "the next gateway starts in %llu ms",
			 (unsigned long long)wait);
	fmp_evtimer_arm(s->timer, wait);
}

static void handle_exit(struct gateway_process *g, int status)
{
	struct fmpd_supervisor *s = g->s;
	bool current = g == s->current;
	uint64_t started_ms = g->started_ms;

	if (!g->stop_sent || !WIFEXITED(status) || WEXITSTATUS(status))
		log_exit(s, status);
	if (g->events)
		supervisor_read_rest(g);
	charge_crash(g, status);
	for (unsigned i = 0; i < GW_STATS; i++)
		if (i != 2) /* open connections ended with it */
			s->ended_stats[i] += g->stats[i];
	if (current)
		s->current = NULL;
	free_gateway(g);
	notify_gateway(s, current ? "ended" : "finished");
	if (s->stopping) {
		if (LIST_EMPTY(&s->gateways) && s->stopped)
			s->stopped(s->stopped_ctx);
	} else if (current) {
		schedule_restart(s, started_ms);
	}
}

static void on_sigchld(evutil_socket_t sig, short what, void *ctx)
{
	struct fmpd_supervisor *s = ctx;
	struct gateway_process *g, *next;
	int status;

	for (g = LIST_FIRST(&s->gateways); g; g = next) {
		siginfo_t info = { 0 };

		next = LIST_NEXT(g, list);
		if (waitid(P_PID, (id_t)g->pid, &info, WEXITED | WNOHANG | WNOWAIT) || !info.si_pid)
			continue;
		/* Kill workers that it left behind, before the kernel may reuse its pid. */
		kill_gateway(g);
		if (waitpid(g->pid, &status, 0) == g->pid)
			handle_exit(g, status);
	}
}

static void on_restart_timer(evutil_socket_t fd, short what, void *ctx)
{
	struct fmpd_supervisor *s = ctx;

	if (!s->current && !s->stopping)
		start_gateway(s);
}

static void on_deadline(evutil_socket_t fd, short what, void *ctx)
{
	struct gateway_process *g = ctx;

	fmpd_log(FMPD_ERROR, "gateway", "the gateway did not %s in time: it is killed",
		 g->stop_sent ? "finish" : "become ready");
	kill_gateway(g);
}

static void start_gateway(struct fmpd_supervisor *s)
{
	struct fmp_spawn how = { .program = s->program,
				 .policy_fd = s->policy_fd,
				 .backend = s->options->backend,
				 .replay_file = s->replay_file,
				 .names_file = s->names_file,
				 .listen_fd = s->listen_fd };
	struct gateway_process *g = calloc(1, sizeof(*g));
	struct fmp_gateway_process ends;
	struct fmp_error err = { 0 };

	if (g)
		g->timer = evtimer_new(s->base, on_deadline, g);
	if (!g || !g->timer || fmp_spawn_gateway(&how, &ends, &err)) {
		fmpd_log_error(FMPD_ERROR, "gateway", "no gateway", &err);
		if (g && g->timer)
			event_free(g->timer);
		free(g);
		s->crashes++;
		fmp_evtimer_arm(s->timer, BACKOFF_MAX);
		return;
	}
	g->s = s;
	g->pid = ends.pid;
	g->crash_note = ends.note;
	g->started_ms = fmpd_now_ms();
	LIST_INSERT_HEAD(&s->gateways, g, list);
	s->current = g;
	if (supervisor_open_channel(g, &ends)) {
		kill_gateway(g);
		return;
	}
	fmp_evtimer_arm(g->timer, READY_MS);
}

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

int fmpd_supervisor_check(struct fmpd_supervisor *s, const struct fmp_policy *policy,
			  struct fmp_error *err)
{
	struct fmp_spawn how = { .program = s->program,
				 .backend = s->options->backend,
				 .replay_file = s->replay_file,
				 .listen_fd = s->listen_fd };

	close_fd(&s->candidate_fd);
	s->candidate_fd = fmpd_policy_seal(policy, err);
	if (s->candidate_fd < 0)
		return s->candidate_fd;
	how.policy_fd = s->candidate_fd;
	return fmp_spawn_check(&how, err);
}

int fmpd_supervisor_reopen(struct fmpd_supervisor *s, struct fmp_error *err)
{
	struct fmp_spawn how = { .program = s->program,
				 .backend = s->options->backend,
				 .replay_file = s->replay_file,
				 .policy_fd = s->policy_fd,
				 .listen_fd = s->listen_fd };
	int rc = fmp_spawn_check(&how, err);

	if (rc)
		return rc;
	close_fd(&s->candidate_fd);
	s->candidate_fd = fcntl(s->policy_fd, F_DUPFD_CLOEXEC, 0);
	if (s->candidate_fd < 0)
		return fmp_error_sys(err, FMP_ERR_IO, errno, "no descriptor for the policy");
	fmpd_supervisor_policy(s);
	return 0;
}

void fmpd_supervisor_policy(struct fmpd_supervisor *s)
{
	struct gateway_process *old = s->current;

	close_fd(&s->policy_fd);
	s->policy_fd = s->candidate_fd;
	s->candidate_fd = -1;
	if (s->stopping)
		return;
	if (old) {
		/* It serves until the next one is ready; one that is not ready yet has nothing to finish. */
		old->replaced = true;
		event_del(old->timer);
		if (!old->ready)
			send_stop(old, FMP_MSG_GW_STOP, STOP_MS);
		s->current = NULL;
	}
	/* The cause of earlier crashes may be gone with the old policy. */
	event_del(s->timer);
	s->crashes = 0;
	start_gateway(s);
}

void fmpd_supervisor_stop(struct fmpd_supervisor *s, void (*done)(void *ctx), void *ctx)
{
	struct gateway_process *g;

	s->stopping = true;
	s->stopped = done;
	s->stopped_ctx = ctx;
	event_del(s->timer);
	if (LIST_EMPTY(&s->gateways)) {
		done(ctx);
		return;
	}
	LIST_FOREACH(g, &s->gateways, list)
	send_stop(g, FMP_MSG_GW_STOP, STOP_MS);
}

void fmpd_supervisor_status(const struct fmpd_supervisor *s, struct fmpd_gateway_status *st)
{
	const struct gateway_process *g = s->current;
	uint64_t sum[GW_STATS];

	memcpy(sum, s->ended_stats, sizeof(sum));
	*st = (struct fmpd_gateway_status){
		.running = g != NULL,
		.ready = g && g->ready,
		.clock_unset = g && g->clock_unset,
		.pid = g ? (uint64_t)g->pid : 0,
		.restarts = s->restarts,
		.events_refused = s->events_refused,
		.workers = s->workers,
		.up_since_ms = g ? g->started_ms : 0,
		.listen = s->listen,
	};
	LIST_FOREACH(g, &s->gateways, list)
	for (unsigned i = 0; i < GW_STATS; i++)
		sum[i] += g->stats[i];
	st->accepted = sum[0];
	st->rejected = sum[1];
	st->connections = sum[2];
	st->lost = sum[3];
	st->unjudged_time = sum[4];
	st->unjudged_lists = sum[5];
	st->unjudged_tries = sum[6 + 3 * FMP_STEPS];
	for (unsigned step = 0; step < FMP_STEPS; step++) {
		st->step_messages[step] = sum[6 + 3 * step];
		st->step_rejected[step] = sum[7 + 3 * step];
		st->step_cpu_ns[step] = sum[8 + 3 * step];
	}
}

/* ---- beginning and end ---- */

static bool is_private_dir(const char *dir)
{
	struct stat st;

	if (mkdir(dir, 0755) && errno != EEXIST)
		return false;
	return !lstat(dir, &st) && S_ISDIR(st.st_mode) && st.st_uid == geteuid() &&
	       !(st.st_mode & (S_IWGRP | S_IWOTH));
}

/* musl knows it not; the number is that of all machines but SPARC and PA-RISC. */
#ifndef SO_NETNS_COOKIE
#define SO_NETNS_COOKIE 71
#endif

/* Unlike an inode number, a cookie is never reused while the system runs. Return: 0: not known. */
static uint64_t read_netns_cookie(void)
{
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	uint64_t cookie = 0;
	socklen_t len = sizeof(cookie);

	if (fd >= 0 && getsockopt(fd, SOL_SOCKET, SO_NETNS_COOKIE, &cookie, &len))
		cookie = 0;
	if (fd >= 0)
		close(fd);
	return cookie;
}

/*
 * Only one fmpd enforces in a network namespace, so its replay keys belong to the namespace: a replayed message is found
 * even after a restart with another control socket.
 */
static void find_replay_file(const struct fmpd_options *o, const char *control, char *buf,
			     size_t size)
{
	const char *dir = getenv("RUNTIME_DIRECTORY");
	uint64_t cookie = o->layers ? read_netns_cookie() : 0;
	char first[96];

	if (!dir || *dir != '/')
		dir = "/run/fmp";
	snprintf(first, sizeof(first), "%.*s", (int)strcspn(dir, ":"), dir);
	if (cookie && !geteuid() && is_private_dir(first))
		snprintf(buf, size, "%s/replays-%" PRIx64, first, cookie);
	else
		fmp_beside_path(control, "replays", buf, size);
}

int fmpd_supervisor_new(const struct fmpd_options *o, const char *control,
			struct fmpd_supervisor **out, struct fmp_error *err)
{
	struct fmpd_supervisor *s = calloc(1, sizeof(*s));
	int rc;

	if (!s)
		return fmp_error_set(err, FMP_ERR_NOMEM, "no memory");
	s->options = o;
	s->policy_fd = s->candidate_fd = -1;
	find_replay_file(o, control, s->replay_file, sizeof(s->replay_file));
	fmp_beside_path(control, "names", s->names_file, sizeof(s->names_file));
	fmp_spawn_find("fmp-gateway", o->gateway, s->program, sizeof(s->program));
	rc = fmpd_listen(o, &s->listen_fd, s->listen, sizeof(s->listen), err);
	if (rc) {
		free(s);
		return rc;
	}
	*out = s;
	return 0;
}

static const struct channel_hooks channel_hooks = {
	.on_ready = on_ready,
	.on_broken = kill_gateway,
};

int fmpd_supervisor_run(struct fmpd_supervisor *s, struct event_base *base,
			struct fmpd_plane *plane, const struct fmp_policy *policy,
			const struct fmpd_supervisor_hooks *hooks, struct fmp_error *err)
{
	s->base = base;
	s->plane = plane;
	s->hooks = *hooks;
	s->channel_hooks = &channel_hooks;
	s->policy_fd = fmpd_policy_seal(policy, err);
	if (s->policy_fd < 0)
		return s->policy_fd;
	s->sigchld = evsignal_new(base, SIGCHLD, on_sigchld, s);
	s->timer = evtimer_new(base, on_restart_timer, s);
	if (!s->sigchld || !s->timer || event_add(s->sigchld, NULL))
		return fmp_error_set(err, FMP_ERR_NOMEM, "no memory for an event");
	start_gateway(s);
	return 0;
}

void fmpd_supervisor_free(struct fmpd_supervisor *s)
{
	struct gateway_process *g;

	if (!s)
		return;
	while ((g = LIST_FIRST(&s->gateways))) {
		kill_gateway(g);
		free_gateway(g);
	}
	if (s->sigchld)
		event_free(s->sigchld);
	if (s->timer)
		event_free(s->timer);
	close_fd(&s->candidate_fd);
	close_fd(&s->policy_fd);
	close(s->listen_fd);
	free(s);
}
