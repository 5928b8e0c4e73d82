// SPDX-License-Identifier: GPL-2.0
/*
 * The pre-MAC filter: what a driver asks while a frame comes in
 */
#include "port.h"
#include "dissect.h"
#include "filter_path.h"
#include "trace.h"

#include <linux/export.h>
#include <linux/netdevice.h>

/**
 * fmp_to_us() - is a frame for the first address of its device
 * @hdr: its record, its MAC header read
 * @addr: the address; a net_device has room behind it
 *
 * Both at one go, less the two bytes behind.
 *
 * Context: any.
 * Return: true if it is.
 */
static __always_inline bool fmp_to_us(const struct fmp_hdr *hdr, const u8 *addr)
{
	static_assert(offsetof(struct fmp_hdr, dst) + sizeof(u64) <= sizeof(*hdr));
	return !((get_unaligned_le64((const u8 *)hdr + offsetof(struct fmp_hdr, dst)) ^
		  get_unaligned_le64(addr))
		 << 16);
}

/**
 * fmp_foreign() - is a frame not for the first address of its device
 * @dev: where it comes in
 * @rx: the frame; @rx->hdr.pkt_type is set
 *
 * A device with further unicast addresses is asked no more than its first one;
 * its MAC layer sorts them out.
 *
 * Context: any.
 * Return: true if the MAC layer would throw it away for its destination.
 */
static bool fmp_foreign(const struct net_device *dev, struct fmp_rx *rx)
{
	const u8 *dst = rx->hdr.dst;

	if (is_multicast_ether_addr(dst)) {
		rx->hdr.pkt_type = is_broadcast_ether_addr(dst) ? PACKET_BROADCAST
								: PACKET_MULTICAST;
		return false;
	}
	rx->hdr.pkt_type = PACKET_OTHERHOST;
	return !(dev->flags & IFF_PROMISC) && netdev_uc_empty(dev);
}

/* Somebody traces verdicts: only then is anything of that in the way of a frame. */
#define fmp_rx_traced() unlikely(trace_fmp_verdict_enabled())

/**
 * fmp_rx_pass() - let a frame through
 * @port: where it came in
 * @rx: the frame
 * @verdict: what its header record will say, %FMP_RECORD_UNSPEC if the rules
 *	were not asked
 *
 * Context: bottom halves off.
 * Return: the answer for the driver.
 */
static __always_inline enum fmp_rx_action fmp_rx_pass(struct fmp_rx_port *port, struct fmp_rx *rx,
						      enum fmp_record_verdict verdict)
{
	rx->hdr.verdict = verdict;
	fmp_stats_pass(port->stats, rx->frame_len, verdict == FMP_RECORD_OBSERVED);
	return FMP_RX_PASS;
}

/**
 * fmp_rx_stop() - end a frame
 * @port: where it came in
 * @rx: the frame
 * @avail: bytes of it that were taken
 * @reason: why
 * @stat: the counter of that reason
 *
 * Context: bottom halves off.
 * Return: the answer for the driver.
 */
static __always_inline enum fmp_rx_action fmp_rx_stop(struct fmp_rx_port *port, struct fmp_rx *rx,
						      u32 avail, enum fmp_rx_reason reason,
						      enum fmp_stat stat)
{
	rx->reason = reason;
	rx->late = avail >= rx->frame_len;
	trace_fmp_stop(port->dev, rx, avail);
	if (rx->late) {
		fmp_stats_stop(port->stats, FMP_STAT_DROPPED_LATE, rx->frame_len, 0);
		return FMP_RX_STOP;
	}
	fmp_stats_stop(port->stats, stat, avail, rx->frame_len - avail);
	if (port->ops->stop)
		port->ops->stop(port->dev, rx, avail);
	return FMP_RX_STOP;
}

/**
 * fmp_rx_answer() - act on what the rules say of a frame
 * @port: where it came in
 * @rx: the frame
 * @avail: bytes of it that are there
 * @decision: what they say; not that they want more
 * @traced: a constant
 *
 * Context: bottom halves off.
 * Return: the answer for the driver.
 */
static __always_inline enum fmp_rx_action fmp_rx_answer(struct fmp_rx_port *port, struct fmp_rx *rx,
							u32 avail, enum fmp_decision decision,
							bool traced)
{
	if (traced)
		trace_fmp_verdict(port->dev, rx, avail, decision);
	if (likely(decision == FMP_DECISION_PASS))
		return fmp_rx_pass(port, rx, FMP_RECORD_PASS);
	if (decision == FMP_DECISION_OBSERVE || READ_ONCE(port->flags) & FMP_DEV_F_OBSERVE)
		return fmp_rx_pass(port, rx, FMP_RECORD_OBSERVED);
	if (decision == FMP_DECISION_BLOCK_MAC)
		return fmp_rx_stop(port, rx, avail, FMP_RX_REASON_MAC, FMP_STAT_STOPPED_MAC);
	return fmp_rx_stop(port, rx, avail, FMP_RX_REASON_IP, FMP_STAT_STOPPED_IP);
}

/**
 * fmp_rx_more() - want more bytes of a frame
 * @port: where it comes in
 * @rx: the frame
 * @avail: bytes of it that are there
 * @want: bytes of it that must be there
 * @traced: a constant
 *
 * Context: bottom halves off.
 * Return: the answer for the driver.
 */
static __always_inline enum fmp_rx_action fmp_rx_more(struct fmp_rx_port *port, struct fmp_rx *rx,
						      u32 avail, u32 want, bool traced)
{
	rx->stage = FMP_STAGE_MAC_JUDGED;
	rx->want = want;
	if (traced)
		trace_fmp_verdict(port->dev, rx, avail, FMP_DECISION_MORE);
	return FMP_RX_MORE;
}

/**
 * fmp_rx_too_short() - answer for a MAC header that is not complete
 * @port: where the frame comes in
 * @rx: the frame
 *
 * Context: bottom halves off.
 * Return: the answer for the driver.
 */
static noinline enum fmp_rx_action fmp_rx_too_short(struct fmp_rx_port *port, struct fmp_rx *rx)
{
	if (rx->frame_len < ETH_HLEN)
		return fmp_rx_pass(port, rx, FMP_RECORD_UNSPEC);
	rx->want = ETH_HLEN;
	return FMP_RX_MORE;
}

/**
 * fmp_rx_ask_ip() - ask the rules about a frame that its MAC header did not end
 * @port: where it came in
 * @rx: the frame
 * @avail: bytes that are there
 * @ts: the rules
 * @traced: a constant
 *
 * Context: bottom halves off.
 * Return: the answer for the driver.
 */
static __always_inline enum fmp_rx_action fmp_rx_ask_ip(struct fmp_rx_port *port, struct fmp_rx *rx,
							u32 avail, struct fmp_tables *ts,
							bool traced)
{
	u32 want = fmp_dissect_l3(&rx->hdr, rx->buf, avail, rx->frame_len);

	if (want)
		return fmp_rx_more(port, rx, avail, want, traced);
	return fmp_rx_answer(port, rx, avail, fmp_filter_ip(ts, rx, READ_ONCE(ts->asks)), traced);
}

/**
 * fmp_rx_judge_ip() - fmp_rx_ask_ip() by itself, so that the way to a verdict on
 * the MAC header is short
 * @port: where the frame came in
 * @rx: the frame
 * @avail: bytes that are there
 * @ts: the rules
 *
 * Context: bottom halves off.
 * Return: the answer for the driver.
 */
static noinline enum fmp_rx_action fmp_rx_judge_ip(struct fmp_rx_port *port, struct fmp_rx *rx,
						   u32 avail, struct fmp_tables *ts)
{
	rx->stage = FMP_STAGE_MAC_JUDGED;
	return fmp_rx_ask_ip(port, rx, avail, ts, false);
}

/**
 * fmp_rx_ip_rule() - go on with a frame for whose IP address there is a rule
 * @port: where it came in
 * @rx: the frame; the MAC table says nothing, and there are no pairs
 * @avail: bytes that are there
 * @ts: the rules
 * @rule: the rule, over or not
 *
 * Context: bottom halves off.
 * Return: the answer for the driver.
 */
static noinline enum fmp_rx_action fmp_rx_ip_rule(struct fmp_rx_port *port, struct fmp_rx *rx,
						  u32 avail, struct fmp_tables *ts,
						  struct fmp_rule *rule)
{
	u32 says = BIT(fmp_hear(ts, rule, rx));

	rx->stage = FMP_STAGE_MAC_JUDGED;
	return fmp_rx_answer(port, rx, avail, fmp_filter_says(ts, rx, says), false);
}

/**
 * fmp_rx_short() - go on with a frame of which too little is there for a plain
 * network header
 * @port: where the frame came in
 * @rx: the frame, its MAC header judged
 * @avail: bytes that are there
 * @ts: the rules
 *
 * Context: bottom halves off.
 * Return: the answer for the driver.
 */
static noinline enum fmp_rx_action fmp_rx_short(struct fmp_rx_port *port, struct fmp_rx *rx,
						u32 avail, struct fmp_tables *ts)
{
	u32 want = fmp_dissect_l3_want(&rx->hdr, avail, rx->frame_len);

	fmp_dissect_no_l3(&rx->hdr);
	if (!want)
		return fmp_rx_judge_ip(port, rx, avail, ts);
	return fmp_rx_more(port, rx, avail, want, false);
}

/**
 * fmp_rx_host() - look for the rule of an IP address, if that is all there is to
 * do
 * @port: where the frame came in
 * @rx: the frame, its MAC header judged, its network header a plain one
 * @avail: bytes that are there
 * @ts: the rules
 * @family: of the network header, a constant
 *
 * Calls nothing but last, so that a frame without a rule pays for no registers
 * saved.
 *
 * Context: bottom halves off.
 * Return: the answer for the driver.
 */
static __always_inline enum fmp_rx_action fmp_rx_host(struct fmp_rx_port *port, struct fmp_rx *rx,
						      u32 avail, struct fmp_tables *ts,
						      enum fmp_family family)
{
	bool ipv4 = family == FMP_FAMILY_IPV4;
	const struct fmp_key key = fmp_ip_key(family, rx);
	struct fmp_rule *rule;

	/* Here it is one store with what was read; a rule changes it. */
	rx->hdr.verdict = FMP_RECORD_PASS;
	rule = fmp_table_look(&ts->family[family], family, &key, ipv4 ? 32 : FMP_PLEN_MAX);
	if (unlikely(rule))
		return fmp_rx_ip_rule(port, rx, avail, ts, rule);
	rx->stage = ipv4 ? FMP_STAGE_PLAIN_IPV4 : FMP_STAGE_PLAIN_IPV6;
	fmp_stats_pass(port->stats, rx->frame_len, false);
	return FMP_RX_PASS;
}

/**
 * fmp_rx_mac_passes() - let a frame through that its MAC header says enough of
 * @port: where it came in
 * @rx: the frame, its record begun
 * @verdict: what its header record will say
 *
 * Context: bottom halves off.
 * Return: the answer for the driver.
 */
static __always_inline enum fmp_rx_action
fmp_rx_mac_passes(struct fmp_rx_port *port, struct fmp_rx *rx, enum fmp_record_verdict verdict)
{
	bool plain = verdict == FMP_RECORD_PASS && eth_proto_is_802_3(rx->hdr.mac_proto);

	fmp_dissect_no_l3(&rx->hdr);
	rx->stage = plain ? FMP_STAGE_PLAIN_MAC : FMP_STAGE_MAC_READ;
	return fmp_rx_pass(port, rx, verdict);
}

/**
 * fmp_rx_net() - ask the rules about the network header
 * @port: where the frame came in
 * @rx: the frame, its record begun; the MAC table says nothing of it
 * @avail: bytes that are there
 * @ts: the rules
 * @asks: fmp_tables.asks
 * @first: this is the first question, a constant: no rule for an IP address lets
 *	the frame pass by its MAC header
 *
 * What is less than plain starts anew with fmp_rx_judge_ip().
 *
 * Context: bottom halves off.
 * Return: the answer for the driver.
 */
static __always_inline enum fmp_rx_action fmp_rx_net(struct fmp_rx_port *port, struct fmp_rx *rx,
						     u32 avail, struct fmp_tables *ts, u32 asks,
						     bool first)
{
	if (asks & FMP_ASK_HOSTS4) {
		if (avail < FMP_PLAIN4)
			return fmp_rx_short(port, rx, avail, ts);
		if (fmp_dissect_plain4(&rx->hdr, rx->buf))
			return fmp_rx_host(port, rx, avail, ts, FMP_FAMILY_IPV4);
	}
	if (asks & FMP_ASK_HOSTS6) {
		if (avail < FMP_PLAIN6)
			return fmp_rx_short(port, rx, avail, ts);
		if (fmp_dissect_plain6(&rx->hdr, rx->buf))
			return fmp_rx_host(port, rx, avail, ts, FMP_FAMILY_IPV6);
	}
	if (first && !(asks & FMP_ASK_L3))
		return fmp_rx_mac_passes(port, rx, FMP_RECORD_PASS);
	fmp_dissect_no_l3(&rx->hdr);
	return fmp_rx_judge_ip(port, rx, avail, ts);
}

/**
 * fmp_rx_mac_rule() - go on with a frame for whose MAC address there is a rule
 * @port: where it came in
 * @rx: the frame, its record begun
 * @avail: bytes that are there
 * @ts: the rules
 * @rule: the rule, over or not
 *
 * Context: bottom halves off.
 * Return: the answer for the driver.
 */
static noinline enum fmp_rx_action fmp_rx_mac_rule(struct fmp_rx_port *port, struct fmp_rx *rx,
						   u32 avail, struct fmp_tables *ts,
						   struct fmp_rule *rule)
{
	enum fmp_decision decision;

	rx->stage = FMP_STAGE_MAC_READ;
	fmp_dissect_no_l3(&rx->hdr);
	rx->mac_verdict = fmp_hear(ts, rule, rx);
	decision = fmp_filter_mac_says(rx->mac_verdict, READ_ONCE(ts->asks));
	if (decision != FMP_DECISION_MORE)
		return fmp_rx_answer(port, rx, avail, decision, false);
	return fmp_rx_judge_ip(port, rx, avail, ts);
}

/**
 * fmp_rx_ask() - ask the rules about a frame whose MAC header has come
 * @port: where it came in
 * @rx: the frame, its record begun
 * @avail: bytes that are there
 *
 * Context: bottom halves off.
 * Return: the answer for the driver.
 */
static __always_inline enum fmp_rx_action fmp_rx_ask(struct fmp_rx_port *port, struct fmp_rx *rx,
						     u32 avail)
{
	struct fmp_tables *ts = rcu_dereference_bh(port->tables);
	struct fmp_rule *rule;
	u32 asks;

	if (unlikely(!ts))
		return fmp_rx_mac_passes(port, rx, FMP_RECORD_UNSPEC);

	/* Of the first question: a later one may meet newer rules than this. */
	rx->generation = fmp_tables_generation(ts);
	asks = READ_ONCE(ts->asks);
	if (asks & BIT(FMP_FAMILY_MAC)) {
		const struct fmp_key key = { { fmp_src_word(&rx->hdr) } };

		rule = fmp_table_look(&ts->family[FMP_FAMILY_MAC], FMP_FAMILY_MAC, &key,
				      FMP_PLEN_MAC);
		if (unlikely(rule))
			return fmp_rx_mac_rule(port, rx, avail, ts, rule);
	}
	return fmp_rx_net(port, rx, avail, ts, asks, true);
}

/**
 * fmp_rx_ask_more() - ask the rules about a frame that more has come of
 * @port: where it came in
 * @rx: the frame, its MAC header judged
 * @avail: bytes that are there
 *
 * Context: bottom halves off.
 * Return: the answer for the driver.
 */
static noinline enum fmp_rx_action fmp_rx_ask_more(struct fmp_rx_port *port, struct fmp_rx *rx,
						   u32 avail)
{
	struct fmp_tables *ts = rcu_dereference_bh(port->tables);

	if (unlikely(!ts))
		return fmp_rx_pass(port, rx, FMP_RECORD_UNSPEC);
	if (unlikely(rx->mac_verdict != FMP_VERDICT_UNSPEC))
		return fmp_rx_judge_ip(port, rx, avail, ts);
	return fmp_rx_net(port, rx, avail, ts, READ_ONCE(ts->asks), false);
}

/**
 * fmp_rx_ask_traced() - fmp_rx_ask() for somebody who watches
 * @port: where the frame came in
 * @rx: the frame, its record begun
 * @avail: bytes that are there
 *
 * Context: bottom halves off.
 * Return: the answer for the driver.
 */
static noinline enum fmp_rx_action fmp_rx_ask_traced(struct fmp_rx_port *port, struct fmp_rx *rx,
						     u32 avail)
{
	struct fmp_tables *ts = rcu_dereference_bh(port->tables);
	enum fmp_decision decision;

	if (rx->stage != FMP_STAGE_MAC_JUDGED) {
		rx->stage = FMP_STAGE_MAC_READ;
		fmp_dissect_no_l3(&rx->hdr);
	}
	if (!ts)
		return fmp_rx_pass(port, rx, FMP_RECORD_UNSPEC);
	if (rx->stage == FMP_STAGE_MAC_JUDGED)
		return fmp_rx_ask_ip(port, rx, avail, ts, true);
	rx->generation = fmp_tables_generation(ts);
	decision = fmp_filter_mac(ts, rx, READ_ONCE(ts->asks));
	if (decision != FMP_DECISION_MORE)
		return fmp_rx_answer(port, rx, avail, decision, true);
	rx->stage = FMP_STAGE_MAC_JUDGED;
	return fmp_rx_ask_ip(port, rx, avail, ts, true);
}

/**
 * fmp_rx_not_to_us() - go on with a frame that is not for the first address of
 * its device
 * @port: where it comes in
 * @rx: the frame, its record begun
 * @avail: bytes that are there
 *
 * Context: bottom halves off.
 * Return: the answer for the driver.
 */
static noinline enum fmp_rx_action fmp_rx_not_to_us(struct fmp_rx_port *port, struct fmp_rx *rx,
						    u32 avail)
{
	if (fmp_foreign(port->dev, rx))
		return fmp_rx_stop(port, rx, avail, FMP_RX_REASON_FOREIGN,
				   FMP_STAT_STOPPED_FOREIGN);
	return fmp_rx_ask_traced(port, rx, avail);
}

/**
 * fmp_rx_header() - ask whether a frame may go on
 * @port: where it comes in
 * @rx: the frame; the same one for each question about it
 * @avail: bytes that @rx->buf holds, at most @rx->frame_len
 *
 * A frame shorter than a MAC header passes; a driver throws it away before.
 *
 * Context: softirq, or bottom halves off; no lock is taken.
 * Return: what to do, see enum fmp_rx_action.
 */
enum fmp_rx_action fmp_rx_header(struct fmp_rx_port *port, struct fmp_rx *rx, u32 avail)
{
	if (rx->stage == FMP_STAGE_MAC_JUDGED) {
		if (fmp_rx_traced())
			return fmp_rx_ask_traced(port, rx, avail);
		return fmp_rx_ask_more(port, rx, avail);
	}
	if (unlikely(avail < ETH_HLEN))
		return fmp_rx_too_short(port, rx);
	/* Each way from here says itself what is known behind the MAC header. */
	fmp_dissect_start(&rx->hdr, rx->buf);
	if (unlikely(!fmp_to_us(&rx->hdr, port->dev->dev_addr)))
		return fmp_rx_not_to_us(port, rx, avail);
	if (fmp_rx_traced())
		return fmp_rx_ask_traced(port, rx, avail);
	return fmp_rx_ask(port, rx, avail);
}
EXPORT_SYMBOL_GPL(fmp_rx_header);
