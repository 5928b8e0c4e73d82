// SPDX-License-Identifier: GPL-2.0
/*
 * A rule or a device as netlink attributes, for replies and events
 */
#include "message.h"

#include <linux/netdevice.h>
#include <net/genetlink.h>
#include <asm/byteorder.h>

/*
 * Largest attribute of a rule, of a device or at the top: an IPv6 address, a name, or a
 * 64-bit number with its padding.
 */
#define FMP_ATTR_SIZE (NLA_HDRLEN + 16)

/* Four more: the nest, and what an event or a dump has beside it. */
#define FMP_ATTRS_SIZE(_max) (GENL_HDRLEN + ((_max) + 4) * FMP_ATTR_SIZE)

static_assert(sizeof(struct in6_addr) <= 16 && FMP_NAME_MAX <= 16);
static_assert(FMP_ATTRS_SIZE(FMP_RULE_A_MAX) <= FMP_MESSAGE_SIZE);
static_assert(FMP_ATTRS_SIZE(FMP_DEV_A_MAX) <= FMP_MESSAGE_SIZE);
static_assert(FMP_ATTRS_SIZE(FMP_A_MAX) <= FMP_MESSAGE_SIZE);
/* A nest, the number of the processor, and counters with their padding. */
static_assert((FMP_STATS + 2) * (2 * NLA_HDRLEN + sizeof(u64)) <= FMP_MESSAGE_CPU_SIZE);

/**
 * fmp_put_ip() - write the IP address of a rule
 * @msg: message
 * @v6: true for an IPv6 address
 * @word: words of the address
 *
 * Context: any.
 * Return: 0 or -EMSGSIZE.
 */
static int fmp_put_ip(struct sk_buff *msg, bool v6, const __be64 *word)
{
	return v6 ? nla_put(msg, FMP_RULE_A_IPV6, sizeof(struct in6_addr), word)
		  : nla_put(msg, FMP_RULE_A_IPV4, sizeof(__be32), word);
}

/**
 * fmp_put_address() - write the address of a rule
 * @msg: message
 * @rule: the rule
 *
 * Context: any.
 * Return: 0 or -EMSGSIZE.
 */
static int fmp_put_address(struct sk_buff *msg, const struct fmp_rule *rule)
{
	const struct fmp_key key = fmp_rule_key(rule);
	int err;

	if (rule->family == FMP_FAMILY_IPV4 || rule->family == FMP_FAMILY_IPV6) {
		err = fmp_put_ip(msg, rule->family == FMP_FAMILY_IPV6, &key.word[0]);
		return err ?: nla_put_u8(msg, FMP_RULE_A_PREFIX_LEN, rule->plen);
	}
	err = nla_put(msg, FMP_RULE_A_MAC, ETH_ALEN, &key.word[0]);
	if (err || rule->family == FMP_FAMILY_MAC)
		return err;
	return fmp_put_ip(msg, rule->family == FMP_FAMILY_PAIR6, &key.word[1]);
}

/**
 * fmp_put_timeout() - write the time that a rule has left
 * @msg: message
 * @rule: the rule
 * @now: ns of CLOCK_BOOTTIME
 *
 * Round up: 0 would mean "no timeout" for a rule still in force.
 *
 * Context: fmp_tables.lock held.
 * Return: 0 or -EMSGSIZE.
 */
static int fmp_put_timeout(struct sk_buff *msg, const struct fmp_rule *rule, u64 now)
{
	u64 end = rule->expires.ns;

	if (!end || end <= now)
		return 0;
	return nla_put_u64_64bit(msg, FMP_RULE_A_TIMEOUT_MS,
				 DIV_ROUND_UP_ULL(end - now, NSEC_PER_MSEC), FMP_RULE_A_PAD);
}

/**
 * fmp_message_put_rule() - write a rule
 * @msg: message
 * @rule: the rule
 * @now: ns of CLOCK_BOOTTIME
 *
 * Context: fmp_tables.lock held.
 * Return: 0 or -EMSGSIZE.
 */
int fmp_message_put_rule(struct sk_buff *msg, const struct fmp_rule *rule, u64 now)
{
	struct nlattr *nest = nla_nest_start(msg, FMP_A_RULE);
	u64 first = fmp_rule_first_hit(rule);

	if (!nest)
		return -EMSGSIZE;
	if (fmp_put_address(msg, rule) || nla_put_u8(msg, FMP_RULE_A_VERDICT, rule->verdict) ||
	    fmp_put_timeout(msg, rule, now) ||
	    nla_put_u64_64bit(msg, FMP_RULE_A_ID, rule->id, FMP_RULE_A_PAD) ||
	    nla_put_u64_64bit(msg, FMP_RULE_A_HITS, fmp_counter_read(&rule->hits),
			      FMP_RULE_A_PAD) ||
	    nla_put_u64_64bit(msg, FMP_RULE_A_BYTES, fmp_counter_read(&rule->bytes),
			      FMP_RULE_A_PAD) ||
	    (first && nla_put_u64_64bit(msg, FMP_RULE_A_FIRST_HIT_NS, first, FMP_RULE_A_PAD))) {
		nla_nest_cancel(msg, nest);
		return -EMSGSIZE;
	}
	nla_nest_end(msg, nest);
	return 0;
}

/**
 * fmp_put_counters() - write counters
 * @msg: message
 * @n: the counters, by enum fmp_stat
 *
 * Context: any.
 * Return: 0 or -EMSGSIZE.
 */
static int fmp_put_counters(struct sk_buff *msg, const u64 n[FMP_STATS])
{
	static const u16 attr[FMP_STATS] = {
		[FMP_STAT_RX_FRAMES] = FMP_DEV_A_RX_FRAMES,
		[FMP_STAT_RX_BYTES] = FMP_DEV_A_RX_BYTES,
		[FMP_STAT_PASSED] = FMP_DEV_A_PASSED,
		[FMP_STAT_STOPPED_MAC] = FMP_DEV_A_STOPPED_MAC,
		[FMP_STAT_STOPPED_IP] = FMP_DEV_A_STOPPED_IP,
		[FMP_STAT_STOPPED_FOREIGN] = FMP_DEV_A_STOPPED_FOREIGN,
		[FMP_STAT_STOPPED_BYTES] = FMP_DEV_A_STOPPED_BYTES,
		[FMP_STAT_DROPPED_LATE] = FMP_DEV_A_DROPPED_LATE,
		[FMP_STAT_OBSERVED] = FMP_DEV_A_OBSERVED,
		[FMP_STAT_RECORD_USED] = FMP_DEV_A_RECORD_USED,
		[FMP_STAT_RECORD_STALE] = FMP_DEV_A_RECORD_STALE,
	};
	int i;

	for (i = 0; i < FMP_STATS; i++) {
		if (nla_put_u64_64bit(msg, attr[i], n[i], FMP_DEV_A_PAD))
			return -EMSGSIZE;
	}
	return 0;
}

/**
 * fmp_put_cpus() - write the counters of each processor that are not all 0
 * @msg: message
 * @stats: the counters
 *
 * Context: any.
 * Return: 0 or -EMSGSIZE.
 */
static int fmp_put_cpus(struct sk_buff *msg, const struct fmp_stats __percpu *stats)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		u64 n[FMP_STATS];
		struct nlattr *nest;

		fmp_stats_read(stats, cpu, n);
		if (!memchr_inv(n, 0, sizeof(n)))
			continue;
		/* On error the caller cancels the nest of the device, and this one with it. */
		nest = nla_nest_start(msg, FMP_DEV_A_CPU);
		if (!nest || nla_put_u32(msg, FMP_DEV_A_CPU_ID, cpu) || fmp_put_counters(msg, n))
			return -EMSGSIZE;
		nla_nest_end(msg, nest);
	}
	return 0;
}

/**
 * fmp_message_put_dev() - write a device and its counters
 * @msg: message
 * @port: the device
 * @per_cpu: add the counters of each processor
 *
 * Context: RTNL held.
 * Return: 0 or -EMSGSIZE.
 */
int fmp_message_put_dev(struct sk_buff *msg, const struct fmp_rx_port *port, bool per_cpu)
{
	struct nlattr *nest = nla_nest_start(msg, FMP_A_DEV);
	u64 sum[FMP_STATS];

	if (!nest)
		return -EMSGSIZE;
	fmp_stats_sum(port->stats, sum);
	if (nla_put_u32(msg, FMP_DEV_A_IFINDEX, port->dev->ifindex) ||
	    nla_put_string(msg, FMP_DEV_A_NAME, port->dev->name) ||
	    nla_put_u32(msg, FMP_DEV_A_FLAGS, port->flags) ||
	    nla_put_u8(msg, FMP_DEV_A_HOOK, port->hook) || fmp_put_counters(msg, sum) ||
	    (per_cpu && fmp_put_cpus(msg, port->stats)) ||
	    /* The length of an attribute has 16 bits: enough for some hundred processors. */
	    skb_tail_pointer(msg) - (u8 *)nest > U16_MAX) {
		nla_nest_cancel(msg, nest);
		return -EMSGSIZE;
	}
	nla_nest_end(msg, nest);
	return 0;
}

/**
 * fmp_message_put_pending() - write a pending attach without a device
 * @msg: message
 * @pending: the pending attach
 *
 * Context: RTNL held.
 * Return: 0 or -EMSGSIZE.
 */
int fmp_message_put_pending(struct sk_buff *msg, const struct fmp_pending_attach *pending)
{
	struct nlattr *nest = nla_nest_start(msg, FMP_A_DEV);

	if (!nest)
		return -EMSGSIZE;
	if (nla_put_string(msg, FMP_DEV_A_NAME, pending->name) ||
	    nla_put_u32(msg, FMP_DEV_A_FLAGS, pending->flags) ||
	    nla_put_u8(msg, FMP_DEV_A_HOOK, FMP_HOOK_WAITING)) {
		nla_nest_cancel(msg, nest);
		return -EMSGSIZE;
	}
	nla_nest_end(msg, nest);
	return 0;
}
