// SPDX-License-Identifier: GPL-2.0
/*
 * One table of rules: addresses of one family with a prefix length
 *
 * Lookups run under RCU with bottom halves off and take no lock; all changes of
 * a table run under fmp_tables.lock. The hash array has a fixed size and is never
 * reallocated, so no lookup pays for a resize. Each prefix length in use costs
 * one hash lookup; with host addresses only, a lookup costs one.
 */
#include "table.h"

#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/random.h>
#include <linux/slab.h>

/* Hash array of a table that never held a rule: shift 63 leaves chain 0 or 1. */
static struct {
	struct fmp_buckets array;
	struct hlist_head head[2];
} fmp_no_buckets = { .array = { .shift = 63 } };

static_assert(offsetof(typeof(fmp_no_buckets), head) == offsetof(struct fmp_buckets, head));

/**
 * fmp_table_array() - get the hash array
 * @t: the table
 *
 * Once allocated, it stays until fmp_table_exit().
 *
 * Context: fmp_tables.lock held, or no other user of the table.
 * Return: the hash array; its @n is 0 if the table never held a rule.
 */
static struct fmp_buckets *fmp_table_array(const struct fmp_table *t)
{
	return rcu_dereference_protected(t->buckets, true);
}

/**
 * fmp_table_init() - initialize an empty table
 * @t: the table, zeroed
 * @family: family of its addresses
 *
 * Context: any; no other user of the table.
 */
void fmp_table_init(struct fmp_table *t, enum fmp_family family)
{
	t->family = family;
	RCU_INIT_POINTER(t->buckets, &fmp_no_buckets.array);
}

/**
 * fmp_table_prepare() - allocate the hash array of a table if it has none
 * @t: the table
 * @max_rules: maximum number of rules in it
 *
 * Context: process, fmp_tables.lock held.
 * Return: 0, or -ENOMEM.
 */
int fmp_table_prepare(struct fmp_table *t, u32 max_rules)
{
	u32 bits = clamp_t(u32, order_base_2(max_rules), FMP_BUCKET_BITS_MIN, FMP_BUCKET_BITS_MAX);
	struct fmp_buckets *b;
	unsigned int i;

	if (fmp_table_bucket_count(t))
		return 0;

	b = kvzalloc(struct_size(b, head, BIT(bits)), GFP_KERNEL_ACCOUNT);
	if (!b)
		return -ENOMEM;
	b->shift = 64 - bits;
	b->n = BIT(bits);
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
	if (fmp_table_bucket_count(t))
		kvfree(fmp_table_array(t));
	RCU_INIT_POINTER(t->buckets, &fmp_no_buckets.array);
}

/**
 * fmp_table_bucket_count() - get the number of hash chains
 * @t: the table
 *
 * Context: fmp_tables.lock held.
 * Return: the number, 0 if the table never held a rule.
 */
u32 fmp_table_bucket_count(const struct fmp_table *t)
{
	return fmp_table_array(t)->n;
}

/**
 * fmp_table_bucket() - get a hash chain by its number
 * @t: the table
 * @bucket: less than fmp_table_bucket_count()
 *
 * Context: fmp_tables.lock held.
 * Return: the chain.
 */
struct hlist_head *fmp_table_bucket(const struct fmp_table *t, u32 bucket)
{
	return &fmp_table_array(t)->head[bucket];
}

/**
 * fmp_table_find_rule() - find the rule of a prefix
 * @t: the table
 * @key: address, cut to @plen
 * @plen: prefix length
 *
 * Context: fmp_tables.lock held.
 * Return: its rule, expired or not, or NULL.
 */
struct fmp_rule *fmp_table_find_rule(const struct fmp_table *t, const struct fmp_key *key,
				     unsigned int plen)
{
	return fmp_chain_find_rule(fmp_table_array(t), t->family, key, plen);
}

/**
 * fmp_table_update_lens() - recompute fmp_table.lens
 * @t: the table
 *
 * Context: fmp_tables.lock held.
 */
static void fmp_table_update_lens(struct fmp_table *t)
{
	unsigned long lens = 0;
	unsigned int n = 0;
	unsigned int plen;

	/* Shortest first: each longer length is shifted in below it. */
	for_each_set_bit(plen, t->used, FMP_PLEN_MAX + 1) {
		lens = lens << 8 | plen;
		n++;
	}
	WRITE_ONCE(t->lens, n > sizeof(lens) ? FMP_LENS_MANY : lens);
}

/**
 * fmp_table_insert() - insert a rule
 * @t: the table, prepared
 * @rule: the rule, in no table; its prefix is not in this one
 *
 * Context: fmp_tables.lock held.
 */
void fmp_table_insert(struct fmp_table *t, struct fmp_rule *rule)
{
	const struct fmp_key key = fmp_rule_key(rule);
	struct fmp_buckets *b = fmp_table_array(t);

	t->count[rule->verdict]++;
	if (!t->plens[rule->plen]++) {
		set_bit(rule->plen, t->used);
		fmp_table_update_lens(t);
	}
	hlist_add_head_rcu(&rule->node, &b->head[fmp_bucket_index(b, t->family, &key, rule->plen)]);
}

/**
 * fmp_table_remove() - remove a rule
 * @t: the table
 * @rule: a rule of it; lookups may see it until an RCU grace period has passed
 *
 * Context: fmp_tables.lock held.
 */
void fmp_table_remove(struct fmp_table *t, struct fmp_rule *rule)
{
	hlist_del_rcu(&rule->node);
	if (!--t->plens[rule->plen]) {
		clear_bit(rule->plen, t->used);
		fmp_table_update_lens(t);
	}
	t->count[rule->verdict]--;
}

/**
 * fmp_table_set_verdict() - change the verdict of a rule
 * @t: the table
 * @rule: a rule of it
 * @verdict: new verdict
 *
 * Context: fmp_tables.lock held.
 */
void fmp_table_set_verdict(struct fmp_table *t, struct fmp_rule *rule, u8 verdict)
{
	t->count[rule->verdict]--;
	WRITE_ONCE(rule->verdict, verdict);
	t->count[verdict]++;
}

/**
 * fmp_table_size() - count the rules of a table
 * @t: the table
 *
 * Context: any; exact under fmp_tables.lock.
 * Return: the number of rules.
 */
u32 fmp_table_size(const struct fmp_table *t)
{
	u32 n = 0;
	int v;

	for (v = FMP_VERDICT_BLOCK; v <= FMP_VERDICT_MAX; v++)
		n += t->count[v];
	return n;
}

/**
 * fmp_table_memory() - get the memory of a table
 * @t: the table
 *
 * Context: fmp_tables.lock held.
 * Return: bytes of its rules and its hash array.
 */
u64 fmp_table_memory(const struct fmp_table *t)
{
	const struct fmp_buckets *b = fmp_table_array(t);

	if (!b->n)
		return 0;
	return struct_size(b, head, b->n) + (u64)fmp_table_size(t) * fmp_rule_size(t->family);
}
