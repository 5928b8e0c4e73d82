// SPDX-License-Identifier: GPL-2.0
/*
 * A rule: its memory and its key
 *
 * There is a slab cache for each length of key, so that a rule takes no more
 * memory than its key needs: a handheld has little memory, and an attack from
 * many sources makes large tables.
 */
#include "rule.h"

#include <linux/build_bug.h>
#include <linux/slab.h>

/* A rule for a MAC or IPv4 address takes at most this many bytes, hash array excluded. */
static_assert(sizeof(struct fmp_rule) <= 96);

/* A lookup touches one cache line of such a rule. */
static_assert(offsetofend(struct fmp_rule, pinned) <= 64);

/* Indexed by the number of words of a key, minus 1. */
static struct kmem_cache *fmp_rule_cache[FMP_KEY_WORDS] __ro_after_init;

/**
 * fmp_rule_init() - create the slab caches
 *
 * Context: process.
 * Return: 0 or -ENOMEM.
 */
int __init fmp_rule_init(void)
{
	static const char *const name[FMP_KEY_WORDS] = { "fmp_rule_1", "fmp_rule_2", "fmp_rule_3" };
	const struct fmp_rule *rule = NULL;
	int i;

	for (i = 0; i < FMP_KEY_WORDS; i++) {
		fmp_rule_cache[i] = kmem_cache_create(name[i], struct_size(rule, more, i), 0,
						      SLAB_ACCOUNT, NULL);
		if (!fmp_rule_cache[i]) {
			fmp_rule_exit();
			return -ENOMEM;
		}
	}
	return 0;
}

/**
 * fmp_rule_exit() - destroy the slab caches
 *
 * Context: process; all rules are freed, and an rcu_barrier() has passed.
 */
void fmp_rule_exit(void)
{
	int i;

	for (i = 0; i < FMP_KEY_WORDS; i++)
		kmem_cache_destroy(fmp_rule_cache[i]);
}

/**
 * fmp_rule_size() - get the memory of a rule
 * @family: its family
 *
 * Context: any.
 * Return: bytes.
 */
size_t fmp_rule_size(enum fmp_family family)
{
	return kmem_cache_size(fmp_rule_cache[fmp_key_words(family) - 1]);
}

/**
 * fmp_rule_alloc() - allocate a rule
 * @spec: the rule as the caller requests it
 *
 * Context: process, may sleep.
 * Return: the rule, without an expiry time; or NULL.
 */
struct fmp_rule *fmp_rule_alloc(const struct fmp_rule_spec *spec)
{
	unsigned int words = fmp_key_words(spec->family);
	struct fmp_rule *rule = kmem_cache_zalloc(fmp_rule_cache[words - 1], GFP_KERNEL);
	unsigned int i;

	if (!rule)
		return NULL;
	rule->word = spec->key.word[0];
	for (i = 1; i < words; i++)
		rule->more[i - 1] = spec->key.word[i];
	rule->family = spec->family;
	rule->plen = spec->plen;
	rule->verdict = spec->verdict;
	fmp_rule_set_attrs(rule, spec);
	return rule;
}

/**
 * fmp_rule_free() - free a rule that was never in a table
 * @rule: the rule
 *
 * Context: any.
 */
void fmp_rule_free(struct fmp_rule *rule)
{
	kmem_cache_free(fmp_rule_cache[fmp_key_words(rule->family) - 1], rule);
}

/**
 * fmp_rule_free_rcu_cb() - free a rule after the grace period
 * @head: fmp_rule.rcu
 *
 * Context: softirq.
 */
static void fmp_rule_free_rcu_cb(struct rcu_head *head)
{
	fmp_rule_free(container_of(head, struct fmp_rule, rcu));
}

/**
 * fmp_rule_free_rcu() - free a rule after an RCU grace period
 * @rule: the rule, in no table and in no tree of expiry times
 *
 * Do not use kfree_rcu(): nothing can wait for it before the slab cache is
 * destroyed.
 *
 * Context: any.
 */
void fmp_rule_free_rcu(struct fmp_rule *rule)
{
	call_rcu(&rule->rcu, fmp_rule_free_rcu_cb);
}

/**
 * fmp_rule_key() - get the address of a rule
 * @rule: the rule
 *
 * Context: any.
 * Return: its key.
 */
struct fmp_key fmp_rule_key(const struct fmp_rule *rule)
{
	struct fmp_key key = { { rule->word } };
	unsigned int i;

	for (i = 1; i < fmp_key_words(rule->family); i++)
		key.word[i] = rule->more[i - 1];
	return key;
}
