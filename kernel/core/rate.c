// SPDX-License-Identifier: GPL-2.0
/*
 * Token bucket: a rate per second, and a burst after a silence
 *
 * The kernel's own ___ratelimit() restarts its window and so lets twice the burst
 * through around the border of two windows, and it writes to the log.
 */
#include "rate.h"

#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/time64.h>

/**
 * fmp_rate_take() - take one token, if there is one
 * @rate: the bucket; all zero means that it is full
 * @now_ns: current time
 * @per_second: tokens added per second, at least 1
 * @burst: size of the bucket, at least 1
 *
 * Context: any; the caller serializes.
 * Return: false if the bucket is empty.
 */
bool fmp_rate_take(struct fmp_rate *rate, u64 now_ns, u32 per_second, u32 burst)
{
	u64 cost = div_u64(NSEC_PER_SEC, per_second);
	u64 full = cost * burst;
	u64 grown;

	/* last_ns = 0 means that nothing was taken yet. */
	now_ns = max_t(u64, now_ns, 1);
	grown = now_ns - rate->last_ns;
	if (!rate->last_ns || grown >= full - rate->credit_ns)
		rate->credit_ns = full;
	else
		rate->credit_ns += grown;
	rate->last_ns = now_ns;
	if (rate->credit_ns < cost)
		return false;
	rate->credit_ns -= cost;
	return true;
}
