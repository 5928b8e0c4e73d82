/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _FMP_TABLE_H
#define _FMP_TABLE_H

#include "rule.h"

#include <linux/bitops.h>
#include <linux/ktime.h>
#include <linux/rcupdate.h>

/* log2 of the smallest and the largest number of hash chains of a table. */
#define FMP_BUCKET_BITS_MIN 10
#define FMP_BUCKET_BITS_MAX 18

/**
 * struct fmp_buckets - hash array of a table; its size never changes
 * @seed: secret of the hash function, odd numbers
 * @shift: right shift that makes a chain number of a hash
 * @n: number of chains
 * @head: chains of struct fmp_rule
 */
struct fmp_buckets {
	u64 seed[FMP_KEY_WORDS];
	u32 shift;
	u32 n;
	struct hlist_head head[];
};

/* fmp_table.lens: more lengths are in use than fit into it; see fmp_table.used. */
#define FMP_LENS_MANY (~0UL)

/**
 * struct fmp_table - the rules of one family
 * @buckets: never NULL; allocated with the first rule, kept as long as the table
 * @lens: prefix lengths in use, one a byte, the longest in the lowest byte, 0
 *	after the shortest; or %FMP_LENS_MANY; read without a lock
 * @used: bit N is set while a rule has prefix length N; read without a lock
 * @family: enum fmp_family
 * @count: rules by verdict
 * @plens: rules by prefix length
 * @by_expiry: rules with a timeout, sorted by expiry time: [0] those that may be
 *	evicted, [1] protect rules
 *
 * Written under fmp_tables.lock.
 */
struct fmp_table {
	struct fmp_buckets __rcu *buckets;
	unsigned long lens;
	unsigned long used[BITS_TO_LONGS(FMP_PLEN_MAX + 1)];
	u8 family;
	u32 count[FMP_VERDICT_MAX + 1];
	u32 plens[FMP_PLEN_MAX + 1];
	struct rb_root_cached by_expiry[2];
};

void fmp_table_init(struct fmp_table *t, enum fmp_family family);
int fmp_table_prepare(struct fmp_table *t, u32 max_rules);
void fmp_table_exit(struct fmp_table *t);
u32 fmp_table_bucket_count(const struct fmp_table *t);
struct hlist_head *fmp_table_bucket(const struct fmp_table *t, u32 bucket);
struct fmp_rule *fmp_table_find_rule(const struct fmp_table *t, const struct fmp_key *key,
				     unsigned int plen);
void fmp_table_insert(struct fmp_table *t, struct fmp_rule *rule);
void fmp_table_remove(struct fmp_table *t, struct fmp_rule *rule);
void fmp_table_set_verdict(struct fmp_table *t, struct fmp_rule *rule, u8 verdict);
u32 fmp_table_size(const struct fmp_table *t);
u64 fmp_table_memory(const struct fmp_table *t);

/**
 * fmp_bucket_index() - compute the number of a prefix's hash chain
 * @b: hash array
 * @family: family of the table; a constant in the packet path
 * @key: address, cut to @plen
 * @plen: prefix length
 *
 * Multiply-shift hashing with secret odd factors: a sender that does not know
 * them can't choose addresses that collide. It costs a tenth of jhash.
 *
 * Context: any.
 * Return: the number, less than fmp_buckets.n.
 */
static __always_inline u64 fmp_bucket_index(const struct fmp_buckets *b, enum fmp_family family,
					    const struct fmp_key *key, unsigned int plen)
{
	unsigned int words = fmp_key_words(family);
	u64 hash = ((__force u64)key->word[0] + plen) * b->seed[0];

	if (words > 1)
		hash += (__force u64)key->word[1] * b->seed[1];
	if (words > 2)
		hash += (__force u64)key->word[2] * b->seed[2];
	/* The number is in the upper half: on 32 bits no shift of a double word. */
	if (BITS_PER_LONG == 32)
		return (u32)(hash >> 32) >> (b->shift - 32);
	return hash >> b->shift;
}

/**
 * fmp_chain_find_rule() - find the rule of a prefix in its hash chain
 * @b: hash array
 * @family: family of the table; a constant in the packet path
 * @key: address, cut to @plen
 * @plen: prefix length
 *
 * Context: RCU read section, or fmp_tables.lock held.
 * Return: its rule, expired or not, or NULL.
 */
static __always_inline struct fmp_rule *fmp_chain_find_rule(struct fmp_buckets *b,
							    enum fmp_family family,
							    const struct fmp_key *key,
							    unsigned int plen)
{
	u64 bucket = fmp_bucket_index(b, family, key, plen);
	struct hlist_node *node;

	/*
	 * The callers assert their own protection, RCU or the lock. A frame without
	 * a rule usually meets an empty chain: make that the straight path.
	 */
	for (node = rcu_dereference_raw(hlist_first_rcu(&b->head[bucket])); unlikely(node);
	     node = rcu_dereference_raw(hlist_next_rcu(node))) {
		struct fmp_rule *rule = hlist_entry(node, struct fmp_rule, node);

		if (fmp_rule_matches(rule, family, key, plen))
			return rule;
	}
	return NULL;
}

/**
 * fmp_table_lookup_exact() - look up the rule of a prefix, expired or not
 * @t: the table
 * @family: its family, a constant
 * @key: address, cut to @plen
 * @plen: prefix length
 *
 * Context: RCU read section.
 * Return: its rule, which the caller checks with fmp_rule_expired(); or NULL.
 */
static __always_inline struct fmp_rule *fmp_table_lookup_exact(const struct fmp_table *t,
							       enum fmp_family family,
							       const struct fmp_key *key,
							       unsigned int plen)
{
	struct fmp_buckets *b = rcu_dereference_check(t->buckets, rcu_read_lock_any_held());

	return fmp_chain_find_rule(b, family, key, plen);
}

/**
 * fmp_rule_expired() - check whether a rule has expired, by the coarse clock
 * @rule: the rule
 *
 * Context: any.
 * Return: true if it has.
 */
static __always_inline bool fmp_rule_expired(const struct fmp_rule *rule)
{
	return fmp_deadline_is_set(&rule->expires) &&
	       fmp_deadline_passed(&rule->expires, ktime_get_coarse_boottime_ns());
}

/**
 * fmp_table_lookup() - look up the rule in force of a prefix
 * @t: the table
 * @family: its family, a constant
 * @key: address, cut to @plen
 * @plen: prefix length
 *
 * Context: RCU read section.
 * Return: its rule, not expired; or NULL.
 */
static __always_inline struct fmp_rule *fmp_table_lookup(const struct fmp_table *t,
							 enum fmp_family family,
							 const struct fmp_key *key,
							 unsigned int plen)
{
	struct fmp_rule *rule = fmp_table_lookup_exact(t, family, key, plen);

	return rule && !fmp_rule_expired(rule) ? rule : NULL;
}

#endif /* _FMP_TABLE_H */
