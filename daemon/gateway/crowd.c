// SPDX-License-Identifier: GPL-2.0
#include "crowd.h"

#include <stdlib.h>
#include <sys/random.h>

struct gw_crowd_source {
	struct gw_crowd_source *next; /* of the same bucket */
	struct fmp_addr addr;
	unsigned n;
	size_t held;
};

struct gw_crowd {
	uint64_t seed;
	size_t mask;
	struct gw_crowd_source *bucket[];
};

struct gw_crowd *gw_crowd_new(unsigned most)
{
	struct gw_crowd *c;
	size_t n = 16;

	while (n < most)
		n *= 2;
	c = calloc(1, sizeof(*c) + n * sizeof(c->bucket[0]));
	if (!c)
		return NULL;
	c->mask = n - 1;
	if (getrandom(&c->seed, sizeof(c->seed), 0) != sizeof(c->seed)) {
		free(c);
		return NULL;
	}
	return c;
}

void gw_crowd_free(struct gw_crowd *c)
{
	free(c);
}

/* Where the source stands, or would. */
static struct gw_crowd_source **find(struct gw_crowd *c, const struct fmp_addr *source)
{
	struct gw_crowd_source **at = &c->bucket[fmp_addr_hash(source, c->seed) & c->mask];

	while (*at && !fmp_addr_equal(&(*at)->addr, source))
		at = &(*at)->next;
	return at;
}

unsigned gw_crowd_count(const struct gw_crowd *c, const struct fmp_addr *source)
{
	const struct gw_crowd_source *s = *find((struct gw_crowd *)c, source);

	return s ? s->n : 0;
}

struct gw_crowd_source *gw_crowd_join(struct gw_crowd *c, const struct fmp_addr *source)
{
	struct gw_crowd_source **at = find(c, source);

	if (!*at) {
		*at = calloc(1, sizeof(**at));
		if (!*at)
			return NULL;
		(*at)->addr = *source;
	}
	(*at)->n++;
	return *at;
}

void gw_crowd_leave(struct gw_crowd *c, struct gw_crowd_source *s)
{
	if (--s->n)
		return;
	*find(c, &s->addr) = s->next;
	free(s);
}

void gw_crowd_hold(struct gw_crowd_source *s, size_t before, size_t now)
{
	s->held += now - before;
}

size_t gw_crowd_held(const struct gw_crowd_source *s)
{
	return s->held;
}
