// SPDX-License-Identifier: GPL-2.0
#include "fair_queue.h"

void gw_fair_queue_init(struct gw_fair_queue *t, uint64_t seed)
{
	*t = (struct gw_fair_queue){ .seed = seed, .now = 1 };
	for (unsigned i = 0; i < GW_FAIR_QUEUE_ROUNDS; i++)
		TAILQ_INIT(&t->round[i]);
}

static struct gw_fair_queue_round *get_round(struct gw_fair_queue *t, uint64_t at)
{
	return &t->round[at % GW_FAIR_QUEUE_ROUNDS];
}

void gw_fair_queue_add(struct gw_fair_queue *t, struct gw_fair_queue_entry *e,
		       const struct fmp_addr *source)
{
	uint64_t hash = source ? fmp_addr_hash(source, t->seed) : t->seed;
	uint64_t *last = &t->last[hash % GW_FAIR_QUEUE_SOURCES];

	e->at = *last >= t->now ? *last + 1 : t->now;
	if (e->at >= t->now + GW_FAIR_QUEUE_ROUNDS)
		e->at = t->now + GW_FAIR_QUEUE_ROUNDS - 1;
	*last = e->at;
	TAILQ_INSERT_TAIL(get_round(t, e->at), e, entry);
	t->n++;
}

struct gw_fair_queue_entry *gw_fair_queue_first(struct gw_fair_queue *t)
{
	if (!t->n)
		return NULL;
	while (TAILQ_EMPTY(get_round(t, t->now)))
		t->now++;
	return TAILQ_FIRST(get_round(t, t->now));
}

void gw_fair_queue_remove(struct gw_fair_queue *t, struct gw_fair_queue_entry *e)
{
	TAILQ_REMOVE(get_round(t, e->at), e, entry);
	t->n--;
}
