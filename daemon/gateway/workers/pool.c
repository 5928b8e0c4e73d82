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

#include <fmp/internal/text.h>

#include "../common/clock.h"
#include "../keys/remote_keys.h"
#include "../service/service.h"
#include "fork_server.h"
#include "../common/stream.h"

/* So many workers in a row that die without having seen a task: something is wrong, do not spin. */
#define DEATHS_AT_ONCE	5
#define RESPAWN_DELAY_S 1
#define RETIRED_MS	1000 /* one that said it ends has done so long before */

struct gw_worker_slot {
	struct gw_pool *pool;
	pid_t pid; /* 0: none now */
	struct gw_stream *stream;
	struct event
		*timer; /* silence while busy, or retired; delay of the start while there is none */
	struct gw_task *task;
	bool judged; /* the verdict came: what happens now is not the message's doing */
	bool retired; /* it ends by itself */
	unsigned deaths; /* in a row at this place, without a task */
	uint64_t cpu_ns; /* it had used up when its task before was done; 0: it had none */
};

struct gw_pool {
	struct event_base *base;
	const struct gw_settings *settings;
	struct gw_fair_queue waiting;
	size_t max_message; /* of a worker */
	unsigned n;
	struct gw_worker_slot member[];
};

static bool start(struct gw_worker_slot *m);

static void arm(struct gw_worker_slot *m, uint64_t ms)
{
	struct timeval t = { .tv_sec = (time_t)(ms / 1000),
			     .tv_usec = (suseconds_t)(ms % 1000 * 1000) };

	event_add(m->timer, &t);
}

static uint64_t cpu_of(pid_t pid)
{
	clockid_t id;

	return clock_getcpuclockid(pid, &id) ? 0 : gw_clock_ns(id);
}

static void give(struct gw_worker_slot *m, struct gw_task *t)
{
	struct iovec part;
	uint8_t *bytes = fmp_job_encode(&t->job, &part.iov_len);

	if (!bytes) {
		t->lost(t, FMP_EVENT_GOOD, 0, "no memory");
		return;
	}
	m->task = t;
	m->judged = fmp_job_is_evaluated(&t->job);
	if (!m->cpu_ns)
		m->cpu_ns = cpu_of(m->pid);
	t->member = m;
	part.iov_base = bytes;
	gw_stream_send(m->stream, &part, 1);
	free(bytes);
	arm(m, m->pool->settings->policy->gateway.worker_timeout_ms);
}

static bool is_free(const struct gw_worker_slot *m)
{
	return m->pid && !m->task && !m->retired;
}

static struct gw_worker_slot *free_member(struct gw_pool *p)
{
	for (unsigned i = 0; i < p->n; i++)
		if (is_free(&p->member[i]))
			return &p->member[i];
	return NULL;
}

static struct gw_task *task_of(struct gw_fair_queue_entry *turn)
{
	return (struct gw_task *)((char *)turn - offsetof(struct gw_task, turn));
}

static void hand_out(struct gw_pool *p)
{
	for (unsigned i = 0; i < p->n && p->waiting.n;) {
		struct gw_task *t;

		if (!is_free(&p->member[i])) {
			i++;
			continue;
		}
		t = task_of(gw_fair_queue_first(&p->waiting));
		if (t->waited && t->gone && t->gone(t))
			continue;
		gw_fair_queue_remove(&p->waiting, &t->turn);
		t->waiting = false;
		give(&p->member[i], t);
	}
}

/* Ends a worker; its task, if any, is lost. The place is filled again at once. */
static void replace(struct gw_worker_slot *m, enum fmp_event_kind kind, const char *why)
{
	struct gw_task *t = m->task;
	bool judged = m->judged; /* by this one, not by who takes its place */
	uint64_t cpu_ns = t ? cpu_of(m->pid) : 0;
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
		why = "lost the process that keeps its keys";
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
	m->deaths = t || m->retired ? 0 : m->deaths + 1;
	if (m->deaths > DEATHS_AT_ONCE || !start(m))
		arm(m, RESPAWN_DELAY_S * 1000);
	if (t) {
		t->member = NULL;
		cpu_ns = cpu_ns > m->cpu_ns ? cpu_ns - m->cpu_ns : 0;
		t->lost(t, judged ? FMP_EVENT_GOOD : kind, cpu_ns, detail);
	}
	hand_out(m->pool);
}

/* Whose demands counted is the worker's to say only where the listener could not. */
static bool may_be(const struct gw_worker_slot *m, const struct fmp_job_verdict *v)
{
	const struct fmp_job *job = &m->task->job;

	return job->wsa_action_decides ? v->service < m->pool->settings->evaluator.n_services
				       : v->service == job->service;
}

static bool take_verdict(struct gw_worker_slot *m, struct fmp_wire_in *in)
{
	struct fmp_job_verdict v;

	if (!m->task || m->judged || fmp_job_verdict_decode(in, &v) || !may_be(m, &v))
		return false;
	m->judged = true;
	m->task->verdict(m->task, &v);
	return true;
}

/* The worker is free again. Return: the task that was its. */
static struct gw_task *done(struct gw_worker_slot *m, bool retired, uint64_t cpu_ns)
{
	struct gw_task *t = m->task;

	event_del(m->timer);
	if (retired)
		arm(m, RETIRED_MS);
	m->task = NULL;
	m->deaths = 0;
	m->retired = retired;
	m->cpu_ns = cpu_ns;
	t->member = NULL;
	return t;
}

static bool take_forward(struct gw_worker_slot *m, struct fmp_wire_in *in)
{
	struct fmp_job_forward f;
	struct gw_task *t;

	if (!m->task || !m->judged || fmp_job_is_evaluated(&m->task->job) ||
	    fmp_job_forward_decode(in, &m->task->job, &f))
		return false;
	t = done(m, f.retire, f.cpu_ns);
	t->forward(t, &f);
	return true;
}

static bool take_answer(struct gw_worker_slot *m, struct fmp_wire_in *in)
{
	struct fmp_job_reply a;
	struct gw_task *t;

	if (!m->task || !m->judged || fmp_job_reply_decode(in, &a))
		return false;
	t = done(m, a.retire, a.cpu_ns);
	t->answer(t, &a);
	return true;
}

static bool take_message(struct gw_worker_slot *m, struct fmp_wire_in *in)
{
	switch (in->type) {
	case FMP_JOB_MSG_VERDICT:
		return take_verdict(m, in);
	case FMP_JOB_MSG_REPLY:
		return take_answer(m, in);
	case FMP_JOB_MSG_FORWARD:
		return take_forward(m, in);
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

		/* Made contiguous only once it is whole. */
		rc = fmp_wire_parse(head, sizeof(head), max, &in, &used);
		if (rc == FMP_ERR_AGAIN) {
			size_t whole = 4 + ((size_t)head[0] << 24 | (size_t)head[1] << 16 |
					    (size_t)head[2] << 8 | head[3]);

			if (n < whole)
				return;
			rc = fmp_wire_parse(evbuffer_pullup(input, (ssize_t)whole), whole, max, &in,
					    &used);
		}
		if (rc || !take_message(m, &in)) {
			replace(m, FMP_EVENT_CRASH, "spoke nonsense");
			return;
		}
		evbuffer_drain(input, used);
	}
	hand_out(m->pool);
}

static void on_ended(void *arg, bool cleanly)
{
	replace(arg, FMP_EVENT_CRASH, "died");
}

static const struct gw_stream_ops stream_ops = { .read = on_read, .ended = on_ended };

/*
 * Is it silent because another process keeps the memory of replays for itself? One of ours that does
 * so without a message is no worker any more; one with a message has a timer of its own.
 */
static bool is_kept_waiting(const struct gw_worker_slot *m)
{
	struct gw_pool *p = m->pool;
	pid_t holder = gw_services_shared_holder(p->settings);

	if (!holder || holder == m->pid)
		return false;
	for (unsigned i = 0; i < p->n; i++)
		if (p->member[i].pid == holder && !p->member[i].task)
			replace(&p->member[i], FMP_EVENT_TIMEOUT, "kept the others waiting");
	return true;
}

static void on_timer(evutil_socket_t fd, short what, void *arg)
{
	struct gw_worker_slot *m = arg;

	if (m->task && is_kept_waiting(m)) {
		arm(m, m->pool->settings->policy->gateway.worker_timeout_ms);
	} else if (m->pid) {
		replace(m, FMP_EVENT_TIMEOUT, "was silent for too long");
	} else {
		if (!start(m))
			arm(m, RESPAWN_DELAY_S * 1000);
		hand_out(m->pool);
	}
}

static bool is_running(const struct gw_pool *p)
{
	return p->n == p->settings->policy->gateway.workers;
}

static bool start(struct gw_worker_slot *m)
{
	int pair[2], error;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair))
		return false;
	m->pid = gw_fork_server_fork(m->pool->settings->fork_server_fd, pair[1]);
	error = errno;
	close(pair[1]);
	if (m->pid < 0 && error == EPIPE && is_running(m->pool)) {
		fmp_text_print(stderr, "fmp-gateway: the process that forks workers has ended\n");
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
	m->judged = m->retired = false;
	m->cpu_ns = 0;
	return true;
}

struct gw_pool *gw_pool_new(struct event_base *base, const struct gw_settings *s)
{
	unsigned n = s->policy->gateway.workers;
	struct gw_pool *p = calloc(1, sizeof(*p) + n * sizeof(p->member[0]));

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
	p->max_message = gw_services_max_result(s) + FMP_JOB_HEAD + FMP_JOB_REPLY_CONTEXT_MAX;
	for (; p->n < n; p->n++) {
		struct gw_worker_slot *m = &p->member[p->n];

		m->pool = p;
		m->timer = event_new(base, -1, 0, on_timer, m);
		if (!m->timer || !start(m)) {
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
		struct gw_worker_slot *m = &p->member[i];

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
	struct gw_worker_slot *m = p->waiting.n ? NULL : free_member(p);

	t->member = NULL;
	t->waited = !m;
	t->waiting = !m;
	/* Where none waits nobody is to take turns with. */
	if (m) {
		give(m, t);
		return;
	}
	gw_fair_queue_add(&p->waiting, &t->turn, t->source);
	hand_out(p);
}

bool gw_pool_withdraw(struct gw_pool *p, struct gw_task *t)
{
	if (!t->waiting)
		return false;
	gw_fair_queue_remove(&p->waiting, &t->turn);
	t->waiting = false;
	return true;
}

unsigned gw_pool_size(const struct gw_pool *p)
{
	return p->n;
}
