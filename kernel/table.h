/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _FMP_TABLE_H
#define _FMP_TABLE_H

#include <linux/atomic.h>
#include <linux/bitops.h>
#include <linux/fmp.h>
#include <linux/rculist.h>
#include <linux/timerqueue.h>

/**
 * enum fmp_family - kinds of addresses, one table each
 * @FMP_FAMILY_MAC: 48 bits
 * @FMP_FAMILY_IPV4: 32 bits
 * @FMP_FAMILY_IPV6: 128 bits
 * @FMP_FAMILIES: how many there are
 */
enum fmp_family {
	FMP_FAMILY_MAC,
	FMP_FAMILY_IPV4,
	FMP_FAMILY_IPV6,
	FMP_FAMILIES,
};

/* Chains of a table as a power of two: 64k of them, 512 KiB on 64-bit machines. */
#define FMP_BUCKET_BITS 16
#define FMP_BUCKETS	BIT(FMP_BUCKET_BITS)

/* Longest address in bits. */
#define FMP_PLEN_MAX 128

/**
 * struct fmp_key - an address of any family
 * @hi: its first 64 bits, the first bit of the address in bit 63
 * @lo: the rest, zero for MAC and IPv4 addresses
 */
struct fmp_key {
	u64 hi;
	u64 lo;
};

/**
 * struct fmp_rule_spec - a rule as somebody asks for it
 * @key: address, zero behind @plen
 * @id: the caller's mark
 * @timeout_ms: life in milliseconds, 0 for ever
 * @family: enum fmp_family
 * @plen: significant bits of the address
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
 * @node: in its bucket; RCU
 * @key: address; never changes
 * @family: enum fmp_family; never changes
 * @plen: significant bits of @key; never changes
 * @verdict: enum fmp_verdict; written under fmp_tables.lock
 * @told: its first hit was told of; under fmp_tables.lock
 * @expires: end of its life, ns of CLOCK_BOOTTIME, 0 for none
 * @hits: frames that matched
 * @bytes: bytes of them
 * @first_hit: ns of CLOCK_BOOTTIME, 0 if there was none
 * @id: the caller's mark; under fmp_tables.lock
 * @due: in fmp_tables.due if @expires is set; under fmp_tables.lock
 * @rcu: delays the freeing
 *
 * All that a lookup reads or writes for every frame stands in the first 64
 * bytes.
 */
struct fmp_rule {
	struct hlist_node node;
	struct fmp_key key;
	u8 family;
	u8 plen;
	u8 verdict;
	bool told;
	atomic64_t expires;
	atomic64_t hits;
	atomic64_t bytes;
	atomic64_t first_hit;
	u64 id;
	struct timerqueue_node due;
	struct rcu_head rcu;
};

/**
 * struct fmp_buckets - hash array of a table; its size never changes
 * @seed: secret of the hash function, odd numbers
 * @head: chains of struct fmp_rule
 */
struct fmp_buckets {
	u64 seed[3];
	struct hlist_head head[];
};

/**
 * struct fmp_table - the rules of one family
 * @buckets: made with the first rule, lives as long as the table
 * @used: bit N is set while a rule has prefix length N; read without a lock
 * @count: rules by verdict
 * @plens: rules by prefix length
 *
 * Written under fmp_tables.lock.
 */
struct fmp_table {
	struct fmp_buckets __rcu *buckets;
	unsigned long used[BITS_TO_LONGS(FMP_PLEN_MAX + 1)];
	u32 count[FMP_VERDICT_MAX + 1];
	u32 plens[FMP_PLEN_MAX + 1];
};

/**
 * struct fmp_match - what a table says of an address
 * @block: longest block that matches, or NULL
 * @protect: longest protect that matches, or NULL
 *
 * The rules live as long as the RCU read section of the lookup.
 */
struct fmp_match {
	struct fmp_rule *block;
	struct fmp_rule *protect;
};

int fmp_table_prepare(struct fmp_table *t);
void fmp_table_exit(struct fmp_table *t);
struct hlist_head *fmp_table_bucket(const struct fmp_table *t, unsigned int bucket);
struct fmp_rule *fmp_table_find(const struct fmp_table *t, struct fmp_key key, unsigned int plen);
void fmp_table_insert(struct fmp_table *t, struct fmp_rule *rule);
void fmp_table_remove(struct fmp_table *t, struct fmp_rule *rule);
void fmp_table_reverdict(struct fmp_table *t, struct fmp_rule *rule, u8 verdict);
u32 fmp_table_size(const struct fmp_table *t);
struct fmp_match fmp_table_match(const struct fmp_table *t, struct fmp_key key);
bool fmp_rule_hit(struct fmp_rule *rule, u32 bytes);
bool fmp_rule_live(const struct fmp_rule *rule, u64 now);

/**
 * fmp_key_equal() - are two addresses the same
 * @a: one
 * @b: the other, of the same family
 *
 * Context: any.
 * Return: true if they are.
 */
static inline bool fmp_key_equal(struct fmp_key a, struct fmp_key b)
{
	return a.hi == b.hi && a.lo == b.lo;
}

/**
 * fmp_key_mask() - cut an address to a prefix
 * @key: address
 * @plen: bits that stay, at least 1
 *
 * Context: any.
 * Return: the prefix.
 */
static inline struct fmp_key fmp_key_mask(struct fmp_key key, unsigned int plen)
{
	if (plen > 64) {
		key.lo &= ~0ULL << (128 - plen);
	} else {
		key.hi &= ~0ULL << (64 - plen);
		key.lo = 0;
	}
	return key;
}

#endif /* _FMP_TABLE_H */
