// SPDX-License-Identifier: GPL-2.0
/*
 * (rules, frame) -> decision
 *
 * A frame is judged on its source addresses: that of the MAC header, then that
 * of the IP header (or the sender of an ARP message). Protect comes before
 * block, whichever of the two addresses it stands for: so a blocked MAC address
 * is final at the MAC header only if no IP address is protected, and otherwise
 * waits for the IP header. The same way a protected MAC address waits if IP
 * addresses are blocked, only to count what it let through.
 */
#include "filter.h"
#include "compat.h"
#include "dissect.h"

#include <asm/byteorder.h>

/**
 * fmp_ask() - ask one table and count what matched
 * @ts: the rules
 * @family: the table
 * @key: the address
 * @frame_len: length of the frame
 *
 * Context: RCU read section, bottom halves off.
 * Return: the rules that match.
 */
static struct fmp_match fmp_ask(struct fmp_tables *ts, enum fmp_family family, struct fmp_key key,
				u32 frame_len)
{
	struct fmp_match m = fmp_table_match(&ts->family[family], key);

	if (m.block && fmp_rule_hit(m.block, frame_len))
		fmp_hits_push(&ts->hits, m.block);
	if (m.protect && fmp_rule_hit(m.protect, frame_len))
		fmp_hits_push(&ts->hits, m.protect);
	return m;
}

/**
 * fmp_mac_bits() - a MAC address as the first bits of a key
 * @mac: the address
 *
 * Context: any.
 * Return: fmp_key.hi.
 */
static u64 fmp_mac_bits(const u8 *mac)
{
	return (u64)get_unaligned_be32(mac) << 32 | (u64)get_unaligned_be16(mac + 4) << 16;
}

/**
 * fmp_filter_mac() - judge the MAC header
 * @ts: the rules
 * @rx: the frame, its MAC header read; @rx->mac_verdict is set
 *
 * Context: RCU read section, bottom halves off.
 * Return: the decision, %FMP_DECISION_MORE if the IP header matters too.
 */
static enum fmp_decision fmp_filter_mac(struct fmp_tables *ts, struct fmp_rx *rx)
{
	struct fmp_key key = { fmp_mac_bits(rx->hdr.src), 0 };
	u32 blocks = READ_ONCE(ts->ip_count[FMP_VERDICT_BLOCK]);
	u32 protects = READ_ONCE(ts->ip_count[FMP_VERDICT_PROTECT]);
	struct fmp_match m = fmp_ask(ts, FMP_FAMILY_MAC, key, rx->frame_len);

	if (m.protect) {
		rx->mac_verdict = FMP_VERDICT_PROTECT;
		return blocks ? FMP_DECISION_MORE : FMP_DECISION_PASS;
	}
	if (m.block) {
		rx->mac_verdict = FMP_VERDICT_BLOCK;
		return protects ? FMP_DECISION_MORE : FMP_DECISION_BLOCK_MAC;
	}
	return blocks || protects ? FMP_DECISION_MORE : FMP_DECISION_PASS;
}

/**
 * fmp_filter_ip() - judge the network header, with what the MAC header gave
 * @ts: the rules
 * @rx: the frame, its headers read
 *
 * Context: RCU read section, bottom halves off.
 * Return: the decision, never %FMP_DECISION_MORE.
 */
static enum fmp_decision fmp_filter_ip(struct fmp_tables *ts, struct fmp_rx *rx)
{
	const struct fmp_hdr *hdr = &rx->hdr;
	struct fmp_match m = { NULL, NULL };
	struct fmp_key key = { 0, 0 };

	switch (hdr->l3) {
	case FMP_L3_ARP:
	case FMP_L3_IPV4:
		key.hi = (u64)be32_to_cpu(hdr->saddr4) << 32;
		m = fmp_ask(ts, FMP_FAMILY_IPV4, key, rx->frame_len);
		break;
	case FMP_L3_IPV6:
		key.hi = (u64)be32_to_cpu(hdr->saddr6.s6_addr32[0]) << 32 |
			 be32_to_cpu(hdr->saddr6.s6_addr32[1]);
		key.lo = (u64)be32_to_cpu(hdr->saddr6.s6_addr32[2]) << 32 |
			 be32_to_cpu(hdr->saddr6.s6_addr32[3]);
		m = fmp_ask(ts, FMP_FAMILY_IPV6, key, rx->frame_len);
		break;
	}

	if (m.protect || rx->mac_verdict == FMP_VERDICT_PROTECT) {
		if (m.block || rx->mac_verdict == FMP_VERDICT_BLOCK)
			atomic64_inc(&ts->protected_hits);
		return FMP_DECISION_PASS;
	}
	if (rx->mac_verdict == FMP_VERDICT_BLOCK)
		return FMP_DECISION_BLOCK_MAC;
	return m.block ? FMP_DECISION_BLOCK_IP : FMP_DECISION_PASS;
}

/**
 * fmp_filter_frame() - judge a frame on as many bytes as there are
 * @ts: the rules
 * @rx: the frame, its MAC header read; goes on where the call before left off
 * @avail: bytes that are there
 *
 * Context: RCU read section, bottom halves off.
 * Return: the decision; with %FMP_DECISION_MORE @rx->want is set.
 */
enum fmp_decision fmp_filter_frame(struct fmp_tables *ts, struct fmp_rx *rx, u32 avail)
{
	if (rx->stage < FMP_STAGE_MAC_JUDGED) {
		enum fmp_decision decision = fmp_filter_mac(ts, rx);

		if (decision != FMP_DECISION_MORE)
			return decision;
		rx->stage = FMP_STAGE_MAC_JUDGED;
	}
	rx->want = fmp_dissect_l3(&rx->hdr, rx->buf, avail, rx->frame_len);
	if (rx->want)
		return FMP_DECISION_MORE;
	return fmp_filter_ip(ts, rx);
}

/**
 * fmp_filter_peek() - what the MAC table says of an address; nothing is counted
 * @ts: the rules
 * @mac: the address
 *
 * Context: RCU read section.
 * Return: enum fmp_verdict, %FMP_VERDICT_UNSPEC if there is no rule.
 */
u8 fmp_filter_peek(struct fmp_tables *ts, const u8 *mac)
{
	struct fmp_key key = { fmp_mac_bits(mac), 0 };
	struct fmp_match m = fmp_table_match(&ts->family[FMP_FAMILY_MAC], key);

	if (m.protect)
		return FMP_VERDICT_PROTECT;
	return m.block ? FMP_VERDICT_BLOCK : FMP_VERDICT_UNSPEC;
}

/**
 * fmp_filter_mac_final() - does a blocked MAC address end a frame by itself
 * @ts: the rules
 *
 * Context: any.
 * Return: false if an IP address might protect the frame.
 */
bool fmp_filter_mac_final(const struct fmp_tables *ts)
{
	return !READ_ONCE(ts->ip_count[FMP_VERDICT_PROTECT]);
}
