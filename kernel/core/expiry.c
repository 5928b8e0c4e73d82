// SPDX-License-Identifier: GPL-2.0
/*
 * The end of a rule's life
 *
 * Each table keeps its rules with an end in the order in which they go: the
 * reaper sleeps until the next one is over, and eviction begins with it. Rules
 * that protect stand apart, for they are never evicted.
 */
#include "expiry.h"

#include <linux/jiffies.h>
#include <linux/ktime.h>
#include <linux/lockdep.h>
#include <linux/minmax.h>
#include <linux/sched.h>

/* Rules that one run of the reaper removes before it lets others have the lock. */
#define FMP_REAP_MAX 1024

/**
 * fmp_expiry_tree() - where a rule waits for its end
 * @ts: the tables
 * @rule: the rule
 *
 * Context: ts->lock held.
 * Return: the tree.
 */
static struct rb_root_cached *fmp_expiry_tree(struct fmp_tables *ts, const struct fmp_rule *rule)
{
	return &ts->family[rule->family].due[rule->verdict == FMP_VERDICT_PROTECT];
}

/**
 * fmp_expiry_before() - which of two rules goes first
 * @a: one
 * @b: the other
 *
 * Context: fmp_tables.lock held.
 * Return: true if it is @a.
 */
static bool fmp_expiry_before(struct rb_node *a, const struct rb_node *b)
{
	return atomic64_read(&rb_entry(a, struct fmp_rule, due)->expires) <
	       atomic64_read(&rb_entry(b, struct fmp_rule, due)->expires);
}

/**
 * fmp_expiry_set() - give a rule its end
 * @ts: the tables
 * @rule: the rule, new or after fmp_expiry_clear()
 * @timeout_ms: milliseconds from now, 0 for no end
 *
 * Context: ts->lock held.
 */
void fmp_expiry_set(struct fmp_tables *ts, struct fmp_rule *rule, u64 timeout_ms)
{
	u64 end = timeout_ms ? ktime_get_boottime_ns() + timeout_ms * NSEC_PER_MSEC : 0;

	atomic64_set(&rule->expires, end);
	if (end)
		rb_add_cached(&rule->due, fmp_expiry_tree(ts, rule), fmp_expiry_before);
}

/**
 * fmp_expiry_clear() - no longer wait for a rule's end
 * @ts: the tables
 * @rule: the rule; its verdict is the one with which the end was set
 *
 * The end itself stays until another one is set: a lookup that still sees the rule
 * would take one without an end for one in force.
 *
 * Context: ts->lock held.
 */
void fmp_expiry_clear(struct fmp_tables *ts, struct fmp_rule *rule)
{
	if (atomic64_read(&rule->expires))
		rb_erase_cached(&rule->due, fmp_expiry_tree(ts, rule));
}

/**
 * fmp_expiry_first() - the first rule that may be evicted
 * @t: the table
 *
 * Context: fmp_tables.lock held.
 * Return: fmp_rule.due of the one with the least time left, or NULL.
 */
struct rb_node *fmp_expiry_first(const struct fmp_table *t)
{
	return rb_first_cached(&t->due[0]);
}

/**
 * fmp_expiry_next() - the rule that reaches its end before all others
 * @ts: the tables
 *
 * Context: ts->lock held.
 * Return: the rule, or NULL if no rule has an end.
 */
static struct fmp_rule *fmp_expiry_next(struct fmp_tables *ts)
{
	struct fmp_rule *first = NULL;
	int i;

	for (i = 0; i < 2 * FMP_FAMILIES; i++) {
		struct rb_node *node = rb_first_cached(&ts->family[i / 2].due[i % 2]);

		if (node && (!first || fmp_expiry_before(node, &first->due)))
			first = rb_entry(node, struct fmp_rule, due);
	}
	return first;
}

/**
 * fmp_reap() - remove rules whose time is over
 * @ts: the tables
 * @max: most rules to remove
 *
 * Context: process, ts->lock held.
 */
void fmp_reap(struct fmp_tables *ts, unsigned int max)
{
	u64 now = ktime_get_boottime_ns();
	struct fmp_rule *rule;
	bool changed = false;

	lockdep_assert_held(&ts->lock);
	while (max-- && (rule = fmp_expiry_next(ts)) && !fmp_rule_live(rule, now)) {
		changed = true;
		ts->ops->expired(ts, rule);
		fmp_tables_drop(ts, rule);
		cond_resched();
	}
	if (changed)
		fmp_tables_changed(ts);
}

/**
 * fmp_reaper_arm() - have the reaper run when the next rule is over
 * @ts: the tables
 *
 * Context: process, ts->lock held.
 */
void fmp_reaper_arm(struct fmp_tables *ts)
{
	struct fmp_rule *next = fmp_expiry_next(ts);
	s64 wait;

	if (!next || !ts->reaping)
		return;
	wait = atomic64_read(&next->expires) - (s64)ktime_get_boottime_ns();
	/* A jiffy more: early is useless, the rule would still be in force. And no more than a
	 * timer takes: on 32 bits a life may be longer, and too long is taken for over.
	 */
	mod_delayed_work(system_power_efficient_wq, &ts->reaper,
			 wait > 0 ? min_t(u64, nsecs_to_jiffies64(wait) + 1, MAX_JIFFY_OFFSET) : 0);
}

/**
 * fmp_reaper_work() - the reaper
 * @work: fmp_tables.reaper
 *
 * Context: workqueue.
 */
static void fmp_reaper_work(struct work_struct *work)
{
	struct fmp_tables *ts = container_of(work, struct fmp_tables, reaper.work);

	mutex_lock(&ts->lock);
	fmp_reap(ts, FMP_REAP_MAX);
	fmp_reaper_arm(ts);
	mutex_unlock(&ts->lock);
}

/**
 * fmp_reaper_init() - prepare the reaper
 * @ts: the tables
 *
 * Context: process.
 */
void fmp_reaper_init(struct fmp_tables *ts)
{
	INIT_DELAYED_WORK(&ts->reaper, fmp_reaper_work);
}
