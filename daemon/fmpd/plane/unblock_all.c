// SPDX-License-Identifier: GPL-2.0
/* All blocks end, at somebody's word: some a turn of the event loop, so that others are not kept waiting. */
#include "plane_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/clock.h"
#include "../common/log.h"

/* Of one turn: blocks that end, and such as are looked at for it. */
#define ENDS_STEP  64u
#define LOOKS_STEP 1024u
#define SWEEPS_MAX 20u /* one goes on, the others wait for it */

/* What somebody asked for. */
struct sweep {
	uint64_t number, newest_id, ended;
	bool has_manual, manual, but_kept;
	char set[FMP_SET_NAME_MAX];
	char reason[sizeof(((struct fmp_decision *)0)->reason)];
};

struct plane_sweeps {
	struct sweep v[SWEEPS_MAX];
	unsigned n;
	bool begun; /* the first of them */
	struct event *turn;
};

/* One that was taken since is not meant. */
static bool is_meant(const struct fmpd_plane *p, const struct sweep *s, const struct fmpd_record *r)
{
	if (r->d.id > s->newest_id || (s->has_manual && r->d.manual != s->manual))
		return false;
	return !*s->set ||
	       (!strcmp(s->set, fmpd_book_set(p->book, r)) && !(s->but_kept && r->d.stays));
}

void fmpd_plane_set_keep(struct fmpd_plane *p, const char *set, const struct fmp_addr *addr)
{
	struct fmpd_record *r = addr ? fmpd_book_find(p->book, addr) : fmpd_book_first(p->book);

	fmpd_holders_keep(p->holders, set, addr);
	for (; r; r = addr ? NULL : fmpd_book_next(r))
		if (r->in_force && !strcmp(set, fmpd_book_set(p->book, r)))
			r->d.stays = addr != NULL;
}

bool plane_hand_over(struct fmpd_plane *p, const struct fmp_addr *source)
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

	if (!fmpd_holders_take(p->holders, source, now, set, &end_ms))
		return false;
	req.duration_ms = end_ms == UINT64_MAX ? 0 : end_ms - now;
	snprintf(reason, sizeof(reason), "in the list of set %s, too", set);
	if (!fmpd_plane_decide(p, &req, &err))
		return true;
	fmpd_log(FMPD_WARNING, "control", "%s is not blocked for set %s, which has it too: %s",
		 fmp_addr_format(source, addr, sizeof(addr)), set, err.message);
	return false;
}

/* All is meant, or all by hand: so are those whose lists have it. */
static bool leaves_others(const struct sweep *s)
{
	return *s->set || (s->has_manual && !s->manual);
}

/* Return: these were all. */
static bool end_some(struct fmpd_plane *p, struct sweep *s)
{
	uint64_t now = fmpd_now_ms();
	struct fmpd_record *r = NULL;

	fmpd_plane_flush(p);
	for (unsigned looks = 0, ends = 0; looks < LOOKS_STEP && ends < ENDS_STEP; looks++) {
		struct fmp_decision d;

		r = fmpd_book_walk_next(p->book, FMPD_WALK_SWEEP);
		if (!r)
			break;
		if (!is_meant(p, s, r))
			continue;
		if (leaves_others(s) && plane_hand_over(p, &r->d.source)) {
			ends++;
			continue;
		}
		if (fmp_engine_unblock(p->engine, &r->d.source, s->reason, now, &d))
			continue;
		plane_release(p, &d);
		s->ended++;
		ends++;
	}
	fmpd_plane_flush(p);
	return !r;
}

static void tell_first(struct fmpd_plane *p, struct plane_sweeps *all)
{
	const struct sweep done = all->v[0];

	all->begun = false;
	all->n--;
	memmove(&all->v[0], &all->v[1], all->n * sizeof(all->v[0]));
	if (p->hooks.on_unblocked)
		p->hooks.on_unblocked(p->hooks.ctx, done.number, done.ended);
}

static void on_turn(evutil_socket_t fd, short what, void *ctx)
{
	const struct timeval at_once = { 0, 0 };
	struct fmpd_plane *p = ctx;
	struct plane_sweeps *all = p->sweeps;

	if (!all->begun)
		fmpd_book_walk(p->book, FMPD_WALK_SWEEP);
	all->begun = true;
	if (end_some(p, &all->v[0]))
		tell_first(p, all);
	if (all->n && event_add(all->turn, &at_once))
		fmpd_log(FMPD_ERROR, "control", "no memory for an event: not all blocks end");
}

static struct plane_sweeps *sweeps_of(struct fmpd_plane *p)
{
	if (!p->sweeps)
		p->sweeps = calloc(1, sizeof(*p->sweeps));
	if (p->sweeps && !p->sweeps->turn)
		p->sweeps->turn = evtimer_new(p->base, on_turn, p);
	return p->sweeps && p->sweeps->turn ? p->sweeps : NULL;
}

int fmpd_plane_unblock_all(struct fmpd_plane *p, const struct fmpd_sweep_request *which,
			   const char *reason, uint64_t *number, struct fmp_error *err)
{
	const struct timeval at_once = { 0, 0 };
	struct plane_sweeps *all = sweeps_of(p);
	struct sweep *s;

	if (!all)
		return fmp_error_set(err, FMP_ERR_NOMEM, "no memory");
	if (all->n == SWEEPS_MAX)
		return fmp_error_set(err, FMP_ERR_LIMIT, "too many flush already");
	plane_resume_finish(p);
	fmpd_plane_flush(p);
	if (which->set && *which->set)
		fmpd_holders_drop(p->holders, which->set, which->but_kept);
	else if (!which->has_manual || which->manual)
		fmpd_holders_drop(p->holders, "", false);
	if (event_add(all->turn, &at_once))
		return fmp_error_set(err, FMP_ERR_NOMEM, "no memory for an event");
	s = &all->v[all->n++];
	*s = (struct sweep){ .number = ++p->sweeps_asked,
			     .newest_id = fmpd_book_newest_id(p->book),
			     .has_manual = which->has_manual,
			     .manual = which->manual,
			     .but_kept = which->but_kept };
	snprintf(s->set, sizeof(s->set), "%s", which->set ? which->set : "");
	snprintf(s->reason, sizeof(s->reason), "%s",
		 reason && *reason ? reason : "flushed by hand");
	*number = s->number;
	return 0;
}

bool plane_sweeps_pending(const struct fmpd_plane *p)
{
	return p->sweeps && p->sweeps->n;
}

void plane_sweeps_free(struct fmpd_plane *p)
{
	if (p->sweeps && p->sweeps->turn)
		event_free(p->sweeps->turn);
	free(p->sweeps);
	p->sweeps = NULL;
}
