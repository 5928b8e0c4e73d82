// SPDX-License-Identifier: GPL-2.0
/*
 * Room for new rules, and who must give it
 *
 * When a table or the namespace is full, a new rule takes the place of the one
 * with the least time left. A rule that protects is never evicted, nor is one
 * without an end, nor one that the same batch names. Who goes is found out
 * first and done later: a batch that is refused evicts nothing.
 */
#include "capacity.h"
#include "expiry.h"

/**
 * fmp_room_begin() - see how much room there is
 * @room: filled
 * @ts: the tables
 *
 * Context: ts->lock held until the batch is in force or refused.
 */
void fmp_room_begin(struct fmp_room *room, struct fmp_tables *ts)
{
	int f;

	room->ts = ts;
	room->total = 0;
	for (f = 0; f < FMP_FAMILIES; f++) {
		room->used[f] = fmp_table_size(&ts->family[f]);
		room->total += room->used[f];
		room->next[f] = fmp_expiry_first(&ts->family[f]);
	}
}

/**
 * fmp_room_candidate() - the next rule of a table that may be evicted
 * @room: the room
 * @family: the table
 *
 * Context: fmp_tables.lock held.
 * Return: the rule, or NULL.
 */
static struct fmp_rule *fmp_room_candidate(struct fmp_room *room, enum fmp_family family)
{
	struct fmp_rule *rule;

	for (; room->next[family]; room->next[family] = rb_next(room->next[family])) {
		rule = rb_entry(room->next[family], struct fmp_rule, due);
		if (!rule->kept)
			return rule;
	}
	return NULL;
}

/**
 * fmp_room_any_candidate() - the next rule of any table that may be evicted
 * @room: the room
 *
 * Context: fmp_tables.lock held.
 * Return: the rule, or NULL.
 */
static struct fmp_rule *fmp_room_any_candidate(struct fmp_room *room)
{
	struct fmp_rule *first = NULL;
	int f;

	for (f = 0; f < FMP_FAMILIES; f++) {
		struct fmp_rule *rule = fmp_room_candidate(room, f);

		if (rule &&
		    (!first || atomic64_read(&rule->expires) < atomic64_read(&first->expires)))
			first = rule;
	}
	return first;
}

/**
 * fmp_room_take() - take the room for one rule
 * @room: the room
 * @family: the rule's table
 * @victim: filled with the rule that must go for it, or NULL
 *
 * Context: fmp_tables.lock held.
 * Return: %FMP_FAULT_NONE, %FMP_FAULT_TABLE_FULL or %FMP_FAULT_TOTAL_FULL.
 */
enum fmp_fault fmp_room_take(struct fmp_room *room, enum fmp_family family,
			     struct fmp_rule **victim)
{
	bool table_full = room->used[family] >= fmp_max_rules;
	struct fmp_rule *rule = NULL;

	if (table_full)
		rule = fmp_room_candidate(room, family);
	else if (room->total >= fmp_max_rules_total)
		rule = fmp_room_any_candidate(room);
	else
		goto taken;
	if (!rule)
		return table_full ? FMP_FAULT_TABLE_FULL : FMP_FAULT_TOTAL_FULL;

	room->next[rule->family] = rb_next(&rule->due);
	room->used[rule->family]--;
	room->total--;
taken:
	*victim = rule;
	room->used[family]++;
	room->total++;
	return FMP_FAULT_NONE;
}
