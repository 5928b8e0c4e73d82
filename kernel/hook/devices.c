// SPDX-License-Identifier: GPL-2.0
/*
 * The devices of a network namespace: attached devices and pending attaches
 *
 * A pending attach (%FMP_DEV_F_WAIT) is a name. Whenever the namespace has a device
 * of that name, the device is attached; when it is unregistered, renamed or moved
 * away, the pending attach waits for the next one. An attach without
 * %FMP_DEV_F_WAIT belongs to the device and ends with it.
 *
 * All functions run under RTNL, as do registering, renaming and moving devices: a
 * device is attached before any program can see its new name.
 */
#include "devices.h"
#include "attach.h"
#include "../core/netns.h"

#include <linux/if_arp.h>
#include <linux/netdevice.h>
#include <linux/rtnetlink.h>
#include <linux/slab.h>

/* Set once at module init, before any device can be attached. */
static const struct fmp_devices_ops *fmp_devices_ops __ro_after_init;

/**
 * fmp_pending_port() - get the device that a pending attach has
 * @pending: the pending attach
 *
 * Context: process, RTNL held.
 * Return: its port, attached; NULL while it waits.
 */
struct fmp_rx_port *fmp_pending_port(const struct fmp_pending_attach *pending)
{
	struct fmp_rx_port *port;

	ASSERT_RTNL();
	list_for_each_entry(port, &fmp_ports, list) {
		if (port->pending == pending)
			return port;
	}
	return NULL;
}

/**
 * fmp_pending_find() - find the pending attach of a name
 * @fn: the namespace
 * @name: the name
 *
 * Context: process, RTNL held.
 * Return: the pending attach, or NULL.
 */
static struct fmp_pending_attach *fmp_pending_find(const struct fmp_net *fn, const char *name)
{
	struct fmp_pending_attach *pending;

	list_for_each_entry(pending, &fn->pending, list) {
		if (!strcmp(pending->name, name))
			return pending;
	}
	return NULL;
}

/**
 * fmp_pending_matches() - check whether a pending attach is for a device
 * @pending: the pending attach
 * @dev: a device of its namespace
 *
 * Look the device up by name, so that its alternative names match too.
 *
 * Context: process, RTNL held.
 * Return: true if it is.
 */
static bool fmp_pending_matches(const struct fmp_pending_attach *pending,
				const struct net_device *dev)
{
	return __dev_get_by_name(dev_net(dev), pending->name) == dev;
}

/**
 * fmp_pending_find_for_dev() - find the pending attach that waits for a device
 * @fn: its namespace
 * @dev: the device
 *
 * Context: process, RTNL held.
 * Return: the pending attach, or NULL.
 */
static struct fmp_pending_attach *fmp_pending_find_for_dev(const struct fmp_net *fn,
							   const struct net_device *dev)
{
	struct fmp_pending_attach *pending;

	list_for_each_entry(pending, &fn->pending, list) {
		if (fmp_pending_matches(pending, dev) && !fmp_pending_port(pending))
			return pending;
	}
	return NULL;
}

/**
 * fmp_pending_add() - add a pending attach
 * @fn: the namespace
 * @name: the name
 * @flags: FMP_DEV_F_*
 * @extack: filled with the reason on error
 *
 * Context: process, RTNL held.
 * Return: the pending attach, in @fn->pending; or an ERR_PTR: -EINVAL, -EEXIST,
 * -ENOSPC, -ENOMEM.
 */
static struct fmp_pending_attach *fmp_pending_add(struct fmp_net *fn, const char *name, u32 flags,
						  struct netlink_ext_ack *extack)
{
	struct fmp_pending_attach *pending;

	if (!dev_valid_name(name)) {
		NL_SET_ERR_MSG(extack, "no device can have this name");
		return ERR_PTR(-EINVAL);
	}
	if (fmp_pending_find(fn, name)) {
		NL_SET_ERR_MSG(extack, "a device of this name is waited for already");
		return ERR_PTR(-EEXIST);
	}
	if (fn->n_pending >= FMP_WISHES_MAX) {
		NL_SET_ERR_MSG(extack, "the network namespace waits for too many devices");
		return ERR_PTR(-ENOSPC);
	}
	pending = kzalloc(sizeof(*pending), GFP_KERNEL_ACCOUNT);
	if (!pending) {
		NL_SET_ERR_MSG(extack, "out of memory");
		return ERR_PTR(-ENOMEM);
	}
	strscpy(pending->name, name, sizeof(pending->name));
	pending->flags = flags;
	list_add_tail(&pending->list, &fn->pending);
	fn->n_pending++;
	fn->dev_generation++;
	return pending;
}

/**
 * fmp_pending_remove() - remove a pending attach and free it
 * @fn: the namespace
 * @pending: the pending attach; it has no device
 *
 * Context: process, RTNL held.
 */
static void fmp_pending_remove(struct fmp_net *fn, struct fmp_pending_attach *pending)
{
	list_del(&pending->list);
	fn->n_pending--;
	fn->dev_generation++;
	kfree(pending);
}

/**
 * fmp_devices_attach_now() - attach a device and notify
 * @fn: its namespace
 * @dev: the device
 * @flags: FMP_DEV_F_*
 * @pending: the pending attach that it fulfils, or NULL
 * @extack: filled with the reason on error
 *
 * A pending attach takes over a device that was attached without one.
 *
 * Context: process, RTNL held.
 * Return: 0 or a negative error.
 */
static int fmp_devices_attach_now(struct fmp_net *fn, struct net_device *dev, u32 flags,
				  struct fmp_pending_attach *pending,
				  struct netlink_ext_ack *extack)
{
	struct fmp_rx_port *port = fmp_port_find(dev);

	if (pending && port && port->hook != FMP_HOOK_NONE && !port->pending) {
		WRITE_ONCE(port->flags, flags);
	} else {
		port = fmp_attach(&fn->tables, dev, flags, extack);
		if (IS_ERR(port))
			return PTR_ERR(port);
	}
	port->pending = pending;
	fn->dev_generation++;
	fmp_devices_ops->attached(port);
	return 0;
}

/**
 * fmp_devices_detach_now() - detach a device and notify
 * @fn: its namespace
 * @port: the device, attached; may be freed by this
 *
 * Context: process, RTNL held.
 */
static void fmp_devices_detach_now(struct fmp_net *fn, struct fmp_rx_port *port)
{
	fmp_devices_ops->detached(port);
	port->pending = NULL;
	fn->dev_generation++;
	fmp_detach(port);
}

/**
 * fmp_devices_attach() - attach a device, or wait for it
 * @fn: the namespace
 * @dev: the device; may be NULL if @name is given
 * @name: the name for a pending attach, NULL to attach @dev only
 * @flags: FMP_DEV_F_*
 * @extack: filled with the reason on error
 *
 * Context: process, RTNL held.
 * Return: 0 or a negative error.
 */
int fmp_devices_attach(struct fmp_net *fn, struct net_device *dev, const char *name, u32 flags,
		       struct netlink_ext_ack *extack)
{
	struct fmp_pending_attach *pending;
	int err;

	ASSERT_RTNL();
	if (!fn->live) {
		NL_SET_ERR_MSG(extack, "the module is being loaded or unloaded");
		return -ESHUTDOWN;
	}
	if (!name) {
		/* The pending attach may have failed for this device before, and succeed now. */
		pending = fmp_pending_find_for_dev(fn, dev);
		if (pending)
			flags |= FMP_DEV_F_WAIT;
		err = fmp_devices_attach_now(fn, dev, flags, pending, extack);
		if (pending && !err)
			pending->flags = flags;
		return err;
	}

	pending = fmp_pending_add(fn, name, flags, extack);
	if (IS_ERR(pending))
		return PTR_ERR(pending);
	if (!dev) {
		fmp_devices_ops->waiting(fn, pending);
		return 0;
	}
	err = fmp_devices_attach_now(fn, dev, flags, pending, extack);
	if (err)
		fmp_pending_remove(fn, pending);
	return err;
}

/**
 * fmp_devices_detach() - detach a device and cancel its pending attach
 * @fn: the namespace
 * @dev: the device, NULL if there is none
 * @name: the name that was given, NULL if it was an index
 * @extack: filled with the reason on error
 *
 * Context: process, RTNL held.
 * Return: 0, -ENODEV or -ENOENT.
 */
int fmp_devices_detach(struct fmp_net *fn, struct net_device *dev, const char *name,
		       struct netlink_ext_ack *extack)
{
	struct fmp_pending_attach *pending = name ? fmp_pending_find(fn, name) : NULL;
	struct fmp_rx_port *port;

	ASSERT_RTNL();
	if (!pending && !dev) {
		NL_SET_ERR_MSG(extack, "no such device, and no attach waits for it");
		return -ENODEV;
	}
	port = pending ? fmp_pending_port(pending) : fmp_port_find(dev);
	if (!pending && (!port || port->hook == FMP_HOOK_NONE)) {
		NL_SET_ERR_MSG(extack, "the device is not attached");
		return -ENOENT;
	}
	if (port) {
		pending = port->pending;
		fmp_devices_detach_now(fn, port);
	} else {
		fmp_devices_ops->cancelled(fn, pending);
	}
	if (pending)
		fmp_pending_remove(fn, pending);
	return 0;
}

/**
 * fmp_devices_attach_pending() - attach a device if a pending attach waits for it
 * @fn: its namespace
 * @dev: the device
 *
 * Context: process, RTNL held.
 */
static void fmp_devices_attach_pending(struct fmp_net *fn, struct net_device *dev)
{
	struct fmp_pending_attach *pending = fmp_pending_find_for_dev(fn, dev);
	struct netlink_ext_ack extack = {};

	if (pending && fmp_devices_attach_now(fn, dev, pending->flags, pending, &extack))
		netdev_warn(dev, "fmp: waited for, but can't be attached: %s\n",
			    extack._msg ?: "no reason given");
}

/**
 * fmp_devices_detach_lost() - detach a device that leaves, or whose name or type changed
 * @fn: the namespace that it was attached in
 * @dev: the device
 *
 * Context: process, RTNL held.
 */
static void fmp_devices_detach_lost(struct fmp_net *fn, const struct net_device *dev)
{
	struct fmp_rx_port *port = fmp_port_find(dev);
	struct fmp_pending_attach *pending;

	if (!port || port->hook == FMP_HOOK_NONE)
		return;
	pending = port->pending;
	fmp_devices_detach_now(fn, port);
	if (pending)
		fmp_devices_ops->waiting(fn, pending);
}

/**
 * fmp_devices_follow_rename() - update pending attaches for a renamed device
 * @fn: its namespace
 * @dev: the device
 *
 * Context: process, RTNL held.
 */
static void fmp_devices_follow_rename(struct fmp_net *fn, struct net_device *dev)
{
	const struct fmp_rx_port *port = fmp_port_find(dev);

	if (port && port->pending && !fmp_pending_matches(port->pending, dev))
		fmp_devices_detach_lost(fn, dev);
	fmp_devices_attach_pending(fn, dev);
}

/**
 * fmp_devices_init() - register the receiver of notifications about devices
 * @ops: the notifications
 *
 * Context: process, at module init, before the first network namespace is live.
 */
void __init fmp_devices_init(const struct fmp_devices_ops *ops)
{
	fmp_devices_ops = ops;
}

/**
 * fmp_devices_notify() - notifier_call for network devices
 * @nb: not used
 * @event: NETDEV_*
 * @ptr: struct netdev_notifier_info
 *
 * For the notifier, a device that moves to another namespace is unregistered in
 * the old one and registered in the new one.
 *
 * Context: process, RTNL held.
 * Return: NOTIFY_DONE.
 */
int fmp_devices_notify(struct notifier_block *nb, unsigned long event, void *ptr)
{
	struct net_device *dev = netdev_notifier_info_to_dev(ptr);
	struct fmp_net *fn = fmp_net(dev_net(dev));

	switch (event) {
	case NETDEV_UNREGISTER:
		fn->dev_generation++;
		fmp_devices_detach_lost(fn, dev);
		break;
	case NETDEV_REGISTER:
		fn->dev_generation++;
		fmp_devices_attach_pending(fn, dev);
		break;
	case NETDEV_CHANGENAME:
		fn->dev_generation++;
		fmp_devices_follow_rename(fn, dev);
		break;
	case NETDEV_POST_TYPE_CHANGE:
		if (dev->type != ARPHRD_ETHER)
			fmp_devices_detach_lost(fn, dev);
		else
			fmp_devices_attach_pending(fn, dev);
		break;
	}
	return NOTIFY_DONE;
}

/**
 * fmp_devices_start() - allow devices to be attached
 * @fn: the namespace
 *
 * Context: process, may sleep.
 */
void fmp_devices_start(struct fmp_net *fn)
{
	rtnl_lock();
	fn->live = true;
	rtnl_unlock();
}

/**
 * fmp_devices_stop() - detach all devices and remove all pending attaches
 * @fn: the namespace
 *
 * Context: process, may sleep.
 */
void fmp_devices_stop(struct fmp_net *fn)
{
	struct fmp_rx_port *port, *next_port;
	struct fmp_pending_attach *pending, *next_pending;

	rtnl_lock();
	fn->live = false;
	list_for_each_entry_safe(port, next_port, &fmp_ports, list) {
		if (net_eq(dev_net(port->dev), fn->net) && port->hook != FMP_HOOK_NONE)
			fmp_devices_detach_now(fn, port);
	}
	list_for_each_entry_safe(pending, next_pending, &fn->pending, list)
		fmp_pending_remove(fn, pending);
	rtnl_unlock();
}
