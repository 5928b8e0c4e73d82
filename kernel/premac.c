// SPDX-License-Identifier: GPL-2.0
/*
 * The pre-MAC filter: what a driver asks while a frame comes in
 */
#include "premac.h"
#include "dissect.h"
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
 * fmp_pkt_type() - to whom a frame is addressed
 * @dev: where it comes in
 * @dst: destination MAC address
 *
 * Context: any.
 * Return: a PACKET_* value.
 */
static u8 fmp_pkt_type(const struct net_device *dev, const u8 *dst)
{
	if (likely(ether_addr_equal_unaligned(dst, dev->dev_addr)))
		return PACKET_HOST;
	if (!is_multicast_ether_addr(dst))
		return PACKET_OTHERHOST;
	return is_broadcast_ether_addr(dst) ? PACKET_BROADCAST : PACKET_MULTICAST;
}

/**
 * fmp_foreign() - would the MAC layer throw a frame away for its destination
 * @dev: where it comes in
 * @pkt_type: to whom it is addressed
 *
 * A device with further unicast addresses is asked no more than its first one;
 * its MAC layer sorts them out.
 *
 * Context: any.
 * Return: true if it would.
 */
static bool fmp_foreign(const struct net_device *dev, u8 pkt_type)
{
	return unlikely(pkt_type == PACKET_OTHERHOST) && !(dev->flags & IFF_PROMISC) &&
	       netdev_uc_empty(dev);
}

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
static enum fmp_rx_action fmp_rx_pass(struct fmp_rx_port *port, struct fmp_rx *rx,
				      enum fmp_record_verdict verdict)
{
	rx->verdict = verdict;
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
static enum fmp_rx_action fmp_rx_stop(struct fmp_rx_port *port, struct fmp_rx *rx, u32 avail,
				      enum fmp_rx_reason reason, enum fmp_stat stat)
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
 * fmp_rx_judge() - ask the rules about a frame
 * @port: where it came in
 * @tables: the rules
 * @rx: the frame
 * @avail: bytes that are there
 *
 * Context: bottom halves off.
 * Return: the answer for the driver.
 */
static enum fmp_rx_action fmp_rx_judge(struct fmp_rx_port *port, struct fmp_tables *tables,
				       struct fmp_rx *rx, u32 avail)
{
	enum fmp_decision decision;

	rx->generation = fmp_tables_generation(tables);
	decision = fmp_filter_frame(tables, rx, avail);
	trace_fmp_verdict(port->dev, rx, avail, decision);
	switch (decision) {
	case FMP_DECISION_PASS:
		return fmp_rx_pass(port, rx, FMP_RECORD_PASS);
	case FMP_DECISION_OBSERVE:
		return fmp_rx_pass(port, rx, FMP_RECORD_OBSERVED);
	case FMP_DECISION_MORE:
		return FMP_RX_MORE;
	case FMP_DECISION_BLOCK_MAC:
	case FMP_DECISION_BLOCK_IP:
		break;
	}
	if (READ_ONCE(port->flags) & FMP_DEV_F_OBSERVE)
		return fmp_rx_pass(port, rx, FMP_RECORD_OBSERVED);
	if (decision == FMP_DECISION_BLOCK_MAC)
		return fmp_rx_stop(port, rx, avail, FMP_RX_REASON_MAC, FMP_STAT_STOPPED_MAC);
	return fmp_rx_stop(port, rx, avail, FMP_RX_REASON_IP, FMP_STAT_STOPPED_IP);
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
	struct fmp_tables *tables;

	if (rx->stage == FMP_STAGE_BEGIN) {
		rx->want = fmp_dissect_mac(&rx->hdr, rx->buf, avail);
		if (rx->want)
			return rx->want > rx->frame_len ? fmp_rx_pass(port, rx, FMP_RECORD_UNSPEC)
							: FMP_RX_MORE;
		rx->stage = FMP_STAGE_MAC_READ;
		rx->pkt_type = fmp_pkt_type(port->dev, rx->hdr.dst);
		if (fmp_foreign(port->dev, rx->pkt_type))
			return fmp_rx_stop(port, rx, avail, FMP_RX_REASON_FOREIGN,
					   FMP_STAT_STOPPED_FOREIGN);
	}

	tables = rcu_dereference_bh(port->tables);
	if (!tables)
		return fmp_rx_pass(port, rx, FMP_RECORD_UNSPEC);
	return fmp_rx_judge(port, tables, rx, avail);
}
EXPORT_SYMBOL_GPL(fmp_rx_header);
