/* SPDX-License-Identifier: GPL-2.0 */
/*
 * <net/udp.h>: before 5.18 MSG_DONTWAIT was an argument of its own
 */
#ifndef _FMP_COMPAT_NET_UDP_H
#define _FMP_COMPAT_NET_UDP_H

#include <linux/version.h>
#include_next <net/udp.h>

#if LINUX_VERSION_CODE < KERNEL_VERSION(5, 18, 0)
static inline struct sk_buff *fmp_skb_recv_udp(struct sock *sk, unsigned int flags, int *off,
					       int *err)
{
	return __skb_recv_udp(sk, flags & ~MSG_DONTWAIT, flags & MSG_DONTWAIT, off, err);
}

#define __skb_recv_udp fmp_skb_recv_udp
#endif

#endif /* _FMP_COMPAT_NET_UDP_H */
