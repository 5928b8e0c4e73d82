/* SPDX-License-Identifier: GPL-2.0 */
/*
 * <net/dropreason.h>: reasons of a subsystem, which the kernel knows of from 6.4 on;
 * the header itself came in 6.0, reasons of netfilter in 5.18
 */
#ifndef _FMP_COMPAT_NET_DROPREASON_H
#define _FMP_COMPAT_NET_DROPREASON_H

#include <linux/version.h>

#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 0, 0)
#include_next <net/dropreason.h>
#else
#include <linux/skbuff.h>
#endif

#if LINUX_VERSION_CODE < KERNEL_VERSION(5, 18, 0)
/* Some have the function, none the reason. */
#define kfree_skb_reason(skb, reason) kfree_skb(skb)
#endif

/*
 * A reason of the subsystem, or @core in a kernel whose list of subsystems, which is
 * fixed, does not have this one: scripts/kernel-tree adds it.
 */
#ifdef SKB_DROP_REASON_SUBSYS_FMP
#define FMP_DROP_REASON(own, core)                                         \
	((__force enum skb_drop_reason)((own) | SKB_DROP_REASON_SUBSYS_FMP \
							<< SKB_DROP_REASON_SUBSYS_SHIFT))
#else
#define FMP_DROP_REASON(own, core) (core)
#endif

#endif /* _FMP_COMPAT_NET_DROPREASON_H */
