/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The inline parts of the filter's packet path
 *
 * They are inlined into their callers, filter.c and premac.c, so that the common
 * frame is evaluated without a call.
 */
#ifndef _FMP_FILTER_PATH_H
#define _FMP_FILTER_PATH_H

#include "filter.h"

#include <linux/unaligned.h>
#include <asm/byteorder.h>

u32 fmp_lookup_all_lens(struct fmp_tables *ts, enum fmp_family family, const struct fmp_rx *rx);
u32 fmp_lookup_some_lens(struct fmp_tables *ts, enum fmp_family family, const struct fmp_rx *rx,
			 unsigned long lens);
u32 fmp_lookup_pair(struct fmp_tables *ts, enum fmp_family pair, const struct fmp_rx *rx);

/* A verdict as a bit: the result of a lookup has one for each verdict that matched. */
#define FMP_VERDICT_BIT(verdict) BIT(FMP_VERDICT_##verdict)

/**
 * fmp_src_word() - get the source MAC address of a frame as a word of a key
 * @hdr: the frame's header record
 *
 * Load 8 bytes at once; the mask drops the two bytes after the address. A machine that
 * can't do that at any address would take them one by one: there it is pairs of bytes.
 *
 * Context: any.
 * Return: the word.
 */
static __always_inline __be64 fmp_src_word(const struct fmp_hdr *hdr)
{
	static_assert(offsetof(struct fmp_hdr, src) + sizeof(__be64) <= sizeof(*hdr));
	static_assert(offsetof(struct fmp_hdr, src) % sizeof(u16) == 0);
	if (!IS_ENABLED(CONFIG_HAVE_EFFICIENT_UNALIGNED_ACCESS)) {
		const __be16 *src = (const __be16 *)hdr->src;
		const union {
			__be16 pair[4];
			__be64 word;
		} key = { .pair = { src[0], src[1], src[2] } };

		return key.word;
	}
	return get_unaligned((const __be64 *)((const u8 *)hdr + offsetof(struct fmp_hdr, src))) &
	       cpu_to_be64(~0xffffULL);
}

/**
 * fmp_saddr4_word() - get the source IPv4 address of a frame as a word of a key
 * @hdr: the frame's header record
 *
 * memcpy() of four bytes is a call where unaligned words cost more: it does not know that
 * these are aligned.
 *
 * Context: any.
 * Return: the word.
 */
static __always_inline __be64 fmp_saddr4_word(const struct fmp_hdr *hdr)
{
	const union {
		__be32 half[2];
		__be64 word;
	} key = { .half = { hdr->saddr4 } };

	if (!IS_ENABLED(CONFIG_HAVE_EFFICIENT_UNALIGNED_ACCESS))
		return key.word;
	return fmp_key_word(&hdr->saddr4, sizeof(__be32));
}

/**
 * fmp_ip_key() - get the source IP address of a frame as a key
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
		return (struct fmp_key){ { fmp_saddr4_word(&rx->hdr) } };
	return (struct fmp_key){ { fmp_key_word(addr, 8), fmp_key_word(addr + 8, 8) } };
}

/**
 * fmp_filter_count_hit() - count a frame for a rule
 * @ts: the rules
 * @rule: the rule
 * @rx: the frame
 *
 * Context: RCU read section, bottom halves off.
 */
static __always_inline void fmp_filter_count_hit(struct fmp_tables *ts, struct fmp_rule *rule,
						 const struct fmp_rx *rx)
{
	if (fmp_rule_count_hit(rule, rx->frame_len))
		fmp_hits_push(&ts->hits, rule);
}

/**
 * fmp_rule_apply() - count a frame for a rule that matched and get its verdict
 * @ts: the rules
 * @rule: the rule
 * @rx: the frame
 *
 * Context: RCU read section, bottom halves off.
 * Return: enum fmp_verdict, %FMP_VERDICT_UNSPEC if the rule has expired.
 */
static __always_inline u8 fmp_rule_apply(struct fmp_tables *ts, struct fmp_rule *rule,
					 const struct fmp_rx *rx)
{
	if (fmp_rule_expired(rule))
		return FMP_VERDICT_UNSPEC;
	fmp_filter_count_hit(ts, rule, rx);
	return READ_ONCE(rule->verdict);
}

/**
 * fmp_lookup_exact() - look up the rule of an address, without shorter prefixes
 * @ts: the rules
 * @family: the family, a constant
 * @key: the address
 * @plen: its length in bits
 * @rx: the frame
 *
 * Context: RCU read section, bottom halves off.
 * Return: enum fmp_verdict, %FMP_VERDICT_UNSPEC if there is no rule.
 */
static __always_inline u8 fmp_lookup_exact(struct fmp_tables *ts, enum fmp_family family,
					   const struct fmp_key *key, unsigned int plen,
					   const struct fmp_rx *rx)
{
	struct fmp_rule *rule = fmp_table_lookup_exact(&ts->family[family], family, key, plen);

	return rule ? fmp_rule_apply(ts, rule, rx) : FMP_VERDICT_UNSPEC;
}

/**
 * fmp_lookup_prefix() - look up the rule of an address for one prefix length
 * @ts: the rules
 * @family: the family, a constant
 * @key: the whole address
 * @plen: the prefix length
 * @verdicts: verdicts of longer prefixes; only the longest prefix of each
 *	verdict counts the frame
 * @rx: the frame
 *
 * Context: RCU read section, bottom halves off.
 * Return: @verdicts plus the verdict of this rule.
 */
static __always_inline u32 fmp_lookup_prefix(struct fmp_tables *ts, enum fmp_family family,
					     const struct fmp_key *key, unsigned int plen,
					     u32 verdicts, const struct fmp_rx *rx)
{
	const struct fmp_key cut = fmp_key_mask(*key, plen);
	struct fmp_rule *rule = fmp_table_lookup(&ts->family[family], family, &cut, plen);
	u32 bit;

	if (!rule)
		return verdicts;
	bit = BIT(READ_ONCE(rule->verdict));
	if (!(verdicts & bit))
		fmp_filter_count_hit(ts, rule, rx);
	return verdicts | bit;
}

/**
 * fmp_lookup_prefixes() - look up the rules of an IP address for all prefix lengths
 * @ts: the rules
 * @family: the family, a constant
 * @key: the address
 * @plen: its length in bits, a constant
 * @rx: the frame, its headers read
 *
 * A table usually has host addresses only: then this is one exact lookup.
 *
 * Context: RCU read section, bottom halves off.
 * Return: FMP_VERDICT_BIT() of each verdict that matched.
 */
static __always_inline u32 fmp_lookup_prefixes(struct fmp_tables *ts, enum fmp_family family,
					       const struct fmp_key *key, unsigned int plen,
					       const struct fmp_rx *rx)
{
	unsigned long lens = READ_ONCE(ts->family[family].lens);

	if (likely(lens == plen))
		return BIT(fmp_lookup_exact(ts, family, key, plen, rx));
	return fmp_lookup_some_lens(ts, family, rx, lens);
}

/**
 * fmp_lookup_l3() - look up an IP address, and its pair with the MAC address
 * @ts: the rules
 * @rx: the frame, its headers read
 * @family: family of the IP address, a constant
 * @pair: family of the pair, a constant
 * @mask: fmp_tables.lookup_mask
 *
 * Context: RCU read section, bottom halves off.
 * Return: FMP_VERDICT_BIT() of each verdict that matched.
 */
static __always_inline u32 fmp_lookup_l3(struct fmp_tables *ts, const struct fmp_rx *rx,
					 enum fmp_family family, enum fmp_family pair, u32 mask)
{
	unsigned int plen = family == FMP_FAMILY_IPV4 ? 32 : FMP_PLEN_MAX;
	const struct fmp_key key = fmp_ip_key(family, rx);
	u32 verdicts = 0;

	if (mask & BIT(family))
		verdicts = fmp_lookup_prefixes(ts, family, &key, plen, rx);
	if (unlikely(mask & BIT(pair)))
		verdicts |= fmp_lookup_pair(ts, pair, rx);
	return verdicts;
}

/**
 * fmp_filter_decide() - make a decision of all verdicts that matched
 * @ts: the rules
 * @rx: the frame
 * @verdicts: FMP_VERDICT_BIT() of each verdict that matched
 *
 * Context: RCU read section, bottom halves off.
 * Return: the decision, never %FMP_DECISION_MORE.
 */
static __always_inline enum fmp_decision fmp_filter_decide(struct fmp_tables *ts,
							   const struct fmp_rx *rx, u32 verdicts)
{
	if (verdicts & FMP_VERDICT_BIT(PROTECT)) {
		if (verdicts & FMP_VERDICT_BIT(BLOCK))
			fmp_counter_inc(&ts->protected_hits);
		return FMP_DECISION_PASS;
	}
	if (verdicts & FMP_VERDICT_BIT(BLOCK))
		return rx->mac_verdict == FMP_VERDICT_BLOCK ? FMP_DECISION_BLOCK_MAC
							    : FMP_DECISION_BLOCK_IP;
	return verdicts & FMP_VERDICT_BIT(OBSERVE) ? FMP_DECISION_OBSERVE : FMP_DECISION_PASS;
}

/**
 * fmp_filter_ip() - evaluate the network header together with the MAC verdict
 * @ts: the rules
 * @rx: the frame, its headers read
 * @mask: fmp_tables.lookup_mask
 *
 * Context: RCU read section, bottom halves off.
 * Return: the decision, never %FMP_DECISION_MORE.
 */
static __always_inline enum fmp_decision fmp_filter_ip(struct fmp_tables *ts, struct fmp_rx *rx,
						       u32 mask)
{
	u32 verdicts = BIT(rx->mac_verdict);

	switch (rx->hdr.l3) {
	case FMP_L3_ARP:
	case FMP_L3_IPV4:
		verdicts |= fmp_lookup_l3(ts, rx, FMP_FAMILY_IPV4, FMP_FAMILY_PAIR4, mask);
		break;
	case FMP_L3_IPV6:
		verdicts |= fmp_lookup_l3(ts, rx, FMP_FAMILY_IPV6, FMP_FAMILY_PAIR6, mask);
		break;
	}
	return fmp_filter_decide(ts, rx, verdicts);
}

/**
 * fmp_filter_decide_mac() - make a decision of the MAC table's verdict, if it is final
 * @verdict: the verdict
 * @mask: fmp_tables.lookup_mask
 *
 * Context: any.
 * Return: the decision, %FMP_DECISION_MORE if the IP header matters too.
 */
static __always_inline enum fmp_decision fmp_filter_decide_mac(u8 verdict, u32 mask)
{
	/* Of the frames with a rule, most are blocked. */
	if (likely(verdict == FMP_VERDICT_BLOCK))
		return mask & FMP_LOOKUP_L3_PROTECT ? FMP_DECISION_MORE : FMP_DECISION_BLOCK_MAC;
	if (verdict == FMP_VERDICT_PROTECT)
		return mask & FMP_LOOKUP_L3_STOP ? FMP_DECISION_MORE : FMP_DECISION_PASS;
	if (mask & FMP_LOOKUP_L3)
		return FMP_DECISION_MORE;
	return verdict == FMP_VERDICT_OBSERVE ? FMP_DECISION_OBSERVE : FMP_DECISION_PASS;
}

/**
 * fmp_filter_mac() - evaluate the MAC header
 * @ts: the rules
 * @rx: the frame, its MAC header read; @rx->mac_verdict is set
 * @mask: fmp_tables.lookup_mask
 *
 * Context: RCU read section, bottom halves off.
 * Return: the decision, %FMP_DECISION_MORE if the IP header matters too.
 */
static __always_inline enum fmp_decision fmp_filter_mac(struct fmp_tables *ts, struct fmp_rx *rx,
							u32 mask)
{
	const struct fmp_key key = { { fmp_src_word(&rx->hdr) } };

	rx->mac_verdict = fmp_lookup_exact(ts, FMP_FAMILY_MAC, &key, FMP_PLEN_MAC, rx);
	return fmp_filter_decide_mac(rx->mac_verdict, mask);
}

#endif /* _FMP_FILTER_PATH_H */
