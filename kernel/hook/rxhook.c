// SPDX-License-Identifier: GPL-2.0
/*
 * How the filter gets hold of frames before mac80211: the entry of
 * ieee80211_rx_list(), through which every frame of every driver comes
 *
 * The kernel stays as it is: ftrace calls fmp_rxhook_enter() when the function
 * is entered, and a frame that is to be dropped is sent to fmp_rxhook_drop()
 * instead. There is no link to mac80211: the function is looked up by name when
 * the first device wants it, and let go soon after the last one. mac80211 may be
 * loaded later and unloaded at any time no device of it is there.
 *
 * Nothing is hooked unless all of this is sure: the kernel is one of those it
 * was tried with, mac80211 came with it (so that the prototype in the headers is
 * that of the function), the entry is a place of ftrace's, nobody else redirects
 * the function (a livepatch would; and none can while we do), ftrace is on and can't
 * be switched off (ingress relies on what was judged here).
 */
#include "mac80211.h"
#include "../core/compat.h"

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

/* Serialises all below; taken with or without RTNL, never the other way round. */
static DEFINE_MUTEX(fmp_rxhook_lock);
/* Devices that want frames, and whether ftrace calls; fmp_rxhook_lock. */
static unsigned int fmp_rxhook_users;
static bool fmp_rxhook_armed;

/**
 * fmp_rxhook_drop() - stand in for ieee80211_rx_list(): drop the frame
 * @hw: not used
 * @sta: not used
 * @skb: the frame, owned by the function
 * @list: not used; what is not added to it is not delivered
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
 * fmp_rxhook_enter() - ieee80211_rx_list() was called
 * @ip: not used
 * @parent_ip: not used
 * @ops: not used
 * @fregs: registers at its entry: arguments, and where to go on
 *
 * ftrace keeps it from being entered again in the same context.
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

	/* A driver that breaks the rules is told so by mac80211; counters need them. */
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
 * fmp_rxhook_genuine() - is mac80211 the one that came with the kernel
 *
 * Only then the headers tell its functions' prototypes; a backported one is
 * marked as built out of tree.
 *
 * Context: process.
 * Return: true if it is.
 */
static bool fmp_rxhook_genuine(void)
{
	struct kobject *kobj;
	struct module *mod;
	bool genuine;

	if (IS_BUILTIN(CONFIG_MAC80211))
		return true;
	/* All modules are in one set; a reference keeps one from being freed. */
	kobj = kset_find_obj(THIS_MODULE->mkobj.kobj.kset, FMP_RXHOOK_MODULE);
	if (!kobj)
		return false;
	mod = container_of(kobj, struct module_kobject, kobj)->mod;
	genuine = mod && !test_bit(TAINT_OOT_MODULE, &mod->taints);
	kobject_put(kobj);
	return genuine;
}

/**
 * fmp_rxhook_find() - find the place at which ftrace can call
 * @extack: says why not
 *
 * By way of a kprobe that is never armed: it finds functions of modules by name
 * and tells whether ftrace knows the place.
 *
 * Context: process.
 * Return: its address, or 0.
 */
static unsigned long fmp_rxhook_find(struct netlink_ext_ack *extack)
{
	struct kprobe probe = {
		.symbol_name = FMP_RXHOOK_SYMBOL,
		.flags = KPROBE_FLAG_DISABLED,
	};
	unsigned long ip;

	if (!FMP_MAC80211_KNOWN) {
		NL_SET_ERR_MSG(extack,
			       "hooked at ingress: mac80211 of this kernel was never tried");
		return 0;
	}
	if (!fmp_rxhook_genuine()) {
		NL_SET_ERR_MSG(extack, "hooked at ingress: mac80211 is not the kernel's own");
		return 0;
	}
	if (register_kprobe(&probe)) {
		NL_SET_ERR_MSG(extack, "hooked at ingress: no ieee80211_rx_list() is found");
		return 0;
	}
	ip = probe.flags & KPROBE_FLAG_FTRACE ? (unsigned long)probe.addr : 0;
	unregister_kprobe(&probe);
	if (!ip)
		NL_SET_ERR_MSG(extack, "hooked at ingress: ftrace can't call in mac80211");
	return ip;
}

/**
 * fmp_rxhook_forget() - give back the memory in which ftrace keeps the place
 *
 * It is ours, and would be lost with the module.
 *
 * Context: process, fmp_rxhook_lock held; ftrace does not call.
 */
static void fmp_rxhook_forget(void)
{
	ftrace_set_filter(&fmp_rxhook_ops, NULL, 0, 1);
}

/**
 * fmp_rxhook_arm() - have ftrace call
 * @extack: says why not
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
	ip = fmp_rxhook_find(extack);
	if (!ip)
		return -EOPNOTSUPP;

	/* The last argument: what was set before is forgotten. */
	err = ftrace_set_filter_ip(&fmp_rxhook_ops, ip, 0, 1);
	if (err) {
		NL_SET_ERR_MSG(extack, "hooked at ingress: ftrace refuses the place in mac80211");
		return err;
	}
	err = register_ftrace_function(&fmp_rxhook_ops);
	if (err) {
		fmp_rxhook_forget();
		NL_SET_ERR_MSG(extack, "hooked at ingress: mac80211 is patched, or ftrace is off");
		return err;
	}
	fmp_rxhook_armed = true;
	return 0;
}

/**
 * fmp_rxhook_disarm() - no longer be called
 *
 * When it returns, nobody is in fmp_rxhook_enter(): ftrace waited for that. Nor
 * in fmp_rxhook_drop(), or on the way from one to the other: that is within the
 * RCU read section of the caller of ieee80211_rx_list().
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
		pr_err("fmp: ftrace does not let go of mac80211 (%d)\n", err);
	else
		fmp_rxhook_forget();
	synchronize_rcu();
	fmp_rxhook_armed = false;
}

/**
 * fmp_rxhook_rest() - disarm when nobody wants frames any more
 * @work: not used
 *
 * Apart from fmp_rxhook_put(), whose caller holds RTNL and shall not wait.
 *
 * Context: process.
 */
static void fmp_rxhook_rest(struct work_struct *work)
{
	mutex_lock(&fmp_rxhook_lock);
	if (!fmp_rxhook_users)
		fmp_rxhook_disarm();
	mutex_unlock(&fmp_rxhook_lock);
}

static DECLARE_WORK(fmp_rxhook_work, fmp_rxhook_rest);

/**
 * fmp_rxhook_get() - have fmp_mac80211_blocks() asked about frames
 * @extack: says why not
 *
 * Context: process, RTNL held; a device of mac80211 is there.
 * Return: 0, to be undone by fmp_rxhook_put(), or a negative error.
 */
int fmp_rxhook_get(struct netlink_ext_ack *extack)
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
 * Frames may be asked about for a while yet.
 *
 * Context: process, RTNL held.
 */
void fmp_rxhook_put(void)
{
	mutex_lock(&fmp_rxhook_lock);
	if (!--fmp_rxhook_users)
		schedule_work(&fmp_rxhook_work);
	mutex_unlock(&fmp_rxhook_lock);
}

/**
 * fmp_rxhook_going() - let go of mac80211 before it goes
 * @nb: not used
 * @state: MODULE_STATE_*
 * @data: struct module
 *
 * Else the place would stay in the filter, and be called in whatever module
 * comes to lie there.
 *
 * Context: process.
 * Return: NOTIFY_DONE.
 */
static int fmp_rxhook_going(struct notifier_block *nb, unsigned long state, void *data)
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
	.notifier_call = fmp_rxhook_going,
};

/**
 * fmp_rxhook_init() - get ready; nothing is hooked yet
 *
 * Context: process.
 * Return: 0 or a negative error.
 */
int fmp_rxhook_init(void)
{
	return register_module_notifier(&fmp_rxhook_notifier);
}

/**
 * fmp_rxhook_exit() - let go of mac80211
 *
 * Context: process; every fmp_rxhook_get() is undone.
 */
void fmp_rxhook_exit(void)
{
	unregister_module_notifier(&fmp_rxhook_notifier);
	cancel_work_sync(&fmp_rxhook_work);
	mutex_lock(&fmp_rxhook_lock);
	fmp_rxhook_disarm();
	mutex_unlock(&fmp_rxhook_lock);
}
