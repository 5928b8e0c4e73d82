// SPDX-License-Identifier: GPL-2.0
#include <suspicion/history.h>

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <suspicion/decay.h>

static_assert((FMP_HISTORY & (FMP_HISTORY - 1)) == 0, "doubling must meet it");
#define TIME_MAX ((UINT64_C(1) << 48) - 1)
#define RANK_MAX ((1u << 24) - 1)

static_assert(FMPI_RANK_MAX / 1000 <= RANK_MAX, "points must fit");
static_assert(FMP_EVENT_KINDS <= 127, "kinds must fit");

/* Make room for one more event; the size doubles up to that of the ring. Return: NULL without
 * memory. */
static struct fmpi_history *grow_history(struct fmpi_history *h)
{
	uint32_t cap = h ? h->cap * 2 : 1;
	struct fmpi_history *more;

	if (h && (h->cap == FMP_HISTORY || h->n < h->cap))
		return h;
	more = realloc(h, sizeof(*h) + cap * sizeof(h->events[0]));
	if (!more)
		return NULL;
	if (!h)
		more->n = 0;
	more->cap = cap;
	return more;
}

/* The i-th event of a full ring, oldest first. */
static struct fmpi_history_entry *ring_entry(struct fmpi_history *h, unsigned i)
{
	return &h->events[(h->n + i) % FMP_HISTORY];
}

/* The oldest light one of a full ring is where the oldest of all was then. Return: is there one? */
static bool move_minor_first(struct fmpi_history *h)
{
	unsigned i = 0;
	struct fmpi_history_entry minor;

	while (i < FMP_HISTORY && !ring_entry(h, i)->minor)
		i++;
	if (i == FMP_HISTORY)
		return false;
	minor = *ring_entry(h, i);
	for (; i; i--)
		*ring_entry(h, i) = *ring_entry(h, i - 1);
	*ring_entry(h, 0) = minor;
	return true;
}

void fmpi_history_add(struct fmpi_history **of, struct fmp_intern *texts,
		      const struct fmp_history *event, bool minor)
{
	struct fmpi_history *h = grow_history(*of);
	struct fmpi_history_entry *past;

	if (!h)
		return;
	*of = h;
	if (h->n >= FMP_HISTORY && !move_minor_first(h) && minor)
		return;
	past = &h->events[h->n % FMP_HISTORY];
	if (h->n >= FMP_HISTORY)
		fmp_intern_drop(texts, fmp_intern_get(texts, past->detail));
	past->time_ms = event->time_ms < TIME_MAX ? event->time_ms : TIME_MAX;
	past->dest_port = event->dest_port;
	past->rank = event->rank < RANK_MAX ? event->rank : RANK_MAX;
	past->kind = (uint32_t)event->kind & 127;
	past->minor = minor;
	past->detail = fmp_intern_number(fmp_intern_hold(texts, event->detail));
	/* Wrap without losing the position in the ring. */
	h->n = h->n == UINT32_MAX ? FMP_HISTORY * 2 : h->n + 1;
}

static unsigned count_stored(const struct fmpi_history *h)
{
	return h->n < FMP_HISTORY ? h->n : FMP_HISTORY;
}

unsigned fmpi_history_copy(const struct fmpi_history *h, const struct fmp_intern *texts,
			   struct fmp_history out[FMP_HISTORY])
{
	unsigned n = h ? count_stored(h) : 0;

	for (unsigned i = 0; i < n; i++) {
		const struct fmpi_history_entry *past = &h->events[(h->n - n + i) % FMP_HISTORY];
		const char *detail = fmp_intern_get(texts, past->detail);

		out[i] = (struct fmp_history){ .time_ms = past->time_ms,
					       .kind = past->kind,
					       .rank = past->rank,
					       .dest_port = past->dest_port };
		memcpy(out[i].detail, detail, strnlen(detail, sizeof(out[i].detail) - 1));
	}
	return n;
}

void fmpi_history_free(struct fmpi_history *h, struct fmp_intern *texts)
{
	if (!h)
		return;
	for (unsigned i = 0; i < count_stored(h); i++)
		fmp_intern_drop(texts, fmp_intern_get(texts, h->events[i].detail));
	free(h);
}
