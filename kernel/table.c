// SPDX-License-Identifier: GPL-2.0
/*
 * One table of rules: addresses of one family with a prefix length
 *
 * Lookups run under RCU with bottom halves off and take no lock; everything
 * that changes a table runs under fmp_tables.lock. The hash array is fixed:
 * it never moves, so a lookup costs the same on every day. Each prefix length
 * in use costs one hash lookup; with host addresses only, that is one.
 */
#include "table.h"

#include <linux/mm.h>
#include <linux/random.h>
#include <linux/slab.h>
#include <linux/timekeeping.h>

/**
 * fmp_bucket() - the chain of a prefix
 * @b: hash array
 * @key: address, cut
 * @plen: prefix length
 *
 * Multiply-shift hashing with secret odd factors: whoever does not know them can't
 * choose addresses that meet in one chain, at a tenth of what jhash costs.
 *
 * Context: any.
 * Return: the chain.
 */
static struct hlist_head *fmp_bucket(struct fmp_buckets *b, struct fmp_key key, unsigned int plen)
{
	u64 hash = key.hi * b->seed[0] + key.lo * b->seed[1] + plen * b->seed[2];

	return &b->head[hash >> (64 - FMP_BUCKET_BITS)];
}

/**
 * fmp_chain_find() - look a prefix up
 * @b: hash array
 * @key: address, cut
 * @plen: prefix length
 *
 * Context: RCU read section, or fmp_tables.lock held.
 * Return: its rule, over or not, or NULL.
 */
static struct fmp_rule *fmp_chain_find(struct fmp_buckets *b, struct fmp_key key, unsigned int plen)
{
	struct fmp_rule *rule;

	/* Readers and writers assert their own protection where they come in. */
	hlist_for_each_entry_rcu(rule, fmp_bucket(b, key, plen), node, true) {
		if (fmp_key_equal(rule->key, key) && rule->plen == plen)
			return rule;
	}
	return NULL;
}

/**
 * fmp_table_buckets() - the hash array
 * @t: the table
 *
 * Once it is there it stays until the table goes.
 *
 * Context: RCU read section, or fmp_tables.lock held.
 * Return: the hash array, NULL if the table never held a rule.
 */
static struct fmp_buckets *fmp_table_buckets(const struct fmp_table *t)
{
	return rcu_dereference_check(t->buckets, true);
}

/**
 * fmp_rule_live() - is a rule still in force
 * @rule: the rule
 * @now: ns of CLOCK_BOOTTIME
 *
 * Context: any.
 * Return: false if its time is over.
 */
bool fmp_rule_live(const struct fmp_rule *rule, u64 now)
{
	u64 expires = atomic64_read(&rule->expires);

	return !expires || expires > now;
}

/**
 * fmp_table_match() - ask a table about an address
 * @t: the table
 * @key: the address
 *
 * Context: RCU read section.
 * Return: the rules that match.
 */
struct fmp_match fmp_table_match(const struct fmp_table *t, struct fmp_key key)
{
	struct fmp_buckets *b = fmp_table_buckets(t);
	struct fmp_match m = { NULL, NULL };
	int w;

	RCU_LOCKDEP_WARN(!rcu_read_lock_any_held(), "fmp: lookup without RCU");
	if (!b)
		return m;

	for (w = ARRAY_SIZE(t->used) - 1; w >= 0; w--) {
		unsigned long lens = READ_ONCE(t->used[w]);

		while (lens) {
			unsigned int bit = __fls(lens);
			unsigned int plen = w * BITS_PER_LONG + bit;
			struct fmp_rule *rule = fmp_chain_find(b, fmp_key_mask(key, plen), plen);

			lens &= ~BIT(bit);
			if (!rule)
				continue;
			if (atomic64_read(&rule->expires) &&
			    !fmp_rule_live(rule, ktime_get_coarse_boottime_ns()))
				continue;
			if (READ_ONCE(rule->verdict) == FMP_VERDICT_PROTECT)
				m.protect = m.protect ?: rule;
			else
				m.block = m.block ?: rule;
		}
	}
	return m;
}

/**
 * fmp_rule_hit() - count a frame for a rule
 * @rule: the rule
 * @bytes: length of the frame
 *
 * Context: RCU read section.
 * Return: true if it was the first one.
 */
bool fmp_rule_hit(struct fmp_rule *rule, u32 bytes)
{
	atomic64_add(bytes, &rule->bytes);
	if (likely(atomic64_inc_return(&rule->hits) != 1))
		return false;
	atomic64_set(&rule->first_hit, ktime_get_boottime_ns());
	return true;
}

/**
 * fmp_table_prepare() - make sure that a table can take rules
 * @t: the table
 *
 * Context: process, fmp_tables.lock held.
 * Return: 0, or -ENOMEM.
 */
int fmp_table_prepare(struct fmp_table *t)
{
	struct fmp_buckets *b;
	unsigned int i;

	if (fmp_table_buckets(t))
		return 0;

	b = kvzalloc(struct_size(b, head, FMP_BUCKETS), GFP_KERNEL_ACCOUNT);
	if (!b)
		return -ENOMEM;
	get_random_bytes(b->seed, sizeof(b->seed));
	for (i = 0; i < ARRAY_SIZE(b->seed); i++)
		b->seed[i] |= 1;
	rcu_assign_pointer(t->buckets, b);
	return 0;
}

/**
 * fmp_table_exit() - free an empty table
 * @t: the table
 *
 * Context: process; no lookup runs any more.
 */
void fmp_table_exit(struct fmp_table *t)
{
	kvfree(fmp_table_buckets(t));
	RCU_INIT_POINTER(t->buckets, NULL);
}

/**
 * fmp_table_bucket() - a chain by its number
 * @t: the table
 * @bucket: less than FMP_BUCKETS
 *
 * Context: fmp_tables.lock held.
 * Return: the chain, NULL if the table never held a rule.
 */
struct hlist_head *fmp_table_bucket(const struct fmp_table *t, unsigned int bucket)
{
	struct fmp_buckets *b = fmp_table_buckets(t);

	return b ? &b->head[bucket] : NULL;
}

/**
 * fmp_table_find() - find the rule of a prefix
 * @t: the table
 * @key: address, cut
 * @plen: prefix length
 *
 * Context: fmp_tables.lock held.
 * Return: its rule, over or not, or NULL.
 */
struct fmp_rule *fmp_table_find(const struct fmp_table *t, struct fmp_key key, unsigned int plen)
{
	struct fmp_buckets *b = fmp_table_buckets(t);

	return b ? fmp_chain_find(b, key, plen) : NULL;
}

/**
 * fmp_table_insert() - put a rule in force
 * @t: the table, prepared
 * @rule: the rule, not in any table; its prefix is not in this one
 *
 * Context: fmp_tables.lock held.
 */
void fmp_table_insert(struct fmp_table *t, struct fmp_rule *rule)
{
	t->count[rule->verdict]++;
	if (!t->plens[rule->plen]++)
		set_bit(rule->plen, t->used);
	hlist_add_head_rcu(&rule->node, fmp_bucket(fmp_table_buckets(t), rule->key, rule->plen));
}

/**
 * fmp_table_remove() - put a rule out of force
 * @t: the table
 * @rule: a rule of it; lookups may see it until an RCU grace period has passed
 *
 * Context: fmp_tables.lock held.
 */
void fmp_table_remove(struct fmp_table *t, struct fmp_rule *rule)
{
	hlist_del_rcu(&rule->node);
	if (!--t->plens[rule->plen])
		clear_bit(rule->plen, t->used);
	t->count[rule->verdict]--;
}

/**
 * fmp_table_reverdict() - change what a rule does
 * @t: the table
 * @rule: a rule of it
 * @verdict: new verdict
 *
 * Context: fmp_tables.lock held.
 */
void fmp_table_reverdict(struct fmp_table *t, struct fmp_rule *rule, u8 verdict)
{
	t->count[rule->verdict]--;
	WRITE_ONCE(rule->verdict, verdict);
	t->count[verdict]++;
}

/**
 * fmp_table_size() - rules in a table
 * @t: the table
 *
 * Context: any; exact under fmp_tables.lock.
 * Return: their number.
 */
u32 fmp_table_size(const struct fmp_table *t)
{
	return t->count[FMP_VERDICT_BLOCK] + t->count[FMP_VERDICT_PROTECT];
}
