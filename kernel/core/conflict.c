// SPDX-License-Identifier: GPL-2.0
/*
 * What speaks against a rule: the same address in its batch, and whoever
 * protects it, in the batch or in force
 */
#include "conflict.h"

#include <linux/jhash.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/random.h>

/**
 * fmp_clash_slot() - where an address stands in the index, or would
 * @clash: the index
 * @family: enum fmp_family
 * @key: address, cut
 * @plen: prefix length
 *
 * Context: any.
 * Return: the slot of its rule, or an empty one.
 */
static u32 *fmp_clash_slot(const struct fmp_clash *clash, u8 family, const struct fmp_key *key,
			   u8 plen)
{
	u32 i = jhash2((const u32 *)key, sizeof(*key) / sizeof(u32),
		       clash->seed + family * (FMP_PLEN_MAX + 1) + plen);

	/* The index is never more than half full. */
	for (;; i++) {
		u32 *slot = &clash->slot[i & clash->mask];
		const struct fmp_rule_spec *spec;

		if (!*slot)
			return slot;
		spec = &clash->specs[*slot - 1];
		if (spec->family == family && spec->plen == plen && fmp_key_equal(&spec->key, key))
			return slot;
	}
}

/**
 * fmp_clash_init() - index a batch
 * @clash: filled
 * @specs: the batch
 * @n: its length
 * @bad: on refusal, the rule at fault
 *
 * Context: process, may sleep.
 * Return: %FMP_FAULT_NONE, %FMP_FAULT_TWICE or %FMP_FAULT_MEMORY; to be freed
 * either way.
 */
enum fmp_fault fmp_clash_init(struct fmp_clash *clash, const struct fmp_rule_spec *specs,
			      unsigned int n, unsigned int *bad)
{
	u32 slots = roundup_pow_of_two(2 * n);
	u32 *slot;
	u32 i;

	*bad = 0;
	memset(clash->protects, 0, sizeof(clash->protects));
	clash->specs = specs;
	clash->mask = slots - 1;
	clash->seed = get_random_u32();
	clash->slot = kvcalloc(slots, sizeof(*clash->slot), GFP_KERNEL_ACCOUNT);
	if (!clash->slot)
		return FMP_FAULT_MEMORY;

	for (i = 0; i < n; i++) {
		const struct fmp_rule_spec *spec = &specs[i];

		*bad = i;
		slot = fmp_clash_slot(clash, spec->family, &spec->key, spec->plen);
		if (*slot)
			return FMP_FAULT_TWICE;
		*slot = i + 1;
		if (spec->verdict == FMP_VERDICT_PROTECT)
			__set_bit(spec->plen, clash->protects[spec->family]);
	}
	return FMP_FAULT_NONE;
}

/**
 * fmp_clash_exit() - free the index of a batch
 * @clash: the index
 *
 * Context: process.
 */
void fmp_clash_exit(struct fmp_clash *clash)
{
	kvfree(clash->slot);
}

/**
 * fmp_clash_covered() - does a protect of one family cover an address
 * @clash: the batch
 * @ts: the tables
 * @family: the family
 * @key: address of that family
 * @max: its prefix length
 *
 * Context: ts->lock held.
 * Return: true if it is protected as a whole.
 */
static bool fmp_clash_covered(const struct fmp_clash *clash, const struct fmp_tables *ts,
			      enum fmp_family family, const struct fmp_key *key, u8 max)
{
	bool prefixes = family == FMP_FAMILY_IPV4 || family == FMP_FAMILY_IPV6;
	const struct fmp_table *t = &ts->family[family];
	u64 now = ktime_get_boottime_ns();
	const struct fmp_rule *rule;
	struct fmp_key cut = *key;
	unsigned int plen;
	u32 i;

	for_each_set_bit(plen, clash->protects[family], max + 1) {
		if (prefixes)
			cut = fmp_key_mask(*key, plen);
		i = *fmp_clash_slot(clash, family, &cut, plen);
		if (i && clash->specs[i - 1].verdict == FMP_VERDICT_PROTECT)
			return true;
	}
	if (!t->count[FMP_VERDICT_PROTECT])
		return false;
	for_each_set_bit(plen, t->used, max + 1) {
		if (prefixes)
			cut = fmp_key_mask(*key, plen);
		rule = fmp_table_find(t, &cut, plen);
		if (rule && rule->verdict == FMP_VERDICT_PROTECT && fmp_rule_live(rule, now))
			return true;
	}
	return false;
}

/**
 * fmp_clash_protected() - is the address of a rule protected
 * @clash: the batch
 * @ts: the tables
 * @spec: the rule
 *
 * A pair is protected by a protect of itself, of its MAC address and of its IP
 * address.
 *
 * Context: ts->lock held.
 * Return: true if it is, as a whole.
 */
bool fmp_clash_protected(const struct fmp_clash *clash, const struct fmp_tables *ts,
			 const struct fmp_rule_spec *spec)
{
	const struct fmp_key mac = { { spec->key.word[0] } };
	const struct fmp_key ip = { { spec->key.word[1], spec->key.word[2] } };
	enum fmp_family ip_family = FMP_FAMILY_IPV4;

	if (fmp_clash_covered(clash, ts, spec->family, &spec->key, spec->plen))
		return true;
	if (spec->family != FMP_FAMILY_PAIR4 && spec->family != FMP_FAMILY_PAIR6)
		return false;
	if (spec->family == FMP_FAMILY_PAIR6)
		ip_family = FMP_FAMILY_IPV6;
	return fmp_clash_covered(clash, ts, FMP_FAMILY_MAC, &mac, FMP_PLEN_MAC) ||
	       fmp_clash_covered(clash, ts, ip_family, &ip, spec->plen);
}
