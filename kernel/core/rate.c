// SPDX-License-Identifier: GPL-2.0
/*
 * Rationing: so many in a second, and so many at once after a silence
 *
 * The kernel's own ___ratelimit() starts a window anew and so lets twice the
 * burst through around its border, and it writes to the log.
 */
#include "rate.h"

#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/time64.h>

/**
 * fmp_rate_take() - take one, if there is one
 * @rate: what is left; all zero means all of @burst
 * @now_ns: time
 * @per_second: how many grow in a second, at least 1
 * @burst: how many are there at most, at least 1
 *
 * Context: any; the caller serialises.
 * Return: false if none is left.
 */
bool fmp_rate_take(struct fmp_rate *rate, u64 now_ns, u32 per_second, u32 burst)
{
	u64 cost = div_u64(NSEC_PER_SEC, per_second);
	u64 full = cost * burst;
	u64 grown;

	/* 0 says that nothing was taken yet. */
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
