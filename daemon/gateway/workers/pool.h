/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The worker processes, seen from the listener: distributes tasks, and replaces a worker that died
 * or is silent. Only the message that such a worker was working on is lost.
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
 * struct gw_task - one message; embedded in its owner
 *
 * gw_pool_submit() is followed by verdict() and then reply() or forward(), or by lost() instead of
 * the next one. The verdict points to no memory of the task; what the others point to is valid only
 * during the call.
 */
struct gw_task {
	struct fmp_job job;
	void (*verdict)(struct gw_task *t, const struct fmp_job_verdict *v);
	void (*reply)(struct gw_task *t, const struct fmp_job_reply *a);
	void (*forward)(struct gw_task *t, const struct fmp_job_forward *f);
	/** kind FMP_EVENT_GOOD: not caused by the message */
	void (*lost)(struct gw_task *t, enum fmp_event_kind kind, uint64_t cpu_ns,
		     const char *detail);
	/**
	 * Called for a task that had to wait, before a worker gets it. Return: true: it is not
	 * needed any more and has withdrawn itself. NULL: always needed.
	 */
	bool (*is_abandoned)(struct gw_task *t);
	/** Source for the fair queue. NULL: none. */
	const struct fmp_addr *source;

	/* private to the pool */
	struct gw_fair_queue_entry entry;
	bool waiting;
	bool waited; /* longer than it takes to find a free worker */
	struct gw_worker_slot *slot;
};

/** gw_pool_new() - start the workers. Return: NULL without memory or processes. */
struct gw_pool *gw_pool_new(struct event_base *base, const struct gw_settings *s);
/** gw_pool_free() - end the workers; calls no callback. */
void gw_pool_free(struct gw_pool *p);

void gw_pool_submit(struct gw_pool *p, struct gw_task *t);
/** gw_pool_withdraw() - Return: true if the task was still waiting and is removed. */
bool gw_pool_withdraw(struct gw_pool *p, struct gw_task *t);

unsigned gw_pool_size(const struct gw_pool *p);

#endif
