// SPDX-License-Identifier: GPL-2.0
/* A binary heap of rows. */
#include <suspicion/heap.h>

#include <stdlib.h>

#include <suspicion/table.h>

static bool entry_precedes(const struct fmpi_heap_entry *a, const struct fmpi_heap_entry *b)
{
	return a->key != b->key ? a->key < b->key : a->row->order < b->row->order;
}

static uint32_t *position_of(const struct fmpi_heap *h, struct fmpi_row *row)
{
	return h->second ? &row->waiting_at : &row->heap_at;
}

static void store_entry(struct fmpi_heap *h, uint32_t at, struct fmpi_heap_entry e)
{
	h->v[at] = e;
	*position_of(h, e.row) = at;
}

/* Store e at its position, above or below the free position @at. */
static void sift_entry(struct fmpi_heap *h, uint32_t at, struct fmpi_heap_entry e)
{
	while (at && entry_precedes(&e, &h->v[(at - 1) / 2])) {
		store_entry(h, at, h->v[(at - 1) / 2]);
		at = (at - 1) / 2;
	}
	for (;;) {
		uint32_t child = 2 * at + 1;

		if (child + 1 < h->n && entry_precedes(&h->v[child + 1], &h->v[child]))
			child++;
		if (child >= h->n || !entry_precedes(&h->v[child], &e))
			break;
		store_entry(h, at, h->v[child]);
		at = child;
	}
	store_entry(h, at, e);
}

bool fmpi_heap_reserve(struct fmpi_heap *h, uint32_t n)
{
	uint32_t cap = h->cap ? h->cap : 64;
	struct fmpi_heap_entry *more;

	while (cap < n)
		cap *= 2;
	if (cap == h->cap)
		return true;
	more = realloc(h->v, cap * sizeof(*more));
	if (!more)
		return false;
	h->v = more;
	h->cap = cap;
	return true;
}

void fmpi_heap_exit(struct fmpi_heap *h)
{
	free(h->v);
	*h = (struct fmpi_heap){ .second = h->second };
}

void fmpi_heap_push(struct fmpi_heap *h, struct fmpi_row *row, uint64_t key)
{
	struct fmpi_heap_entry e = { .key = key, .row = row };

	sift_entry(h, h->n++, e);
}

void fmpi_heap_remove(struct fmpi_heap *h, struct fmpi_row *row)
{
	uint32_t at = *position_of(h, row);
	struct fmpi_heap_entry last = h->v[--h->n];

	if (at < h->n)
		sift_entry(h, at, last);
}

void fmpi_heap_move(struct fmpi_heap *h, struct fmpi_row *row, uint64_t key)
{
	uint32_t at = *position_of(h, row);
	struct fmpi_heap_entry e = h->v[at];

	e.key = key;
	sift_entry(h, at, e);
}
