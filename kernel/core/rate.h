/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _FMP_RATE_H
#define _FMP_RATE_H

#include <linux/types.h>

/**
 * struct fmp_rate - how much may still be done of something that is rationed
 * @credit_ns: what was saved; so many in a second cost 1 s / that many
 * @last_ns: when it was brought up to date, ns of any clock that never goes back
 */
struct fmp_rate {
	u64 credit_ns;
	u64 last_ns;
};

bool fmp_rate_take(struct fmp_rate *rate, u64 now_ns, u32 per_second, u32 burst);

#endif /* _FMP_RATE_H */
