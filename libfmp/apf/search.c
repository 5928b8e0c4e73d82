// SPDX-License-Identifier: GPL-2.0
#include <apf/search.h>

#include <stdlib.h>
#include <string.h>

#include <apf/near.h>
#include <apf/strings.h>

/* Comparisons that are tried one after the other before a search is halved again. */
#define CHAIN_MAX 8u

/* How a node finds its entries: by the value of @width bytes, or by strings. */
static const struct method {
	bool strings;
	uint8_t width;
} methods[] = {
	{ true, 0 },  { true, 1 },  { true, 2 },  { true, 4 },
	{ false, 1 }, { false, 2 }, { false, 4 },
};

struct search {
	struct fmpi_apf_code *c;
	const struct fmpi_apf_table *t;
	const struct fmpi_apf_targets *to;
	/* By position and first entry: the best method, and the bytes of its program; 0: not known yet. */
	uint32_t *cost;
	uint8_t *method;
	bool failed;
};

static void plan_node(struct search *s, const struct fmpi_apf_node *node);
static void emit_node(struct search *s, const struct fmpi_apf_node *node);

static size_t node_index(const struct search *s, const struct fmpi_apf_node *node)
{
	return node->pos * s->t->n + node->from;
}

static struct fmpi_apf_segments list_segments(struct search *s, const struct fmpi_apf_node *node,
					      unsigned width)
{
	struct fmpi_apf_segments l = fmpi_apf_segments(s->t, node, width);

	s->failed |= l.failed;
	return l;
}

static bool is_outer(const struct fmpi_apf_segment *seg, const struct fmpi_apf_node *node)
{
	return seg->from == seg->to && seg->action == node->outer;
}

static struct fmpi_apf_node inner_node(const struct fmpi_apf_segment *seg,
				       const struct fmpi_apf_node *node, unsigned width)
{
	return (struct fmpi_apf_node){ node->pos + width, seg->from, seg->to, seg->action };
}

/* ---- choice ---- */

/* Comparisons that find a segment. */
static uint32_t count_compares(const struct fmpi_apf_segment *seg, unsigned width)
{
	return seg->lo == seg->hi || !seg->lo || seg->hi == fmpi_apf_value_max(width) ? 1 : 2;
}

/* Bytes of the program, nearly: the sizes of jumps are known only when it is complete. */
static uint32_t value_cost(struct search *s, const struct fmpi_apf_node *node, unsigned width)
{
	struct fmpi_apf_segments l = list_segments(s, node, width);
	uint32_t go = s->c->version >= 6 ? 1 : 3, inside = 0, near = 0, far = 0, halvings, jump;
	size_t n = 0;

	for (size_t i = 0; i < l.n && !s->failed; i++) {
		const struct fmpi_apf_segment *seg = &l.v[i];
		struct fmpi_apf_node inner = inner_node(seg, node, width);

		if (is_outer(seg, node))
			continue;
		n++;
		if (seg->from == seg->to) {
			near += count_compares(seg, width);
			continue;
		}
		plan_node(s, &inner);
		inside += s->cost[node_index(s, &inner)];
		far++;
	}
	free(l.v);
	halvings = (uint32_t)(n / (CHAIN_MAX * 3 / 4 + 1));
	/* What is not near by needs two bytes, if there is much between. */
	jump = 1 + 2 * (width == 1 && n * 4 + inside > UINT8_MAX ? 2 : width);
	return 2 + inside + near * (1 + 2 * width) + (far + halvings) * jump +
	       (halvings + 1) * (width == 1 && near > 1 ? go + 3 : go);
}

static uint32_t method_cost(struct search *s, const struct fmpi_apf_node *node, struct method m)
{
	if (m.strings)
		return fmpi_apf_strings_cost(s->c, s->t, node, m.width);
	return fmpi_apf_load_fits(s->t, node->pos, m.width) ? value_cost(s, node, m.width)
							    : FMPI_APF_NO_COST;
}

static void plan_node(struct search *s, const struct fmpi_apf_node *node)
{
	size_t at = node_index(s, node);
	uint32_t best = FMPI_APF_NO_COST;

	if (s->failed || s->cost[at])
		return;
	for (uint8_t i = 0; i < sizeof(methods) / sizeof(methods[0]); i++) {
		uint32_t cost = method_cost(s, node, methods[i]);

		if (cost >= best)
			continue;
		best = cost;
		s->method[at] = i;
	}
	s->cost[at] = best;
}

/* ---- search by value ---- */

/* A node while its code is emitted. */
struct emission {
	struct search *s;
	const struct fmpi_apf_node *node;
	unsigned width;
	struct fmpi_apf_segments l;
};

static unsigned segment_label(const struct emission *e, struct fmpi_apf_near *near,
			      const struct fmpi_apf_segment *seg)
{
	return seg->from < seg->to ? seg->label : fmpi_apf_near_label(near, e->s->c, seg->action);
}

static void go_segment(const struct emission *e, const struct fmpi_apf_segment *seg)
{
	if (seg->from < seg->to)
		fmpi_apf_jump(e->s->c, seg->label);
	else
		e->s->to->go(e->s->to->ctx, seg->action);
}

/* Compare R0 with the bounds of segment i of first to last, and jump to where it leads. */
static void emit_compare(const struct emission *e, struct fmpi_apf_near *near, size_t i,
			 size_t first, size_t last)
{
	const struct fmpi_apf_segment *seg = &e->l.v[i];
	struct fmpi_apf_code *c = e->s->c;
	unsigned label = segment_label(e, near, seg);

	if (seg->lo == seg->hi) {
		fmpi_apf_jump_if(c, FMPI_APF_JEQ, seg->lo, label);
		return;
	}
	if (i == last) {
		fmpi_apf_jump_if(c, FMPI_APF_JGT, seg->lo - 1, label);
		return;
	}
	if (i > first)
		fmpi_apf_jump_if(c, FMPI_APF_JLT, seg->lo,
				 fmpi_apf_near_label(near, c, e->node->outer));
	fmpi_apf_jump_if(c, FMPI_APF_JLT, seg->hi + 1, label);
}

/* R0 is a value of the segments first to last: jump to where it leads, by one comparison after the other. */
static void emit_chain(const struct emission *e, size_t first, size_t last)
{
	/* Only comparisons of one byte have room for nothing but short jumps. */
	struct fmpi_apf_near near = { .to = e->s->to, .wanted = e->width == 1 && last - first > 2 };

	if (first == last) {
		go_segment(e, &e->l.v[first]);
		return;
	}
	for (size_t i = first; i <= last; i++)
		if (!is_outer(&e->l.v[i], e->node))
			emit_compare(e, &near, i, first, last);
	e->s->to->go(e->s->to->ctx, e->node->outer);
	fmpi_apf_near_place(&near, e->s->c);
}

/* The same by binary search. */
static void emit_choice(const struct emission *e, size_t first, size_t last)
{
	size_t n = 0, middle = first, before = 0;
	unsigned lower;

	for (size_t i = first; i <= last; i++)
		n += !is_outer(&e->l.v[i], e->node);
	if (n <= CHAIN_MAX) {
		emit_chain(e, first, last);
		return;
	}
	while (before < n / 2)
		before += !is_outer(&e->l.v[middle++], e->node);
	lower = fmpi_apf_new_label(e->s->c);
	fmpi_apf_jump_if(e->s->c, FMPI_APF_JLT, e->l.v[middle].lo, lower);
	emit_choice(e, middle, last);
	fmpi_apf_place(e->s->c, lower);
	emit_choice(e, first, middle - 1);
}

static void emit_by_value(struct search *s, const struct fmpi_apf_node *node, unsigned width)
{
	struct emission e = { .s = s, .node = node, .width = width };

	e.l = list_segments(s, node, width);
	for (size_t i = 0; i < e.l.n; i++)
		if (e.l.v[i].from < e.l.v[i].to)
			e.l.v[i].label = fmpi_apf_new_label(s->c);
	if (!s->failed) {
		fmpi_apf_load(s->c, s->t, node->pos, width);
		emit_choice(&e, 0, e.l.n - 1);
	}
	for (size_t i = 0; i < e.l.n && !s->failed; i++) {
		struct fmpi_apf_node inner = inner_node(&e.l.v[i], node, width);

		if (e.l.v[i].from == e.l.v[i].to)
			continue;
		fmpi_apf_place(s->c, e.l.v[i].label);
		emit_node(s, &inner);
	}
	free(e.l.v);
}

static void emit_node(struct search *s, const struct fmpi_apf_node *node)
{
	struct method m;

	plan_node(s, node);
	if (s->failed)
		return;
	m = methods[s->method[node_index(s, node)]];
	if (m.strings)
		fmpi_apf_strings_emit(s->c, s->t, s->to, node, m.width);
	else
		emit_by_value(s, node, m.width);
}

int fmpi_apf_search(struct fmpi_apf_code *c, const struct fmpi_apf_table *t,
		    const struct fmpi_apf_targets *to)
{
	struct search s = { .c = c, .t = t, .to = to };
	struct fmpi_apf_node root = { 0, 0, t->n, FMPI_APF_NONE };

	/* A prefix of no bits is around all others; segments of a node have room for those of its own bits. */
	if (t->n && !t->v[0].bits) {
		root.outer = t->v[0].action;
		root.from = 1;
	}
	if (root.from == root.to) {
		to->go(to->ctx, root.outer);
		return 0;
	}
	s.cost = calloc((t->key_len + 1) * t->n, sizeof(*s.cost));
	s.method = calloc((t->key_len + 1) * t->n, sizeof(*s.method));
	s.failed = !s.cost || !s.method;
	emit_node(&s, &root);
	free(s.cost);
	free(s.method);
	return s.failed || c->failed ? FMP_ERR_NOMEM : 0;
}
