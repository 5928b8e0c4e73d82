// SPDX-License-Identifier: GPL-2.0
#include "state_writer.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmp/internal/close_fds.h>
#include <fmp/internal/evtimer.h>

#include "../state/atomic_file.h"
#include "../state/state_file.h"
#include "../common/clock.h"
#include "../common/log.h"

#define DECISION_DELAY_MS 10000u /* from a decision to the write, which collects later decisions */
#define CHILD_S		  60u /* limit for the child; a broken disk may hang it */
#define FIRST_OTHER	  3u /* first descriptor behind the standard ones */
#define RETRY_MS	  60000u /* after a write that failed */
#define LOSS_TEXT	  "a restart now would forget what was decided"

struct fmpd_state_writer {
	struct fmpd_plane *plane;
	char path[PATH_MAX]; /* "": no state is kept */
	struct event *due, *sigchld;
	uint64_t due_ms; /* UINT64_MAX: nothing to write */
	pid_t child; /* 0: no write is running */
	bool failure_logged; /* a failed write was logged; cleared by a good one */
	bool decided; /* since the last file */
	uint64_t events; /* counted when the last write was started */
	struct fmpd_state_writer_stats stats;
};

static void add_set(struct fmpd_sets *sets, const char *name)
{
	if (sets->n < FMPD_SETS_MAX)
		snprintf(sets->name[sets->n++], FMP_SET_NAME_MAX, "%s", name);
}

/* The sets of the policy's lists, and of removed lists whose blocks are still ending: the next fmpd ends the rest. */
static void add_sets(const struct fmpd_plane_view *v, struct fmpd_sets *sets)
{
	for (size_t i = 0; i < v->policy->n_blocklists; i++)
		add_set(sets, v->policy->blocklists[i].set);
	for (size_t i = 0; v->ending && i < v->ending->n; i++)
		add_set(sets, v->ending->name[i]);
}

/* ---- writing ---- */

struct save_ctx {
	const struct fmpd_plane_view *v;
	struct fmpd_state_sum sum;
	struct fmpd_file file;
	uint64_t now_ms;
	struct fmp_error *err;
};

static bool is_worthless(const struct fmp_saved_source *s)
{
	return !s->rank && !s->credit && !s->offences && !s->blocked && !s->quiet_left_ms &&
	       !s->n_counted && !s->n_pools;
}

static int save_row(const struct fmp_saved_source *source, void *ctx)
{
	struct save_ctx *w = ctx;
	struct fmpd_state_row row = { .source = *source };
	const struct fmpd_record *r;
	uint8_t bytes[FMPD_STATE_ROW_MAX];

	if (is_worthless(source))
		return 0;
	r = source->blocked ? fmpd_table_lookup_exact(w->v->table, &source->source) : NULL;
	if (r && r->in_force) {
		row.decided = true;
		row.source.mac = fmpd_packed_mac(&r->d);
		row.pair_mac = fmpd_packed_pair_mac(&r->d);
		row.mac_veto = r->d.mac_veto;
		row.mac_left_ms = fmpd_record_mac_left_ms(r, w->now_ms);
		row.age_ms = fmpd_since(w->now_ms, r->d.time_ms);
		row.duration_ms = r->d.duration_ms;
		row.manual = r->d.manual;
		snprintf(row.reason, sizeof(row.reason), "%s", r->d.reason);
		snprintf(row.set, sizeof(row.set), "%s", fmpd_table_set_name(w->v->table, r));
	}
	return fmpd_file_put(&w->file, bytes, fmpd_state_put_row(&w->sum, &row, bytes), w->err);
}

static int write_state(struct save_ctx *w)
{
	uint8_t bytes[FMPD_STATE_ROW_MAX];
	const struct fmp_neighbour *nexthop_macs;
	struct fmpd_state_time t;
	int rc;

	fmpd_state_now(&t);
	t.newest_id = fmp_engine_next_id(w->v->engine) - 1;
	t.n_nexthop_macs = fmp_net_nexthop_macs(w->v->net, &nexthop_macs);
	memcpy(t.nexthop_macs, nexthop_macs, t.n_nexthop_macs * sizeof(*nexthop_macs));
	add_sets(w->v, &t.lists);
	w->now_ms = t.boot_ms;
	rc = fmpd_file_put(&w->file, bytes, fmpd_state_put_head(&w->sum, &t, bytes), w->err);
	if (!rc)
		rc = fmp_engine_save(w->v->engine, t.boot_ms, save_row, w);
	if (!rc)
		rc = fmpd_file_put(&w->file, bytes, fmpd_state_put_end(&w->sum, bytes), w->err);
	return rc;
}

int fmpd_state_save(const struct fmpd_plane_view *v, const char *path, struct fmp_error *err)
{
	struct save_ctx *w = calloc(1, sizeof(*w));
	int rc;

	if (!w)
		return fmp_error_set(err, FMP_ERR_NOMEM, "no memory");
	w->v = v;
	w->err = err;
	rc = fmpd_file_begin(&w->file, &fmpd_disk, path, 0600, err);
	if (!rc) {
		rc = write_state(w);
		if (rc)
			fmpd_file_abort(&w->file);
		else
			rc = fmpd_file_commit(&w->file, err);
	}
	free(w);
	return rc;
}

/* ---- when ---- */

static void rearm_timer(struct fmpd_state_writer *s)
{
	uint64_t now = fmpd_now_ms(), wait = s->due_ms > now ? s->due_ms - now : 0;

	if (s->due_ms == UINT64_MAX)
		event_del(s->due);
	else
		fmp_evtimer_arm(s->due, wait);
}

static void schedule_write(struct fmpd_state_writer *s, uint64_t ms)
{
	uint64_t at = fmpd_now_ms() + ms;

	if (at < s->due_ms) {
		s->due_ms = at;
		rearm_timer(s);
	}
}

static uint64_t get_interval(const struct fmpd_state_writer *s)
{
	struct fmpd_plane_view v;

	fmpd_plane_view(s->plane, &v);
	return v.policy->state.interval_ms;
}

static void count_write(struct fmpd_state_writer *s, bool good)
{
	if (good) {
		s->stats.written++;
		s->stats.written_ms = fmpd_now_ms();
		s->failure_logged = false;
	} else {
		s->stats.failed++;
		s->decided = s->failure_logged = true;
		schedule_write(s, RETRY_MS);
	}
}

/*
 * The child. It must not run the signal handlers of its parent, and dies with the parent: whenever that is, the file is
 * whole or not there. It closes all sockets, for a socket that it kept open a moment longer than the parent would look to
 * the next fmpd like one of a running fmpd.
 */
static void run_child(const struct fmpd_state_writer *s, const sigset_t *mask)
{
	struct fmpd_plane_view v;
	struct fmp_error err;
	int rc;

	signal(SIGTERM, SIG_DFL);
	signal(SIGINT, SIG_DFL);
	signal(SIGHUP, SIG_IGN);
	sigprocmask(SIG_SETMASK, mask, NULL);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	(void)fmp_close_fds(FIRST_OTHER, ~0U);
	alarm(CHILD_S);
	setpriority(PRIO_PROCESS, 0, 10);
	fmpd_plane_view(s->plane, &v);
	rc = fmpd_state_save(&v, s->path, &err);
	if (rc && !s->failure_logged)
		fmpd_log_error(FMPD_WARNING, "state", LOSS_TEXT, &err);
	_exit(rc ? 1 : 0);
}

static void start_writer(struct fmpd_state_writer *s)
{
	sigset_t all, mask;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &mask);
	s->child = fork();
	if (!s->child)
		run_child(s, &mask);
	sigprocmask(SIG_SETMASK, &mask, NULL);
	if (s->child < 0) {
		s->child = 0;
		count_write(s, false);
	}
}

static uint64_t count_events(const struct fmpd_state_writer *s)
{
	struct fmpd_plane_view v;

	fmpd_plane_view(s->plane, &v);
	return fmp_engine_processed(v.engine);
}

static void on_due(evutil_socket_t fd, short what, void *ctx)
{
	struct fmpd_state_writer *s = ctx;
	uint64_t events = count_events(s);
	bool changed = s->decided || events != s->events;
	struct fmpd_plane_view v;

	fmpd_plane_view(s->plane, &v);
	s->due_ms = UINT64_MAX;
	/* While the old file is being restored, do not replace it. */
	if (s->child || v.restoring) {
		schedule_write(s, DECISION_DELAY_MS);
		return;
	}
	s->decided = false;
	s->events = events;
	schedule_write(s, get_interval(s));
	if (changed)
		start_writer(s);
}

static void on_sigchld(evutil_socket_t sig, short what, void *ctx)
{
	struct fmpd_state_writer *s = ctx;
	int status;

	if (!s->child || waitpid(s->child, &status, WNOHANG) != s->child)
		return;
	s->child = 0;
	count_write(s, WIFEXITED(status) && !WEXITSTATUS(status));
	if (WIFSIGNALED(status))
		fmpd_log(FMPD_WARNING, "state", "the state was not written: signal %d",
			 WTERMSIG(status));
}

void fmpd_state_writer_changed(struct fmpd_state_writer *s)
{
	if (!s || !s->path[0])
		return;
	s->decided = true;
	schedule_write(s, DECISION_DELAY_MS);
}

/* ---- beginning and end ---- */

static void find_path(struct fmpd_state_writer *s)
{
	struct fmpd_plane_view v;

	fmpd_plane_view(s->plane, &v);
	fmpd_state_path(v.options, v.policy, s->path, sizeof(s->path));
}

void fmpd_state_writer_policy(struct fmpd_state_writer *s)
{
	char before[PATH_MAX];

	if (!s)
		return;
	memcpy(before, s->path, sizeof(before));
	find_path(s);
	if (!s->path[0]) {
		s->due_ms = UINT64_MAX;
		event_del(s->due);
		return;
	}
	if (strcmp(before, s->path))
		fmpd_state_writer_changed(s);
	else
		schedule_write(s, get_interval(s));
}

int fmpd_state_writer_new(struct event_base *base, struct fmpd_plane *plane,
			  struct fmpd_state_writer **out, struct fmp_error *err)
{
	struct fmpd_state_writer *s = calloc(1, sizeof(*s));

	if (!s)
		return fmp_error_set(err, FMP_ERR_NOMEM, "no memory");
	*out = s;
	s->plane = plane;
	s->due_ms = UINT64_MAX;
	s->due = evtimer_new(base, on_due, s);
	s->sigchld = evsignal_new(base, SIGCHLD, on_sigchld, s);
	if (!s->due || !s->sigchld || event_add(s->sigchld, NULL))
		return fmp_error_set(err, FMP_ERR_NOMEM, "no memory for an event");
	s->events = count_events(s);
	find_path(s);
	if (s->path[0])
		schedule_write(s, get_interval(s));
	return 0;
}

void fmpd_state_writer_free(struct fmpd_state_writer *s)
{
	struct fmpd_plane_view v;
	struct fmp_error err;

	if (!s)
		return;
	if (s->child) {
		kill(s->child, SIGKILL);
		waitpid(s->child, NULL, 0);
	}
	fmpd_plane_finish_restore(s->plane);
	fmpd_plane_view(s->plane, &v);
	if (s->path[0] && !v.restoring && fmpd_state_save(&v, s->path, &err))
		fmpd_log_error(FMPD_WARNING, "state", LOSS_TEXT, &err);
	if (s->due)
		event_free(s->due);
	if (s->sigchld)
		event_free(s->sigchld);
	free(s);
}

void fmpd_state_writer_get_stats(const struct fmpd_state_writer *s,
				 struct fmpd_state_writer_stats *out)
{
	*out = s ? s->stats : (struct fmpd_state_writer_stats){ 0 };
}
