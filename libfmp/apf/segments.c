// SPDX-License-Identifier: GPL-2.0
#include <apf/segments.h>

#include <stdlib.h>

uint32_t fmpi_apf_value(const struct fmpi_apf_entry *e, unsigned pos, unsigned width)
{
	uint32_t v = 0;

	while (width--)
		v = v << 8 | e->key[pos++];
	return v;
}

static void add_segment(struct fmpi_apf_segments *l, const struct fmpi_apf_segment *seg)
{
	struct fmpi_apf_segment *last = l->n ? &l->v[l->n - 1] : NULL;

	if (last && last->from == last->to && seg->from == seg->to && last->action == seg->action) {
		last->hi = seg->hi;
		return;
	}
	if (l->n == l->cap) {
		size_t cap = l->cap ? l->cap * 2 : 16;
		struct fmpi_apf_segment *more = l->failed ? NULL
							  : reallocarray(l->v, cap, sizeof(*more));

		if (!more) {
			l->failed = true;
			return;
		}
		l->v = more;
		l->cap = cap;
	}
	l->v[l->n++] = *seg;
}

/* The prefixes around the values that come next, and the first of these. */
struct cursor {
	struct fmpi_apf_segment around[33]; /* all values, and a prefix of each length of 4 bytes */
	unsigned n;
	uint64_t next;
};

/* Add the segments of the values up to and without @end. */
static void fill_segments(struct fmpi_apf_segments *l, struct cursor *at, uint64_t end)
{
	while (at->next < end) {
		struct fmpi_apf_segment seg;

		while (at->around[at->n - 1].hi < at->next)
			at->n--;
		seg = at->around[at->n - 1];
		seg.lo = (uint32_t)at->next;
		if (seg.hi >= end)
			seg.hi = (uint32_t)(end - 1);
		add_segment(l, &seg);
		at->next = (uint64_t)seg.hi + 1;
	}
	while (at->around[at->n - 1].hi < at->next && at->n > 1)
		at->n--;
}

static size_t skip_value(const struct fmpi_apf_table *t, const struct fmpi_apf_node *node,
			 unsigned width, size_t i)
{
	uint32_t value = fmpi_apf_value(&t->v[i], node->pos, width);

	while (i < node->to && fmpi_apf_value(&t->v[i], node->pos, width) == value)
		i++;
	return i;
}

struct fmpi_apf_segments fmpi_apf_segments(const struct fmpi_apf_table *t,
					   const struct fmpi_apf_node *node, unsigned width)
{
	struct cursor at = {
		.around = { { .hi = fmpi_apf_value_max(width), .action = node->outer } }, .n = 1
	};
	unsigned end_bits = 8 * (node->pos + width);
	struct fmpi_apf_segments l = { 0 };

	for (size_t i = node->from; i < node->to;) {
		const struct fmpi_apf_entry *e = &t->v[i];
		struct fmpi_apf_segment seg = { .lo = fmpi_apf_value(e, node->pos, width),
						.action = e->action };

		fill_segments(&l, &at, seg.lo);
		if (e->bits <= end_bits) {
			seg.hi = (uint32_t)(seg.lo + (1ull << (end_bits - e->bits)) - 1);
			at.around[at.n++] = seg;
			i++;
			continue;
		}
		seg.hi = seg.lo;
		seg.action = at.around[at.n - 1].action;
		seg.from = i;
		seg.to = i = skip_value(t, node, width, i);
		add_segment(&l, &seg);
		at.next = (uint64_t)seg.hi + 1;
	}
	fill_segments(&l, &at, (uint64_t)fmpi_apf_value_max(width) + 1);
	return l;
}
