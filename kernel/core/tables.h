/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _FMP_TABLES_H
#define _FMP_TABLES_H

#include "hits.h"
#include "table.h"

#include <linux/mutex.h>
#include <linux/workqueue.h>

struct fmp_tables;

/**
 * struct fmp_tables_ops - who wants to know what happens to rules
 * @expired: a rule reached its end, and goes
 * @evicted: a rule must make room for another one, and goes
 * @first_hit: a rule matched its first frame
 * @hits_lost: so many first hits can't be told of
 *
 * Called under fmp_tables.lock; may sleep. The rule lives for the call.
 */
struct fmp_tables_ops {
	void (*expired)(struct fmp_tables *ts, const struct fmp_rule *rule);
	void (*evicted)(struct fmp_tables *ts, const struct fmp_rule *rule);
	void (*first_hit)(struct fmp_tables *ts, const struct fmp_rule *rule);
	void (*hits_lost)(struct fmp_tables *ts, unsigned int n);
};

/* fmp_tables.asks, in front of these a bit for each enum fmp_family that has rules. */
#define FMP_ASK_L3_STOP	   BIT(8) /* a rule that needs the IP header blocks or observes */
#define FMP_ASK_L3_PROTECT BIT(9) /* one of them protects */
#define FMP_ASK_HOSTS4	   BIT(10) /* IPv4: rules for hosts, and no others */
#define FMP_ASK_HOSTS6	   BIT(11) /* the same for IPv6 */
#define FMP_ASK_L3	   (FMP_ASK_L3_STOP | FMP_ASK_L3_PROTECT)

/**
 * struct fmp_tables - all rules of one network namespace
 * @asks: what a frame must be asked for: BIT(enum fmp_family), FMP_ASK_*; read
 *	without a lock
 * @generation: changes with every change, after it; no other namespace ever has
 *	the same
 * @family: a table for each enum fmp_family
 * @protected_hits: frames that a block matched and a protect let through
 * @lock: serialises all that changes rules
 * @evicted: rules that had to make room
 * @reaper: removes what is over
 * @reaping: the reaper may be scheduled
 * @hits: first hits that nobody was told of yet
 * @ops: told of what happens to rules
 */
struct fmp_tables {
	u32 asks;
	u32 generation;
	struct fmp_table family[FMP_FAMILIES];
	atomic64_t protected_hits;

	struct mutex lock; /* all that changes rules */
	u64 evicted;
	struct delayed_work reaper;
	bool reaping;
	struct fmp_hits hits;
	const struct fmp_tables_ops *ops;
};

/**
 * enum fmp_fault - why rules are refused
 * @FMP_FAULT_NONE: they are not
 * @FMP_FAULT_TWICE: an address stands twice
 * @FMP_FAULT_PROTECTED: a block of what is protected
 * @FMP_FAULT_EXISTS: an address has a rule already
 * @FMP_FAULT_MISSING: an address has no rule
 * @FMP_FAULT_TABLE_FULL: no room in the table and nothing to evict from it
 * @FMP_FAULT_TOTAL_FULL: no room in the namespace and nothing to evict
 * @FMP_FAULT_MEMORY: no memory
 */
enum fmp_fault {
	FMP_FAULT_NONE,
	FMP_FAULT_TWICE,
	FMP_FAULT_PROTECTED,
	FMP_FAULT_EXISTS,
	FMP_FAULT_MISSING,
	FMP_FAULT_TABLE_FULL,
	FMP_FAULT_TOTAL_FULL,
	FMP_FAULT_MEMORY,
};

/**
 * struct fmp_table_pos - where a walk over all rules stands
 * @family: table
 * @bucket: bucket in it
 * @skip: rules of that bucket that were seen
 */
struct fmp_table_pos {
	unsigned int family;
	unsigned int bucket;
	unsigned int skip;
};

extern unsigned int fmp_max_rules;
extern unsigned int fmp_max_rules_total;

void fmp_tables_init(struct fmp_tables *ts, const struct fmp_tables_ops *ops);
void fmp_tables_exit(struct fmp_tables *ts);
void fmp_tables_start(struct fmp_tables *ts);
void fmp_tables_stop(struct fmp_tables *ts);
void fmp_tables_tell_hit(struct fmp_tables *ts, const struct fmp_rule_name *name);

enum fmp_fault fmp_tables_add(struct fmp_tables *ts, const struct fmp_rule_spec *specs,
			      unsigned int n, bool excl, unsigned int *bad);
enum fmp_fault fmp_tables_del(struct fmp_tables *ts, const struct fmp_rule_spec *specs,
			      unsigned int n, unsigned int *bad);
unsigned int fmp_tables_flush(struct fmp_tables *ts, u8 verdict);
void fmp_tables_drop(struct fmp_tables *ts, struct fmp_rule *rule);
void fmp_tables_changed(struct fmp_tables *ts);
struct fmp_rule *fmp_tables_next(struct fmp_tables *ts, struct fmp_table_pos *pos);
u32 fmp_tables_count(const struct fmp_tables *ts);
u64 fmp_tables_memory(const struct fmp_tables *ts);

/**
 * fmp_tables_generation() - the state of the rules, read before they are asked
 * @ts: the tables
 *
 * Context: any.
 * Return: the generation; what the tables answer afterwards is at least as new.
 */
static inline u32 fmp_tables_generation(const struct fmp_tables *ts)
{
	return smp_load_acquire(&ts->generation); /* pairs with fmp_tables_changed() */
}

#endif /* _FMP_TABLES_H */
