// SPDX-License-Identifier: GPL-2.0
/* Notice what others change in the kernel, and have it compared and repaired soon. */
#include "plane_private.h"

#include "../common/clock.h"
#include "../common/log.h"

/* Changes come in groups: the comparison waits for the rest. */
#define SETTLE_MS 100u
/* If our tables change all the time, comparisons may use at most 1/CPU_SHARE of a processor. */
#define CPU_SHARE 4u

static void log_changes(unsigned what, const struct fmp_changer *changer)
{
	if (what & FMP_CHANGED_NFT)
		fmpd_log(FMPD_WARNING, "foreign", "our nftables tables were changed by %s%s%u%s",
			 changer->pid ? changer->name : "somebody else",
			 changer->pid ? " (pid " : " (pid ", changer->pid, ")");
	if (what & FMP_CHANGED_MODULE)
		fmpd_log(FMPD_WARNING, "foreign", "the module's rules or devices were changed");
	if (what & FMP_CHANGED_MODULE_CAME)
		fmpd_log(FMPD_NOTICE, "foreign", "the module fmp is loaded");
	if (what & FMP_CHANGED_MODULE_WENT)
		fmpd_log(FMPD_WARNING, "foreign", "the module fmp is unloaded");
	if (what & FMP_CHANGED_LOST)
		fmpd_log(FMPD_WARNING, "foreign", "notifications of the kernel were lost");
}

static void on_changed(evutil_socket_t fd, short events, void *ctx)
{
	struct fmpd_plane *p = ctx;
	struct fmp_changer changer;
	unsigned what = fmp_watch_drain(p->watch, &changer);
	uint64_t due = fmpd_now_ms() + SETTLE_MS;

	if (!what)
		return;
	/* Log once per comparison. */
	if (!p->changes_logged)
		log_changes(what, &changer);
	p->changes_logged = p->stale = p->outdated = true;
	if (due < p->reconciled_ms + CPU_SHARE * p->reconcile_cpu_ms)
		due = p->reconciled_ms + CPU_SHARE * p->reconcile_cpu_ms;
	if (due < p->reconcile_due_ms) {
		p->reconcile_due_ms = due;
		plane_rearm_timer(p);
	}
}

void plane_watch_changes(struct fmpd_plane *p)
{
	struct fmp_error err;

	if (!p->options.layers)
		return;
	if (fmp_watch_new(p->enforcer, &p->watch, &err)) {
		fmpd_log_error(FMPD_WARNING, "foreign",
			       "changes by others are only found by the periodic comparison", &err);
		return;
	}
	for (unsigned i = 0; i < FMP_WATCH_FDS; i++) {
		p->changed[i] = event_new(p->base, fmp_watch_fd(p->watch, i), EV_READ | EV_PERSIST,
					  on_changed, p);
		if (!p->changed[i] || event_add(p->changed[i], NULL))
			fmpd_log(FMPD_WARNING, "foreign", "no memory to follow changes by others");
	}
}

void plane_unwatch_changes(struct fmpd_plane *p)
{
	for (unsigned i = 0; i < FMP_WATCH_FDS; i++)
		if (p->changed[i])
			event_free(p->changed[i]);
	fmp_watch_free(p->watch);
}

void plane_watch_enforcer(struct fmpd_plane *p)
{
	struct fmp_error err;

	if (p->watch && fmp_watch_enforcer(p->watch, p->enforcer, &err))
		fmpd_log_error(FMPD_WARNING, "foreign",
			       "changes by fmpd will be reported as changes by others", &err);
}
