// SPDX-License-Identifier: GPL-2.0
/*
 * The ftrace hook at the entry of ieee80211_rx_list(), which all frames of all
 * mac80211 drivers pass
 *
 * The kernel needs no patch: ftrace calls fmp_rxhook_enter() when the function is
 * entered, and a frame to be dropped is redirected to fmp_rxhook_drop(). The
 * function is looked up by name each time that the hook is set.
 *
 * The hook is set only if all of this holds: the kernel is a tested version;
 * mac80211 came with the kernel, so that the prototype in the headers is right; the
 * entry is an ftrace location; no other user redirects the function (a livepatch
 * does, and none can while this hook is set); ftrace is on and can't be switched
 * off, because ingress relies on the evaluation here.
 */
#include "mac80211.h"
#include "rxhook.h"

#include <linux/ftrace.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/rcupdate.h>
#include <linux/skbuff.h>
#include <linux/string.h>
#include <net/mac80211.h>

#if IS_MODULE(CONFIG_MAC80211)
#define FMP_RXHOOK_SYMBOL FMP_RXHOOK_MODULE ":ieee80211_rx_list"
#else
#define FMP_RXHOOK_SYMBOL "ieee80211_rx_list"
#endif

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
	const struct ieee80211_sta *sta;
	struct ieee80211_hw *hw;
	struct sk_buff *skb;

	if (unlikely(!ftrace_regs_has_args(fregs)))
		return;
	hw = (void *)ftrace_regs_get_argument(fregs, 0);
	sta = (void *)ftrace_regs_get_argument(fregs, 1);
	skb = (void *)ftrace_regs_get_argument(fregs, 2);
	if (fmp_mac80211_blocks(hw, sta, skb))
		ftrace_regs_set_instruction_pointer(fregs, (unsigned long)fmp_rxhook_drop);
}

static struct ftrace_ops fmp_rxhook_ops = {
	.func = fmp_rxhook_enter,
	.flags = FMP_FTRACE_ARGS | FTRACE_OPS_FL_IPMODIFY | FTRACE_OPS_FL_RECURSION |
		 FTRACE_OPS_FL_PERMANENT,
};

/**
 * fmp_rxhook_is_backport() - check whether mac80211 did not come with the kernel
 *
 * Only if it did the headers have the right prototypes. A backported module has the
 * taint of an out-of-tree build.
 *
 * Context: process.
 * Return: true if it is loaded and did not.
 */
static bool fmp_rxhook_is_backport(void)
{
	struct kobject *kobj;
	struct module *mod;
	bool backport;

	/* What is built in came with the kernel. If this file is, there is no THIS_MODULE. */
	if (IS_BUILTIN(CONFIG_MAC80211) || !__is_defined(MODULE))
		return false;
	/* All modules are in one kset; the reference keeps the module from being freed. */
	kobj = kset_find_obj(THIS_MODULE->mkobj.kobj.kset, FMP_RXHOOK_MODULE);
	if (!kobj)
		return false;
	mod = container_of(kobj, struct module_kobject, kobj)->mod;
	backport = !mod || test_bit(TAINT_OOT_MODULE, &mod->taints);
	kobject_put(kobj);
	return backport;
}

static int fmp_rxhook_ftrace_probe(struct netlink_ext_ack *extack)
{
	if (!FMP_MAC80211_KNOWN) {
		NL_SET_ERR_MSG(extack, "hooked at ingress: mac80211 of this kernel is not tested");
		return -EOPNOTSUPP;
	}
	if (fmp_rxhook_is_backport()) {
		NL_SET_ERR_MSG(extack, "hooked at ingress: mac80211 is not the kernel's own");
		return -EOPNOTSUPP;
	}
	return 0;
}

/**
 * fmp_rxhook_find_entry() - find the address of ieee80211_rx_list()
 * @extack: filled with the reason on error
 *
 * Use a kprobe that is never enabled: it finds functions of modules by name.
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

	if (register_kprobe(&probe)) {
		NL_SET_ERR_MSG(extack, "hooked at ingress: ieee80211_rx_list() not found");
		return 0;
	}
	unregister_kprobe(&probe);
	return (unsigned long)probe.addr;
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

static int fmp_rxhook_ftrace_arm(struct netlink_ext_ack *extack)
{
	int err = fmp_rxhook_ftrace_probe(extack);
	unsigned long ip;

	if (err)
		return err;
	ip = fmp_rxhook_find_entry(extack);
	if (!ip)
		return -EOPNOTSUPP;

	/* The last argument, reset, discards an earlier filter. */
	err = ftrace_set_filter_ip(&fmp_rxhook_ops, ip, 0, 1);
	if (err) {
		NL_SET_ERR_MSG(extack, "hooked at ingress: ftrace can't call in mac80211");
		return err;
	}
	err = register_ftrace_function(&fmp_rxhook_ops);
	if (err) {
		fmp_rxhook_clear_filter();
		NL_SET_ERR_MSG(extack, "hooked at ingress: mac80211 is patched, or ftrace is off");
	}
	return err;
}

/**
 * fmp_rxhook_ftrace_disarm() - remove the hook
 *
 * On return no CPU is in fmp_rxhook_enter(), because ftrace waits for that. No CPU
 * is in fmp_rxhook_drop() or between both either: that is within the RCU read
 * section of the caller of ieee80211_rx_list(), and this waits for a grace period.
 *
 * Context: process, fmp_rxhook_lock held; may take seconds.
 */
static void fmp_rxhook_ftrace_disarm(void)
{
	int err = unregister_ftrace_function(&fmp_rxhook_ops);

	if (err)
		pr_err("fmp: ftrace can't remove its hook in mac80211 (%d)\n", err);
	else
		fmp_rxhook_clear_filter();
	synchronize_rcu();
}

const struct fmp_rxhook_way fmp_rxhook_ftrace = {
	.hook = FMP_HOOK_MAC80211,
	.probe = fmp_rxhook_ftrace_probe,
	.arm = fmp_rxhook_ftrace_arm,
	.disarm = fmp_rxhook_ftrace_disarm,
};
