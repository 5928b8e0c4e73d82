// SPDX-License-Identifier: GPL-2.0
#include <fmp/internal/addrmap.h>

#include <stdlib.h>

static struct fmp_addrmap_entry *find_slot(const struct fmp_addrmap *m, const struct fmp_addr *addr)
{
	size_t at = (size_t)fmp_addr_hash(addr, 0) & (m->cap - 1);

	while (m->v[at].addr.family && !fmp_addr_equal(&m->v[at].addr, addr))
		at = (at + 1) & (m->cap - 1);
	return &m->v[at];
}

uint64_t *fmp_addrmap_find(const struct fmp_addrmap *m, const struct fmp_addr *addr)
{
	struct fmp_addrmap_entry *e = m->cap ? find_slot(m, addr) : NULL;

	return e && e->addr.family ? &e->value : NULL;
}

static bool grow_map(struct fmp_addrmap *m)
{
	struct fmp_addrmap more = { .n = m->n, .cap = m->cap ? m->cap * 2 : 64 };

	more.v = calloc(more.cap, sizeof(*more.v));
	if (!more.v)
		return false;
	for (size_t i = 0; i < m->cap; i++)
		if (m->v[i].addr.family)
			*find_slot(&more, &m->v[i].addr) = m->v[i];
	free(m->v);
	*m = more;
	return true;
}

uint64_t *fmp_addrmap_get(struct fmp_addrmap *m, const struct fmp_addr *addr)
{
	struct fmp_addrmap_entry *e;

	/* A quarter stays free, so that searches end soon. */
	if (m->n * 4 >= m->cap * 3 && !grow_map(m))
		return NULL;
	e = find_slot(m, addr);
	if (!e->addr.family) {
		e->addr = *addr;
		m->n++;
	}
	return &e->value;
}

void fmp_addrmap_free(struct fmp_addrmap *m)
{
	free(m->v);
	*m = (struct fmp_addrmap){ 0 };
}
