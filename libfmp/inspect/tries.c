// SPDX-License-Identifier: GPL-2.0
#include "inspect/tries.h"

static bool is_empty(const struct fmpi_bucket *b, unsigned most, uint64_t each_ns, uint64_t now_ns)
{
	return b->full_ns > now_ns && b->full_ns - now_ns > (most - 1) * each_ns;
}

/* It may be taken from when it is empty: of what was on its way then. */
static void take(struct fmpi_bucket *b, uint64_t each_ns, uint64_t now_ns)
{
	b->full_ns = (b->full_ns > now_ns ? b->full_ns : now_ns) + each_ns;
}

static unsigned find(const struct fmpi_tries *t, const struct fmp_addr *source)
{
	unsigned i = 0;

	while (i < FMPI_TRIES_SOURCES && !fmp_addr_equal(&t->source[i].addr, source))
		i++;
	return i;
}

/*
 * The one that is full first: as a rule it is full. One bucket of all is empty long before 64
 * sources have one that is not.
 */
static unsigned fullest(const struct fmpi_tries *t)
{
	unsigned best = 0;

	for (unsigned i = 1; i < FMPI_TRIES_SOURCES; i++)
		if (t->source[i].left.full_ns < t->source[best].left.full_ns)
			best = i;
	return best;
}

bool fmpi_tries_spent(const struct fmpi_tries *t, const struct fmp_addr *source, uint64_t now_ns)
{
	unsigned i = find(t, source);

	return is_empty(&t->all, FMPI_TRIES, FMPI_TRIES_NS, now_ns) ||
	       (i < FMPI_TRIES_SOURCES &&
		is_empty(&t->source[i].left, FMPI_TRIES_SOURCE, FMPI_TRIES_SOURCE_NS, now_ns));
}

void fmpi_tries_take(struct fmpi_tries *t, const struct fmp_addr *source, uint64_t now_ns)
{
	unsigned i = find(t, source);

	if (i == FMPI_TRIES_SOURCES) {
		i = fullest(t);
		t->source[i].addr = *source;
		t->source[i].left.full_ns = 0;
	}
	take(&t->source[i].left, FMPI_TRIES_SOURCE_NS, now_ns);
	take(&t->all, FMPI_TRIES_NS, now_ns);
}
