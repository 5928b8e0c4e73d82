// SPDX-License-Identifier: GPL-2.0
#include "pool.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <event2/buffer.h>
#include <event2/event.h>

#include <fmp/internal/evtimer.h>
#include <fmp/internal/routing.h>
#include <fmp/internal/text.h>

#include "../common/clock.h"
#include "../keys/remote_keys.h"
#include "../service/service.h"
#include "fork_server.h"
#include "../common/stream.h"

/* More workers than this in a row exit without a task: delay the next start instead of spinning. */
#define FAILURES_MAX	5
#define RESPAWN_DELAY_S 1
#define RETIRED_MS	1000 /* a worker that announced its exit has exited long before */

struct gw_worker_slot {
	struct gw_pool *pool;
	pid_t pid; /* 0: no worker now */
	struct gw_stream *stream;
	struct event
		*timer; /* while busy or retired: silence; without a worker: delay of the start */
	struct gw_task *task;
	bool has_verdict; /* the message has its verdict: do not charge it for what happens now */
	bool retired; /* it exits by itself */
	unsigned failures; /* in a row in this slot, without a task */
	uint64_t cpu_ns; /* spent when its previous task was done; 0: it had none */
};

struct gw_pool {
	struct event_base *base;
	const struct gw_settings *settings;
	struct gw_fair_queue waiting;
	size_t max_message; /* longest message of a worker */
	unsigned n;
	struct gw_worker_slot slot[];
};

static bool start_worker(struct gw_worker_slot *m);

static uint64_t get_cpu_ns(pid_t pid)
{
	clockid_t id;

	return clock_getcpuclockid(pid, &id) ? 0 : gw_clock_ns(id);
}

static void send_task(struct gw_worker_slot *m, struct gw_task *t)
{
	struct iovec part;
	uint8_t *bytes = fmp_job_encode(&t->job, &part.iov_len);

	if (!bytes) {
		t->lost(t, FMP_EVENT_GOOD, 0, "no memory");
		return;
	}
	m->task = t;
	m->has_verdict = fmp_job_is_evaluated(&t->job);
	if (!m->cpu_ns)
		m->cpu_ns = get_cpu_ns(m->pid);
	t->slot = m;
	part.iov_base = bytes;
	gw_stream_send(m->stream, &part, 1);
	free(bytes);
	fmp_evtimer_arm(m->timer, m->pool->settings->policy->gateway.worker_timeout_ms);
}

static bool is_free(const struct gw_worker_slot *m)
{
	return m->pid && !m->task && !m->retired;
}

static struct gw_worker_slot *find_free_slot(struct gw_pool *p)
{
	for (unsigned i = 0; i < p->n; i++)
		if (is_free(&p->slot[i]))
			return &p->slot[i];
	return NULL;
}

static struct gw_task *get_task(struct gw_fair_queue_entry *entry)
{
	return (struct gw_task *)((char *)entry - offsetof(struct gw_task, entry));
}

static void dispatch_tasks(struct gw_pool *p)
{
	for (unsigned i = 0; i < p->n && p->waiting.n;) {
		struct gw_task *t;

		if (!is_free(&p->slot[i])) {
			i++;
			continue;
		}
		t = get_task(gw_fair_queue_first(&p->waiting));
		if (t->waited && t->is_abandoned && t->is_abandoned(t))
			continue;
		gw_fair_queue_remove(&p->waiting, &t->entry);
		t->waiting = false;
		send_task(&p->slot[i], t);
	}
}

/* End a worker and start another in its slot; its task, if any, is lost. */
static void replace_worker(struct gw_worker_slot *m, enum fmp_event_kind kind, const char *why)
{
	struct gw_task *t = m->task;
	bool has_verdict = m->has_verdict; /* by this worker, not by the next one in the slot */
	uint64_t cpu_ns = t ? get_cpu_ns(m->pid) : 0;
	char detail[160];
	int status = 0;

	event_del(m->timer);
	gw_stream_free(m->stream);
	m->stream = NULL;
	kill(m->pid, SIGKILL);
	while (waitpid(m->pid, &status, 0) < 0 && errno == EINTR)
		;
	if (kind == FMP_EVENT_CRASH && WIFEXITED(status) &&
	    WEXITSTATUS(status) == GW_REMOTE_KEYS_EXIT) {
		kind = FMP_EVENT_GOOD;
		why = "lost its key agent";
	}
	if (kind == FMP_EVENT_TIMEOUT)
		snprintf(detail, sizeof(detail), "worker %s and was ended", why);
	else if (WIFSIGNALED(status))
		snprintf(detail, sizeof(detail), "worker %s: signal %d", why, WTERMSIG(status));
	else
		snprintf(detail, sizeof(detail), "worker %s: exit status %d", why,
			 WEXITSTATUS(status));
	if (t || !m->retired)
		fmp_text_print(stderr, "fmp-gateway: pid %d: %s\n", (int)m->pid, detail);
	m->pid = 0;
	m->task = NULL;
	m->failures = t || m->retired ? 0 : m->failures + 1;
	if (m->failures > FAILURES_MAX || !start_worker(m))
		fmp_evtimer_arm(m->timer, RESPAWN_DELAY_S * 1000);
	if (t) {
		t->slot = NULL;
		cpu_ns = cpu_ns > m->cpu_ns ? cpu_ns - m->cpu_ns : 0;
		t->lost(t, has_verdict ? FMP_EVENT_GOOD : kind, cpu_ns, detail);
	}
	dispatch_tasks(m->pool);
}

/*
 * The worker selects the service only if the listener could not, and among those of its path: one that
 * was taken over must not reach another.
 */
static bool is_valid_service(const struct gw_worker_slot *m, const struct fmp_job_verdict *v)
{
	const struct fmp_policy *p = m->pool->settings->evaluator.policy;
	const struct fmp_job *job = &m->task->job;

	if (!job->wsa_action_decides)
		return v->service == job->service;
	return p && fmp_route_may_lead(p->services, p->n_services, job->service, v->service);
}

static bool handle_verdict(struct gw_worker_slot *m, struct fmp_wire_in *in)
{
	struct fmp_job_verdict v;

	if (!m->task || m->has_verdict || fmp_job_verdict_decode(in, &v) ||
	    !is_valid_service(m, &v))
		return false;
	m->has_verdict = true;
	m->task->verdict(m->task, &v);
	return true;
}

/* The worker is free again. Return: the task that it had. */
static struct gw_task *finish_task(struct gw_worker_slot *m, bool retired, uint64_t cpu_ns)
{
	struct gw_task *t = m->task;

	event_del(m->timer);
	if (retired)
		fmp_evtimer_arm(m->timer, RETIRED_MS);
	m->task = NULL;
	m->failures = 0;
	m->retired = retired;
	m->cpu_ns = cpu_ns;
	t->slot = NULL;
	return t;
}

static bool handle_forward(struct gw_worker_slot *m, struct fmp_wire_in *in)
{
	struct fmp_job_forward f;
	struct gw_task *t;

	if (!m->task || !m->has_verdict || fmp_job_is_evaluated(&m->task->job) ||
	    fmp_job_forward_decode(in, &m->task->job, &f))
		return false;
	t = finish_task(m, f.retire, f.cpu_ns);
	t->forward(t, &f);
	return true;
}

static bool handle_reply(struct gw_worker_slot *m, struct fmp_wire_in *in)
{
	struct fmp_job_reply a;
	struct gw_task *t;

	if (!m->task || !m->has_verdict || fmp_job_reply_decode(in, &a))
		return false;
	t = finish_task(m, a.retire, a.cpu_ns);
	t->reply(t, &a);
	return true;
}

static bool handle_message(struct gw_worker_slot *m, struct fmp_wire_in *in)
{
	switch (in->type) {
	case FMP_JOB_MSG_VERDICT:
		return handle_verdict(m, in);
	case FMP_JOB_MSG_REPLY:
		return handle_reply(m, in);
	case FMP_JOB_MSG_FORWARD:
		return handle_forward(m, in);
	default:
		return false;
	}
}

static void on_read(void *arg)
{
	struct gw_worker_slot *m = arg;
	struct evbuffer *input = gw_stream_input(m->stream);
	const size_t max = m->pool->max_message;
	uint8_t head[FMP_WIRE_HEADER];

	while (evbuffer_copyout(input, head, sizeof(head)) == sizeof(head)) {
		struct fmp_wire_in in;
		size_t used, n = evbuffer_get_length(input);
		int rc;

		/* Make it contiguous only once it is complete. */
		rc = fmp_wire_parse(head, sizeof(head), max, &in, &used);
		if (rc == FMP_ERR_AGAIN) {
			size_t whole = 4 + ((size_t)head[0] << 24 | (size_t)head[1] << 16 |
					    (size_t)head[2] << 8 | head[3]);

			if (n < whole)
				return;
			rc = fmp_wire_parse(evbuffer_pullup(input, (ssize_t)whole), whole, max, &in,
					    &used);
		}
		if (rc || !handle_message(m, &in)) {
			replace_worker(m, FMP_EVENT_CRASH, "sent an invalid message");
			return;
		}
		evbuffer_drain(input, used);
	}
	dispatch_tasks(m->pool);
}

static void on_ended(void *arg, bool cleanly)
{
	replace_worker(arg, FMP_EVENT_CRASH, "died");
}

static const struct gw_stream_ops stream_ops = { .read = on_read, .ended = on_ended };

/*
 * Is the worker silent because another process holds the lock of the replay cache? A worker of ours
 * that holds it without a task is broken: replace it. One with a task has a timer of its own.
 */
static bool is_blocked_by_other(const struct gw_worker_slot *m)
{
	struct gw_pool *p = m->pool;
	pid_t holder = gw_services_shared_holder(p->settings);

	if (!holder || holder == m->pid)
		return false;
	for (unsigned i = 0; i < p->n; i++)
		if (p->slot[i].pid == holder && !p->slot[i].task)
			replace_worker(&p->slot[i], FMP_EVENT_TIMEOUT,
				       "held the lock of the replay cache");
	return true;
}

static void on_timer(evutil_socket_t fd, short what, void *arg)
{
	struct gw_worker_slot *m = arg;

	if (m->task && is_blocked_by_other(m)) {
		fmp_evtimer_arm(m->timer, m->pool->settings->policy->gateway.worker_timeout_ms);
	} else if (m->pid) {
		replace_worker(m, FMP_EVENT_TIMEOUT, "was silent for too long");
	} else {
		if (!start_worker(m))
			fmp_evtimer_arm(m->timer, RESPAWN_DELAY_S * 1000);
		dispatch_tasks(m->pool);
	}
}

static bool is_running(const struct gw_pool *p)
{
	return p->n == p->settings->policy->gateway.workers;
}

static bool start_worker(struct gw_worker_slot *m)
{
	int pair[2], error;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair))
		return false;
	m->pid = gw_fork_server_fork(m->pool->settings->fork_server_fd, pair[1]);
	error = errno;
	close(pair[1]);
	if (m->pid < 0 && error == EPIPE && is_running(m->pool)) {
		fmp_text_print(stderr, "fmp-gateway: the fork server has ended\n");
		exit(EXIT_FAILURE);
	}
	if (m->pid < 0) {
		m->pid = 0;
		close(pair[0]);
		errno = error;
		return false;
	}
	evutil_make_socket_nonblocking(pair[0]);
	m->stream = gw_stream_new(m->pool->base, pair[0], NULL, &stream_ops, m);
	if (!m->stream) {
		kill(m->pid, SIGKILL);
		waitpid(m->pid, NULL, 0);
		m->pid = 0;
		return false;
	}
	m->task = NULL;
	m->has_verdict = m->retired = false;
	m->cpu_ns = 0;
	return true;
}

struct gw_pool *gw_pool_new(struct event_base *base, const struct gw_settings *s)
{
	unsigned n = s->policy->gateway.workers;
	struct gw_pool *p = calloc(1, sizeof(*p) + n * sizeof(p->slot[0]));

	uint64_t seed;

	if (!p)
		return NULL;
	if (getrandom(&seed, sizeof(seed), 0) != sizeof(seed)) {
		free(p);
		return NULL;
	}
	gw_fair_queue_init(&p->waiting, seed);
	p->base = base;
	p->settings = s;
	p->max_message = gw_services_max_result(s) + FMP_JOB_HEAD + FMP_JOB_REPLY_CONTEXT_MAX +
			 FMP_JOB_IDENTITY_MAX + FMP_JOB_ROOT_MAX;
	for (; p->n < n; p->n++) {
		struct gw_worker_slot *m = &p->slot[p->n];

		m->pool = p;
		m->timer = event_new(base, -1, 0, on_timer, m);
		if (!m->timer || !start_worker(m)) {
			if (m->timer)
				event_free(m->timer);
			gw_pool_free(p);
			return NULL;
		}
	}
	return p;
}

void gw_pool_free(struct gw_pool *p)
{
	if (!p)
		return;
	for (unsigned i = 0; i < p->n; i++) {
		struct gw_worker_slot *m = &p->slot[i];

		event_free(m->timer);
		gw_stream_free(m->stream);
		if (m->pid) {
			kill(m->pid, SIGKILL);
			waitpid(m->pid, NULL, 0);
		}
	}
	free(p);
}

void gw_pool_submit(struct gw_pool *p, struct gw_task *t)
{
	struct gw_worker_slot *m = p->waiting.n ? NULL : find_free_slot(p);

	t->slot = NULL;
	t->waited = !m;
	t->waiting = !m;
	/* Without waiting tasks the fair queue is not needed. */
	if (m) {
		send_task(m, t);
		return;
	}
	gw_fair_queue_add(&p->waiting, &t->entry, t->source);
	dispatch_tasks(p);
}

bool gw_pool_withdraw(struct gw_pool *p, struct gw_task *t)
{
	if (!t->waiting)
		return false;
	gw_fair_queue_remove(&p->waiting, &t->entry);
	t->waiting = false;
	return true;
}

unsigned gw_pool_size(const struct gw_pool *p)
{
	return p->n;
}
