// SPDX-License-Identifier: GPL-2.0
/*
 * The ftrace hook at the entry of ieee80211_rx_list(), which all frames of all
 * mac80211 drivers pass
 *
 * The kernel needs no patch: ftrace calls fmp_rxhook_enter() when the function is
 * entered, and a frame to be dropped is redirected to fmp_rxhook_drop(). The module
 * has no link dependency on mac80211: the function is looked up by name when the
 * first device is hooked, and released soon after the last one is detached.
 * mac80211 may be loaded later, and unloaded whenever it has no device.
 *
 * The hook is set only if all of this holds: the kernel is a tested version;
 * mac80211 came with the kernel, so that the prototype in the headers is right; the
 * entry is an ftrace location; no other user redirects the function (a livepatch
 * does, and none can while this hook is set); ftrace is on and can't be switched
 * off, because ingress relies on the evaluation here.
 *
 * attach.c calls this file to hook a device, and this file calls mac80211.c to
 * evaluate a frame: only this one depends on ftrace.
 */
#include "mac80211.h"

#include <linux/ftrace.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/skbuff.h>
#include <linux/string.h>
#include <linux/workqueue.h>
#include <net/mac80211.h>

#define FMP_RXHOOK_MODULE "mac80211"
#if IS_MODULE(CONFIG_MAC80211)
#define FMP_RXHOOK_SYMBOL FMP_RXHOOK_MODULE ":ieee80211_rx_list"
#else
#define FMP_RXHOOK_SYMBOL "ieee80211_rx_list"
#endif

/* Serializes all below. Taken with or without RTNL; RTNL is never taken under it. */
static DEFINE_MUTEX(fmp_rxhook_lock);
/* Number of hooked devices, and whether the hook is set; fmp_rxhook_lock. */
static unsigned int fmp_rxhook_users;
static bool fmp_rxhook_armed;

/**
 * fmp_rxhook_drop() - replaces ieee80211_rx_list(): drop the frame
 * @hw: not used
 * @sta: not used
 * @skb: the frame, owned by this function
 * @list: not used; only frames added to it are delivered
 *
 * Context: that of ieee80211_rx_list(): RCU read section, bottom halves off.
 */
static notrace void fmp_rxhook_drop(struct ieee80211_hw *hw, struct ieee80211_sta *sta,
				    struct sk_buff *skb, struct list_head *list)
{
	kfree_skb_reason(skb, SKB_DROP_REASON_NETFILTER_DROP);
}

static_assert(__same_type(fmp_rxhook_drop, ieee80211_rx_list));

/**
 * fmp_rxhook_enter() - ftrace_ops.func at the entry of ieee80211_rx_list()
 * @ip: not used
 * @parent_ip: not used
 * @ops: not used
 * @fregs: registers at the entry: its arguments, and the instruction pointer
 *
 * ftrace prevents recursion in the same context.
 *
 * Context: that of ieee80211_rx_list(), and preemption disabled.
 */
static notrace void fmp_rxhook_enter(unsigned long ip, unsigned long parent_ip,
				     struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	struct pt_regs *regs = ftrace_get_regs(fregs);
	const struct ieee80211_sta *sta;
	struct ieee80211_hw *hw;
	struct sk_buff *skb;

	/* A driver must call with bottom halves off, which the per-CPU counters need:
	 * mac80211 warns of one that does not.
	 */
	if (unlikely(!regs || !softirq_count()))
		return;
	hw = (void *)regs_get_kernel_argument(regs, 0);
	sta = (void *)regs_get_kernel_argument(regs, 1);
	skb = (void *)regs_get_kernel_argument(regs, 2);
	if (fmp_mac80211_blocks(hw, sta, skb))
		instruction_pointer_set(regs, (unsigned long)fmp_rxhook_drop);
}

static struct ftrace_ops fmp_rxhook_ops = {
	.func = fmp_rxhook_enter,
	.flags = FTRACE_OPS_FL_SAVE_REGS | FTRACE_OPS_FL_IPMODIFY | FTRACE_OPS_FL_RECURSION |
		 FTRACE_OPS_FL_PERMANENT,
};

/**
 * fmp_rxhook_is_in_tree() - check whether mac80211 came with the kernel
 *
 * Only then the headers have the right prototypes. A backported module has the
 * taint of an out-of-tree build.
 *
 * Context: process.
 * Return: true if it did.
 */
static bool fmp_rxhook_is_in_tree(void)
{
	struct kobject *kobj;
	struct module *mod;
	bool genuine;

	if (IS_BUILTIN(CONFIG_MAC80211))
		return true;
	/* All modules are in one kset; the reference keeps the module from being freed. */
	kobj = kset_find_obj(THIS_MODULE->mkobj.kobj.kset, FMP_RXHOOK_MODULE);
	if (!kobj)
		return false;
	mod = container_of(kobj, struct module_kobject, kobj)->mod;
	genuine = mod && !test_bit(TAINT_OOT_MODULE, &mod->taints);
	kobject_put(kobj);
	return genuine;
}

/**
 * fmp_rxhook_find_entry() - find the ftrace location of ieee80211_rx_list()
 * @extack: filled with the reason on error
 *
 * Use a kprobe that is never enabled: it finds functions of modules by name and
 * tells whether the address is an ftrace location.
 *
 * Context: process.
 * Return: the address, or 0.
 */
static unsigned long fmp_rxhook_find_entry(struct netlink_ext_ack *extack)
{
	struct kprobe probe = {
		.symbol_name = FMP_RXHOOK_SYMBOL,
		.flags = KPROBE_FLAG_DISABLED,
	};
	unsigned long ip;

	if (!FMP_MAC80211_KNOWN) {
		NL_SET_ERR_MSG(extack, "hooked at ingress: mac80211 of this kernel is not tested");
		return 0;
	}
	if (!fmp_rxhook_is_in_tree()) {
		NL_SET_ERR_MSG(extack, "hooked at ingress: mac80211 is not the kernel's own");
		return 0;
	}
	if (register_kprobe(&probe)) {
		NL_SET_ERR_MSG(extack, "hooked at ingress: ieee80211_rx_list() not found");
		return 0;
	}
	ip = probe.flags & KPROBE_FLAG_FTRACE ? (unsigned long)probe.addr : 0;
	unregister_kprobe(&probe);
	if (!ip)
		NL_SET_ERR_MSG(extack, "hooked at ingress: ftrace can't call in mac80211");
	return ip;
}

/**
 * fmp_rxhook_clear_filter() - free the filter hash of the ftrace_ops
 *
 * It belongs to this module's ftrace_ops and would leak when the module is unloaded.
 *
 * Context: process, fmp_rxhook_lock held; the ftrace_ops is not registered.
 */
static void fmp_rxhook_clear_filter(void)
{
	ftrace_set_filter(&fmp_rxhook_ops, NULL, 0, 1);
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
	unsigned long ip;
	int err;

	lockdep_assert_held(&fmp_rxhook_lock);
	if (fmp_rxhook_armed)
		return 0;
	ip = fmp_rxhook_find_entry(extack);
	if (!ip)
		return -EOPNOTSUPP;

	/* The last argument, reset, discards an earlier filter. */
	err = ftrace_set_filter_ip(&fmp_rxhook_ops, ip, 0, 1);
	if (err) {
		NL_SET_ERR_MSG(extack, "hooked at ingress: ftrace refuses the place in mac80211");
		return err;
	}
	err = register_ftrace_function(&fmp_rxhook_ops);
	if (err) {
		fmp_rxhook_clear_filter();
		NL_SET_ERR_MSG(extack, "hooked at ingress: mac80211 is patched, or ftrace is off");
		return err;
	}
	fmp_rxhook_armed = true;
	return 0;
}

/**
 * fmp_rxhook_disarm() - remove the hook
 *
 * On return no CPU is in fmp_rxhook_enter(), because ftrace waits for that. No CPU
 * is in fmp_rxhook_drop() or between both either: that is within the RCU read
 * section of the caller of ieee80211_rx_list(), and this waits for a grace period.
 *
 * Context: process, fmp_rxhook_lock held; may take seconds.
 */
static void fmp_rxhook_disarm(void)
{
	int err;

	lockdep_assert_held(&fmp_rxhook_lock);
	if (!fmp_rxhook_armed)
		return;
	err = unregister_ftrace_function(&fmp_rxhook_ops);
	if (err)
		pr_err("fmp: ftrace can't remove its hook in mac80211 (%d)\n", err);
	else
		fmp_rxhook_clear_filter();
	synchronize_rcu();
	fmp_rxhook_armed = false;
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
 * Return: 0, to be undone by fmp_rxhook_put(), or a negative error.
 */
static int fmp_rxhook_get(struct netlink_ext_ack *extack)
{
	int err;

	mutex_lock(&fmp_rxhook_lock);
	err = fmp_rxhook_arm(extack);
	if (!err)
		fmp_rxhook_users++;
	mutex_unlock(&fmp_rxhook_lock);
	return err;
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
 * Context: process.
 * Return: 0 or a negative error.
 */
static int fmp_rxhook_init(void)
{
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
	if (fmp_mac80211 && fmp_mac80211_is_supported(port->dev, extack) && !fmp_rxhook_get(extack))
		fmp_mac80211_add_port(port);
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
