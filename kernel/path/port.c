// SPDX-License-Identifier: GPL-2.0
/*
 * Ports: the devices that the filter knows, and their registration by a driver
 */
#include "port.h"
#include "trace.h"
#include "../core/netns.h"

#include <linux/export.h>
#include <linux/if_arp.h>
#include <linux/netdevice.h>
#include <linux/rtnetlink.h>
#include <linux/slab.h>

LIST_HEAD(fmp_ports);

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
 * fmp_rx_register() - register a device whose driver calls the filter
 * @dev: the device, of type %ARPHRD_ETHER
 * @ops: callbacks of the driver; must stay valid until fmp_rx_unregister()
 *
 * Call it in ndo_init. Early address recognition works from now on, the rules
 * apply once the device is attached.
 *
 * Context: process, RTNL held.
 * Return: the port for fmp_rx_header(), or an ERR_PTR: -EINVAL if it is not an
 * Ethernet device, -EBUSY if it is registered or the filter is hooked at its
 * netdev ingress, -ENOMEM.
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
 * fmp_rx_unregister() - unregister a device
 * @port: the return value of fmp_rx_register(); invalid afterwards
 *
 * Call it in ndo_uninit, when no reception can be in progress.
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
