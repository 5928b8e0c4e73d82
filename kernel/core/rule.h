/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _FMP_RULE_H
#define _FMP_RULE_H

#include "counter.h"
#include "deadline.h"

#include <linux/fmp.h>
#include <linux/rbtree.h>
#include <linux/rculist.h>
#include <linux/string.h>

/**
 * enum fmp_family - kinds of addresses; each has a table
 * @FMP_FAMILY_MAC: 48 bits
 * @FMP_FAMILY_IPV4: 32 bits
 * @FMP_FAMILY_IPV6: 128 bits
 * @FMP_FAMILY_PAIR4: a MAC address and an IPv4 host
 * @FMP_FAMILY_PAIR6: a MAC address and an IPv6 host
 * @FMP_FAMILIES: number of families
 */
enum fmp_family {
	FMP_FAMILY_MAC,
	FMP_FAMILY_IPV4,
	FMP_FAMILY_IPV6,
	FMP_FAMILY_PAIR4,
	FMP_FAMILY_PAIR6,
	FMP_FAMILIES,
};

/* Bits of a MAC address and of the longest address. */
#define FMP_PLEN_MAC 48
#define FMP_PLEN_MAX 128

/* Words of the longest key. */
#define FMP_KEY_WORDS 3

/**
 * struct fmp_key - an address of any family
 * @word: its bytes in the order of the frame: an IPv4 or a MAC address begins one
 *	word, an IPv6 address fills two, a pair has one word for its MAC address,
 *	followed by those of its IP address; unused bytes are zero
 */
struct fmp_key {
	__be64 word[FMP_KEY_WORDS];
};

/**
 * struct fmp_rule_spec - a rule as a caller requests it
 * @key: address, zero after the first @plen bits
 * @id: opaque number of the caller
 * @timeout_ms: lifetime in milliseconds, 0 for no timeout
 * @family: enum fmp_family
 * @plen: significant bits of the address; for a pair, those of its IP address
 * @verdict: enum fmp_verdict
 */
struct fmp_rule_spec {
	struct fmp_key key;
	u64 id;
	u64 timeout_ms;
	u8 family;
	u8 plen;
	u8 verdict;
};

/**
 * struct fmp_rule - a rule in force
 * @node: entry of its hash chain; RCU
 * @word: first word of its key; never changes
 * @expires: expiry time
 * @hits: frames that matched
 * @bytes: bytes of those frames
 * @first_hit: time of the first match, ns of CLOCK_BOOTTIME; valid once @hit is set
 * @family: enum fmp_family; never changes
 * @plen: significant bits of its address; never changes
 * @verdict: enum fmp_verdict; written under fmp_tables.lock
 * @reported: its first hit was reported; under fmp_tables.lock
 * @pinned: not to be evicted by the batch that is planned; under fmp_tables.lock
 * @hit: a frame matched; see fmp_rule_first_hit()
 * @id: opaque number of the caller; under fmp_tables.lock
 * @expiry_node: entry of fmp_table.by_expiry if @expires is set; under
 *	fmp_tables.lock
 * @rcu: defers the freeing once the rule is in no table
 * @more: further words of its key; never change
 *
 * The first 64 bytes hold all that a lookup by MAC or IPv4 address reads or
 * writes for each frame.
 */
struct fmp_rule {
	struct hlist_node node;
	__be64 word;
	struct fmp_deadline expires;
	struct fmp_counter hits;
	struct fmp_counter bytes;
	u64 first_hit;
	u8 family;
	u8 plen;
	u8 verdict;
	bool reported;
	bool pinned;
	bool hit;
	u64 id;
	union {
		struct rb_node expiry_node;
		struct rcu_head rcu;
	};
	__be64 more[];
};

int fmp_rule_init(void);
void fmp_rule_exit(void);
size_t fmp_rule_size(enum fmp_family family);
struct fmp_rule *fmp_rule_alloc(const struct fmp_rule_spec *spec);
void fmp_rule_free(struct fmp_rule *rule);
void fmp_rule_free_rcu(struct fmp_rule *rule);
struct fmp_key fmp_rule_key(const struct fmp_rule *rule);

/**
 * fmp_key_word() - make a word of a key from the first bytes of an address
 * @bytes: the bytes, unaligned
 * @n: number of bytes, a constant, at most 8
 *
 * Context: any.
 * Return: the word.
 */
static __always_inline __be64 fmp_key_word(const void *bytes, size_t n)
{
	__be64 word = 0;

	memcpy(&word, bytes, n);
	return word;
}

/**
 * fmp_key_words() - get the number of words in a key
 * @family: its family
 *
 * Context: any.
 * Return: the number of words.
 */
static __always_inline unsigned int fmp_key_words(enum fmp_family family)
{
	switch (family) {
	case FMP_FAMILY_IPV6:
	case FMP_FAMILY_PAIR4:
		return 2;
	case FMP_FAMILY_PAIR6:
		return 3;
	default:
		return 1;
	}
}

/**
 * fmp_key_equal() - compare two addresses of one family
 * @a: one address
 * @b: the other address
 *
 * Context: any.
 * Return: true if they are equal.
 */
static inline bool fmp_key_equal(const struct fmp_key *a, const struct fmp_key *b)
{
	return a->word[0] == b->word[0] && a->word[1] == b->word[1] && a->word[2] == b->word[2];
}

/**
 * fmp_key_mask() - cut an IP address to a prefix
 * @key: address
 * @plen: bits to keep, at least 1
 *
 * Context: any.
 * Return: the prefix.
 */
static __always_inline struct fmp_key fmp_key_mask(struct fmp_key key, unsigned int plen)
{
	if (plen > 64) {
		key.word[1] &= cpu_to_be64(~0ULL << (128 - plen));
	} else {
		key.word[0] &= cpu_to_be64(~0ULL << (64 - plen));
		key.word[1] = 0;
	}
	return key;
}

/**
 * fmp_rule_matches() - check whether a rule has a given prefix
 * @rule: the rule
 * @family: its family
 * @key: address, cut to @plen
 * @plen: prefix length
 *
 * Context: any.
 * Return: true if it has.
 */
static __always_inline bool fmp_rule_matches(const struct fmp_rule *rule, enum fmp_family family,
					     const struct fmp_key *key, unsigned int plen)
{
	unsigned int words = fmp_key_words(family);

	return rule->word == key->word[0] && rule->plen == plen &&
	       (words < 2 || rule->more[0] == key->word[1]) &&
	       (words < 3 || rule->more[1] == key->word[2]);
}

/**
 * fmp_rule_live() - check whether a rule has not expired yet
 * @rule: the rule
 * @now: ns of CLOCK_BOOTTIME
 *
 * Context: fmp_tables.lock held.
 * Return: false if it has expired.
 */
static inline bool fmp_rule_live(const struct fmp_rule *rule, u64 now)
{
	return !rule->expires.ns || rule->expires.ns > now;
}

/**
 * fmp_rule_set_first_hit() - set the time of a rule's first match
 * @rule: the rule
 * @now: ns of CLOCK_BOOTTIME
 *
 * Context: any; once in the life of a rule.
 */
static inline void fmp_rule_set_first_hit(struct fmp_rule *rule, u64 now)
{
	rule->first_hit = now;
	/* Pairs with smp_load_acquire() in fmp_rule_first_hit(). */
	smp_store_release(&rule->hit, true);
}

/**
 * fmp_rule_first_hit() - get the time of a rule's first match
 * @rule: the rule
 *
 * Context: any.
 * Return: ns of CLOCK_BOOTTIME, 0 if there was none.
 */
static inline u64 fmp_rule_first_hit(const struct fmp_rule *rule)
{
	/* Pairs with smp_store_release() in fmp_rule_set_first_hit(). */
	return smp_load_acquire(&rule->hit) ? rule->first_hit : 0;
}

/**
 * fmp_rule_set_attrs() - set the attributes that only the caller interprets
 * @rule: the rule
 * @spec: the rule as the caller requests it
 *
 * New and replaced rules get them here, so that neither can miss one. Verdict and expiry time
 * are not among them: tables and timers keep count of those.
 *
 * Context: fmp_tables.lock held, or the rule is in no table.
 */
static inline void fmp_rule_set_attrs(struct fmp_rule *rule, const struct fmp_rule_spec *spec)
{
	rule->id = spec->id;
}

/**
 * fmp_rule_count_hit() - count a frame for a rule
 * @rule: the rule
 * @bytes: length of the frame
 *
 * Context: RCU read section.
 * Return: true if it is the rule's first frame.
 */
static __always_inline bool fmp_rule_count_hit(struct fmp_rule *rule, u32 bytes)
{
	fmp_counter_add(&rule->bytes, bytes);
	/* It orders nothing: the first hit's queue has a lock. */
	return fmp_counter_inc_is_first(&rule->hits);
}

#endif /* _FMP_RULE_H */
