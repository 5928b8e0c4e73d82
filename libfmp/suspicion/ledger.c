// SPDX-License-Identifier: GPL-2.0
#include <suspicion/ledger.h>

#include <stdlib.h>
#include <string.h>

_Static_assert(FMP_COUNTED_MAX <= UINT8_MAX && FMP_EVENT_KINDS <= UINT8_MAX, "they fit a byte");

/* ---- pools ---- */

static bool matches_override(const struct fmpi_ledger *l, const struct fmp_policy_override *o)
{
	if (!o || o->pool)
		return !fmpi_ledger_is_separate(l);
	return l->port == o->port && !strcmp(l->service, o->service);
}

bool fmpi_ledger_is_separate(const struct fmpi_ledger *l)
{
	return l->port || *l->service;
}

struct fmpi_ledger *fmpi_ledger_find(struct fmpi_ledger *first, const struct fmp_policy_override *o)
{
	while (first && !matches_override(first, o))
		first = first->next;
	return first;
}

struct fmpi_ledger *fmpi_ledger_get(struct fmpi_ledger **first, const struct fmp_policy_override *o)
{
	struct fmpi_ledger *l = fmpi_ledger_find(*first, o);

	if (l)
		return l;
	l = calloc(1, sizeof(*l));
	if (!l)
		return NULL;
	if (o && !o->pool) {
		memcpy(l->service, o->service, sizeof(l->service));
		l->port = o->port;
	}
	l->next = *first;
	*first = l;
	return l;
}

const struct fmp_policy_override *fmpi_ledger_override(const struct fmpi_ledger *l,
						       const struct fmp_policy *p)
{
	for (size_t i = 0; i < p->n_overrides; i++)
		if (!p->overrides[i].pool && matches_override(l, &p->overrides[i]))
			return &p->overrides[i];
	return NULL;
}

void fmpi_ledger_remove(struct fmpi_ledger **at)
{
	struct fmpi_ledger *l = *at;
	struct fmpi_tally *t = l->tallies;

	*at = l->next;
	while (t) {
		struct fmpi_tally *next = t->next;

		free(t);
		t = next;
	}
	free(l);
}

void fmpi_ledger_free(struct fmpi_ledger **first)
{
	while (*first)
		fmpi_ledger_remove(first);
}

/* ---- counted events ---- */

static struct fmpi_tally **find_tally(struct fmpi_ledger *l, unsigned kind)
{
	struct fmpi_tally **at = &l->tallies;

	while (*at && (*at)->kind != kind)
		at = &(*at)->next;
	return at;
}

/* Make room for one more time, at most @most; the size doubles. Return: NULL without memory. */
static struct fmpi_tally *reserve_time(struct fmpi_tally **at, unsigned kind, uint32_t most)
{
	struct fmpi_tally *t = *at;
	uint32_t cap = t ? t->cap * 2u : 2;

	if (t && t->n < t->cap)
		return t;
	if (cap > most)
		cap = most;
	t = realloc(t, sizeof(*t) + cap * sizeof(t->time_ms[0]));
	if (!t)
		return NULL;
	if (!*at)
		*t = (struct fmpi_tally){ .kind = (uint8_t)kind };
	t->cap = (uint8_t)cap;
	*at = t;
	return t;
}

void fmpi_ledger_add(struct fmpi_ledger *l, unsigned kind, uint32_t most, uint64_t when_ms)
{
	struct fmpi_tally **at = find_tally(l, kind), *t = *at;

	if (!most)
		return;
	/* The policy's counts may have become smaller. */
	if (t && t->n >= most) {
		unsigned off = t->n - most + 1;

		memmove(t->time_ms, t->time_ms + off, (t->n - off) * sizeof(t->time_ms[0]));
		t->n -= (uint8_t)off;
	}
	t = reserve_time(at, kind, most);
	if (t)
		t->time_ms[t->n++] = when_ms;
}

uint32_t fmpi_ledger_count(const struct fmpi_ledger *l, unsigned kind, uint64_t within_ms,
			   uint64_t now_ms)
{
	const struct fmpi_tally *t = l ? *find_tally((struct fmpi_ledger *)l, kind) : NULL;
	uint32_t n = 0;

	/* Times never go back, see fmpi_engine_now(). */
	for (unsigned i = t ? t->n : 0; i-- && now_ms - t->time_ms[i] <= within_ms;)
		n++;
	return n;
}
