// SPDX-License-Identifier: GPL-2.0
#include "blocklist.h"

#include <stdlib.h>
#include <sys/random.h>

#include <fmp/internal/hmap.h>

#define PREFIXES 129 /* prefix lengths 0 to 128 */

struct source {
	struct fmp_hmap_link link;
	struct fmp_addr addr;
	uint64_t until_ms; /* 0: without end */
};

struct gw_blocklist {
	struct fmp_hmap sources;
	size_t max;
	size_t n_of_length[PREFIXES]; /* sources per length; only these are looked up */
};

struct gw_blocklist *gw_blocklist_new(unsigned max)
{
	struct gw_blocklist *b = calloc(1, sizeof(*b));
	uint64_t seed;

	if (!b)
		return NULL;
	b->max = max;
	if (getrandom(&seed, sizeof(seed), 0) != sizeof(seed) ||
	    fmp_hmap_init(&b->sources, FMP_HMAP_ENTRY(struct source, link, addr), seed, max)) {
		free(b);
		return NULL;
	}
	return b;
}

static void remove_source(struct gw_blocklist *b, struct source *s)
{
	fmp_hmap_remove(&b->sources, s);
	b->n_of_length[s->addr.prefix_len]--;
	free(s);
}

static bool is_expired(const struct source *s, uint64_t now_ms)
{
	return s->until_ms && s->until_ms <= now_ms;
}

/* Remove all sources, or the expired ones. */
static void remove_expired(struct gw_blocklist *b, bool all, uint64_t now_ms)
{
	struct fmp_hmap_cursor at = { 0 };
	struct source *s;

	while ((s = fmp_hmap_next(&b->sources, &at)))
		if (all || is_expired(s, now_ms))
			remove_source(b, s);
}

void gw_blocklist_free(struct gw_blocklist *b)
{
	if (!b)
		return;
	remove_expired(b, true, 0);
	fmp_hmap_exit(&b->sources);
	free(b);
}

void gw_blocklist_add(struct gw_blocklist *b, const struct fmp_addr *source, uint64_t until_ms,
		      uint64_t now_ms)
{
	struct source *s = fmp_hmap_find(&b->sources, source);

	if (!s && b->sources.n == b->max)
		remove_expired(b, false, now_ms);
	if (!s && b->sources.n < b->max) {
		s = calloc(1, sizeof(*s));
		if (!s)
			return;
		s->addr = *source;
		fmp_hmap_add(&b->sources, s);
		b->n_of_length[source->prefix_len]++;
	}
	if (s)
		s->until_ms = until_ms;
}

void gw_blocklist_remove(struct gw_blocklist *b, const struct fmp_addr *source)
{
	struct source *s = fmp_hmap_find(&b->sources, source);

	if (s)
		remove_source(b, s);
}

bool gw_blocklist_contains(const struct gw_blocklist *b, const struct fmp_addr *addr,
			   uint64_t now_ms)
{
	for (unsigned len = 0; b->sources.n && len <= addr->prefix_len; len++) {
		struct fmp_addr within = fmp_addr_mask(*addr, (uint8_t)len);
		const struct source *s = b->n_of_length[len] ? fmp_hmap_find(&b->sources, &within)
							     : NULL;

		if (s && !is_expired(s, now_ms))
			return true;
	}
	return false;
}
