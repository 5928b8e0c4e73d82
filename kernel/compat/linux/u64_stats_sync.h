/* SPDX-License-Identifier: GPL-2.0 */
/*
 * <linux/u64_stats_sync.h>: on 32-bit machines with one processor a reader before 6.1
 * had to turn off interrupts, or a softirq could write in the middle of its counter
 */
#ifndef _FMP_COMPAT_LINUX_U64_STATS_SYNC_H
#define _FMP_COMPAT_LINUX_U64_STATS_SYNC_H

#include <linux/version.h>
#include_next <linux/u64_stats_sync.h>

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 1, 0)
#define u64_stats_fetch_begin u64_stats_fetch_begin_irq
#define u64_stats_fetch_retry u64_stats_fetch_retry_irq
#endif

#endif /* _FMP_COMPAT_LINUX_U64_STATS_SYNC_H */
