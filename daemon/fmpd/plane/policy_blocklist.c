// SPDX-License-Identifier: GPL-2.0
/*
 * Load the blocklists of the policy when it comes into force, some addresses in each turn of the event loop, so that
 * events do not wait. Each list is a named set: blocks of addresses that the list no longer has end, blocks of other
 * origin stay.
 */
#include "plane_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fmp/internal/evtimer.h>

#include "../common/log.h"

#define ADDRESSES_PER_TURN 256u
#define WAIT_MS		   20

struct plane_blocklist_load {
	struct event *turn;
	size_t list, at; /* the next address: its list, and its index there */
	size_t refused; /* addresses of this list that are not blocked */
	bool begun; /* the unblock-all for this list was started */
	struct fmp_error why; /* of the first refused address */
};

static void rearm_turn(struct plane_blocklist_load *l, unsigned wait_ms)
{
	if (fmp_evtimer_arm(l->turn, wait_ms))
		fmpd_log(FMPD_ERROR, "policy", "no memory for an event: a blocklist is not loaded");
}

/* End blocks of the set whose addresses the list does not have. */
static void end_absent(struct fmpd_plane *p, const struct fmp_policy_blocklist *b)
{
	const struct fmpd_unblock_all_request which = { .set = b->set, .except_kept = true };
	struct fmp_error err;
	uint64_t number;

	fmpd_plane_set_keep(p, b->set, NULL);
	for (size_t i = 0; i < b->list.n; i++)
		fmpd_plane_set_keep(p, b->set, &b->list.addr[i]);
	if (fmpd_plane_unblock_all(p, &which, "no longer in the list of its set", &number, &err))
		fmpd_log_error(FMPD_WARNING, "policy", "blocks of a list do not end", &err);
}

static void block_address(struct fmpd_plane *p, struct plane_blocklist_load *l,
			  const struct fmp_policy_blocklist *b, size_t i)
{
	char reason[sizeof(((struct fmp_decision *)0)->reason)];
	struct fmpd_block_request req = {
		.addr = b->list.addr[i],
		.has_duration = true,
		.duration_ms = b->list.ms[i] == FMP_BLOCKLIST_NO_TIME ? b->for_ms : b->list.ms[i],
		.reason = reason,
		.set = b->set,
		.import = true,
	};
	struct fmp_error err;
	int rc;

	snprintf(reason, sizeof(reason), "listed in %.140s", b->file);
	rc = fmpd_plane_queue_block(p, &req, &err);
	if (rc && rc != FMP_ERR_EXISTS && !l->refused++)
		l->why = err;
}

static void log_loaded(const struct plane_blocklist_load *l, const struct fmp_policy_blocklist *b)
{
	fmpd_log(FMPD_NOTICE, "policy", "blocklist %s (set %s): %zu addresses", b->file, b->set,
		 b->list.n);
	if (l->refused)
		fmpd_log(FMPD_WARNING, "policy", "blocklist %s: %zu of %zu are not blocked: %s",
			 b->file, l->refused, b->list.n, l->why.message);
}

static void on_turn(evutil_socket_t fd, short what, void *ctx)
{
	struct fmpd_plane *p = ctx;
	struct plane_blocklist_load *l = p->blocklist_load;
	const struct fmp_policy_blocklist *b = &p->policy->blocklists[l->list];

	/* Wait for start-up: blocks that are not restored yet would look like blocks of others. Wait for unblock-all, too:
	 * a full table then has room for the new addresses. */
	if (p->startup || plane_unblock_all_pending(p)) {
		rearm_turn(l, WAIT_MS);
		return;
	}
	if (!l->begun) {
		end_absent(p, b);
		l->begun = true;
		rearm_turn(l, 0);
		return;
	}
	fmpd_plane_flush(p);
	for (size_t n = 0; n < ADDRESSES_PER_TURN && l->at < b->list.n; n++)
		block_address(p, l, b, l->at++);
	fmpd_plane_flush(p);
	if (l->at == b->list.n) {
		log_loaded(l, b);
		l->at = l->refused = 0;
		l->begun = false;
		l->list++;
	}
	if (l->list < p->policy->n_blocklists)
		rearm_turn(l, 0);
}

/* End the blocks of a set for which the policy no longer has a list. */
static void end_set(struct fmpd_plane *p, const char *set)
{
	const struct fmpd_unblock_all_request which = { .set = set };
	struct fmp_error err;
	struct fmpd_sets *ending = &p->ending;
	uint64_t number;

	if (!plane_unblock_all_pending(p))
		ending->n = 0;
	if (ending->n < FMPD_SETS_MAX)
		snprintf(ending->name[ending->n++], FMP_SET_NAME_MAX, "%s", set);
	if (fmpd_plane_unblock_all(p, &which, "its list is no longer in the policy", &number, &err))
		fmpd_log_error(FMPD_WARNING, "policy", "blocks of a list do not end", &err);
}

static bool has_set(const struct fmp_policy *p, const char *set)
{
	for (size_t i = 0; i < p->n_blocklists; i++)
		if (!strcmp(p->blocklists[i].set, set))
			return true;
	return false;
}

void plane_blocklists_end_removed(struct fmpd_plane *p, const struct fmp_policy *old)
{
	for (size_t i = 0; i < old->n_blocklists; i++)
		if (!has_set(p->policy, old->blocklists[i].set))
			end_set(p, old->blocklists[i].set);
}

void plane_blocklists_end_previous(struct fmpd_plane *p)
{
	const struct fmpd_sets *lists = &p->previous.lists;

	for (size_t i = 0; i < lists->n; i++)
		if (!has_set(p->policy, lists->name[i]))
			end_set(p, lists->name[i]);
}

void plane_blocklists_begin(struct fmpd_plane *p)
{
	struct plane_blocklist_load *l = p->blocklist_load;

	if (l)
		evtimer_del(l->turn);
	if (!p->policy->n_blocklists)
		return;
	if (!l) {
		l = calloc(1, sizeof(*l));
		if (l)
			l->turn = evtimer_new(p->base, on_turn, p);
		if (!l || !l->turn) {
			free(l);
			fmpd_log(FMPD_ERROR, "policy", "no memory: no blocklist is loaded");
			return;
		}
		p->blocklist_load = l;
	}
	l->list = l->at = l->refused = 0;
	l->begun = false;
	rearm_turn(l, 0);
}

void plane_blocklists_free(struct fmpd_plane *p)
{
	if (!p->blocklist_load)
		return;
	event_free(p->blocklist_load->turn);
	free(p->blocklist_load);
	p->blocklist_load = NULL;
}
