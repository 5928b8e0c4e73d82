// SPDX-License-Identifier: GPL-2.0
/* The addresses that a search looks up. */
#include <apf/search.h>

#include <stdlib.h>
#include <string.h>

int fmpi_apf_table_add(struct fmpi_apf_table *t, const uint8_t *key, unsigned bits, uint32_t action)
{
	struct fmpi_apf_entry *e;

	if (t->n == t->cap) {
		size_t cap = t->cap ? t->cap * 2 : 64;
		struct fmpi_apf_entry *more = reallocarray(t->v, cap, sizeof(*more));

		if (!more)
			return FMP_ERR_NOMEM;
		t->v = more;
		t->cap = cap;
	}
	e = &t->v[t->n++];
	*e = (struct fmpi_apf_entry){ .bits = (uint8_t)bits, .action = action };
	memcpy(e->key, key, (bits + 7) / 8);
	if (bits % 8)
		e->key[bits / 8] &= (uint8_t)(0xff << (8 - bits % 8));
	return 0;
}

void fmpi_apf_table_free(struct fmpi_apf_table *t)
{
	free(t->v);
	t->v = NULL;
	t->n = t->cap = 0;
}

/* A prefix comes before what lies in it; of equal ones the greatest action comes first. */
static int compare_entries(const void *a, const void *b)
{
	const struct fmpi_apf_entry *x = a, *y = b;
	int order = memcmp(x->key, y->key, sizeof(x->key));

	if (order)
		return order;
	if (x->bits != y->bits)
		return x->bits < y->bits ? -1 : 1;
	return x->action > y->action ? -1 : x->action < y->action;
}

static bool entry_contains(const struct fmpi_apf_entry *outer, const struct fmpi_apf_entry *inner)
{
	unsigned bytes = outer->bits / 8, bits = outer->bits % 8;

	if (outer->bits > inner->bits || memcmp(outer->key, inner->key, bytes) != 0)
		return false;
	return !bits || !((outer->key[bytes] ^ inner->key[bytes]) >> (8 - bits));
}

/* Entries around the current one: at most one of each length. */
struct enclosing {
	struct fmpi_apf_entry v[FMPI_APF_KEY_MAX * 8 + 1];
	unsigned n;
};

void fmpi_apf_table_reduce(struct fmpi_apf_table *t, bool keep_protect)
{
	struct enclosing around = { .n = 0 };
	size_t kept = 0;

	if (t->n)
		qsort(t->v, t->n, sizeof(*t->v), compare_entries);
	for (size_t i = 0; i < t->n; i++) {
		struct fmpi_apf_entry e = t->v[i];
		uint32_t outer;

		while (around.n && !entry_contains(&around.v[around.n - 1], &e))
			around.n--;
		outer = around.n ? around.v[around.n - 1].action : FMPI_APF_NONE;
		if (e.action <= outer)
			continue;
		around.v[around.n++] = e;
		/* What is protected where nothing is blocked hides what lies in it, and is left out itself. */
		if (e.action == FMPI_APF_PROTECT && outer == FMPI_APF_NONE && !keep_protect)
			continue;
		t->v[kept++] = e;
	}
	t->n = kept;
}
