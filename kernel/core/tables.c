// SPDX-License-Identifier: GPL-2.0
/*
 * The rules of a network namespace: batches, walks
 *
 * A batch is planned first: it is checked completely and all its memory is
 * allocated. Then it is committed, which can't fail.
 */
#include "tables.h"
#include "conflict.h"
#include "expiry.h"
#include "capacity.h"

#include <linux/lockdep.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/slab.h>

unsigned int fmp_max_rules = 65536;
unsigned int fmp_max_rules_total;

/* Number of the last generation of any namespace. */
static atomic_t fmp_last_generation;

/**
 * struct fmp_change - the plan for one rule of a batch
 * @old: the present rule of its address, or NULL
 * @fresh: the new rule if the address has none, or NULL
 * @victim: the rule to be evicted for the new one, or NULL
 */
struct fmp_change {
	struct fmp_rule *old;
	struct fmp_rule *fresh;
	struct fmp_rule *victim;
};

/**
 * fmp_tables_changed() - finish a change of the rules
 * @ts: the tables
 *
 * Recompute fmp_tables.lookup_mask and give the rules a new generation. The
 * generation is written last: a reader that loads it and then looks rules up sees
 * rules at least as new. No two namespaces ever have the same generation, so a
 * header record is not valid in another namespace that a frame moves to.
 *
 * Context: ts->lock held.
 */
void fmp_tables_changed(struct fmp_tables *ts)
{
	u32 generation, mask = 0;
	int f;

	for (f = 0; f < FMP_FAMILIES; f++) {
		const u32 *count = ts->family[f].count;

		if (fmp_table_size(&ts->family[f]))
			mask |= BIT(f);
		if (f == FMP_FAMILY_MAC)
			continue;
		if (count[FMP_VERDICT_BLOCK] || count[FMP_VERDICT_OBSERVE])
			mask |= FMP_LOOKUP_L3_STOP;
		if (count[FMP_VERDICT_PROTECT])
			mask |= FMP_LOOKUP_L3_PROTECT;
	}
	if (ts->family[FMP_FAMILY_IPV4].lens == 32 && !(mask & BIT(FMP_FAMILY_PAIR4)))
		mask |= FMP_LOOKUP_HOSTS4;
	if (ts->family[FMP_FAMILY_IPV6].lens == FMP_PLEN_MAX && !(mask & BIT(FMP_FAMILY_PAIR6)))
		mask |= FMP_LOOKUP_HOSTS6;
	WRITE_ONCE(ts->lookup_mask, mask);
	/* 0 would read as "no generation" in a dump. */
	do {
		generation = atomic_inc_return(&fmp_last_generation);
	} while (!generation);
	smp_store_release(&ts->generation, generation); /* pairs with fmp_tables_generation() */
}

/**
 * fmp_tables_remove_rule() - remove a rule and free it
 * @ts: the tables
 * @rule: the rule
 *
 * The caller calls fmp_tables_changed() after its last change.
 *
 * Context: ts->lock held.
 */
void fmp_tables_remove_rule(struct fmp_tables *ts, struct fmp_rule *rule)
{
	lockdep_assert_held(&ts->lock);
	fmp_expiry_clear(ts, rule);
	fmp_table_remove(&ts->family[rule->family], rule);
	fmp_rule_free_rcu(rule);
}

/**
 * fmp_plan_rule() - check one rule of a batch and allocate what it needs
 * @index: the batch
 * @capacity: the capacity that is left
 * @spec: the rule
 * @excl: refuse an address that has a rule
 * @change: its @old is set; the rest is filled
 *
 * Context: process, fmp_tables.lock held.
 * Return: %FMP_RULE_ERR_NONE, or why the rule is refused.
 */
static enum fmp_rule_err fmp_plan_rule(const struct fmp_conflict_index *index,
				       struct fmp_capacity *capacity,
				       const struct fmp_rule_spec *spec, bool excl,
				       struct fmp_change *change)
{
	struct fmp_tables *ts = capacity->ts;
	enum fmp_rule_err err;

	if (spec->verdict != FMP_VERDICT_PROTECT && fmp_conflict_is_protected(index, ts, spec))
		return FMP_RULE_ERR_PROTECTED;
	if (change->old)
		return excl ? FMP_RULE_ERR_EXISTS : FMP_RULE_ERR_NONE;
	err = fmp_capacity_reserve(capacity, spec->family, &change->victim);
	if (err)
		return err;
	if (fmp_table_prepare(&ts->family[spec->family], fmp_max_rules))
		return FMP_RULE_ERR_NO_MEMORY;
	change->fresh = fmp_rule_alloc(spec);
	return change->fresh ? FMP_RULE_ERR_NONE : FMP_RULE_ERR_NO_MEMORY;
}

/**
 * fmp_plan_batch() - check a batch and allocate what it needs
 * @ts: the tables
 * @index: the batch
 * @n: its length
 * @excl: refuse an address that has a rule
 * @change: filled; zeroed by the caller, which owns its new rules in each case
 * @bad: on error, set to the number of the rule at fault
 *
 * Context: process, ts->lock held.
 * Return: %FMP_RULE_ERR_NONE, or why the rule at fault is refused.
 */
static enum fmp_rule_err fmp_plan_batch(struct fmp_tables *ts,
					const struct fmp_conflict_index *index, unsigned int n,
					bool excl, struct fmp_change *change, unsigned int *bad)
{
	enum fmp_rule_err err = FMP_RULE_ERR_NONE;
	struct fmp_capacity capacity;
	unsigned int i;

	fmp_capacity_init(&capacity, ts);
	/* Pin the rules that the batch replaces: it must not evict them. */
	for (i = 0; i < n; i++) {
		const struct fmp_rule_spec *spec = &index->specs[i];

		change[i].old =
			fmp_table_find_rule(&ts->family[spec->family], &spec->key, spec->plen);
		if (change[i].old)
			change[i].old->pinned = true;
	}
	for (i = 0; i < n && !err; i++) {
		*bad = i;
		err = fmp_plan_rule(index, &capacity, &index->specs[i], excl, &change[i]);
	}
	for (i = 0; i < n; i++) {
		if (change[i].old)
			change[i].old->pinned = false;
	}
	return err;
}

/**
 * fmp_commit_rule() - commit one rule of a planned batch
 * @ts: the tables
 * @spec: the rule
 * @change: its plan; the tables take over the new rule
 *
 * Context: process, ts->lock held.
 */
static void fmp_commit_rule(struct fmp_tables *ts, const struct fmp_rule_spec *spec,
			    struct fmp_change *change)
{
	struct fmp_table *t = &ts->family[spec->family];
	struct fmp_rule *rule = change->old;

	if (change->victim) {
		ts->evicted++;
		ts->ops->evicted(ts, change->victim);
		fmp_tables_remove_rule(ts, change->victim);
	}
	if (rule) {
		fmp_expiry_clear(ts, rule);
		fmp_table_set_verdict(t, rule, spec->verdict);
		fmp_expiry_set(ts, rule, spec->timeout_ms);
		fmp_rule_set_attrs(rule, spec);
		return;
	}
	fmp_expiry_set(ts, change->fresh, spec->timeout_ms);
	fmp_table_insert(t, change->fresh);
	change->fresh = NULL;
}

/**
 * fmp_commit_batch() - commit a planned batch
 * @ts: the tables
 * @specs: the batch
 * @n: its length
 * @change: the plan for each rule; the tables take over the new rules
 *
 * Protect rules come first, and a grace period lies between them and the others:
 * a frame that sees a block of the batch sees its protect rules too.
 *
 * Context: process, may sleep, ts->lock held.
 */
static void fmp_commit_batch(struct fmp_tables *ts, const struct fmp_rule_spec *specs,
			     unsigned int n, struct fmp_change *change)
{
	unsigned int i, protects = 0;

	for (i = 0; i < n; i++) {
		if (specs[i].verdict != FMP_VERDICT_PROTECT)
			continue;
		fmp_commit_rule(ts, &specs[i], &change[i]);
		protects++;
	}
	if (protects && protects < n) {
		/* Update the lookup mask too: without its bits no frame looks them up. */
		fmp_tables_changed(ts);
		synchronize_rcu();
	}
	for (i = 0; i < n; i++) {
		if (specs[i].verdict != FMP_VERDICT_PROTECT)
			fmp_commit_rule(ts, &specs[i], &change[i]);
	}
	fmp_tables_changed(ts);
	fmp_expiry_arm(ts);
}

/**
 * fmp_tables_add() - add or replace rules, all or none
 * @ts: the tables
 * @specs: the rules
 * @n: number of rules, at least 1
 * @excl: refuse an address that has a rule
 * @bad: on error, set to the number of the rule at fault
 *
 * Context: process, may sleep.
 * Return: %FMP_RULE_ERR_NONE, or why the rule at fault is refused.
 */
enum fmp_rule_err fmp_tables_add(struct fmp_tables *ts, const struct fmp_rule_spec *specs,
				 unsigned int n, bool excl, unsigned int *bad)
{
	struct fmp_change *change;
	struct fmp_conflict_index index;
	enum fmp_rule_err err;
	unsigned int i;

	err = fmp_conflict_init(&index, specs, n, bad);
	if (err)
		goto free_index;
	change = kvcalloc(n, sizeof(*change), GFP_KERNEL_ACCOUNT);
	if (!change) {
		err = FMP_RULE_ERR_NO_MEMORY;
		goto free_index;
	}

	mutex_lock(&ts->lock);
	fmp_expiry_reap(ts, UINT_MAX);
	err = fmp_plan_batch(ts, &index, n, excl, change, bad);
	if (!err)
		fmp_commit_batch(ts, specs, n, change);
	mutex_unlock(&ts->lock);

	for (i = 0; i < n; i++) {
		if (change[i].fresh)
			fmp_rule_free(change[i].fresh);
	}
	kvfree(change);
free_index:
	fmp_conflict_exit(&index);
	return err;
}

/**
 * fmp_tables_remove_batch() - delete the protect rules, or all others, of a list
 * @ts: the tables
 * @specs: addresses that have rules
 * @n: number of addresses
 * @protects: delete the protect rules, otherwise all others
 *
 * Context: process, ts->lock held.
 * Return: rules deleted.
 */
static unsigned int fmp_tables_remove_batch(struct fmp_tables *ts,
					    const struct fmp_rule_spec *specs, unsigned int n,
					    bool protects)
{
	unsigned int i, removed = 0;

	for (i = 0; i < n; i++) {
		struct fmp_rule *rule = fmp_table_find_rule(&ts->family[specs[i].family],
							    &specs[i].key, specs[i].plen);
		bool is_protect = rule && rule->verdict == FMP_VERDICT_PROTECT;

		if (!rule || is_protect != protects)
			continue;
		fmp_tables_remove_rule(ts, rule);
		removed++;
	}
	return removed;
}

/**
 * fmp_tables_del() - delete rules, all or none
 * @ts: the tables
 * @specs: their addresses
 * @n: number of addresses, at least 1
 * @bad: on error, set to the number of the address at fault
 *
 * Protect rules are deleted last, a grace period after the others: no frame sees
 * a block of the batch without its protection.
 *
 * Context: process, may sleep.
 * Return: %FMP_RULE_ERR_NONE, or why the address at fault is refused.
 */
enum fmp_rule_err fmp_tables_del(struct fmp_tables *ts, const struct fmp_rule_spec *specs,
				 unsigned int n, unsigned int *bad)
{
	struct fmp_conflict_index index;
	enum fmp_rule_err err;
	unsigned int i, removed;

	err = fmp_conflict_init(&index, specs, n, bad);
	if (err)
		goto free_index;

	mutex_lock(&ts->lock);
	fmp_expiry_reap(ts, UINT_MAX);
	for (i = 0; i < n && !err; i++) {
		*bad = i;
		if (!fmp_table_find_rule(&ts->family[specs[i].family], &specs[i].key,
					 specs[i].plen))
			err = FMP_RULE_ERR_MISSING;
	}
	if (err)
		goto unlock;

	removed = fmp_tables_remove_batch(ts, specs, n, false);
	if (removed && removed < n)
		synchronize_rcu();
	fmp_tables_remove_batch(ts, specs, n, true);
	fmp_tables_changed(ts);
unlock:
	mutex_unlock(&ts->lock);
free_index:
	fmp_conflict_exit(&index);
	return err;
}

/**
 * fmp_table_flush() - delete the rules of one table
 * @ts: the tables
 * @t: the table
 * @verdicts: BIT(enum fmp_verdict) of the rules to delete
 *
 * Context: process, ts->lock held.
 * Return: rules deleted.
 */
static unsigned int fmp_table_flush(struct fmp_tables *ts, struct fmp_table *t, u32 verdicts)
{
	struct hlist_node *next;
	struct fmp_rule *rule;
	unsigned int removed = 0;
	u32 i;

	for (i = 0; i < fmp_table_bucket_count(t) && fmp_table_size(t); i++) {
		hlist_for_each_entry_safe(rule, next, fmp_table_bucket(t, i), node) {
			if (!(BIT(rule->verdict) & verdicts))
				continue;
			fmp_tables_remove_rule(ts, rule);
			removed++;
		}
		cond_resched();
	}
	return removed;
}

/**
 * fmp_tables_flush() - delete all rules
 * @ts: the tables
 * @verdict: only those with this verdict, %FMP_VERDICT_UNSPEC for all
 *
 * Protect rules are deleted last, as in fmp_tables_del().
 *
 * Context: process, may sleep.
 * Return: rules deleted.
 */
unsigned int fmp_tables_flush(struct fmp_tables *ts, u8 verdict)
{
	const u32 protect = BIT(FMP_VERDICT_PROTECT);
	const u32 verdicts = verdict ? BIT(verdict) : ~0;
	unsigned int removed = 0;
	int f;

	mutex_lock(&ts->lock);
	for (f = 0; f < FMP_FAMILIES; f++)
		removed += fmp_table_flush(ts, &ts->family[f], verdicts & ~protect);
	if (removed && (verdicts & protect) && fmp_tables_count(ts))
		synchronize_rcu();
	for (f = 0; f < FMP_FAMILIES; f++)
		removed += fmp_table_flush(ts, &ts->family[f], verdicts & protect);
	if (removed)
		fmp_tables_changed(ts);
	mutex_unlock(&ts->lock);
	return removed;
}

/**
 * fmp_tables_next_rule() - walk over all rules
 * @ts: the tables
 * @pos: position of the walk, zeroed to start; set to the rule returned
 *
 * To continue after the rule, the caller adds 1 to @pos->skip. A walk that
 * releases the lock in between may miss rules or visit them twice if
 * ts->generation changed meanwhile.
 *
 * Context: ts->lock held.
 * Return: the rule, or NULL at the end.
 */
struct fmp_rule *fmp_tables_next_rule(struct fmp_tables *ts, struct fmp_table_pos *pos)
{
	lockdep_assert_held(&ts->lock);
	for (; pos->family < FMP_FAMILIES; pos->family++, pos->bucket = 0) {
		const struct fmp_table *t = &ts->family[pos->family];

		if (!fmp_table_size(t))
			continue;
		for (; pos->bucket < fmp_table_bucket_count(t); pos->bucket++, pos->skip = 0) {
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
 * fmp_tables_report_hit() - report that a rule matched its first frame
 * @ts: the tables
 * @ref: the rule; it may have been deleted
 *
 * A rule that was deleted and added again is not reported before it has a hit.
 *
 * Context: process, ts->lock held.
 */
void fmp_tables_report_hit(struct fmp_tables *ts, const struct fmp_rule_ref *ref)
{
	struct fmp_rule *rule = fmp_table_find_rule(&ts->family[ref->family], &ref->key, ref->plen);

	lockdep_assert_held(&ts->lock);
	if (!rule || rule->reported || !fmp_rule_first_hit(rule))
		return;
	rule->reported = true;
	ts->ops->first_hit(ts, rule);
}

/**
 * fmp_tables_count() - count all rules
 * @ts: the tables
 *
 * Context: ts->lock held.
 * Return: the number of rules.
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
 * fmp_tables_memory() - get the memory of all rules
 * @ts: the tables
 *
 * Context: ts->lock held.
 * Return: bytes of the rules and of the hash arrays.
 */
u64 fmp_tables_memory(const struct fmp_tables *ts)
{
	u64 bytes = 0;
	int f;

	for (f = 0; f < FMP_FAMILIES; f++)
		bytes += fmp_table_memory(&ts->family[f]);
	return bytes;
}

/**
 * fmp_tables_init() - initialize the tables of a namespace
 * @ts: the tables, zeroed
 * @ops: notifications about rules
 *
 * Context: process.
 */
void fmp_tables_init(struct fmp_tables *ts, const struct fmp_tables_ops *ops)
{
	int f;

	mutex_init(&ts->lock);
	for (f = 0; f < FMP_FAMILIES; f++)
		fmp_table_init(&ts->family[f], f);
	fmp_expiry_init(ts);
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
 * fmp_tables_start() - start removing expired rules and reporting first hits
 * @ts: the tables
 *
 * Context: process, may sleep.
 */
void fmp_tables_start(struct fmp_tables *ts)
{
	mutex_lock(&ts->lock);
	ts->reaping = true;
	fmp_expiry_arm(ts);
	mutex_unlock(&ts->lock);
	fmp_hits_start(&ts->hits);
}

/**
 * fmp_tables_stop() - stop removing expired rules and reporting first hits
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
