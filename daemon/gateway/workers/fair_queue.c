// SPDX-License-Identifier: GPL-2.0
#include "fair_queue.h"

void gw_turns_init(struct gw_turns *t, uint64_t seed)
{
	*t = (struct gw_turns){ .seed = seed, .now = 1 };
	for (unsigned i = 0; i < GW_TURNS; i++)
		TAILQ_INIT(&t->round[i]);
}

static struct gw_round *round_at(struct gw_turns *t, uint64_t at)
{
	return &t->round[at % GW_TURNS];
}

void gw_turns_add(struct gw_turns *t, struct gw_turn *e, const struct fmp_addr *source)
{
	uint64_t hash = source ? fmp_addr_hash(source, t->seed) : t->seed;
	uint64_t *last = &t->last[hash % GW_TURN_SOURCES];

	e->at = *last >= t->now ? *last + 1 : t->now;
	if (e->at >= t->now + GW_TURNS)
		e->at = t->now + GW_TURNS - 1;
	*last = e->at;
	TAILQ_INSERT_TAIL(round_at(t, e->at), e, entry);
	t->n++;
}

struct gw_turn *gw_turns_first(struct gw_turns *t)
{
	if (!t->n)
		return NULL;
	while (TAILQ_EMPTY(round_at(t, t->now)))
		t->now++;
	return TAILQ_FIRST(round_at(t, t->now));
}

void gw_turns_remove(struct gw_turns *t, struct gw_turn *e)
{
	TAILQ_REMOVE(round_at(t, e->at), e, entry);
	t->n--;
}
