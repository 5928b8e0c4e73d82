/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _FMP_TABLE_H
#define _FMP_TABLE_H

#include "rule.h"

#include <linux/bitops.h>
#include <linux/ktime.h>
#include <linux/rcupdate.h>

/* Fewest and most chains of a table, as powers of two. */
#define FMP_BUCKET_BITS_MIN 10
#define FMP_BUCKET_BITS_MAX 18

/**
 * struct fmp_buckets - hash array of a table; its size never changes
 * @seed: secret of the hash function, odd numbers
 * @shift: bits of a hash that do not tell its chain
 * @n: chains
 * @head: chains of struct fmp_rule
 */
struct fmp_buckets {
	u64 seed[FMP_KEY_WORDS];
	u32 shift;
	u32 n;
	struct hlist_head head[];
};

/* fmp_table.lens: there are more lengths than fit in, ask fmp_table.used. */
#define FMP_LENS_MANY (~0UL)

/**
 * struct fmp_table - the rules of one family
 * @buckets: never NULL; made with the first rule, lives as long as the table
 * @lens: prefix lengths in use, the longest in the last byte, 0 behind the
 *	shortest; or %FMP_LENS_MANY; read without a lock
 * @used: bit N is set while a rule has prefix length N; read without a lock
 * @family: enum fmp_family
 * @count: rules by verdict
 * @plens: rules by prefix length
 * @due: rules with an end, the next one first: those that may be evicted, and
 *	those that protect
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
	struct rb_root_cached due[2];
};

void fmp_table_init(struct fmp_table *t, enum fmp_family family);
int fmp_table_prepare(struct fmp_table *t, u32 max_rules);
void fmp_table_exit(struct fmp_table *t);
u32 fmp_table_buckets(const struct fmp_table *t);
struct hlist_head *fmp_table_bucket(const struct fmp_table *t, u32 bucket);
struct fmp_rule *fmp_table_find(const struct fmp_table *t, const struct fmp_key *key,
				unsigned int plen);
void fmp_table_insert(struct fmp_table *t, struct fmp_rule *rule);
void fmp_table_remove(struct fmp_table *t, struct fmp_rule *rule);
void fmp_table_reverdict(struct fmp_table *t, struct fmp_rule *rule, u8 verdict);
u32 fmp_table_size(const struct fmp_table *t);
u64 fmp_table_memory(const struct fmp_table *t);

/**
 * fmp_bucket() - the number of the chain of a prefix
 * @b: hash array
 * @family: the table's; a constant where speed counts
 * @key: address, cut
 * @plen: prefix length
 *
 * Multiply-shift hashing with secret odd factors: whoever does not know them can't
 * choose addresses that meet in one chain, at a tenth of what jhash costs.
 *
 * Context: any.
 * Return: the number, less than fmp_buckets.n.
 */
static __always_inline u64 fmp_bucket(const struct fmp_buckets *b, enum fmp_family family,
				      const struct fmp_key *key, unsigned int plen)
{
	unsigned int words = fmp_key_words(family);
	u64 hash = ((__force u64)key->word[0] + plen) * b->seed[0];

	if (words > 1)
		hash += (__force u64)key->word[1] * b->seed[1];
	if (words > 2)
		hash += (__force u64)key->word[2] * b->seed[2];
	return hash >> b->shift;
}

/**
 * fmp_chain_find() - look a prefix up
 * @b: hash array
 * @family: the table's; a constant where speed counts
 * @key: address, cut
 * @plen: prefix length
 *
 * Context: RCU read section, or fmp_tables.lock held.
 * Return: its rule, over or not, or NULL.
 */
static __always_inline struct fmp_rule *fmp_chain_find(struct fmp_buckets *b,
						       enum fmp_family family,
						       const struct fmp_key *key, unsigned int plen)
{
	u64 bucket = fmp_bucket(b, family, key, plen);
	struct hlist_node *node;

	/*
	 * Readers and writers assert their own protection where they come in. A
	 * frame without a rule meets an empty chain: that is the straight way.
	 */
	for (node = rcu_dereference_raw(hlist_first_rcu(&b->head[bucket])); unlikely(node);
	     node = rcu_dereference_raw(hlist_next_rcu(node))) {
		struct fmp_rule *rule = hlist_entry(node, struct fmp_rule, node);

		if (fmp_rule_is(rule, family, key, plen))
			return rule;
	}
	return NULL;
}

/**
 * fmp_table_look() - look for the rule of a prefix, for a frame
 * @t: the table
 * @family: its family, a constant
 * @key: address, cut
 * @plen: prefix length
 *
 * Context: RCU read section.
 * Return: its rule, over or not, see fmp_rule_over(); or NULL.
 */
static __always_inline struct fmp_rule *fmp_table_look(const struct fmp_table *t,
						       enum fmp_family family,
						       const struct fmp_key *key, unsigned int plen)
{
	struct fmp_buckets *b = rcu_dereference_check(t->buckets, rcu_read_lock_any_held());

	return fmp_chain_find(b, family, key, plen);
}

/**
 * fmp_rule_over() - is the time of a rule over
 * @rule: the rule
 *
 * Context: any.
 * Return: true if it is.
 */
static __always_inline bool fmp_rule_over(const struct fmp_rule *rule)
{
	return atomic64_read(&rule->expires) &&
	       !fmp_rule_live(rule, ktime_get_coarse_boottime_ns());
}

/**
 * fmp_table_ask() - ask a table about a prefix, for a frame
 * @t: the table
 * @family: its family, a constant
 * @key: address, cut
 * @plen: prefix length
 *
 * Context: RCU read section.
 * Return: its rule, in force; or NULL.
 */
static __always_inline struct fmp_rule *fmp_table_ask(const struct fmp_table *t,
						      enum fmp_family family,
						      const struct fmp_key *key, unsigned int plen)
{
	struct fmp_rule *rule = fmp_table_look(t, family, key, plen);

	return rule && !fmp_rule_over(rule) ? rule : NULL;
}

#endif /* _FMP_TABLE_H */
