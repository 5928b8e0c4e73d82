/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The worker processes, as the listener sees them: hands out tasks, replaces a
 * worker that died or is silent. What a worker was working on when that
 * happened is lost, and nothing else.
 */
#ifndef GW_POOL_H
#define GW_POOL_H

#include "../common/settings.h"
#include <fmp/internal/job.h>
#include "fair_queue.h"

struct event_base;
struct gw_pool;
struct gw_worker_slot;

/**
 * struct gw_task - one message; embedded in what owns it
 *
 * After gw_pool_submit() comes verdict() and then answer() or forward(), or lost() in
 * place of each. verdict points to none of the task's memory; what the others point to
 * is gone after the call.
 */
struct gw_task {
	struct fmp_job job;
	void (*verdict)(struct gw_task *t, const struct fmp_job_verdict *v);
	void (*answer)(struct gw_task *t, const struct fmp_job_reply *a);
	void (*forward)(struct gw_task *t, const struct fmp_job_forward *f);
	/** kind FMP_EVENT_GOOD: not the message's doing */
	void (*lost)(struct gw_task *t, enum fmp_event_kind kind, uint64_t cpu_ns,
		     const char *detail);
	/** Of one that had to wait, before a worker gets it; true: nobody wants it any more, and
	 * it has withdrawn itself. NULL: it is always wanted. */
	bool (*gone)(struct gw_task *t);
	/** Whose it is: sources take turns. NULL: nobody's. */
	const struct fmp_addr *source;

	/* of the pool */
	struct gw_fair_queue_entry turn;
	bool waiting;
	bool waited; /* longer than it takes to find a free worker */
	struct gw_worker_slot *member;
};

/** gw_pool_new() - starts the workers. Return: NULL without memory or processes. */
struct gw_pool *gw_pool_new(struct event_base *base, const struct gw_settings *s);
/** gw_pool_free() - ends the workers; no callback is called any more. */
void gw_pool_free(struct gw_pool *p);

void gw_pool_submit(struct gw_pool *p, struct gw_task *t);
/** gw_pool_withdraw() - Return: true if the task was still waiting and now is nobody's. */
bool gw_pool_withdraw(struct gw_pool *p, struct gw_task *t);

unsigned gw_pool_size(const struct gw_pool *p);

#endif
