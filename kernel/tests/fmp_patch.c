// SPDX-License-Identifier: GPL-2.0
/*
 * fmp_patch: another module that redirects a function of mac80211
 *
 * It registers at the entry of ieee80211_rx_list() with FTRACE_OPS_FL_IPMODIFY, as a
 * livepatch does, and changes no call. ftrace refuses the second of two such users.
 * tests/vm/module_mac80211.sh loads it.
 */
#include <linux/ftrace.h>
#include <linux/module.h>
#include <linux/string.h>

static unsigned char fmp_patch_function[] = "ieee80211_rx_list";

/**
 * fmp_patch_enter() - ftrace_ops.func: do nothing
 * @ip: not used
 * @parent_ip: not used
 * @ops: not used
 * @fregs: not used
 *
 * Context: that of the function, and preemption disabled.
 */
static notrace void fmp_patch_enter(unsigned long ip, unsigned long parent_ip,
				    struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
}

static struct ftrace_ops fmp_patch_ops = {
	.func = fmp_patch_enter,
	.flags = FMP_FTRACE_ARGS | FTRACE_OPS_FL_IPMODIFY | FTRACE_OPS_FL_RECURSION,
};

/**
 * fmp_patch_clear_filter() - free the filter hash of the ftrace_ops
 *
 * Context: process.
 */
static void fmp_patch_clear_filter(void)
{
	ftrace_set_filter(&fmp_patch_ops, NULL, 0, 1);
}

/**
 * fmp_patch_init() - register at the function's entry
 *
 * Context: process.
 * Return: 0, -EBUSY if another user is registered, or another error.
 */
static int __init fmp_patch_init(void)
{
	int err;

	err = ftrace_set_filter(&fmp_patch_ops, fmp_patch_function, strlen(fmp_patch_function), 1);
	if (err)
		return err;
	err = register_ftrace_function(&fmp_patch_ops);
	if (err)
		fmp_patch_clear_filter();
	return err;
}

/**
 * fmp_patch_exit() - unregister
 *
 * Context: process.
 */
static void __exit fmp_patch_exit(void)
{
	unregister_ftrace_function(&fmp_patch_ops);
	fmp_patch_clear_filter();
}

module_init(fmp_patch_init);
module_exit(fmp_patch_exit);

MODULE_DESCRIPTION("fmp: redirects a function of mac80211, for tests");
MODULE_AUTHOR("The fmp project");
MODULE_LICENSE("GPL");
