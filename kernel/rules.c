// SPDX-License-Identifier: GPL-2.0
/*
 * The rules of a network namespace: batches, expiry, walks
 *
 * A batch is checked completely, and all its memory is there, before the first
 * rule changes; from then on nothing can fail.
 */
#include "rules.h"

#include <linux/lockdep.h>
#include <linux/slab.h>
#include <linux/timekeeping.h>

/* Rules that one run of the reaper removes before it lets others have the lock. */
#define FMP_REAP_MAX 1024

unsigned int fmp_max_rules = 65536;

/* What generations are taken from: the number of the last one, of any namespace. */
static atomic_t fmp_last_generation;

/**
 * fmp_tables_changed() - finish a change of the rules
 * @ts: the tables
 *
 * Brings fmp_tables.ip_count up to date and gives the rules a new generation.
 * It is written after all that changed: whoever reads it and then asks the
 * tables sees at least what it stands for. No two namespaces ever have the same
 * one, so a frame that moves between them carries no verdict along.
 *
 * Context: ts->lock held.
 */
static void fmp_tables_changed(struct fmp_tables *ts)
{
	u32 generation;
	int v;

	for (v = FMP_VERDICT_BLOCK; v <= FMP_VERDICT_MAX; v++)
		WRITE_ONCE(ts->ip_count[v], ts->family[FMP_FAMILY_IPV4].count[v] +
						    ts->family[FMP_FAMILY_IPV6].count[v]);
	/* 0 would read as "no generation" in a dump. */
	do {
		generation = atomic_inc_return(&fmp_last_generation);
	} while (!generation);
	smp_store_release(&ts->generation, generation); /* pairs with fmp_tables_generation() */
}

/**
 * fmp_rule_set_end() - give a rule its end
 * @ts: the tables
 * @rule: the rule, not queued in ts->due
 * @timeout_ms: milliseconds from now, 0 for no end
 *
 * Context: ts->lock held.
 */
static void fmp_rule_set_end(struct fmp_tables *ts, struct fmp_rule *rule, u64 timeout_ms)
{
	u64 end = timeout_ms ? ktime_get_boottime_ns() + timeout_ms * NSEC_PER_MSEC : 0;

	atomic64_set(&rule->expires, end);
	if (!end)
		return;
	rule->due.expires = ns_to_ktime(end);
	timerqueue_add(&ts->due, &rule->due);
}

/**
 * fmp_rule_drop() - take a rule out and free it
 * @ts: the tables
 * @rule: the rule
 *
 * The caller says fmp_tables_changed() when it is done.
 *
 * Context: ts->lock held.
 */
static void fmp_rule_drop(struct fmp_tables *ts, struct fmp_rule *rule)
{
	if (atomic64_read(&rule->expires))
		timerqueue_del(&ts->due, &rule->due);
	fmp_table_remove(&ts->family[rule->family], rule);
	kfree_rcu(rule, rcu);
}

/**
 * fmp_reap() - remove rules whose time is over
 * @ts: the tables
 * @max: most rules to remove
 *
 * Context: process, ts->lock held.
 */
static void fmp_reap(struct fmp_tables *ts, unsigned int max)
{
	u64 now = ktime_get_boottime_ns();
	struct timerqueue_node *next;
	bool changed = false;

	lockdep_assert_held(&ts->lock);
	while (max-- && (next = timerqueue_getnext(&ts->due))) {
		struct fmp_rule *rule = container_of(next, struct fmp_rule, due);

		if (fmp_rule_live(rule, now))
			break;
		changed = true;
		ts->ops->expired(ts, rule);
		fmp_rule_drop(ts, rule);
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
static void fmp_reaper_arm(struct fmp_tables *ts)
{
	struct timerqueue_node *next = timerqueue_getnext(&ts->due);
	s64 wait;

	if (!next || !ts->reaping)
		return;
	wait = ktime_to_ns(next->expires) - (s64)ktime_get_boottime_ns();
	/* A jiffy more: early is useless, the rule would still be in force. */
	mod_delayed_work(system_power_efficient_wq, &ts->reaper,
			 wait > 0 ? nsecs_to_jiffies(wait) + 1 : 0);
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
 * fmp_tables_covered() - does a protect rule cover an address
 * @ts: the tables
 * @spec: the address, one or a prefix
 *
 * Context: ts->lock held.
 * Return: true if it is protected as a whole.
 */
static bool fmp_tables_covered(struct fmp_tables *ts, const struct fmp_rule_spec *spec)
{
	const struct fmp_table *t = &ts->family[spec->family];
	u64 now = ktime_get_boottime_ns();
	unsigned int plen;

	if (!t->count[FMP_VERDICT_PROTECT])
		return false;
	for_each_set_bit(plen, t->used, spec->plen + 1) {
		struct fmp_rule *rule = fmp_table_find(t, fmp_key_mask(spec->key, plen), plen);

		if (rule && rule->verdict == FMP_VERDICT_PROTECT && fmp_rule_live(rule, now))
			return true;
	}
	return false;
}

/**
 * fmp_batch_clash() - does a rule contradict another one of its batch
 * @specs: the batch
 * @n: its length
 * @i: the rule
 *
 * Context: any.
 * Return: 0; -EINVAL if its address stands in the batch twice; -EPERM if it is a
 * block of what the batch protects.
 */
static int fmp_batch_clash(const struct fmp_rule_spec *specs, unsigned int n, unsigned int i)
{
	const struct fmp_rule_spec *spec = &specs[i];
	unsigned int k;

	for (k = 0; k < n; k++) {
		const struct fmp_rule_spec *other = &specs[k];

		if (k == i || other->family != spec->family || other->plen > spec->plen)
			continue;
		if (!fmp_key_equal(fmp_key_mask(spec->key, other->plen), other->key))
			continue;
		if (other->plen == spec->plen)
			return -EINVAL;
		if (spec->verdict == FMP_VERDICT_BLOCK && other->verdict == FMP_VERDICT_PROTECT)
			return -EPERM;
	}
	return 0;
}

/**
 * fmp_batch_check() - may a rule of a batch be added
 * @ts: the tables
 * @specs: the batch
 * @n: its length
 * @i: the rule
 * @excl: refuse what is there already
 *
 * Context: ts->lock held.
 * Return: 0, -EINVAL, -EPERM or -EEXIST.
 */
static int fmp_batch_check(struct fmp_tables *ts, const struct fmp_rule_spec *specs, unsigned int n,
			   unsigned int i, bool excl)
{
	const struct fmp_rule_spec *spec = &specs[i];
	int err = fmp_batch_clash(specs, n, i);

	if (err)
		return err;
	if (spec->verdict == FMP_VERDICT_BLOCK && fmp_tables_covered(ts, spec))
		return -EPERM;
	if (excl && fmp_table_find(&ts->family[spec->family], spec->key, spec->plen))
		return -EEXIST;
	return 0;
}

/**
 * fmp_rule_alloc() - make a rule from a wish
 * @spec: the wish
 *
 * Context: process.
 * Return: the rule, or NULL.
 */
static struct fmp_rule *fmp_rule_alloc(const struct fmp_rule_spec *spec)
{
	struct fmp_rule *rule = kzalloc(sizeof(*rule), GFP_KERNEL_ACCOUNT);

	if (!rule)
		return NULL;
	rule->key = spec->key;
	rule->family = spec->family;
	rule->plen = spec->plen;
	rule->verdict = spec->verdict;
	rule->id = spec->id;
	timerqueue_init(&rule->due);
	return rule;
}

/**
 * fmp_batch_alloc() - check a batch and get all it needs
 * @ts: the tables
 * @specs: the batch
 * @n: its length
 * @excl: refuse what is there already
 * @fresh: filled with a new rule for each address that has none
 * @bad: on refusal, the rule at fault
 *
 * Context: process, ts->lock held.
 * Return: 0 or a negative error; @fresh is the caller's to free either way.
 */
static int fmp_batch_alloc(struct fmp_tables *ts, const struct fmp_rule_spec *specs, unsigned int n,
			   bool excl, struct fmp_rule **fresh, unsigned int *bad)
{
	u32 room[FMP_FAMILIES];
	unsigned int i;
	int err;

	for (i = 0; i < FMP_FAMILIES; i++) {
		u32 size = fmp_table_size(&ts->family[i]);

		room[i] = fmp_max_rules > size ? fmp_max_rules - size : 0;
	}

	for (i = 0; i < n; i++) {
		const struct fmp_rule_spec *spec = &specs[i];
		struct fmp_table *t = &ts->family[spec->family];

		*bad = i;
		err = fmp_batch_check(ts, specs, n, i, excl);
		if (err)
			return err;
		if (fmp_table_find(t, spec->key, spec->plen))
			continue;
		if (!room[spec->family]--)
			return -ENOSPC;
		err = fmp_table_prepare(t);
		if (err)
			return err;
		fresh[i] = fmp_rule_alloc(spec);
		if (!fresh[i])
			return -ENOMEM;
	}
	return 0;
}

/**
 * fmp_batch_commit() - put a checked batch in force
 * @ts: the tables
 * @specs: the batch
 * @n: its length
 * @fresh: new rules, NULL where the address has one; all are taken over
 *
 * Context: process, ts->lock held.
 */
static void fmp_batch_commit(struct fmp_tables *ts, const struct fmp_rule_spec *specs,
			     unsigned int n, struct fmp_rule **fresh)
{
	unsigned int i;

	for (i = 0; i < n; i++) {
		const struct fmp_rule_spec *spec = &specs[i];
		struct fmp_table *t = &ts->family[spec->family];
		struct fmp_rule *rule = fresh[i];

		if (rule) {
			fmp_rule_set_end(ts, rule, spec->timeout_ms);
			fmp_table_insert(t, rule);
			fresh[i] = NULL;
			continue;
		}
		rule = fmp_table_find(t, spec->key, spec->plen);
		if (atomic64_read(&rule->expires))
			timerqueue_del(&ts->due, &rule->due);
		fmp_rule_set_end(ts, rule, spec->timeout_ms);
		fmp_table_reverdict(t, rule, spec->verdict);
		rule->id = spec->id;
	}
	fmp_tables_changed(ts);
	fmp_reaper_arm(ts);
}

/**
 * fmp_tables_add() - add or replace rules, all or none
 * @ts: the tables
 * @specs: the rules
 * @n: how many, at least 1
 * @excl: refuse an address that has a rule
 * @bad: on refusal, the number of the rule at fault
 *
 * Context: process, may sleep.
 * Return: 0; -EINVAL an address stands twice; -EPERM a block of a protected
 * address; -EEXIST with @excl; -ENOSPC the table is full; -ENOMEM.
 */
int fmp_tables_add(struct fmp_tables *ts, const struct fmp_rule_spec *specs, unsigned int n,
		   bool excl, unsigned int *bad)
{
	struct fmp_rule **fresh;
	unsigned int i;
	int err;

	*bad = 0;
	fresh = kvcalloc(n, sizeof(*fresh), GFP_KERNEL_ACCOUNT);
	if (!fresh)
		return -ENOMEM;

	mutex_lock(&ts->lock);
	fmp_reap(ts, UINT_MAX);
	err = fmp_batch_alloc(ts, specs, n, excl, fresh, bad);
	if (!err)
		fmp_batch_commit(ts, specs, n, fresh);
	mutex_unlock(&ts->lock);

	for (i = 0; i < n; i++)
		kfree(fresh[i]);
	kvfree(fresh);
	return err;
}

/**
 * fmp_tables_del() - delete rules, all or none
 * @ts: the tables
 * @specs: their addresses
 * @n: how many, at least 1
 * @bad: on refusal, the number of the address at fault
 *
 * Context: process, may sleep.
 * Return: 0; -ENOENT an address has no rule; -EINVAL an address stands twice.
 */
int fmp_tables_del(struct fmp_tables *ts, const struct fmp_rule_spec *specs, unsigned int n,
		   unsigned int *bad)
{
	unsigned int i;
	int err = 0;

	mutex_lock(&ts->lock);
	fmp_reap(ts, UINT_MAX);
	for (i = 0; i < n && !err; i++) {
		const struct fmp_rule_spec *spec = &specs[i];

		*bad = i;
		err = fmp_batch_clash(specs, n, i);
		if (!err && !fmp_table_find(&ts->family[spec->family], spec->key, spec->plen))
			err = -ENOENT;
	}
	if (err)
		goto out;

	for (i = 0; i < n; i++)
		fmp_rule_drop(ts, fmp_table_find(&ts->family[specs[i].family], specs[i].key,
						 specs[i].plen));
	fmp_tables_changed(ts);
out:
	mutex_unlock(&ts->lock);
	return err;
}

/**
 * fmp_table_flush() - delete the rules of one table
 * @ts: the tables
 * @t: the table
 * @verdict: only those with this verdict, %FMP_VERDICT_UNSPEC for all
 *
 * Context: process, ts->lock held.
 * Return: rules deleted.
 */
static unsigned int fmp_table_flush(struct fmp_tables *ts, struct fmp_table *t, u8 verdict)
{
	struct hlist_head *head;
	struct hlist_node *next;
	struct fmp_rule *rule;
	unsigned int gone = 0;
	unsigned int i;

	if (!fmp_table_size(t))
		return 0;
	for (i = 0; i < FMP_BUCKETS; i++) {
		head = fmp_table_bucket(t, i);
		hlist_for_each_entry_safe(rule, next, head, node) {
			if (verdict && rule->verdict != verdict)
				continue;
			fmp_rule_drop(ts, rule);
			gone++;
		}
	}
	return gone;
}

/**
 * fmp_tables_flush() - delete all rules
 * @ts: the tables
 * @verdict: only those with this verdict, %FMP_VERDICT_UNSPEC for all
 *
 * Context: process, may sleep.
 * Return: rules deleted.
 */
unsigned int fmp_tables_flush(struct fmp_tables *ts, u8 verdict)
{
	unsigned int gone = 0;
	int f;

	mutex_lock(&ts->lock);
	for (f = 0; f < FMP_FAMILIES; f++)
		gone += fmp_table_flush(ts, &ts->family[f], verdict);
	if (gone)
		fmp_tables_changed(ts);
	mutex_unlock(&ts->lock);
	return gone;
}

/**
 * fmp_tables_next() - walk over all rules
 * @ts: the tables
 * @pos: where the walk stands, all zero at its start; left at the rule returned
 *
 * To go on behind the rule, the caller adds 1 to @pos->skip. A walk that gives
 * the lock back in between may miss rules or see them twice if ts->generation
 * changed meanwhile.
 *
 * Context: ts->lock held.
 * Return: the rule, or NULL at the end.
 */
struct fmp_rule *fmp_tables_next(struct fmp_tables *ts, struct fmp_table_pos *pos)
{
	lockdep_assert_held(&ts->lock);
	for (; pos->family < FMP_FAMILIES; pos->family++, pos->bucket = 0) {
		const struct fmp_table *t = &ts->family[pos->family];

		if (!fmp_table_size(t))
			continue;
		for (; pos->bucket < FMP_BUCKETS; pos->bucket++, pos->skip = 0) {
			struct fmp_rule *rule;
			unsigned int i = 0;

			hlist_for_each_entry(rule, fmp_table_bucket(t, pos->bucket), node) {
				if (i++ == pos->skip)
					return rule;
			}
		}
	}
	return NULL;
}

/**
 * fmp_tables_tell_hit() - tell that a rule matched its first frame
 * @ts: the tables
 * @name: the rule, if it is still there
 *
 * A rule that went and came back is told of when it is hit itself.
 *
 * Context: process, ts->lock held.
 */
void fmp_tables_tell_hit(struct fmp_tables *ts, const struct fmp_rule_name *name)
{
	struct fmp_rule *rule = fmp_table_find(&ts->family[name->family], name->key, name->plen);

	lockdep_assert_held(&ts->lock);
	if (!rule || rule->told || !atomic64_read(&rule->first_hit))
		return;
	rule->told = true;
	ts->ops->first_hit(ts, rule);
}

/**
 * fmp_tables_count() - rules in force
 * @ts: the tables
 *
 * Context: ts->lock held.
 * Return: their number.
 */
u32 fmp_tables_count(const struct fmp_tables *ts)
{
	u32 n = 0;
	int f;

	for (f = 0; f < FMP_FAMILIES; f++)
		n += fmp_table_size(&ts->family[f]);
	return n;
}

/**
 * fmp_tables_init() - make the tables of a namespace
 * @ts: the tables, zeroed
 * @ops: told of what happens to rules
 *
 * Context: process.
 */
void fmp_tables_init(struct fmp_tables *ts, const struct fmp_tables_ops *ops)
{
	mutex_init(&ts->lock);
	timerqueue_init_head(&ts->due);
	INIT_DELAYED_WORK(&ts->reaper, fmp_reaper_work);
	fmp_hits_init(&ts->hits);
	ts->ops = ops;
	fmp_tables_changed(ts);
}

/**
 * fmp_tables_exit() - delete all rules and the tables
 * @ts: the tables, stopped
 *
 * Context: process; no lookup runs any more.
 */
void fmp_tables_exit(struct fmp_tables *ts)
{
	int f;

	fmp_tables_flush(ts, FMP_VERDICT_UNSPEC);
	for (f = 0; f < FMP_FAMILIES; f++)
		fmp_table_exit(&ts->family[f]);
}

/**
 * fmp_tables_start() - let rules go when their time is over, and hits be told of
 * @ts: the tables
 *
 * Context: process, may sleep.
 */
void fmp_tables_start(struct fmp_tables *ts)
{
	mutex_lock(&ts->lock);
	ts->reaping = true;
	fmp_reaper_arm(ts);
	mutex_unlock(&ts->lock);
	fmp_hits_start(&ts->hits);
}

/**
 * fmp_tables_stop() - no longer do so
 * @ts: the tables
 *
 * Context: process, may sleep.
 */
void fmp_tables_stop(struct fmp_tables *ts)
{
	mutex_lock(&ts->lock);
	ts->reaping = false;
	mutex_unlock(&ts->lock);
	cancel_delayed_work_sync(&ts->reaper);
	fmp_hits_stop(&ts->hits);
}
