/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The packet path of the filter: what stands here is built into its callers, so
 * that a frame is judged in one straight run
 */
#ifndef _FMP_FILTER_PATH_H
#define _FMP_FILTER_PATH_H

#include "../core/compat.h"
#include "filter.h"

#include <asm/byteorder.h>

u32 fmp_ask_many(struct fmp_tables *ts, enum fmp_family family, const struct fmp_rx *rx);
u32 fmp_ask_lens(struct fmp_tables *ts, enum fmp_family family, const struct fmp_rx *rx,
		 unsigned long lens);
u32 fmp_ask_pair(struct fmp_tables *ts, enum fmp_family pair, const struct fmp_rx *rx);

/* What rules say of a frame: BIT(enum fmp_verdict) of each that matched. */
#define FMP_SAYS(verdict) BIT(FMP_VERDICT_##verdict)

/**
 * fmp_src_word() - the source MAC address of a frame as a word of a key
 * @hdr: the frame's record
 *
 * At one go, with the two bytes behind it, which are cut off.
 *
 * Context: any.
 * Return: the word.
 */
static __always_inline __be64 fmp_src_word(const struct fmp_hdr *hdr)
{
	static_assert(offsetof(struct fmp_hdr, src) + sizeof(__be64) <= sizeof(*hdr));
	return get_unaligned((const __be64 *)((const u8 *)hdr + offsetof(struct fmp_hdr, src))) &
	       cpu_to_be64(~0xffffULL);
}

/**
 * fmp_ip_key() - the IP address of a frame as a key
 * @family: %FMP_FAMILY_IPV4 or %FMP_FAMILY_IPV6
 * @rx: the frame, its headers read
 *
 * Context: any.
 * Return: the key.
 */
static __always_inline struct fmp_key fmp_ip_key(enum fmp_family family, const struct fmp_rx *rx)
{
	const u8 *addr = rx->hdr.saddr6.s6_addr;

	if (family == FMP_FAMILY_IPV4)
		return (struct fmp_key){ { fmp_key_word(&rx->hdr.saddr4, sizeof(__be32)) } };
	return (struct fmp_key){ { fmp_key_word(addr, 8), fmp_key_word(addr + 8, 8) } };
}

/**
 * fmp_count() - count a frame for a rule
 * @ts: the rules
 * @rule: the rule
 * @rx: the frame
 *
 * Context: RCU read section, bottom halves off.
 */
static __always_inline void fmp_count(struct fmp_tables *ts, struct fmp_rule *rule,
				      const struct fmp_rx *rx)
{
	if (fmp_rule_hit(rule, rx->frame_len))
		fmp_hits_push(&ts->hits, rule);
}

/**
 * fmp_hear() - what a rule that was found says of a frame
 * @ts: the rules
 * @rule: the rule
 * @rx: the frame
 *
 * Context: RCU read section, bottom halves off.
 * Return: enum fmp_verdict, %FMP_VERDICT_UNSPEC if its time is over.
 */
static __always_inline u8 fmp_hear(struct fmp_tables *ts, struct fmp_rule *rule,
				   const struct fmp_rx *rx)
{
	if (fmp_rule_over(rule))
		return FMP_VERDICT_UNSPEC;
	fmp_count(ts, rule, rx);
	return READ_ONCE(rule->verdict);
}

/**
 * fmp_ask_one() - ask the table of a family whose addresses have one length
 * @ts: the rules
 * @family: the family, a constant
 * @key: the address
 * @plen: its length
 * @rx: the frame
 *
 * Context: RCU read section, bottom halves off.
 * Return: enum fmp_verdict, %FMP_VERDICT_UNSPEC if there is no rule.
 */
static __always_inline u8 fmp_ask_one(struct fmp_tables *ts, enum fmp_family family,
				      const struct fmp_key *key, unsigned int plen,
				      const struct fmp_rx *rx)
{
	struct fmp_rule *rule = fmp_table_look(&ts->family[family], family, key, plen);

	return rule ? fmp_hear(ts, rule, rx) : FMP_VERDICT_UNSPEC;
}

/**
 * fmp_ask_len() - ask a table of prefixes about one length
 * @ts: the rules
 * @family: the table, a constant
 * @key: the whole address
 * @plen: the length
 * @says: what longer prefixes said; a verdict is heard once
 * @rx: the frame
 *
 * Context: RCU read section, bottom halves off.
 * Return: @says with what this one adds.
 */
static __always_inline u32 fmp_ask_len(struct fmp_tables *ts, enum fmp_family family,
				       const struct fmp_key *key, unsigned int plen, u32 says,
				       const struct fmp_rx *rx)
{
	const struct fmp_key cut = fmp_key_mask(*key, plen);
	struct fmp_rule *rule = fmp_table_ask(&ts->family[family], family, &cut, plen);
	u32 say;

	if (!rule)
		return says;
	say = BIT(READ_ONCE(rule->verdict));
	if (!(says & say))
		fmp_count(ts, rule, rx);
	return says | say;
}

/**
 * fmp_ask_prefixes() - ask a table of prefixes
 * @ts: the rules
 * @family: the table, a constant
 * @key: the address
 * @plen: its length, a constant
 * @rx: the frame, its headers read
 *
 * With host addresses only, which is the rule, that is one short look.
 *
 * Context: RCU read section, bottom halves off.
 * Return: FMP_SAYS() of the longest prefix of each verdict.
 */
static __always_inline u32 fmp_ask_prefixes(struct fmp_tables *ts, enum fmp_family family,
					    const struct fmp_key *key, unsigned int plen,
					    const struct fmp_rx *rx)
{
	unsigned long lens = READ_ONCE(ts->family[family].lens);

	if (likely(lens == plen))
		return BIT(fmp_ask_one(ts, family, key, plen, rx));
	return fmp_ask_lens(ts, family, rx, lens);
}

/**
 * fmp_ask_l3() - ask about an IP address, and about its pair with the MAC address
 * @ts: the rules
 * @rx: the frame, its headers read
 * @family: of the IP address, a constant
 * @pair: of the pair, a constant
 * @asks: fmp_tables.asks
 *
 * Context: RCU read section, bottom halves off.
 * Return: FMP_SAYS() of what matched.
 */
static __always_inline u32 fmp_ask_l3(struct fmp_tables *ts, const struct fmp_rx *rx,
				      enum fmp_family family, enum fmp_family pair, u32 asks)
{
	unsigned int plen = family == FMP_FAMILY_IPV4 ? 32 : FMP_PLEN_MAX;
	const struct fmp_key key = fmp_ip_key(family, rx);
	u32 says = 0;

	if (asks & BIT(family))
		says = fmp_ask_prefixes(ts, family, &key, plen, rx);
	if (unlikely(asks & BIT(pair)))
		says |= fmp_ask_pair(ts, pair, rx);
	return says;
}

/**
 * fmp_filter_says() - decide on what all rules say
 * @ts: the rules
 * @rx: the frame
 * @says: FMP_SAYS() of what matched
 *
 * Context: RCU read section, bottom halves off.
 * Return: the decision, never %FMP_DECISION_MORE.
 */
static __always_inline enum fmp_decision fmp_filter_says(struct fmp_tables *ts,
							 const struct fmp_rx *rx, u32 says)
{
	if (says & FMP_SAYS(PROTECT)) {
		if (says & FMP_SAYS(BLOCK))
			atomic64_inc(&ts->protected_hits);
		return FMP_DECISION_PASS;
	}
	if (says & FMP_SAYS(BLOCK))
		return rx->mac_verdict == FMP_VERDICT_BLOCK ? FMP_DECISION_BLOCK_MAC
							    : FMP_DECISION_BLOCK_IP;
	return says & FMP_SAYS(OBSERVE) ? FMP_DECISION_OBSERVE : FMP_DECISION_PASS;
}

/**
 * fmp_filter_ip() - judge the network header, with what the MAC header gave
 * @ts: the rules
 * @rx: the frame, its headers read
 * @asks: fmp_tables.asks
 *
 * Context: RCU read section, bottom halves off.
 * Return: the decision, never %FMP_DECISION_MORE.
 */
static __always_inline enum fmp_decision fmp_filter_ip(struct fmp_tables *ts, struct fmp_rx *rx,
						       u32 asks)
{
	u32 says = BIT(rx->mac_verdict);

	switch (rx->hdr.l3) {
	case FMP_L3_ARP:
	case FMP_L3_IPV4:
		says |= fmp_ask_l3(ts, rx, FMP_FAMILY_IPV4, FMP_FAMILY_PAIR4, asks);
		break;
	case FMP_L3_IPV6:
		says |= fmp_ask_l3(ts, rx, FMP_FAMILY_IPV6, FMP_FAMILY_PAIR6, asks);
		break;
	}
	return fmp_filter_says(ts, rx, says);
}

/**
 * fmp_filter_mac_says() - decide on what the MAC table says, if that can be
 * @verdict: what it says
 * @asks: fmp_tables.asks
 *
 * Context: any.
 * Return: the decision, %FMP_DECISION_MORE if the IP header matters too.
 */
static __always_inline enum fmp_decision fmp_filter_mac_says(u8 verdict, u32 asks)
{
	switch (verdict) {
	case FMP_VERDICT_BLOCK:
		return asks & FMP_ASK_L3_PROTECT ? FMP_DECISION_MORE : FMP_DECISION_BLOCK_MAC;
	case FMP_VERDICT_PROTECT:
		return asks & FMP_ASK_L3_STOP ? FMP_DECISION_MORE : FMP_DECISION_PASS;
	case FMP_VERDICT_OBSERVE:
		return asks & FMP_ASK_L3 ? FMP_DECISION_MORE : FMP_DECISION_OBSERVE;
	default:
		return asks & FMP_ASK_L3 ? FMP_DECISION_MORE : FMP_DECISION_PASS;
	}
}

/**
 * fmp_filter_mac() - judge the MAC header
 * @ts: the rules
 * @rx: the frame, its MAC header read; @rx->mac_verdict is set
 * @asks: fmp_tables.asks
 *
 * Context: RCU read section, bottom halves off.
 * Return: the decision, %FMP_DECISION_MORE if the IP header matters too.
 */
static __always_inline enum fmp_decision fmp_filter_mac(struct fmp_tables *ts, struct fmp_rx *rx,
							u32 asks)
{
	const struct fmp_key key = { { fmp_src_word(&rx->hdr) } };

	rx->mac_verdict = fmp_ask_one(ts, FMP_FAMILY_MAC, &key, FMP_PLEN_MAC, rx);
	return fmp_filter_mac_says(rx->mac_verdict, asks);
}

#endif /* _FMP_FILTER_PATH_H */
