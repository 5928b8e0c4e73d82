// SPDX-License-Identifier: GPL-2.0
#include "blocklist.h"

#include <stdlib.h>
#include <sys/queue.h>
#include <sys/random.h>

#define PREFIXES 129 /* prefix lengths 0 to 128 */

struct source {
	SLIST_ENTRY(source) chain;
	struct fmp_addr addr;
	uint64_t until_ms; /* 0: without end */
};
SLIST_HEAD(bucket, source);

struct gw_blocklist {
	uint64_t seed;
	size_t mask, n, max;
	size_t n_of_length[PREFIXES]; /* sources per length; only these are looked up */
	struct bucket bucket[];
};

struct gw_blocklist *gw_blocklist_new(unsigned max)
{
	struct gw_blocklist *b;
	size_t n = 16;

	while (n < max)
		n *= 2;
	b = calloc(1, sizeof(*b) + n * sizeof(b->bucket[0]));
	if (!b)
		return NULL;
	b->mask = n - 1;
	b->max = max;
	if (getrandom(&b->seed, sizeof(b->seed), 0) != sizeof(b->seed)) {
		free(b);
		return NULL;
	}
	return b;
}

static struct bucket *get_bucket(const struct gw_blocklist *b, const struct fmp_addr *a)
{
	return (struct bucket *)&b->bucket[fmp_addr_hash(a, b->seed) & b->mask];
}

static struct source *find_source(const struct gw_blocklist *b, const struct fmp_addr *a)
{
	struct source *s;

	SLIST_FOREACH(s, get_bucket(b, a), chain)
	if (fmp_addr_equal(&s->addr, a))
		return s;
	return NULL;
}

static void remove_source(struct gw_blocklist *b, struct source *s)
{
	SLIST_REMOVE(get_bucket(b, &s->addr), s, source, chain);
	b->n_of_length[s->addr.prefix_len]--;
	b->n--;
	free(s);
}

static bool is_expired(const struct source *s, uint64_t now_ms)
{
	return s->until_ms && s->until_ms <= now_ms;
}

/* Remove all sources, or the expired ones. */
static void remove_expired(struct gw_blocklist *b, bool all, uint64_t now_ms)
{
	for (size_t i = 0; i <= b->mask; i++) {
		struct source *s = SLIST_FIRST(&b->bucket[i]), *next;

		for (; s; s = next) {
			next = SLIST_NEXT(s, chain);
			if (all || is_expired(s, now_ms))
				remove_source(b, s);
		}
	}
}

void gw_blocklist_free(struct gw_blocklist *b)
{
	if (b)
		remove_expired(b, true, 0);
	free(b);
}

void gw_blocklist_add(struct gw_blocklist *b, const struct fmp_addr *source, uint64_t until_ms,
		      uint64_t now_ms)
{
	struct source *s = find_source(b, source);

	if (!s && b->n == b->max)
		remove_expired(b, false, now_ms);
	if (!s && b->n < b->max) {
		s = calloc(1, sizeof(*s));
		if (!s)
			return;
		s->addr = *source;
		SLIST_INSERT_HEAD(get_bucket(b, source), s, chain);
		b->n_of_length[source->prefix_len]++;
		b->n++;
	}
	if (s)
		s->until_ms = until_ms;
}

void gw_blocklist_remove(struct gw_blocklist *b, const struct fmp_addr *source)
{
	struct source *s = find_source(b, source);

	if (s)
		remove_source(b, s);
}

bool gw_blocklist_contains(const struct gw_blocklist *b, const struct fmp_addr *addr,
			   uint64_t now_ms)
{
	for (unsigned len = 0; b->n && len <= addr->prefix_len; len++) {
		struct fmp_addr within = fmp_addr_mask(*addr, (uint8_t)len);
		const struct source *s = b->n_of_length[len] ? find_source(b, &within) : NULL;

		if (s && !is_expired(s, now_ms))
			return true;
	}
	return false;
}
