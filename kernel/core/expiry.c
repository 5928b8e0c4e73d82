// SPDX-License-Identifier: GPL-2.0
/*
 * Expiry of rules
 *
 * Each table keeps its rules that have a timeout sorted by their expiry time:
 * the reaper sleeps until the next one expires, and eviction begins with it.
 * Protect rules have a tree of their own, because they are never evicted.
 */
#include "expiry.h"

#include <linux/jiffies.h>
#include <linux/ktime.h>
#include <linux/lockdep.h>
#include <linux/minmax.h>
#include <linux/sched.h>

/* Rules that one run of the reaper removes before it releases the lock. */
#define FMP_EXPIRY_BATCH_MAX 1024

/**
 * fmp_expiry_tree() - get the tree in which a rule is sorted by its expiry time
 * @ts: the tables
 * @rule: the rule
 *
 * Context: ts->lock held.
 * Return: the tree.
 */
static struct rb_root_cached *fmp_expiry_tree(struct fmp_tables *ts, const struct fmp_rule *rule)
{
	return &ts->family[rule->family].by_expiry[rule->verdict == FMP_VERDICT_PROTECT];
}

/**
 * fmp_expiry_before() - compare the expiry times of two rules
 * @a: one rule
 * @b: the other rule
 *
 * Context: fmp_tables.lock held.
 * Return: true if @a expires first.
 */
static bool fmp_expiry_before(struct rb_node *a, const struct rb_node *b)
{
	return rb_entry(a, struct fmp_rule, expiry_node)->expires.ns <
	       rb_entry(b, struct fmp_rule, expiry_node)->expires.ns;
}

/**
 * fmp_expiry_set() - set the expiry time of a rule
 * @ts: the tables
 * @rule: the rule, new or after fmp_expiry_clear()
 * @timeout_ms: milliseconds from now, 0 for never
 *
 * Context: ts->lock held.
 */
void fmp_expiry_set(struct fmp_tables *ts, struct fmp_rule *rule, u64 timeout_ms)
{
	u64 now = ktime_get_boottime_ns();
	u64 end = timeout_ms ? now + timeout_ms * NSEC_PER_MSEC : 0;

	fmp_deadline_set(&rule->expires, end, now);
	if (end)
		rb_add_cached(&rule->expiry_node, fmp_expiry_tree(ts, rule), fmp_expiry_before);
}

/**
 * fmp_expiry_clear() - remove a rule from the tree of expiry times
 * @ts: the tables
 * @rule: the rule; its verdict is still the one of fmp_expiry_set()
 *
 * Keep fmp_rule.expires until it is set anew: a lookup that still sees the rule
 * would take 0 for "never expires".
 *
 * Context: ts->lock held.
 */
void fmp_expiry_clear(struct fmp_tables *ts, struct fmp_rule *rule)
{
	if (rule->expires.ns)
		rb_erase_cached(&rule->expiry_node, fmp_expiry_tree(ts, rule));
}

/**
 * fmp_expiry_first_evictable() - find the first rule of a table that may be evicted
 * @t: the table
 *
 * Context: fmp_tables.lock held.
 * Return: fmp_rule.expiry_node of the rule with the least time left, or NULL.
 */
struct rb_node *fmp_expiry_first_evictable(const struct fmp_table *t)
{
	return rb_first_cached(&t->by_expiry[0]);
}

/**
 * fmp_expiry_next_rule() - find the rule that expires next
 * @ts: the tables
 *
 * Context: ts->lock held.
 * Return: the rule, or NULL if no rule has a timeout.
 */
static struct fmp_rule *fmp_expiry_next_rule(struct fmp_tables *ts)
{
	struct fmp_rule *first = NULL;
	int i;

	for (i = 0; i < 2 * FMP_FAMILIES; i++) {
		struct rb_node *node = rb_first_cached(&ts->family[i / 2].by_expiry[i % 2]);

		if (node && (!first || fmp_expiry_before(node, &first->expiry_node)))
			first = rb_entry(node, struct fmp_rule, expiry_node);
	}
	return first;
}

/**
 * fmp_expiry_reap() - remove expired rules
 * @ts: the tables
 * @max: most rules to remove
 *
 * Context: process, ts->lock held.
 */
void fmp_expiry_reap(struct fmp_tables *ts, unsigned int max)
{
	u64 now = ktime_get_boottime_ns();
	struct fmp_rule *rule;
	bool changed = false;

	lockdep_assert_held(&ts->lock);
	while (max-- && (rule = fmp_expiry_next_rule(ts)) && !fmp_rule_live(rule, now)) {
		changed = true;
		ts->ops->expired(ts, rule);
		fmp_tables_remove_rule(ts, rule);
		cond_resched();
	}
	if (changed)
		fmp_tables_changed(ts);
}

/**
 * fmp_expiry_arm() - schedule the reaper for when the next rule expires
 * @ts: the tables
 *
 * Context: process, ts->lock held.
 */
void fmp_expiry_arm(struct fmp_tables *ts)
{
	struct fmp_rule *next = fmp_expiry_next_rule(ts);
	s64 wait;

	if (!next || !ts->reaping)
		return;
	wait = next->expires.ns - ktime_get_boottime_ns();
	/* Add one jiffy: a reaper that runs early finds the rule still in force. Clamp to
	 * MAX_JIFFY_OFFSET: on 32 bits a timeout may be longer than a timer allows, and
	 * the timer would take the overflow for a time in the past.
	 */
	mod_delayed_work(system_power_efficient_wq, &ts->reaper,
			 wait > 0 ? min_t(u64, nsecs_to_jiffies64(wait) + 1, MAX_JIFFY_OFFSET) : 0);
}

/**
 * fmp_expiry_work() - run the reaper
 * @work: fmp_tables.reaper
 *
 * Context: workqueue.
 */
static void fmp_expiry_work(struct work_struct *work)
{
	struct fmp_tables *ts = container_of(work, struct fmp_tables, reaper.work);

	mutex_lock(&ts->lock);
	fmp_expiry_reap(ts, FMP_EXPIRY_BATCH_MAX);
	fmp_expiry_arm(ts);
	mutex_unlock(&ts->lock);
}

/**
 * fmp_expiry_init() - prepare the reaper
 * @ts: the tables
 *
 * Context: process.
 */
void fmp_expiry_init(struct fmp_tables *ts)
{
	INIT_DELAYED_WORK(&ts->reaper, fmp_expiry_work);
}
