// SPDX-License-Identifier: GPL-2.0
#include <apf/strings.h>

/* Entries that are compared one after the other. */
#define STRINGS_MAX 8u

/* ---- loads ---- */

bool fmpi_apf_load_fits(const struct fmpi_apf_table *t, unsigned pos, unsigned width)
{
	unsigned end = pos + width;

	return end <= t->key_len && (pos >= t->fixed || end <= t->fixed);
}

void fmpi_apf_load(struct fmpi_apf_code *c, const struct fmpi_apf_table *t, unsigned pos,
		   unsigned width)
{
	enum fmpi_apf_op op = width == 4 ? FMPI_APF_LDW : width == 2 ? FMPI_APF_LDH : FMPI_APF_LDB;

	if (pos < t->fixed)
		fmpi_apf_emit(c, op, 0, 6 + pos);
	else
		fmpi_apf_emit(c, op + (FMPI_APF_LDBX - FMPI_APF_LDB), 0, t->l3_at + pos - t->fixed);
}

/* ---- division ---- */

static bool entries_fit(const struct fmpi_apf_table *t, const struct fmpi_apf_node *node,
			unsigned width)
{
	for (size_t i = node->from; i < node->to; i++) {
		unsigned bits = t->v[i].bits, len = bits / 8 - node->pos;

		if (bits % 8 || bits <= 8 * node->pos || bits < 8 * (node->pos + width))
			return false;
		if (len > FMPI_APF_BYTES_MAX || (node->pos < t->fixed && bits > 8u * t->fixed))
			return false;
	}
	return true;
}

/* The first entry of the upper half: near the middle, and no entry before it has its value. 0: there is none. */
static size_t find_division(const struct fmpi_apf_table *t, const struct fmpi_apf_node *node,
			    unsigned width)
{
	size_t middle = node->from + (node->to - node->from) / 2;

	for (size_t step = 0; step <= node->to - node->from; step++) {
		size_t at = step & 1 ? middle + (step + 1) / 2 : middle - step / 2;

		if (at > node->from && at < node->to &&
		    fmpi_apf_value(&t->v[at], node->pos, width) !=
			    fmpi_apf_value(&t->v[at - 1], node->pos, width))
			return at;
	}
	return 0;
}

static void divide_node(const struct fmpi_apf_node *node, size_t at, struct fmpi_apf_node *lower,
			struct fmpi_apf_node *upper)
{
	*lower = *upper = *node;
	lower->to = upper->from = at;
}

/* ---- cost ---- */

static uint32_t leaf_cost(const struct fmpi_apf_code *c, const struct fmpi_apf_table *t,
			  const struct fmpi_apf_node *node)
{
	size_t n = node->to - node->from;
	uint32_t each = c->version >= 6 ? (n > 1 ? 3 : 5) : (n > 2 ? 5 : 6);
	uint32_t cost = (node->pos < t->fixed ? 2 : 4) + (c->version >= 6 ? 1 : 3);

	/* The place near by that all of them jump to. */
	if (n > 2)
		cost += c->version >= 6 ? 2 : 3;
	for (size_t i = node->from; i < node->to; i++)
		cost += each + t->v[i].bits / 8 - node->pos;
	return cost;
}

static uint32_t division_cost(const struct fmpi_apf_code *c, const struct fmpi_apf_table *t,
			      const struct fmpi_apf_node *node, unsigned width)
{
	struct fmpi_apf_node lower, upper;
	uint32_t cost;
	size_t at;

	if (node->to - node->from <= STRINGS_MAX)
		return leaf_cost(c, t, node);
	at = find_division(t, node, width);
	if (!at)
		return FMPI_APF_NO_COST;
	divide_node(node, at, &lower, &upper);
	cost = division_cost(c, t, &lower, width);
	at = cost == FMPI_APF_NO_COST ? cost : division_cost(c, t, &upper, width);
	return at == FMPI_APF_NO_COST ? FMPI_APF_NO_COST
				      : cost + (uint32_t)at + 1 + 2 * (width == 1 ? 2 : width);
}

uint32_t fmpi_apf_strings_cost(const struct fmpi_apf_code *c, const struct fmpi_apf_table *t,
			       const struct fmpi_apf_node *node, unsigned width)
{
	uint32_t cost;

	if (!entries_fit(t, node, width))
		return FMPI_APF_NO_COST;
	if (!width)
		return node->to - node->from <= STRINGS_MAX ? leaf_cost(c, t, node)
							    : FMPI_APF_NO_COST;
	if (node->to - node->from <= STRINGS_MAX || !fmpi_apf_load_fits(t, node->pos, width))
		return FMPI_APF_NO_COST;
	cost = division_cost(c, t, node, width);
	return cost == FMPI_APF_NO_COST ? cost : cost + 2;
}

/* ---- code ---- */

/* From the last to the first, so that an entry comes before the one that it lies in. */
static void emit_leaf(struct fmpi_apf_code *c, const struct fmpi_apf_table *t,
		      const struct fmpi_apf_targets *to, const struct fmpi_apf_node *node)
{
	struct fmpi_apf_near near = { .to = to, .wanted = node->to - node->from > 2 };
	unsigned pos = node->pos;

	if (pos < t->fixed) {
		fmpi_apf_emit(c, FMPI_APF_LI, 0, 6 + pos);
	} else {
		fmpi_apf_emit_ext(c, FMPI_APF_MOV, 0);
		fmpi_apf_emit_add(c, (int32_t)(t->l3_at + pos - t->fixed));
	}
	for (size_t i = node->to; i-- > node->from;) {
		const struct fmpi_apf_entry *e = &t->v[i];
		unsigned len = e->bits / 8 - pos, label = fmpi_apf_near_label(&near, c, e->action);
		unsigned next;

		if (c->version >= 6) {
			fmpi_apf_jump_bytes(c, e->key + pos, len, true, label);
			continue;
		}
		next = fmpi_apf_new_label(c);
		fmpi_apf_jump_bytes(c, e->key + pos, len, false, next);
		fmpi_apf_jump(c, label);
		fmpi_apf_place(c, next);
	}
	to->go(to->ctx, node->outer);
	fmpi_apf_near_place(&near, c);
}

static void emit_division(struct fmpi_apf_code *c, const struct fmpi_apf_table *t,
			  const struct fmpi_apf_targets *to, const struct fmpi_apf_node *node,
			  unsigned width)
{
	struct fmpi_apf_node lower, upper;
	unsigned label;
	size_t at;

	if (node->to - node->from <= STRINGS_MAX) {
		emit_leaf(c, t, to, node);
		return;
	}
	at = find_division(t, node, width);
	divide_node(node, at, &lower, &upper);
	label = fmpi_apf_new_label(c);
	fmpi_apf_jump_if(c, FMPI_APF_JLT, fmpi_apf_value(&t->v[at], node->pos, width), label);
	emit_division(c, t, to, &upper, width);
	fmpi_apf_place(c, label);
	emit_division(c, t, to, &lower, width);
}

void fmpi_apf_strings_emit(struct fmpi_apf_code *c, const struct fmpi_apf_table *t,
			   const struct fmpi_apf_targets *to, const struct fmpi_apf_node *node,
			   unsigned width)
{
	if (width)
		fmpi_apf_load(c, t, node->pos, width);
	emit_division(c, t, to, node, width);
}
