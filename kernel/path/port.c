// SPDX-License-Identifier: GPL-2.0
/*
 * Ports: the devices that the filter knows, and their registration by a driver
 */
#include "port.h"
#include "filter_80211.h"
#include "trace.h"
#include "../core/netns.h"

#include <linux/export.h>
#include <linux/if_arp.h>
#include <linux/netdevice.h>
#include <linux/rtnetlink.h>
#include <linux/slab.h>
#if IS_ENABLED(CONFIG_CFG80211)
#include <net/cfg80211.h>
#endif

LIST_HEAD(fmp_ports);

/* Of a port whose driver is gone: a frame that it asked about last may still look there. */
static const struct fmp_rx_ops fmp_port_no_ops;

/**
 * fmp_port_alloc() - allocate a port
 * @dev: its device
 * @ops: callbacks of the driver, NULL for a device at netdev ingress
 *
 * Context: process, RTNL held.
 * Return: the port, in fmp_ports; or NULL.
 */
struct fmp_rx_port *fmp_port_alloc(struct net_device *dev, const struct fmp_rx_ops *ops)
{
	struct fmp_rx_port *port;

	ASSERT_RTNL();
	port = kzalloc(sizeof(*port), GFP_KERNEL_ACCOUNT);
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
 * fmp_port_free_rcu_cb() - free a port after the grace period
 * @head: fmp_rx_port.rcu
 *
 * Context: softirq.
 */
static void fmp_port_free_rcu_cb(struct rcu_head *head)
{
	struct fmp_rx_port *port = container_of(head, struct fmp_rx_port, rcu);

	free_percpu(port->stats);
	kfree(port);
}

/**
 * fmp_port_free() - free a port after an RCU grace period
 * @port: the port, not attached
 *
 * Context: process, RTNL held.
 */
void fmp_port_free(struct fmp_rx_port *port)
{
	ASSERT_RTNL();
	list_del(&port->list);
	fmp_net(dev_net(port->dev))->dev_generation++;
	call_rcu(&port->rcu, fmp_port_free_rcu_cb);
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
 * fmp_port_finish_frame() - count a complete frame by its decision
 * @port: port of the receiving device
 * @rx: the frame
 * @decision: its decision, never %FMP_DECISION_MORE
 *
 * Context: RCU read section, bottom halves off.
 * Return: true if the caller drops the frame.
 */
bool fmp_port_finish_frame(struct fmp_rx_port *port, struct fmp_rx *rx, enum fmp_decision decision)
{
	bool observed = READ_ONCE(port->flags) & FMP_DEV_F_OBSERVE;

	if (decision == FMP_DECISION_BLOCK_MAC)
		rx->reason = FMP_RX_REASON_MAC;
	else if (decision == FMP_DECISION_BLOCK_IP)
		rx->reason = FMP_RX_REASON_IP;
	else
		observed = decision == FMP_DECISION_OBSERVE;
	if (observed || !rx->reason) {
		fmp_stats_pass(port->stats, rx->frame_len, observed);
		return false;
	}
	rx->late = true;
	trace_fmp_stop(port->dev, rx, rx->frame_len);
	fmp_stats_stop(port->stats, FMP_STAT_DROPPED_LATE, rx->frame_len, 0);
	return true;
}

/**
 * fmp_port_takes_80211() - decide whether an 802.11 frame is evaluated before its MAC layer
 * @port: the device that it is for
 * @scope: result of fmp_filter_80211_scope()
 *
 * Until a device receives its first frame that can't be evaluated completely, ingress does
 * nothing (%FMP_COVER_ALL). From then on only what the MAC table alone blocks is counted
 * and dropped here, and ingress evaluates the rest (%FMP_COVER_PART).
 *
 * Context: RCU read section, bottom halves off.
 * Return: false if it is left to netdev ingress.
 */
bool fmp_port_takes_80211(struct fmp_rx_port *port, u8 scope)
{
	u8 cover = READ_ONCE(port->cover);

	if (!(scope & FMP_80211_ALL)) {
		if (cover != FMP_COVER_PART)
			WRITE_ONCE(port->cover, FMP_COVER_PART);
		cover = FMP_COVER_PART;
	} else if (cover == FMP_COVER_NONE) {
		cover = cmpxchg(&port->cover, FMP_COVER_NONE, FMP_COVER_ALL);
	}
	if (cover != FMP_COVER_PART)
		return true;
	return scope & FMP_80211_BLOCKED && !(READ_ONCE(port->flags) & FMP_DEV_F_OBSERVE);
}

#if IS_ENABLED(CONFIG_CFG80211)
/**
 * fmp_port_is_access_point() - check whether stations send frames by a device
 * @wdev: the device
 *
 * Context: any.
 * Return: true if it is an access point, or owns a group of Wi-Fi Direct.
 */
static bool fmp_port_is_access_point(const struct wireless_dev *wdev)
{
	return wdev->iftype == NL80211_IFTYPE_AP || wdev->iftype == NL80211_IFTYPE_P2P_GO;
}

/**
 * fmp_port_shares_80211() - check whether a frame may be for another device of the radio
 * @dev: the device
 * @group: its receiver is a group; else it is the address of @dev
 *
 * A frame to a group is for all devices of a radio. The stations of an access point may
 * be spread over devices of type AP_VLAN, which have its address. Each device may be
 * attached or not, and has flags of its own, so only ingress can tell. So it is with
 * frames whose addresses or headers can't be told apart here. Of a frame with four
 * addresses only one of receiver and destination may be a group, and ingress sees the
 * destination alone: all frames of a device that takes such frames are shared.
 *
 * Context: RCU read section.
 * Return: true if the frame is left to netdev ingress.
 */
bool fmp_port_shares_80211(const struct net_device *dev, bool group)
{
	const struct wireless_dev *wdev = dev->ieee80211_ptr;
	const struct wireless_dev *other;

	if (!wdev || !wdev->wiphy)
		return false;
	/* A mesh has a header of its own before LLC; with links the addresses are theirs. */
	if (wdev->iftype == NL80211_IFTYPE_MESH_POINT ||
	    wdev->wiphy->flags & WIPHY_FLAG_SUPPORTS_MLO)
		return true;
	group |= wdev->use_4addr;
	if (!group && !fmp_port_is_access_point(wdev))
		return false;
	list_for_each_entry_rcu(other, &wdev->wiphy->wdev_list, list) {
		if (other == wdev || !other->netdev || !netif_running(other->netdev))
			continue;
		if (other->iftype == NL80211_IFTYPE_AP_VLAN)
			return true;
		if (group && other->iftype != NL80211_IFTYPE_MONITOR)
			return true;
	}
	return false;
}

/**
 * fmp_port_shares_80211_late() - the same for a frame at ingress, converted to Ethernet
 * @dev: the device
 * @dst: destination address of the frame
 *
 * The stations of an access point send to its address what is for a group: the destination
 * is not the receiver. Who asked before the MAC layer for one whose receiver is a group
 * has left it to ingress by fmp_port_takes_80211().
 *
 * Context: RCU read section.
 * Return: true if the frame was left to netdev ingress.
 */
bool fmp_port_shares_80211_late(const struct net_device *dev, const u8 *dst)
{
	const struct wireless_dev *wdev = dev->ieee80211_ptr;

	if (!wdev)
		return false;
	return fmp_port_shares_80211(dev, is_multicast_ether_addr(dst) &&
						  !fmp_port_is_access_point(wdev));
}
#else
bool fmp_port_shares_80211(const struct net_device *dev, bool group)
{
	return false;
}

bool fmp_port_shares_80211_late(const struct net_device *dev, const u8 *dst)
{
	return false;
}
#endif

/**
 * fmp_port_adopt() - let a driver ask for frames of a device that has a port
 * @port: the port: attached at ingress, or registered by this driver, whose hardware
 *	mac80211 restarted
 * @ops: callbacks of the driver, with %FMP_RX_F_80211
 *
 * Context: process, RTNL held.
 * Return: the port, or an ERR_PTR: -EBUSY.
 */
static struct fmp_rx_port *fmp_port_adopt(struct fmp_rx_port *port, const struct fmp_rx_ops *ops)
{
	if (!(ops->flags & FMP_RX_F_80211))
		return ERR_PTR(-EBUSY);
	if (port->ops == ops)
		return port;
	if (port->hook != FMP_HOOK_INGRESS)
		return ERR_PTR(-EBUSY);
	WRITE_ONCE(port->ops, ops);
	port->hook = FMP_HOOK_DRIVER;
	WRITE_ONCE(port->cover, FMP_COVER_NONE);
	fmp_net(dev_net(port->dev))->dev_generation++;
	return port;
}

/**
 * fmp_rx_register() - register a device whose driver calls the filter
 * @dev: the device, of type %ARPHRD_ETHER
 * @ops: callbacks of the driver; must stay valid until fmp_rx_unregister()
 *
 * Call it in ndo_init. Early address recognition works from now on, the rules
 * apply once the device is attached.
 *
 * A driver of mac80211 has no ndo_init: with %FMP_RX_F_80211 it calls this in its
 * add_interface and fmp_rx_unregister() in its remove_interface. The device may be
 * attached before, between and after. After a restart of the hardware, when
 * add_interface is called once more, this returns the same port.
 *
 * Context: process, RTNL held.
 * Return: the port for fmp_rx_header(), or an ERR_PTR: -EINVAL if it is not an
 * Ethernet device, -EBUSY if it is registered, hooked before mac80211, or, without
 * %FMP_RX_F_80211, at its netdev ingress, -ENOMEM.
 */
struct fmp_rx_port *fmp_rx_register(struct net_device *dev, const struct fmp_rx_ops *ops)
{
	struct fmp_rx_port *port;

	if (dev->type != ARPHRD_ETHER || !ops)
		return ERR_PTR(-EINVAL);
	port = fmp_port_find(dev);
	if (port)
		return fmp_port_adopt(port, ops);
	port = fmp_port_alloc(dev, ops);
	return port ?: ERR_PTR(-ENOMEM);
}
EXPORT_SYMBOL_GPL(fmp_rx_register);

/**
 * fmp_rx_unregister() - unregister a device
 * @port: the return value of fmp_rx_register(); invalid afterwards
 *
 * Call it in ndo_uninit, when no reception can be in progress. With 802.11 headers an
 * attached device stays attached at netdev ingress.
 *
 * Context: process, RTNL held.
 */
void fmp_rx_unregister(struct fmp_rx_port *port)
{
	if (port->hook == FMP_HOOK_DRIVER && fmp_port_is_80211(port)) {
		WRITE_ONCE(port->cover, FMP_COVER_PART);
		port->hook = FMP_HOOK_INGRESS;
		WRITE_ONCE(port->ops, &fmp_port_no_ops);
		fmp_net(dev_net(port->dev))->dev_generation++;
		return;
	}
	port->hook = FMP_HOOK_NONE;
	RCU_INIT_POINTER(port->tables, NULL);
	fmp_port_free(port);
}
EXPORT_SYMBOL_GPL(fmp_rx_unregister);
