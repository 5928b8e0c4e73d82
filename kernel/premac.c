// SPDX-License-Identifier: GPL-2.0
/*
 * The pre-MAC filter: what a driver asks while a frame comes in
 */
#include "premac.h"
#include "dissect.h"
#include "filter_path.h"
#include "netns.h"
#include "trace.h"

#include <linux/export.h>
#include <linux/if_arp.h>
#include <linux/netdevice.h>
#include <linux/rtnetlink.h>
#include <linux/slab.h>

LIST_HEAD(fmp_ports);

/**
 * fmp_port_alloc() - make a port
 * @dev: its device
 * @ops: the driver's, NULL if it has none
 *
 * Context: process, RTNL held.
 * Return: the port, in fmp_ports; or NULL.
 */
struct fmp_rx_port *fmp_port_alloc(struct net_device *dev, const struct fmp_rx_ops *ops)
{
	struct fmp_rx_port *port;

	ASSERT_RTNL();
	port = kzalloc(sizeof(*port), GFP_KERNEL);
	if (!port)
		return NULL;
	port->stats = fmp_stats_alloc();
	if (!port->stats) {
		kfree(port);
		return NULL;
	}
	port->dev = dev;
	port->ops = ops;
	list_add_tail(&port->list, &fmp_ports);
	fmp_net(dev_net(dev))->dev_generation++;
	return port;
}

/**
 * fmp_port_free_rcu() - free a port that nobody sees any more
 * @head: fmp_rx_port.rcu
 *
 * Context: softirq.
 */
static void fmp_port_free_rcu(struct rcu_head *head)
{
	struct fmp_rx_port *port = container_of(head, struct fmp_rx_port, rcu);

	free_percpu(port->stats);
	kfree(port);
}

/**
 * fmp_port_free() - give a port up
 * @port: the port, not attached
 *
 * Context: process, RTNL held.
 */
void fmp_port_free(struct fmp_rx_port *port)
{
	ASSERT_RTNL();
	list_del(&port->list);
	fmp_net(dev_net(port->dev))->dev_generation++;
	call_rcu(&port->rcu, fmp_port_free_rcu);
}

/**
 * fmp_port_find() - find the port of a device
 * @dev: the device
 *
 * Context: process, RTNL held.
 * Return: the port, or NULL.
 */
struct fmp_rx_port *fmp_port_find(const struct net_device *dev)
{
	struct fmp_rx_port *port;

	ASSERT_RTNL();
	list_for_each_entry(port, &fmp_ports, list) {
		if (port->dev == dev)
			return port;
	}
	return NULL;
}

/**
 * fmp_rx_register() - offer a device's receptions to the filter
 * @dev: the device, of type %ARPHRD_ETHER
 * @ops: the driver's answers; must live until fmp_rx_unregister()
 *
 * The place for it is ndo_init. Early address recognition works from now on,
 * the rules when the device is attached.
 *
 * Context: process, RTNL held.
 * Return: the port to ask, or an ERR_PTR: -EINVAL not an Ethernet device,
 * -EBUSY the filter sits at its netdev ingress or it is registered, -ENOMEM.
 */
struct fmp_rx_port *fmp_rx_register(struct net_device *dev, const struct fmp_rx_ops *ops)
{
	struct fmp_rx_port *port;

	if (dev->type != ARPHRD_ETHER || !ops)
		return ERR_PTR(-EINVAL);
	if (fmp_port_find(dev))
		return ERR_PTR(-EBUSY);
	port = fmp_port_alloc(dev, ops);
	return port ?: ERR_PTR(-ENOMEM);
}
EXPORT_SYMBOL_GPL(fmp_rx_register);

/**
 * fmp_rx_unregister() - take a device back
 * @port: what fmp_rx_register() returned; not to be used any more
 *
 * The place for it is ndo_uninit, when no reception can be under way.
 *
 * Context: process, RTNL held.
 */
void fmp_rx_unregister(struct fmp_rx_port *port)
{
	port->hook = FMP_HOOK_NONE;
	RCU_INIT_POINTER(port->tables, NULL);
	fmp_port_free(port);
}
EXPORT_SYMBOL_GPL(fmp_rx_unregister);

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

/* Somebody traces: only then is anything of that in the way of a frame. */
#define fmp_rx_traced() unlikely(trace_fmp_verdict_enabled() || trace_fmp_stop_enabled())

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
 * @traced: a constant
 *
 * Context: bottom halves off.
 * Return: the answer for the driver.
 */
static __always_inline enum fmp_rx_action fmp_rx_stop(struct fmp_rx_port *port, struct fmp_rx *rx,
						      u32 avail, enum fmp_rx_reason reason,
						      enum fmp_stat stat, bool traced)
{
	rx->reason = reason;
	rx->late = avail >= rx->frame_len;
	if (traced)
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
		return fmp_rx_stop(port, rx, avail, FMP_RX_REASON_MAC, FMP_STAT_STOPPED_MAC,
				   traced);
	return fmp_rx_stop(port, rx, avail, FMP_RX_REASON_IP, FMP_STAT_STOPPED_IP, traced);
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
 * @ts: the rules
 * @rx: the frame
 * @avail: bytes that are there
 * @traced: a constant
 *
 * Context: bottom halves off.
 * Return: the answer for the driver.
 */
static __always_inline enum fmp_rx_action fmp_rx_ask_ip(struct fmp_rx_port *port,
							struct fmp_tables *ts, struct fmp_rx *rx,
							u32 avail, bool traced)
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
 * @ts: the rules
 * @rx: the frame
 * @avail: bytes that are there
 *
 * Context: bottom halves off.
 * Return: the answer for the driver.
 */
static noinline enum fmp_rx_action fmp_rx_judge_ip(struct fmp_rx_port *port, struct fmp_tables *ts,
						   struct fmp_rx *rx, u32 avail)
{
	return fmp_rx_ask_ip(port, ts, rx, avail, false);
}

/**
 * fmp_rx_ask_mac() - ask the rules about the MAC header, and go on from there
 * @port: where the frame came in
 * @ts: the rules
 * @rx: the frame, its MAC header read
 * @avail: bytes that are there
 * @traced: a constant
 *
 * Context: bottom halves off.
 * Return: the answer for the driver.
 */
static __always_inline enum fmp_rx_action fmp_rx_ask_mac(struct fmp_rx_port *port,
							 struct fmp_tables *ts, struct fmp_rx *rx,
							 u32 avail, bool traced)
{
	enum fmp_decision decision = fmp_filter_mac(ts, rx, READ_ONCE(ts->asks));

	if (decision != FMP_DECISION_MORE)
		return fmp_rx_answer(port, rx, avail, decision, traced);
	rx->stage = FMP_STAGE_MAC_JUDGED;
	return traced ? fmp_rx_ask_ip(port, ts, rx, avail, true)
		      : fmp_rx_judge_ip(port, ts, rx, avail);
}

/**
 * fmp_rx_judge_mac() - fmp_rx_ask_mac() by itself, so that without rules for MAC
 * addresses the way to the network header is short
 * @port: where the frame came in
 * @ts: the rules
 * @rx: the frame, its MAC header read
 * @avail: bytes that are there
 *
 * Context: bottom halves off.
 * Return: the answer for the driver.
 */
static noinline enum fmp_rx_action fmp_rx_judge_mac(struct fmp_rx_port *port, struct fmp_tables *ts,
						    struct fmp_rx *rx, u32 avail)
{
	return fmp_rx_ask_mac(port, ts, rx, avail, false);
}

/**
 * fmp_rx_ask() - ask the rules about a frame
 * @port: where it came in
 * @rx: the frame
 * @avail: bytes that are there
 *
 * Context: bottom halves off.
 * Return: the answer for the driver.
 */
static __always_inline enum fmp_rx_action fmp_rx_ask(struct fmp_rx_port *port, struct fmp_rx *rx,
						     u32 avail)
{
	struct fmp_tables *ts = rcu_dereference_bh(port->tables);
	u32 asks;

	if (unlikely(!ts))
		return fmp_rx_pass(port, rx, FMP_RECORD_UNSPEC);
	if (rx->stage == FMP_STAGE_MAC_JUDGED)
		return fmp_rx_judge_ip(port, ts, rx, avail);

	/* Of the first question: a later one may meet newer rules than this. */
	rx->generation = fmp_tables_generation(ts);
	asks = READ_ONCE(ts->asks);
	if (asks & BIT(FMP_FAMILY_MAC))
		return fmp_rx_judge_mac(port, ts, rx, avail);
	if (!(asks & FMP_ASK_L3))
		return fmp_rx_pass(port, rx, FMP_RECORD_PASS);
	rx->stage = FMP_STAGE_MAC_JUDGED;
	if (avail == ETH_HLEN && rx->hdr.mac_proto == htons(ETH_P_IP) &&
	    rx->frame_len >= ETH_HLEN + sizeof(struct iphdr))
		return fmp_rx_more(port, rx, avail, ETH_HLEN + sizeof(struct iphdr), false);
	return fmp_rx_judge_ip(port, ts, rx, avail);
}

/**
 * fmp_rx_ask_traced() - fmp_rx_ask() for somebody who watches
 * @port: where the frame came in
 * @rx: the frame
 * @avail: bytes that are there
 *
 * Context: bottom halves off.
 * Return: the answer for the driver.
 */
static noinline enum fmp_rx_action fmp_rx_ask_traced(struct fmp_rx_port *port, struct fmp_rx *rx,
						     u32 avail)
{
	struct fmp_tables *ts = rcu_dereference_bh(port->tables);

	if (!ts)
		return fmp_rx_pass(port, rx, FMP_RECORD_UNSPEC);
	if (rx->stage == FMP_STAGE_MAC_JUDGED)
		return fmp_rx_ask_ip(port, ts, rx, avail, true);
	rx->generation = fmp_tables_generation(ts);
	return fmp_rx_ask_mac(port, ts, rx, avail, true);
}

/**
 * fmp_rx_not_to_us() - go on with a frame that is not for the first address of
 * its device
 * @port: where it comes in
 * @rx: the frame, its MAC header read
 * @avail: bytes that are there
 *
 * Context: bottom halves off.
 * Return: the answer for the driver.
 */
static noinline enum fmp_rx_action fmp_rx_not_to_us(struct fmp_rx_port *port, struct fmp_rx *rx,
						    u32 avail)
{
	if (fmp_foreign(port->dev, rx))
		return fmp_rx_stop(port, rx, avail, FMP_RX_REASON_FOREIGN, FMP_STAT_STOPPED_FOREIGN,
				   true);
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
	if (rx->stage == FMP_STAGE_BEGIN) {
		if (unlikely(fmp_dissect_mac(&rx->hdr, rx->buf, avail)))
			return fmp_rx_too_short(port, rx);
		rx->stage = FMP_STAGE_MAC_READ;
		if (unlikely(!ether_addr_equal_unaligned(rx->hdr.dst, port->dev->dev_addr)))
			return fmp_rx_not_to_us(port, rx, avail);
	}
	if (fmp_rx_traced())
		return fmp_rx_ask_traced(port, rx, avail);
	return fmp_rx_ask(port, rx, avail);
}
EXPORT_SYMBOL_GPL(fmp_rx_header);
