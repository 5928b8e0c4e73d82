// SPDX-License-Identifier: GPL-2.0
/*
 * The pre-MAC filter: fmp_rx_header(), which a driver calls during reception
 */
#include "premac.h"
#include "dissect.h"
#include "filter_path.h"

#include <linux/export.h>
#include <linux/lockdep.h>
#include <linux/netdevice.h>

/**
 * fmp_is_to_us() - check whether a frame is for the first address of its device
 * @hdr: its header record, its MAC header read
 * @addr: the address, with two readable bytes after it; dev_addr has them
 *
 * Compare both addresses with one 64-bit load each, where the machine has that for any
 * address; the shift drops bytes 6 and 7.
 *
 * Context: any.
 * Return: true if it is.
 */
static __always_inline bool fmp_is_to_us(const struct fmp_hdr *hdr, const u8 *addr)
{
	static_assert(offsetof(struct fmp_hdr, dst) + sizeof(u64) <= sizeof(*hdr));
	if (!IS_ENABLED(CONFIG_HAVE_EFFICIENT_UNALIGNED_ACCESS))
		return ether_addr_equal(hdr->dst, addr);
	return !((get_unaligned_le64((const u8 *)hdr + offsetof(struct fmp_hdr, dst)) ^
		  get_unaligned_le64(addr))
		 << 16);
}

/**
 * fmp_is_foreign() - classify a frame that is not for the first address of its device
 * @port: port of the receiving device
 * @rx: the frame; its hdr.pkt_type is set
 *
 * With further unicast addresses on the device no frame is foreign: its MAC layer
 * filters them. Nor is one that a radio converted to Ethernet: an access point relays
 * those to other destinations.
 *
 * Context: any.
 * Return: true if the MAC layer would drop the frame for its destination.
 */
static bool fmp_is_foreign(const struct fmp_rx_port *port, struct fmp_rx *rx)
{
	const struct net_device *dev = port->dev;
	const u8 *dst = rx->hdr.dst;

	if (is_multicast_ether_addr(dst)) {
		rx->hdr.pkt_type = is_broadcast_ether_addr(dst) ? PACKET_BROADCAST
								: PACKET_MULTICAST;
		return false;
	}
	rx->hdr.pkt_type = PACKET_OTHERHOST;
	return !(dev->flags & IFF_PROMISC) && netdev_uc_empty(dev) &&
	       !(READ_ONCE(port->ops)->flags & FMP_RX_F_80211);
}

/*
 * Receive path. All functions below run with bottom halves off, take no lock and
 * return the enum fmp_rx_action for the driver. Their common parameters:
 *
 * port: port of the receiving device
 * rx: the frame
 * avail: bytes of it that were received
 * ts: the rules, the tables of @port
 * mask: fmp_tables.lookup_mask
 * traced: emit the tracepoint fmp_verdict; a constant
 */

/* Request the first @want bytes of a frame whose MAC address was looked up. */
static __always_inline enum fmp_rx_action
fmp_rx_want_more(struct fmp_rx_port *port, struct fmp_rx *rx, u32 avail, u32 want, bool traced)
{
	rx->stage = FMP_STAGE_MAC_DONE;
	rx->want = want;
	if (traced)
		trace_fmp_verdict(port->dev, rx, avail, FMP_DECISION_MORE);
	return FMP_RX_MORE;
}

/* Request the MAC header. A frame that is too short for one passes. */
static noinline enum fmp_rx_action fmp_rx_want_mac(struct fmp_rx_port *port, struct fmp_rx *rx)
{
	if (rx->frame_len < ETH_HLEN)
		return fmp_rx_pass(port, rx, FMP_RECORD_UNSPEC);
	rx->want = ETH_HLEN;
	return FMP_RX_MORE;
}

/* Evaluate the network header, plain or not. The MAC address was looked up. */
static __always_inline enum fmp_rx_action fmp_rx_filter_l3(struct fmp_rx_port *port,
							   struct fmp_rx *rx, u32 avail,
							   struct fmp_tables *ts, bool traced)
{
	u32 want = fmp_dissect_l3(&rx->hdr, rx->buf, avail, rx->frame_len);

	if (want)
		return fmp_rx_want_more(port, rx, avail, want, traced);
	return fmp_rx_apply_decision(port, rx, avail,
				     fmp_filter_ip(ts, rx, READ_ONCE(ts->lookup_mask)), traced);
}

/*
 * Slow path of fmp_rx_filter_l3_fast(). It is not inlined, to keep the code that
 * decides by the MAC header short.
 */
static noinline enum fmp_rx_action
fmp_rx_filter_l3_slow(struct fmp_rx_port *port, struct fmp_rx *rx, u32 avail, struct fmp_tables *ts)
{
	rx->stage = FMP_STAGE_MAC_DONE;
	return fmp_rx_filter_l3(port, rx, avail, ts, false);
}

/*
 * Apply a rule for the IP address, expired or not. The MAC address has no rule, and
 * there are no rules for pairs.
 */
static noinline enum fmp_rx_action fmp_rx_apply_ip_rule(struct fmp_rx_port *port, struct fmp_rx *rx,
							u32 avail, struct fmp_tables *ts,
							struct fmp_rule *rule)
{
	u32 verdicts = BIT(fmp_rule_apply(ts, rule, rx));

	rx->stage = FMP_STAGE_MAC_DONE;
	return fmp_rx_apply_decision(port, rx, avail, fmp_filter_decide(ts, rx, verdicts), false);
}

/*
 * Request the network header of a frame whose MAC address was looked up and that
 * is too short for a plain network header.
 */
static noinline enum fmp_rx_action fmp_rx_want_l3(struct fmp_rx_port *port, struct fmp_rx *rx,
						  u32 avail, struct fmp_tables *ts)
{
	u32 want = fmp_dissect_l3_want(&rx->hdr, avail, rx->frame_len);

	fmp_dissect_no_l3(&rx->hdr);
	if (!want)
		return fmp_rx_filter_l3_slow(port, rx, avail, ts);
	return fmp_rx_want_more(port, rx, avail, want, false);
}

/*
 * Look up the IP address of a plain frame; the table of @family, a constant, has
 * host addresses only, and the MAC address was looked up. All calls are tail calls,
 * so that a frame without a rule does not pay for saved registers.
 */
static __always_inline enum fmp_rx_action fmp_rx_lookup_host(struct fmp_rx_port *port,
							     struct fmp_rx *rx, u32 avail,
							     struct fmp_tables *ts,
							     enum fmp_family family)
{
	bool ipv4 = family == FMP_FAMILY_IPV4;
	const struct fmp_key key = fmp_ip_key(family, rx);
	struct fmp_rule *rule;

	/* Set it here: the compiler merges it with the store of l3; a rule changes it. */
	rx->hdr.verdict = FMP_RECORD_PASS;
	rule = fmp_table_lookup_exact(&ts->family[family], family, &key, ipv4 ? 32 : FMP_PLEN_MAX);
	if (unlikely(rule))
		return fmp_rx_apply_ip_rule(port, rx, avail, ts, rule);
	rx->stage = ipv4 ? FMP_STAGE_PLAIN_IPV4 : FMP_STAGE_PLAIN_IPV6;
	fmp_stats_pass(port->stats, rx->frame_len, false);
	return FMP_RX_PASS;
}

/* Let a frame pass by its MAC header alone; its header record is started. */
static __always_inline enum fmp_rx_action
fmp_rx_pass_at_mac(struct fmp_rx_port *port, struct fmp_rx *rx, enum fmp_record_verdict verdict)
{
	bool plain = verdict == FMP_RECORD_PASS && eth_proto_is_802_3(rx->hdr.mac_proto);

	fmp_dissect_no_l3(&rx->hdr);
	rx->stage = plain ? FMP_STAGE_PLAIN_MAC : FMP_STAGE_MAC_READ;
	return fmp_rx_pass(port, rx, verdict);
}

/*
 * Evaluate the network header of a frame whose MAC address has no rule; its header
 * record is started. @first is a constant: this is the first call for the frame, so
 * its MAC header decides if no rule needs the IP header. A network header that is
 * not plain is read anew by fmp_rx_filter_l3_slow().
 */
static __always_inline enum fmp_rx_action fmp_rx_filter_l3_fast(struct fmp_rx_port *port,
								struct fmp_rx *rx, u32 avail,
								struct fmp_tables *ts, u32 mask,
								bool first)
{
	if (mask & FMP_LOOKUP_HOSTS4) {
		if (avail < FMP_PLAIN4)
			return fmp_rx_want_l3(port, rx, avail, ts);
		if (fmp_dissect_plain4(&rx->hdr, rx->buf))
			return fmp_rx_lookup_host(port, rx, avail, ts, FMP_FAMILY_IPV4);
	}
	if (mask & FMP_LOOKUP_HOSTS6) {
		if (avail < FMP_PLAIN6)
			return fmp_rx_want_l3(port, rx, avail, ts);
		if (fmp_dissect_plain6(&rx->hdr, rx->buf))
			return fmp_rx_lookup_host(port, rx, avail, ts, FMP_FAMILY_IPV6);
	}
	if (first && !(mask & FMP_LOOKUP_L3))
		return fmp_rx_pass_at_mac(port, rx, FMP_RECORD_PASS);
	fmp_dissect_no_l3(&rx->hdr);
	return fmp_rx_filter_l3_slow(port, rx, avail, ts);
}

/* Apply a rule for the MAC address, expired or not; the header record is started. */
static noinline enum fmp_rx_action fmp_rx_apply_mac_rule(struct fmp_rx_port *port,
							 struct fmp_rx *rx, u32 avail,
							 struct fmp_tables *ts,
							 struct fmp_rule *rule)
{
	enum fmp_decision decision;

	rx->stage = FMP_STAGE_MAC_READ;
	fmp_dissect_no_l3(&rx->hdr);
	rx->mac_verdict = fmp_rule_apply(ts, rule, rx);
	decision = fmp_filter_decide_mac(rx->mac_verdict, READ_ONCE(ts->lookup_mask));
	if (decision != FMP_DECISION_MORE)
		return fmp_rx_apply_decision(port, rx, avail, decision, false);
	return fmp_rx_filter_l3_slow(port, rx, avail, ts);
}

/* Evaluate a frame from its MAC header on; its header record is started. */
static __always_inline enum fmp_rx_action fmp_rx_filter_frame(struct fmp_rx_port *port,
							      struct fmp_rx *rx, u32 avail)
{
	struct fmp_tables *ts = rcu_dereference_bh(port->tables);
	struct fmp_rule *rule;
	u32 mask;

	if (unlikely(!ts))
		return fmp_rx_pass_at_mac(port, rx, FMP_RECORD_UNSPEC);

	/* Keep the generation of the first call: a later call may see newer rules. */
	rx->generation = fmp_tables_generation(ts);
	mask = READ_ONCE(ts->lookup_mask);
	if (mask & BIT(FMP_FAMILY_MAC)) {
		const struct fmp_key key = { { fmp_src_word(&rx->hdr) } };

		rule = fmp_table_lookup_exact(&ts->family[FMP_FAMILY_MAC], FMP_FAMILY_MAC, &key,
					      FMP_PLEN_MAC);
		if (unlikely(rule))
			return fmp_rx_apply_mac_rule(port, rx, avail, ts, rule);
	}
	return fmp_rx_filter_l3_fast(port, rx, avail, ts, mask, true);
}

/* Continue with a frame of which more bytes were received after FMP_RX_MORE. */
static noinline enum fmp_rx_action fmp_rx_filter_more(struct fmp_rx_port *port, struct fmp_rx *rx,
						      u32 avail)
{
	struct fmp_tables *ts = rcu_dereference_bh(port->tables);

	if (unlikely(!ts))
		return fmp_rx_pass(port, rx, FMP_RECORD_UNSPEC);
	if (unlikely(rx->mac_verdict != FMP_VERDICT_UNSPEC))
		return fmp_rx_filter_l3_slow(port, rx, avail, ts);
	return fmp_rx_filter_l3_fast(port, rx, avail, ts, READ_ONCE(ts->lookup_mask), false);
}

/*
 * fmp_rx_filter_frame() and fmp_rx_filter_more() in one, without fast paths: while the
 * tracepoint is enabled, and for frames to other addresses.
 */
static noinline enum fmp_rx_action fmp_rx_filter_traced(struct fmp_rx_port *port, struct fmp_rx *rx,
							u32 avail)
{
	struct fmp_tables *ts = rcu_dereference_bh(port->tables);
	enum fmp_decision decision;

	if (rx->stage != FMP_STAGE_MAC_DONE) {
		rx->stage = FMP_STAGE_MAC_READ;
		fmp_dissect_no_l3(&rx->hdr);
	}
	if (!ts)
		return fmp_rx_pass(port, rx, FMP_RECORD_UNSPEC);
	if (rx->stage == FMP_STAGE_MAC_DONE)
		return fmp_rx_filter_l3(port, rx, avail, ts, true);
	rx->generation = fmp_tables_generation(ts);
	decision = fmp_filter_mac(ts, rx, READ_ONCE(ts->lookup_mask));
	if (decision != FMP_DECISION_MORE)
		return fmp_rx_apply_decision(port, rx, avail, decision, true);
	rx->stage = FMP_STAGE_MAC_DONE;
	return fmp_rx_filter_l3(port, rx, avail, ts, true);
}

/* Evaluate a frame that is not for the first address of its device. */
static noinline enum fmp_rx_action fmp_rx_filter_other(struct fmp_rx_port *port, struct fmp_rx *rx,
						       u32 avail)
{
	if (fmp_is_foreign(port, rx))
		return fmp_rx_stop(port, rx, avail, FMP_RX_REASON_FOREIGN,
				   FMP_STAT_STOPPED_FOREIGN);
	return fmp_rx_filter_traced(port, rx, avail);
}

/**
 * fmp_rx_first_want() - tell what fmp_rx_header() needs of most frames
 * @port: port of the receiving device
 *
 * With rules for IP addresses a frame that passes is asked about twice by its MAC header
 * first. A driver that pays for each transfer, not for each byte, reads this many at once.
 *
 * Context: softirq, or bottom halves off; takes no lock.
 * Return: bytes of the MAC header, or of that and a plain IPv4 header.
 */
u32 fmp_rx_first_want(const struct fmp_rx_port *port)
{
	const struct fmp_tables *ts = rcu_dereference_bh(port->tables);

	if (ts && READ_ONCE(ts->lookup_mask) & FMP_LOOKUP_L3)
		return FMP_PLAIN4;
	return ETH_HLEN;
}
EXPORT_SYMBOL_GPL(fmp_rx_first_want);

/**
 * fmp_rx_header() - decide whether the reception of a frame continues
 * @port: port of the receiving device
 * @rx: the frame; the same struct for each call for one frame
 * @avail: bytes in @rx->buf, at most @rx->frame_len
 *
 * A frame shorter than a MAC header passes; a driver drops it before.
 *
 * Context: softirq, or bottom halves off; never a hard interrupt. Takes no lock.
 * Return: what the driver does next, see enum fmp_rx_action.
 */
enum fmp_rx_action fmp_rx_header(struct fmp_rx_port *port, struct fmp_rx *rx, u32 avail)
{
	lockdep_assert_in_softirq();
	if (rx->stage == FMP_STAGE_MAC_DONE) {
		if (fmp_rx_is_traced())
			return fmp_rx_filter_traced(port, rx, avail);
		return fmp_rx_filter_more(port, rx, avail);
	}
	if (unlikely(avail < ETH_HLEN))
		return fmp_rx_want_mac(port, rx);
	/* The branches below fill the last four bytes of the header record. */
	fmp_dissect_start(&rx->hdr, rx->buf);
	if (unlikely(!fmp_is_to_us(&rx->hdr, port->dev->dev_addr)))
		return fmp_rx_filter_other(port, rx, avail);
	if (fmp_rx_is_traced())
		return fmp_rx_filter_traced(port, rx, avail);
	return fmp_rx_filter_frame(port, rx, avail);
}
EXPORT_SYMBOL_GPL(fmp_rx_header);
