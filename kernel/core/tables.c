// SPDX-License-Identifier: GPL-2.0
/*
 * The rules of a network namespace: batches, walks
 *
 * A batch is checked completely, and all its memory is there, before the first
 * rule changes; from then on nothing can fail.
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

/* What generations are taken from: the number of the last one, of any namespace. */
static atomic_t fmp_last_generation;

/**
 * struct fmp_change - what becomes of one rule of a batch
 * @old: the rule that its address has, or NULL
 * @fresh: the new rule for an address that has none, or NULL
 * @victim: the rule that must go for the new one, or NULL
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
 * Brings fmp_tables.asks up to date and gives the rules a new generation.
 * It is written after all that changed: whoever reads it and then asks the
 * tables sees at least what it stands for. No two namespaces ever have the same
 * one, so a frame that moves between them carries no verdict along.
 *
 * Context: ts->lock held.
 */
void fmp_tables_changed(struct fmp_tables *ts)
{
	u32 generation, asks = 0;
	int f;

	for (f = 0; f < FMP_FAMILIES; f++) {
		const u32 *count = ts->family[f].count;

		if (fmp_table_size(&ts->family[f]))
			asks |= BIT(f);
		if (f == FMP_FAMILY_MAC)
			continue;
		if (count[FMP_VERDICT_BLOCK] || count[FMP_VERDICT_OBSERVE])
			asks |= FMP_ASK_L3_STOP;
		if (count[FMP_VERDICT_PROTECT])
			asks |= FMP_ASK_L3_PROTECT;
	}
	if (ts->family[FMP_FAMILY_IPV4].lens == 32 && !(asks & BIT(FMP_FAMILY_PAIR4)))
		asks |= FMP_ASK_HOSTS4;
	if (ts->family[FMP_FAMILY_IPV6].lens == FMP_PLEN_MAX && !(asks & BIT(FMP_FAMILY_PAIR6)))
		asks |= FMP_ASK_HOSTS6;
	WRITE_ONCE(ts->asks, asks);
	/* 0 would read as "no generation" in a dump. */
	do {
		generation = atomic_inc_return(&fmp_last_generation);
	} while (!generation);
	smp_store_release(&ts->generation, generation); /* pairs with fmp_tables_generation() */
}

/**
 * fmp_tables_drop() - take a rule out and free it
 * @ts: the tables
 * @rule: the rule
 *
 * The caller says fmp_tables_changed() when it is done.
 *
 * Context: ts->lock held.
 */
void fmp_tables_drop(struct fmp_tables *ts, struct fmp_rule *rule)
{
	lockdep_assert_held(&ts->lock);
	fmp_expiry_clear(ts, rule);
	fmp_table_remove(&ts->family[rule->family], rule);
	fmp_rule_free_late(rule);
}

/**
 * fmp_plan_rule() - check one rule of a batch and get all it needs
 * @clash: the batch
 * @room: the room that is left
 * @spec: the rule
 * @excl: refuse what is there already
 * @change: filled, but for its old rule, which is known
 *
 * Context: process, fmp_tables.lock held.
 * Return: what speaks against it.
 */
static enum fmp_fault fmp_plan_rule(const struct fmp_clash *clash, struct fmp_room *room,
				    const struct fmp_rule_spec *spec, bool excl,
				    struct fmp_change *change)
{
	struct fmp_tables *ts = room->ts;
	enum fmp_fault fault;

	if (spec->verdict != FMP_VERDICT_PROTECT && fmp_clash_protected(clash, ts, spec))
		return FMP_FAULT_PROTECTED;
	if (change->old)
		return excl ? FMP_FAULT_EXISTS : FMP_FAULT_NONE;
	fault = fmp_room_take(room, spec->family, &change->victim);
	if (fault)
		return fault;
	if (fmp_table_prepare(&ts->family[spec->family], fmp_max_rules))
		return FMP_FAULT_MEMORY;
	change->fresh = fmp_rule_alloc(spec);
	return change->fresh ? FMP_FAULT_NONE : FMP_FAULT_MEMORY;
}

/**
 * fmp_plan() - check a batch and get all it needs
 * @ts: the tables
 * @clash: the batch
 * @n: its length
 * @excl: refuse what is there already
 * @change: filled; all zero before
 * @bad: on refusal, the rule at fault
 *
 * Context: process, ts->lock held.
 * Return: what speaks against it; what @change holds is the caller's either way.
 */
static enum fmp_fault fmp_plan(struct fmp_tables *ts, const struct fmp_clash *clash, unsigned int n,
			       bool excl, struct fmp_change *change, unsigned int *bad)
{
	enum fmp_fault fault = FMP_FAULT_NONE;
	struct fmp_room room;
	unsigned int i;

	fmp_room_begin(&room, ts);
	/* No rule of the batch may go for another one of it. */
	for (i = 0; i < n; i++) {
		const struct fmp_rule_spec *spec = &clash->specs[i];

		change[i].old = fmp_table_find(&ts->family[spec->family], &spec->key, spec->plen);
		if (change[i].old)
			change[i].old->kept = true;
	}
	for (i = 0; i < n && !fault; i++) {
		*bad = i;
		fault = fmp_plan_rule(clash, &room, &clash->specs[i], excl, &change[i]);
	}
	for (i = 0; i < n; i++) {
		if (change[i].old)
			change[i].old->kept = false;
	}
	return fault;
}

/**
 * fmp_commit_rule() - put one rule of a checked batch in force
 * @ts: the tables
 * @spec: the rule
 * @change: what becomes of it; a new one is taken over
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
		fmp_tables_drop(ts, change->victim);
	}
	if (rule) {
		fmp_expiry_clear(ts, rule);
		fmp_table_reverdict(t, rule, spec->verdict);
		fmp_expiry_set(ts, rule, spec->timeout_ms);
		rule->id = spec->id;
		return;
	}
	fmp_expiry_set(ts, change->fresh, spec->timeout_ms);
	fmp_table_insert(t, change->fresh);
	change->fresh = NULL;
}

/**
 * fmp_commit() - put a checked batch in force
 * @ts: the tables
 * @specs: the batch
 * @n: its length
 * @change: what becomes of each rule; new ones are taken over
 *
 * Protect rules come first. A frame that sees a block of the batch sees the
 * protect rules of the batch too: a grace period lies between them.
 *
 * Context: process, may sleep, ts->lock held.
 */
static void fmp_commit(struct fmp_tables *ts, const struct fmp_rule_spec *specs, unsigned int n,
		       struct fmp_change *change)
{
	unsigned int i, protects = 0;

	for (i = 0; i < n; i++) {
		if (specs[i].verdict != FMP_VERDICT_PROTECT)
			continue;
		fmp_commit_rule(ts, &specs[i], &change[i]);
		protects++;
	}
	if (protects && protects < n) {
		/* The mask of tables to look at follows, or no frame looks for them. */
		fmp_tables_changed(ts);
		synchronize_rcu();
	}
	for (i = 0; i < n; i++) {
		if (specs[i].verdict != FMP_VERDICT_PROTECT)
			fmp_commit_rule(ts, &specs[i], &change[i]);
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
 * Return: %FMP_FAULT_NONE, or what speaks against the rule at fault.
 */
enum fmp_fault fmp_tables_add(struct fmp_tables *ts, const struct fmp_rule_spec *specs,
			      unsigned int n, bool excl, unsigned int *bad)
{
	struct fmp_change *change;
	struct fmp_clash clash;
	enum fmp_fault fault;
	unsigned int i;

	fault = fmp_clash_init(&clash, specs, n, bad);
	if (fault)
		goto free_clash;
	change = kvcalloc(n, sizeof(*change), GFP_KERNEL_ACCOUNT);
	if (!change) {
		fault = FMP_FAULT_MEMORY;
		goto free_clash;
	}

	mutex_lock(&ts->lock);
	fmp_reap(ts, UINT_MAX);
	fault = fmp_plan(ts, &clash, n, excl, change, bad);
	if (!fault)
		fmp_commit(ts, specs, n, change);
	mutex_unlock(&ts->lock);

	for (i = 0; i < n; i++) {
		if (change[i].fresh)
			fmp_rule_free(change[i].fresh);
	}
	kvfree(change);
free_clash:
	fmp_clash_exit(&clash);
	return fault;
}

/**
 * fmp_tables_drop_batch() - delete rules that are known to be there
 * @ts: the tables
 * @specs: their addresses
 * @n: how many
 * @protects: those that protect, or all others
 *
 * Context: process, ts->lock held.
 * Return: rules deleted.
 */
static unsigned int fmp_tables_drop_batch(struct fmp_tables *ts, const struct fmp_rule_spec *specs,
					  unsigned int n, bool protects)
{
	unsigned int i, gone = 0;

	for (i = 0; i < n; i++) {
		struct fmp_rule *rule =
			fmp_table_find(&ts->family[specs[i].family], &specs[i].key, specs[i].plen);
		bool is_protect = rule && rule->verdict == FMP_VERDICT_PROTECT;

		if (!rule || is_protect != protects)
			continue;
		fmp_tables_drop(ts, rule);
		gone++;
	}
	return gone;
}

/**
 * fmp_tables_del() - delete rules, all or none
 * @ts: the tables
 * @specs: their addresses
 * @n: how many, at least 1
 * @bad: on refusal, the number of the address at fault
 *
 * Protect rules go last, a grace period after the others: no frame finds a block
 * of the batch without its protection.
 *
 * Context: process, may sleep.
 * Return: %FMP_FAULT_NONE, or what speaks against the address at fault.
 */
enum fmp_fault fmp_tables_del(struct fmp_tables *ts, const struct fmp_rule_spec *specs,
			      unsigned int n, unsigned int *bad)
{
	struct fmp_clash clash;
	enum fmp_fault fault;
	unsigned int i, gone;

	fault = fmp_clash_init(&clash, specs, n, bad);
	if (fault)
		goto free_clash;

	mutex_lock(&ts->lock);
	fmp_reap(ts, UINT_MAX);
	for (i = 0; i < n && !fault; i++) {
		*bad = i;
		if (!fmp_table_find(&ts->family[specs[i].family], &specs[i].key, specs[i].plen))
			fault = FMP_FAULT_MISSING;
	}
	if (fault)
		goto unlock;

	gone = fmp_tables_drop_batch(ts, specs, n, false);
	if (gone && gone < n)
		synchronize_rcu();
	fmp_tables_drop_batch(ts, specs, n, true);
	fmp_tables_changed(ts);
unlock:
	mutex_unlock(&ts->lock);
free_clash:
	fmp_clash_exit(&clash);
	return fault;
}

/**
 * fmp_table_flush() - delete the rules of one table
 * @ts: the tables
 * @t: the table
 * @verdicts: only those with one of these verdicts; bits
 *
 * Context: process, ts->lock held.
 * Return: rules deleted.
 */
static unsigned int fmp_table_flush(struct fmp_tables *ts, struct fmp_table *t, u32 verdicts)
{
	struct hlist_node *next;
	struct fmp_rule *rule;
	unsigned int gone = 0;
	u32 i;

	for (i = 0; i < fmp_table_buckets(t) && fmp_table_size(t); i++) {
		hlist_for_each_entry_safe(rule, next, fmp_table_bucket(t, i), node) {
			if (!(BIT(rule->verdict) & verdicts))
				continue;
			fmp_tables_drop(ts, rule);
			gone++;
		}
		cond_resched();
	}
	return gone;
}

/**
 * fmp_tables_flush() - delete all rules
 * @ts: the tables
 * @verdict: only those with this verdict, %FMP_VERDICT_UNSPEC for all
 *
 * Protect rules go last, as in fmp_tables_del().
 *
 * Context: process, may sleep.
 * Return: rules deleted.
 */
unsigned int fmp_tables_flush(struct fmp_tables *ts, u8 verdict)
{
	const u32 protect = BIT(FMP_VERDICT_PROTECT);
	const u32 verdicts = verdict ? BIT(verdict) : ~0;
	unsigned int gone = 0;
	int f;

	mutex_lock(&ts->lock);
	for (f = 0; f < FMP_FAMILIES; f++)
		gone += fmp_table_flush(ts, &ts->family[f], verdicts & ~protect);
	if (gone && (verdicts & protect) && fmp_tables_count(ts))
		synchronize_rcu();
	for (f = 0; f < FMP_FAMILIES; f++)
		gone += fmp_table_flush(ts, &ts->family[f], verdicts & protect);
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
		for (; pos->bucket < fmp_table_buckets(t); pos->bucket++, pos->skip = 0) {
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
	struct fmp_rule *rule = fmp_table_find(&ts->family[name->family], &name->key, name->plen);

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
 * fmp_tables_memory() - memory of all rules
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
 * fmp_tables_init() - make the tables of a namespace
 * @ts: the tables, zeroed
 * @ops: told of what happens to rules
 *
 * Context: process.
 */
void fmp_tables_init(struct fmp_tables *ts, const struct fmp_tables_ops *ops)
{
	int f;

	mutex_init(&ts->lock);
	for (f = 0; f < FMP_FAMILIES; f++)
		fmp_table_init(&ts->family[f], f);
	fmp_reaper_init(ts);
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
