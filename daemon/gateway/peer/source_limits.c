// SPDX-License-Identifier: GPL-2.0
#include "source_limits.h"

#include <stdlib.h>
#include <sys/random.h>

#include <fmp/internal/hmap.h>

struct gw_source_usage {
	struct fmp_hmap_link link;
	struct fmp_addr addr;
	unsigned n;
	size_t bytes;
	struct by_class {
		TAILQ_ENTRY(gw_source_usage) level; /* sources with as many connections */
		struct gw_evict_list places;
		unsigned n;
	} of[GW_EVICT_CLASSES];
};

struct gw_source_limits {
	struct fmp_hmap sources;
	/* Sources by number of connections, and the highest such number. */
	TAILQ_HEAD(sources, gw_source_usage) level[GW_EVICT_CLASSES][GW_SOURCE_LIMITS_LEVELS + 1];
	unsigned top[GW_EVICT_CLASSES];
};

struct gw_source_limits *gw_source_limits_new(unsigned max)
{
	struct gw_source_limits *c = calloc(1, sizeof(*c));
	uint64_t seed;

	if (!c)
		return NULL;
	for (unsigned i = 0; i < GW_EVICT_CLASSES; i++)
		for (unsigned j = 0; j <= GW_SOURCE_LIMITS_LEVELS; j++)
			TAILQ_INIT(&c->level[i][j]);
	if (getrandom(&seed, sizeof(seed), 0) != sizeof(seed) ||
	    fmp_hmap_init(&c->sources, FMP_HMAP_ENTRY(struct gw_source_usage, link, addr), seed,
			  max)) {
		free(c);
		return NULL;
	}
	return c;
}

void gw_source_limits_free(struct gw_source_limits *c)
{
	if (c)
		fmp_hmap_exit(&c->sources);
	free(c);
}

unsigned gw_source_limits_count(const struct gw_source_limits *c, const struct fmp_addr *source)
{
	const struct gw_source_usage *s = fmp_hmap_find(&c->sources, source);

	return s ? s->n : 0;
}

struct gw_source_usage *gw_source_limits_add(struct gw_source_limits *c,
					     const struct fmp_addr *source)
{
	struct gw_source_usage *s = fmp_hmap_find(&c->sources, source);

	if (!s) {
		s = calloc(1, sizeof(*s));
		if (!s)
			return NULL;
		s->addr = *source;
		for (unsigned i = 0; i < GW_EVICT_CLASSES; i++)
			TAILQ_INIT(&s->of[i].places);
		fmp_hmap_add(&c->sources, s);
	}
	s->n++;
	return s;
}

void gw_source_limits_remove(struct gw_source_limits *c, struct gw_source_usage *s)
{
	if (--s->n)
		return;
	fmp_hmap_remove(&c->sources, s);
	free(s);
}

void gw_source_limits_set_bytes(struct gw_source_usage *s, size_t before, size_t now)
{
	s->bytes += now - before;
}

size_t gw_source_limits_bytes(const struct gw_source_usage *s)
{
	return s->bytes;
}

static unsigned get_level(unsigned n)
{
	return n < GW_SOURCE_LIMITS_LEVELS ? n : GW_SOURCE_LIMITS_LEVELS;
}

/* Set a source's count. It moves by one level at most, and so does the highest one. */
static void set_class_count(struct gw_source_limits *c, struct gw_source_usage *s,
			    enum gw_evict_class in, unsigned n)
{
	struct by_class *of = &s->of[in];
	unsigned before = get_level(of->n), now = get_level(n);

	of->n = n;
	if (before == now)
		return;
	if (before)
		TAILQ_REMOVE(&c->level[in][before], s, of[in].level);
	if (now)
		TAILQ_INSERT_TAIL(&c->level[in][now], s, of[in].level);
	if (now > c->top[in])
		c->top[in] = now;
	else if (before == c->top[in] && TAILQ_EMPTY(&c->level[in][before]))
		c->top[in] = now;
}

void gw_source_limits_set_class(struct gw_source_limits *c, struct gw_source_usage *s,
				struct gw_evict_entry *p, enum gw_evict_class in)
{
	if (p->in != GW_EVICT_NEVER) {
		TAILQ_REMOVE(&s->of[p->in].places, p, list);
		set_class_count(c, s, p->in, s->of[p->in].n - 1);
	}
	p->in = in;
	if (in != GW_EVICT_NEVER) {
		TAILQ_INSERT_TAIL(&s->of[in].places, p, list);
		set_class_count(c, s, in, s->of[in].n + 1);
	}
}

struct gw_evict_entry *gw_source_limits_find_largest(const struct gw_source_limits *c,
						     enum gw_evict_class in, unsigned *n)
{
	const struct gw_source_usage *s = TAILQ_FIRST(&c->level[in][c->top[in]]);

	*n = c->top[in] && s ? s->of[in].n : 0;
	return *n ? TAILQ_FIRST(&s->of[in].places) : NULL;
}
