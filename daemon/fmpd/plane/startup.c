// SPDX-License-Identifier: GPL-2.0
/*
 * Start-up: restore the rows of the state file, then adopt the kernel's rules, some hundred at a time between turns
 * of the event loop, so that detection does not wait. Until all is known nothing is compared, and no state is
 * written.
 */
#include "plane_private.h"

#include <stdlib.h>

#include <fmp/internal/evtimer.h>

#include "../common/clock.h"
#include "../common/log.h"

/* Rows, rules or blocks of one step: about a millisecond. */
#define STEP	     256u
/* After a step failed, for example without memory. */
#define TRY_AGAIN_MS 1000

enum startup_phase {
	RESTORE_ROWS, /* of the state file */
	READ_RULES, /* of the kernel */
	COLLECT_FOUND, /* keep rules that the table does not know */
	ADOPT_BLOCKS /* make blocks of them */
};

struct plane_startup {
	enum startup_phase startup_phase;
	struct plane_restore *restore; /* NULL: no state file, or all of it is restored */
	struct plane_found found;
	struct event *turn;
	void (*on_done)(struct fmpd_plane *p);
};

static void restore_rows(struct plane_startup *r, size_t n)
{
	if (r->restore && !plane_restore_some(r->restore, n))
		return;
	plane_restore_free(r->restore);
	r->restore = NULL;
	r->startup_phase = READ_RULES;
}

static int read_rules(struct fmpd_plane *p, struct plane_startup *r, struct fmp_error *err)
{
	int rc;

	plane_found_free(&r->found);
	if (!p->snapshot) {
		rc = plane_snapshot_begin(p, true, err);
		if (rc)
			return rc;
	}
	rc = fmp_snapshot_step(p->snapshot, fmpd_now_ms(), err);
	if (rc == 1)
		r->startup_phase = COLLECT_FOUND;
	return rc < 0 ? rc : 0;
}

/* Return: 1 all is known, 0 there is more, or why this step failed. */
static int run_step(struct fmpd_plane *p, struct plane_startup *r, struct fmp_error *err)
{
	int rc;

	/* The enforcer was opened anew, for other devices: read the layers again. */
	if (r->startup_phase > READ_RULES && !p->snapshot)
		r->startup_phase = READ_RULES;
	switch (r->startup_phase) {
	case RESTORE_ROWS:
		restore_rows(r, STEP);
		return 0;
	case READ_RULES:
		return read_rules(p, r, err);
	case COLLECT_FOUND:
		rc = plane_found_collect(p, &r->found, STEP, err);
		if (rc == 1) {
			rc = plane_found_merge(p, &r->found, err);
			r->startup_phase = rc ? COLLECT_FOUND : ADOPT_BLOCKS;
		}
		return rc;
	case ADOPT_BLOCKS:
		return plane_adopt_some(p, &r->found, STEP);
	}
	return 1;
}

/* plane.c goes on from here: what is above start-up is not known to it. */
static void end_startup(struct fmpd_plane *p)
{
	void (*on_done)(struct fmpd_plane *) = p->startup->on_done;

	plane_startup_free(p);
	on_done(p);
}

static void on_turn(evutil_socket_t fd, short what, void *ctx)
{
	struct fmpd_plane *p = ctx;
	struct fmp_error err;
	int rc = run_step(p, p->startup, &err);
	uint64_t wait_ms = 0;

	if (rc == 1) {
		end_startup(p);
		return;
	}
	if (rc < 0) {
		fmpd_log_error(FMPD_ERROR, "adopt", "what is in force is not known yet", &err);
		wait_ms = TRY_AGAIN_MS;
		if (p->hooks.on_restored)
			p->hooks.on_restored(p->hooks.ctx);
	}
	fmp_evtimer_arm(p->startup->turn, wait_ms);
}

void plane_startup_finish(struct fmpd_plane *p)
{
	struct fmp_error err;
	int rc = 0;

	if (!p->startup)
		return;
	while (!rc)
		rc = run_step(p, p->startup, &err);
	if (rc == 1)
		end_startup(p);
}

void plane_startup_restore_source(struct fmpd_plane *p, const struct fmp_addr *source)
{
	if (p->startup && p->startup->restore)
		plane_restore_source(p->startup->restore, source);
}

/* For the engine. The MAC's row is restored before the engine looks at it. */
static bool find_mac_sibling(const struct fmp_addr *addr, const struct fmp_event *by,
			     struct fmp_addr *mac, void *ctx)
{
	struct fmpd_plane *p = ctx;

	if (!plane_find_mac_sibling(p, addr, by, mac))
		return false;
	plane_startup_restore_source(p, mac);
	return true;
}

int plane_startup_begin(struct fmpd_plane *p, void (*on_done)(struct fmpd_plane *p),
			struct fmp_error *err)
{
	struct plane_startup *r = calloc(1, sizeof(*r));
	int rc;

	if (!r)
		return fmp_error_set(err, FMP_ERR_NOMEM, "no memory");
	p->startup = r;
	r->on_done = on_done;
	r->restore = plane_restore_open(p);
	p->first_id = (r->restore ? plane_restore_max_id(r->restore) : 0) + 1;
	rc = fmp_engine_new(p->policy, p->seed, p->first_id, &p->engine, err);
	if (rc)
		return rc;
	fmp_engine_set_jitter(p->engine, p->seed);
	fmp_engine_set_protect_check(p->engine, plane_is_protected, p);
	fmp_engine_set_mac_siblings(p->engine, find_mac_sibling, p);
	p->table = fmpd_table_new(p->seed);
	if (!p->table)
		return fmp_error_set(err, FMP_ERR_NOMEM, "no memory");
	return 0;
}

int plane_startup_run(struct fmpd_plane *p, struct fmp_error *err)
{
	p->startup->turn = evtimer_new(p->base, on_turn, p);
	if (!p->startup->turn || fmp_evtimer_arm(p->startup->turn, 0))
		return fmp_error_set(err, FMP_ERR_NOMEM, "no memory for an event");
	return 0;
}

void plane_startup_free(struct fmpd_plane *p)
{
	struct plane_startup *r = p->startup;

	p->startup = NULL;
	if (!r)
		return;
	if (r->turn)
		event_free(r->turn);
	plane_restore_free(r->restore);
	plane_found_free(&r->found);
	free(r);
}
