// SPDX-License-Identifier: GPL-2.0
/*
 * First hits of rules, from the packet path to the events
 *
 * The packet path can't sleep and sending an event may. A short queue of rule
 * references lies between them: the work item that empties it looks each rule up
 * again, because the rule may have been deleted meanwhile.
 */
#include "hits.h"
#include "tables.h"

#include <linux/ktime.h>

/**
 * fmp_hits_pop() - take the oldest entry of the queue
 * @hits: the queue
 * @ref: filled
 * @lost: set to the number of first hits lost since the previous call
 *
 * Context: process.
 * Return: false if the queue is empty.
 */
static bool fmp_hits_pop(struct fmp_hits *hits, struct fmp_rule_ref *ref, unsigned int *lost)
{
	bool got;

	spin_lock_irq(&hits->lock);
	got = hits->count;
	if (got) {
		*ref = hits->ref[0];
		memmove(&hits->ref[0], &hits->ref[1], --hits->count * sizeof(*ref));
	}
	*lost = hits->lost;
	hits->lost = 0;
	spin_unlock_irq(&hits->lock);
	return got;
}

/**
 * fmp_hits_work() - report all first hits in the queue
 * @work: fmp_hits.work
 *
 * Context: workqueue.
 */
static void fmp_hits_work(struct work_struct *work)
{
	struct fmp_tables *ts = container_of(work, struct fmp_tables, hits.work);
	struct fmp_rule_ref ref;
	unsigned int lost;
	bool got;

	do {
		got = fmp_hits_pop(&ts->hits, &ref, &lost);
		mutex_lock(&ts->lock);
		if (lost)
			ts->ops->hits_lost(ts, lost);
		if (got)
			fmp_tables_report_hit(ts, &ref);
		mutex_unlock(&ts->lock);
	} while (got);
}

/**
 * fmp_hits_push() - queue a rule that was hit for the first time
 * @hits: the queue
 * @rule: the rule
 *
 * Context: bottom halves off.
 */
void fmp_hits_push(struct fmp_hits *hits, struct fmp_rule *rule)
{
	unsigned long flags;

	fmp_rule_set_first_hit(rule, ktime_get_boottime_ns());
	/* A driver may hold a lock that its interrupt handler takes, such as smc91x. */
	spin_lock_irqsave(&hits->lock, flags);
	if (hits->count < FMP_HITS_MAX) {
		struct fmp_rule_ref *ref = &hits->ref[hits->count++];

		ref->key = fmp_rule_key(rule);
		ref->family = rule->family;
		ref->plen = rule->plen;
	} else {
		hits->lost++;
	}
	if (!hits->stopped)
		queue_work(system_power_efficient_wq, &hits->work);
	spin_unlock_irqrestore(&hits->lock, flags);
}

/**
 * fmp_hits_init() - initialize the queue, stopped
 * @hits: the queue, zeroed
 *
 * Context: process.
 */
void fmp_hits_init(struct fmp_hits *hits)
{
	spin_lock_init(&hits->lock);
	INIT_WORK(&hits->work, fmp_hits_work);
	hits->stopped = true;
}

/**
 * fmp_hits_start() - start reporting first hits
 * @hits: the queue
 *
 * Context: process.
 */
void fmp_hits_start(struct fmp_hits *hits)
{
	spin_lock_irq(&hits->lock);
	hits->stopped = false;
	spin_unlock_irq(&hits->lock);
}

/**
 * fmp_hits_stop() - stop reporting first hits
 * @hits: the queue
 *
 * Context: process, may sleep; fmp_tables.lock not held.
 */
void fmp_hits_stop(struct fmp_hits *hits)
{
	spin_lock_irq(&hits->lock);
	hits->stopped = true;
	spin_unlock_irq(&hits->lock);
	cancel_work_sync(&hits->work);
}
