// SPDX-License-Identifier: GPL-2.0
/*
 * Counters of a device: 64 bits, one set a CPU
 */
#include "stats.h"

#include <linux/cpumask.h>
#include <linux/string.h>

/**
 * fmp_stats_alloc() - make a set of counters
 *
 * Context: process, may sleep.
 * Return: the counters, all zero, freed by free_percpu(); or NULL.
 */
struct fmp_stats __percpu *fmp_stats_alloc(void)
{
	struct fmp_stats __percpu *stats = alloc_percpu(struct fmp_stats);
	int cpu;

	if (!stats)
		return NULL;
	for_each_possible_cpu(cpu)
		u64_stats_init(&per_cpu_ptr(stats, cpu)->sync);
	return stats;
}

/**
 * fmp_stats_sum() - read the counters
 * @stats: the counters
 * @sum: filled, by enum fmp_stat
 *
 * Context: any.
 */
void fmp_stats_sum(const struct fmp_stats __percpu *stats, u64 sum[FMP_STATS])
{
	int cpu, i;

	memset(sum, 0, FMP_STATS * sizeof(*sum));
	for_each_possible_cpu(cpu) {
		const struct fmp_stats *s = per_cpu_ptr(stats, cpu);
		u64 one[FMP_STATS];
		unsigned int start;

		do {
			start = u64_stats_fetch_begin(&s->sync);
			for (i = 0; i < FMP_STATS; i++)
				one[i] = u64_stats_read(&s->n[i]);
		} while (u64_stats_fetch_retry(&s->sync, start));

		for (i = 0; i < FMP_STATS; i++)
			sum[i] += one[i];
	}
}

/**
 * fmp_stats_pass() - count a frame that goes on
 * @stats: the counters
 * @frame_len: its length
 * @observed: only observe mode let it through
 *
 * Context: bottom halves off.
 */
void fmp_stats_pass(struct fmp_stats __percpu *stats, u32 frame_len, bool observed)
{
	struct fmp_stats *s = this_cpu_ptr(stats);

	u64_stats_update_begin(&s->sync);
	u64_stats_inc(&s->n[FMP_STAT_RX_FRAMES]);
	u64_stats_add(&s->n[FMP_STAT_RX_BYTES], frame_len);
	u64_stats_inc(&s->n[FMP_STAT_PASSED]);
	if (observed)
		u64_stats_inc(&s->n[FMP_STAT_OBSERVED]);
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
void fmp_stats_stop(struct fmp_stats __percpu *stats, enum fmp_stat why, u32 taken, u32 spared)
{
	struct fmp_stats *s = this_cpu_ptr(stats);

	u64_stats_update_begin(&s->sync);
	u64_stats_inc(&s->n[FMP_STAT_RX_FRAMES]);
	u64_stats_add(&s->n[FMP_STAT_RX_BYTES], taken);
	u64_stats_inc(&s->n[why]);
	u64_stats_add(&s->n[FMP_STAT_STOPPED_BYTES], spared);
	u64_stats_update_end(&s->sync);
}
