/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _FMP_STATS_H
#define _FMP_STATS_H

#include <linux/percpu.h>
#include <linux/u64_stats_sync.h>

/**
 * enum fmp_stat - counters of a device, see enum fmp_dev_attr
 * @FMP_STAT_RX_FRAMES: frames whose header the filter saw; computed as the sum of
 *	those passed, stopped and dropped
 * @FMP_STAT_RX_BYTES: bytes received from the medium
 * @FMP_STAT_PASSED: frames passed
 * @FMP_STAT_STOPPED_MAC: stopped for their source MAC address
 * @FMP_STAT_STOPPED_IP: stopped for their source IP address
 * @FMP_STAT_STOPPED_FOREIGN: stopped for their destination
 * @FMP_STAT_STOPPED_BYTES: bytes that were never received
 * @FMP_STAT_DROPPED_LATE: blocked, but completely received
 * @FMP_STAT_OBSERVED: passed only because of observe mode
 * @FMP_STAT_RECORD_USED: passed by a valid header record
 * @FMP_STAT_RECORD_STALE: evaluated again because the header record was stale
 * @FMP_STATS: number of counters
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
	FMP_STAT_RECORD_USED,
	FMP_STAT_RECORD_STALE,
	FMP_STATS,
};

/**
 * struct fmp_stats - the counters of one CPU
 * @n: by enum fmp_stat; written with bottom halves off
 * @sync: keeps 32-bit machines from reading half of an update
 */
struct fmp_stats {
	u64_stats_t n[FMP_STATS];
	struct u64_stats_sync sync;
};

struct fmp_stats __percpu *fmp_stats_alloc(void);
void fmp_stats_read(const struct fmp_stats __percpu *stats, int cpu, u64 n[FMP_STATS]);
void fmp_stats_sum(const struct fmp_stats __percpu *stats, u64 sum[FMP_STATS]);

/**
 * fmp_stats_pass() - count a frame that passes
 * @stats: the counters
 * @frame_len: its length
 * @observed: only observe mode let it through
 *
 * Context: bottom halves off.
 */
static __always_inline void fmp_stats_pass(struct fmp_stats __percpu *stats, u32 frame_len,
					   bool observed)
{
	struct fmp_stats *s = this_cpu_ptr(stats);

	u64_stats_update_begin(&s->sync);
	u64_stats_add(&s->n[FMP_STAT_RX_BYTES], frame_len);
	u64_stats_inc(&s->n[FMP_STAT_PASSED]);
	if (unlikely(observed))
		u64_stats_inc(&s->n[FMP_STAT_OBSERVED]);
	u64_stats_update_end(&s->sync);
}

/**
 * fmp_stats_record() - count a header record that was used or stale
 * @stats: the counters
 * @stat: %FMP_STAT_RECORD_USED or %FMP_STAT_RECORD_STALE
 *
 * Context: bottom halves off.
 */
static inline void fmp_stats_record(struct fmp_stats __percpu *stats, enum fmp_stat stat)
{
	struct fmp_stats *s = this_cpu_ptr(stats);

	u64_stats_update_begin(&s->sync);
	u64_stats_inc(&s->n[stat]);
	u64_stats_update_end(&s->sync);
}

/**
 * fmp_stats_stop() - count a frame that is stopped or dropped
 * @stats: the counters
 * @stat: the counter of the reason
 * @taken: bytes of it that were received
 * @skipped: bytes of it that were not received
 *
 * Context: bottom halves off.
 */
static __always_inline void fmp_stats_stop(struct fmp_stats __percpu *stats, enum fmp_stat stat,
					   u32 taken, u32 skipped)
{
	struct fmp_stats *s = this_cpu_ptr(stats);

	u64_stats_update_begin(&s->sync);
	u64_stats_add(&s->n[FMP_STAT_RX_BYTES], taken);
	u64_stats_inc(&s->n[stat]);
	u64_stats_add(&s->n[FMP_STAT_STOPPED_BYTES], skipped);
	u64_stats_update_end(&s->sync);
}

#endif /* _FMP_STATS_H */
