// SPDX-License-Identifier: GPL-2.0
/*
 * A rule: its memory and its key
 *
 * A rule is as long as its key: the memory of a handheld is small, and tables
 * are large when an attack is.
 */
#include "rule.h"

#include <linux/build_bug.h>
#include <linux/slab.h>

/* What a table of MAC or IPv4 addresses costs an entry, beside its bucket array. */
static_assert(sizeof(struct fmp_rule) <= 96);

/* A lookup meets one cache line of such a rule. */
static_assert(offsetofend(struct fmp_rule, kept) <= 64);

/* By the words of a key. */
static struct kmem_cache *fmp_rule_cache[FMP_KEY_WORDS] __ro_after_init;

/**
 * fmp_rule_init() - prepare the memory of rules
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
 * fmp_rule_exit() - give the memory of rules back
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
 * fmp_rule_size() - memory of a rule
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
 * fmp_rule_alloc() - make a rule from a wish
 * @spec: the wish
 *
 * Context: process, may sleep.
 * Return: the rule, without an end; or NULL.
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
	rule->id = spec->id;
	return rule;
}

/**
 * fmp_rule_free() - free a rule that no lookup ever saw
 * @rule: the rule
 *
 * Context: any.
 */
void fmp_rule_free(struct fmp_rule *rule)
{
	kmem_cache_free(fmp_rule_cache[fmp_key_words(rule->family) - 1], rule);
}

/**
 * fmp_rule_free_rcu() - free a rule that no lookup sees any more
 * @head: fmp_rule.rcu
 *
 * Context: softirq.
 */
static void fmp_rule_free_rcu(struct rcu_head *head)
{
	fmp_rule_free(container_of(head, struct fmp_rule, rcu));
}

/**
 * fmp_rule_free_late() - free a rule when no lookup sees it any more
 * @rule: the rule, in no table and not queued for its end
 *
 * Not kfree_rcu(): there is no waiting for that before the memory's cache goes.
 *
 * Context: any.
 */
void fmp_rule_free_late(struct fmp_rule *rule)
{
	call_rcu(&rule->rcu, fmp_rule_free_rcu);
}

/**
 * fmp_rule_key() - the address of a rule
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
