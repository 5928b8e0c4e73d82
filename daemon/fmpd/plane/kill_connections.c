// SPDX-License-Identifier: GPL-2.0
/*
 * End open connections of blocked sources: kill those of this machine (SOCK_DESTROY), and flush those that a flowtable
 * forwards. To find them the kernel dumps all its connections, so one dump
 * serves many sources, and decisions never wait for it: the frames of these sources are dropped already.
 */
#include "plane_private.h"

#include <stdlib.h>

#include <fmp/internal/evtimer.h>

#include "../common/clock.h"
#include "../common/log.h"
#include "../table/covering_block.h"

#define KILLS_MAX	 4096u
/* Pause between two dumps; the first is in the next turn of the event loop. */
#define KILL_PAUSE_MS	 50u
/* The pause is longer by this many times the CPU time of the dump: with a large connection table an empty dump takes
 * milliseconds, and fewer than one message in a hundred may wait for it. */
#define KILL_PAUSE_COSTS 128u

struct plane_kill {
	struct fmp_addr source;
	uint16_t dest_port; /* 0: all */
};

/* Is the peer of a connection blocked now? */
static bool is_blocked_peer(const struct fmp_addr *peer, uint16_t local_port, void *ctx)
{
	const struct fmpd_plane *p = ctx;

	for (size_t i = 0; i < p->n_kills; i++) {
		const struct plane_kill *c = &p->kills[i];

		if ((!c->dest_port || c->dest_port == local_port) &&
		    fmp_addr_contains(&c->source, peer) && !fmp_protect_check(p->protect, peer))
			return true;
	}
	return false;
}

/* Blocks that have ended in the meantime kill nothing. */
static void drop_ended(struct fmpd_plane *p)
{
	size_t kept = 0;

	for (size_t i = 0; i < p->n_kills; i++) {
		const struct fmpd_record *r =
			fmpd_table_lookup_exact(p->table, &p->kills[i].source);

		if (r && r->in_force)
			p->kills[kept++] = p->kills[i];
	}
	p->n_kills = kept;
}

void plane_kill_connections_now(struct fmpd_plane *p)
{
	uint64_t began = fmpd_cpu_ns();
	struct fmp_error err;
	size_t n_killed = 0;
	int rc = 0;

	drop_ended(p);
	if (p->n_kills)
		rc = fmp_kill_connections(is_blocked_peer, p, &n_killed, &err);
	if (n_killed)
		fmpd_log(FMPD_NOTICE, "cut", "%zu open connections of blocked sources are cut",
			 n_killed);
	/* If the kernel lacks it, or we lack the right, it will not work later either. */
	p->kill_unsupported = rc == FMP_ERR_UNSUPPORTED || rc == FMP_ERR_DENIED;
	if (rc)
		fmpd_log_error(FMPD_WARNING, "cut",
			       "open connections of blocked sources are not cut", &err);
	free(p->kills);
	p->kills = NULL;
	p->n_kills = p->cap_kills = 0;
	p->kill_after_ms = fmpd_now_ms() + KILL_PAUSE_MS +
			   (fmpd_cpu_ns() - began) * KILL_PAUSE_COSTS / 1000000;
}

static void on_kill_turn(evutil_socket_t fd, short what, void *ctx)
{
	plane_kill_connections_now(ctx);
}

/* Return: the timer is set. */
static bool schedule_turn(struct fmpd_plane *p)
{
	uint64_t now = fmpd_now_ms(), wait = p->kill_after_ms > now ? p->kill_after_ms - now : 0;

	if (!p->kill_turn && p->base)
		p->kill_turn = evtimer_new(p->base, on_kill_turn, p);
	return p->kill_turn && !fmp_evtimer_arm(p->kill_turn, wait);
}

void plane_kill_connections_later(struct fmpd_plane *p, const struct fmpd_record *r)
{
	if (!fmp_enforcer_layers(p->enforcer) || p->kill_unsupported)
		return;
	if (p->n_kills == p->cap_kills) {
		size_t cap = p->cap_kills ? 2 * p->cap_kills : 16;
		struct plane_kill *more = reallocarray(p->kills, cap, sizeof(*more));

		if (!more)
			return;
		p->kills = more;
		p->cap_kills = cap;
	}
	p->kills[p->n_kills++] = (struct plane_kill){ r->d.source, r->d.dest_port };
	if (p->n_kills == KILLS_MAX || (p->n_kills == 1 && !schedule_turn(p)))
		plane_kill_connections_now(p);
}

void plane_kill_connections_free(struct fmpd_plane *p)
{
	if (p->n_kills)
		plane_kill_connections_now(p);
	if (p->kill_turn)
		event_free(p->kill_turn);
	free(p->kills);
}

/* ---- flowtables ---- */

/*
 * A flowtable takes frames at netdev ingress, before the layer ip; only the connections that it forwards pass by. The
 * peer's own frames may bring a connection to the flowtable that was not in it, or not any more, when its source was
 * blocked. So where there is one, fmpd looks again and again: sooner if it found a connection of a blocked source.
 */
#define FLOWS_AGAIN_MS	1000u
#define FLOWS_SOON_MS	200u
/* Out of memory, for one: each failure is a line in the log. */
#define FLOWS_FAILED_MS 10000u

/* A pair stops the frames of its MAC only: has another device got the address meanwhile? */
static bool is_other_device(const struct fmpd_plane *p, const struct fmpd_record *r,
			    const struct fmp_addr *source)
{
	struct fmp_addr mac, pair = fmpd_packed_pair_mac(&r->d);

	return pair.family && !fmp_net_neighbour_mac(p->net, source, &mac) &&
	       !fmp_addr_equal(&mac, &pair);
}

static bool is_blocked_source(const struct fmp_addr *source, uint16_t dest_port, void *ctx)
{
	const struct fmpd_plane *p = ctx;
	struct fmpd_record *r = NULL;

	while ((r = fmpd_covering_ip_block(p->table, r, source, dest_port)) != NULL)
		if (!is_other_device(p, r, source))
			return !fmp_protect_check(p->protect, source);
	return false;
}

static void on_flows_turn(evutil_socket_t fd, short what, void *ctx)
{
	struct fmpd_plane *p = ctx;
	uint64_t began = fmpd_cpu_ns(), pause, again;
	struct fmp_flushed flows;
	struct fmp_error err;
	int rc;

	/* Without blocks only to see whether there is a flowtable. */
	if (p->policy->block.observe || (p->has_flowtable && !fmpd_table_in_force(p->table)))
		return;
	rc = fmp_flush_flows(is_blocked_source, p, &flows, &err);
	p->has_flowtable |= flows.offloaded != 0;
	pause = (fmpd_cpu_ns() - began) * KILL_PAUSE_COSTS / 1000000;
	again = rc ? FLOWS_FAILED_MS : flows.flushed ? FLOWS_SOON_MS : FLOWS_AGAIN_MS;
	p->flows_after_ms = fmpd_now_ms() + KILL_PAUSE_MS + pause;
	if (flows.flushed)
		fmpd_log(FMPD_NOTICE, "flows",
			 "%zu connections of blocked sources are taken out of flowtables",
			 flows.flushed);
	/* If the kernel lacks it, or we lack the right, it will not work later either. */
	p->flows_unsupported = rc == FMP_ERR_UNSUPPORTED || rc == FMP_ERR_DENIED;
	if (rc)
		fmpd_log_error(FMPD_WARNING, "flows",
			       "connections of blocked sources may stay in flowtables", &err);
	/* Not known whether there is a flowtable, or one that has flows still. */
	if (!p->flows_unsupported && (rc || p->has_flowtable) &&
	    fmp_evtimer_arm(p->flows_turn, again > pause ? again : pause))
		fmpd_log(FMPD_WARNING, "flows", "no memory for an event");
}

void plane_flush_flows_later(struct fmpd_plane *p)
{
	uint64_t now = fmpd_now_ms(), wait = p->flows_after_ms > now ? p->flows_after_ms - now : 0;
	const unsigned ip = FMP_LAYER_BIT(FMP_LAYER_IP);

	if (!(fmp_enforcer_layers(p->enforcer) & ip) || p->flows_unsupported)
		return;
	if (!p->flows_turn && p->base)
		p->flows_turn = evtimer_new(p->base, on_flows_turn, p);
	if (p->flows_turn && fmp_evtimer_arm(p->flows_turn, wait))
		fmpd_log(FMPD_WARNING, "flows", "no memory for an event");
}

void plane_flush_flows_free(struct fmpd_plane *p)
{
	if (p->flows_turn)
		event_free(p->flows_turn);
}
