// SPDX-License-Identifier: GPL-2.0
/*
 * (rules, frame) -> decision
 *
 * A frame is judged on its source addresses: that of the MAC header, then that
 * of the IP header (or the sender of an ARP message), then both as a pair.
 * Protect comes before block, whichever of them it stands for: so a blocked MAC
 * address is final at the MAC header only if no rule behind it protects, and
 * otherwise waits for the IP header. The same way a protected MAC address waits
 * if rules behind it block, only to count what it let through. A table without
 * rules costs the test of one bit.
 */
#include "filter.h"
#include "dissect.h"
#include "filter_path.h"

/**
 * fmp_ask_many() - ask a table of prefixes of very many lengths
 * @ts: the rules
 * @family: the table
 * @rx: the frame, its headers read
 *
 * Context: RCU read section, bottom halves off.
 * Return: FMP_SAYS() of the longest prefix of each verdict.
 */
u32 fmp_ask_many(struct fmp_tables *ts, enum fmp_family family, const struct fmp_rx *rx)
{
	const struct fmp_table *t = &ts->family[family];
	const struct fmp_key key = fmp_ip_key(family, rx);
	u32 says = 0;
	int w;

	for (w = ARRAY_SIZE(t->used) - 1; w >= 0; w--) {
		unsigned long lens = READ_ONCE(t->used[w]);

		while (lens) {
			unsigned int bit = __fls(lens);

			lens &= ~BIT(bit);
			says = fmp_ask_len(ts, family, &key, w * BITS_PER_LONG + bit, says, rx);
		}
	}
	return says;
}

/**
 * fmp_ask_lens() - ask a table of prefixes of several lengths
 * @ts: the rules
 * @family: the table
 * @rx: the frame, its headers read
 * @lens: fmp_table.lens
 *
 * Context: RCU read section, bottom halves off.
 * Return: FMP_SAYS() of the longest prefix of each verdict.
 */
u32 fmp_ask_lens(struct fmp_tables *ts, enum fmp_family family, const struct fmp_rx *rx,
		 unsigned long lens)
{
	const struct fmp_key key = fmp_ip_key(family, rx);
	u32 says = 0;

	if (lens == FMP_LENS_MANY)
		return fmp_ask_many(ts, family, rx);
	for (; lens; lens >>= 8)
		says = fmp_ask_len(ts, family, &key, lens & 0xff, says, rx);
	return says;
}

/**
 * fmp_ask_pair() - ask about both addresses of a frame
 * @ts: the rules
 * @pair: family of the pair
 * @rx: the frame, its headers read
 *
 * Context: RCU read section, bottom halves off.
 * Return: FMP_SAYS() of what matched.
 */
u32 fmp_ask_pair(struct fmp_tables *ts, enum fmp_family pair, const struct fmp_rx *rx)
{
	struct fmp_key key = { { fmp_src_word(&rx->hdr) } };
	struct fmp_key ip;

	if (pair == FMP_FAMILY_PAIR4) {
		ip = fmp_ip_key(FMP_FAMILY_IPV4, rx);
		key.word[1] = ip.word[0];
		return BIT(fmp_ask_one(ts, FMP_FAMILY_PAIR4, &key, 32, rx));
	}
	ip = fmp_ip_key(FMP_FAMILY_IPV6, rx);
	key.word[1] = ip.word[0];
	key.word[2] = ip.word[1];
	return BIT(fmp_ask_one(ts, FMP_FAMILY_PAIR6, &key, FMP_PLEN_MAX, rx));
}

/**
 * fmp_filter_l3() - judge a frame whose MAC header is judged
 * @ts: the rules
 * @rx: the frame
 * @avail: bytes that are there
 * @asks: fmp_tables.asks
 *
 * Context: RCU read section, bottom halves off.
 * Return: the decision; with %FMP_DECISION_MORE @rx->want is set.
 */
static noinline enum fmp_decision fmp_filter_l3(struct fmp_tables *ts, struct fmp_rx *rx, u32 avail,
						u32 asks)
{
	rx->want = fmp_dissect_l3(&rx->hdr, rx->buf, avail, rx->frame_len);
	if (rx->want)
		return FMP_DECISION_MORE;
	return fmp_filter_ip(ts, rx, asks);
}

/**
 * fmp_filter_rest() - the same, or say at once how much is wanting
 * @ts: the rules
 * @rx: the frame
 * @avail: bytes that are there
 * @asks: fmp_tables.asks
 *
 * Context: RCU read section, bottom halves off.
 * Return: the decision; with %FMP_DECISION_MORE @rx->want is set.
 */
static __always_inline enum fmp_decision fmp_filter_rest(struct fmp_tables *ts, struct fmp_rx *rx,
							 u32 avail, u32 asks)
{
	u32 want = fmp_dissect_l3_want(&rx->hdr, avail, rx->frame_len);

	rx->stage = FMP_STAGE_MAC_JUDGED;
	if (want) {
		rx->want = want;
		return FMP_DECISION_MORE;
	}
	return fmp_filter_l3(ts, rx, avail, asks);
}

/**
 * fmp_filter_all() - judge a frame from its MAC header on
 * @ts: the rules
 * @rx: the frame
 * @avail: bytes that are there
 * @asks: fmp_tables.asks
 *
 * Context: RCU read section, bottom halves off.
 * Return: the decision; with %FMP_DECISION_MORE @rx->want is set.
 */
static noinline enum fmp_decision fmp_filter_all(struct fmp_tables *ts, struct fmp_rx *rx,
						 u32 avail, u32 asks)
{
	enum fmp_decision decision = fmp_filter_mac(ts, rx, asks);

	return decision == FMP_DECISION_MORE ? fmp_filter_rest(ts, rx, avail, asks) : decision;
}

/**
 * fmp_filter_frame() - judge a frame on as many bytes as there are
 * @ts: the rules
 * @rx: the frame, its MAC header read; goes on where the call before left off
 * @avail: bytes that are there
 *
 * What it calls it calls last: a frame that wants more bytes, or whose MAC header
 * decides, pays for no more than that.
 *
 * Context: RCU read section, bottom halves off.
 * Return: the decision; with %FMP_DECISION_MORE @rx->want is set.
 */
enum fmp_decision fmp_filter_frame(struct fmp_tables *ts, struct fmp_rx *rx, u32 avail)
{
	u32 asks = READ_ONCE(ts->asks);

	RCU_LOCKDEP_WARN(!rcu_read_lock_any_held(), "fmp: lookup without RCU");
	if (rx->stage >= FMP_STAGE_MAC_JUDGED)
		return fmp_filter_l3(ts, rx, avail, asks);
	if (asks & BIT(FMP_FAMILY_MAC))
		return fmp_filter_all(ts, rx, avail, asks);
	if (!(asks & FMP_ASK_L3))
		return FMP_DECISION_PASS;
	return fmp_filter_rest(ts, rx, avail, asks);
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
	const struct fmp_key key = { { fmp_key_word(mac, ETH_ALEN) } };
	const struct fmp_rule *rule;

	if (!(READ_ONCE(ts->asks) & BIT(FMP_FAMILY_MAC)))
		return FMP_VERDICT_UNSPEC;
	rule = fmp_table_ask(&ts->family[FMP_FAMILY_MAC], FMP_FAMILY_MAC, &key, FMP_PLEN_MAC);
	return rule ? READ_ONCE(rule->verdict) : FMP_VERDICT_UNSPEC;
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
	return !(READ_ONCE(ts->asks) & FMP_ASK_L3_PROTECT);
}
