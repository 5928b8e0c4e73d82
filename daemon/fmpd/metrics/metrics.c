// SPDX-License-Identifier: GPL-2.0
#include "metrics.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <event2/buffer.h>
#include <event2/bufferevent.h>

#include <fmp/internal/evtimer.h>
#include <fmp/internal/policy_local.h>

#include "../state/atomic_file.h"
#include "../common/clock.h"
#include "../common/log.h"
#include "metrics_server.h"
#include "../control/unix_listen.h"

#define BACKLOG	   16
#define RESTART_MS 5000u /* before a server that died is replaced, or a socket is tried again */

struct fmpd_metrics {
	struct event_base *base;
	const struct fmpd_show *show;
	const struct fmpd_state_writer *state;
	struct fmpd_latency latency;
	struct fmp_policy_metrics now; /* the settings in use */
	struct event *file_due, *server_due;
	bool file_failed; /* logged already */
	int listen_fd; /* -1: none */
	int next_fd; /* opened by fmpd_metrics_check() for the next policy; -1: none */
	bool listen_failed; /* logged already */
	pid_t server_pid; /* 0: none */
	struct bufferevent *channel;
};

/* ---- the file ---- */

/* The file is out of date after seconds: a sync would only wear the flash. */
static int no_sync(int fd)
{
	return 0;
}

static int no_sync_dir(const char *path)
{
	return 0;
}

static int write_file(const char *path, struct evbuffer *text, struct fmp_error *err)
{
	struct fmpd_disk disk = fmpd_disk;
	struct fmpd_file *f = malloc(sizeof(*f));
	size_t len = evbuffer_get_length(text);
	int rc;

	if (!f)
		return fmp_error_set(err, FMP_ERR_NOMEM, "no memory");
	disk.sync = no_sync;
	disk.sync_dir = no_sync_dir;
	rc = fmpd_file_begin(f, &disk, path, 0644, err);
	if (!rc) {
		rc = fmpd_file_put(f, evbuffer_pullup(text, -1), len, err);
		if (rc)
			fmpd_file_abort(f);
		else
			rc = fmpd_file_commit(f, err);
	}
	free(f);
	return rc;
}

static void on_file_due(evutil_socket_t fd, short what, void *ctx)
{
	struct fmpd_metrics *m = ctx;
	struct evbuffer *text = evbuffer_new();
	struct fmp_error err;

	if (text) {
		fmpd_exposition(text, m->show, m->state, &m->latency);
		if (!write_file(m->now.file, text, &err)) {
			m->file_failed = false;
		} else if (!m->file_failed) {
			fmpd_log_error(FMPD_WARNING, "metrics", "no metrics in the file", &err);
			m->file_failed = true;
		}
		evbuffer_free(text);
	}
	fmp_evtimer_arm(m->file_due, m->now.interval_ms);
}

/* ---- the server ---- */

static void stop_process(struct fmpd_metrics *m)
{
	if (m->channel)
		bufferevent_free(m->channel);
	m->channel = NULL;
	if (m->server_pid) {
		kill(m->server_pid, SIGKILL);
		waitpid(m->server_pid, NULL, 0);
	}
	m->server_pid = 0;
}

static void stop_server(struct fmpd_metrics *m)
{
	struct sockaddr_storage ss;
	socklen_t len;

	stop_process(m);
	event_del(m->server_due);
	if (m->listen_fd < 0)
		return;
	close(m->listen_fd);
	m->listen_fd = -1;
	if (!fmp_local_parse(m->now.listen, &ss, &len) && ss.ss_family == AF_UNIX)
		unlink(((struct sockaddr_un *)&ss)->sun_path);
}

/* The server asks for the text by one byte; if it sends anything else, it is replaced. */
static void on_request(struct bufferevent *bev, void *ctx)
{
	struct evbuffer *in = bufferevent_get_input(bev), *text = evbuffer_new();
	struct fmpd_metrics *m = ctx;
	char asked = 0;
	uint32_t len;

	evbuffer_remove(in, &asked, 1);
	if (!text || asked != FMPD_METRICS_REQUEST || evbuffer_get_length(in)) {
		if (text)
			evbuffer_free(text);
		fmpd_log(FMPD_ERROR, "metrics",
			 "the metrics' server sent an invalid request: it is restarted");
		stop_process(m);
		fmp_evtimer_arm(m->server_due, RESTART_MS);
		return;
	}
	fmpd_exposition(text, m->show, m->state, &m->latency);
	len = (uint32_t)evbuffer_get_length(text);
	bufferevent_write(bev, &len, sizeof(len));
	bufferevent_write_buffer(bev, text);
	evbuffer_free(text);
}

static void on_process_end(struct bufferevent *bev, short what, void *ctx)
{
	struct fmpd_metrics *m = ctx;

	fmpd_log(FMPD_WARNING, "metrics", "the metrics' server ended: it is restarted");
	stop_process(m);
	fmp_evtimer_arm(m->server_due, RESTART_MS);
}

static void start_process(struct fmpd_metrics *m)
{
	struct fmpd_plane_view v;
	sigset_t all, mask;
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends)) {
		fmp_evtimer_arm(m->server_due, RESTART_MS);
		return;
	}
	fmpd_plane_view(m->show->plane, &v);
	/* Block signals: the child must not run the handlers of its parent. */
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &mask);
	m->server_pid = fork();
	if (!m->server_pid) {
		for (int s = 1; s < NSIG; s++)
			signal(s, SIG_DFL);
		signal(SIGPIPE, SIG_IGN);
		sigprocmask(SIG_SETMASK, &mask, NULL);
		fmpd_metrics_serve(m->listen_fd, ends[1], v.policy->metrics.names,
				   v.policy->gateway.user);
	}
	sigprocmask(SIG_SETMASK, &mask, NULL);
	close(ends[1]);
	evutil_make_socket_nonblocking(ends[0]);
	if (m->server_pid > 0)
		m->channel = bufferevent_socket_new(m->base, ends[0], BEV_OPT_CLOSE_ON_FREE);
	if (!m->channel) {
		close(ends[0]);
		m->server_pid = m->server_pid > 0 ? m->server_pid : 0;
		stop_process(m);
		fmp_evtimer_arm(m->server_due, RESTART_MS);
		return;
	}
	bufferevent_setcb(m->channel, on_request, NULL, on_process_end, m);
	bufferevent_enable(m->channel, EV_READ | EV_WRITE);
}

static void start_server(struct fmpd_metrics *m);

static void on_server_due(evutil_socket_t fd, short what, void *ctx)
{
	struct fmpd_metrics *m = ctx;

	if (m->listen_fd < 0)
		start_server(m);
	else if (!m->server_pid)
		start_process(m);
}

static int listen_on(const struct sockaddr_storage *ss, socklen_t len, int *out,
		     struct fmp_error *err)
{
	const int yes = 1;
	int fd, rc;

	/* Any user may read it, as on loopback. */
	if (ss->ss_family == AF_UNIX)
		return fmpd_unix_listen(((const struct sockaddr_un *)ss)->sun_path, 0666, BACKLOG,
					out, err);
	fd = socket(ss->ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return fmp_error_sys(err, FMP_ERR_IO, errno, "no socket");
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
	if (bind(fd, (const struct sockaddr *)ss, len) || listen(fd, BACKLOG)) {
		rc = fmp_error_sys(err, FMP_ERR_IO, errno, "can't listen");
		close(fd);
		return rc;
	}
	*out = fd;
	return 0;
}

static int listen_at(const char *where, int *out, struct fmp_error *err)
{
	struct sockaddr_storage ss;
	socklen_t len;
	int rc = fmp_local_parse(where, &ss, &len);

	if (rc)
		return fmp_error_set(err, (enum fmp_code)rc, "no address of a socket");
	return listen_on(&ss, len, out, err);
}

/* Use the socket of fmpd_metrics_check(), or open one. An address in use is tried again later. */
static void start_server(struct fmpd_metrics *m)
{
	struct fmp_error err;

	m->listen_fd = m->next_fd;
	m->next_fd = -1;
	if (m->listen_fd < 0 && listen_at(m->now.listen, &m->listen_fd, &err)) {
		if (!m->listen_failed)
			fmpd_log_error(FMPD_WARNING, "metrics", m->now.listen, &err);
		m->listen_failed = true;
		fmp_evtimer_arm(m->server_due, RESTART_MS);
		return;
	}
	m->listen_failed = false;
	fmpd_log(FMPD_INFO, "metrics", "metrics are served at %s", m->now.listen);
	start_process(m);
}

/* ---- from outside ---- */

void fmpd_metrics_decision(struct fmpd_metrics *m, const struct fmpd_record *r)
{
	/* Only decisions that were applied for the first time. */
	if (m && r->d.action == FMP_ACTION_BLOCK && fmpd_record_tries(r) < 2 &&
	    r->results_ns > r->threshold_ns)
		fmpd_latency_add(&m->latency, r->results_ns - r->threshold_ns);
}

static void close_next_fd(struct fmpd_metrics *m)
{
	if (m->next_fd >= 0)
		close(m->next_fd);
	m->next_fd = -1;
}

int fmpd_metrics_check(struct fmpd_metrics *m, const struct fmp_policy *policy,
		       struct fmp_error *err)
{
	const char *where = policy->metrics.listen;
	int rc;

	if (!m)
		return 0;
	close_next_fd(m);
	if (!*where || !strcmp(where, m->now.listen))
		return 0;
	rc = listen_at(where, &m->next_fd, err);
	if (rc && m->listen_fd >= 0) {
		/* Our own socket, with the same port, may be in the way. */
		stop_server(m);
		rc = listen_at(where, &m->next_fd, err);
		if (rc)
			start_server(m);
	}
	if (!rc)
		return 0;
	return fmp_error_sys(err, FMP_ERR_IO, err->sys_errno,
			     "the metrics can't be served at %s (<metrics listen>)", where);
}

void fmpd_metrics_policy(struct fmpd_metrics *m)
{
	struct fmpd_plane_view v;

	if (!m)
		return;
	fmpd_plane_view(m->show->plane, &v);
	if (strcmp(m->now.listen, v.policy->metrics.listen)) {
		stop_server(m);
		m->now = v.policy->metrics;
		m->listen_failed = false;
		if (m->now.listen[0])
			start_server(m);
	} else if (strcmp(m->now.names, v.policy->metrics.names) && m->listen_fd >= 0) {
		event_del(m->server_due);
		stop_process(m);
		start_process(m);
	}
	m->now = v.policy->metrics;
	m->file_failed = false;
	if (m->now.file[0])
		fmp_evtimer_arm(m->file_due, 0);
	else
		event_del(m->file_due);
}

int fmpd_metrics_new(struct event_base *base, const struct fmpd_show *show,
		     const struct fmpd_state_writer *state, struct fmpd_metrics **out,
		     struct fmp_error *err)
{
	struct fmpd_metrics *m = calloc(1, sizeof(*m));

	if (!m)
		return fmp_error_set(err, FMP_ERR_NOMEM, "no memory");
	*out = m;
	m->base = base;
	m->show = show;
	m->state = state;
	m->listen_fd = m->next_fd = -1;
	m->file_due = evtimer_new(base, on_file_due, m);
	m->server_due = evtimer_new(base, on_server_due, m);
	if (!m->file_due || !m->server_due)
		return fmp_error_set(err, FMP_ERR_NOMEM, "no memory for an event");
	fmpd_metrics_policy(m);
	return 0;
}

void fmpd_metrics_free(struct fmpd_metrics *m)
{
	if (!m)
		return;
	if (m->server_due)
		stop_server(m);
	close_next_fd(m);
	if (m->file_due)
		event_free(m->file_due);
	if (m->server_due)
		event_free(m->server_due);
	free(m);
}
