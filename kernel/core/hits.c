// SPDX-License-Identifier: GPL-2.0
/*
 * The first hit of a rule, on its way from the packet path to the event room
 *
 * A frame can't wait and the event room may sleep. Between them stands a short
 * list of names: who looks at it later finds the rule under its name, or finds
 * that it has gone.
 */
#include "hits.h"
#include "tables.h"

#include <linux/ktime.h>

/**
 * fmp_hits_pop() - take the oldest name
 * @hits: the list
 * @name: filled
 * @lost: filled with first hits that found no place since the call before
 *
 * Context: process.
 * Return: false if none waits.
 */
static bool fmp_hits_pop(struct fmp_hits *hits, struct fmp_rule_name *name, unsigned int *lost)
{
	bool got;

	spin_lock_bh(&hits->lock);
	got = hits->waiting;
	if (got) {
		*name = hits->name[0];
		memmove(&hits->name[0], &hits->name[1], --hits->waiting * sizeof(*name));
	}
	*lost = hits->lost;
	hits->lost = 0;
	spin_unlock_bh(&hits->lock);
	return got;
}

/**
 * fmp_hits_work() - tell the event room of all that waits
 * @work: fmp_hits.work
 *
 * Context: workqueue.
 */
static void fmp_hits_work(struct work_struct *work)
{
	struct fmp_tables *ts = container_of(work, struct fmp_tables, hits.work);
	struct fmp_rule_name name;
	unsigned int lost;
	bool got;

	do {
		got = fmp_hits_pop(&ts->hits, &name, &lost);
		mutex_lock(&ts->lock);
		if (lost)
			ts->ops->hits_lost(ts, lost);
		if (got)
			fmp_tables_tell_hit(ts, &name);
		mutex_unlock(&ts->lock);
	} while (got);
}

/**
 * fmp_hits_push() - hand over a rule that was hit for the first time
 * @hits: the list
 * @rule: the rule; gets the time
 *
 * Context: bottom halves off.
 */
void fmp_hits_push(struct fmp_hits *hits, struct fmp_rule *rule)
{
	atomic64_set(&rule->first_hit, ktime_get_boottime_ns());
	spin_lock(&hits->lock);
	if (hits->waiting < FMP_HITS_MAX) {
		struct fmp_rule_name *name = &hits->name[hits->waiting++];

		name->key = fmp_rule_key(rule);
		name->family = rule->family;
		name->plen = rule->plen;
	} else {
		hits->lost++;
	}
	if (!hits->stopped)
		queue_work(system_power_efficient_wq, &hits->work);
	spin_unlock(&hits->lock);
}

/**
 * fmp_hits_init() - make the list, stopped
 * @hits: the list, zeroed
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
 * fmp_hits_start() - let the event room be told
 * @hits: the list
 *
 * Context: process.
 */
void fmp_hits_start(struct fmp_hits *hits)
{
	spin_lock_bh(&hits->lock);
	hits->stopped = false;
	spin_unlock_bh(&hits->lock);
}

/**
 * fmp_hits_stop() - no longer do so
 * @hits: the list
 *
 * Context: process, may sleep; fmp_tables.lock not held.
 */
void fmp_hits_stop(struct fmp_hits *hits)
{
	spin_lock_bh(&hits->lock);
	hits->stopped = true;
	spin_unlock_bh(&hits->lock);
	cancel_work_sync(&hits->work);
}
