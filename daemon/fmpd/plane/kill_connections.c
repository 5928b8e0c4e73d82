// SPDX-License-Identifier: GPL-2.0
/*
 * Open connections of blocked sources. To find them the kernel tells of all that there are, so it
 * is done for many sources in one go, behind their decisions and never in front of the next ones:
 * their frames are dropped already.
 */
#include "plane_private.h"

#include <stdlib.h>

#include "../common/clock.h"
#include "../common/log.h"

#define CUTS_MAX	4096u
/* From one time to the next; the first is in the next turn of the event loop. */
#define CUT_PAUSE_MS	50u
/* And so many times what it cost: a machine that has room for many connections takes milliseconds to
 * tell of none, and fewer than one message in a hundred may have to wait for that. */
#define CUT_PAUSE_COSTS 128u

struct plane_cut {
	struct fmp_addr source;
	uint16_t dest_port; /* 0: all */
};

/* Is the peer of a connection a source that is blocked now? */
static bool wanted(const struct fmp_addr *peer, uint16_t local_port, void *ctx)
{
	const struct fmpd_plane *p = ctx;

	for (size_t i = 0; i < p->n_cuts; i++) {
		const struct plane_cut *c = &p->cuts[i];

		if ((!c->dest_port || c->dest_port == local_port) &&
		    fmp_addr_contains(&c->source, peer) && !fmp_protect_check(p->protect, peer))
			return true;
	}
	return false;
}

/* A block that ended in the meantime cuts nothing. */
static void leave_out_ended(struct fmpd_plane *p)
{
	size_t kept = 0;

	for (size_t i = 0; i < p->n_cuts; i++) {
		const struct fmpd_record *r = fmpd_book_find(p->book, &p->cuts[i].source);

		if (r && r->in_force)
			p->cuts[kept++] = p->cuts[i];
	}
	p->n_cuts = kept;
}

void plane_cut_now(struct fmpd_plane *p)
{
	uint64_t began = fmpd_cpu_ns();
	struct fmp_error err;
	size_t cut = 0;
	int rc = 0;

	leave_out_ended(p);
	if (p->n_cuts)
		rc = fmp_kill_connections(wanted, p, &cut, &err);
	if (cut)
		fmpd_log(FMPD_NOTICE, "cut", "%zu open connections of blocked sources are cut",
			 cut);
	/* What the kernel can't do once it never can. */
	p->cut_told = rc == FMP_ERR_UNSUPPORTED || rc == FMP_ERR_DENIED;
	if (rc)
		fmpd_log_error(FMPD_WARNING, "cut",
			       "open connections of blocked sources are not cut", &err);
	free(p->cuts);
	p->cuts = NULL;
	p->n_cuts = p->cap_cuts = 0;
	p->cut_again_ms =
		fmpd_now_ms() + CUT_PAUSE_MS + (fmpd_cpu_ns() - began) * CUT_PAUSE_COSTS / 1000000;
}

static void on_cut(evutil_socket_t fd, short what, void *ctx)
{
	plane_cut_now(ctx);
}

/* Return: is it waited for? */
static bool wait_for_turn(struct fmpd_plane *p)
{
	uint64_t now = fmpd_now_ms(), wait = p->cut_again_ms > now ? p->cut_again_ms - now : 0;
	struct timeval tv = { (time_t)(wait / 1000), (suseconds_t)(wait % 1000) * 1000 };

	if (!p->cut_turn && p->base)
		p->cut_turn = evtimer_new(p->base, on_cut, p);
	return p->cut_turn && !event_add(p->cut_turn, &tv);
}

void plane_cut_later(struct fmpd_plane *p, const struct fmpd_record *r)
{
	if (!fmp_enforcer_layers(p->enforcer) || p->cut_told)
		return;
	if (p->n_cuts == p->cap_cuts) {
		size_t cap = p->cap_cuts ? 2 * p->cap_cuts : 16;
		struct plane_cut *more = reallocarray(p->cuts, cap, sizeof(*more));

		if (!more)
			return;
		p->cuts = more;
		p->cap_cuts = cap;
	}
	p->cuts[p->n_cuts++] = (struct plane_cut){ r->d.source, r->d.dest_port };
	if (p->n_cuts == CUTS_MAX || (p->n_cuts == 1 && !wait_for_turn(p)))
		plane_cut_now(p);
}

void plane_cut_free(struct fmpd_plane *p)
{
	if (p->n_cuts)
		plane_cut_now(p);
	if (p->cut_turn)
		event_free(p->cut_turn);
	free(p->cuts);
}
