// SPDX-License-Identifier: GPL-2.0
#include <suspicion/ledger.h>

#include <stdlib.h>
#include <string.h>

_Static_assert(FMP_COUNTED_MAX <= UINT8_MAX && FMP_EVENT_KINDS <= UINT8_MAX, "they fit a byte");

static struct fmpi_tally **find_tally(struct fmpi_ledger *ledger, unsigned kind)
{
	struct fmpi_tally **at = &ledger->tallies;

	while (*at && (*at)->kind != kind)
		at = &(*at)->next;
	return at;
}

/* Room for one more of @most, doubled as they come. Return: NULL without memory. */
static struct fmpi_tally *make_room(struct fmpi_tally **at, unsigned kind, uint32_t most)
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

void fmpi_ledger_add(struct fmpi_ledger **ledger, unsigned kind, uint32_t most, uint64_t when_ms)
{
	struct fmpi_tally **at, *t;

	if (!most)
		return;
	if (!*ledger)
		*ledger = calloc(1, sizeof(**ledger));
	if (!*ledger)
		return;
	at = find_tally(*ledger, kind);
	t = *at;
	/* A policy of smaller counts may have come since. */
	if (t && t->n >= most) {
		unsigned off = t->n - most + 1;

		memmove(t->time_ms, t->time_ms + off, (t->n - off) * sizeof(t->time_ms[0]));
		t->n -= (uint8_t)off;
	}
	t = make_room(at, kind, most);
	if (t)
		t->time_ms[t->n++] = when_ms;
}

uint32_t fmpi_ledger_count(const struct fmpi_ledger *ledger, unsigned kind, uint64_t within_ms,
			   uint64_t now_ms)
{
	const struct fmpi_tally *t = ledger ? *find_tally((struct fmpi_ledger *)ledger, kind)
					    : NULL;
	uint32_t n = 0;

	/* Times never go back, see fmpi_engine_now(). */
	for (unsigned i = t ? t->n : 0; i-- && now_ms - t->time_ms[i] <= within_ms;)
		n++;
	return n;
}

unsigned fmpi_ledger_save(const struct fmpi_ledger *ledger, uint64_t now_ms,
			  struct fmp_saved_count out[FMP_COUNTED_MAX])
{
	unsigned n = 0;

	for (const struct fmpi_tally *t = ledger ? ledger->tallies : NULL; t; t = t->next)
		for (unsigned i = 0; i < t->n && n < FMP_COUNTED_MAX; i++) {
			uint64_t age_ms = now_ms - t->time_ms[i];

			/* No policy counts for so long. */
			if (age_ms <= UINT32_MAX)
				out[n++] = (struct fmp_saved_count){ .age_ms = (uint32_t)age_ms,
								     .kind = t->kind };
		}
	return n;
}

void fmpi_ledger_free(struct fmpi_ledger **ledger)
{
	struct fmpi_tally *t = *ledger ? (*ledger)->tallies : NULL;

	while (t) {
		struct fmpi_tally *next = t->next;

		free(t);
		t = next;
	}
	free(*ledger);
	*ledger = NULL;
}
