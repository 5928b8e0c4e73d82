/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _FMP_KSHIM_IPV6_H
#define _FMP_KSHIM_IPV6_H

#include <linux/in6.h>

#include_next <linux/ipv6.h>

/* The kernel's names, beside those of the userspace header. */
#ifndef IPPROTO_HOPOPTS
#define IPPROTO_HOPOPTS	 0
#define IPPROTO_ROUTING	 43
#define IPPROTO_FRAGMENT 44
#define IPPROTO_ICMPV6	 58
#define IPPROTO_NONE	 59
#define IPPROTO_DSTOPTS	 60
#define IPPROTO_MH	 135
#endif

#endif /* _FMP_KSHIM_IPV6_H */
