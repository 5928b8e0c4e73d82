/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _FMP_RATE_H
#define _FMP_RATE_H

#include <linux/types.h>

/**
 * struct fmp_rate - token bucket
 * @credit_ns: tokens saved, in ns: at N tokens per second a token costs 1 s / N
 * @last_ns: time of the last update, ns of any monotonic clock; 0 before the first
 */
struct fmp_rate {
	u64 credit_ns;
	u64 last_ns;
};

bool fmp_rate_take(struct fmp_rate *rate, u64 now_ns, u32 per_second, u32 burst);

#endif /* _FMP_RATE_H */
