/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _FMP_STATS_H
#define _FMP_STATS_H

#include <linux/percpu.h>
#include <linux/u64_stats_sync.h>

/**
 * enum fmp_stat - counters of a device, see enum fmp_dev_attr
 * @FMP_STAT_RX_FRAMES: frames whose header the filter saw
 * @FMP_STAT_RX_BYTES: bytes taken from the medium
 * @FMP_STAT_PASSED: frames handed on
 * @FMP_STAT_STOPPED_MAC: stopped for their source MAC address
 * @FMP_STAT_STOPPED_IP: stopped for their source IP address
 * @FMP_STAT_STOPPED_FOREIGN: stopped for their destination
 * @FMP_STAT_STOPPED_BYTES: bytes that were never taken
 * @FMP_STAT_DROPPED_LATE: blocked, but complete already
 * @FMP_STAT_OBSERVED: let through by observe mode only
 * @FMP_STATS: how many there are
 */
enum fmp_stat {
	FMP_STAT_RX_FRAMES,
	FMP_STAT_RX_BYTES,
	FMP_STAT_PASSED,
	FMP_STAT_STOPPED_MAC,
	FMP_STAT_STOPPED_IP,
	FMP_STAT_STOPPED_FOREIGN,
	FMP_STAT_STOPPED_BYTES,
	FMP_STAT_DROPPED_LATE,
	FMP_STAT_OBSERVED,
	FMP_STATS,
};

/**
 * struct fmp_stats - the counters of one CPU
 * @n: by enum fmp_stat; written with bottom halves off
 * @sync: lets 32-bit machines read them whole
 */
struct fmp_stats {
	u64_stats_t n[FMP_STATS];
	struct u64_stats_sync sync;
};

struct fmp_stats __percpu *fmp_stats_alloc(void);
void fmp_stats_sum(const struct fmp_stats __percpu *stats, u64 sum[FMP_STATS]);
void fmp_stats_pass(struct fmp_stats __percpu *stats, u32 frame_len, bool observed);
void fmp_stats_stop(struct fmp_stats __percpu *stats, enum fmp_stat why, u32 taken, u32 spared);

#endif /* _FMP_STATS_H */
