/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Differences between the kernels that the module is built for (6.1 to 6.12)
 */
#ifndef _FMP_COMPAT_H
#define _FMP_COMPAT_H

#include <linux/version.h>

/* Moved in 6.12. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 12, 0)
#include <asm/unaligned.h>
#else
#include <linux/unaligned.h>
#endif

/* Kernels whose ieee80211_rx_list() was tested; a newer kernel's may behave differently. */
#define FMP_MAC80211_KNOWN                                \
	(LINUX_VERSION_CODE >= KERNEL_VERSION(6, 1, 0) && \
	 LINUX_VERSION_CODE < KERNEL_VERSION(6, 13, 0))

/* Renamed in 6.4: any number of bytes in front of an 802.11 frame. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 4, 0)
#define FMP_RX_FLAG_RADIOTAP_ANY RX_FLAG_RADIOTAP_VENDOR_DATA
#else
#define FMP_RX_FLAG_RADIOTAP_ANY RX_FLAG_RADIOTAP_TLV_AT_END
#endif

/* From 6.6 on a dump has its attributes in a struct genl_info. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 6, 0)
#define fmp_dump_attrs(cb) (genl_dumpit_info(cb)->attrs)
#else
#define fmp_dump_attrs(cb) (genl_info_dump(cb)->attrs)
#endif

#endif /* _FMP_COMPAT_H */
