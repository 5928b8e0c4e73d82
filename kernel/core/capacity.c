// SPDX-License-Identifier: GPL-2.0
/*
 * Capacity for new rules, and eviction
 *
 * When a table or the namespace is full, a new rule takes the place of the rule
 * with the least time left. A protect rule is never evicted, nor is a rule
 * without a timeout, nor one that the same batch names. The victims are chosen
 * while the batch is planned and removed when it is committed: a batch that is
 * refused evicts nothing.
 */
#include "capacity.h"
#include "expiry.h"

/**
 * fmp_capacity_init() - count the rules that there are
 * @capacity: filled
 * @ts: the tables
 *
 * Context: ts->lock held until the batch is committed or refused.
 */
void fmp_capacity_init(struct fmp_capacity *capacity, struct fmp_tables *ts)
{
	int f;

	capacity->ts = ts;
	capacity->total = 0;
	for (f = 0; f < FMP_FAMILIES; f++) {
		capacity->used[f] = fmp_table_size(&ts->family[f]);
		capacity->total += capacity->used[f];
		capacity->next[f] = fmp_expiry_first_evictable(&ts->family[f]);
	}
}

/**
 * fmp_capacity_table_victim() - find the next rule of a table that may be evicted
 * @capacity: the capacity
 * @family: the table
 *
 * Context: fmp_tables.lock held.
 * Return: the rule, or NULL.
 */
static struct fmp_rule *fmp_capacity_table_victim(struct fmp_capacity *capacity,
						  enum fmp_family family)
{
	struct fmp_rule *rule;

	for (; capacity->next[family]; capacity->next[family] = rb_next(capacity->next[family])) {
		rule = rb_entry(capacity->next[family], struct fmp_rule, expiry_node);
		if (!rule->pinned)
			return rule;
	}
	return NULL;
}

/**
 * fmp_capacity_any_victim() - find the next rule of any table that may be evicted
 * @capacity: the capacity
 *
 * Context: fmp_tables.lock held.
 * Return: the rule, or NULL.
 */
static struct fmp_rule *fmp_capacity_any_victim(struct fmp_capacity *capacity)
{
	struct fmp_rule *first = NULL;
	int f;

	for (f = 0; f < FMP_FAMILIES; f++) {
		struct fmp_rule *rule = fmp_capacity_table_victim(capacity, f);

		if (rule && (!first || rule->expires.ns < first->expires.ns))
			first = rule;
	}
	return first;
}

/**
 * fmp_capacity_reserve() - reserve the place of one rule
 * @capacity: the capacity
 * @family: the rule's table
 * @victim: set to the rule to be evicted for it, or to NULL
 *
 * Context: fmp_tables.lock held.
 * Return: %FMP_RULE_ERR_NONE, %FMP_RULE_ERR_TABLE_FULL or %FMP_RULE_ERR_TOTAL_FULL.
 */
enum fmp_rule_err fmp_capacity_reserve(struct fmp_capacity *capacity, enum fmp_family family,
				       struct fmp_rule **victim)
{
	bool table_full = capacity->used[family] >= fmp_max_rules;
	struct fmp_rule *rule = NULL;

	if (table_full)
		rule = fmp_capacity_table_victim(capacity, family);
	else if (capacity->total >= fmp_max_rules_total)
		rule = fmp_capacity_any_victim(capacity);
	else
		goto reserve;
	if (!rule)
		return table_full ? FMP_RULE_ERR_TABLE_FULL : FMP_RULE_ERR_TOTAL_FULL;

	capacity->next[rule->family] = rb_next(&rule->expiry_node);
	capacity->used[rule->family]--;
	capacity->total--;
reserve:
	*victim = rule;
	capacity->used[family]++;
	capacity->total++;
	return FMP_RULE_ERR_NONE;
}
