/* SPDX-License-Identifier: GPL-2.0 */
/*
 * <net/cfg80211.h>: devices of several links came in 6.0
 */
#ifndef _FMP_COMPAT_NET_CFG80211_H
#define _FMP_COMPAT_NET_CFG80211_H

#include <linux/version.h>
#include_next <net/cfg80211.h>

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 0, 0)
#define WIPHY_FLAG_SUPPORTS_MLO 0
#endif

#endif /* _FMP_COMPAT_NET_CFG80211_H */
