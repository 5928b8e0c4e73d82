// SPDX-License-Identifier: GPL-2.0
/*
 * The environment of the suites of rules and filter
 */
#include "world.h"

/**
 * fmp_world_expired() - fmp_tables_ops.expired: count it
 * @ts: the tables
 * @rule: the rule
 *
 * Context: ts->lock held.
 */
static void fmp_world_expired(struct fmp_tables *ts, const struct fmp_rule *rule)
{
	atomic_inc(&container_of(ts, struct fmp_world, ts)->expired);
}

/**
 * fmp_world_evicted() - fmp_tables_ops.evicted: count it
 * @ts: the tables
 * @rule: the rule
 *
 * Context: ts->lock held.
 */
static void fmp_world_evicted(struct fmp_tables *ts, const struct fmp_rule *rule)
{
	atomic_inc(&container_of(ts, struct fmp_world, ts)->evicted);
}

/**
 * fmp_world_first_hit() - fmp_tables_ops.first_hit: count it
 * @ts: the tables
 * @rule: the rule
 *
 * Context: ts->lock held.
 */
static void fmp_world_first_hit(struct fmp_tables *ts, const struct fmp_rule *rule)
{
	atomic_inc(&container_of(ts, struct fmp_world, ts)->first_hits);
}

/**
 * fmp_world_hits_lost() - fmp_tables_ops.hits_lost: count them
 * @ts: the tables
 * @n: number of hits
 *
 * Context: ts->lock held.
 */
static void fmp_world_hits_lost(struct fmp_tables *ts, unsigned int n)
{
	atomic_add(n, &container_of(ts, struct fmp_world, ts)->hits_lost);
}

static const struct fmp_tables_ops fmp_world_ops = {
	.expired = fmp_world_expired,
	.evicted = fmp_world_evicted,
	.first_hit = fmp_world_first_hit,
	.hits_lost = fmp_world_hits_lost,
};

/**
 * fmp_world_init() - kunit_suite.init: make tables for a case
 * @test: the case; its priv is set to a struct fmp_world
 *
 * Context: process.
 * Return: 0 or -ENOMEM.
 */
int fmp_world_init(struct kunit *test)
{
	struct fmp_world *w = kunit_kzalloc(test, sizeof(*w), GFP_KERNEL);

	if (!w)
		return -ENOMEM;
	fmp_tables_init(&w->ts, &fmp_world_ops);
	fmp_tables_start(&w->ts);
	test->priv = w;
	return 0;
}

/**
 * fmp_world_exit() - kunit_suite.exit: delete the tables
 * @test: the case
 *
 * Context: process.
 */
void fmp_world_exit(struct kunit *test)
{
	struct fmp_world *w = test->priv;

	/* KUnit also calls it for a case whose init failed. */
	if (!w)
		return;
	fmp_tables_stop(&w->ts);
	fmp_tables_exit(&w->ts);
}

/**
 * fmp_ip4() - make a rule for IPv4 addresses
 * @addr: the address; cut to @plen
 * @plen: prefix length, at least 1
 * @verdict: enum fmp_verdict
 *
 * Return: the rule.
 */
struct fmp_rule_spec fmp_ip4(u32 addr, u8 plen, u8 verdict)
{
	struct fmp_rule_spec spec = { .family = FMP_FAMILY_IPV4, .plen = plen, .verdict = verdict };

	spec.key.word[0] = cpu_to_be64((u64)addr << 32);
	spec.key = fmp_key_mask(spec.key, plen);
	return spec;
}

/**
 * fmp_ip6() - make a rule for IPv6 addresses
 * @hi: the address's first half; cut to @plen
 * @lo: its second half
 * @plen: prefix length, at least 1
 * @verdict: enum fmp_verdict
 *
 * Return: the rule.
 */
struct fmp_rule_spec fmp_ip6(u64 hi, u64 lo, u8 plen, u8 verdict)
{
	struct fmp_rule_spec spec = { .family = FMP_FAMILY_IPV6, .plen = plen, .verdict = verdict };

	spec.key.word[0] = cpu_to_be64(hi);
	spec.key.word[1] = cpu_to_be64(lo);
	spec.key = fmp_key_mask(spec.key, plen);
	return spec;
}

/**
 * fmp_mac() - make a rule for a MAC address
 * @last: last byte of 02:00:00:00:00:x
 * @verdict: enum fmp_verdict
 *
 * Return: the rule.
 */
struct fmp_rule_spec fmp_mac(u8 last, u8 verdict)
{
	struct fmp_rule_spec spec = { .family = FMP_FAMILY_MAC, .plen = 48, .verdict = verdict };

	spec.key.word[0] = cpu_to_be64(0x0200000000000000ULL | (u64)last << 16);
	return spec;
}

/**
 * fmp_pair() - make a rule for a pair of a MAC and an IP address
 * @ip: rule for the IP address, a host
 * @last: last byte of 02:00:00:00:00:x
 *
 * Return: the rule.
 */
struct fmp_rule_spec fmp_pair(struct fmp_rule_spec ip, u8 last)
{
	struct fmp_rule_spec spec = ip;

	spec.family = ip.family == FMP_FAMILY_IPV4 ? FMP_FAMILY_PAIR4 : FMP_FAMILY_PAIR6;
	spec.key.word[0] = fmp_mac(last, ip.verdict).key.word[0];
	spec.key.word[1] = ip.key.word[0];
	spec.key.word[2] = ip.key.word[1];
	return spec;
}

/**
 * fmp_world_add() - add one rule
 * @test: the case
 * @spec: the rule
 *
 * Context: process.
 * Return: the result of fmp_tables_add().
 */
enum fmp_rule_err fmp_world_add(struct kunit *test, struct fmp_rule_spec spec)
{
	struct fmp_world *w = test->priv;
	unsigned int bad;

	return fmp_tables_add(&w->ts, &spec, 1, false, &bad);
}

/**
 * fmp_world_del() - delete one rule
 * @test: the case
 * @spec: the rule
 *
 * Context: process.
 * Return: the result of fmp_tables_del().
 */
enum fmp_rule_err fmp_world_del(struct kunit *test, struct fmp_rule_spec spec)
{
	struct fmp_world *w = test->priv;
	unsigned int bad;

	return fmp_tables_del(&w->ts, &spec, 1, &bad);
}

/**
 * fmp_world_find() - find the rule of an address
 * @test: the case
 * @spec: family, address and prefix length
 *
 * No other thread deletes rules of the case: the rule stays valid after the lookup.
 *
 * Context: process.
 * Return: the rule, or NULL.
 */
struct fmp_rule *fmp_world_find(struct kunit *test, const struct fmp_rule_spec *spec)
{
	struct fmp_world *w = test->priv;
	struct fmp_rule *rule;

	mutex_lock(&w->ts.lock);
	rule = fmp_table_find_rule(&w->ts.family[spec->family], &spec->key, spec->plen);
	mutex_unlock(&w->ts.lock);
	return rule;
}

/**
 * fmp_world_count() - count all rules
 * @test: the case
 *
 * Context: process.
 * Return: the number of rules.
 */
u32 fmp_world_count(struct kunit *test)
{
	struct fmp_world *w = test->priv;
	u32 n;

	mutex_lock(&w->ts.lock);
	n = fmp_tables_count(&w->ts);
	mutex_unlock(&w->ts.lock);
	return n;
}
