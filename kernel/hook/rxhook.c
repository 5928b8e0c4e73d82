// SPDX-License-Identifier: GPL-2.0
/*
 * Setting the hook before mac80211, in one of two ways: by a mac80211 that was
 * patched to ask, or by ftrace
 *
 * The module has no link dependency on mac80211: it is hooked when the first device
 * is, and released soon after the last one is detached. mac80211 may be loaded
 * later, and unloaded whenever it has no device.
 *
 * attach.c calls this file to hook a device, and the ways call mac80211.c to
 * evaluate a frame.
 */
#include "rxhook.h"
#include "mac80211.h"

#include <linux/kmod.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/string.h>
#include <linux/workqueue.h>

/* The better one first. The last one gives the reason of a failure. */
static const struct fmp_rxhook_way *const fmp_rxhook_ways[] = {
	&fmp_rxhook_patched,
#ifdef FMP_HAVE_FTRACE
	&fmp_rxhook_ftrace,
#endif
};

/* Serializes all below. Taken with or without RTNL; RTNL is never taken under it. */
static DEFINE_MUTEX(fmp_rxhook_lock);
/* Number of hooked devices, and how the hook is set, or NULL; fmp_rxhook_lock. */
static unsigned int fmp_rxhook_users;
static const struct fmp_rxhook_way *fmp_rxhook_armed;

/**
 * fmp_rxhook_probe() - check whether there is a way at all
 * @extack: filled with the reason if there is none
 *
 * Context: process.
 * Return: 0 or -EOPNOTSUPP.
 */
static int fmp_rxhook_probe(struct netlink_ext_ack *extack)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(fmp_rxhook_ways); i++) {
		if (!fmp_rxhook_ways[i]->probe(extack))
			return 0;
	}
	return -EOPNOTSUPP;
}

/**
 * fmp_rxhook_arm() - set the hook
 * @extack: filled with the reason on error
 *
 * Context: process, fmp_rxhook_lock held.
 * Return: 0 or a negative error.
 */
static int fmp_rxhook_arm(struct netlink_ext_ack *extack)
{
	const int last = ARRAY_SIZE(fmp_rxhook_ways) - 1;
	int err = 0;
	int i;

	lockdep_assert_held(&fmp_rxhook_lock);
	for (i = 0; !fmp_rxhook_armed && i <= last; i++) {
		/* No text of a way that failed may stay if the next one does not. */
		err = fmp_rxhook_ways[i]->arm(i == last ? extack : NULL);
		if (!err)
			fmp_rxhook_armed = fmp_rxhook_ways[i];
	}
	return err;
}

/**
 * fmp_rxhook_disarm() - remove the hook
 *
 * On return no CPU is in it.
 *
 * Context: process, fmp_rxhook_lock held; may take seconds.
 */
static void fmp_rxhook_disarm(void)
{
	lockdep_assert_held(&fmp_rxhook_lock);
	if (fmp_rxhook_armed)
		fmp_rxhook_armed->disarm();
	fmp_rxhook_armed = NULL;
}

/**
 * fmp_rxhook_disarm_idle() - remove the hook if no device uses it
 * @work: not used
 *
 * A work item, because the caller of fmp_rxhook_put() holds RTNL and must not wait.
 *
 * Context: process.
 */
static void fmp_rxhook_disarm_idle(struct work_struct *work)
{
	mutex_lock(&fmp_rxhook_lock);
	if (!fmp_rxhook_users)
		fmp_rxhook_disarm();
	mutex_unlock(&fmp_rxhook_lock);
}

static DECLARE_WORK(fmp_rxhook_work, fmp_rxhook_disarm_idle);

/**
 * fmp_rxhook_get() - set the hook for one more device
 * @extack: filled with the reason on error
 *
 * Context: process, RTNL held; there is a mac80211 device.
 * Return: enum fmp_hook of the device, to be undone by fmp_rxhook_put(), or a
 * negative error.
 */
static int fmp_rxhook_get(struct netlink_ext_ack *extack)
{
	int ret;

	mutex_lock(&fmp_rxhook_lock);
	ret = fmp_rxhook_arm(extack);
	if (!ret) {
		fmp_rxhook_users++;
		ret = fmp_rxhook_armed->hook;
	}
	mutex_unlock(&fmp_rxhook_lock);
	return ret;
}

/**
 * fmp_rxhook_put() - undo one fmp_rxhook_get()
 *
 * The hook may stay set for a while.
 *
 * Context: process, RTNL held.
 */
static void fmp_rxhook_put(void)
{
	mutex_lock(&fmp_rxhook_lock);
	if (!--fmp_rxhook_users)
		schedule_work(&fmp_rxhook_work);
	mutex_unlock(&fmp_rxhook_lock);
}

/**
 * fmp_rxhook_notify_module() - remove the hook before mac80211 is unloaded
 * @nb: not used
 * @state: MODULE_STATE_*
 * @data: struct module
 *
 * Otherwise the address would stay in the filter and hook another module that is
 * loaded there later.
 *
 * Context: process.
 * Return: NOTIFY_DONE.
 */
static int fmp_rxhook_notify_module(struct notifier_block *nb, unsigned long state, void *data)
{
	const struct module *mod = data;

	if (state == MODULE_STATE_GOING && !strcmp(mod->name, FMP_RXHOOK_MODULE)) {
		mutex_lock(&fmp_rxhook_lock);
		fmp_rxhook_disarm();
		mutex_unlock(&fmp_rxhook_lock);
	}
	return NOTIFY_DONE;
}

static struct notifier_block fmp_rxhook_notifier = {
	.notifier_call = fmp_rxhook_notify_module,
};

/**
 * fmp_rxhook_init() - register the module notifier; no hook is set yet
 *
 * Context: process; without ftrace this loads mac80211, to see whether it asks.
 * Return: 0, -EOPNOTSUPP if there is no way to hook, or another negative error.
 */
static int fmp_rxhook_init(void)
{
	struct netlink_ext_ack extack = {};

	if (fmp_rxhook_probe(&extack)) {
		request_module(FMP_RXHOOK_MODULE);
		if (fmp_rxhook_probe(&extack)) {
			pr_err("fmp: mac80211=1 refused, wireless devices would be %s; load fmp without it, or patch mac80211 (kernel/drivers/README.md)\n",
			       extack._msg);
			return -EOPNOTSUPP;
		}
	}
	return register_module_notifier(&fmp_rxhook_notifier);
}

/**
 * fmp_rxhook_exit() - remove the hook and the module notifier
 *
 * Context: process; every fmp_rxhook_get() is undone.
 */
static void fmp_rxhook_exit(void)
{
	unregister_module_notifier(&fmp_rxhook_notifier);
	cancel_work_sync(&fmp_rxhook_work);
	mutex_lock(&fmp_rxhook_lock);
	fmp_rxhook_disarm();
	mutex_unlock(&fmp_rxhook_lock);
}

/**
 * fmp_mac80211_attach() - hook a device before mac80211 in addition to ingress
 * @port: attached at netdev ingress; unchanged on failure
 * @extack: filled with the reason on failure
 *
 * Context: process, RTNL held.
 */
void fmp_mac80211_attach(struct fmp_rx_port *port, struct netlink_ext_ack *extack)
{
	int hook;

	if (!fmp_mac80211 || !fmp_mac80211_is_supported(port->dev, extack))
		return;
	hook = fmp_rxhook_get(extack);
	if (hook >= 0)
		fmp_mac80211_add_port(port, hook);
}

/**
 * fmp_mac80211_detach() - undo fmp_mac80211_attach()
 * @port: the device, hooked before mac80211; frames may use it until an RCU grace
 *	period has passed
 *
 * Context: process, RTNL held.
 */
void fmp_mac80211_detach(struct fmp_rx_port *port)
{
	fmp_mac80211_remove_port(port);
	fmp_rxhook_put();
}

/**
 * fmp_mac80211_init() - prepare for devices hooked before mac80211
 *
 * Context: process.
 * Return: 0 or a negative error.
 */
int fmp_mac80211_init(void)
{
	return fmp_mac80211 ? fmp_rxhook_init() : 0;
}

/**
 * fmp_mac80211_exit() - undo fmp_mac80211_init()
 *
 * Context: process; no device is attached.
 */
void fmp_mac80211_exit(void)
{
	if (fmp_mac80211)
		fmp_rxhook_exit();
}
