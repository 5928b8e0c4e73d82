// SPDX-License-Identifier: GPL-2.0
#include <fmp/internal/decrypt_budget.h>

static bool is_empty(const struct fmpi_bucket *b, unsigned most, uint64_t each_ns, uint64_t now_ns)
{
	return b->full_ns > now_ns && b->full_ns - now_ns > (most - 1) * each_ns;
}

/* The bucket may already be empty: messages that were in work when it became so are charged too. */
static void charge_bucket(struct fmpi_bucket *b, uint64_t each_ns, uint64_t now_ns)
{
	b->full_ns = (b->full_ns > now_ns ? b->full_ns : now_ns) + each_ns;
}

static unsigned find_source(const struct fmp_decrypt_budget *t, const struct fmp_addr *source)
{
	unsigned i = 0;

	while (i < FMP_DECRYPT_BUDGET_SOURCES && !fmp_addr_equal(&t->source[i].addr, source))
		i++;
	return i;
}

/*
 * Find the bucket that is full first, for reuse. It usually is full already: the bucket of all
 * sources is empty long before 64 sources have a partly empty one.
 */
static unsigned find_fullest(const struct fmp_decrypt_budget *t)
{
	unsigned best = 0;

	for (unsigned i = 1; i < FMP_DECRYPT_BUDGET_SOURCES; i++)
		if (t->source[i].left.full_ns < t->source[best].left.full_ns)
			best = i;
	return best;
}

bool fmp_decrypt_budget_spent(const struct fmp_decrypt_budget *t, const struct fmp_addr *source,
			      uint64_t now_ns)
{
	unsigned i = find_source(t, source);

	return is_empty(&t->all, FMP_DECRYPT_BUDGET, FMP_DECRYPT_BUDGET_NS, now_ns) ||
	       (i < FMP_DECRYPT_BUDGET_SOURCES &&
		is_empty(&t->source[i].left, FMP_DECRYPT_BUDGET_SOURCE,
			 FMP_DECRYPT_BUDGET_SOURCE_NS, now_ns));
}

void fmp_decrypt_budget_take(struct fmp_decrypt_budget *t, const struct fmp_addr *source,
			     uint64_t now_ns)
{
	unsigned i = find_source(t, source);

	if (i == FMP_DECRYPT_BUDGET_SOURCES) {
		i = find_fullest(t);
		t->source[i].addr = *source;
		t->source[i].left.full_ns = 0;
	}
	charge_bucket(&t->source[i].left, FMP_DECRYPT_BUDGET_SOURCE_NS, now_ns);
	charge_bucket(&t->all, FMP_DECRYPT_BUDGET_NS, now_ns);
}
