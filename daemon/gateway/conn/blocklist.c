// SPDX-License-Identifier: GPL-2.0
#include "blocklist.h"

#include <stdlib.h>
#include <sys/queue.h>
#include <sys/random.h>

#define PREFIXES 129 /* lengths of IPv6's, 0 and 128 among them */

struct source {
	SLIST_ENTRY(source) chain;
	struct fmp_addr addr;
	uint64_t until_ms; /* 0: without end */
};
SLIST_HEAD(bucket, source);

struct gw_blocklist {
	uint64_t seed;
	size_t mask, n, most;
	size_t of_prefix[PREFIXES]; /* sources of each length: only these are looked for */
	struct bucket bucket[];
};

struct gw_blocklist *gw_blocklist_new(unsigned most)
{
	struct gw_blocklist *b;
	size_t n = 16;

	while (n < most)
		n *= 2;
	b = calloc(1, sizeof(*b) + n * sizeof(b->bucket[0]));
	if (!b)
		return NULL;
	b->mask = n - 1;
	b->most = most;
	if (getrandom(&b->seed, sizeof(b->seed), 0) != sizeof(b->seed)) {
		free(b);
		return NULL;
	}
	return b;
}

static struct bucket *bucket_of(const struct gw_blocklist *b, const struct fmp_addr *a)
{
	return (struct bucket *)&b->bucket[fmp_addr_hash(a, b->seed) & b->mask];
}

static struct source *find(const struct gw_blocklist *b, const struct fmp_addr *a)
{
	struct source *s;

	SLIST_FOREACH(s, bucket_of(b, a), chain)
	if (fmp_addr_equal(&s->addr, a))
		return s;
	return NULL;
}

static void drop(struct gw_blocklist *b, struct source *s)
{
	SLIST_REMOVE(bucket_of(b, &s->addr), s, source, chain);
	b->of_prefix[s->addr.prefix_len]--;
	b->n--;
	free(s);
}

static bool is_over(const struct source *s, uint64_t now_ms)
{
	return s->until_ms && s->until_ms <= now_ms;
}

/* All of them, or those whose time is over. */
static void sweep(struct gw_blocklist *b, bool all, uint64_t now_ms)
{
	for (size_t i = 0; i <= b->mask; i++) {
		struct source *s = SLIST_FIRST(&b->bucket[i]), *next;

		for (; s; s = next) {
			next = SLIST_NEXT(s, chain);
			if (all || is_over(s, now_ms))
				drop(b, s);
		}
	}
}

void gw_blocklist_free(struct gw_blocklist *b)
{
	if (b)
		sweep(b, true, 0);
	free(b);
}

void gw_blocklist_add(struct gw_blocklist *b, const struct fmp_addr *source, uint64_t until_ms,
		      uint64_t now_ms)
{
	struct source *s = find(b, source);

	if (!s && b->n == b->most)
		sweep(b, false, now_ms);
	if (!s && b->n < b->most) {
		s = calloc(1, sizeof(*s));
		if (!s)
			return;
		s->addr = *source;
		SLIST_INSERT_HEAD(bucket_of(b, source), s, chain);
		b->of_prefix[source->prefix_len]++;
		b->n++;
	}
	if (s)
		s->until_ms = until_ms;
}

void gw_blocklist_remove(struct gw_blocklist *b, const struct fmp_addr *source)
{
	struct source *s = find(b, source);

	if (s)
		drop(b, s);
}

bool gw_blocklist_contains(const struct gw_blocklist *b, const struct fmp_addr *addr,
			   uint64_t now_ms)
{
	for (unsigned len = 0; b->n && len <= addr->prefix_len; len++) {
		struct fmp_addr within = fmp_addr_mask(*addr, (uint8_t)len);
		const struct source *s = b->of_prefix[len] ? find(b, &within) : NULL;

		if (s && !is_over(s, now_ms))
			return true;
	}
	return false;
}
