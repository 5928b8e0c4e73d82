/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _FMP_TABLES_H
#define _FMP_TABLES_H

#include "hits.h"
#include "table.h"

#include <linux/mutex.h>
#include <linux/workqueue.h>

struct fmp_tables;

/**
 * struct fmp_tables_ops - notifications about rules
 * @expired: a rule expired and is removed
 * @evicted: a rule is removed to make room for another one
 * @first_hit: a rule matched its first frame
 * @hits_lost: @n first hits can't be reported
 *
 * Called under fmp_tables.lock; may sleep. The rule is valid during the call.
 */
struct fmp_tables_ops {
	void (*expired)(struct fmp_tables *ts, const struct fmp_rule *rule);
	void (*evicted)(struct fmp_tables *ts, const struct fmp_rule *rule);
	void (*first_hit)(struct fmp_tables *ts, const struct fmp_rule *rule);
	void (*hits_lost)(struct fmp_tables *ts, unsigned int n);
};

/* fmp_tables.lookup_mask; bits 0 to 7: BIT(enum fmp_family) of each family with rules. */
#define FMP_LOOKUP_L3_STOP    BIT(8) /* a rule that needs the IP header blocks or observes */
#define FMP_LOOKUP_L3_PROTECT BIT(9) /* a rule that needs the IP header protects */
#define FMP_LOOKUP_HOSTS4     BIT(10) /* all IPv4 rules are for hosts, and there are no pairs */
#define FMP_LOOKUP_HOSTS6     BIT(11) /* the same for IPv6 */
#define FMP_LOOKUP_L3	      (FMP_LOOKUP_L3_STOP | FMP_LOOKUP_L3_PROTECT)

/**
 * struct fmp_tables - all rules of one network namespace
 * @lookup_mask: lookups that a frame needs: BIT(enum fmp_family), FMP_LOOKUP_*;
 *	read without a lock
 * @generation: written after each change of the rules; no other namespace ever
 *	has the same value
 * @family: a table for each enum fmp_family
 * @protected_hits: frames that matched a block and passed by a protect rule
 * @lock: serializes all changes of rules
 * @evicted: rules that were evicted
 * @reaper: removes expired rules
 * @reaping: the reaper may be scheduled
 * @hits: first hits that are not reported yet
 * @ops: notifications about rules
 */
struct fmp_tables {
	u32 lookup_mask;
	u32 generation;
	struct fmp_table family[FMP_FAMILIES];
	struct fmp_counter protected_hits;

	struct mutex lock; /* serializes all changes of rules */
	u64 evicted;
	struct delayed_work reaper;
	bool reaping;
	struct fmp_hits hits;
	const struct fmp_tables_ops *ops;
};

/**
 * enum fmp_rule_err - why a batch of rules is refused
 * @FMP_RULE_ERR_NONE: it is accepted
 * @FMP_RULE_ERR_DUPLICATE: an address is twice in the batch
 * @FMP_RULE_ERR_PROTECTED: a protect rule covers the address
 * @FMP_RULE_ERR_EXISTS: the address has a rule already
 * @FMP_RULE_ERR_MISSING: the address has no rule
 * @FMP_RULE_ERR_TABLE_FULL: the table is full and none of its rules can be evicted
 * @FMP_RULE_ERR_TOTAL_FULL: the namespace is full and no rule can be evicted
 * @FMP_RULE_ERR_NO_MEMORY: out of memory
 */
enum fmp_rule_err {
	FMP_RULE_ERR_NONE,
	FMP_RULE_ERR_DUPLICATE,
	FMP_RULE_ERR_PROTECTED,
	FMP_RULE_ERR_EXISTS,
	FMP_RULE_ERR_MISSING,
	FMP_RULE_ERR_TABLE_FULL,
	FMP_RULE_ERR_TOTAL_FULL,
	FMP_RULE_ERR_NO_MEMORY,
};

/**
 * struct fmp_table_pos - position of a walk over all rules
 * @family: table
 * @bucket: hash chain of the table
 * @skip: rules of that chain that were visited
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
void fmp_tables_report_hit(struct fmp_tables *ts, const struct fmp_rule_ref *ref);

enum fmp_rule_err fmp_tables_add(struct fmp_tables *ts, const struct fmp_rule_spec *specs,
				 unsigned int n, bool excl, unsigned int *bad);
enum fmp_rule_err fmp_tables_del(struct fmp_tables *ts, const struct fmp_rule_spec *specs,
				 unsigned int n, unsigned int *bad);
unsigned int fmp_tables_flush(struct fmp_tables *ts, u8 verdict);
void fmp_tables_remove_rule(struct fmp_tables *ts, struct fmp_rule *rule);
void fmp_tables_changed(struct fmp_tables *ts);
struct fmp_rule *fmp_tables_next_rule(struct fmp_tables *ts, struct fmp_table_pos *pos);
u32 fmp_tables_count(const struct fmp_tables *ts);
u64 fmp_tables_memory(const struct fmp_tables *ts);

/**
 * fmp_tables_generation() - read the generation of the rules, before any lookup
 * @ts: the tables
 *
 * Context: any.
 * Return: the generation; lookups that follow see rules at least as new.
 */
static inline u32 fmp_tables_generation(const struct fmp_tables *ts)
{
	return smp_load_acquire(&ts->generation); /* pairs with fmp_tables_changed() */
}

#endif /* _FMP_TABLES_H */
