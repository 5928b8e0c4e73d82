// SPDX-License-Identifier: GPL-2.0
/*
 * The devices of a network namespace: which are attached, which are wished for
 *
 * A wish is a name. Whenever the namespace has a device of that name it is
 * attached; when that device goes, is renamed or moves away, the wish waits for
 * the next one. An attachment without a wish belongs to the device and ends
 * with it. All of it runs under RTNL, as do registering, renaming and moving
 * devices, so a wish is fulfilled before anybody sees the new name.
 */
#include "devices.h"
#include "attach.h"
#include "../netlink/event.h"

#include <linux/if_arp.h>
#include <linux/netdevice.h>
#include <linux/rtnetlink.h>
#include <linux/slab.h>

/**
 * fmp_wish_port() - the device that fulfils a wish
 * @wish: the wish
 *
 * Context: process, RTNL held.
 * Return: its port, attached; NULL while the wish waits.
 */
struct fmp_rx_port *fmp_wish_port(const struct fmp_wish *wish)
{
	struct fmp_rx_port *port;

	ASSERT_RTNL();
	list_for_each_entry(port, &fmp_ports, list) {
		if (port->wish == wish)
			return port;
	}
	return NULL;
}

/**
 * fmp_wish_find() - the wish for a name
 * @fn: the namespace
 * @name: the name
 *
 * Context: process, RTNL held.
 * Return: the wish, or NULL.
 */
static struct fmp_wish *fmp_wish_find(const struct fmp_net *fn, const char *name)
{
	struct fmp_wish *wish;

	list_for_each_entry(wish, &fn->wishes, list) {
		if (!strcmp(wish->name, name))
			return wish;
	}
	return NULL;
}

/**
 * fmp_wish_means() - is a device the one that is wished for
 * @wish: the wish
 * @dev: a device of the wish's namespace
 *
 * Asks by name, so that a device's alternative names count too.
 *
 * Context: process, RTNL held.
 * Return: true if it is.
 */
static bool fmp_wish_means(const struct fmp_wish *wish, const struct net_device *dev)
{
	return __dev_get_by_name(dev_net(dev), wish->name) == dev;
}

/**
 * fmp_wish_for() - the wish that a device could fulfil
 * @fn: its namespace
 * @dev: the device
 *
 * Context: process, RTNL held.
 * Return: a wish that waits, or NULL.
 */
static struct fmp_wish *fmp_wish_for(const struct fmp_net *fn, const struct net_device *dev)
{
	struct fmp_wish *wish;

	list_for_each_entry(wish, &fn->wishes, list) {
		if (fmp_wish_means(wish, dev) && !fmp_wish_port(wish))
			return wish;
	}
	return NULL;
}

/**
 * fmp_wish_make() - begin to wish
 * @fn: the namespace
 * @name: the name
 * @flags: FMP_DEV_F_*
 * @extack: says why not
 *
 * Context: process, RTNL held.
 * Return: the wish, in @fn->wishes; or an ERR_PTR: -EINVAL, -EEXIST, -ENOSPC,
 * -ENOMEM.
 */
static struct fmp_wish *fmp_wish_make(struct fmp_net *fn, const char *name, u32 flags,
				      struct netlink_ext_ack *extack)
{
	struct fmp_wish *wish;

	if (!dev_valid_name(name)) {
		NL_SET_ERR_MSG(extack, "no device can have this name");
		return ERR_PTR(-EINVAL);
	}
	if (fmp_wish_find(fn, name)) {
		NL_SET_ERR_MSG(extack, "a device of this name is wished for already");
		return ERR_PTR(-EEXIST);
	}
	if (fn->n_wishes >= FMP_WISHES_MAX) {
		NL_SET_ERR_MSG(extack, "the namespace waits for as many devices as it may");
		return ERR_PTR(-ENOSPC);
	}
	wish = kzalloc(sizeof(*wish), GFP_KERNEL_ACCOUNT);
	if (!wish) {
		NL_SET_ERR_MSG(extack, "out of memory");
		return ERR_PTR(-ENOMEM);
	}
	strscpy(wish->name, name, sizeof(wish->name));
	wish->flags = flags;
	list_add_tail(&wish->list, &fn->wishes);
	fn->n_wishes++;
	fn->dev_generation++;
	return wish;
}

/**
 * fmp_wish_end() - wish no more
 * @fn: the namespace
 * @wish: the wish, which waits
 *
 * Context: process, RTNL held.
 */
static void fmp_wish_end(struct fmp_net *fn, struct fmp_wish *wish)
{
	list_del(&wish->list);
	fn->n_wishes--;
	fn->dev_generation++;
	kfree(wish);
}

/**
 * fmp_devices_hook() - attach a device and tell of it
 * @fn: its namespace
 * @dev: the device
 * @flags: FMP_DEV_F_*
 * @wish: what it fulfils, or NULL
 * @extack: says why not
 *
 * A wish takes over a device that was attached without one.
 *
 * Context: process, RTNL held.
 * Return: 0 or a negative error.
 */
static int fmp_devices_hook(struct fmp_net *fn, struct net_device *dev, u32 flags,
			    struct fmp_wish *wish, struct netlink_ext_ack *extack)
{
	struct fmp_rx_port *port = fmp_port_find(dev);

	if (wish && port && port->hook != FMP_HOOK_NONE && !port->wish) {
		WRITE_ONCE(port->flags, flags);
	} else {
		port = fmp_attach(&fn->tables, dev, flags, extack);
		if (IS_ERR(port))
			return PTR_ERR(port);
	}
	port->wish = wish;
	fn->dev_generation++;
	fmp_event_dev(port, FMP_EVENT_TYPE_DEV_ATTACHED);
	return 0;
}

/**
 * fmp_devices_unhook() - detach a device and tell of it
 * @fn: its namespace
 * @port: the device, attached; may be gone afterwards
 *
 * Context: process, RTNL held.
 */
static void fmp_devices_unhook(struct fmp_net *fn, struct fmp_rx_port *port)
{
	fmp_event_dev(port, FMP_EVENT_TYPE_DEV_DETACHED);
	port->wish = NULL;
	fn->dev_generation++;
	fmp_detach(port);
}

/**
 * fmp_devices_attach() - attach a device, or wish for it
 * @fn: the namespace
 * @dev: the device, NULL if there is none; with a wish only
 * @name: the name that is wished for, NULL without a wish
 * @flags: FMP_DEV_F_*
 * @extack: says why not
 *
 * Context: process, RTNL held.
 * Return: 0 or a negative error.
 */
int fmp_devices_attach(struct fmp_net *fn, struct net_device *dev, const char *name, u32 flags,
		       struct netlink_ext_ack *extack)
{
	struct fmp_wish *wish;
	int err;

	ASSERT_RTNL();
	if (!fn->live) {
		NL_SET_ERR_MSG(extack, "the module is on its way in or out");
		return -ESHUTDOWN;
	}
	if (!name) {
		/* One that could not be attached when the wish tried, and perhaps can now. */
		wish = fmp_wish_for(fn, dev);
		if (wish)
			flags |= FMP_DEV_F_WAIT;
		err = fmp_devices_hook(fn, dev, flags, wish, extack);
		if (wish && !err)
			wish->flags = flags;
		return err;
	}

	wish = fmp_wish_make(fn, name, flags, extack);
	if (IS_ERR(wish))
		return PTR_ERR(wish);
	if (!dev) {
		fmp_event_wish(fn, wish, FMP_EVENT_TYPE_DEV_WAITING);
		return 0;
	}
	err = fmp_devices_hook(fn, dev, flags, wish, extack);
	if (err)
		fmp_wish_end(fn, wish);
	return err;
}

/**
 * fmp_devices_detach() - detach a device, or take a wish back
 * @fn: the namespace
 * @dev: the device, NULL if there is none
 * @name: the name that was given, NULL if it was an index
 * @extack: says why not
 *
 * Context: process, RTNL held.
 * Return: 0, -ENODEV or -ENOENT.
 */
int fmp_devices_detach(struct fmp_net *fn, struct net_device *dev, const char *name,
		       struct netlink_ext_ack *extack)
{
	struct fmp_wish *wish = name ? fmp_wish_find(fn, name) : NULL;
	struct fmp_rx_port *port;

	ASSERT_RTNL();
	if (!wish && !dev) {
		NL_SET_ERR_MSG(extack, "no such device, and nobody waits for it");
		return -ENODEV;
	}
	port = wish ? fmp_wish_port(wish) : fmp_port_find(dev);
	if (!wish && (!port || port->hook == FMP_HOOK_NONE)) {
		NL_SET_ERR_MSG(extack, "the device is not attached");
		return -ENOENT;
	}
	if (port) {
		wish = port->wish;
		fmp_devices_unhook(fn, port);
	} else {
		fmp_event_wish(fn, wish, FMP_EVENT_TYPE_DEV_DETACHED);
	}
	if (wish)
		fmp_wish_end(fn, wish);
	return 0;
}

/**
 * fmp_devices_arm() - attach a device if it is wished for
 * @fn: its namespace
 * @dev: the device
 *
 * Context: process, RTNL held.
 */
static void fmp_devices_arm(struct fmp_net *fn, struct net_device *dev)
{
	struct fmp_wish *wish = fmp_wish_for(fn, dev);
	struct netlink_ext_ack extack = {};

	if (wish && fmp_devices_hook(fn, dev, wish->flags, wish, &extack))
		netdev_warn(dev, "fmp: wished for, and can't be attached: %s\n",
			    extack._msg ?: "no reason given");
}

/**
 * fmp_devices_lose() - detach a device that is no longer what was attached
 * @fn: the namespace that it leaves
 * @dev: the device
 *
 * Context: process, RTNL held.
 */
static void fmp_devices_lose(struct fmp_net *fn, const struct net_device *dev)
{
	struct fmp_rx_port *port = fmp_port_find(dev);
	struct fmp_wish *wish;

	if (!port || port->hook == FMP_HOOK_NONE)
		return;
	wish = port->wish;
	fmp_devices_unhook(fn, port);
	if (wish)
		fmp_event_wish(fn, wish, FMP_EVENT_TYPE_DEV_WAITING);
}

/**
 * fmp_devices_renamed() - follow a device that has a new name
 * @fn: its namespace
 * @dev: the device
 *
 * Context: process, RTNL held.
 */
static void fmp_devices_renamed(struct fmp_net *fn, struct net_device *dev)
{
	const struct fmp_rx_port *port = fmp_port_find(dev);

	if (port && port->wish && !fmp_wish_means(port->wish, dev))
		fmp_devices_lose(fn, dev);
	fmp_devices_arm(fn, dev);
}

/**
 * fmp_devices_notify() - follow what happens to devices
 * @nb: not used
 * @event: NETDEV_*
 * @ptr: struct netdev_notifier_info
 *
 * A device that moves to another namespace is unregistered in the old one and
 * registered in the new one, as far as this tells.
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
		fmp_devices_lose(fn, dev);
		break;
	case NETDEV_REGISTER:
		fn->dev_generation++;
		fmp_devices_arm(fn, dev);
		break;
	case NETDEV_CHANGENAME:
		fn->dev_generation++;
		fmp_devices_renamed(fn, dev);
		break;
	case NETDEV_POST_TYPE_CHANGE:
		if (dev->type != ARPHRD_ETHER)
			fmp_devices_lose(fn, dev);
		else
			fmp_devices_arm(fn, dev);
		break;
	}
	return NOTIFY_DONE;
}

/**
 * fmp_devices_start() - let devices be attached
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
 * fmp_devices_stop() - detach all devices, forget all wishes
 * @fn: the namespace
 *
 * Context: process, may sleep.
 */
void fmp_devices_stop(struct fmp_net *fn)
{
	struct fmp_rx_port *port, *next_port;
	struct fmp_wish *wish, *next_wish;

	rtnl_lock();
	fn->live = false;
	list_for_each_entry_safe(port, next_port, &fmp_ports, list) {
		if (net_eq(dev_net(port->dev), fn->net) && port->hook != FMP_HOOK_NONE)
			fmp_devices_unhook(fn, port);
	}
	list_for_each_entry_safe(wish, next_wish, &fn->wishes, list)
		fmp_wish_end(fn, wish);
	rtnl_unlock();
}
