// SPDX-License-Identifier: GPL-2.0
/*
 * The filter: evaluates a frame against the rules
 *
 * A frame is evaluated by its source addresses: that of the MAC header, then that
 * of the IP header (or the sender of an ARP message), then both as a pair. A
 * protect rule for any of them wins over a block of any of them. So a blocked MAC
 * address is final at the MAC header only if no rule that needs the IP header
 * protects; otherwise the decision waits for the IP header. A protected MAC
 * address waits in the same way if rules that need the IP header block, only to
 * count the frames that it saved. A table without rules costs the test of one bit.
 */
#include "filter.h"
#include "dissect.h"
#include "filter_path.h"

/**
 * fmp_lookup_all_lens() - look up prefixes if more lengths are in use than
 * fmp_table.lens holds
 * @ts: the rules
 * @family: family of the IP address
 * @rx: the frame, its headers read
 *
 * Context: RCU read section, bottom halves off.
 * Return: FMP_VERDICT_BIT() of each verdict that matched.
 */
u32 fmp_lookup_all_lens(struct fmp_tables *ts, enum fmp_family family, const struct fmp_rx *rx)
{
	const struct fmp_table *t = &ts->family[family];
	const struct fmp_key key = fmp_ip_key(family, rx);
	u32 verdicts = 0;
	int w;

	for (w = ARRAY_SIZE(t->used) - 1; w >= 0; w--) {
		unsigned long lens = READ_ONCE(t->used[w]);

		while (lens) {
			unsigned int bit = __fls(lens);

			lens &= ~BIT(bit);
			verdicts = fmp_lookup_prefix(ts, family, &key, w * BITS_PER_LONG + bit,
						     verdicts, rx);
		}
	}
	return verdicts;
}

/**
 * fmp_lookup_some_lens() - look up prefixes if several lengths are in use
 * @ts: the rules
 * @family: family of the IP address
 * @rx: the frame, its headers read
 * @lens: fmp_table.lens
 *
 * Context: RCU read section, bottom halves off.
 * Return: FMP_VERDICT_BIT() of each verdict that matched.
 */
u32 fmp_lookup_some_lens(struct fmp_tables *ts, enum fmp_family family, const struct fmp_rx *rx,
			 unsigned long lens)
{
	const struct fmp_key key = fmp_ip_key(family, rx);
	u32 verdicts = 0;

	if (lens == FMP_LENS_MANY)
		return fmp_lookup_all_lens(ts, family, rx);
	for (; lens; lens >>= 8)
		verdicts = fmp_lookup_prefix(ts, family, &key, lens & 0xff, verdicts, rx);
	return verdicts;
}

/**
 * fmp_lookup_pair() - look up the pair of a frame's addresses
 * @ts: the rules
 * @pair: family of the pair
 * @rx: the frame, its headers read
 *
 * Context: RCU read section, bottom halves off.
 * Return: FMP_VERDICT_BIT() of the verdict that matched.
 */
u32 fmp_lookup_pair(struct fmp_tables *ts, enum fmp_family pair, const struct fmp_rx *rx)
{
	struct fmp_key key = { { fmp_src_word(&rx->hdr) } };
	struct fmp_key ip;

	if (pair == FMP_FAMILY_PAIR4) {
		ip = fmp_ip_key(FMP_FAMILY_IPV4, rx);
		key.word[1] = ip.word[0];
		return BIT(fmp_lookup_exact(ts, FMP_FAMILY_PAIR4, &key, 32, rx));
	}
	ip = fmp_ip_key(FMP_FAMILY_IPV6, rx);
	key.word[1] = ip.word[0];
	key.word[2] = ip.word[1];
	return BIT(fmp_lookup_exact(ts, FMP_FAMILY_PAIR6, &key, FMP_PLEN_MAX, rx));
}

/**
 * fmp_filter_l3() - evaluate a frame whose MAC header is evaluated
 * @ts: the rules
 * @rx: the frame
 * @avail: bytes received
 * @mask: fmp_tables.lookup_mask
 *
 * Context: RCU read section, bottom halves off.
 * Return: the decision; with %FMP_DECISION_MORE @rx->want is set.
 */
static noinline enum fmp_decision fmp_filter_l3(struct fmp_tables *ts, struct fmp_rx *rx, u32 avail,
						u32 mask)
{
	rx->want = fmp_dissect_l3(&rx->hdr, rx->buf, avail, rx->frame_len);
	if (rx->want)
		return FMP_DECISION_MORE;
	return fmp_filter_ip(ts, rx, mask);
}

/**
 * fmp_filter_after_mac() - fmp_filter_l3(), with an early return if bytes are missing
 * @ts: the rules
 * @rx: the frame
 * @avail: bytes received
 * @mask: fmp_tables.lookup_mask
 *
 * Context: RCU read section, bottom halves off.
 * Return: the decision; with %FMP_DECISION_MORE @rx->want is set.
 */
static __always_inline enum fmp_decision
fmp_filter_after_mac(struct fmp_tables *ts, struct fmp_rx *rx, u32 avail, u32 mask)
{
	u32 want = fmp_dissect_l3_want(&rx->hdr, avail, rx->frame_len);

	rx->stage = FMP_STAGE_MAC_DONE;
	if (want) {
		rx->want = want;
		return FMP_DECISION_MORE;
	}
	return fmp_filter_l3(ts, rx, avail, mask);
}

/**
 * fmp_filter_from_mac() - evaluate a frame from its MAC header on
 * @ts: the rules
 * @rx: the frame
 * @avail: bytes received
 * @mask: fmp_tables.lookup_mask
 *
 * Context: RCU read section, bottom halves off.
 * Return: the decision; with %FMP_DECISION_MORE @rx->want is set.
 */
static noinline enum fmp_decision fmp_filter_from_mac(struct fmp_tables *ts, struct fmp_rx *rx,
						      u32 avail, u32 mask)
{
	enum fmp_decision decision = fmp_filter_mac(ts, rx, mask);

	return decision == FMP_DECISION_MORE ? fmp_filter_after_mac(ts, rx, avail, mask) : decision;
}

/**
 * fmp_filter_frame() - evaluate a frame by the bytes received so far
 * @ts: the rules
 * @rx: the frame, its MAC header read; continues where the previous call ended
 * @avail: bytes received
 *
 * All calls are tail calls: a frame that needs more bytes, or that its MAC header
 * decides, does not pay for saved registers.
 *
 * Context: RCU read section, bottom halves off.
 * Return: the decision; with %FMP_DECISION_MORE @rx->want is set.
 */
enum fmp_decision fmp_filter_frame(struct fmp_tables *ts, struct fmp_rx *rx, u32 avail)
{
	u32 mask = READ_ONCE(ts->lookup_mask);

	RCU_LOCKDEP_WARN(!rcu_read_lock_any_held(), "fmp: lookup without RCU");
	if (rx->stage >= FMP_STAGE_MAC_DONE)
		return fmp_filter_l3(ts, rx, avail, mask);
	if (mask & BIT(FMP_FAMILY_MAC))
		return fmp_filter_from_mac(ts, rx, avail, mask);
	if (!(mask & FMP_LOOKUP_L3))
		return FMP_DECISION_PASS;
	return fmp_filter_after_mac(ts, rx, avail, mask);
}

/**
 * fmp_filter_peek_mac() - look up a MAC address without counting a hit
 * @ts: the rules
 * @mac: the address
 *
 * Context: RCU read section.
 * Return: enum fmp_verdict, %FMP_VERDICT_UNSPEC if there is no rule.
 */
u8 fmp_filter_peek_mac(struct fmp_tables *ts, const u8 *mac)
{
	const struct fmp_key key = { { fmp_key_word(mac, ETH_ALEN) } };
	const struct fmp_rule *rule;

	if (!(READ_ONCE(ts->lookup_mask) & BIT(FMP_FAMILY_MAC)))
		return FMP_VERDICT_UNSPEC;
	rule = fmp_table_lookup(&ts->family[FMP_FAMILY_MAC], FMP_FAMILY_MAC, &key, FMP_PLEN_MAC);
	return rule ? READ_ONCE(rule->verdict) : FMP_VERDICT_UNSPEC;
}

/**
 * fmp_filter_mac_is_final() - check whether a blocked MAC address decides by itself
 * @ts: the rules
 *
 * Context: any.
 * Return: false if an IP address might protect the frame.
 */
bool fmp_filter_mac_is_final(const struct fmp_tables *ts)
{
	return !(READ_ONCE(ts->lookup_mask) & FMP_LOOKUP_L3_PROTECT);
}
