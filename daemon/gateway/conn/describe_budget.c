// SPDX-License-Identifier: GPL-2.0
#include "describe_budget.h"

#define SECOND_NS 1000000000ull

/* Find the bucket of the source; without one, take the one that is full first. */
static unsigned find_bucket(const struct gw_describe_budget *b, const struct fmp_addr *source)
{
	unsigned best = 0;

	for (unsigned i = 0; i < GW_DESCRIBE_SOURCES; i++) {
		if (fmp_addr_equal(&b->bucket[i].source, source))
			return i;
		if (b->bucket[i].full_ns < b->bucket[best].full_ns)
			best = i;
	}
	return best;
}

bool gw_describe_budget_take(struct gw_describe_budget *b, const struct fmp_addr *source,
			     size_t bytes, uint64_t now_ns)
{
	unsigned i = find_bucket(b, source);
	uint64_t from = b->bucket[i].full_ns, cost = bytes * SECOND_NS / GW_DESCRIBE_RATE;

	/* A new source may inherit what the previous one spent, but never its remaining tokens. */
	b->bucket[i].source = *source;
	if (from < now_ns)
		from = now_ns;
	if (from - now_ns + cost > GW_DESCRIBE_BURST / GW_DESCRIBE_RATE * SECOND_NS)
		return false;
	b->bucket[i].full_ns = from + cost;
	return true;
}
