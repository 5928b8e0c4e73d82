// SPDX-License-Identifier: GPL-2.0
/*
 * Conflicts of a new rule: the same address twice in its batch, and a protect
 * rule that covers its address, in the batch or in force
 */
#include "conflict.h"

#include <linux/jhash.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/random.h>

/**
 * fmp_conflict_find_slot() - find the slot of an address in the index
 * @index: the index
 * @family: enum fmp_family
 * @key: address, cut
 * @plen: prefix length
 *
 * Context: any.
 * Return: the slot of its rule, or an empty one.
 */
static u32 *fmp_conflict_find_slot(const struct fmp_conflict_index *index, u8 family,
				   const struct fmp_key *key, u8 plen)
{
	u32 i = jhash2((const u32 *)key, sizeof(*key) / sizeof(u32),
		       index->seed + family * (FMP_PLEN_MAX + 1) + plen);

	/* The index is never more than half full. */
	for (;; i++) {
		u32 *slot = &index->slot[i & index->mask];
		const struct fmp_rule_spec *spec;

		if (!*slot)
			return slot;
		spec = &index->specs[*slot - 1];
		if (spec->family == family && spec->plen == plen && fmp_key_equal(&spec->key, key))
			return slot;
	}
}

/**
 * fmp_conflict_init() - index a batch
 * @index: filled
 * @specs: the batch
 * @n: its length
 * @bad: on error, set to the number of the rule at fault
 *
 * Context: process, may sleep.
 * Return: %FMP_RULE_ERR_NONE, %FMP_RULE_ERR_DUPLICATE or %FMP_RULE_ERR_NO_MEMORY;
 * the caller calls fmp_conflict_exit() in each case.
 */
enum fmp_rule_err fmp_conflict_init(struct fmp_conflict_index *index,
				    const struct fmp_rule_spec *specs, unsigned int n,
				    unsigned int *bad)
{
	u32 slots = roundup_pow_of_two(2 * n);
	u32 *slot;
	u32 i;

	*bad = 0;
	memset(index->protects, 0, sizeof(index->protects));
	index->specs = specs;
	index->mask = slots - 1;
	index->seed = get_random_u32();
	index->slot = kvcalloc(slots, sizeof(*index->slot), GFP_KERNEL_ACCOUNT);
	if (!index->slot)
		return FMP_RULE_ERR_NO_MEMORY;

	for (i = 0; i < n; i++) {
		const struct fmp_rule_spec *spec = &specs[i];

		*bad = i;
		slot = fmp_conflict_find_slot(index, spec->family, &spec->key, spec->plen);
		if (*slot)
			return FMP_RULE_ERR_DUPLICATE;
		*slot = i + 1;
		if (spec->verdict == FMP_VERDICT_PROTECT)
			__set_bit(spec->plen, index->protects[spec->family]);
	}
	return FMP_RULE_ERR_NONE;
}

/**
 * fmp_conflict_exit() - free the index of a batch
 * @index: the index
 *
 * Context: process.
 */
void fmp_conflict_exit(struct fmp_conflict_index *index)
{
	kvfree(index->slot);
}

/**
 * fmp_conflict_is_covered() - check whether a protect rule of one family covers an address
 * @index: the batch
 * @ts: the tables
 * @family: the family
 * @key: address of that family
 * @max: its prefix length
 *
 * Context: ts->lock held.
 * Return: true if it is protected as a whole.
 */
static bool fmp_conflict_is_covered(const struct fmp_conflict_index *index,
				    const struct fmp_tables *ts, enum fmp_family family,
				    const struct fmp_key *key, u8 max)
{
	bool prefixes = family == FMP_FAMILY_IPV4 || family == FMP_FAMILY_IPV6;
	const struct fmp_table *t = &ts->family[family];
	u64 now = ktime_get_boottime_ns();
	const struct fmp_rule *rule;
	struct fmp_key cut = *key;
	unsigned int plen;
	u32 i;

	for_each_set_bit(plen, index->protects[family], max + 1) {
		if (prefixes)
			cut = fmp_key_mask(*key, plen);
		i = *fmp_conflict_find_slot(index, family, &cut, plen);
		if (i && index->specs[i - 1].verdict == FMP_VERDICT_PROTECT)
			return true;
	}
	if (!t->count[FMP_VERDICT_PROTECT])
		return false;
	for_each_set_bit(plen, t->used, max + 1) {
		if (prefixes)
			cut = fmp_key_mask(*key, plen);
		rule = fmp_table_find_rule(t, &cut, plen);
		if (rule && rule->verdict == FMP_VERDICT_PROTECT && fmp_rule_live(rule, now))
			return true;
	}
	return false;
}

/**
 * fmp_conflict_is_protected() - check whether the address of a rule is protected
 * @index: the batch
 * @ts: the tables
 * @spec: the rule
 *
 * A pair is protected by a protect rule for the pair, for its MAC address or for
 * its IP address.
 *
 * Context: ts->lock held.
 * Return: true if it is protected as a whole.
 */
bool fmp_conflict_is_protected(const struct fmp_conflict_index *index, const struct fmp_tables *ts,
			       const struct fmp_rule_spec *spec)
{
	const struct fmp_key mac = { { spec->key.word[0] } };
	const struct fmp_key ip = { { spec->key.word[1], spec->key.word[2] } };
	enum fmp_family ip_family = FMP_FAMILY_IPV4;

	if (fmp_conflict_is_covered(index, ts, spec->family, &spec->key, spec->plen))
		return true;
	if (spec->family != FMP_FAMILY_PAIR4 && spec->family != FMP_FAMILY_PAIR6)
		return false;
	if (spec->family == FMP_FAMILY_PAIR6)
		ip_family = FMP_FAMILY_IPV6;
	return fmp_conflict_is_covered(index, ts, FMP_FAMILY_MAC, &mac, FMP_PLEN_MAC) ||
	       fmp_conflict_is_covered(index, ts, ip_family, &ip, spec->plen);
}
