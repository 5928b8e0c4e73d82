// SPDX-License-Identifier: GPL-2.0
/* End many blocks on request, some in each turn of the event loop, so that events do not wait. */
#include "plane_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fmp/internal/evtimer.h>

#include "../common/clock.h"
#include "../common/log.h"

/* Limits of one turn: blocks that end, and blocks that are looked at. */
#define ENDS_PER_TURN  64u
#define LOOKS_PER_TURN 1024u
#define JOBS_MAX       20u /* one runs, the others wait for it */

/* One request. */
struct unblock_job {
	uint64_t number, newest_id, ended;
	bool has_manual, manual, except_kept;
	char set[FMP_SET_NAME_MAX];
	char reason[sizeof(((struct fmp_decision *)0)->reason)];
};

struct plane_unblock_jobs {
	struct unblock_job v[JOBS_MAX];
	unsigned n;
	bool begun; /* the first job has started */
	struct event *turn;
};

/* Blocks decided after the request are not selected. */
static bool is_selected(const struct fmpd_plane *p, const struct unblock_job *s,
			const struct fmpd_record *r)
{
	if (r->d.id > s->newest_id || (s->has_manual && r->d.manual != s->manual))
		return false;
	return !*s->set || (!strcmp(s->set, fmpd_table_set_name(p->table, r)) &&
			    !(s->except_kept && r->d.keep));
}

void fmpd_plane_set_keep(struct fmpd_plane *p, const char *set, const struct fmp_addr *addr)
{
	struct fmpd_record *r = addr ? fmpd_table_lookup_exact(p->table, addr)
				     : fmpd_table_first(p->table);

	fmpd_set_members_keep(p->set_members, set, addr);
	for (; r; r = addr ? NULL : fmpd_table_next(r))
		if (r->in_force && !strcmp(set, fmpd_table_set_name(p->table, r)))
			r->d.keep = addr != NULL;
}

bool plane_block_for_next_set(struct fmpd_plane *p, const struct fmp_addr *source)
{
	char set[FMP_SET_NAME_MAX], reason[FMP_SET_NAME_MAX + 32], addr[FMP_ADDR_STRLEN];
	struct fmpd_block_request req = {
		.addr = *source,
		.has_duration = true,
		.reason = reason,
		.set = set,
	};
	uint64_t now = fmpd_now_ms(), end_ms;
	struct fmp_error err;

	if (!fmpd_set_members_take(p->set_members, source, now, set, &end_ms))
		return false;
	req.duration_ms = end_ms == UINT64_MAX ? 0 : end_ms - now;
	snprintf(reason, sizeof(reason), "in the list of set %s, too", set);
	if (!fmpd_plane_queue_block(p, &req, &err))
		return true;
	fmpd_log(FMPD_WARNING, "control", "%s is not blocked for set %s, which has it too: %s",
		 fmp_addr_format(source, addr, sizeof(addr)), set, err.message);
	return false;
}

/* Does the request leave other sets alone? One for all blocks, or all by hand, ends their members, too. */
static bool keeps_members(const struct unblock_job *s)
{
	return *s->set || (s->has_manual && !s->manual);
}

/* Return: the job is done. */
static bool end_step(struct fmpd_plane *p, struct unblock_job *s)
{
	uint64_t now = fmpd_now_ms();
	struct fmpd_record *r = NULL;

	fmpd_plane_flush(p);
	for (unsigned looks = 0, ends = 0; looks < LOOKS_PER_TURN && ends < ENDS_PER_TURN;
	     looks++) {
		struct fmp_decision d;

		r = fmpd_table_cursor_next(p->table, FMPD_CURSOR_UNBLOCK_ALL);
		if (!r)
			break;
		if (!is_selected(p, s, r))
			continue;
		if (keeps_members(s) && plane_block_for_next_set(p, &r->d.source)) {
			ends++;
			continue;
		}
		if (fmp_engine_unblock(p->engine, &r->d.source, s->reason, now, &d))
			continue;
		plane_queue_unblock(p, &d);
		s->ended++;
		ends++;
	}
	fmpd_plane_flush(p);
	return !r;
}

static void finish_first(struct fmpd_plane *p, struct plane_unblock_jobs *all)
{
	const struct unblock_job done = all->v[0];

	all->begun = false;
	all->n--;
	memmove(&all->v[0], &all->v[1], all->n * sizeof(all->v[0]));
	if (p->hooks.on_unblocked)
		p->hooks.on_unblocked(p->hooks.ctx, done.number, done.ended);
}

static void on_turn(evutil_socket_t fd, short what, void *ctx)
{
	struct fmpd_plane *p = ctx;
	struct plane_unblock_jobs *all = p->unblock_jobs;

	if (!all->begun)
		fmpd_table_cursor_rewind(p->table, FMPD_CURSOR_UNBLOCK_ALL);
	all->begun = true;
	if (end_step(p, &all->v[0]))
		finish_first(p, all);
	if (all->n && fmp_evtimer_arm(all->turn, 0))
		fmpd_log(FMPD_ERROR, "control", "no memory for an event: not all blocks end");
}

static struct plane_unblock_jobs *get_jobs(struct fmpd_plane *p)
{
	if (!p->unblock_jobs)
		p->unblock_jobs = calloc(1, sizeof(*p->unblock_jobs));
	if (p->unblock_jobs && !p->unblock_jobs->turn)
		p->unblock_jobs->turn = evtimer_new(p->base, on_turn, p);
	return p->unblock_jobs && p->unblock_jobs->turn ? p->unblock_jobs : NULL;
}

int fmpd_plane_unblock_all(struct fmpd_plane *p, const struct fmpd_unblock_all_request *which,
			   const char *reason, uint64_t *number, struct fmp_error *err)
{
	struct plane_unblock_jobs *all = get_jobs(p);
	struct unblock_job *s;

	if (!all)
		return fmp_error_set(err, FMP_ERR_NOMEM, "no memory");
	if (all->n == JOBS_MAX)
		return fmp_error_set(err, FMP_ERR_LIMIT, "too many flush already");
	plane_startup_finish(p);
	fmpd_plane_flush(p);
	if (which->set && *which->set)
		fmpd_set_members_remove_set(p->set_members, which->set, which->except_kept);
	else if (!which->has_manual || which->manual)
		fmpd_set_members_remove_set(p->set_members, "", false);
	if (fmp_evtimer_arm(all->turn, 0))
		return fmp_error_set(err, FMP_ERR_NOMEM, "no memory for an event");
	s = &all->v[all->n++];
	*s = (struct unblock_job){ .number = ++p->n_unblock_jobs,
				   .newest_id = fmpd_table_newest_id(p->table),
				   .has_manual = which->has_manual,
				   .manual = which->manual,
				   .except_kept = which->except_kept };
	snprintf(s->set, sizeof(s->set), "%s", which->set ? which->set : "");
	snprintf(s->reason, sizeof(s->reason), "%s",
		 reason && *reason ? reason : "flushed by hand");
	*number = s->number;
	return 0;
}

bool plane_unblock_all_pending(const struct fmpd_plane *p)
{
	return p->unblock_jobs && p->unblock_jobs->n;
}

void plane_unblock_all_free(struct fmpd_plane *p)
{
	if (p->unblock_jobs && p->unblock_jobs->turn)
		event_free(p->unblock_jobs->turn);
	free(p->unblock_jobs);
	p->unblock_jobs = NULL;
}
