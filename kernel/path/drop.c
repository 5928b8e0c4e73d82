// SPDX-License-Identifier: GPL-2.0
/*
 * Dropping an skb so that drop monitors see why
 *
 * They show the reason, and the function that dropped the frame. A kernel's list of
 * subsystems with reasons of their own is fixed when it is compiled. If this one is in
 * it (scripts/kernel-tree), its reasons have names; in any other kernel the reason is
 * NETFILTER_DROP. So there is a function for each reason, and the location of the
 * tracepoint skb:kfree_skb tells them apart on every kernel.
 */
#include "drop.h"

#include <linux/init.h>
#include <linux/skbuff.h>
#include <net/dropreason.h>

#ifdef SKB_DROP_REASON_SUBSYS_FMP
static const char *const fmp_drop_names[FMP_DROP_REASONS] = {
	[FMP_DROP_REASON_UNSPEC] = "FMP_UNSPEC",
	[FMP_DROP_REASON_MAC] = "FMP_MAC",
	[FMP_DROP_REASON_IPV4] = "FMP_IPV4",
	[FMP_DROP_REASON_IPV6] = "FMP_IPV6",
};

static const struct drop_reason_list fmp_drop_list = {
	.reasons = fmp_drop_names,
	.n_reasons = ARRAY_SIZE(fmp_drop_names),
};

/**
 * fmp_drop_init() - register the names of the reasons, if the kernel has a place for them
 *
 * Context: process.
 */
void __init fmp_drop_init(void)
{
	drop_reasons_register_subsys(SKB_DROP_REASON_SUBSYS_FMP, &fmp_drop_list);
}

/**
 * fmp_drop_exit() - undo fmp_drop_init()
 *
 * Context: process, may sleep.
 */
void fmp_drop_exit(void)
{
	drop_reasons_unregister_subsys(SKB_DROP_REASON_SUBSYS_FMP);
}
#else
void __init fmp_drop_init(void)
{
}

void fmp_drop_exit(void)
{
}
#endif

/**
 * fmp_drop_here() - free the skb of a blocked frame, in the calling function's name
 * @skb: the frame
 * @reason: the reason, a constant
 *
 * The statement behind the call prevents a tail call, which would make the caller's
 * caller the location; its operand keeps the compiler from merging the callers.
 *
 * Context: any.
 */
static __always_inline void fmp_drop_here(struct sk_buff *skb, const enum fmp_drop_reason reason)
{
	kfree_skb_reason(skb, FMP_DROP_REASON(reason, SKB_DROP_REASON_NETFILTER_DROP));
	asm volatile("" : : "i"(reason));
}

static noinline void fmp_drop_mac(struct sk_buff *skb)
{
	fmp_drop_here(skb, FMP_DROP_REASON_MAC);
}

static noinline void fmp_drop_ipv4(struct sk_buff *skb)
{
	fmp_drop_here(skb, FMP_DROP_REASON_IPV4);
}

static noinline void fmp_drop_ipv6(struct sk_buff *skb)
{
	fmp_drop_here(skb, FMP_DROP_REASON_IPV6);
}

/**
 * fmp_drop_frame() - free the skb of a blocked frame
 * @skb: the frame
 * @rx: its evaluation: reason and network header
 *
 * Context: any.
 */
void fmp_drop_frame(struct sk_buff *skb, const struct fmp_rx *rx)
{
	if (rx->reason == FMP_RX_REASON_MAC)
		fmp_drop_mac(skb);
	else if (rx->hdr.l3 == FMP_L3_IPV6)
		fmp_drop_ipv6(skb);
	else
		fmp_drop_ipv4(skb);
}
