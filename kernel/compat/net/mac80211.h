/* SPDX-License-Identifier: GPL-2.0 */
/*
 * <net/mac80211.h>: in 6.4 the flag for any number of bytes in front of a frame was renamed
 */
#ifndef _FMP_COMPAT_NET_MAC80211_H
#define _FMP_COMPAT_NET_MAC80211_H

#include <linux/version.h>
#include_next <net/mac80211.h>

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 4, 0)
#define RX_FLAG_RADIOTAP_TLV_AT_END RX_FLAG_RADIOTAP_VENDOR_DATA
#endif

/* Kernels whose ieee80211_rx_list() was tested; a newer kernel's may behave differently. */
#define FMP_MAC80211_KNOWN                                \
	(LINUX_VERSION_CODE >= KERNEL_VERSION(6, 1, 0) && \
	 LINUX_VERSION_CODE < KERNEL_VERSION(6, 13, 0))

#endif /* _FMP_COMPAT_NET_MAC80211_H */
