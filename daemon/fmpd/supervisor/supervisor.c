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
#include <fmp/internal/socket_path.h>

#include "../common/clock.h"
#include "../common/listen.h"
#include "../common/log.h"
#include "../common/policy_file.h"

#define STEADY_MS   10000u /* a gateway that lived this long does not crash in a loop */
#define BACKOFF_MS  250u /* before the second restart of a loop; doubles */
#define BACKOFF_MAX 30000u
#define STOP_MS	    5000u /* to finish what it works on */
#define READY_MS    30000u /* to read policy, schema and keys */
#define DRAIN_MS    60000u /* for those that finish beside the one that serves */
#define LEAVING_MAX 4u /* that finish at once; of more the oldest are hurried */

static void start(struct fmpd_supervisor *s);

static void tell(struct fmpd_supervisor *s, const char *what)
{
	struct fmpd_gateway_status st;

	if (!s->hooks.on_gateway)
		return;
	fmpd_supervisor_status(s, &st);
	s->hooks.on_gateway(s->hooks.ctx, &st, what);
}

static void arm(struct event *timer, uint64_t ms)
{
	struct timeval tv = { (time_t)(ms / 1000), (suseconds_t)(ms % 1000) * 1000 };

	event_add(timer, &tv);
}

void supervisor_kill(struct child *c)
{
	/* The group: workers too. The gateway may not have its own group yet. */
	if (kill(-c->pid, SIGKILL))
		kill(c->pid, SIGKILL);
}

static void tell_to(struct child *c, uint16_t type, uint64_t ms)
{
	c->told = true;
	supervisor_say(c, type);
	arm(c->timer, ms);
}

/* A new one serves: those before it take no more connections and finish what they have. */
static void let_go(struct fmpd_supervisor *s)
{
	struct child *c;
	unsigned n = 0;

	LIST_FOREACH(c, &s->children, list)
	{
		if (!c->leaving)
			continue;
		if (++n > LEAVING_MAX)
			tell_to(c, FMP_MSG_GW_STOP, STOP_MS);
		else if (!c->told)
			tell_to(c, FMP_MSG_GW_DRAIN, DRAIN_MS);
	}
}

void supervisor_ready(struct child *c, uint64_t workers)
{
	struct fmpd_supervisor *s = c->s;

	c->ready = true;
	s->workers = workers;
	supervisor_tell_shared(c);
	event_del(c->timer);
	fmpd_log(FMPD_INFO, "gateway", "the gateway serves %s (pid %d, %llu workers)", s->listen,
		 (int)c->pid, (unsigned long long)workers);
	let_go(s);
	tell(s, "ready");
}

/* ---- its life ---- */

static void free_child(struct child *c)
{
	if (c->events)
		bufferevent_free(c->events);
	if (c->logs)
		bufferevent_free(c->logs);
	if (c->timer)
		event_free(c->timer);
	fmp_spawn_note_free(c->note);
	LIST_REMOVE(c, list);
	free(c);
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

/* What a process does to itself; others are sent by who wants it to end, us too. */
static bool is_crash(int status)
{
	static const int own[] = { SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGSYS, SIGTRAP };

	for (size_t i = 0; WIFSIGNALED(status) && i < sizeof(own) / sizeof(*own); i++)
		if (WTERMSIG(status) == own[i])
			return true;
	return false;
}

/* As if it could have told of it still, like of a worker that died. */
static void charge(const struct child *c, int status)
{
	struct fmp_event ev = { .kind = FMP_EVENT_CRASH,
				.proven = true, /* its bytes were read: of a TCP connection */
				.time_ns = fmpd_now_ns(),
				.detail = "the gateway died over what it sent" };
	char text[FMP_ADDR_STRLEN];

	if (!is_crash(status) ||
	    !fmp_crash_note_read(c->note, &ev.source, &ev.source_port, &ev.dest_port))
		return;
	fmpd_log(FMPD_ERROR, "gateway", "it died over what came from %s",
		 fmp_addr_format(&ev.source, text, sizeof(text)));
	fmpd_plane_event(c->s->plane, &ev);
	fmpd_plane_flush(c->s->plane);
}

/* The one that serves died: the next one starts, ever later if they go on dying. */
static void start_again(struct fmpd_supervisor *s, uint64_t started_ms)
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
	arm(s->timer, wait);
}

static void gone(struct child *c, int status)
{
	struct fmpd_supervisor *s = c->s;
	bool current = c == s->current;
	uint64_t started_ms = c->started_ms;

	if (!c->told || !WIFEXITED(status) || WEXITSTATUS(status))
		say_death(s, status);
	if (c->events)
		supervisor_last_words(c);
	charge(c, status);
	for (unsigned i = 0; i < GW_STATS; i++)
		if (i != 2) /* connections open are over */
			s->before[i] += c->now[i];
	if (current)
		s->current = NULL;
	free_child(c);
	tell(s, current ? "ended" : "finished");
	if (s->stopping) {
		if (LIST_EMPTY(&s->children) && s->stopped)
			s->stopped(s->stopped_ctx);
	} else if (current) {
		start_again(s, started_ms);
	}
}

static void on_child(evutil_socket_t sig, short what, void *ctx)
{
	struct fmpd_supervisor *s = ctx;
	struct child *c, *next;
	int status;

	for (c = LIST_FIRST(&s->children); c; c = next) {
		siginfo_t info = { 0 };

		next = LIST_NEXT(c, list);
		if (waitid(P_PID, (id_t)c->pid, &info, WEXITED | WNOHANG | WNOWAIT) || !info.si_pid)
			continue;
		/* Workers that it left behind; before its number may become another process's. */
		supervisor_kill(c);
		if (waitpid(c->pid, &status, 0) == c->pid)
			gone(c, status);
	}
}

static void on_timer(evutil_socket_t fd, short what, void *ctx)
{
	struct fmpd_supervisor *s = ctx;

	if (!s->current && !s->stopping)
		start(s);
}

static void on_deadline(evutil_socket_t fd, short what, void *ctx)
{
	struct child *c = ctx;

	fmpd_log(FMPD_ERROR, "gateway", "the gateway did not %s in time: it is killed",
		 c->told ? "finish" : "become ready");
	supervisor_kill(c);
}

static void start(struct fmpd_supervisor *s)
{
	struct fmp_spawn how = { .program = s->program,
				 .policy_fd = s->policy_fd,
				 .backend = s->options->backend,
				 .replay_file = s->replay_file,
				 .names_file = s->names_file,
				 .listen_fd = s->listen_fd };
	struct child *c = calloc(1, sizeof(*c));
	struct fmp_gateway_process ends;
	struct fmp_error err = { 0 };

	if (c)
		c->timer = evtimer_new(s->base, on_deadline, c);
	if (!c || !c->timer || fmp_spawn_gateway(&how, &ends, &err)) {
		fmpd_log_error(FMPD_ERROR, "gateway", "no gateway", &err);
		if (c && c->timer)
			event_free(c->timer);
		free(c);
		s->crashes++;
		arm(s->timer, BACKOFF_MAX);
		return;
	}
	c->s = s;
	c->pid = ends.pid;
	c->note = ends.note;
	c->started_ms = fmpd_now_ms();
	LIST_INSERT_HEAD(&s->children, c, list);
	s->current = c;
	if (supervisor_listen(c, &ends)) {
		supervisor_kill(c);
		return;
	}
	arm(c->timer, READY_MS);
}

static void drop(int *fd)
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

	drop(&s->candidate_fd);
	s->candidate_fd = fmp_policy_seal(policy, err);
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
	drop(&s->candidate_fd);
	s->candidate_fd = fcntl(s->policy_fd, F_DUPFD_CLOEXEC, 0);
	if (s->candidate_fd < 0)
		return fmp_error_sys(err, FMP_ERR_IO, errno, "no descriptor for the policy");
	fmpd_supervisor_policy(s);
	return 0;
}

void fmpd_supervisor_policy(struct fmpd_supervisor *s)
{
	struct child *old = s->current;

	drop(&s->policy_fd);
	s->policy_fd = s->candidate_fd;
	s->candidate_fd = -1;
	if (s->stopping)
		return;
	if (old) {
		/* It serves until the next one does; one that is not ready yet has nothing to finish. */
		old->leaving = true;
		event_del(old->timer);
		if (!old->ready)
			tell_to(old, FMP_MSG_GW_STOP, STOP_MS);
		s->current = NULL;
	}
	/* Why the last one did not start may be over. */
	event_del(s->timer);
	s->crashes = 0;
	start(s);
}

void fmpd_supervisor_stop(struct fmpd_supervisor *s, void (*done)(void *ctx), void *ctx)
{
	struct child *c;

	s->stopping = true;
	s->stopped = done;
	s->stopped_ctx = ctx;
	event_del(s->timer);
	if (LIST_EMPTY(&s->children)) {
		done(ctx);
		return;
	}
	LIST_FOREACH(c, &s->children, list)
	tell_to(c, FMP_MSG_GW_STOP, STOP_MS);
}

void fmpd_supervisor_status(const struct fmpd_supervisor *s, struct fmpd_gateway_status *st)
{
	const struct child *c = s->current;
	uint64_t sum[GW_STATS];

	memcpy(sum, s->before, sizeof(sum));
	*st = (struct fmpd_gateway_status){
		.running = c != NULL,
		.ready = c && c->ready,
		.clock_unset = c && c->clock_unset,
		.pid = c ? (uint64_t)c->pid : 0,
		.restarts = s->restarts,
		.events_refused = s->events_refused,
		.workers = s->workers,
		.up_since_ms = c ? c->started_ms : 0,
		.listen = s->listen,
	};
	LIST_FOREACH(c, &s->children, list)
	for (unsigned i = 0; i < GW_STATS; i++)
		sum[i] += c->now[i];
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

static bool is_ours_alone(const char *dir)
{
	struct stat st;

	if (mkdir(dir, 0755) && errno != EEXIST)
		return false;
	return !lstat(dir, &st) && S_ISDIR(st.st_mode) && st.st_uid == geteuid() &&
	       !(st.st_mode & (S_IWGRP | S_IWOTH));
}

/* Never used again while the system runs, unlike an inode number. Return: 0: not known. */
static uint64_t netns_cookie(void)
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
 * Of the one fmpd that enforces in a network namespace the memory of replays is that namespace's: with another
 * control socket a copy is no news either.
 */
static void find_replays(const struct fmpd_options *o, const char *control, char *buf, size_t size)
{
	const char *dir = getenv("RUNTIME_DIRECTORY");
	uint64_t cookie = o->layers ? netns_cookie() : 0;
	char first[96];

	if (!dir || *dir != '/')
		dir = "/run/fmp";
	snprintf(first, sizeof(first), "%.*s", (int)strcspn(dir, ":"), dir);
	if (cookie && !geteuid() && is_ours_alone(first))
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
	find_replays(o, control, s->replay_file, sizeof(s->replay_file));
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

int fmpd_supervisor_run(struct fmpd_supervisor *s, struct event_base *base,
			struct fmpd_plane *plane, const struct fmp_policy *policy,
			const struct fmpd_supervisor_hooks *hooks, struct fmp_error *err)
{
	s->base = base;
	s->plane = plane;
	s->hooks = *hooks;
	s->policy_fd = fmp_policy_seal(policy, err);
	if (s->policy_fd < 0)
		return s->policy_fd;
	s->child_died = evsignal_new(base, SIGCHLD, on_child, s);
	s->timer = evtimer_new(base, on_timer, s);
	if (!s->child_died || !s->timer || event_add(s->child_died, NULL))
		return fmp_error_set(err, FMP_ERR_NOMEM, "no memory for an event");
	start(s);
	return 0;
}

void fmpd_supervisor_free(struct fmpd_supervisor *s)
{
	struct child *c;

	if (!s)
		return;
	while ((c = LIST_FIRST(&s->children))) {
		supervisor_kill(c);
		free_child(c);
	}
	if (s->child_died)
		event_free(s->child_died);
	if (s->timer)
		event_free(s->timer);
	drop(&s->candidate_fd);
	drop(&s->policy_fd);
	close(s->listen_fd);
	free(s);
}
