/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which requests are observed: some of all, and few of one source, so that one with many requests does not hide the others.
 * Pure.
 */
#ifndef GW_OBSERVE_BUDGET_H
#define GW_OBSERVE_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

#include <fmp/source.h>

#define GW_OBSERVE_RATE	       10u /**< requests a second, as many at once */
#define GW_OBSERVE_SOURCE_RATE 2u /**< of one source, as many at once */
#define GW_OBSERVE_SOURCES     64u /**< sources that are counted one by one at the same time */

/** struct gw_observe_budget - starts zeroed */
struct gw_observe_budget {
	uint64_t full_ns; /* when all is available again */
	struct {
		struct fmp_addr source;
		uint64_t full_ns;
	} bucket[GW_OBSERVE_SOURCES];
};

/** gw_observe_budget_take() - Return: is this request to be observed? */
bool gw_observe_budget_take(struct gw_observe_budget *b, const struct fmp_addr *source,
			    uint64_t now_ns);

#endif
