// SPDX-License-Identifier: GPL-2.0
#include "observe_budget.h"

#define SECOND_NS 1000000000ull

/* Find the bucket of the source; without one, take the one that is full first. */
static unsigned find_bucket(const struct gw_observe_budget *b, const struct fmp_addr *source)
{
	unsigned best = 0;

	for (unsigned i = 0; i < GW_OBSERVE_SOURCES; i++) {
		if (fmp_addr_equal(&b->bucket[i].source, source))
			return i;
		if (b->bucket[i].full_ns < b->bucket[best].full_ns)
			best = i;
	}
	return best;
}

/* When a bucket of @rate requests a second is full again if one more is taken; 0: it is empty. */
static uint64_t refilled_at(uint64_t full_ns, unsigned rate, uint64_t now_ns)
{
	uint64_t at = (full_ns > now_ns ? full_ns : now_ns) + SECOND_NS / rate;

	return at - now_ns > SECOND_NS ? 0 : at;
}

bool gw_observe_budget_take(struct gw_observe_budget *b, const struct fmp_addr *source,
			    uint64_t now_ns)
{
	unsigned i = find_bucket(b, source);
	uint64_t all = refilled_at(b->full_ns, GW_OBSERVE_RATE, now_ns);
	uint64_t own = refilled_at(b->bucket[i].full_ns, GW_OBSERVE_SOURCE_RATE, now_ns);

	if (!all || !own)
		return false;
	b->full_ns = all;
	/* A new source may inherit what the previous one spent. */
	b->bucket[i].source = *source;
	b->bucket[i].full_ns = own;
	return true;
}
