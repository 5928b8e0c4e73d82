// SPDX-License-Identifier: GPL-2.0
#include <fmp/internal/hmap.h>

#include <stdlib.h>

#include <fmp/error.h>

#define CHAINS_MIN 16u

static void **get_link(const struct fmp_hmap *m, const void *entry)
{
	return &((struct fmp_hmap_link *)((char *)entry + m->entry.link_at))->next;
}

static const struct fmp_addr *get_key(const struct fmp_hmap *m, const void *entry)
{
	return (const struct fmp_addr *)((const char *)entry + m->entry.key_at);
}

static void **find_chain(const struct fmp_hmap *m, const struct fmp_addr *key)
{
	size_t at = (size_t)fmp_addr_hash(key, m->seed) & (2 * m->base - 1);

	return &m->chains[at < m->n_chains ? at : at & (m->base - 1)];
}

int fmp_hmap_init(struct fmp_hmap *m, struct fmp_hmap_entry entry, uint64_t seed, size_t expected)
{
	size_t n = CHAINS_MIN;

	while (n < expected)
		n *= 2;
	*m = (struct fmp_hmap){ 0 };
	m->chains = calloc(n, sizeof(*m->chains));
	if (!m->chains)
		return FMP_ERR_NOMEM;
	m->entry = entry;
	m->seed = seed;
	m->n_chains = m->base = m->cap = n;
	return 0;
}

void fmp_hmap_exit(struct fmp_hmap *m)
{
	free(m->chains);
	*m = (struct fmp_hmap){ 0 };
}

static void *find_in_chain(const struct fmp_hmap *m, void *entry, const struct fmp_addr *key)
{
	while (entry && !fmp_addr_equal(get_key(m, entry), key))
		entry = *get_link(m, entry);
	return entry;
}

void *fmp_hmap_find(const struct fmp_hmap *m, const struct fmp_addr *key)
{
	return find_in_chain(m, *find_chain(m, key), key);
}

void *fmp_hmap_find_next(const struct fmp_hmap *m, const void *entry)
{
	return find_in_chain(m, *get_link(m, entry), get_key(m, entry));
}

/* Linear hashing: add one chain, and move to it a part of another. Each keeps its order. */
static void add_chain(struct fmp_hmap *m)
{
	void **more, **split, *entry, **ends[2];

	if (m->n_chains == m->cap) {
		more = reallocarray(m->chains, 2 * m->cap, sizeof(*more));
		if (!more)
			return;
		m->chains = more;
		m->cap *= 2;
	}
	if (m->n_chains == 2 * m->base)
		m->base *= 2;
	split = &m->chains[m->n_chains - m->base];
	ends[0] = split;
	ends[1] = &m->chains[m->n_chains++];
	for (entry = *split; entry; entry = *get_link(m, entry)) {
		void ***end = &ends[find_chain(m, get_key(m, entry)) != split];

		**end = entry;
		*end = get_link(m, entry);
	}
	*ends[0] = *ends[1] = NULL;
}

void fmp_hmap_add(struct fmp_hmap *m, void *entry)
{
	void **chain;

	if (m->n >= m->n_chains)
		add_chain(m);
	chain = find_chain(m, get_key(m, entry));
	*get_link(m, entry) = *chain;
	*chain = entry;
	m->n++;
}

void fmp_hmap_remove(struct fmp_hmap *m, void *entry)
{
	void **at = find_chain(m, get_key(m, entry));

	while (*at != entry)
		at = get_link(m, *at);
	*at = *get_link(m, entry);
	m->n--;
}

void *fmp_hmap_next(const struct fmp_hmap *m, struct fmp_hmap_cursor *at)
{
	void *entry;

	while (!at->next && at->chain < m->n_chains)
		at->next = m->chains[at->chain++];
	entry = at->next;
	if (entry)
		at->next = *get_link(m, entry);
	return entry;
}
