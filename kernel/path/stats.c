// SPDX-License-Identifier: GPL-2.0
/*
 * Counters of a device: 64 bits, one set per CPU
 */
#include "stats.h"

#include <linux/cpumask.h>
#include <linux/gfp.h>
#include <linux/string.h>

/**
 * fmp_stats_alloc() - allocate the counters of a device
 *
 * Context: process, may sleep.
 * Return: the counters, all zero, freed by free_percpu(); or NULL.
 */
struct fmp_stats __percpu *fmp_stats_alloc(void)
{
	struct fmp_stats __percpu *stats = alloc_percpu_gfp(struct fmp_stats, GFP_KERNEL_ACCOUNT);
	int cpu;

	if (!stats)
		return NULL;
	for_each_possible_cpu(cpu)
		u64_stats_init(&per_cpu_ptr(stats, cpu)->sync);
	return stats;
}

/**
 * fmp_stats_read() - read the counters of one CPU
 * @stats: the counters
 * @cpu: its number
 * @n: filled, by enum fmp_stat
 *
 * Context: any.
 */
void fmp_stats_read(const struct fmp_stats __percpu *stats, int cpu, u64 n[FMP_STATS])
{
	const struct fmp_stats *s = per_cpu_ptr(stats, cpu);
	unsigned int start;
	int i;

	do {
		start = u64_stats_fetch_begin(&s->sync);
		for (i = 0; i < FMP_STATS; i++)
			n[i] = u64_stats_read(&s->n[i]);
	} while (u64_stats_fetch_retry(&s->sync, start));
	/* Each frame is counted once, by its result. */
	n[FMP_STAT_RX_FRAMES] = n[FMP_STAT_PASSED] + n[FMP_STAT_STOPPED_MAC] +
				n[FMP_STAT_STOPPED_IP] + n[FMP_STAT_STOPPED_FOREIGN] +
				n[FMP_STAT_DROPPED_LATE];
}

/**
 * fmp_stats_sum() - read the counters of all CPUs
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
		u64 one[FMP_STATS];

		fmp_stats_read(stats, cpu, one);
		for (i = 0; i < FMP_STATS; i++)
			sum[i] += one[i];
	}
}
