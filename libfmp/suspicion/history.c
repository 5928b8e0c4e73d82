// SPDX-License-Identifier: GPL-2.0
#include <suspicion/history.h>

#include <assert.h>
#include <stdlib.h>

/* Room for one more, doubled while it is less than the ring. */
static bool grow(struct fmpi_history *h)
{
	uint8_t cap = h->cap ? (uint8_t)(h->cap * 2) : 1;
	struct fmp_history *more;

	if (h->cap == FMP_HISTORY || h->n < h->cap)
		return true;
	more = realloc(h->events, cap * sizeof(*more));
	if (!more)
		return false;
	h->events = more;
	h->cap = cap;
	return true;
}

static_assert((FMP_HISTORY & (FMP_HISTORY - 1)) == 0, "doubling must meet it");

struct fmp_history *fmpi_history_add(struct fmpi_history *h)
{
	struct fmp_history *event;

	if (!grow(h))
		return NULL;
	event = &h->events[h->n % FMP_HISTORY];
	/* Counts on in step with the ring when 32 bits are over. */
	h->n = h->n == UINT32_MAX ? FMP_HISTORY * 2 : h->n + 1;
	return event;
}

unsigned fmpi_history_copy(const struct fmpi_history *h, struct fmp_history out[FMP_HISTORY])
{
	unsigned n = h->n < FMP_HISTORY ? h->n : FMP_HISTORY;

	for (unsigned i = 0; i < n; i++)
		out[i] = h->events[(h->n - n + i) % FMP_HISTORY];
	return n;
}

void fmpi_history_clear(struct fmpi_history *h)
{
	h->n = 0;
}

void fmpi_history_free(struct fmpi_history *h)
{
	free(h->events);
	*h = (struct fmpi_history){ 0 };
}
