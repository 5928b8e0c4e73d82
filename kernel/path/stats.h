/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _FMP_STATS_H
#define _FMP_STATS_H

#include <linux/percpu.h>
#include <linux/u64_stats_sync.h>

/**
 * enum fmp_stat - counters of a device, see enum fmp_dev_attr
 * @FMP_STAT_RX_FRAMES: frames whose header the filter saw; not counted, the sum
 *	of those passed, stopped and dropped
 * @FMP_STAT_RX_BYTES: bytes taken from the medium
 * @FMP_STAT_PASSED: frames handed on
 * @FMP_STAT_STOPPED_MAC: stopped for their source MAC address
 * @FMP_STAT_STOPPED_IP: stopped for their source IP address
 * @FMP_STAT_STOPPED_FOREIGN: stopped for their destination
 * @FMP_STAT_STOPPED_BYTES: bytes that were never taken
 * @FMP_STAT_DROPPED_LATE: blocked, but complete already
 * @FMP_STAT_OBSERVED: let through by observe mode only
 * @FMP_STAT_RECORD_USED: passed on the word of the header record
 * @FMP_STAT_RECORD_STALE: judged anew, the header record was not true any more
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
	FMP_STAT_RECORD_USED,
	FMP_STAT_RECORD_STALE,
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
void fmp_stats_read(const struct fmp_stats __percpu *stats, int cpu, u64 n[FMP_STATS]);
void fmp_stats_sum(const struct fmp_stats __percpu *stats, u64 sum[FMP_STATS]);

/**
 * fmp_stats_pass() - count a frame that goes on
 * @stats: the counters
 * @frame_len: its length
 * @observed: only observe mode let it through
 *
 * Context: bottom halves off.
 */
static inline void fmp_stats_pass(struct fmp_stats __percpu *stats, u32 frame_len, bool observed)
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
 * fmp_stats_record() - count what became of a header record
 * @stats: the counters
 * @what: %FMP_STAT_RECORD_USED or %FMP_STAT_RECORD_STALE
 *
 * Context: bottom halves off.
 */
static inline void fmp_stats_record(struct fmp_stats __percpu *stats, enum fmp_stat what)
{
	struct fmp_stats *s = this_cpu_ptr(stats);

	u64_stats_update_begin(&s->sync);
	u64_stats_inc(&s->n[what]);
	u64_stats_update_end(&s->sync);
}

/**
 * fmp_stats_stop() - count a frame that ends here
 * @stats: the counters
 * @why: the counter of the reason
 * @taken: bytes of it that were received
 * @spared: bytes of it that were not
 *
 * Context: bottom halves off.
 */
static inline void fmp_stats_stop(struct fmp_stats __percpu *stats, enum fmp_stat why, u32 taken,
				  u32 spared)
{
	struct fmp_stats *s = this_cpu_ptr(stats);

	u64_stats_update_begin(&s->sync);
	u64_stats_add(&s->n[FMP_STAT_RX_BYTES], taken);
	u64_stats_inc(&s->n[why]);
	u64_stats_add(&s->n[FMP_STAT_STOPPED_BYTES], spared);
	u64_stats_update_end(&s->sync);
}

#endif /* _FMP_STATS_H */
