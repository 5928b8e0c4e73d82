// SPDX-License-Identifier: GPL-2.0
#include "plane_private.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "../common/clock.h"
#include "../table/covering_block.h"
#include "../common/log.h"
#include "../common/policy_file.h"

/* Most blocks that end in one turn of the event loop, so that events do not wait: the rest follows in the next turns. */
#define EXPIRE_STEP 64u

/* ---- expiry and the timer ---- */

/*
 * A source crossed the malicious threshold: cancel the decision if it is protected, else choose its MAC and queue the
 * block. @ev: NULL: the source waited for room, and the MAC that its packets carried is no longer known.
 */
static void block_malicious(struct fmpd_plane *p, struct fmp_decision *d,
			    const struct fmp_event *ev, uint64_t now_ms)
{
	struct fmp_error err;

	if (ev)
		plane_contest_mac(p, &d->source, ev);
	if (plane_check_protected(p, &d->source, &err)) {
		fmp_engine_cancel(p->engine, &d->source, now_ms);
		p->exempted++;
		fmpd_log(FMPD_WARNING, "spared", "not blocked: %s (%s)", err.message, d->reason);
		return;
	}
	if (ev)
		plane_resolve_mac(p, d, &ev->source, ev);
	else
		d->mac_veto = FMP_MAC_UNSEEN;
	fmp_engine_pair(p->engine, &d->source, d->pair_mac.family != FMP_FAMILY_NONE, now_ms);
	plane_queue_decision(p, d, ev ? ev->time_ns : fmpd_now_ns());
}

static void expire_blocks(struct fmpd_plane *p, uint64_t now_ms)
{
	struct fmp_decision d;
	size_t n = 0;

	if (fmp_engine_next_ms(p->engine) > now_ms)
		return;
	fmpd_plane_flush(p);
	while (n++ < EXPIRE_STEP && fmp_engine_expire(p->engine, now_ms, &d) == 1) {
		if (d.action == FMP_ACTION_BLOCK)
			block_malicious(p, &d, NULL, now_ms);
		else if (!plane_block_for_next_set(p, &d.source))
			plane_queue_unblock(p, &d);
	}
	p->expired_ms = fmp_engine_next_ms(p->engine) > now_ms ? now_ms : 0;
	fmpd_plane_flush(p);
}

/* A comparison that repairs goes first: a verification then shows the state after it. */
static void start_due_comparison(struct fmpd_plane *p, uint64_t now_ms)
{
	struct fmp_error err;

	if (now_ms >= p->reconcile_due_ms) {
		/* Files of other programs name resolvers, DHCP and NTP servers, and may have changed. */
		if (plane_rebuild_protected(p, &err) < 0)
			fmpd_log_error(FMPD_ERROR, "protect", "the protected set can't be renewed",
				       &err);
		/* The interval counts from the start of the comparison; changes meanwhile make the next one come sooner. */
		p->reconcile_due_ms = p->options.layers ? now_ms + p->policy->enforce.reconcile_ms
							: UINT64_MAX;
		if (p->options.layers)
			plane_compare_begin(p, false);
	} else if (p->verify_due) {
		p->verify_due = false;
		plane_compare_begin(p, true);
	}
}

static void on_deadline(evutil_socket_t fd, short what, void *ctx)
{
	struct fmpd_plane *p = ctx;
	uint64_t now = fmpd_now_ms(), fired;

	if (read(fd, &fired, sizeof(fired)) < 0 && errno == EAGAIN)
		return;
	expire_blocks(p, now);
	plane_retry_failed(p, now);
	if (!p->startup && !p->comparing)
		start_due_comparison(p, now);
	plane_rearm_timer(p);
}

/* ---- life ---- */

static void end_surplus(struct fmpd_plane *p)
{
	uint32_t n = fmp_engine_trim(p->engine, fmpd_now_ms());

	if (n)
		fmpd_log(
			FMPD_WARNING, "full",
			"blocks in force beyond <enforce max-blocks=\"%u\">: %u end. Limits of suspicious "
			"sources go first, then blocks by hand beyond their share, then the least "
			"dangerous, which are blocked again when there is room",
			p->policy->enforce.max_blocks, n);
}

/* All that was in force before is known. Adopted blocks may be on one layer only: compare at once. */
static void on_restored(struct fmpd_plane *p)
{
	p->reconcile_due_ms = p->options.layers ? fmpd_now_ms() : UINT64_MAX;
	plane_blocklists_end_previous(p);
	end_surplus(p);
	plane_rearm_timer(p);
	if (p->hooks.on_restored)
		p->hooks.on_restored(p->hooks.ctx);
}

static int create_parts(struct fmpd_plane *p, struct fmp_error *err)
{
	int rc;

	if (getrandom(&p->seed, sizeof(p->seed), 0) != sizeof(p->seed))
		return fmp_error_sys(err, FMP_ERR_IO, errno, "no random numbers");
	p->set_members = fmpd_set_members_new(p->seed);
	if (!p->set_members)
		return fmp_error_set(err, FMP_ERR_NOMEM, "no memory");
	rc = fmp_net_new(&p->net, err);
	if (rc)
		return rc;
	plane_devices_changed(p);
	rc = plane_enforcer_open(p, err);
	if (rc)
		return rc;
	rc = fmp_protect_new(&p->protect, err);
	if (rc)
		return rc;
	fmp_protect_use_system_peers(p->protect, "");
	rc = plane_rebuild_protected(p, err);
	return rc < 0 ? rc : plane_startup_begin(p, on_restored, err);
}

/* A layer that --enforce names must be available: the user relies on it. */
static int check_required(const struct fmpd_plane *p, struct fmp_error *err)
{
	unsigned missing = p->options.layers & ~fmp_enforcer_layers(p->enforcer);

	if (!p->options.required || !missing)
		return 0;
	for (unsigned l = 0; l < FMP_LAYERS; l++)
		if (missing & FMP_LAYER_BIT(l))
			return fmp_error_set(err, FMP_ERR_UNSUPPORTED,
					     "layer %s was asked for, but %s", fmp_layer_name(l),
					     fmp_enforcer_why(p->enforcer, l));
	return 0;
}

/* Settings of the policy that have no effect: its author should know. */
static void log_warnings(const struct fmp_policy *policy)
{
	char text[700];

	for (size_t i = 0; i < policy->n_warnings; i++)
		fmpd_log(FMPD_WARNING, "policy", "%s",
			 fmp_error_format(&policy->warnings[i], text, sizeof(text)));
}

int fmpd_plane_new(const struct fmpd_options *o, struct fmpd_plane **out, struct fmp_error *err)
{
	struct fmpd_plane *p = calloc(1, sizeof(*p));
	int rc;

	if (!p)
		return fmp_error_set(err, FMP_ERR_NOMEM, "no memory");
	p->options = *o;
	p->deadline_fd = -1;
	p->retry_due_ms = UINT64_MAX;
	p->started_ms = fmpd_now_ms();
	rc = plane_pending_init(p, err);
	if (!rc)
		rc = fmpd_policy_load(o->policy, &p->policy, err);
	if (!rc)
		log_warnings(p->policy);
	if (!rc)
		rc = create_parts(p, err);
	if (!rc)
		rc = check_required(p, err);
	if (rc) {
		fmpd_plane_free(p);
		return rc;
	}
	*out = p;
	return 0;
}

int fmpd_plane_run(struct fmpd_plane *p, struct event_base *base, const struct fmpd_hooks *hooks,
		   struct fmp_error *err)
{
	int rc;

	p->base = base;
	p->hooks = *hooks;
	p->deadline_fd = timerfd_create(CLOCK_BOOTTIME, TFD_NONBLOCK | TFD_CLOEXEC);
	if (p->deadline_fd < 0)
		return fmp_error_sys(err, FMP_ERR_IO, errno, "no timer");
	p->deadline = event_new(base, p->deadline_fd, EV_READ | EV_PERSIST, on_deadline, p);
	if (!p->deadline || event_add(p->deadline, NULL))
		return fmp_error_set(err, FMP_ERR_NOMEM, "no memory for an event");
	plane_watch_changes(p);
	plane_rearm_timer(p);
	rc = plane_watch_net(p, err);
	if (!rc)
		rc = plane_startup_run(p, err);
	if (!rc)
		plane_blocklists_begin(p);
	return rc;
}

void fmpd_plane_free(struct fmpd_plane *p)
{
	if (!p)
		return;
	if (p->deadline)
		event_free(p->deadline);
	if (p->net_ready)
		event_free(p->net_ready);
	plane_unwatch_changes(p);
	plane_startup_free(p);
	plane_kill_connections_free(p);
	plane_flush_flows_free(p);
	plane_unblock_all_free(p);
	plane_blocklists_free(p);
	if (p->flush_turn)
		event_free(p->flush_turn);
	if (p->compare_turn)
		event_free(p->compare_turn);
	if (p->net_again)
		event_free(p->net_again);
	if (p->deadline_fd >= 0)
		close(p->deadline_fd);
	free(p->pending);
	fmpd_set_members_free(p->set_members);
	fmpd_table_free(p->table);
	fmp_engine_free(p->engine);
	fmp_protect_free(p->protect);
	fmp_net_free(p->net);
	plane_snapshot_drop(p);
	fmp_enforcer_free(p->enforcer);
	fmp_policy_free(p->policy);
	free(p);
}

/* ---- events ---- */

static void log_event(const struct fmp_event *ev)
{
	char addr[FMP_ADDR_STRLEN];

	if (ev->kind == FMP_EVENT_GOOD)
		return;
	fmpd_log(FMPD_DETAIL, "message", "%s from %s%s: %s", fmp_event_kind_name(ev->kind),
		 fmp_addr_format(&ev->source, addr, sizeof(addr)),
		 ev->proven ? "" : " (address not proven)", ev->detail);
}

static void log_full(const struct fmpd_plane *p, const struct fmp_addr *source)
{
	char addr[FMP_ADDR_STRLEN];

	fmpd_log(FMPD_WARNING, "full",
		 "%s is malicious, but not blocked: the table of blocks is full (<enforce "
		 "max-blocks=\"%u\">); it is blocked as soon as there is room",
		 fmp_addr_format(source, addr, sizeof(addr)), p->policy->enforce.max_blocks);
}

void fmpd_plane_event(struct fmpd_plane *p, const struct fmp_event *ev)
{
	uint64_t now = fmpd_now_ms();
	uint32_t waiting = fmp_engine_waiting(p->engine);
	struct fmp_decision d;

	log_event(ev);
	plane_startup_restore_source(p, &ev->source);
	if (fmp_engine_event(p->engine, ev, now, &d) == 1)
		block_malicious(p, &d, ev, now);
	else if (fmp_engine_waiting(p->engine) > waiting)
		log_full(p, &ev->source);
	if (p->hooks.on_event)
		p->hooks.on_event(p->hooks.ctx, ev);
}

/* ---- policy ---- */

int fmpd_plane_reload(struct fmpd_plane *p, const char *file, struct fmp_error *err)
{
	struct fmp_policy *fresh, *old = p->policy;
	char path[sizeof(old->file)];
	struct fmp_error trouble;
	int rc;

	/* @file may point into the old policy, which is freed. */
	snprintf(path, sizeof(path), "%s", file && *file ? file : old->file);
	rc = fmpd_policy_load(path, &fresh, err);
	if (rc)
		return rc;
	if (p->hooks.on_candidate)
		rc = p->hooks.on_candidate(p->hooks.ctx, fresh, err);
	if (rc) {
		fmp_policy_free(fresh);
		return rc;
	}
	plane_startup_finish(p);
	fmpd_plane_flush(p);
	plane_snapshot_drop(p); /* its wanted rules are of the old policy */
	fmp_engine_set_policy(p->engine, fresh, fmpd_now_ms());
	p->policy = fresh;
	end_surplus(p);
	plane_blocklists_end_removed(p, old);
	fmp_policy_free(old);
	if (plane_devices_changed(p) && plane_enforcer_open(p, &trouble))
		fmpd_log_error(FMPD_ERROR, "policy", "the layers can't follow the policy",
			       &trouble);
	if (plane_rebuild_protected(p, &trouble) < 0)
		fmpd_log_error(FMPD_ERROR, "policy", "the protected set can't be renewed",
			       &trouble);
	fmpd_log(FMPD_NOTICE, "policy", "policy %s (%s) is in force", fresh->name, fresh->file);
	log_warnings(fresh);
	if (p->hooks.on_policy)
		p->hooks.on_policy(p->hooks.ctx, fresh);
	plane_blocklists_begin(p);
	p->reconcile_due_ms = fmpd_now_ms();
	p->stale = true; /* another policy may need other rules, or none */
	plane_rearm_timer(p);
	return 0;
}

void fmpd_plane_set_translators(struct fmpd_plane *p, const struct fmp_translators *found)
{
	p->translators = *found;
	fmp_engine_set_translators(p->engine, found);
}

void fmpd_plane_finish_restore(struct fmpd_plane *p)
{
	plane_startup_finish(p);
}

void fmpd_plane_view(const struct fmpd_plane *p, struct fmpd_plane_view *v)
{
	*v = (struct fmpd_plane_view){
		.options = &p->options,
		.policy = p->policy,
		.engine = p->engine,
		.protect = p->protect,
		.net = p->net,
		.enforcer = p->enforcer,
		.table = p->table,
		.started_ms = p->started_ms,
		.reconciled_ms = p->reconciled_ms,
		.compared_ms = p->compared_ms,
		.stale = p->stale,
		.repaired = p->repaired,
		.unenforced =
			p->options.layers && !p->policy->block.observe
				? fmpd_table_unenforced(p->table, fmp_enforcer_layers(p->enforcer))
				: 0,
		.exempted = p->exempted,
		.restoring = p->startup != NULL,
		.translators = &p->translators,
		.ending = plane_unblock_all_pending(p) ? &p->ending : NULL,
	};
	plane_get_reconciled(p, &v->reconciled);
}
