// SPDX-License-Identifier: GPL-2.0
/*
 * What was before this fmpd: first the state file's rows, then the kernel's rules, each some
 * hundred at a time between the turns of the event loop, so that detection waits for neither. Until
 * all is known nothing is compared, and no state is written.
 */
#include "plane_private.h"

#include <stdlib.h>

#include "../common/clock.h"
#include "../common/log.h"

/* Rows, rules, or blocks of one step: about a millisecond. */
#define STEP	     256u
/* After what went wrong for want of memory. */
#define TRY_AGAIN_MS 1000

enum phase {
	ROWS, /* of the state file */
	RULES, /* of the kernel are read, */
	FOUND, /* and told apart: */
	BLOCKS /* what nobody knows is adopted */
};

struct plane_resume {
	enum phase phase;
	struct plane_restore *restore; /* NULL: no state, or all of it is known */
	struct plane_found found;
	struct event *turn;
};

static void take_rows(struct plane_resume *r, size_t n)
{
	if (r->restore && !plane_restore_some(r->restore, n))
		return;
	plane_restore_free(r->restore);
	r->restore = NULL;
	r->phase = RULES;
}

static int read_rules(struct fmpd_plane *p, struct plane_resume *r, struct fmp_error *err)
{
	int rc;

	plane_found_free(&r->found);
	if (!p->survey) {
		rc = plane_survey_begin(p, true, err);
		if (rc)
			return rc;
	}
	rc = fmp_snapshot_step(p->survey, fmpd_now_ms(), err);
	if (rc == 1)
		r->phase = FOUND;
	return rc < 0 ? rc : 0;
}

/* Return: 1 all is known, 0 more is to come, or why this step can't be done now. */
static int step(struct fmpd_plane *p, struct plane_resume *r, struct fmp_error *err)
{
	int rc;

	/* The layers were made anew, for other devices: they are read anew. */
	if (r->phase > RULES && !p->survey)
		r->phase = RULES;
	switch (r->phase) {
	case ROWS:
		take_rows(r, STEP);
		return 0;
	case RULES:
		return read_rules(p, r, err);
	case FOUND:
		rc = plane_found_some(p, &r->found, STEP, err);
		if (rc == 1) {
			rc = plane_found_merge(p, &r->found, err);
			r->phase = rc ? FOUND : BLOCKS;
		}
		return rc;
	case BLOCKS:
		return plane_adopt_some(p, &r->found, STEP);
	}
	return 1;
}

static void tell(const struct fmpd_plane *p)
{
	if (p->hooks.on_known)
		p->hooks.on_known(p->hooks.ctx);
}

/* Adopted blocks may be on one layer only: compared at once. */
static void done(struct fmpd_plane *p)
{
	plane_resume_free(p);
	p->reconcile_due_ms = p->options.layers ? fmpd_now_ms() : UINT64_MAX;
	plane_feed_resumed(p);
	plane_fit(p);
	plane_rearm(p);
	tell(p);
}

static void on_turn(evutil_socket_t fd, short what, void *ctx)
{
	struct timeval wait = { 0, 0 };
	struct fmpd_plane *p = ctx;
	struct fmp_error err;
	int rc = step(p, p->resume, &err);

	if (rc == 1) {
		done(p);
		return;
	}
	if (rc < 0) {
		fmpd_log_error(FMPD_ERROR, "adopt", "what is in force is not known yet", &err);
		wait.tv_sec = TRY_AGAIN_MS / 1000;
		tell(p);
	}
	event_add(p->resume->turn, &wait);
}

void plane_resume_finish(struct fmpd_plane *p)
{
	struct fmp_error err;
	int rc = 0;

	if (!p->resume)
		return;
	while (!rc)
		rc = step(p, p->resume, &err);
	if (rc == 1)
		done(p);
}

void plane_resume_know(struct fmpd_plane *p, const struct fmp_addr *source)
{
	if (p->resume && p->resume->restore)
		plane_restore_source(p->resume->restore, source);
}

int plane_resume_begin(struct fmpd_plane *p, struct fmp_error *err)
{
	struct plane_resume *r = calloc(1, sizeof(*r));
	int rc;

	if (!r)
		return fmp_error_set(err, FMP_ERR_NOMEM, "no memory");
	p->resume = r;
	r->restore = plane_restore_open(p);
	p->first_id = (r->restore ? plane_restore_max_id(r->restore) : 0) + 1;
	rc = fmp_engine_new(p->policy, p->seed, p->first_id, &p->engine, err);
	if (rc)
		return rc;
	fmp_engine_set_jitter(p->engine, p->seed);
	fmp_engine_set_protect_check(p->engine, plane_spares, p);
	fmp_engine_set_mac_siblings(p->engine, plane_kin, p);
	p->book = fmpd_book_new(p->seed);
	if (!p->book)
		return fmp_error_set(err, FMP_ERR_NOMEM, "no memory");
	return 0;
}

int plane_resume_run(struct fmpd_plane *p, struct fmp_error *err)
{
	const struct timeval at_once = { 0, 0 };

	p->resume->turn = evtimer_new(p->base, on_turn, p);
	if (!p->resume->turn || event_add(p->resume->turn, &at_once))
		return fmp_error_set(err, FMP_ERR_NOMEM, "no memory for an event");
	return 0;
}

void plane_resume_free(struct fmpd_plane *p)
{
	struct plane_resume *r = p->resume;

	p->resume = NULL;
	if (!r)
		return;
	if (r->turn)
		event_free(r->turn);
	plane_restore_free(r->restore);
	plane_found_free(&r->found);
	free(r);
}
