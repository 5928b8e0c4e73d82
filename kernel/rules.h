/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _FMP_RULES_H
#define _FMP_RULES_H

#include "hits.h"
#include "table.h"

#include <linux/mutex.h>
#include <linux/workqueue.h>

struct fmp_tables;

/**
 * struct fmp_tables_ops - who wants to know what happens to rules
 * @expired: a rule reached its end, and goes
 * @first_hit: a rule matched its first frame
 * @hits_lost: so many first hits can't be told of
 *
 * Called under fmp_tables.lock; may sleep. The rule lives for the call.
 */
struct fmp_tables_ops {
	void (*expired)(struct fmp_tables *ts, const struct fmp_rule *rule);
	void (*first_hit)(struct fmp_tables *ts, const struct fmp_rule *rule);
	void (*hits_lost)(struct fmp_tables *ts, unsigned int n);
};

/**
 * struct fmp_tables - all rules of one network namespace
 * @family: a table for each enum fmp_family
 * @ip_count: rules of the two IP tables by verdict; read without a lock
 * @protected_hits: frames that a block matched and a protect let through
 * @lock: serialises all that changes rules
 * @generation: changes with every change; no other namespace ever has the same
 * @due: rules with an end, the next one first
 * @reaper: removes what is over
 * @reaping: the reaper may be scheduled
 * @hits: first hits that nobody was told of yet
 * @ops: told of what happens to rules
 */
struct fmp_tables {
	struct fmp_table family[FMP_FAMILIES];
	u32 ip_count[FMP_VERDICT_MAX + 1];
	atomic64_t protected_hits;

	struct mutex lock; /* all that changes rules */
	u32 generation;
	struct timerqueue_head due;
	struct delayed_work reaper;
	bool reaping;
	struct fmp_hits hits;
	const struct fmp_tables_ops *ops;
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

void fmp_tables_init(struct fmp_tables *ts, const struct fmp_tables_ops *ops);
void fmp_tables_exit(struct fmp_tables *ts);
void fmp_tables_start(struct fmp_tables *ts);
void fmp_tables_stop(struct fmp_tables *ts);
void fmp_tables_tell_hit(struct fmp_tables *ts, const struct fmp_rule_name *name);

int fmp_tables_add(struct fmp_tables *ts, const struct fmp_rule_spec *specs, unsigned int n,
		   bool excl, unsigned int *bad);
int fmp_tables_del(struct fmp_tables *ts, const struct fmp_rule_spec *specs, unsigned int n,
		   unsigned int *bad);
unsigned int fmp_tables_flush(struct fmp_tables *ts, u8 verdict);
struct fmp_rule *fmp_tables_next(struct fmp_tables *ts, struct fmp_table_pos *pos);
u32 fmp_tables_count(const struct fmp_tables *ts);

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

#endif /* _FMP_RULES_H */
