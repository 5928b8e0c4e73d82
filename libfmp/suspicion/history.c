// SPDX-License-Identifier: GPL-2.0
#include <suspicion/history.h>

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Room for one more, doubled while it is less than the ring. */
static bool grow(struct fmpi_history *h)
{
	uint8_t cap = h->cap ? (uint8_t)(h->cap * 2) : 1;
	struct fmpi_past *more;

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

void fmpi_history_add(struct fmpi_history *h, struct fmpi_texts *texts,
		      const struct fmp_history *event)
{
	struct fmpi_past *past;

	if (!grow(h))
		return;
	past = &h->events[h->n % FMP_HISTORY];
	if (h->n >= FMP_HISTORY)
		fmpi_texts_drop(texts, past->detail);
	*past = (struct fmpi_past){ .time_ms = event->time_ms,
				    .detail = fmpi_texts_hold(texts, event->detail),
				    .rank = event->rank,
				    .dest_port = event->dest_port,
				    .kind = (uint8_t)event->kind };
	/* Counts on in step with the ring when 32 bits are over. */
	h->n = h->n == UINT32_MAX ? FMP_HISTORY * 2 : h->n + 1;
}

static unsigned count(const struct fmpi_history *h)
{
	return h->n < FMP_HISTORY ? h->n : FMP_HISTORY;
}

unsigned fmpi_history_copy(const struct fmpi_history *h, struct fmp_history out[FMP_HISTORY])
{
	unsigned n = count(h);

	for (unsigned i = 0; i < n; i++) {
		const struct fmpi_past *past = &h->events[(h->n - n + i) % FMP_HISTORY];

		out[i] = (struct fmp_history){ .time_ms = past->time_ms,
					       .kind = past->kind,
					       .rank = past->rank,
					       .dest_port = past->dest_port };
		memcpy(out[i].detail, past->detail,
		       strnlen(past->detail, sizeof(out[i].detail) - 1));
	}
	return n;
}

void fmpi_history_clear(struct fmpi_history *h, struct fmpi_texts *texts)
{
	for (unsigned i = 0; i < count(h); i++)
		fmpi_texts_drop(texts, h->events[i].detail);
	h->n = 0;
}

void fmpi_history_free(struct fmpi_history *h, struct fmpi_texts *texts)
{
	fmpi_history_clear(h, texts);
	free(h->events);
	*h = (struct fmpi_history){ 0 };
}
